"""How a launch passes its arguments."""

from __future__ import annotations

import ctypes
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.gpu.device.cupy_device import Reserved
from lagraph_gpu.gpu.device.driver_launch import CODES, Form, Frame
from tests.harness import DEVICE

KINDS = {code: np.dtype(code).type for code in CODES if code[0] != "c"}
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


C_TYPES: dict[type, Any] = {
    np.int8: ctypes.c_int8, np.uint8: ctypes.c_uint8, np.bool_: ctypes.c_bool,
    np.int16: ctypes.c_int16, np.uint16: ctypes.c_uint16, np.int32: ctypes.c_int32,
    np.float32: ctypes.c_float, np.float64: ctypes.c_double,
}  # fmt: skip


def addresses(pointer: int, count: int) -> np.ndarray:
    """Of arguments, as the driver reads them."""
    return np.array((ctypes.c_uint64 * count).from_address(pointer))


def array_at(address: int) -> Any:
    return SimpleNamespace(data=SimpleNamespace(ptr=address))


def test_reserved_memory_is_no_struct() -> None:
    """Although it is a named tuple."""
    memory = Reserved(SimpleNamespace(ptr=512), 7, np.dtype(np.int32))
    args = memory, (np.int32(1), memory)
    frame, form = Frame(Nowhere()), Form(args)
    first, second = addresses(frame.put(form, args), 2).tolist()
    assert ctypes.c_uint64.from_address(first).value == 512
    assert ctypes.c_uint64.from_address(second + 8).value == 512


def test_a_complex_number_is_its_parts() -> None:
    args = np.int8(7), np.complex128(1.5 - 2j), np.complex64(3j), np.int32(9)
    frame, form = Frame(Nowhere()), Form(args)
    for place, value in zip(addresses(frame.put(form, args), 4).tolist(), args, strict=True):
        held = (ctypes.c_char * value.nbytes).from_address(place).raw
        assert held == value.tobytes(), repr(value)
    with pytest.raises(AssertionError):
        Form(((np.int32(1), np.complex128(2)),))


def test_each_argument_has_a_word_of_its_own() -> None:
    address = 2**64 - 256
    args = (*VALUES, None, array_at(address))
    frame = Frame(Nowhere())
    places = addresses(frame.put(Form(args), args), len(args))
    words = np.frombuffer(frame.words, np.uint64)
    for word, value in zip(words, VALUES):
        assert word.tobytes()[: value.nbytes] == value.tobytes(), repr(value)
    assert words[len(VALUES) : len(args)].tolist() == [0, address]
    assert (np.diff(places) == 8).all() and places[0] == words.ctypes.data


def test_the_fields_of_a_struct_lie_as_in_c() -> None:
    structs = [
        (np.int8(-1), np.float64(0.5), np.int16(7), np.bool_(True), np.int32(9)),
        (array_at(2**63), None, np.int32(3)),
        (np.uint8(250),),
    ]
    args = (np.int32(5), structs[0], np.uint16(6), *structs[1:], np.float32(0.25))
    frame = Frame(Nowhere())
    form = Form(args)
    for _ in range(2):  # once more from the same places
        places = addresses(frame.put(form, args), len(args))
        for place, argument in zip(places.tolist(), args, strict=True):
            fields = argument if isinstance(argument, tuple) else (argument,)
            names = [f"field{k}" for k in range(len(fields))]
            kinds = [C_TYPES.get(type(value), ctypes.c_uint64) for value in fields]
            as_in_c = type("S", (ctypes.Structure,), {"_fields_": list(zip(names, kinds))})
            read = as_in_c.from_address(place)
            for name, value in zip(names, fields):
                expected = value if type(value) in C_TYPES else value and value.data.ptr
                assert getattr(read, name) == (expected or 0)


def test_each_thread_has_a_frame() -> None:
    device = Nowhere()
    frame, seen = Frame(device), []
    form = Form(())
    kept = lambda: (frame.words, frame.put(form, ()), frame.places)  # noqa: E731
    thread = threading.Thread(target=lambda: seen.append(kept()))
    thread.start()
    thread.join()
    ((words, pointer, _),) = seen
    assert words is not frame.words and pointer != frame.put(form, ())
    assert len(device.threads) == 2 and len(set(device.threads)) == 2


@pytest.mark.parametrize("cooperative", [False, True])
def test_a_kernel_reads_structs(cooperative: bool) -> None:
    source = """
        struct Mixed { signed char a; double b; short c; };
        template <class T> struct Into { T* out; int n; };
        template <class T>
        __global__ void keep(unsigned char first, Mixed mixed, Into<T> into, T last) {
            into.out[0] = first;
            into.out[1] = mixed.a;
            into.out[2] = mixed.b;
            into.out[3] = mixed.c;
            into.out[into.n] = last;
        }"""
    kernel, out = DEVICE.compile(source, "keep<float>"), DEVICE.empty(5, np.float32)
    for c in (300, -5):
        mixed = np.int8(-3), np.float64(0.25), np.int16(c)
        args = np.uint8(250), mixed, (out, np.int32(4)), np.float32(8)
        kernel(1, 1, args, cooperative=cooperative)
        assert DEVICE.download(out).tolist() == [250, -3, 0.25, c, 8]


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
