"""Kernels that a wheel may hold, compiled when it was made."""

from __future__ import annotations

import tomllib
from itertools import starmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import kernel_list
from lagraph_gpu.cli import warm
from lagraph_gpu.gpu.device import cupy_device, module, prebuilt, prebuilt_build
from lagraph_gpu.gpu.device.cupy_device import CupyDevice
from lagraph_gpu.gpu.device.filling import FILLS
from lagraph_gpu.gpu.device.module import Program
from lagraph_gpu.gpu.device.prebuilt import Prebuilt, archive
from tests import nvrtc_gate as gate
from tests.harness import GPU

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = [(f"source {k}", f"kernel<{k}>") for k in range(9)]


def module_of(source: str, name: str) -> prebuilt.Module:
    return (source + name).encode() * 5 + b"\n\0", "_Z" + name


def test_each_module_is_found_under_its_source(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(prebuilt, "GROUP_BYTES", 300)
    folder = tmp_path / "prebuilt"
    size = archive(folder / "sm_86.zip", PROGRAMS, module_of)
    assert size == (folder / "sm_86.zip").stat().st_size
    assert [path.name for path in folder.iterdir()] == ["sm_86.zip"]  # no part of one is left
    for capability, there in (("86", True), ("89", True), ("80", False), ("90", False)):
        held = Prebuilt(capability, folder)
        for program in PROGRAMS:
            assert (program in held) == there
            assert held.find(*program) == (module_of(*program) if there else None)
    held = Prebuilt("86", folder)
    assert len({group for group, *_ in held._index.values()}) > 2
    assert held.find("source 1", "kernel<2>") is None and ("source 1 ", "kernel<1>") not in held
    archive(tmp_path / "again.zip", PROGRAMS, module_of)
    assert (tmp_path / "again.zip").read_bytes() == (folder / "sm_86.zip").read_bytes()


def test_a_key_holds_what_a_header_includes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change elsewhere leaves the kernel as it is."""

    def source() -> str:
        module.text_of.cache_clear()
        module.headers_digest.cache_clear()
        return Program("a/first.cuh", "", "k").source

    monkeypatch.setattr(module, "CUDA", tmp_path)
    (tmp_path / "a").mkdir()
    texts = {"a/first.cuh": '#pragma once\n#include "a/second.cuh"\n',
             "a/second.cuh": '#include "a/third.cuh"\n#include "a/first.cuh"\n',
             "a/third.cuh": "int x;\n", "a/other.cuh": "int y;\n"}  # fmt: skip
    try:
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        before = source()
        for name, text in texts.items():
            (tmp_path / name).write_text(text + "int z;\n")
            assert (source() == before) == (name == "a/other.cuh")
            (tmp_path / name).write_text(text)
        assert source() == before
    finally:
        module.text_of.cache_clear()
        module.headers_digest.cache_clear()


def test_a_damaged_archive_is_left_alone(tmp_path: Path, caplog: Any) -> None:
    path = tmp_path / "sm_90.zip"
    archive(path, PROGRAMS, module_of)
    path.write_bytes(path.read_bytes()[:-40])
    assert Prebuilt("90", tmp_path).find(*PROGRAMS[0]) is None
    assert "sm_90.zip cannot be read, so kernels are compiled" in caplog.text


class Refusal(Exception):
    """As the driver's."""


def device_with(folder: Path, refused: set[bytes], monkeypatch: Any) -> tuple[Any, list[str]]:
    """A device whose driver refuses some modules, and the names that it compiles."""
    compiled: list[str] = []

    class Module:
        def load(self, cubin: bytes) -> None:
            if cubin in refused:
                raise Refusal("no binary for this device")
            self.cubin = cubin

        def get_function(self, mangled: str) -> Any:
            return self.cubin, mangled

    def nvrtc(source: str, name: str) -> prebuilt.Module:
        compiled.append(name)
        return b"compiled here", name

    driver = SimpleNamespace(CUDADriverError=Refusal)
    function = SimpleNamespace(Module=Module)
    device: Any = CupyDevice.__new__(CupyDevice)
    device._cupy = SimpleNamespace(cuda=SimpleNamespace(driver=driver, function=function))
    device._prebuilt, device._compiling = Prebuilt("90", folder), {}
    device.compute_capability, device._nvrtc_version, device._nvrtc = "90", (13, 0), nvrtc
    monkeypatch.setattr(cupy_device, "CupyKernel", lambda function, device: function)
    return device, compiled


def test_a_kernel_of_the_wheel_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "cache"))
    archive(tmp_path / "sm_90.zip", PROGRAMS[:2], module_of)
    device, compiled = device_with(tmp_path, set(), monkeypatch)
    cubin, mangled = module_of(*PROGRAMS[0])
    assert device.compile(*PROGRAMS[0]) == (cubin, mangled) and compiled == []
    assert device.compile(*PROGRAMS[2]) == (b"compiled here", "kernel<2>")
    assert compiled == ["kernel<2>"]


def test_what_the_driver_refuses_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a driver does that is older than the compiler of the wheel. Later processes find what was
    compiled in the cache."""
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "cache"))
    archive(tmp_path / "sm_90.zip", PROGRAMS[:2], module_of)
    refused = {module_of(*program)[0] for program in PROGRAMS}
    device, compiled = device_with(tmp_path, refused, monkeypatch)
    for program in PROGRAMS[:2]:
        assert device.compile(*program) == (b"compiled here", program[1])
    assert compiled == ["kernel<0>", "kernel<1>"] and device._prebuilt.refused
    later, compiled = device_with(tmp_path, refused, monkeypatch)
    assert later.compile(*PROGRAMS[0])[0] == b"compiled here" and compiled == []
    refused.add(b"compiled here")
    with pytest.raises(Refusal):  # it is not the wheel's
        later.compile(*PROGRAMS[5])


def test_the_list_of_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(warm, "LARGE", {"cores": lg.core_number})
    monkeypatch.setattr(warm, "ON_LARGE", ())
    monkeypatch.setattr(warm, "algorithms", lambda: {"bfs": lg.bfs})
    noting = kernel_list.Noting(GPU.device)
    monkeypatch.setattr(kernel_list, "place", lambda: (noting, 2, 2))
    out = tmp_path / "kernels.json"
    assert kernel_list.main(["--weights", "INT64", "--out", str(out)]) == 0
    programs = prebuilt_build.from_list(out.read_text())
    keys = noting.kernels.keys() | noting.ahead
    assert {*programs} == {*starmap(Program, keys), *FILLS.values()}
    for kernel in ("block_async", "peel"):
        assert any(kernel in p.name for p in programs)
    assert noting.ahead == set()
    noting.compile_ahead([("a.cuh", "", "k")])
    assert noting.ahead == {("a.cuh", "", "k")}


def test_a_list_without_a_gpu() -> None:
    """The emulator takes its place, with launches like a GPU's."""
    backend, scale, side = kernel_list.place()
    assert (backend.name, backend.device.block_size) == ("gpu", 256) and scale > 8 and side > 8


def test_the_kernels_of_a_list_are_compiled(tmp_path: Path) -> None:
    if missing := gate.unavailable():
        pytest.skip(missing)
    text = "template <int N> __global__ void f(int* a) { *a = N; }"
    program = Program("core/prefix_sum.cuh", text, "f<3>")
    sizes = prebuilt_build.build([program], tmp_path, architectures=(80, 90))
    assert set(sizes) == {80, 90} and all(size > 500 for size in sizes.values())
    found = Prebuilt("86", tmp_path).find(program.source, program.name)
    assert found is not None and found[0][:4] == b"\x7fELF" and found[1].startswith("_Z1fILi3E")


def test_archives_that_are_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / "kernels.json"
    named.write_text(prebuilt_build.to_list([("a.cuh", "", "k")]))
    for sizes, status in (({80: 9, 90: 11_000_000}, 0), ({80: 9_000_001, 90: 11_000_000}, 1)):
        monkeypatch.setattr(prebuilt_build, "build", lambda *_, found=sizes, **__: found)
        assert prebuilt_build.main([str(named)]) == status
        out, err = capsys.readouterr()
        assert "sm_90: 1 kernels, 11,000,000 bytes" in out and ("got 20,000,001" in err) == bool(
            status
        )
    assert prebuilt_build.main([]) == 2


def test_a_wheel_takes_the_archives_with_it() -> None:
    """They are beside the module that reads them, and git does not know them."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pattern = prebuilt.FOLDER.relative_to(ROOT).as_posix() + "/*.zip"
    assert told["tool"]["hatch"]["build"]["targets"]["wheel"]["artifacts"] == [pattern]
    assert f"/{pattern.removesuffix('*.zip')}" in (ROOT / ".gitignore").read_text().splitlines()
