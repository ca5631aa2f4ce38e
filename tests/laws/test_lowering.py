"""Every operator's CUDA text, compiled by g++, against its NumPy evaluation on edge values.

One translation unit holds a loop for each operator and type; a shim of two lines defines CUDA's
keywords away. It is compiled with the sanitizer of undefined behaviour, which must stay silent.
"""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from semirings import BINARY, MONOIDS, UNARY, binary, numpy_names, types
from semirings.algebra import BinaryOp, IndexUnaryOp
from tests.laws.edges import differences, operators, pairs, positions, report
from tests.simt import build

CUDA = Path(__file__).parents[2] / "lagraph_gpu" / "gpu" / "cuda"
NAMES_OF_CORE = ("arithmetic", "combinatorics", "complex", "complex_functions")
NAMED = [CUDA / "core" / f"{name}.cuh" for name in NAMES_OF_CORE]
SHIM = "#include <cmath>\n#include <cstdint>\n#include <type_traits>\n#define __device__\n"
SANITIZED = "signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow,bool"
NAMES = {"x": "x[n]", "y": "y[n]", "i": "i[n]", "k": "k[n]", "j": "j[n]"}

# users' own formulas: every sign of the language, mixed types, numbers, chains, conditions
FORMULAS = [
    "x + 2 * y",
    "(x + y) // 2",
    "x % y",
    "x % 3 - y % 7",
    "x / y",
    "x ** 3",
    "x if x < y else -y",
    "0 <= x < y or not y",
    "min(x, y, 3)",
    "max(x, 0.5)",
    "FP32(x) + FP64(y)",
    "INT8(x) * UINT16(y)",
    "int(x) + k",
    "x == inf",
    "sqrt(abs(x)) * pi",
    "UINT64(x) - y",
    "(x > y) + (x < y)",
    "BOOL(x) & BOOL(y) | ~BOOL(x) ^ True",
    "INT16(x) << INT16(y)",
    "INT16(x) >> INT16(y)",
    "UINT32(x) << UINT32(y)",
    "(i + 1) * j - k",
    "FP32(i) + x",
    "x * conj(y) + 2j",
    "FC64(x) / (y - 0.5j)",
    "creal(x) if creal(x) > 0 else abs(y)",
    "cmplx(x, 1) == cmplx(1, y)",
    "gcd(INT8(x), INT8(y)) + 1",
    "gcd(INT64(x), UINT32(y))",
    "lcm(INT8(x), INT8(y))",
    "lcm(INT64(x), INT64(y)) - gcd(UINT64(x), UINT64(y))",
    "nextafter(x, y)",
]


def loop(number: int, op: Any, dtype: np.dtype[Any]) -> str:
    """C++ source of one operator's loop over arrays."""
    y = getattr(op, "thunk", None) or dtype
    z = op.output(dtype)
    ikj = ", ".join(f"const long long* {p}" for p in "ikj")
    return (
        f'extern "C" void f{number}(const {types.c_name(dtype)}* x, const {types.c_name(y)}* y, '
        f"{ikj}, {types.c_name(z)}* z, long size) {{\n"
        f"    for (long n = 0; n < size; ++n) z[n] = {op.cuda(dtype, NAMES)};\n}}\n"
    )


def cases() -> list[tuple[str, Any, np.dtype[Any]]]:
    own = [(op.name, op, d) for op in map(binary, FORMULAS) for d in op.domain]
    some = (types.INT8, types.INT64, types.UINT64, types.FP32, types.FC64)
    of_numpy = [
        (name, op, dtype)
        for table in (numpy_names.UNARY, numpy_names.BINARY)
        for name, op in table.items()
        for dtype in some
        if dtype in op.domain
    ]
    return [*operators(), *own, *of_numpy]


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    loops = [loop(n, op, dtype) for n, (_, op, dtype) in enumerate(cases())]
    quiet = ["-Wno-unused-parameter", "-Wno-type-limits", "-Wno-tautological-compare"]
    options = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *quiet]
    return compiled(loops, [*options, f"-fsanitize={SANITIZED}", "-fno-sanitize-recover=all"])


def compiled(functions: list[str], options: list[str]) -> ctypes.CDLL:
    """Functions after the header, in a library."""
    if shutil.which(build.COMPILER) is None:
        pytest.skip("no g++")
    source = '#include "core/arithmetic.cuh"\n' + "".join(functions)
    return ctypes.CDLL(str(build.shared_library(SHIM, source, options)))


def run(library: ctypes.CDLL, number: int, op: Any, dtype: np.dtype[Any]) -> tuple[Any, Any, Any]:
    x, y = pairs(dtype)
    if thunk := getattr(op, "thunk", None):
        y = np.resize(np.array([-1, 0, 1, 2, 2**40, -(2**40)]), len(x)).astype(thunk)
    at = positions(len(x))
    z = np.empty(len(x), op.output(dtype))
    arrays = [np.ascontiguousarray(a) for a in (x, y, *(at[p] for p in "ikj"), z)]
    size = ctypes.c_long(len(x))
    getattr(library, f"f{number}")(*(a.ctypes.data_as(ctypes.c_void_p) for a in arrays), size)
    env = {} if isinstance(op, type(UNARY["abs"])) else {"y": y}
    ours = op.evaluate(x, **env, **at, dtype=dtype)
    return x, ours, arrays[-1]


def test_every_operator(library: ctypes.CDLL) -> None:
    complaints = []
    for number, (name, op, dtype) in enumerate(cases()):
        x, ours, theirs = run(library, number, op, dtype)
        bad = differences(name, ours, theirs, dtype.kind == "c")
        if bad.any():
            y = pairs(dtype)[1] if not isinstance(op, IndexUnaryOp) else x
            complaints.append(f"{name} {types.name(dtype)}: {report(bad, x, y, ours, theirs)}")
    assert not complaints, f"{len(complaints)}\n" + "\n".join(complaints)


def test_literals() -> None:
    """Constants (identities, terminals, starts, NaN payloads) keep their type and their bits."""
    values = [(m.start(d), d) for m in MONOIDS.values() for d in map(m.operand, m.domain)]
    values += [(m.identity_of(d), d) for m in MONOIDS.values() for d in map(m.operand, m.domain)]
    values += [(v, d) for d in types.EVERY for v in pairs(d)[0][:40]]
    lines = [
        f"static_assert(std::is_same<decltype({types.literal(v, d)}), {types.c_name(d)}>::value, "
        f'"{types.name(d)}");\nextern "C" void v{n}({types.c_name(d)}* to) '
        f"{{ *to = {types.literal(v, d)}; }}\n"
        for n, (v, d) in enumerate(values)
    ]
    library = compiled(lines, ["-std=c++17", "-O0"])
    for n, (value, dtype) in enumerate(values):
        back = np.empty(1, dtype)
        getattr(library, f"v{n}")(back.ctypes.data_as(ctypes.c_void_p))
        if dtype.kind == "f":
            assert back.tobytes() == dtype.type(value).tobytes() or np.isnan(value), (value, dtype)
        else:
            assert back[0] == value, (value, dtype)


def test_nothing_is_promoted() -> None:
    assert BINARY["plus"].cuda("INT8") == "arithmetic::add(x, y)"
    assert BINARY["truediv"].cuda("INT8", {"x": "a", "y": "b"}) == (
        "(arithmetic::cast<double>(a) / arithmetic::cast<double>(b))"
    )
    plain = BinaryOp("plain", "x + 2 * y")
    assert plain.cuda("FP32") == "arithmetic::add(x, arithmetic::multiply(2.0f, y))"
    assert BINARY["pair"].cuda("UINT8") == "(unsigned char)1"
    assert BINARY["firsti"].cuda("INT32") == "arithmetic::cast<int>((long long)(i))"
    assert BINARY["plus"].cuda("FP32", result="INT8") == (
        "arithmetic::cast<signed char>(arithmetic::add(x, y))"
    )
