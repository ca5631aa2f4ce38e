"""The path to a vertex in a tree of parents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lagraph_gpu.algorithms._shared.memory_check import is_sparse
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, WrongType, brief
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.notation.operation import operation


def path_to(parent: Vector, target: int) -> list[int] | None:
    """The vertices from the source to a target, in a tree of parents.

    Parameters
    ----------
    parent : Vector
        The parents that `bfs` or `sssp` returned.
    target : int
        The last vertex of the path.

    Returns
    -------
    list of int or None
        The vertices from the source to the target, both included. None if the target was not
        reached.

    Raises
    ------
    IndexOutOfBound
        The target is not a vertex of the graph.
    WrongType
        `parent` is not a Vector.
    InvalidValue
        The parents form a cycle.

    Notes
    -----
    O(n + length). It reads all parents once, which waits, and follows them from the target. A GPU
    follows them itself, O(length), unless the path is long. Of 2³¹ vertices or more those on the
    path are read, O(length), one at a time.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], n=5, backend="cpu")
    >>> lg.path_to(lg.bfs(G, 0)[1], 3)
    [0, 1, 2, 3]
    >>> lg.path_to(lg.bfs(G, 0)[1], 4) is None
    True
    """
    if not isinstance(parent, Vector):
        raise WrongType(f"expected the parents as a Vector, from bfs or sssp; got {brief(parent)}")
    if parent.dtype.kind not in "iu":
        raise WrongType(f"expected the parents as integers, from bfs or sssp; got {parent.dtype}")
    if not is_integer(target) or not 0 <= target < parent.size:
        hint = "" if is_integer(target) else "; G.position(label) gives the position of a label"
        raise IndexOutOfBound(
            f"expected a target below n = {parent.size}, got {brief(target)}{hint}"
        )
    return ancestors(parent, int(target))[::-1] or None


@operation
def ancestors(parent: Vector, vertex: int) -> list[int]:
    """A vertex and its ancestors in a forest of parents, up to a root, which is its own parent;
    nothing if the vertex has no parent.

    Raises InvalidValue where an ancestor has no parent, or the parents form a cycle.
    """
    n, start = parent.size, vertex
    if is_sparse(parent):
        above: Callable[[int], int] = partial(parent.get, default=-1)
    else:  # a memoryview gives integers of Python
        above = parent.to_dense(fill_value=-1).data.__getitem__
    if above(vertex) < 0:
        return []
    chain = [vertex]
    while (higher := above(vertex)) != vertex:
        if not 0 <= higher < n or len(chain) == n:
            raise InvalidValue(f"expected a tree of parents, got a broken chain above {start}")
        chain.append(vertex := higher)
    return chain
