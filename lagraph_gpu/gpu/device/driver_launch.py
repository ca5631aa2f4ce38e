"""Kernels launched by CUDA's driver: how their arguments are packed, and the buffers for them."""

from __future__ import annotations

import ctypes
import itertools
import struct
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from lagraph_gpu.gpu.device.cupy_device import CupyDevice

CODES = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d",
    "c8": "ff", "c16": "dd",
}  # fmt: skip
"""The codes of ``struct`` for the types of scalars."""

SCALARS = frozenset(np.dtype(char).type for char in np.typecodes["AllInteger"] + "?efdFD")
"""The Python types of scalars. NumPy has two of 64 bits with the same name."""

MOST_ARGUMENTS = 128
"""No kernel has more arguments than this, with the fields of structs counted."""


class Form:
    """How the arguments of a kernel are packed, whose types are the same in every launch: each at a
    multiple of eight bytes, and the fields of a struct, which are a plain tuple (``Reserved`` is
    none such), as a compiler lays them out. A complex number is no field of a struct: as C++ has
    it, it would lie at a multiple of 16.

    ``pack(words, args)`` puts them into a buffer. It is written out for the kernel, because a loop
    over the fields would take four times as long, in every launch."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        groups = [a if type(a) is tuple else (a,) for a in args]
        codes = ["".join(map(_code, group)) for group in groups]
        assert all(len(code) == len(group) for code, group in zip(codes, groups) if len(group) > 1)
        packed = struct.Struct("@" + "0q".join(codes))
        self.begins = [struct.calcsize("@" + "0q".join([*codes[:k], ""])) for k in range(len(args))]
        number = itertools.count()
        names = [[f"a{next(number)}" for _ in group] for group in groups]
        given = [
            f"({', '.join(each)},)" if type(a) is tuple else each[0] for each, a in zip(names, args)
        ]
        fields = zip(itertools.chain(*names), itertools.chain(*groups))
        values = [_packed(name, a) for name, a in fields]
        made: dict[str, Any] = {"pack_into": packed.pack_into}
        exec(
            f"def pack(words, args):\n    [{', '.join(given)}] = args\n"
            f"    pack_into(words, 0, {', '.join(values)})",
            made,
        )
        self.pack: Callable[[Any, tuple[Any, ...]], None] = made["pack"]


def _code(a: Any) -> str:
    return CODES[a.dtype.str[1:]] if type(a) in SCALARS else "Q"


def _packed(name: str, a: Any) -> str:
    """What is packed of an argument of this name, whose first value is given."""
    if type(a) not in SCALARS:
        return f"0 if {name} is None else {name}.data.ptr"
    return f"{name}.real, {name}.imag" if a.dtype.kind == "c" else name


class Frame(threading.local):
    """A thread's buffer for the arguments of a launch, and for each kernel their addresses, as the
    driver takes them. The driver reads them while other threads run, so each thread has its own."""

    def __init__(self, device: Any) -> None:
        device.use()  # the driver, unlike the runtime, asks for a thread's context
        self.words = (ctypes.c_uint64 * MOST_ARGUMENTS)()
        self.places: dict[Form, tuple[Any, int]] = {}

    def put(self, form: Form, args: tuple[Any, ...]) -> int:
        """Pack the arguments into the buffer, and return the address of the list of their
        addresses."""
        form.pack(self.words, args)
        if form not in self.places:
            first = ctypes.addressof(self.words)
            places = (ctypes.c_uint64 * len(form.begins))(*(first + b for b in form.begins))
            self.places[form] = places, ctypes.addressof(places)
        return self.places[form][1]


class CupyKernel:
    """A compiled kernel. It is launched by the driver and not by CuPy's ``Function``, which makes
    an object for each argument, and which computes the number of resident blocks again for each
    cooperative launch."""

    def __init__(self, function: Any, device: CupyDevice) -> None:
        self._function, self._device, self._shared_bytes = function, device, 0
        self._pointer = function.ptr  # valid as long as the function exists
        self._form: Form | None = None
        driver = device._cupy.cuda.driver
        self._launch, self._launch_at_once = driver.launchKernel, driver.launchCooperativeKernel

    def __call__(
        self, grid: int, block: int, args: tuple[Any, ...], *, cooperative: bool = False,
        shared_bytes: int = 0,
    ) -> None:  # fmt: skip
        device = self._device
        device.launches += 1
        if shared_bytes > self._shared_bytes:  # more than 48 KiB must be requested
            driver = device._cupy.cuda.driver
            most = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver.funcSetAttribute(self._pointer, most, shared_bytes)
            self._shared_bytes = shared_bytes
        if self._form is None:
            self._form = Form(args)
        places = device.frame.put(self._form, args)
        if cooperative:
            self._launch_at_once(self._pointer, grid, 1, 1, block, 1, 1, shared_bytes,
                                 device.stream, places)  # fmt: skip
        else:
            self._launch(self._pointer, grid, 1, 1, block, 1, 1, shared_bytes, device.stream,
                         places, 0)  # fmt: skip

    def resident_blocks(self, block: int) -> int:
        driver = self._device._cupy.cuda.driver
        each = driver.occupancyMaxActiveBlocksPerMultiprocessor(self._pointer, block, 0)
        return each * self._device.multiprocessors
