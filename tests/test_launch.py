"""How a launch passes its arguments."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.gpu.device.cupy_device import CODES, Frame, form_of
from tests.harness import DEVICE

KINDS = {code: np.dtype(code).type for code in CODES}
VALUES = [
    kind(value)
    for kind in KINDS.values()
    for value in (
        (False, True)
        if kind is np.bool_
        else (-np.inf, np.nan, np.finfo(kind).tiny, np.finfo(kind).max)
        if issubclass(kind, np.floating)
        else (np.iinfo(kind).min, 1, np.iinfo(kind).max)
    )
] + [np.longlong(-3), np.ulonglong(2**63)]  # other types than np.int64 and np.uint64


class Nowhere:
    """A device of which a thread can only say that it uses it."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def use(self) -> None:
        self.threads.append(threading.get_ident())


def array_at(address: int) -> Any:
    return SimpleNamespace(data=SimpleNamespace(ptr=address))


def test_each_argument_has_a_word_of_its_own() -> None:
    address = 2**64 - 256
    args = (*VALUES, None, array_at(address))
    frame = Frame(Nowhere())
    assert frame.put(form_of(args), args) == frame.pointer
    words = np.frombuffer(frame.words, np.uint64)
    for word, value in zip(words, VALUES):
        assert word.tobytes()[: value.nbytes] == value.tobytes(), repr(value)
    assert words[len(VALUES) : len(args)].tolist() == [0, address]
    places = np.frombuffer(frame.places, np.uint64)
    assert (np.diff(places) == 8).all() and places[0] == words.ctypes.data
    assert frame.pointer == places.ctypes.data


def test_each_thread_has_a_frame() -> None:
    device = Nowhere()
    frame, seen = Frame(device), []
    thread = threading.Thread(target=lambda: seen.append((frame.words, frame.pointer)))
    thread.start()
    thread.join()
    ((words, pointer),) = seen
    assert words is not frame.words and pointer != frame.pointer
    assert len(device.threads) == 2 and len(set(device.threads)) == 2


@pytest.mark.parametrize("cooperative", [False, True])
def test_a_kernel_reads_what_was_passed(cooperative: bool) -> None:
    source = """
        template <class T> __global__ void keep(T a, T* out, const T* none, T b) {
            out[0] = b;
            out[1] = none == nullptr ? a : b;
        }"""
    for name, kind in (("int", np.int32), ("double", np.float64), ("unsigned char", np.uint8)):
        a, b, out = kind(3), kind(250), DEVICE.empty(2, kind)
        DEVICE.compile(source, f"keep<{name}>")(1, 1, (a, out, None, b), cooperative=cooperative)
        assert DEVICE.download(out).tolist() == [b, a]
