"""How much memory this process may still use, and what is raised when that is too little.

There are five bounds: the free memory of the machine, a limit on the group of processes (cgroup,
which containers use), a limit on the address space (RLIMIT_AS), one on data (RLIMIT_DATA), and the
one that `set_memory_limit` sets. The least of them counts. A process that exceeds the limit of its
group is killed, so an operation whose size is known asks here first. Other failures are raised by
NumPy, Python, or the library of a backend, each with its own class; `guarded` turns them into one
error of this library.
"""

from __future__ import annotations

import functools
import os
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import monotonic
from types import FunctionType, GeneratorType, MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeVar

from lagraph_gpu.errors import (
    InvalidValue,
    LagraphError,
    TooLarge,
    brief,
    expect_given,
    grouped,
    tell_of,
)

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

ROOT = Path("/")
"""Where the system is described."""

NAMES = {
    1: (
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        ("total_inactive_file", "total_active_file"),
    ),
    2: ("memory.max", "memory.current", ("inactive_file", "active_file")),
}
"""The names of a group's limit, of what it uses, and of the parts of this that can be reclaimed, in
each version of the system."""

NO_LIMIT = 1 << 62
"""In version 1 a group without a limit has one of nearly 2⁶³ bytes."""


@dataclass
class Limits:
    """What has been set for this process."""

    host: int | None = None
    """The limit of `set_memory_limit`, in bytes."""
    gpu: int | None = None
    """The limit of `set_memory_limit` for a GPU, in bytes."""
    sharers: int = 1
    """How many processes of this host open memory to each other, this one among them."""


LIMITS = Limits()

UNITS = {"": 1, **{f"{p}I": 1024**k for k, p in enumerate("KMGT", 1)},
         **{p: 1000**k for k, p in enumerate("KMGT", 1)}}  # fmt: skip
"""The prefixes of bytes in capital letters, and what they stand for."""

HOST_RECLAIMERS: list[Callable[[], bool]] = []
"""Functions that give back what this process keeps for later calls, on the host or as a whole
matrix of a cluster, and can make again; True if there was any. They are called before a call is
refused."""


class Needs(NamedTuple):
    """What a public call of an algorithm takes, for processes that choose who carries it out."""

    row: int
    """The bytes of one process for each vertex, and for each entry."""
    entry: int
    by_statements: int
    """The bytes that statements take on all processes together for each vertex, at least."""
    vertices: int
    """Of how many vertices they have values in memory."""
    beside: Callable[[int], int]
    """The bytes that do not follow from these, for a graph of so many entries."""


CALLS: list[Callable[[], Needs | None]] = []
"""What say how much the public calls under way take on a cluster, the innermost last."""

CHECKED_BYTES = 1 << 20
"""For no more bytes than these nobody asks what is free, which takes 20 µs, once in a second 80."""

Thing = TypeVar("Thing")
Function = TypeVar("Function", bound=Callable[..., Any])


# --- what is free -------------------------------------------------------------------------------


def set_memory_limit(limit: int | str | None, *, gpu: int | str | None = None) -> None:
    """Set how much memory this process may use, on the host and on a GPU each.

    Parameters
    ----------
    limit : int, str or None
        The number of bytes, or a text such as "8 GiB" (2³⁰ bytes each), "500 MB" (10⁶ bytes each)
        or "1.5 GiB". None removes the limit.
    gpu : int or str, optional
        The limit on a GPU, if it is another one. By default it is `limit`.

    Raises
    ------
    InvalidValue
        This is no number of bytes above 0.

    Notes
    -----
    The checks before a call respect the limit as they respect the free memory: batches of searches
    and blocks of distances become smaller, rows of a graph on a GPU are moved into the host's
    memory, and a call that would still need more runs on the CPU. Only if that has not enough
    memory either, it raises TooLarge (`lg.memory_needed` says how much a call takes). On the host
    all memory counts that no other process shares, Python and libraries included, and of what the
    processes of a cluster open to each other an equal part; mapped files do not count. On a GPU the
    arrays of CuPy count. A call that has begun is not watched, and calls of less than a MiB are not
    checked.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.set_memory_limit("64 GiB")
    >>> lg.set_memory_limit(None)
    """
    host, own = (None if size is None else bytes_of(size) for size in (limit, gpu))
    LIMITS.host, LIMITS.gpu = host, host if gpu is None else own


def bytes_of(size: Any) -> int:
    """A number of bytes, from an integer or a text."""
    text = size if isinstance(size, str) else ""
    written = re.fullmatch(r"(\d{1,15}(?:\.\d{1,15})?) ?(?:([KkMGT]i?|)B)?", text)
    if written is not None:
        count = Fraction(written[1]) * UNITS[(written[2] or "").upper()]
        size = int(count) if written[2] or count.denominator == 1 else size
    elif isinstance(size, float) and size.is_integer():
        size = int(size)
    if not isinstance(size, int) or isinstance(size, bool) or size <= 0:
        raise InvalidValue(
            "expected a number of bytes, such as 2**33, '8 GiB' (KiB, MiB, GiB, TiB: powers of "
            "1024) or '8 GB' (kB, MB, GB, TB: powers of 1000), got "
            f"{brief(size)}"
        )
    return size


def within_limit(free: int, used: int) -> int:
    """The bytes of a device that are free within the limit, if `used` bytes are used."""
    return free if LIMITS.gpu is None else max(0, min(free, LIMITS.gpu - used))


def of_user() -> Iterator[int]:
    """The bytes that `set_memory_limit` leaves, after those that this process alone holds."""
    if LIMITS.host is not None:
        yield LIMITS.host - private_bytes() - shared_bytes()


def private_bytes() -> int:
    """The memory in use that no other process and no file shares; 0 if it is not known."""
    for line in lines_of(ROOT / "proc/self/statm"):
        resident, shared = map(int, line.split()[1:3])
        return (resident - shared) * resource.getpagesize()
    return 0


def shared_bytes() -> int:
    """The part of this process of the memory in use that processes open to each other; 0 if it is
    not known."""
    for line in lines_of(ROOT / "proc/self/status"):
        if LIMITS.sharers > 1 and line.startswith("RssShmem"):
            return 1024 * int(line.split()[1]) // LIMITS.sharers
    return 0


def available_bytes() -> int | None:
    """The bytes that this process may still use; None where the system does not say."""
    return least([*of_machine(), *of_groups(), *of_process(), *of_user()])


def least(bounds: list[int]) -> int | None:
    """The least of some numbers of free bytes; None if none is known."""
    return max(0, min(bounds)) if bounds else None


def short_of(message: str) -> TooLarge:
    """The error for a call that more free memory would have let pass."""
    error = TooLarge(message)
    error.of_memory = True
    return error


def expect_fits(free: int | None, wanted: int, what: str, needs: str, advice: str) -> None:
    """Raises TooLarge if `wanted` bytes are more than are free, as far as that is known.

    The message reads: expected {what} the free memory, but {needs} … bytes; {advice}.
    """
    if free is not None and wanted > free:
        raise short_of(
            f"expected {what} the free memory, but {needs} {grouped(wanted)} bytes and {free:,} "
            f"are free{source_of_limit()}; {advice}"
        )


def give_back() -> bool:
    """Give back what `HOST_RECLAIMERS` can. True if there was any."""
    given = [of_one() for of_one in HOST_RECLAIMERS]
    return any(given)


def source_of_limit() -> str:
    """Where a limit comes from, for the end of a message; empty if none is set."""
    if LIMITS.host == LIMITS.gpu:
        return "" if LIMITS.host is None else f", by lg.set_memory_limit({LIMITS.host})"
    return f", by lg.set_memory_limit({LIMITS.host}, gpu={LIMITS.gpu})"


def expect_room(
    wanted: int, what: str, advice: str = "take less, or raise the limit", together: int = 0
) -> None:
    """Raises TooLarge if something on the host takes more bytes than are free there, or if there
    are not as many as this process and others of the host are about to take `together`."""
    if wanted > CHECKED_BYTES:
        free = free_for(wanted, available_bytes)
        expect_fits(free, wanted, f"{what} to fit into", "it takes", advice)
    if together > max(wanted, CHECKED_BYTES):
        free, all_take = free_for(together, of_host), "the processes of this host take"
        expect_fits(free, together, f"{what} to fit into", f"{all_take} together", advice)


def of_host() -> int | None:
    """The bytes that the machine and the groups of this process leave; None if it is not known."""
    return least([*of_machine(), *of_groups()])


def free_for(wanted: int, free: Callable[[], int | None]) -> int | None:
    """The free bytes; if they are fewer than wanted, those after all was given back that can be."""
    found = free()
    if found is None or wanted <= found:
        return found
    give_back()
    return free()


def of_machine() -> Iterator[int]:
    """The bytes that the machine can give without swapping."""
    for line in lines_of(os.path.join(ROOT, "proc/meminfo")):
        if line.startswith("MemAvailable"):
            yield 1024 * int(line.split()[1])
            return


def of_groups() -> Iterator[int]:
    """The bytes that the limits of the groups of this process leave."""
    for group, most in limits_of_groups(ROOT, int(monotonic())):
        used = sum(map(int, lines_of(group.usage)))
        parts = dict(line.split(None, 1) for line in lines_of(group.parts))
        yield most - used + sum(int(parts.get(name, 0)) for name in group.reclaimed)


@functools.lru_cache(maxsize=1)
def limits_of_groups(root: Path, second: int) -> list[tuple[Group, int]]:
    """The groups of this process that have a limit, and the limit. They hardly ever change, and the
    files take longer to read than a small call takes, so they are read once in a second."""
    found = []
    for group in groups(root, "\n".join(lines_of(root / "proc/self/cgroup"))):
        limits = (int(most) for most in lines_of(group.limit) if most != "max")
        found += [(group, most) for most in limits if most < NO_LIMIT]
    return found


def of_process() -> Iterator[int]:
    """The bytes that the limits of this process leave of its address space and of its data."""
    if resource is None:
        return
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    if limits == [resource.RLIM_INFINITY] * 2:
        return
    for line in lines_of(ROOT / "proc/self/statm"):
        pages = line.split()
        for limit, used in zip(limits, (pages[0], pages[5]), strict=True):
            if limit != resource.RLIM_INFINITY:
                yield limit - int(used) * resource.getpagesize()


class Group(NamedTuple):
    """The files in which a group of processes is described."""

    limit: Path
    usage: Path
    parts: Path
    reclaimed: tuple[str, str]
    """Parts that hold copies of files, which the system drops when it needs room."""


@functools.cache
def groups(root: Path, membership: str) -> list[Group]:
    """The groups that a process belongs to, from the innermost outwards, in either version of the
    system: those that can have a limit. `membership` is the text of /proc/self/cgroup.
    """
    found = []
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        for top, mount in mounts(root, version=1 if controllers else 2):
            inside = Path(path.removeprefix(top.rstrip("/")).strip("/"))
            for part in (inside, *inside.parents):
                group = described(mount / part, version=1 if controllers else 2)
                if group.limit.exists():
                    found.append(group)
    return found


def described(folder: Path, version: int) -> Group:
    """The files of the group that a folder represents."""
    limit, usage, reclaimed = NAMES[version]
    return Group(folder / limit, folder / usage, folder / "memory.stat", reclaimed)


def mounts(root: Path, version: int) -> Iterator[tuple[str, Path]]:
    """Where groups are shown that limit memory: the group at the top, and its folder."""
    for line in lines_of(root / "proc/self/mountinfo"):
        place, _, kind = line.partition(" - ")
        top, folder = place.split()[3:5]
        system, _, options = kind.split()[:3]
        if system == "cgroup2" if version == 2 else "memory" in options.split(","):
            yield top, root / folder.lstrip("/")


def lines_of(file: str | Path) -> list[str]:
    """The lines of a file in which the system describes itself; none if it cannot be read. A file
    object would take as long as the system does."""
    parts = []
    try:
        opened = os.open(file, os.O_RDONLY)
        try:
            while part := os.read(opened, 1 << 16):
                parts.append(part)
        finally:
            os.close(opened)
    except OSError:
        return []
    return b"".join(parts).decode(errors="replace").splitlines()


# --- when it was not enough ---------------------------------------------------------------------

OUT_OF_MEMORY: list[type[Exception]] = [MemoryError]
"""By which classes of errors Python and libraries say that there is no memory."""

TEXTS = "Error -4 while", "error return without exception set", "can't start new thread"
"""How errors of other classes begin that say it: zlib's, of the class that it has for damaged data,
too, and Python's own about C code that failed without an error, as NumPy's does then, and about a
thread for whose stack there is no room."""


def is_short(problem: BaseException | None) -> bool:
    """True if an error means that memory was short, or was raised while such an error was
    handled."""
    while problem is not None:
        if isinstance(problem, tuple(OUT_OF_MEMORY)) or str(problem).startswith(TEXTS):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def possibly_short() -> tuple[type[Exception], ...]:
    """The classes of errors for which `raise_ours` looks whether memory was short."""
    return *OUT_OF_MEMORY, SystemError, RuntimeError


def guarded(function: Function, what: str | None = None) -> Function:
    """Wrap a function so that it raises TooLarge where memory is too short for it, by its name or
    `what` it does. Of an error that reaches the program others are told before
    (`errors.tell_of`)."""

    @functools.wraps(function)
    def within(*arguments: Any, **named: Any) -> Any:
        try:
            try:
                made = function(*arguments, **named)
            except LagraphError:
                raise
            except TypeError:
                expect_given(function, arguments, named)
                raise
            except possibly_short() as problem:
                raise_ours(what or function.__name__, problem)
        except Exception as error:
            tell_of(error, [*arguments, *named.values()])
            raise
        return guarded_steps(made) if isinstance(made, GeneratorType) else made

    return within  # type: ignore[return-value]


def raise_ours(what: str, problem: Exception) -> NoReturn:
    """Raises TooLarge for an error that means that memory was short, or else the error itself, and
    also if it is ours."""
    try:
        if isinstance(problem, LagraphError) or not is_short(problem):
            raise problem
        raise too_little(what, problem) from problem
    finally:
        del problem  # else the error and this frame would hold each other, and stay


def light(method: Function) -> Function:
    """Marks a method that takes no memory to speak of, and is called often: it is not `guarded`."""
    method.light = True  # type: ignore[attr-defined]
    return method


def guarded_steps(steps: Iterator[Any]) -> Iterator[Any]:
    """An iterator over the steps that raises TooLarge where memory is too short for one of them."""
    advance = guarded(steps.__next__)
    with suppress(StopIteration):
        while True:
            yield advance()


def is_heavy(name: str, member: Any) -> bool:
    """Whether a function of a class is public and not `light`."""
    return not name.startswith("_") and not hasattr(member, "light")


def guard_methods(
    cls: type[Thing],
    chosen: Callable[[str, Any], bool] = is_heavy,
    named: Mapping[str, str] = MappingProxyType({}),
) -> type[Thing]:
    """Wrap the chosen functions of a class by `guarded`, and return the class. Errors call them by
    their names, or as `named` says."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, FunctionType) and chosen(name, member):
            setattr(cls, name, guarded(member, named.get(name)))
        elif isinstance(member, classmethod) and chosen(name, member):
            setattr(cls, name, classmethod(guarded(member.__func__, named.get(name))))
    return cls


RESERVE: list[bytearray] = []
"""Unused memory, which is freed so that an error can be reported."""


def refill() -> None:
    """Puts the reserve back."""
    with suppress(MemoryError):
        RESERVE[:] = [bytearray(1 << 21)]  # the system gives pages only when they are written to


refill()


def too_little(what: str, problem: Exception) -> TooLarge:
    """The error for a call that went out of memory. While it is alive, the reserve is free."""
    RESERVE.clear()
    free = available_bytes()
    room = "" if free is None else f"; {free:,} bytes are free, by all limits of this process"
    error = short_of(
        f"expected enough memory for {what}, but there was not ({str(problem) or 'out of memory'})"
        f"{room}; take less data, delete what is not needed, or raise the limit"
    )
    weakref.finalize(error, refill).atexit = False
    return error
