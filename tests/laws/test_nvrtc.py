"""Every operator's CUDA text compiles under NVRTC, without an include and without a GPU, for each
kind of type. (The emulator's compiler has them for all types: test_lowering.)"""

from __future__ import annotations

import pytest

from tests.kernels import KINDS
from tests.laws.test_lowering import NAMED, cases, loop
from tests.nvrtc_gate import readers
from tests.simt import build

nvrtc = pytest.importorskip("cuda.bindings.nvrtc")


def test_operators_compile() -> None:
    """To PTX, where a misspelled function shows; machine code takes several times as long."""
    source = '#include "core/arithmetic.cuh"\n'
    of_each_kind = [case for case in cases() if case[2] in KINDS]
    for number, (_, op, dtype) in enumerate(of_each_kind):
        kernel = loop(number, op, dtype).replace('extern "C"', 'extern "C" __global__')
        source += kernel.replace("long size", "long long size").replace("(long n", "(long long n")
    headers = [h.read_bytes() for h in NAMED]
    assert build.kept(lambda: said_of(source, headers), source, *headers, OPTIONS, *readers()) == ""


# 186: 0 <= x over an unsigned type
OPTIONS = [b"--gpu-architecture=compute_75", b"-std=c++17", b"-diag-suppress=186"]


def said_of(source: str, headers: list[bytes]) -> str:
    """What NVRTC says of a source that it can compile."""
    names = [f"core/{header.name}".encode() for header in NAMED]
    error, program = nvrtc.nvrtcCreateProgram(
        source.encode(), b"operators.cu", len(headers), headers, names
    )
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS
    (result,) = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), OPTIONS)
    _, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = bytearray(size)
    nvrtc.nvrtcGetProgramLog(program, log)
    text = log.decode(errors="replace").strip("\0 \n")
    assert result == nvrtc.nvrtcResult.NVRTC_SUCCESS, text[:3000]
    return text
