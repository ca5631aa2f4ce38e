"""Waiting for the device so that an interrupt from the keyboard ends the wait.

CUDA's own calls that wait cannot be interrupted: Python hears of Ctrl-C when they return. So the
main thread, in which Python raises KeyboardInterrupt, asks again and again whether the device is
done. Work that was launched goes on to its end after an interrupt. That spoils nothing: what is
launched later in the same stream comes after it, and so does the use of memory that was given back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

DONE, NOT_READY = 0, 600
"""What CUDA answers when the device is done, and when it is not; all else is an error."""

BUSY = 0.02
"""For so many seconds the main thread asks without a pause, because Linux makes the shortest pause
last some 60 µs. After that a pause is less than a hundredth of the wait."""

PAUSE = 5e-5
"""Seconds between two questions afterwards."""

STILL_WRITTEN: list[Any] = []
"""Host memory to which the device may still write, because a wait for it was interrupted: some
kilobytes for each interrupt."""


def wait_for(query: Callable[[], int], synchronize: Callable[[], Any], memory: Any = None) -> None:
    """Wait until ``query`` says that the device is done. ``synchronize`` is CUDA's own wait, which
    raises the errors of the device.

    If the wait for a copy to ``memory`` is interrupted, the memory is kept.
    """
    if threading.current_thread() is not threading.main_thread():
        synchronize()  # synchronize!
        return
    end = time.perf_counter() + BUSY
    try:
        while (status := query()) == NOT_READY:
            if time.perf_counter() < end:
                os.sched_yield()  # other threads may run; time.sleep(0) would be a pause
            else:
                time.sleep(PAUSE)
    except BaseException:
        STILL_WRITTEN.append(memory)
        raise
    if status != DONE:
        synchronize()  # synchronize! raises the error of the device
