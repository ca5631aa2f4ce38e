"""The graph routines of SciPy on semirings: the names, arguments and results of
`scipy.sparse.csgraph`, on the CPU or a GPU.

A program that imports `scipy.sparse.csgraph` runs with this import instead. Sparse arrays of SciPy
and dense arrays of NumPy give arrays of NumPy and sparse arrays of SciPy; matrices of cupyx and
arrays of CuPy give those of CuPy. The backend in force does the work (`with lg.backend("cpu")`):
the GPU if one works. Errors are ValueError and TypeError, with the messages of SciPy.

Where only one answer is correct, the answer is that of SciPy, and so is the order of
`breadth_first_order`. Where several answers are correct (predecessors among paths of equal length,
the numbering of strong components), any of them may be returned. SciPy itself computes what is
sequential by nature: depth-first search, flows, matchings, the Cuthill-McKee order, Yen's paths,
and the conversions. With the CPU backend, SciPy also computes what has the same answer:
breadth-first orders, components, spanning trees, and paths of finite lengths of at least 0.

>>> from lagraph_gpu.csgraph import dijkstra
>>> dijkstra([[0, 1, 2, 0], [0, 0, 0, 1], [0, 0, 0, 3], [0, 0, 0, 0]], indices=0).tolist()
[0.0, 1.0, 2.0, 2.0]
"""

from types import FunctionType

from scipy.sparse.csgraph import NegativeCycleError

from lagraph_gpu.csgraph.graph_input import in_our_words
from lagraph_gpu.csgraph.paths import (
    bellman_ford,
    dijkstra,
    floyd_warshall,
    johnson,
    shortest_path,
)
from lagraph_gpu.csgraph.scipy_functions import (
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    laplacian,
    maximum_flow,
    min_weight_full_bipartite_matching,
    reconstruct_path,
    reverse_cuthill_mckee,
    yen,
)
from lagraph_gpu.csgraph.traversal import (
    breadth_first_order,
    breadth_first_tree,
    connected_components,
    depth_first_order,
    depth_first_tree,
)
from lagraph_gpu.csgraph.trees import (
    maximum_bipartite_matching,
    minimum_spanning_tree,
    structural_rank,
)

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "yen",
]

globals().update(
    {
        name: in_our_words(globals()[name])
        for name in __all__
        if isinstance(globals()[name], FunctionType)
    }
)


def __dir__() -> list[str]:
    return __all__
