"""The processes as a team: they exchange bytes, and an error of one is the error of all.

Every exchange begins with one number from each process to each other: how many bytes will come. A
process that has failed says so in place of that number, whichever exchange the others have begun.
All then tell their errors, and all raise the first of them. At the end of each statement a last
such number says that all have come that far, so no process goes on while another has failed.
"""

from __future__ import annotations

import builtins
import json
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from lagraph_gpu import errors
from lagraph_gpu.cluster.packing import as_bytes
from lagraph_gpu.cluster.transport import Transport
from lagraph_gpu.errors import InvalidValue, LagraphError

FAILED = -1
"""In place of a number of bytes: this process has failed."""


@dataclass
class Traffic:
    """What this process has exchanged so far."""

    bytes: int = 0
    """Sent to other processes, without the numbers before each exchange."""
    messages: int = 0
    """Sent to other processes, with those numbers."""
    waited: float = 0
    """Microseconds in exchanges, which include the time until the last process came."""

    def since(self, before: Traffic) -> dict[str, Any]:
        """What has been exchanged since then."""
        return {name: value - getattr(before, name) for name, value in vars(self).items()}


class Team:
    """All processes, as one of them sees them."""

    def __init__(self, transport: Transport, checks: bool = False) -> None:
        self.transport, self.checks = transport, checks
        self.rank, self.size = transport.rank, transport.size
        self.traffic = Traffic()
        self._within = 0
        self._common: Exception | None = None

    @contextmanager
    def statement(self) -> Iterator[None]:
        """A block that all processes complete, or in which all raise the same error.

        Blocks may lie within each other; only the outermost one ends with an agreement.
        """
        self._within += 1
        try:
            yield
            if self._within == 1:
                self._sizes(np.zeros(self.size, np.int64))
        except Exception as error:
            if self._within > 1 or error is self._common:
                raise
            self.transport.swap(np.full(self.size, FAILED))
            told = self._told(portable(error))
            if told is error:
                raise
            raise told from error
        finally:
            self._within -= 1

    def all_to_all(self, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Send bytes to each process; the result is what each has sent to this one."""
        sizes = self._sizes(np.array([part.size for part in parts], np.int64))
        return self._timed(self.transport.all_to_all, parts, sizes)

    def all_gather(self, part: np.ndarray) -> list[np.ndarray]:
        """Send the same bytes to all processes; the result is what each has sent."""
        sizes = self._sizes(np.full(self.size, part.size, np.int64))
        return self._timed(self.transport.all_gather, part, sizes)

    def values(self, mine: np.ndarray) -> np.ndarray:
        """The few values of each process, one after another."""
        return np.concatenate([part.view(mine.dtype) for part in self.all_gather(as_bytes(mine))])

    def seeds(self) -> Callable[[], int]:
        """A function that gives a new seed at each call, the same on all processes."""
        told = self.values(np.array([secrets.randbits(63)]))
        drawn = np.random.default_rng(int(told[0]))
        return lambda: int(drawn.integers(2**63))

    def texts(self, mine: str) -> list[str]:
        """The text of each process."""
        return [part.tobytes().decode() for part in self.all_gather(text_bytes(mine))]

    def expect_one(self, text: str) -> None:
        """Raise InvalidValue if a process is about to do something else than the first one."""
        texts = self.texts(text)
        other = next((rank for rank, told in enumerate(texts) if told != texts[0]), None)
        if other is not None:
            raise InvalidValue(
                f"expected the same statement on all processes, got {texts[0]} on process 0 and "
                f"{texts[other]} on process {other}; let all of them run one program on the same "
                "data"
            )

    def _timed(self, exchange: Callable[..., Any], *given: Any) -> Any:
        began = perf_counter()
        received = exchange(*given)
        self.traffic.waited += (perf_counter() - began) * 1e6
        self.traffic.messages += self.size - 1
        return received

    def _sizes(self, mine: np.ndarray) -> np.ndarray:
        theirs = self._timed(self.transport.swap, mine)
        self.traffic.bytes += int(mine.sum() - mine[self.rank])
        if theirs.min() == FAILED:
            raise self._told(None)
        return theirs

    def _told(self, mine: Exception | None) -> Exception:
        """The error that all raise: that of the first process which has one."""
        part = text_bytes("" if mine is None else text_of(mine))
        sizes = self.transport.swap(np.full(self.size, part.size))
        told = self.transport.all_gather(part, sizes)
        first = next(rank for rank, one in enumerate(told) if one.size)
        if mine is None or first != self.rank:
            mine = error_of(told[first].tobytes().decode())
        self._common = mine
        return mine


def portable(error: Exception) -> Exception:
    """The error itself, or one of this library that quotes it if other processes cannot make it."""
    try:
        if type(error_of(text_of(error))) is type(error):
            return error
    except (TypeError, AttributeError):  # arguments that JSON has not, or an unknown class
        pass
    return LagraphError(f"{type(error).__name__}: {error}")


def text_of(error: Exception) -> str:
    """The name and the arguments of an error, as JSON; a path is its text."""
    return json.dumps([type(error).__name__, error.args], default=os.fspath)


def error_of(text: str) -> Exception:
    """An error of this library or of Python from its name and its arguments."""
    name, args = json.loads(text)
    found: Exception = getattr(errors if hasattr(errors, name) else builtins, name)(*args)
    return found


def text_bytes(text: str) -> np.ndarray:
    """A text as bytes."""
    return np.frombuffer(text.encode(), np.uint8)
