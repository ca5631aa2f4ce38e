"""Exchanges of bytes between all processes, in which an error of one is the error of all.

Every exchange begins with a head from each process to each other, which says how many bytes will
come. If they are few they are in the head, and that is all of the exchange. A process that has
failed says so in its head, whichever exchange the others have begun. All then exchange their
errors, and all raise the first of them. A head also says in which statement its process is, so
processes that are in different ones find it out when they next meet. At the end of each statement
of a program a last head says that all have come that far, so no process goes on while another has
failed. A lowering of the cluster is one statement, however many it consists of. Where the devices
have just met in a kernel, nobody waits for that last head: the next statement begins with it, or
the end of the program. Where all have met behind the work of the statement there is none: an error
after that is told in the next exchange.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NoReturn

import numpy as np

from lagraph_gpu.calls.current_call import CURRENT, Call
from lagraph_gpu.cluster.common_errors import different_statements, error_of, portable, text_of
from lagraph_gpu.cluster.heads import (
    BYTES_IN_HEAD,
    ENDED,
    FAILED,
    HEADS,
    bytes_of_heads,
    few_of,
    sizes_of,
)
from lagraph_gpu.cluster.kept_facts import KeptFacts
from lagraph_gpu.cluster.packing import as_bytes
from lagraph_gpu.cluster.transport import Transport
from lagraph_gpu.errors import LagraphError

ROOT = 0
"""The process that does alone what is not worth all of them."""

NO_STATEMENT = 0
"""In place of the number of a statement: this process is in none."""

Told = tuple[Call | None, str]
"""In which call of the program a process is, and in which statement."""

NOWHERE: Told = None, "no statement"


@dataclass
class Traffic:
    """What this process has exchanged so far."""

    bytes: int = 0
    """Sent to other processes, without heads that say no more than a number of bytes."""
    messages: int = 0
    """Sent to other processes, heads among them."""
    exchanges: int = 0
    """Calls of the transport, in each of which all processes wait for each other."""
    waited: float = 0
    """Microseconds in exchanges, which include the time until the last process came."""

    def since(self, before: Traffic) -> dict[str, Any]:
        """What has been exchanged since then."""
        return {name: value - getattr(before, name) for name, value in vars(self).items()}


class Communicator:
    """All processes, as one of them sees them."""

    def __init__(self, transport: Transport, checks: bool = False) -> None:
        self.transport, self.checks = transport, checks
        self.rank, self.size = transport.rank, transport.size
        self.traffic, self._empty = Traffic(), np.zeros(self.size, HEADS)
        self._nothing = bytes_of_heads(self._empty)
        self._all_came = self._nothing.tobytes()
        """What all have received when each has come to where it begins to agree."""
        self.agreements = 0
        """How often all have come to the same place without an error."""
        self.met = False
        """Whether a kernel in which the devices of all have met was the last thing that all have
        done together."""
        self.settled = False
        """Whether all have met behind all that the statement does that is likely to fail, so that
        its end is no meeting of its own."""
        self.epoch = 0
        """How many exchanges have begun, which all have begun together."""
        self._within, self._told, self._statement = False, NOWHERE, NO_STATEMENT
        self._begun: Callable[[], np.ndarray] | None = None
        self._begun_in = NOWHERE
        self._common: Exception | None = None
        """The error of all in this statement."""
        self._kept = KeptFacts()
        self._gone: int | None = None

    def statement(self, brief: str | Callable[[], str] = "") -> AbstractContextManager[None]:
        """A block that all processes complete, or in which all raise the same error.

        Blocks may lie within each other; only the outermost one ends with an agreement. What it
        does is told in `brief`, which is the same in all processes, or is made by it.
        """
        return WITHIN if self._within else Outermost(self, brief)

    def enter(self, brief: str | Callable[[], str]) -> None:
        """Begin a statement of the program."""
        self._within, self._common, self.settled = True, None, False
        self.finish()
        call, text = CURRENT.get(), NOWHERE[1]
        self._statement = NO_STATEMENT if call is None else zlib.crc32(call.text.encode())
        if not self.checks:  # `expect_same` says more
            text = brief if isinstance(brief, str) else brief()
            self._statement = zlib.crc32(text.encode(), self._statement)
        self._told = call, text

    def come_to_end(self) -> None:
        """Agree that all have come to the end of the statement, if they have not yet."""
        if self.settled:
            return
        self.begin()
        if not self.met:
            self.finish()

    def fail(self, error: BaseException) -> NoReturn:
        """Raise the error of all after this process has met one in the statement."""
        if not isinstance(error, Exception):  # `sys.exit` or Ctrl-C, while others wait for this one
            self.transport.end()
            raise error
        self._kept.forget()
        self._raise_common(error)

    def leave(self) -> None:
        """Be in no statement any more."""
        self._within, self._told, self._statement = False, NOWHERE, NO_STATEMENT

    @contextmanager
    def until(self, kind: type[LagraphError]) -> Iterator[None]:
        """A block of a statement that all leave together if one of them raises an error of this
        class in it, before it has told the others anything."""
        try:
            yield
        except Exception as error:
            self._kept.forget()
            try:
                self._raise_common(error)
            except kind:
                self._common = None

    def _raise_common(self, error: Exception) -> NoReturn:
        """Raise the error of all after this process has met one. It tells the others if they do not
        know."""
        if error is self._common or self._gone is not None:
            raise error
        if self._common is not None and error.__cause__ is self._common:
            raise self._common from None  # which all have been told of
        if not self._heard_of_failure():
            self._swapped(np.full(self.size, FAILED))
        common = self._common_error(portable(error))
        if common is error:
            raise error
        raise common from error

    def tell(self, error: Exception) -> None:
        """Let all raise an error that this process has met between two statements, if they have not
        been told of it. The others hear of it in the statement that they are in, or come to."""
        if not self._within and error is not self._common and self._gone is None:
            with self.statement():
                raise error

    def end_program(self) -> None:
        """Come to the end of the program, where all wait for each other. If others are in a
        statement, they raise an error."""
        if self._gone is not None:
            return
        try:
            self.finish()
        finally:
            self._gone, last = self.rank, self._empty.copy()
            last["size"] = ENDED
            self.transport.swap(bytes_of_heads(last))()

    def _received(self, heads: np.ndarray) -> np.ndarray:
        """Heads as the transport has brought them. Raises LagraphError if one says that the program
        of its process has ended."""
        theirs = heads.view(HEADS).reshape(self.size)
        if theirs["size"].min() == ENDED:
            self._gone = int(theirs["size"].argmin())
        self._expect_running()
        return theirs

    def _expect_running(self) -> None:
        """Raise LagraphError if the program of a process has ended."""
        if self._gone is not None:
            raise LagraphError(
                f"expected all {self.size} processes in this statement, but the program of process "
                f"{self._gone} has ended, by sys.exit or at its last line; let all of them run the "
                "same statements, and raise an error where one cannot go on, which ends all"
            )

    def agree(self) -> None:
        """Go on when all processes have come here, and none has failed."""
        self.begin()
        self.finish()

    def begin(self) -> None:
        """Tell the others that this process has come here."""
        self.finish()
        self._expect_running()
        self.epoch += 1
        self._empty["statement"] = self._statement
        self._all_came = self._nothing.tobytes()
        self._begun, self._begun_in = self.transport.swap(self._nothing), self._told

    def finish(self) -> None:
        """Go on when all processes have come to where they `begin`, and none has failed. The next
        exchange does it if nobody has."""
        begun, self._begun = self._begun, None
        if begun is None:
            return
        heads = self._timed(begun)
        if heads.tobytes() != self._all_came:
            self._expect_common(self._received(heads), self._begun_in)
        self._note_agreement()

    def _heard_of_failure(self) -> bool:
        """Whether another process has failed before it came to where this one has begun to agree,
        if it has."""
        begun, self._begun = self._begun, None
        return begun is not None and bool(self._received(begun())["size"].min() == FAILED)

    def all_have(self, note: int, wanted: Callable[[int], bool]) -> list[int] | None:
        """The notes of all processes, if their sum is `wanted`; else None."""
        notes: list[int] = self._heads([NO_BYTES] * self.size, note)["note"].tolist()
        return notes if wanted(sum(notes)) else None

    def all_to_all(self, parts: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Send bytes to each process; the result is what each has sent to this one."""
        heads = self._heads(parts)
        return few_of(heads) or self._timed(self.transport.all_to_all, parts, sizes_of(heads))

    def all_to_all_if(
        self, parts: Sequence[np.ndarray], note: int, wanted: Callable[[int], bool]
    ) -> list[np.ndarray] | None:
        """Send bytes to each process and a note to all; the result is what each has sent to this
        one, if the sum of the notes is `wanted` or all of it has been in the heads. Otherwise it is
        None, and only the notes have been sent.
        """
        heads = self._heads(parts, note)
        few = few_of(heads)
        if few or wanted(int(heads["note"].sum())):
            return few or self._timed(self.transport.all_to_all, parts, sizes_of(heads))
        self.traffic.bytes -= sum(part.size for part in parts) - parts[self.rank].size
        return None

    def all_gather(self, part: np.ndarray) -> list[np.ndarray]:
        """Send the same bytes to all processes; the result is what each has sent."""
        return self._gathered(part, self._heads([part] * self.size))

    def all_gather_if(
        self, part: np.ndarray, note: int, wanted: Callable[[int], bool]
    ) -> list[np.ndarray] | None:
        """Send bytes and a note to all processes; the result is the bytes that each has sent, if
        the sum of the notes is `wanted`. Otherwise it is None, and only the notes have been sent.
        """
        heads = self._heads([part] * self.size, note)
        if wanted(int(heads["note"].sum())):
            return self._gathered(part, heads)
        self.traffic.bytes -= part.size * (self.size - 1)
        return None

    def _gathered(self, part: np.ndarray, heads: np.ndarray) -> list[np.ndarray]:
        return few_of(heads) or self._timed(self.transport.all_gather, part, sizes_of(heads))

    def shared(self, size: int) -> np.ndarray | None:
        """So many bytes for each process, zeros at first, as rows of an array that all processes
        share. None if they are not all on one host."""
        return self.transport.shared(size)

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        """What `work` returns, in which the processes wait for each other in shared memory."""
        return self.transport.in_shared_memory(work)

    def count(self, sent: int, meetings: int, waited: float) -> None:
        """Note what this process has sent to others in shared memory, in so many meetings, and the
        microseconds that it has waited in them."""
        self.traffic.bytes += sent
        self.traffic.messages += meetings * (self.size - 1)
        self.traffic.exchanges += meetings
        self.traffic.waited += waited

    def values(self, mine: np.ndarray) -> np.ndarray:
        """The few values of each process, one after another."""
        return np.concatenate([part.view(mine.dtype) for part in self.all_gather(as_bytes(mine))])

    def sum_on_host(self, mine: int) -> int:
        """The sum of the numbers of the processes of this host."""
        numbers = self.values(np.array([mine, self.transport.host])).reshape(self.size, 2)
        return int(numbers[numbers[:, 1] == self.transport.host, 0].sum())

    def seeds(self) -> Callable[[], int]:
        """A function that gives a new seed at each call, the same on all processes."""
        gathered = self.values(np.array([secrets.randbits(63)]))
        drawn = np.random.default_rng(int(gathered[0]))
        return lambda: int(drawn.integers(2**63))

    def texts(self, mine: str) -> list[str]:
        """The text of each process."""
        return [part.tobytes().decode() for part in self.all_gather(text_bytes(mine))]

    def expect_same(self, text: str) -> None:
        """Raise InvalidValue if a process is about to do something else than the first one."""
        texts = self.texts(text)
        if len(set(texts)) > 1:
            raise different_statements(texts)

    def _timed(self, exchange: Callable[..., Any], *given: Any) -> Any:
        began = perf_counter()
        received = exchange(*given)
        self.traffic.waited += (perf_counter() - began) * 1e6
        self.traffic.messages += self.size - 1
        self.traffic.exchanges += 1
        return received

    def _heads(self, parts: Sequence[np.ndarray], note: int = 0) -> np.ndarray:
        """The heads that come to this process, before it sends these bytes to each."""
        mine = np.zeros(self.size, HEADS)
        sizes = [part.size for part in parts]
        mine["size"], mine["most"] = sizes, min(max(sizes), BYTES_IN_HEAD + 1)
        mine["statement"], mine["note"] = self._statement, note
        if max(sizes) <= BYTES_IN_HEAD:
            for head, part in zip(mine["few"], parts):
                head[: part.size] = part
        return self._exchanged(mine, sum(sizes) - sizes[self.rank])

    def _exchanged(self, mine: np.ndarray, sent: int) -> np.ndarray:
        """The heads that come to this process, which sends these, and so many bytes with them."""
        self.finish()
        theirs: np.ndarray = self._timed(self._swapped, mine)
        self.traffic.bytes += sent
        self._expect_common(theirs, self._told)
        self._note_agreement()
        return theirs

    def _expect_common(self, theirs: np.ndarray, told: Told) -> None:
        """Raise the error of all, if these heads tell of one, or of different statements; this
        process was there when it sent its own."""
        if theirs["size"].min() == FAILED:
            raise self._common_error(None)
        if len(set(theirs["statement"].tolist())) > 1:
            call, brief = told
            texts = self._texts(brief if call is None else call.text)
            if len(set(texts)) == 1:  # the same call
                texts = self._texts(brief)
            self._common = different_statements(texts)
            raise self._common

    def _note_agreement(self) -> None:
        self.agreements += 1
        self.met = self.settled = False
        self._kept.confirm()

    def note_kept(self, forget: Callable[[], Any]) -> None:
        """Note that this process keeps a fact, and what forgets it if the statement fails."""
        if self._within or self.settled or self._begun is not None:
            self._kept.note(forget)

    def _swapped(self, heads: np.ndarray) -> np.ndarray:
        """The heads that come to this process. A number alone stands for a head without bytes."""
        if heads.dtype != HEADS:
            sizes, heads = heads, np.zeros(self.size, HEADS)
            heads["size"] = sizes
        self._expect_running()
        self.epoch += 1
        return self._received(self.transport.swap(bytes_of_heads(heads))())

    def _common_error(self, mine: Exception | None) -> Exception:
        """The error that all raise: that of the first process which has one."""
        texts = self._texts("" if mine is None else text_of(mine))
        first = next(rank for rank, text in enumerate(texts) if text)
        if mine is None or first != self.rank:
            mine = error_of(texts[first])
        self._common = mine
        return mine

    def _texts(self, mine: str) -> list[str]:
        """The text of each process, in whichever statements they are."""
        part = text_bytes(mine)
        sizes = sizes_of(self._swapped(np.full(self.size, part.size)))
        return [one.tobytes().decode() for one in self.transport.all_gather(part, sizes)]


class Outermost:
    """A statement of the program. (The decorator for functions that yield takes longer.)"""

    __slots__ = "brief", "comm"

    def __init__(self, comm: Communicator, brief: str | Callable[[], str]) -> None:
        self.comm, self.brief = comm, brief

    def __enter__(self) -> None:
        try:
            self.comm.enter(self.brief)
        except BaseException as error:
            self._fail(error)
            raise

    def __exit__(self, _: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None:
            self._fail(error)
            return
        try:
            self.comm.come_to_end()
        except BaseException as problem:
            self._fail(problem)
            raise
        self.comm.leave()

    def _fail(self, error: BaseException) -> None:
        """Raise the error of all if it is not this one."""
        trace = error.__traceback__
        try:
            self.comm.fail(error)
        except BaseException as common:
            if common is not error:
                raise
            error.__traceback__ = trace
        finally:
            self.comm.leave()


WITHIN: AbstractContextManager[None] = nullcontext()
"""A statement within another one."""

NO_BYTES = np.empty(0, np.uint8)


def text_bytes(text: str) -> np.ndarray:
    """A text as bytes."""
    return np.frombuffer(text.encode(), np.uint8)
