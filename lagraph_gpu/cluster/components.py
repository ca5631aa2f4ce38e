"""The lowerings of components, and of the trees that span them. For `component_labels` each process
joins along the edges of its own rows, and the trees of all are joined. Kernels or compiled loops of
the local backend do it, and where CPUs share memory the root alone finds those of a small graph.
Without loops SciPy finds the components of the own edges, and then those of the trees of all, each
of which is a star. Of a graph of which few ids have edges the root finds everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from lagraph_gpu.algorithms.structure.components import component_labels as of_matrix
from lagraph_gpu.algorithms.structure.components import weak_component_labels as weak
from lagraph_gpu.algorithms.structure.connected import largest_class as by_statements
from lagraph_gpu.algorithms.structure.scc import strong_component_labels as strong
from lagraph_gpu.cluster.defaults import has_own_ids
from lagraph_gpu.cluster.distributed_store import Distributed, vector_of_part
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.ids_in_use import labels_in_use, trees_in_use
from lagraph_gpu.cluster.packing import divided, joined, merged
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.cluster.root import OF_CLOSURES, ON_ROOT, SMALL_MATRIX_ENTRIES, by_root, whole_of
from lagraph_gpu.cluster.root_operations import of_root
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import Operation, any_size
from lagraph_gpu.planning.trace import explaining, record_choice
from semirings.types import INT64

ALONE = "the graph is small: a loop of one process takes less time than the meetings of all"

OF_DEVICES = (
    "each of {processes} devices joins trees along the edges of its own rows, and all get the "
    "trees of all: this process sent {bytes} bytes to others. That takes no less time the more "
    "devices there are, so one that has room for the whole graph is faster"
)


def of_directed(operation: Operation[[Graph], Vector]) -> Callable[[Graph], Vector | None]:
    """The lowering of an operation that labels the components of a directed graph: by the root,
    under the ranks of the ids in use where these are few."""
    name: str = operation.__name__  # type: ignore[attr-defined]
    elsewhere = of_root(operation)

    @any_size
    def labels(G: Graph) -> Vector | None:
        store, distribution = G.A._store, G.A.backend.distribution  # type: ignore[attr-defined]
        if not distribution.lists_rows(store):
            return elsewhere(G)  # type: ignore[no-any-return]
        with distribution.comm.statement(name):
            label = labels_in_use(distribution, store, operation, name, directed=True)
        return None if label is None else Vector._stored(label, G.n, INT64, G.A.backend)

    return labels


weak_component_labels, strong_component_labels = of_directed(weak), of_directed(strong)


@any_size
def breadth_first_trees(roots: Vector, A: Matrix) -> Vector | None:
    """Implements `lagraph_gpu.algorithms.structure.components.breadth_first_trees` along edges in
    both directions, where few ids have any: roots without edges have no children."""
    store, _ = matrix_of(A)
    distribution: Distribution = A.backend.distribution  # type: ignore[attr-defined]
    if not distribution.lists_rows(store) or not store.symmetric:
        return None
    with distribution.comm.statement("breadth_first_trees"):
        places = distinct(distribution.listed(store.part)[0])
        index, _ = roots._store.at(places)
        ids = places[index] * distribution.size + distribution.rank
        part = trees_in_use(distribution, store, ids, "breadth_first_trees")
        if part is None:
            return None
        found, rows = (
            vector_of_part(one, roots)
            for one in (part, distribution.built(part.shape, [places, np.ones(places.size, bool)]))
        )
        parent = roots.dup()
        parent(rows.S) << found
        return parent


@any_size
def component_labels(A: Matrix) -> Vector | None:
    """Implements `lagraph_gpu.algorithms.structure.components.component_labels`."""
    distribution: Distribution = A.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("component_labels"):
        store, _ = matrix_of(A)
        if distribution.lists_rows(store):
            label = labels_in_use(
                distribution, store, lambda G: of_matrix(G.A), "component_labels", directed=False
            )
            if label is not None:
                return Vector._stored(label, A.nrows, INT64, A.backend)
        if needs_64_bits(A.nrows):
            return None
        own = distribution.part_shape((A.nrows,))
        explained = explaining() and distribution.vector_exchange is not None
        before = replace(distribution.comm.traffic) if explained else None
        label = labels_by_root(distribution, store)
        if label is not None:
            return Vector._stored(label, A.nrows, INT64, A.backend)
        part = by_local_operations(distribution, store, own[0])
        if part is None:
            part = by_stars(distribution, store, own[0])
        if before is not None:
            record_choice(
                "component_labels", "trees of all devices", OF_DEVICES,
                processes=distribution.size, **distribution.comm.traffic.since(before),
            )  # fmt: skip
        made = Distributed(distribution.handle(part, own, INT64), (A.nrows,))
        return Vector._stored(made, A.nrows, INT64, A.backend)


@any_size
def largest_class(label: Vector) -> Vector | None:
    """Implements `lagraph_gpu.algorithms.structure.connected.largest_class` for labels by the ids
    in use: all other classes have one vertex."""
    store = label._store
    if not has_own_ids(store):
        return None
    index, values = store.at(store.places)
    own = store.distribution.part_shape(store.shape)
    part = store.distribution.local.build_vector(*own, store.places[index], values)
    some = Distributed(store.distribution.handle(part, own, label.dtype), store.shape)
    found = by_statements.statements(Vector._stored(some, label.size, label.dtype, label.backend))
    if found.nvals > 1:
        return found
    return Vector.from_coo([0], [0], label.dtype, size=label.size, backend=label.backend)


def labels_by_root(distribution: Distribution, store: Distributed) -> Distributed | None:
    """The labels by a loop of the root alone, of a matrix of few entries; None if it has more, if
    the root has no room, or if the processes share no memory."""
    loops, n = distribution.shared_memory_loops, store.shape[0]
    if loops is None or distribution.entries_of(store) > SMALL_MATRIX_ENTRIES:
        return None

    def work() -> Distributed | None:
        make = loops.labels_of_root(whole_of(store), n)
        return None if make is None else distribution.deferred(make, n, INT64)

    found = by_root(distribution, [store], OF_CLOSURES, work)
    if found is not None and explaining():
        record_choice("component_labels", ON_ROOT, ALONE)
    return found


def by_local_operations(distribution: Distribution, store: Distributed, own: int) -> object | None:
    """The labels of own vertices by kernels or loops of the local backend, if it has them."""
    if distribution.local_operations is None:
        return None
    with distribution.devices.on_all():
        return distribution.local_operations.component_labels(  # type: ignore[no-any-return]
            store.part._store, own, store.shape[0], distribution.comm.agree
        )


def by_stars(distribution: Distribution, store: Distributed, own: int) -> object:
    """The labels of own vertices by SciPy. For each tree a process sends the edges of a star: from
    the smallest vertex to each of the others."""
    n, types = store.shape[0], [np.dtype(np.int64)] * 2
    place, column, _ = distribution.listed(store.part)
    label = labels_of(n, place * distribution.size + distribution.rank, column)
    others = np.flatnonzero(label != np.arange(n))
    received = distribution.comm.all_gather(joined([others, label[others]]))
    label = labels_of(n, *merged([divided(part, types) for part in received]))
    mine = label[distribution.rank :: distribution.size]
    return distribution.local.build_vector(own, np.arange(own), mine)


def labels_of(n: int, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """For each of n vertices the smallest one of its component, for these edges."""
    ones = np.ones(src.size, np.int8)
    count, numbers = connected_components(coo_array((ones, (src, dst)), shape=(n, n)).tocsr())
    smallest = np.empty(count, np.int64)
    smallest[numbers[::-1]] = np.arange(n)[::-1]  # what is written last stays
    return smallest[numbers]
