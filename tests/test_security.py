"""What SECURITY.md promises of the code: nothing in the packages runs what somebody else wrote.

The promises about files, arrays and the cache have tests of their own:
`tests/io/test_bad_files.py`, `tests/test_sparse_input.py`, `tests/test_kept.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lagraph_gpu as lg
import semirings
from lagraph_gpu.gpu.device import lower
from semirings import types
from semirings.expression import ExpressionError, parse
from tests.strategies import examples

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    p for package in ("semirings", "lagraph_gpu") for p in (ROOT / package).rglob("*.py")
)

RUNS = {"eval", "exec", "compile", "__import__"}
"""Builtins that make code of text."""
UNPICKLES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
OUTSIDE = {
    "socket", "ssl", "urllib", "http", "ftplib", "smtplib", "requests", "asyncio", "xmlrpc",
    "subprocess", "multiprocessing", "pty",
}  # fmt: skip
"""Modules that reach other machines or start other programs."""
STARTS = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}
READS = {"load", "loads", "Unpickler", "read_pickle"}

ALLOWED = {
    "lagraph_gpu/cli/ranks.py: imports subprocess",  # starts this command again, under mpiexec
    "lagraph_gpu/cpu/native/callers.py: calls exec",  # of numbered names and those in loops.h
    "lagraph_gpu/cpu/native/compiler.py: imports subprocess",  # starts the C++ compiler
    "lagraph_gpu/cpu/statements/lower.py: calls exec",  # of what `semirings` wrote
    "lagraph_gpu/gpu/device/driver_launch.py: calls exec",  # of numbered names and struct codes
    "lagraph_gpu/gpu/device/prebuilt_build.py: imports multiprocessing",  # who builds a wheel
}


def dangers(text: str) -> Iterator[str]:
    """What a module does that could run text or bytes of others, each in a few words."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if node.level == 0 else []
            if node.module == "os":
                yield from (f"takes {a.name} of os" for a in node.names if a.name in STARTS)
        else:
            names = []
        yield from (f"imports {n}" for n in names if n.split(".")[0] in UNPICKLES | OUTSIDE)
        if isinstance(node, ast.Call):
            yield from of_a_call(node)


def of_a_call(node: ast.Call) -> Iterator[str]:
    called = ast.unparse(node.func)
    owner, _, name = called.rpartition(".")
    if called in RUNS:
        yield f"calls {called}"
    if owner == "os" and (name in STARTS or name.startswith(("exec", "spawn"))):
        yield f"calls {called}"
    if owner in UNPICKLES and name in READS:
        yield f"calls {called}"
    named = {k.arg: k.value for k in node.keywords}
    if owner in ("np", "numpy") and name == "load":
        kept = named.get("allow_pickle")
        if not (isinstance(kept, ast.Constant) and kept.value is False):
            yield f"calls {called} without allow_pickle=False"
    elif "allow_pickle" in named and ast.unparse(named["allow_pickle"]) != "False":
        yield f"calls {called} with pickles"


def found(path: Path) -> set[str]:
    name = path.relative_to(ROOT).as_posix()
    return {f"{name}: {danger}" for danger in dangers(path.read_text(encoding="utf-8"))}


def test_nothing_runs_text_or_pickles_of_others() -> None:
    assert len(MODULES) > 150
    assert set().union(*map(found, MODULES)) == ALLOWED


# --- formulas -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('id')",
        "x.__class__.__mro__",
        "(lambda: x)()",
        "[x for x in y]",
        "x if y else 'text'",
        "f'{x}'",
        'x); system("id"',
        "x; y",
        "x // y */ z",
        "x := y",
        "open(x)",
        "min(x, *y)",
        "min(x, y=x)",
        "b'x'",
        "...",
        "None",
        "x[y]",
        "asm(x)",
        "arithmetic::add(x, y)",
        "threadIdx.x",
    ],
)
def test_what_is_no_formula_is_refused(formula: str) -> None:
    with pytest.raises(ExpressionError):
        parse(formula)


WORDS = [
    *"xyikj()+-*/%&|^~<>=,.;:#'\"{}[]\\\n\t 0179", "**", "//", "<<", "==", "!=", " if ", " else ",
    " and ", "not ", "min(", "sqrt(", "INT8(", "inf", "nan", "1e400", "1_0", "0x1F", "True", "ｘ",
    "/*", "*/", "??/", "R\"(", "__asm__", "x, y)", " + 1", "abs(x)",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map("".join)
HARMLESS = r"[\w:<>()+\-*/%&|^~!=?., ]+"


@pytest.mark.filterwarnings("ignore:invalid:SyntaxWarning")
@examples(300)
@given(
    st.lists(st.sampled_from(WORDS), max_size=9).map("".join), st.sampled_from(["FP64", "UINT8"])
)
@example("x * y + 1", "FP64")
@example("x\n#include </etc/passwd>\n", "FP64")  # a comment of Python
@example("min(x, inf) if x < y else -y", "FP64")
def test_what_is_written_for_the_compilers_is_ours(text: str, kind: str) -> None:
    """Neither a comment, a string, a statement nor a directive can stand in what becomes C++."""
    kinds = dict.fromkeys("xy", types.lookup(kind)) | dict.fromkeys("ikj", types.INT64)
    try:
        expression = parse(text)
        made = expression.cuda(kinds)
    except ExpressionError:
        return
    assert re.fullmatch(HARMLESS, made, re.ASCII) and not re.search(r"//|/\*|\*/", made), made
    ast.parse(expression.python(kinds))  # one function, which Python's parser reads


def test_names_of_operators_are_written_nowhere() -> None:
    hostile = 'a"; } __asm__("trap"); //\n#error mine\n'
    monoid = semirings.monoid("max(x, y)", 0, name=hostile)
    semiring = semirings.semiring(monoid, semirings.binary("x * y + 1", name=hostile), name=hostile)
    made = lower.monoid_struct(monoid, types.FP64) + lower.product_struct(
        semiring, types.FP64, types.FP64, types.INT32
    )
    assert "max" in made and not re.search(r'asm|trap|#|"|mine', made)
    v = lg.Vector.from_dense([1.0, 2.0], backend="cpu")
    w = v.ewise_mult(v, semirings.binary("x * y + 1", name=hostile)).new()
    assert w.to_dense().tolist() == [2.0, 5.0]


# --- the judge is judged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "danger"),
    [
        ("eval('1')", "calls eval"),
        ("import pickle\npickle.load(f)", "calls pickle.load"),
        ("from pickle import loads", "imports pickle"),
        ("np.load(f)", "calls np.load without allow_pickle=False"),
        ("np.load(f, allow_pickle=flag)", "calls np.load without allow_pickle=False"),
        ("read(f, allow_pickle=True)", "calls read with pickles"),
        ("import subprocess", "imports subprocess"),
        ("from urllib.request import urlopen", "imports urllib.request"),
        ("os.system('id')", "calls os.system"),
        ("os.execv('id', [])", "calls os.execv"),
        ("from os import system", "takes system of os"),
    ],
)
def test_a_danger_is_found(text: str, danger: str) -> None:
    assert danger in set(dangers(text))
    assert not set(dangers("np.load(f, allow_pickle=False); re.compile('x'); model.eval()"))
