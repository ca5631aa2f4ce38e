"""Searches from many sources: in step, one after another, or each by a block of its own.

Records: docs/decisions/many-sources.md.
"""

from __future__ import annotations

from lagraph_gpu.planning.closure_order import fans_out
from lagraph_gpu.planning.direction import ASKED
from lagraph_gpu.schedule import Schedule

IN_STEP = "rounds, for edges are counted: {words} words a vertex at most"
BY_COPIES = "few searches, none of which fills the device by itself"
BY_TRIAL = "few searches, which may end soon: a block for each, while it has pushed few vertices"
BY_BLOCKS = (
    "short rows, or many sources for the edges: a block for each, and steps of width {width}"
)
NOT_IN_STEP = "searches take many rounds, or none can be done in step: a block for each source"
ONE_BY_ONE = "few sources for so many edges"

LANES, WORDS = 64, (8, 4, 1)
"""On a CPU a word of a vertex has a bit for each of so many searches that go in step, and a vertex
has so many words: eight fill a line of the cache."""

BESIDES = 48
"""What a thread takes there for each vertex besides these words: lists, and sums."""

FEW_SINGLES = 2
"""Up to this many searches are done one by one. On an H200, 64 searches of grid512 at once take as
long as 3 single ones."""

FEW_COPIES = {True: 40, False: 56}
"""Up to this many searches of a deep graph go together, each in a copy of the graph, rather than
each in a block: where edges are counted, and where weights are added up. With copies the time grows
with their number; with blocks it is that of one search until there are more blocks than
multiprocessors. On an H200, copies took 0.16 to 1.01 of the time of blocks for up to 40 searches
that count edges on grid128 to grid2048 and New York, and 0.84 to 1.48 for 64; with weights 0.24 to
0.94 for up to 56, and 0.61 to 1.12 for 64."""

TRIED_SHARE = 1 / 64
"""Where few searches of a deep graph have targets, each is tried in a block until it has pushed so
many of the vertices. A trial that is given up takes so much of the time of a block."""

EDGES_PER_SOURCE, FEWEST_SOURCES, MOST_EDGES = 2**15, 16, 2**22
"""On graphs that fan out, a block for each source is faster than all blocks for one source after
another if there is a source for this many edges, and at least so many sources; and never above the
last number of edges. On an H200, kron14: 4.9 and 18 ms for 64 and 1,024 sources with a block each,
38 ms for 64 one by one, by rounds. kron18: 40 ms for 16 and 105 to 119 ms for 256 sources with a
block each, 22 ms for 16 one by one."""

SMALL_GRAPH = 2**13
"""From this number of vertices on, a block has at least the usual number of threads, however many
blocks there are."""

BLOCK_SLOTS = 4
"""The number of edges in a packed row for such a block. On an H200, 8 took 1.0 to 1.2 of the time
of 4 on roads, grids, a random graph with 8 edges a vertex and kron14, and 0.95 on kron18."""

BLOCK_WIDTH = 24
"""The width of a step by delta, in units of mean weight over mean degree, for a block that does a
search of its own. Relative time on an H200 with 12, 16, 24 and 32 units: 1.08, 1.03, 1.0 and 1.01
on grid512; 1.10, 1.04, 1.0 and 1.0 on grid1024."""

FEW_ROWS, MANY_EDGES = 16, 2**22
"""So many searches, and those of a graph with so many edges, are faster one after another than in
step. On an H200, 16 and 64 searches took 2.7 and 8.9 ms one after another, and 2.7 and 2.7 in step,
on kron6; 3.2, 11.4 and 5.9, 7.7 on kron14; 3.5, 12.8 and 10.8, 27.2 on kron18 (7.6 million
entries); 5.6, 21.0 and 16.2, 52.8 on kron21. Four took 3.8 and 584 on grid512, 10.5 and 4,124 on
grid2048.
"""


def rows_apart(rows: int, nrows: int, nedges: int, deep: bool = False) -> bool:
    """Whether closures of the rows of a matrix are faster one after another than in step.

    They are on deep graphs, where a step of all rows costs as much as many steps of one kernel, on
    large graphs, and if there are few.

    Parameters
    ----------
    rows : int
        The number of rows.
    nrows, nedges : int
        The number of rows and of entries of the matrix of the edges.
    deep : bool, optional
        Whether a search is known to take many rounds.

    Returns
    -------
    bool
        True if they are.
    """
    return deep or rows <= FEW_ROWS or nedges >= MANY_EDGES or not fans_out(nrows, nedges)


def by_blocks(sources: int, nrows: int, nedges: int, deep: bool = False) -> bool:
    """Whether searches by value are faster with a block for each source.

    They are on deep graphs, whose frontiers do not fill a device, and if there are many sources for
    the number of edges.

    Parameters
    ----------
    sources : int
        The number of sources.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    deep : bool, optional
        Whether a search is known to take many rounds.

    Returns
    -------
    bool
        True if they are.
    """
    if deep or not fans_out(nrows, nedges):
        return sources > FEW_SINGLES
    return nedges <= MOST_EDGES and sources >= max(FEWEST_SOURCES, nedges // EDGES_PER_SOURCE)


def choose_table(
    sources: int, nrows: int, nedges: int, hops: bool, schedule: Schedule | None = None,
    deep: bool = False, until: str = "cutoff",
) -> tuple[str, str]:  # fmt: skip
    """How a table of distances is computed, and why.

    Parameters
    ----------
    sources : int
        The number of sources.
    nrows, nedges : int
        The number of rows and of entries of the matrix.
    hops : bool
        Whether edges are counted, so that weights do not matter.
    schedule : Schedule, optional
        What it fixes is kept.
    deep : bool, optional
        Whether a search is known to take many rounds.
    until : {"all", "targets", "cutoff"}, optional
        What is asked for: the distances of all vertices, of some, or those up to a cutoff.

    Returns
    -------
    way : {"bits", "copies", "trial", "blocks", "warps", "singles"}
        "bits": all searches advance together. "copies": all in one launch, each in a copy of the
        graph. By value: "blocks", a block for each source, or "warps", a warp with a heap for each.
        "trial": by blocks, but as "copies" if one pushes many vertices. "singles": one search after
        another.
    reason : str
        The reason.

    Notes
    -----
    On an H200, "blocks" took 0.17 to 0.39 of the time of "bits" where edges are counted on deep
    graphs (New York, grids; 64 to 2,048 sources). "warps" took 1.3 to 10 times the time of "blocks"
    on each of eight graphs, with 16 to 4,096 sources, so the planner never chooses it. "copies"
    took 0.35 and 0.42 of the time of "blocks" for 16 sources of grid2048, by weights and where
    edges are counted, 0.40 and 0.8 on New York; for 64 sources there 0.8 and 1.1.

    Examples
    --------
    >>> from lagraph_gpu.schedule import Schedule
    >>> [choose_table(9, 100, edges, hops)[0] for edges in (400, 2**25) for hops in (True, False)]
    ['bits', 'blocks', 'bits', 'singles']
    >>> [choose_table(9, 100, 400, True, None, True, until)[0] for until in ("all", "targets")]
    ['copies', 'trial']
    >>> choose_table(9, 100, 4000, False, Schedule(order="heap"))
    ('warps', 'the schedule asks for it')
    """
    if schedule is None:
        if hops and not deep:
            return "bits", IN_STEP
        alone = deep or not fans_out(nrows, nedges)
        if alone and until != "cutoff" and 2 - hops <= sources <= FEW_COPIES[hops]:
            return ("copies", BY_COPIES) if until == "all" else ("trial", BY_TRIAL)
        if hops:
            return "blocks", NOT_IN_STEP
        blocks = by_blocks(sources, nrows, nedges, deep)
        return ("blocks", BY_BLOCKS) if blocks else ("singles", ONE_BY_ONE)
    if schedule.one_search:
        return "singles", ASKED
    orders = {"rounds": "bits" if hops else "singles", "delta": "blocks", "heap": "warps"}
    if schedule.order is None:
        return choose_table(sources, nrows, nedges, hops, None, deep, until)
    return orders[schedule.order], ASKED


def block_threads(blocks: int, nrows: int, multiprocessors: int, usual: int) -> int:
    """The number of threads in a block that does a search of its own.

    Parameters
    ----------
    blocks : int
        The number of blocks at a time.
    nrows : int
        The number of vertices.
    multiprocessors : int
        The number of multiprocessors of the device.
    usual : int
        The usual number of threads in a block.

    Returns
    -------
    int
        Four times the usual number if there is one block for each multiprocessor. With more blocks
        it is smaller, because blocks of few threads wait less. It is at least one thread for 2,048
        vertices, because the frontiers of a larger graph are larger.

    Notes
    -----
    Relative time on an H200: grid512 1.0, 1.11, 1.65 and 1.64 with 256, 512, 768 and 1,024 threads;
    grid1024 1.07, 1.0, 1.17 and 1.11 with the same; New York 1.0 and 1.10 with 256 and 512; grid64
    1.0, 1.57 and 1.19 with 128, 256 and 64.

    Examples
    --------
    >>> [block_threads(k, 2**18, 132, 256) for k in (1, 132, 133, 264, 265, 5000)]
    [1024, 1024, 512, 512, 256, 256]
    >>> [block_threads(5000, n, 132, 256) for n in (2**12, 2**13, 2**19, 2**20, 2**24)]
    [128, 256, 256, 512, 1024]
    """
    share = -(-blocks // multiprocessors)
    by_size = 1 << max(0, (nrows >> 11).bit_length() - 1)
    fewest = usual if nrows >= SMALL_GRAPH else usual // 2
    return min(4 * usual, max(fewest, 4 * usual >> (share - 1).bit_length(), by_size))


def bytes_in_step(words: int) -> int:
    """What searches that go in step take on a CPU for each vertex.

    Each vertex has its words three times: for the searches that have reached it, and for those of
    this round and of the next.

    Parameters
    ----------
    words : int
        The number of words of a vertex.

    Returns
    -------
    int
        The bytes for each vertex in each thread.
    """
    return 3 * 8 * words + BESIDES
