"""The files of a saved graph: a manifest, and an array in each of the others (see `saved`)."""

from __future__ import annotations

import os
import re
import stat
from copy import copy
from pathlib import Path
from typing import IO, Any

import numpy as np

from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.packed_arrays import TYPES as PACKED_TYPES
from lagraph_gpu.errors import FormatError, InvalidValue, NoSuchFile, brief, in_short
from lagraph_gpu.files.atomic import replacing
from lagraph_gpu.files.cache import who_else
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.stream import MANIFEST, meant
from lagraph_gpu.memory import expect_room, is_short
from lagraph_gpu.notation.checks import is_integer
from semirings import types

KIND = "lagraph-gpu graph"
VERSIONS = 1, 2, 5, 8, 9, 10
IN_PARTS, IN_PIECES, LISTED, PACKED, WEIGHTED = VERSIONS[1:]
EARLIER_PACKED = 3, 4, 6, 7
"""Packed rows in blocks of fixed width, or of whole words, which are not read any more."""

TYPES: dict[str, tuple[np.dtype, ...]] = {
    "rows": (types.INT64,), "indptr": (types.INT64,), "indices": (types.INT32, types.INT64),
    "values": types.ALL, "ids": (types.INT64,), "weights": types.ALL, **PACKED_TYPES,
}  # fmt: skip
"""The arrays, and the types that each may have."""

ABOUT = "labels", "vertex", "edge", "graph"
"""What arrays of names and data are about, see `saved_columns`."""

JSON = "json"
TIMES = re.compile(r"(?:datetime|timedelta)64\[\d{0,9}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]")

DIGEST_BYTES, LEAST_DIGEST_BYTES = 1 << 26, 1 << 12
"""An array of more bytes has a digest of the digests of pieces of this size, which several threads
compute; and the smallest size of pieces that a manifest may name."""

READ_BYTES = 1 << 20
"""So many bytes are read at once for a digest."""

LONGEST_MANIFEST = 1 << 18
"""In bytes. A manifest that `save` wrote has about 600 for each part, and 250 for each column."""

ROWS = ("indptr", "indices", "values")


# --- out ----------------------------------------------------------------------------------------


def little(dtype: np.dtype) -> np.dtype:
    """The type in the order of bytes of the files."""
    return dtype.newbyteorder("<")


def described(array: np.ndarray) -> dict[str, Any]:
    """The manifest's entry for an array."""
    piece = DIGEST_BYTES if array.nbytes > DIGEST_BYTES else 0
    entry = {"type": types.name(array.dtype), "size": array.size}
    digest = digest_of(bytes_of(array), piece)
    return {**entry, "sha256": digest, **({"piece": piece} if piece else {})}


def bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(np.uint8)


def digest_of(content: np.ndarray | FileArray, piece: int) -> str:
    """The digest of bytes, or that of the digests of pieces of so many bytes."""
    from hashlib import sha256

    def digest(begin: int, end: int) -> Any:
        found = sha256()
        for at in range(begin, end, READ_BYTES):
            found.update(content[at : min(at + READ_BYTES, end)].data)
        return found

    if not piece:
        return digest(0, content.size).hexdigest()  # type: ignore[no-any-return]
    from concurrent.futures import ThreadPoolExecutor

    def of_piece(begin: int) -> bytes:
        return digest(begin, min(begin + piece, content.size)).digest()  # type: ignore[no-any-return]

    with ThreadPoolExecutor() as pool:
        of_pieces = pool.map(of_piece, range(0, content.size, piece))
        return sha256(b"".join(of_pieces)).hexdigest()


def file_name(name: str, entry: dict[str, Any]) -> str:
    return f"{name}-{entry['sha256'][:16]}.npy"


def written(folder: Path, arrays: dict[str, np.ndarray], ids: np.ndarray | None) -> dict[str, Any]:
    """Write arrays and earlier ids, and return the manifest's entries for them."""
    if ids is not None:
        arrays["ids"] = ids
    return {name: write_array(folder, name, array) for name, array in arrays.items()}


def write_array(folder: Path, name: str, array: np.ndarray) -> dict[str, Any]:
    """Write an array, and return the manifest's entry for it."""
    array = array.astype(little(array.dtype), copy=False)
    entry = described(array)
    with replacing(folder / file_name(name, entry)) as out:
        np.lib.format.write_array(out, array, allow_pickle=False)
    return entry


def finish(
    folder: Path, G: Graph, parts: list[dict[str, Any]], columns: list[dict[str, Any]]
) -> None:
    """Write the manifest, and remove the arrays of a graph that was in the folder before."""
    import json

    packed = WEIGHTED if "weights" in parts[0] else PACKED
    version = packed if "stream" in parts[0] else 1 if len(parts) == 1 else IN_PARTS
    version = LISTED if "rows" in parts[0] else version
    entries = [*columns, *(entry for part in parts for entry in part.values())]
    in_pieces = any("piece" in entry for entry in entries)
    versions = {"version": IN_PIECES, "like": version} if in_pieces else {"version": version}
    head = {"kind": KIND, **versions, "n": G.n,
            "original_n": G.original_n, "directed": G.directed,
            "weighted": G.weighted}  # fmt: skip
    of_parts = {"arrays": parts[0]} if len(parts) == 1 else {"parts": parts}
    more = {"columns": columns} if columns else {}
    manifest = json.dumps({**head, **of_parts, **more}, indent=1).encode() + b"\n"
    if len(manifest) > LONGEST_MANIFEST:
        raise InvalidValue(
            f"expected a manifest of at most {LONGEST_MANIFEST:,} bytes, got {len(manifest):,}, "
            "for many columns of data or long names of them; save the graph without some of them"
        )
    with replacing(folder / MANIFEST) as out:
        out.write(manifest)
    kept = {file_name(name, entry) for entries in parts for name, entry in entries.items()}
    kept |= {file_name(entry["about"], entry) for entry in columns}
    for file in folder.iterdir():
        ours = re.fullmatch(rf"({'|'.join((*TYPES, *ABOUT))})-[0-9a-f]{{16}}\.npy", file.name)
        if ours and file.name not in kept:
            file.unlink(missing_ok=True)


# --- in -----------------------------------------------------------------------------------------


def manifest_of(folder: Path) -> dict[str, Any]:
    """The content of the manifest, checked to be of the form that `save` writes."""
    import json

    path = folder / MANIFEST
    if os.path.isfile(folder):
        raise FormatError(
            "this is a file; expected the folder of a graph that G.save wrote; "
            "lg.read reads graph files",
            folder,
        )
    with opened(path, "the manifest of a graph that G.save wrote") as file:
        text = file.read(LONGEST_MANIFEST + 1)
    try:
        if len(text) > LONGEST_MANIFEST:
            raise ValueError(f"more than {LONGEST_MANIFEST:,} bytes")
        said = json.loads(text)
        if not isinstance(said, dict) or said.get("kind") != KIND:
            raise ValueError(f"no kind {KIND!r}")
        version = said.get("version")
        if version == IN_PIECES and (version := said["like"]) == IN_PIECES:
            raise ValueError(f"arrays like those of version {brief(version)}")
        if version not in VERSIONS:
            earlier = ", packed rows of an earlier form" if version in EARLIER_PACKED else ""
            raise FormatError(
                f"expected version 1, 2, 5, 8, 9 or 10 of the folder, got {brief(version)}{earlier}"
                "; open it with the version of lagraph-gpu that wrote it, or save the graph again",
                path,
            )
        return {
            **{key: check_size(said[key]) for key in ("n", "original_n")},
            "directed": flag(said["directed"]),
            "weighted": flag(said["weighted"]) if "weighted" in said else None,
            "parts": parts_of(
                said["parts"] if version in (IN_PARTS, LISTED) else [said["arrays"]],
                said["n"],
                version,
            ),
            "columns": in_one_file([column_of(entry) for entry in said.get("columns", ())]),
        }
    except FormatError:
        raise
    except Exception as problem:  # whatever the file holds
        raise FormatError(
            f"expected the manifest that G.save wrote, got another or a damaged one "
            f"({type(problem).__name__}: {in_short(problem)}); save the graph again",
            path,
        ) from problem


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {brief(value)}")
    return value


def parts_of(said: list[dict[str, Any]], n: int, version: int) -> list[dict[str, Any]]:
    """The manifest's entries for the arrays of each part."""
    size = len(said)
    parts = [
        entries_of(one, len(range(number, n, size)), version) for number, one in enumerate(said)
    ]
    if len({(part["values"]["type"], "ids" in part) for part in parts}) != 1:
        raise ValueError("parts of different types, or none")
    return parts


def entries_of(said: dict[str, Any], n: int, version: int) -> dict[str, Any]:
    """The manifest's entries for the arrays, each with a valid type, size and digest. Other files
    in the folder are ignored."""
    packed = version in (PACKED, WEIGHTED)
    expected = {"values", *(PACKED_TYPES if packed else ROWS)}
    expected |= {WEIGHTED: {"weights"}, LISTED: {"rows"}}.get(version, set())
    if said.keys() - {"ids"} != expected:
        raise ValueError(f"the arrays {sorted(said)}")
    entries = {name: entry_of(name, entry, TYPES[name]) for name, entry in said.items()}
    sizes: dict[str, tuple[int, ...]] = {"ids": (n,), "values": (1,)}
    if not packed:
        m, of_column = entries["indices"]["size"], entries["indices"]["type"]
        rows = entries["rows"]["size"] if version == LISTED else n
        if of_column != (types.INT64 if version == LISTED else types.INT32):
            raise ValueError(f"indices of the type {types.name(of_column)}")
        sizes |= {"indptr": (rows + 1,), "indices": (m,), "values": (m, min(m, 1))}
    for name, entry in entries.items():
        if entry["size"] not in sizes.get(name, (entry["size"],)):
            raise ValueError(f"{name} of size {entry['size']}")
    return entries


def column_of(said: dict[str, Any]) -> dict[str, Any]:
    """The manifest's entry for a column of names or data."""
    about, name, form = said["about"], said["name"], said["form"]
    if about not in ABOUT or not isinstance(name, str):
        raise ValueError(f"a column {brief(name)} about {brief(about)}")
    kinds: tuple[np.dtype, ...] = types.ALL
    if form != "":
        if form != JSON and not TIMES.fullmatch(form):
            raise ValueError(f"a column in the form {brief(form)}")
        kinds = (types.UINT8 if form == JSON else types.INT64,)
    return {"about": about, "name": name, "form": form, **entry_of(about, said, kinds)}


def in_one_file(columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns with the types and lengths that the header of their file may name: columns of
    equal bytes, such as zeros of INT64 and of FP64, are one file with the header of one of them."""
    named: dict[str, list[tuple[np.dtype, int]]] = {}
    for entry in columns:
        entry["headers"] = named.setdefault(file_name(entry["about"], entry), [])
        entry["headers"].append((entry["type"], entry["size"]))
    return columns


def entry_of(name: str, said: dict[str, Any], kinds: tuple[np.dtype, ...]) -> dict[str, Any]:
    """The manifest's entry for an array of one of these types, with a valid size and digest."""
    dtype, size, digest = types.BY_NAME[said["type"]], said["size"], said["sha256"]
    if not is_integer(size) or size < 0:
        raise ValueError(f"{name} of size {brief(size)}")
    if dtype not in kinds:
        raise ValueError(f"{name} of the type {types.name(dtype)}")
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise ValueError(f"{name} with the digest {brief(digest)}")
    piece = said.get("piece", 0)
    if piece and (not is_integer(piece) or piece < LEAST_DIGEST_BYTES):
        raise ValueError(f"{name} in pieces of {brief(piece)} bytes")
    return {"type": dtype, "size": size, "sha256": digest, "piece": piece}


def opened(path: Path, what: str) -> IO[bytes]:
    """A file that is open for reading. Raises FormatError if there is none that can be."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # no wait at a pipe
        file = os.fdopen(handle, "rb")
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            file.close()
            raise FormatError(f"this is no plain file; expected {what}", path)
        return file
    except (FileNotFoundError, NotADirectoryError):
        near = "" if path.parent.is_dir() else meant(path.parent)
        why = f"there is no such file; expected {what}{near}"
        raise NoSuchFile(why, path) from None
    except FormatError:
        raise
    except OSError as problem:
        why = f"cannot be opened: {problem.strerror}"
    except ValueError as problem:  # a NUL byte, or what the system's encoding cannot write
        why = f"cannot be the name of a file: {problem}"
    raise FormatError(why, path)


def array_of(folder: Path, name: str, entry: dict[str, Any], verify: bool) -> np.ndarray:
    """An array as the manifest describes it: mapped, or read if another user can write to it."""
    path, dtype, size = folder / file_name(name, entry), entry["type"], entry["size"]
    with opened(path, ARRAY.format(name)) as file:
        begin, status = begin_of(file, path, entry), os.fstat(file.fileno())
        if size == 0 or who_else(status) or who_else(folder.stat()):
            wanted = size * dtype.itemsize
            expect_room(wanted, f"the array {path.name}, to which others can write,")
            array = np.fromfile(file, little(dtype), size)
        else:
            array = np.memmap(file, little(dtype), "c", begin, (size,)).view(np.ndarray)
    if verify:
        expect_digest(path, bytes_of(array), entry)
    return array.astype(dtype, copy=False)


ARRAY = "the array {} that " + MANIFEST + " names; save the graph again"


class FileArray:
    """An array as the manifest describes it, of which slices are read from the file."""

    def __init__(self, folder: Path, name: str, entry: dict[str, Any]) -> None:
        self.path, self.what, self.entry = folder / file_name(name, entry), name, entry
        self.dtype, self.size = entry["type"], entry["size"]
        with opened(self.path, ARRAY.format(name)) as file:
            self.begin = begin_of(file, self.path, entry)

    def __getitem__(self, part: slice) -> np.ndarray:
        begin, end, _ = part.indices(self.size)
        count = max(0, end - begin)
        with opened(self.path, ARRAY.format(self.what)) as file:
            at = self.begin + begin * self.dtype.itemsize
            array = np.fromfile(file, little(self.dtype), count, offset=at)
        if array.size < count:
            raise FormatError("it was cut off while it was read; read it again", self.path)
        return array.astype(self.dtype, copy=False)

    def expect_digest(self) -> None:
        """Raises FormatError if the array is not the one that was written."""
        content = copy(self)
        content.dtype, content.size = types.UINT8, self.size * self.dtype.itemsize
        expect_digest(self.path, content, self.entry)


def expect_digest(path: Path, content: np.ndarray | FileArray, entry: dict[str, Any]) -> None:
    """Raises FormatError if the bytes of an array do not have the digest of the manifest."""
    if digest_of(content, entry["piece"]) != entry["sha256"]:
        raise FormatError(
            f"it is altered: it does not have the digest that {MANIFEST} says; save "
            "the graph again, or copy the folder again",
            path,
        )


def begin_of(file: IO[bytes], path: Path, entry: dict[str, Any]) -> int:
    """Where the numbers of an array begin in its file, which is checked to hold as many."""
    dtype, size = entry["type"], entry["size"]
    try:
        read_header(file, entry.get("headers", [(dtype, size)]))
    except Exception as problem:  # NumPy reads the header as an expression of Python
        if is_short(problem):
            raise
        raise FormatError(
            f"expected an array of {size:,} × {types.name(dtype)} as "
            f"numpy.save writes it, got another or a damaged one ({in_short(problem)})",
            path,
        ) from problem
    begin, held = file.tell(), os.fstat(file.fileno()).st_size
    if held != begin + size * dtype.itemsize:
        raise FormatError(
            f"expected {begin + size * dtype.itemsize:,} bytes, got {held:,}: it is "
            "cut off or altered; save the graph again, or copy the folder again",
            path,
        )
    return begin


def read_header(file: IO[bytes], expected: list[tuple[np.dtype, int]]) -> None:
    """Read the header before the numbers. Raises ValueError if it describes an array of none of
    these types and lengths."""
    form = np.lib.format
    if form.read_magic(file) != (1, 0):
        raise ValueError("another version of the format")
    shape, _, held = form.read_array_header_1_0(file)
    if all(shape != (size,) or held != little(dtype) for dtype, size in expected):
        raise ValueError(f"{held} of shape {shape}")
