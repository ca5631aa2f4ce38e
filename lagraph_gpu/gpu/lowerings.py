"""The table of the GPU's lowerings: operations that run as one kernel or a few (see
``lagraph_gpu.notation.operation``).

The table names the method that carries out an operation, whose file names the kernel. Everything
else runs by statements, whose kernels are in ``gpu/vector``, ``gpu/matrix``, ``gpu/spmv`` and
``gpu/spgemm``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lagraph_gpu.algorithms._shared.labels import (
    argsort,
    edges_among,
    edges_by_label,
    entry_numbers,
    permuted_ids,
)
from lagraph_gpu.algorithms._shared.packed_layout import packed
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.tree_edges import missing_tree_edges, tree_edge_values
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.centrality.distance_sums import distance_sums, source_totals
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.centrality.pagerank import pagerank_rounds
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.leiden import leiden_communities
from lagraph_gpu.algorithms.community.local_moving import local_moving
from lagraph_gpu.algorithms.community.louvain import louvain_communities, total_weight
from lagraph_gpu.algorithms.community.louvain_level import weight_within
from lagraph_gpu.algorithms.community.modularity import scaled
from lagraph_gpu.algorithms.community.moving_phase import turns_of_ranks
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.algorithms.paths.eccentricity import farthest_levels
from lagraph_gpu.algorithms.paths.path import ancestors
from lagraph_gpu.algorithms.paths.path_lengths import contracted_lengths, path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import lengths_towards, shortest_path
from lagraph_gpu.algorithms.paths.sssp import grown_forest, lengths_and_parents, tight_forest
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, largest_matching, sides
from lagraph_gpu.algorithms.structure.components import breadth_first_trees, component_labels
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.k_truss import truss
from lagraph_gpu.algorithms.structure.matching import greedy_matching
from lagraph_gpu.algorithms.structure.relabel import (
    degree_order,
    laid_out,
    permuted,
    uses_layouts,
)
from lagraph_gpu.algorithms.structure.scc import pivots, strong_component_labels
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_edges, spanning_forest_edges
from lagraph_gpu.algorithms.structure.triangles import (
    closed_wedges,
    total_triangles,
    vertex_triangles,
)
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import fixpoint, small_rounds
from lagraph_gpu.generate.kronecker_edges import drawn_edges
from lagraph_gpu.generate.kronecker_rows import drawn_rows, weighed
from lagraph_gpu.gpu import point_to_point
from lagraph_gpu.gpu.generate.edge_weights import EdgeWeights
from lagraph_gpu.gpu.generate.kronecker_edges import DeviceEdges
from lagraph_gpu.gpu.generate.kronecker_rows import DeviceRows
from lagraph_gpu.gpu.on_host.host_loops import backend_of_host
from lagraph_gpu.gpu.storage.mirror_sums import MirrorSums
from lagraph_gpu.graph.facts import row_lengths
from lagraph_gpu.notation.coordinates import joined_edges, joined_entries
from lagraph_gpu.notation.host_memory import (
    larger_backend,
    moved_to_device,
    spilled_bytes,
    spilled_to_host,
)
from lagraph_gpu.notation.mirror_sums import mirror_sums
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.notation.packed_arrays import matrix_of_packed, packed_arrays
from lagraph_gpu.notation.vector_data import dense_array

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend


def lowerings(backend: GpuBackend) -> dict[Operation[Any, Any], Callable[..., Any]]:
    """The lowerings of a backend, by operation."""
    narrow = backend.narrow_graphs
    return {
        # gpu/closure, gpu/point_to_point.py
        fixpoint: backend.closures.fixpoint,
        small_rounds: backend.few_levels.small_rounds,
        tight_forest: partial(backend.parents.tight_forest, grown=grown_forest),
        lengths_towards: point_to_point.lengths_towards,
        # gpu/fused
        component_labels: backend.union_find.component_labels,
        spanning_forest_edges: backend.union_find.spanning_forest_edges,
        spanning_edges: backend.union_find.spanning_edges,
        pivots: backend.scc_coloring.pivots,
        peel: backend.peeling.peel,
        truss: backend.trusses.truss,
        total_triangles: backend.triangles.total_triangles,
        vertex_triangles: backend.triangles.vertex_triangles,
        greedy_independent_set: backend.greedy.independent_set,
        greedy_coloring: backend.greedy.coloring,
        pagerank_rounds: backend.pagerank.pagerank_rounds,
        hits_rounds: backend.power.hits_rounds,
        eigenvector_rounds: backend.power.eigenvector_rounds,
        katz_rounds: backend.power.katz_rounds,
        label_argmax: backend.label_argmax.label_argmax,
        local_moving: backend.moving_phases.local_moving,
        weight_within: backend.coarse_levels.weight_within,
        scaled: backend.whole_weights.scaled,
        total_weight: backend.whole_weights.total_weight,
        turns_of_ranks: backend.moving_phases.turns_of_ranks,
        quotient: backend.quotients.quotient,
        # gpu/spgemm
        closed_wedges: backend.matrices.products.within.closed_wedges,
        # gpu/multi_source
        contracted_lengths: backend.contraction_sweeps.contracted_lengths,
        # gpu/on_host
        depth_first: backend.host_loops.depth_first,
        ancestors: backend.host_loops.ancestors,
        bfs_queue: backend.host_loops.bfs_queue,
        largest_matching: backend.host_loops.largest_matching,
        walks: backend.host_loops.walks,
        greedy_matching: backend.small_graphs.greedy_matching,
        leiden_communities: backend.small_graphs.leiden_communities,
        louvain_communities: backend.small_graphs.louvain_communities,
        levels_and_parents: narrow.levels_and_parents,
        lengths_and_parents: narrow.lengths_and_parents,
        shortest_path: narrow.shortest_path,
        path_lengths: narrow.path_lengths,
        distance_sums: narrow.of_sources(distance_sums, backend.source_sums.distance_sums),
        source_totals: narrow.of_sources(source_totals, backend.source_sums.source_totals),
        farthest_levels: narrow.of_sources(farthest_levels),
        breadth_first_trees: narrow.breadth_first_trees,
        strong_component_labels: narrow.strong_component_labels,
        core_levels: narrow.core_levels,
        sides: narrow.sides,
        has_two_sides: narrow.has_two_sides,
        dependencies: narrow.dependencies,
        longest_lengths: narrow.longest_lengths,
        larger_backend: backend_of_host,
        # gpu/storage, gpu/matrix, gpu/vector, gpu/spmv, gpu/generate
        missing_tree_edges: backend.products.packed.missing_tree_edges,
        tree_edge_values: backend.products.packed.tree_edge_values,
        argsort: backend.layouts.argsort,
        entry_numbers: backend.matrices.parts.numbered,
        row_lengths: backend.matrices.parts.row_lengths,
        degree_order: backend.layouts.degree_order,
        dense_array: backend.exchange.dense_array,
        permuted: backend.layouts.permuted,
        laid_out: backend.layouts.laid_out,
        uses_layouts: lambda _: True,
        packed: backend.layouts.packed,
        packed_arrays: backend.packed_exchange.arrays,
        matrix_of_packed: backend.packed_exchange.of_arrays,
        mirror_sums: MirrorSums(backend).sums,
        spilled_to_host: backend.spill.spilled_to_host,
        moved_to_device: backend.spill.moved_to_device,
        spilled_bytes: backend.spill.nbytes,
        edges_by_label: backend.matrices.edges_by_label,
        edges_among: backend.matrices.edges_by_label,
        permuted_ids: backend.lazy.permuted_ids,
        drawn_edges: DeviceEdges,
        drawn_rows: DeviceRows,
        weighed: EdgeWeights(backend).weighed,
        joined_entries: backend.coordinates.joined_entries,
        joined_edges: backend.coordinates.joined_edges,
    }
