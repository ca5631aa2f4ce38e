"""Inputs that were found once, and what must come of them: ``(target, input, outcome)``.

Archives are made here of the parts of sound ones, for a file of bytes says nothing to a reader.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from tests.fuzz import mutate
from tests.fuzz.targets import targets

MM = b"%%MatrixMarket matrix "


def npy(array: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, np.asarray(array))
    return out.getvalue()


def with_parts(target: str, seed: int = 0, **parts: Any) -> bytes:
    """A sound archive with other arrays, or bytes, in the place of some."""
    held = mutate.members(targets()[target].seeds[seed])
    for name, part in parts.items():
        held[f"{name}.npy"] = part if isinstance(part, bytes) else npy(part)
    return mutate.zipped(held)


def long_header() -> bytes:
    """The shape of a matrix as a word of three thousand letters."""
    return npy(np.array("x" * 3000))


def found() -> dict[str, tuple[str, bytes, str]]:
    return {
        "a first line with a letter too many": (
            "matrixmarket", MM.replace(b"t ", b"tt ") + b"coordinate real general\n1 1 0\n",
            "refused",
        ),
        "a first line behind a blank": (
            "matrixmarket", b" " + MM + b"coordinate real symmetric\n2 2 1\n2 1 5\n", "read",
        ),
        "an empty array of many rows": (
            "matrixmarket", MM + b"array real general\n2147483647 0\n", "read",
        ),
        "many empty rows and a digit": ("matrixmarket", b"2147483647 0\n1\n", "refused"),
        "zeros before an id": ("dimacs", b"p sp 3 1\na " + b"0" * 5000 + b"1 2 3\n", "read"),
        "zeros before an id out of range": (
            "dimacs", b"p sp 3 1\na " + b"0" * 5000 + b"9 2 3\n", "refused",
        ),
        "minus zero in a block of integers": (
            "dimacs", b"p sp 4 3\na 1 2 .5\n\na 4 4 -0\nc b\na 2 1 2e2\n", "read",
        ),
        "a shape of truth values": (
            "npz", with_parts("npz", shape=[True, True], row=[0], col=[0], data=[1.0]), "refused",
        ),
        "a flag of SciPy's in two": ("npz", with_parts("npz", _is_array=[True, False]), "read"),
        "a directed in two": ("npz", with_parts("npz", 5, directed=[True, False]), "refused"),
        "a part of a matrix without dimensions": (
            "matrix", with_parts("matrix", values=1.5), "refused",
        ),
        "a part of a vector without dimensions": (
            "vector", with_parts("vector", values=1.5), "refused",
        ),
        "a part that is no array": ("matrix", with_parts("matrix", values=b"none"), "refused"),
        "a part of a contraction that is no array": (
            "contraction", with_parts("contraction", core=b"none"), "refused",
        ),
        "a seal that is a date": (
            "contraction", with_parts("contraction", seal=b"\x93NUMPY\x01\x00v\x00"
            + b"{'descr': '<M8', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\n"
            + b"\1" * 8), "refused",
        ),
        "a kind of three thousand letters": (
            "matrix", with_parts("matrix", kind=long_header()), "refused",
        ),
        "a kind of three thousand letters in a file": (
            "npz", with_parts("npz", kind=long_header()), "refused",
        ),
        "a sum of 301": ("formula", b"x" + b" + x" * 300, "refused"),
        "a minimum of 301": ("formula", b"min(x" + b", y" * 300 + b")", "refused"),
        "a thousand signs before what is no name": (
            "formula", b"x[" + b"-" * 1000 + b"x]", "refused",
        ),
        "four thousand brackets": ("formula", b"(" * 4000, "refused"),
        "a number beyond FP64": ("formula", b"x if x < y else -" + b"9" * 400, "refused"),
        "a sum of 60": ("formula", b"x" + b" + x" * 59, "read"),
    }  # fmt: skip
