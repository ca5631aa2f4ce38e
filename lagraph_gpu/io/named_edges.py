"""Edge lists whose vertices or columns are named: `lg.read(path, labels=True, weight="km")`.

::

    # a comment (also %), in csv and tsv only before the first row
    source,target,weight        a heading, if it has names of `frames.ENDS`, or columns are chosen
    Ann,Bob,2.5
    "Smith, Dan",Ann,1

Without a choice of columns and with two or three of them, the third is the weight, whatever its
name. If columns are chosen, or there are more of them, the heading says which are read, also where
the vertices are ids (`heading_chooses`); the others may be empty. If it names both ends and other
columns, but no weight, it is refused, unless both ends are chosen: one of the others may be the
weight. A first line of two other words that looks like a heading and not like an edge is refused
(`_perhaps_heading`).

In the tables of edges that Gephi exports the column Type says Directed or Undirected of each edge.
The graph is undirected if all edges are; if only some are, these stand for both directions.

`.csv` separates by commas, and quotes what holds one or a line break; `.tsv` by tabs; other edge
lists by spaces. The text is UTF-8. Names that are all whole numbers, as a program would write them,
are integers, so that ids may be of any size; otherwise all are strings.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO

import numpy as np

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.io.arrow_columns import Coded, read_words
from lagraph_gpu.io.edge_lines import COMMENT, NETWORKX_DATA, OURS, SEMICOLONS, is_heading, words_of
from lagraph_gpu.io.stream import Source, shown
from lagraph_gpu.io.table import NAMES
from lagraph_gpu.io.tokens import wrong_number
from lagraph_gpu.names.frames import EdgeColumns, command_line, ends_among
from lagraph_gpu.names.labels import INT64, Labels, numbered

SEPARATORS = {"csv": ",", "tsv": "\t", "edgelist": None}
"""What separates columns in each format whose vertices may be named; None for blanks."""

KIND, KINDS = "Type", {"directed", "undirected"}
"""A table of Gephi says in the column of this name whether an edge has a direction."""

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,999}")
ALL_WHOLE = re.compile(r"(?:(?:0|-?[1-9][0-9]{0,999}+)\n)*+")
IN_QUOTES = re.compile('".*"', re.DOTALL).fullmatch
ALL_PLAIN = re.compile(
    r"(?:[-+]?(?:[0-9]{1,15}+(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]{1,2}+)?\n)*+"
)
"""Numbers that `float` reads as `tokens` means them. Others are looked at one by one."""


def read(
    source: Source,
    separator: str | None,
    chosen: EdgeColumns | None = None,
    labels: bool = True,
) -> EdgeList:
    """The graph of an edge list with names. Its `ids` are the names, or the names are ids from 0
    if `labels` is False.

    Raises FormatError, with the line, for a change in the number of columns, a missing name, a
    weight that is not a finite number, and a first line that may be a heading. All text is held
    while the file is read, and each name once. PyArrow reads it, where it is there, else Python.
    """
    body = _body(source, separator, chosen)
    rows = _rows(source, separator, body)
    both_ways, directed = None, rows.directed
    if body.has_kinds:
        *columns, kinds = rows.columns
        both_ways, directed = _undirected_rows(source, rows, kinds)
        rows = replace(rows, columns=columns)
    weight = _weights(source, rows) if len(rows.columns) > 2 else None
    ends, path = rows.columns[:2], str(source.path)
    if not labels:
        src, dst = (_ids(source, rows, end) for end in ends)
        n = max(src.max(), dst.max()) + 1
        return EdgeList(*_turned(src, dst, weight, both_ways), n, n, directed, path)
    whole = all(_all(ALL_WHOLE, end.words) for end in ends)
    heads, tails = ([*map(int, end.words)] if whole else end.words for end in ends)
    found, *places = numbered(heads, tails, True)
    src, dst = (place[end.codes] for place, end in zip(places, ends))
    if not body.is_heading and weight is None and _perhaps_heading(found, src, dst):
        first, second = found.array[src[0]], found.array[dst[0]]
        raise source.error(
            rows.lines()[0],
            f"{first!r} and {second!r} are in no other line, so this may be a heading; if it is, "
            f"say which columns to read: source={first!r}, target={second!r} "
            f"{command_line(first, second)}; if it is an edge, put the heading "
            f"'source{separator or ' '}target' above it",
        )
    edges = _turned(src, dst, weight, both_ways)
    return EdgeList(*edges, found.n, found.n, directed, path, ids=found.array)


def heading_chooses(source: Source, separator: str | None) -> bool:
    """Whether the first line is a heading that names the ends, and more columns or in another order
    than `edge_lines` reads them, so that the names decide. Nothing is consumed."""
    rows = (row.decode(errors="replace") for row in source.top(2, COMMENT))
    heading, first = next(rows, ""), next(rows, "")
    words, row = ([word.strip(' "') for word in line.split(separator)] for line in (heading, first))
    if ends_among(words) is None:
        return False
    plain = is_heading(heading.encode()) and len(words) == len(words_of(heading.encode()))
    return not plain or (separator is not None and _place_of_kinds(words, row) is not None)


def read_pairs(source: Source, separator: str | None) -> EdgeTexts:
    """The first and the second vertex of each line, as it calls them.

    Further columns say nothing. Raises FormatError as `read` does.
    """
    return _rows(source, separator, _body(source, separator, None, pairs=True))


@dataclass(frozen=True)
class Body:
    """The text from the first edge on, and what stands above it."""

    text: bytes
    line: int
    """The number of its first line."""
    width: int
    places: tuple[int, ...]
    """The columns of both ends and, if there are any, of the weights."""
    directed: bool
    is_heading: bool
    """Whether a heading names the ends."""
    has_kinds: bool
    """Whether the last of the places says of each edge if it has a direction (see KINDS)."""


@dataclass(frozen=True)
class EdgeTexts:
    """What the rows hold, as text: both ends, and the weights if there are any."""

    columns: Sequence[Coded]
    lines: Callable[[], Sequence[int]]
    """Gives the number of each row's line."""
    directed: bool


def _body(
    source: Source, separator: str | None, chosen: EdgeColumns | None, pairs: bool = False
) -> Body:
    """The text without the comments and the heading at its top. With `pairs` no weights are read,
    and the file lists pairs of vertices."""
    text = b"".join(block.text for block in source.blocks()).removeprefix(b"\xef\xbb\xbf")
    at, line, comment, directed = 0, 1, b"", True
    while at < len(text):
        first = _decoded(source, text[at : text.find(b"\n", at) + 1], line).strip()
        if first and not first.startswith(("#", "%")):
            break
        if first:
            comment = first.encode()
            directed = directed and not _undirected(comment)
        at, line = text.find(b"\n", at) + 1, line + 1
    else:
        what = "pair" if pairs else "edge"
        raise source.error(None, f"there is no {what} in the file; expected lines 'SOURCE TARGET'")
    taken: list[bytes] = []
    number, words = next(_parts(source, _taking(source, text, at, line, taken), separator, line))
    meant = {*words[:2]} & {*(chosen or ())}
    if separator != "," and len(words) > 1 and not meant and all(map(IN_QUOTES, words[:2])):
        raise source.error(
            number,
            f"came {words[0]} and {words[1]}: only .csv has quotes around names; save the table "
            "so, or without quotes; if they belong to names, put the heading "
            f"'source{separator or ' '}target' above them",
        )
    above = _heading_in(comment, separator, chosen, len(words)) if chosen else None
    places, is_heading = _places(source, number, above or words, chosen, pairs)
    if is_heading and not above:
        at, line = at + sum(map(len, taken)), line + len(taken)
    kinds = None
    if separator and is_heading and not pairs:
        row = next(_parts(source, _taking(source, text, at, line, []), separator, line), (0, []))[1]
        kinds = _place_of_kinds(above or words, row)
    if kinds is not None:
        places = *(place for place in places if place != kinds), kinds
    return Body(text[at:], line, len(words), places, directed, is_heading, kinds is not None)


def _taking(source: Source, text: bytes, at: int, line: int, taken: list[bytes]) -> Iterator[str]:
    """The lines of the text from `at` on. Each is put into `taken` when it is read."""
    while at < len(text):
        taken.append(text[at : text.find(b"\n", at) + 1])
        yield _decoded(source, taken[-1], line)
        at, line = at + len(taken[-1]), line + 1


def _rows(source: Source, separator: str | None, body: Body) -> EdgeTexts:
    """The rows as PyArrow parts them, or else Python."""
    quick = read_words(body.text, separator, body.width, body.places)
    if quick is None:
        return _parted(source, separator, body)
    lines = partial(_lines, source, separator, body)
    return EdgeTexts(quick, lines, body.directed)


def _lines(source: Source, separator: str | None, body: Body) -> Sequence[int]:
    return _parted(source, separator, body).lines()


def _parted(source: Source, separator: str | None, body: Body) -> EdgeTexts:
    """The rows as Python parts them. Raises FormatError for the first wrong one."""
    known: list[dict[str, int]] = [{} for _ in body.places]
    codes = [array("q") for _ in body.places]
    lines, directed = array("q"), body.directed
    text = StringIO(_decoded(source, body.text, body.line), newline="\n")
    columns = [*zip(body.places, known, codes)]
    for number, words in _parts(source, text, separator, body.line):
        if separator is None and words[0].startswith(("#", "%")):
            directed = directed and not _undirected(" ".join(words).encode())
            continue
        if len(words) != body.width or not all(words[at] for at in body.places):
            raise source.error(number, _wrong_row(words, separator, body))
        lines.append(number)
        for at, index, code in columns:
            code.append(index.setdefault(words[at], len(index)))
    if not lines:
        raise source.error(None, "there is no edge in the file; expected lines 'SOURCE TARGET'")
    found = [Coded([*index], np.array(code)) for index, code in zip(known, codes)]
    return EdgeTexts(found, lambda: lines, directed)


def _wrong_row(words: list[str], separator: str | None, body: Body) -> str:
    """What is wrong with a row that has another number of columns, or too little in them."""
    said = shown(" ".join(words).encode())
    if separator and words[0].startswith(("#", "%")):
        said += "; a comment may stand only before the first row"
    if len(words) == body.width:
        at = next(place for place in body.places if not words[place])
        return f"nothing is in column {at + 1}, came {said}; fill it in, or take the line out"
    return f"expected {body.width} columns with something in each, came {said}"


def _places(
    source: Source, line: int, words: list[str], chosen: EdgeColumns | None, pairs: bool
) -> tuple[tuple[int, ...], bool]:
    """The places of the ends and of the weight in each line, and whether this line is a heading."""
    if len(words) == 1 and ";" in words[0]:
        raise source.error(line, f"came one column; {SEMICOLONS}")
    usual = ends_among(words)
    data = len(words) > 2 and words[2].startswith("{")
    if chosen is None and len(words) in (2, 3) and usual in (None, tuple(words[:2])) and not data:
        return tuple(range(2 if pairs else len(words))), usual is not None
    if chosen is None and usual is None:
        advice = "say with source=, target= and weight= (--columns) which of the heading to read"
        if len(words) == 1:
            advice = "look whether the format has another separator (csv, tsv, edgelist)"
        elif data:
            advice = NETWORKX_DATA
        raise source.error(
            line,
            f"expected 'SOURCE TARGET' or 'SOURCE TARGET WEIGHT', came {len(words)} "
            f"column{'s'[: len(words) > 1]}; {advice}",
        )
    chosen = chosen or EdgeColumns()
    try:
        wanted = [*chosen.ends(words), None if pairs else chosen.weights(words)]
    except InvalidValue as problem:
        raise source.error(line, f"{problem}") from None
    if twice := next((word for word in wanted if words.count(word) > 1), None):
        raise source.error(line, f"two columns are named {twice!r}; give each a name of its own")
    return tuple(words.index(word) for word in wanted if word is not None), True


def _place_of_kinds(heading: list[str], row: list[str]) -> int | None:
    """The column in which Gephi says whether an edge has a direction, if the first row does."""
    if KIND not in heading or len(row) != len(heading):
        return None
    at = heading.index(KIND)
    return at if row[at].lower() in KINDS else None


def _undirected_rows(source: Source, rows: EdgeTexts, kinds: Coded) -> tuple[np.ndarray, bool]:
    """Which edges have no direction, and whether any has one."""
    if set(found := [word.lower() for word in kinds.words]) - KINDS:
        row, word = _first(kinds, lambda word: word.lower() not in KINDS)
        raise source.error(
            rows.lines()[row],
            f"expected Directed or Undirected in the column {KIND!r}, as in the lines before, came "
            f"{shown(word.encode())}; correct it, or give the column another name",
        )
    undirected = np.array([word == "undirected" for word in found])
    return undirected[kinds.codes], not undirected.all()


def _turned(
    src: np.ndarray, dst: np.ndarray, weight: np.ndarray | None, both_ways: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The edges, and where only some of them have no direction, these the other way, too."""
    if both_ways is None or both_ways.all() or not both_ways.any():
        return src, dst, weight
    back = both_ways & (src != dst)
    heads = np.concatenate([dst, src[back]])
    weights = None if weight is None else np.concatenate([weight, weight[back]])
    return np.concatenate([src, dst[back]]), heads, weights


def _perhaps_heading(names: Labels, src: np.ndarray, dst: np.ndarray) -> bool:
    """Whether the first line looks like a heading, although its words are unusual ones.

    Its words are no numbers and in no other line, and it is the only line whose words are in no
    other, or the rest of one of its columns are whole numbers.
    """
    if src.size < 2 or names.whole:
        return False
    whole = np.array([WHOLE.fullmatch(str(name)) is not None for name in names.array])
    if whole[src[0]] or whole[dst[0]]:
        return False
    often = np.bincount(np.concatenate([src, dst]))
    alone = (often[src] == 1) & (often[dst] == 1)
    numbers = whole[src[1:]].all() or whole[dst[1:]].all()
    return bool(alone[0] and (numbers or not alone[1:].any()))


def _heading_in(
    comment: bytes, separator: str | None, chosen: EdgeColumns, width: int
) -> list[str] | None:
    """The names of the columns in the comment before the first edge; None if it is no heading."""
    names = [word.strip() for word in comment.decode().lstrip("#% ").split(separator)]
    fits = len(names) == width and all(name in names for name in chosen if name is not None)
    return names if fits else None


def _all(pattern: re.Pattern[str], words: list[str]) -> bool:
    """Whether each word and a line's end match a pattern of lines."""
    text = "\n".join([*words, ""])
    return text.count("\n") == len(words) and pattern.fullmatch(text) is not None


def _first(column: Coded, wrong: Callable[[str], object]) -> tuple[int, str]:
    """The first row whose word is wrong, and that word."""
    rows = np.array([bool(wrong(word)) for word in column.words])[column.codes]
    row = int(np.argmax(rows))
    return row, column.words[column.codes[row]]


def _ids(source: Source, rows: EdgeTexts, column: Coded) -> np.ndarray:
    """Ids that count from 0."""

    def wrong(word: str) -> bool:
        return not WHOLE.fullmatch(word) or not 0 <= int(word) < source.most_vertices

    if not _all(ALL_WHOLE, column.words) or any(map(wrong, column.words)):
        row, word = _first(column, wrong)
        raise source.error(
            rows.lines()[row], f"expected a vertex id from 0 to {source.most_vertices - 1}, "
            f"came {shown(word.encode())}; {NAMES}",
        )  # fmt: skip
    return np.array([*map(int, column.words)], np.int64)[column.codes]


def _parts(
    source: Source, lines: Iterator[str], separator: str | None, first: int
) -> Iterator[tuple[int, list[str]]]:
    """The words of each row that is not blank, and the number of its first line, where the lines
    count from `first`. A quoted name may have several lines."""
    if separator is None:
        for number, line in enumerate(lines, first):
            if words := line.split():
                yield number, words
        return
    import csv

    quote = '"' if separator == "," else None
    reader = csv.reader(
        lines, delimiter=separator, quotechar=quote, strict=True,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )  # fmt: skip
    number = first
    try:
        for row in reader:
            words = [*map(str.strip, row)]
            if any(words):
                yield number, words
            number = first + reader.line_num
    except csv.Error as problem:
        said = f"{problem}"
        if "new-line character" in said:
            said = "a carriage return stands within it; put the name in quotes, or take it out"
        elif "unexpected end" in said:
            said = "a quote is opened and not closed; close it, or write it twice within quotes"
        raise source.error(number, f"cannot be split at the commas: {said}") from None


def _decoded(source: Source, text: bytes, first: int) -> str:
    """Lines as text, of which the first has this number."""
    try:
        return text.decode()
    except UnicodeDecodeError as problem:
        line = first + text[: problem.start].count(b"\n")
        code = "utf16" if 0 in text[:4] or text[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin1"
        raise source.error(line, "the names are not UTF-8; convert the file, for example with "
                           f"iconv -f {code} -t utf8") from None  # fmt: skip


def _undirected(comment: bytes) -> bool:
    ours = OURS.fullmatch(comment)
    if ours:
        return ours.group(3) == b"false"
    return re.match(rb"[#%]+\s*undirected graph", comment, re.IGNORECASE) is not None


def _weights(source: Source, rows: EdgeTexts) -> np.ndarray:
    """The weights as int64 if all are whole numbers, else as float64."""
    words, codes = rows.columns[2]
    if _all(ALL_WHOLE, words):
        whole = [*map(int, words)]
        if INT64.min <= min(whole) and max(whole) <= INT64.max:
            return np.array(whole, np.int64)[codes]

    def wrong(word: str) -> str | None:
        return wrong_number(word.encode())

    if not _all(ALL_PLAIN, words) and any(map(wrong, words)):
        row, word = _first(rows.columns[2], wrong)
        heading = ", and if the line is a heading, say which columns to read: source=, target=, "
        heading += "weight= (--columns); without weight= the edges have none"
        heading = heading if row == 0 and any(c.isalpha() for c in word) else ""
        point = " (with a decimal point)" if re.fullmatch(r"-?[0-9]+,[0-9]+", word) else ""
        raise source.error(
            rows.lines()[row],
            f"the weight {shown(word.encode())} {wrong(word)}; correct it{point}{heading}",
        )
    return np.array([*map(float, words)])[codes]
