"""Searches, components, trees and PageRank of sparse graphs by loops of the root, under ranks of
the ids that have edges.

Loops number vertices with 32 bits and have arrays over all of them, and statements cost some
exchanges for each level. A graph of very many vertices that has few edges also has few ids in use.
The root gets the edges once, numbers these ids by their ranks, and keeps that graph. A search is
then one call of its local backend, and what is found goes to the owners under the ids of the whole.
One vertex more, without edges, stands for all ids that have none: each of these is a component of
its own, and the walk of PageRank is at any of them with the same probability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.algorithms.centrality.pagerank import Distributions, Walk, ranks
from lagraph_gpu.algorithms.structure.components import breadth_first_trees
from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.defaults import default_but, own_ids_but
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.cluster.root import OF_CLOSURES, Whole, by_root
from lagraph_gpu.cluster.root_results import scattered
from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.convert.values import one_value
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import Operation
from semirings.types import INT64

if TYPE_CHECKING:
    from lagraph_gpu.cluster.distributed_store import Distributed
    from lagraph_gpu.cluster.distribution import Distribution

Found = tuple[Vector, Vector]


class InUse(Whole):
    """The matrix of the ids that have entries, under their ranks, with one row and column more, and
    these ids, increasing."""

    def __init__(self, A: Any, ids: np.ndarray) -> None:
        super().__init__(A)
        self.ids = ids

    @staticmethod
    def rows(store: Distributed, entries: int) -> int:
        return min(2 * entries, max(store.shape)) + 1

    @classmethod
    def bytes(cls, store: Distributed, entries: int) -> int:
        """With two keys for each entry, which are sorted."""
        each = 4 * INT64.itemsize + store.part.dtype.itemsize
        return each * entries + 2 * INT64.itemsize * cls.rows(store, entries)

    @classmethod
    def moved(cls, distribution: Distribution, store: Distributed) -> InUse:
        place, *rest = distribution.listed(store.part)
        row = place * distribution.size + distribution.rank
        arrays = merged(distribution.sent(np.full(place.size, ROOT), [row, *rest]))
        if not distribution.is_root:
            return cls(None, np.empty(0, np.int64))
        return cls(*ranked(distribution, store, *arrays))

    @property
    def nbytes(self) -> int:
        return super().nbytes + self.ids.nbytes

    def give_back(self) -> None:
        super().give_back()
        self.ids = self.ids[:0].copy()

    def labels(self, label: Callable[[Graph], Vector], directed: bool, n: int) -> Vector | None:
        """The labels of the ids in use, of n in all, under the ids of the whole; None on others."""
        graph = self.graph(directed)
        if graph is None:
            return None
        _, ranks = graph.backend.vector_entries(label(graph)._store)
        return Vector._built(n, self.ids, self.ids[ranks[:-1]], graph.backend)

    def trees(self, roots: np.ndarray, n: int) -> Vector | None:
        """The parents of the ids in use, of n in all, in searches from these roots; None on
        others."""
        if self.A is None:
            return None
        local, rank = self.A.backend, np.searchsorted(self.ids, roots)
        start = Vector._built(self.ids.size + 1, rank, rank, local)
        child, parent = local.vector_entries(breadth_first_trees(start, self.A)._store)
        return Vector._built(n, self.ids[child], self.ids[parent], local)

    def ranks(self, directed: bool, n: int, walk: Walk) -> tuple[Vector, np.ndarray] | None:
        """The PageRank of the ids in use, of n in all, and that of each other; None on others."""
        graph, others = self.graph(directed), n - self.ids.size
        if graph is None:
            return None
        local, share = graph.backend, np.full(graph.n, 1 / n)
        share[-1] *= others
        restart = Vector.from_dense(share, backend=local)
        _, found = local.vector_entries(
            ranks(graph, walk, Distributions(restart, None, restart))._store
        )
        return Vector._built(n, self.ids, found[:-1], local), found[-1:] / max(1, others)

    def search(
        self, search: Operation[Any, Found], G: Graph, source: int, bound: Any, dtype: np.dtype
    ) -> Found | None:
        """What a search of G from a vertex finds, of this type, and the parents, as vectors of the
        size of the whole; None on others. A vertex without edges finds itself."""
        graph, n = self.graph(G.directed), G.n
        if graph is None:
            return None
        local, at = graph.backend, int(np.searchsorted(self.ids, source))
        if at == self.ids.size or self.ids[at] != source:
            itself = np.array([source])
            ends = np.zeros(1, dtype), itself
            return tuple(Vector._built(n, itself, end, local) for end in ends)  # type: ignore[return-value]
        value, parent = search(graph, at, bound)
        index, values = local.vector_entries(value._store)
        child, parents = local.vector_entries(parent._store)
        return (
            Vector._built(n, self.ids[index], values, local),
            Vector._built(n, self.ids[child], self.ids[parents], local),
        )


def ranked(
    distribution: Distribution, store: Distributed, row: np.ndarray, column: np.ndarray,
    values: np.ndarray,
) -> tuple[Any, np.ndarray]:  # fmt: skip
    """The matrix of these entries under the ranks of their ids, and the ids."""
    ids, local = distinct(np.concatenate((row, column))), distribution.local
    k = ids.size + 1
    key = np.searchsorted(ids, row) * k + np.searchsorted(ids, column)
    order = np.argsort(key)
    row, column = np.divmod(key[order], k)
    iso = one_value(values)
    rows = compress(row, k), column, values[:1] if iso else values[order]
    made = local.build_matrix((k, k), rows, store.symmetric, iso, adopt=True)
    return distribution.handle(made, (k, k), values.dtype), ids


def found_parts(
    distribution: Distribution, G: Graph, search: Operation[Any, Found], source: int, bound: Any,
    dtype: np.dtype,
) -> list[Any] | None:  # fmt: skip
    """The stores of the parts of this process of what a search from a vertex finds, of this type,
    and of the parents; None if the root has no room for it, or loops cannot number the ids."""
    store: Distributed = G.A._store
    if needs_64_bits(InUse.rows(store, distribution.entries_of(store))):
        return None

    def work() -> list[Any]:
        kept: InUse = store.kept[InUse]  # type: ignore[assignment]
        pair = kept.search(search, G, source, bound, dtype) or tuple(
            distribution.empty((G.n,), kind) for kind in (dtype, INT64)
        )
        return [part._store for part in scattered(distribution, *pair)]

    name: str = search.__name__  # type: ignore[attr-defined]
    return by_root(distribution, [store], OF_CLOSURES, work, name, InUse)


def labels_in_use(
    distribution: Distribution, store: Distributed, label: Callable[[Graph], Vector], what: str,
    directed: bool,
) -> Distributed | None:  # fmt: skip
    """The store of what labels the components of the graph of a matrix by their smallest vertices;
    None if the root has no room for it, or loops cannot number the ids in use."""
    if needs_64_bits(InUse.rows(store, distribution.entries_of(store))):
        return None

    def work() -> Distributed:
        kept: InUse = store.kept[InUse]  # type: ignore[assignment]
        found = kept.labels(label, directed, store.size)
        whole = distribution.empty((store.size,), INT64) if found is None else found
        (part,) = scattered(distribution, whole)
        places, values = distribution.listed(part)
        return own_ids_but(distribution, store.size, places, values)

    return by_root(distribution, [store], OF_CLOSURES, work, what, InUse)


def trees_in_use(
    distribution: Distribution, store: Distributed, roots: np.ndarray, what: str
) -> Any | None:
    """The part of this process of the parents in searches of a matrix from all roots, of which each
    process has some; None as above."""
    if needs_64_bits(InUse.rows(store, distribution.entries_of(store))):
        return None

    def work() -> Any:
        kept: InUse = store.kept[InUse]  # type: ignore[assignment]
        (all_roots,) = merged(distribution.sent(np.full(roots.size, ROOT), [roots]))
        found = kept.trees(np.sort(all_roots), store.size)
        whole = distribution.empty((store.size,), INT64) if found is None else found
        (part,) = scattered(distribution, whole)
        return part

    return by_root(distribution, [store], OF_CLOSURES, work, what, InUse)


def ranks_in_use(distribution: Distribution, G: Graph, walk: Walk) -> Distributed | None:
    """The store of the ranks of a walk that restarts anywhere; None as above."""
    store, n, dtype = G.A._store, G.n, walk.dtype.dtype
    if needs_64_bits(InUse.rows(store, distribution.entries_of(store))):
        return None

    def work() -> Distributed:
        kept: InUse = store.kept[InUse]  # type: ignore[assignment]
        nothing = distribution.empty((n,), dtype), np.empty(0, dtype)
        whole, default = kept.ranks(G.directed, n, walk) or nothing
        (part,) = scattered(distribution, whole)
        places, values = distribution.listed(part)
        return default_but(distribution, n, places, values, distribution.comm.values(default))

    name: str = ranks.__name__  # type: ignore[attr-defined]
    return by_root(distribution, [store], OF_CLOSURES, work, name, InUse)
