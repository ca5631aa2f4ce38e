"""Ctrl-C of the command line: before the command, in its imports, in a library, and lost.

The steps are tested, and not how long they take, which a loaded machine does not keep.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu import interrupts
from tests.harness import CPU

LIMIT = 120.0
"""Seconds after which a process hangs."""


def ended_by(program: str, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """A Python process with SIGINT as in a terminal, also where the tests ignore it."""
    begin = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    return subprocess.run(
        [sys.executable, "-c", begin + textwrap.dedent(program), *words],
        capture_output=True, text=True, timeout=LIMIT, **more,
    )  # fmt: skip


AS_COMMAND = """
    import os, sys
    sys.argv[0] = "/usr/bin/lagraph-gpu"
    wanted = sys.argv.pop(1)

    class Broken:
        '''Meets an import, as Ctrl-C may.'''

        def find_spec(self, name, path=None, target=None):
            if name == wanted:
                os.kill(os.getpid(), signal.SIGINT)
                print("went on", flush=True)

    sys.meta_path.insert(0, Broken())
"""


@pytest.mark.parametrize("name", ["lagraph_gpu.closure", "lagraph_gpu.cli.command", "click"])
def test_imports_of_a_command_end_at_once(name: str) -> None:
    done = ended_by(AS_COMMAND + "    from lagraph_gpu.cli.command import main\n", name)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize(
    ("name", "told"), [("lagraph_gpu.cli.run", ""), ("lagraph_gpu.cpu.backend", "went on\n")]
)
def test_imports_within_a_command_end_it_without_a_word(
    name: str, told: str, tmp_path: Path
) -> None:
    """The import of an engine ends first, see `held_back`."""
    path = tmp_path / "path.mtx"
    lg.write(lg.grid(3, 3, backend=CPU), path)
    begin = AS_COMMAND + "    from lagraph_gpu.cli.command import main\n"
    program = begin + "    sys.exit(main())\n"
    done = ended_by(program, name, "run", "pagerank", str(path), "--backend", "cpu")
    assert (done.returncode, done.stdout, done.stderr) == (interrupts.INTERRUPTED, told, "")


def test_other_programs_have_keyboard_interrupt() -> None:
    program = "import lagraph_gpu\nassert signal.getsignal(2) is signal.default_int_handler\n"
    assert ended_by(program).returncode == 0
    ignored = "signal.signal(signal.SIGINT, signal.SIG_IGN)\nimport sys\n"
    ignored += (
        "sys.argv[0] = 'lagraph-gpu'\nimport lagraph_gpu\nfrom lagraph_gpu import interrupts\n"
    )
    ignored += "with interrupts.within_a_second():\n    signal.raise_signal(signal.SIGINT)\n"
    assert ended_by(ignored).returncode == 0


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        (["/usr/bin/lagraph-gpu", "job"], True),
        (["program.py", "lagraph-gpu"], False),
        ([], False),
    ],
)
def test_what_is_a_command(words: list[str], is_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", words)
    assert interrupts.is_command() is is_one


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        (["-m", "lagraph_gpu", "info"], True),
        (["-X", "dev", "-m", "lagraph_gpu"], True),
        (["-m", "lagraph_gpu.cli.other"], False),
        (["-m", "pytest"], False),
    ],
)
def test_what_is_a_command_by_its_module(
    words: list[str], is_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["-m", "info"])
    monkeypatch.setattr(sys, "orig_argv", ["python", *words])
    assert interrupts.is_command() is is_one


# --- while a command runs ------------------------------------------------------------------------
@pytest.fixture
def heard() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_who_goes_on_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt that was lost, and a call without a next step, which is this thread's wait."""
    monkeypatch.setattr(interrupts, "CLEANUP_SECONDS", 0.05)
    ended, statuses = threading.Event(), []

    def end(status: int) -> None:
        statuses.append(status)
        ended.set()

    with interrupts.within_a_second(end):
        with suppress(KeyboardInterrupt):  # so it is lost
            signal.raise_signal(signal.SIGINT)
        assert ended.wait(LIMIT)
    assert statuses == [interrupts.INTERRUPTED]


@pytest.mark.usefixtures("heard")
def test_who_ends_in_time_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "CLEANUP_SECONDS", LIMIT)
    statuses: list[int] = []
    before, descriptor = set(threading.enumerate()), signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(descriptor)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt), interrupts.within_a_second(statuses.append):
            signal.raise_signal(signal.SIGINT)
    with interrupts.within_a_second(statuses.append):
        pass
    deadline = time.monotonic() + LIMIT
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not set(threading.enumerate()) - before and not statuses
    assert signal.set_wakeup_fd(-1) == descriptor
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("heard")
def test_other_signals_end_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "CLEANUP_SECONDS", 0.0)
    statuses: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    with interrupts.within_a_second(statuses.append):
        signal.raise_signal(signal.SIGUSR1)
        time.sleep(0.05)
    signal.signal(signal.SIGUSR1, before)
    assert not statuses


# --- what must not end in the middle -------------------------------------------------------------
@pytest.mark.usefixtures("heard")
def test_an_import_ends_first() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt), interrupts.held_back():
        signal.raise_signal(signal.SIGINT)
        steps.append("went on")
    assert steps == ["went on"]
    with pytest.raises(KeyboardInterrupt), interrupts.held_back():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        steps.append("after the second")
    assert steps == ["went on"]
    with pytest.raises(ImportError), interrupts.held_back():
        raise ImportError
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    "name",
    [
        "graphblas.core.operator",
        "pandas.core",
        *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("yaml", "pycparser.c_ast")),
    ],
)
def test_an_engine_that_ctrl_c_meets_in_its_import_works_afterwards(name: str) -> None:
    program = """
        import os, sys
        import lagraph_gpu as lg

        class Struck:
            def find_spec(self, name, path=None, target=None):
                if name == sys.argv[1]:
                    os.kill(os.getpid(), signal.SIGINT)

        sys.meta_path.insert(0, Struck())

        def distances():
            G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], backend="cpu")
            return [*lg.sssp(G, 0)[0].to_pandas()]

        try:
            distances()
        except KeyboardInterrupt:
            print("interrupted", distances())
    """
    done = ended_by(program, name)
    assert (done.returncode, done.stdout) == (0, "interrupted [0, 5, 12]\n"), done.stderr


def test_a_call_without_a_next_step_ends() -> None:
    """A function of C that waits for a lock which nobody opens, as a long call of a library."""
    program = """
        import os, threading
        from lagraph_gpu import interrupts
        interrupts.CLEANUP_SECONDS = 5  # in which the first is told, however busy the machine is
        lock = threading.Lock()
        lock.acquire()
        with interrupts.within_a_second():
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            while True:
                try:
                    lock.acquire()
                except KeyboardInterrupt:
                    print("lost", flush=True)
    """
    done = ended_by(program)
    assert (done.returncode, done.stdout, done.stderr) == (interrupts.INTERRUPTED, "lost\n", "")
