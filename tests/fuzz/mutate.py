"""Inputs made of sound ones: a few bytes, words or lines altered, or parts of an archive.

An input follows from a seed, the name of its target and its number alone, so it can be made again.
"""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable, Sequence

NUMBERS = (
    b"0", b"1", b"2", b"3", b"4", b"7", b"-1", b"-0", b"+2", b"01", b"2.5", b".5", b"5.", b"1e3",
    b"1e400", b"1e-400", b"-1e-7", b"0x10", b"1_0", b"1d2", b"nan", b"-inf", b"Infinity", b"NAN(1)",
    b"2147483646", b"2147483647", b"2147483648", b"4294967296", b"9007199254740993",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"9" * 40,
    b"0" * 40 + b"1", b"0." + b"3" * 40, b"-", b"+", b".", b"e", b"--1", b"1e", b"1e+", b"\xb2",
    b"\xd9\xa3",
)  # fmt: skip
WORDS = (
    *NUMBERS, b"a", b"c", b"p", b"v", b"sp", b"tw", b"%", b"#", b"%%", b",", b",,", b" , ", b"\t",
    b" ", b"  ", b"\r", b"\n", b"\n\n", b"\r\n", b"\v", b"\f", b"\0", b"\x85", b"\xa0", b"\x1a",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\xfd7zXZ\0", b"PK\3\4", b"nrows=3", b"ncols=2",
    b"directed=false", b"Undirected graph", b"general", b"symmetric", b"skew-symmetric",
    b"hermitian", b"pattern", b"integer", b"real", b"double", b"unsigned-integer", b"complex",
    b"array", b"coordinate", b"c\n", b"% x\n", b"# x\n", b"%%MatrixMarket", b"graph.g.directed",
    b"=", b"@", b".G", b"101", b"11", b"100",
)  # fmt: skip
Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def _place(rng: random.Random, data: bytes) -> tuple[int, int]:
    """A short part of the bytes."""
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice((0, 1, 1, 2, 4, 16)))


def _byte(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    if not data:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _cut(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _place(rng, data)
    return data[:begin] + data[end:]


def _end(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _again(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _place(rng, data)
    return data[:end] + data[begin:end] * rng.choice((1, 1, 2, 50)) + data[end:]


def _word(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(WORDS) + data[at:]


def _number(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Another number in the place of one."""
    found = [*re.finditer(rb"[^\s,=]+", data)]
    if not found:
        return rng.choice(NUMBERS)
    begin, end = rng.choice(found).span()
    return data[:begin] + rng.choice(NUMBERS) + data[end:]


def _lines(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A line taken away, given twice, or put in another place."""
    lines = data.split(b"\n")
    line = lines[rng.randrange(len(lines))]
    if rng.random() < 0.6:
        lines.remove(line)
    if rng.random() < 0.6:
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _space(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Other white space between all words."""
    space = rng.choice((b"\t", b"  ", b",", b" , ", b"\v", b"\f", b"\r"))
    return data.replace(b" ", space)


def _other(rng: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """The beginning of one input and the end of another."""
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


TEXT: tuple[Mutation, ...] = (
    _byte, _byte, _cut, _end, _again, _word, _word, _number, _number, _number, _lines, _lines,
    _space, _other,
)  # fmt: skip
BYTES: tuple[Mutation, ...] = (_byte, _byte, _byte, _cut, _end, _again, _word, _other)


def text(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    return _some(rng, seeds, TEXT)


def packed(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Compressed bytes, altered as they are."""
    return _some(rng, seeds, BYTES)


def _some(rng: random.Random, seeds: Sequence[bytes], mutations: Sequence[Mutation]) -> bytes:
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6))):
        data = rng.choice(mutations)(rng, data, seeds)
    return data[:4096]


INTEGERS = (
    0,
    1,
    2,
    3,
    5,
    255,
    -1,
    -5,
    10**7,
    2**31 - 1,
    2**31,
    2**32,
    -(2**31),
    2**63 - 1,
    -(2**63),
)
HEADERS = (
    b"<i4", b"<i8", b">i4", b"<u8", b"<f8", b"|b1", b"|O", b"<c16", b"|S3", b"<U2", b"|V4", b"<M8",
    b"True", b"False", b"(2,)", b"(0,)", b"(3,)", b"()", b"(2, 2)", b"(-1,)", b"(1000000000000,)",
    b"{", b"'", b"\\", b"#", b"(" * 100, b"\n", b"descr", b"shape",
)  # fmt: skip


def archive(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """An archive whose members are altered, under right checksums; or its bytes as they are."""
    if rng.random() < 0.3:
        return packed(rng, seeds)
    held = members(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(list(held))
        held[name] = _member(rng, held[name], held)
        drawn = rng.random()
        if drawn < 0.05:
            del held[name]
        elif drawn < 0.1:
            held[rng.choice(list(held))] = held[name]
    return zipped(held)


def zipped(held: dict[str, bytes]) -> bytes:
    """An archive of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as whole:
        for name, content in held.items():
            whole.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def members(whole: bytes) -> dict[str, bytes]:
    """The members of an archive."""
    with zipfile.ZipFile(io.BytesIO(whole)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def _member(rng: random.Random, data: bytes, others: dict[str, bytes]) -> bytes:
    """An array as NumPy writes it: a header in words, and numbers."""
    begin = 10 + int.from_bytes(data[8:10], "little")
    drawn = rng.random()
    if drawn < 0.55 and len(data) > begin:  # a number
        size = rng.choice((4, 8))
        at = begin + rng.randrange(max(1, (len(data) - begin) // size)) * size
        value = rng.choice(INTEGERS) % 2 ** (8 * size)
        return (data[:at] + value.to_bytes(size, "little") + data[at + size :])[: len(data)]
    if drawn < 0.7:  # a word of the header
        found = [*re.finditer(rb"'[^']+'|\([^)]*\)|True|False", data[:begin])]
        if found:
            a, b = rng.choice(found).span()
            word = rng.choice(HEADERS)
            word = b"'" + word + b"'" if word[:1] in b"<>|" else word
            head = (data[:a] + word + data[b:begin])[:begin].ljust(begin)
            return head + data[begin:]
    if drawn < 0.85:
        return _some(rng, [data], BYTES)
    if drawn < 0.95:
        return others[rng.choice(list(others))]
    return data + data[begin:]
