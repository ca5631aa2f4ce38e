"""From a tree of parents to the path it holds."""

from __future__ import annotations

from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, WrongType
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.notation.vector import Vector


def path_to(parent: Vector, target: int) -> list[int] | None:
    """The vertices from the source to ``target`` in a tree of parents, both ends included.

    ``parent`` comes from ``bfs`` or ``sssp``; None if the target was not reached. Reads the
    parents once (waits) and walks up: O(n + length). Raises IndexOutOfBound for a target outside
    the graph and InvalidValue if the parents form a cycle.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], n=5, backend="cpu")
    >>> lg.path_to(lg.bfs(G, 0)[1], 3)
    [0, 1, 2, 3]
    >>> lg.path_to(lg.bfs(G, 0)[1], 4) is None
    True
    """
    if not isinstance(parent, Vector):
        raise WrongType(f"expected the parents as a Vector, from bfs or sssp; got {parent!r}")
    if not is_integer(target) or not 0 <= target < parent.size:
        raise IndexOutOfBound(f"expected a target below n = {parent.size}, got {target!r}")
    above = parent.to_dense(fill_value=-1)
    path = [int(target)]
    if above[target] < 0:
        return None
    while above[path[-1]] != path[-1]:
        path.append(int(above[path[-1]]))
        if len(path) > parent.size or not 0 <= path[-1] < parent.size:
            raise InvalidValue(f"expected a tree of parents, got a broken chain above {target}")
    return path[::-1]
