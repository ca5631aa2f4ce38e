"""Searches of sparse graphs by the loops of process 0, under the ranks of the ids that have edges.

Loops number vertices with 32 bits and have arrays over all of them, and statements cost some
exchanges for each level. A graph of very many vertices that has few edges also has few ids in use.
Process 0 gets the edges once, numbers these ids by their ranks, and keeps that graph. A search is
then one call of its local backend, and what is found goes to the owners under the ids of the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.cluster.process_0 import FEW_ENTRIES
from lagraph_gpu.convert.build import compress, one_value
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import Operation
from semirings.types import INT64

if TYPE_CHECKING:
    from lagraph_gpu.cluster.distribution import Distributed, Distribution

Found = tuple[Vector, Vector]


class IdsInUse(NamedTuple):
    """The ids of a graph that have edges, increasing, and the graph under their ranks."""

    ids: np.ndarray
    graph: Graph

    def search(
        self, search: Operation[Any, Found], source: int, bound: Any, n: int, dtype: np.dtype
    ) -> Found:
        """What a search from a vertex finds, of this type, and the parents, as vectors of the size
        of the whole. A vertex without edges finds itself."""
        local, at = self.graph.backend, int(np.searchsorted(self.ids, source))
        if at == self.ids.size or self.ids[at] != source:
            itself = np.array([source])
            ends = np.zeros(1, dtype), itself
            return tuple(Vector._built(n, itself, end, local) for end in ends)  # type: ignore[return-value]
        value, parent = search(self.graph, at, bound)
        index, values = local.vector_entries(value._store)
        child, parents = local.vector_entries(parent._store)
        return (
            Vector._built(n, self.ids[index], values, local),
            Vector._built(n, self.ids[child], self.ids[parents], local),
        )


def on_process_0(distribution: Distribution, G: Graph) -> tuple[IdsInUse | None, bool]:
    """The ids in use and their graph, on process 0 alone, and whether it has them: if edges are
    few, and the ids few enough for 32 bits. They are moved there once."""
    store: Distributed = G.A._store
    if distribution.entries_of(store) > FEW_ENTRIES:
        return None, False
    if store.in_use is None:
        place, *rest = distribution.listed(store.part)
        row = place * distribution.size + distribution.rank
        arrays = merged(distribution.sent(np.zeros(place.size, np.int64), [row, *rest]))
        made = None if distribution.rank else ranked(distribution, G, *arrays)
        store.in_use = made, bool(distribution.counts(made is not None)[0, 0])
    return store.in_use


def ranked(
    distribution: Distribution, G: Graph, row: np.ndarray, column: np.ndarray, values: np.ndarray
) -> IdsInUse | None:
    """The ids of these entries, and the graph of their ranks; None if they are too many."""
    ids = distinct(np.concatenate((row, column)))
    k = ids.size
    if needs_64_bits(k):
        return None
    key = np.searchsorted(ids, row) * k + np.searchsorted(ids, column)
    order = np.argsort(key)
    row, column = np.divmod(key[order], max(1, k))
    iso, local = one_value(values), distribution.local
    rows = compress(row, k), column, values[:1] if iso else values[order]
    made = local.build_matrix((k, k), rows, not G.directed, iso, adopt=True)
    return IdsInUse(
        ids, Graph._checked(distribution.handle(made, (k, k), values.dtype), G.directed)
    )


def found_parts(
    distribution: Distribution, G: Graph, search: Operation[Any, Found], source: int, bound: Any,
    dtype: np.dtype,
) -> list[Any] | None:  # fmt: skip
    """The stores of the parts of this process of what a search from a vertex finds, of this type,
    and of the parents; None if process 0 does not do it."""
    whole, has = on_process_0(distribution, G)
    if not has:
        return None
    pair = tuple(distribution.empty((G.n,), kind) for kind in (dtype, INT64))
    if whole is not None:
        pair = whole.search(search, source, bound, G.n, dtype)
    return [part._store for part in distribution.scatter_from_root(*pair)]
