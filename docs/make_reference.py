"""Makes the reference, docs/reference/: the names that each page shows.

    python docs/make_reference.py

The build of the site calls it (`docs/conf.py`), Sphinx adds the docstrings, and the result is not
committed. A page for each module of the public interface shows the module's docstring, and then its
names. A name that a package exports is shown as the package's, `lagraph_gpu.bfs`, wherever its code
lies.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parent / "reference"

ALGORITHMS = "lagraph_gpu.algorithms."
PACKAGES = ("lagraph_gpu", "semirings", "lagraph_gpu.csgraph", "lagraph_gpu.draw", "lagraph_gpu.io")

# chapter -> module -> the title of its page. Files of algorithms are titled by their first words; a
# home of exported names that no chapter names stands under MORE, so that nothing is left out.
MORE = "More"
CHAPTERS: dict[str, dict[str, str]] = {
    "Graphs": {
        "lagraph_gpu.graph.graph": "Graphs",
        "lagraph_gpu.io.load": "Graphs from files and generators",
        "lagraph_gpu.io": "Graph files",
        "lagraph_gpu.generate": "Generators of edge lists",
        "lagraph_gpu.generate.kronecker_edges": "Kronecker graphs in two steps",
        "lagraph_gpu.algorithms.paths.contraction": "Contractions",
        "lagraph_gpu.draw.pictures": "Pictures",
        "lagraph_gpu.draw.layouts": "Layouts",
        "lagraph_gpu.viz": "Pictures of matrices",
    },
    "Searches and paths": dict.fromkeys(
        ["traversal.bfs", "paths.sssp", "paths.distances", "paths.paired_distances",
         "paths.contract", "paths.eccentricity", "paths.point_to_point", "paths.path",
         "paths.floyd_warshall", "traversal.dfs", "traversal.random_walks"], ""
    ),
    "Centrality": dict.fromkeys(
        [f"centrality.{name}" for name in ("pagerank", "hits", "eigenvector", "katz", "degree",
         "closeness", "betweenness")], ""
    ),
    "Communities and density": dict.fromkeys(
        ["structure.density", "structure.triangles", "structure.clustering", "structure.k_core",
         "structure.k_truss",
         "community.label_propagation", "community.louvain", "community.leiden",
         "community.modularity",
         "similarity.similarity"], ""
    ),
    "Components, trees, orders, pairs": dict.fromkeys(
        ["structure.components", "structure.connected", "structure.scc", "structure.spanning_tree",
         "traversal.topological", "paths.longest_path", "structure.bipartite",
         "structure.matching", "structure.independent_set"], ""
    ),
    MORE: {},
    "GraphBLAS": {
        "lagraph_gpu.closure": "The closure",
        "lagraph_gpu.notation.vector": "Vectors",
        "lagraph_gpu.notation.matrix": "Matrices",
        "lagraph_gpu.notation.scalar": "Scalars",
        "lagraph_gpu.notation.mask": "Masks",
        "lagraph_gpu.notation.infix": "Methods and signs of containers",
        "lagraph_gpu.notation.tiles": "Matrices from tiles",
        "lagraph_gpu.notation.suitesparse": "Entries in turn, and as SuiteSparse's arrays",
        "lagraph_gpu.notation.namespaces": "Operators by name",
        "lagraph_gpu.notation.aggregators": "Aggregators",
    },
    "The algebra": {
        "semirings.custom": "Your own algebra",
        "semirings.parameterized": "Operators with parameters",
        "semirings.laws": "Laws",
        "semirings.algebra": "Operators, monoids, semirings",
        "semirings.catalogue": "The catalogue",
        "semirings.expression": "The language of expressions",
        "semirings.types": "Types",
    },
    "SciPy's names": {
        "lagraph_gpu.csgraph.paths": "Shortest paths",
        "lagraph_gpu.csgraph.traversal": "Traversals and components",
        "lagraph_gpu.csgraph.trees": "Spanning trees and matchings",
        "lagraph_gpu.csgraph.scipy_functions": "What SciPy does itself",
    },
    "Choosing, looking, checking": {
        "lagraph_gpu.backend": "Choosing a backend",
        "lagraph_gpu.schedule": "Schedules",
        "lagraph_gpu.planning.explain": "What was chosen, and what it cost",
        "lagraph_gpu.planning.trace": "Looking at a traversal",
        "lagraph_gpu.notation.recorder": "Statements as text",
        "lagraph_gpu.planning.direction": "The planner",
        "lagraph_gpu.planning.closure_order": "The planner of closures",
        "lagraph_gpu.planning.many_sources": "The planner of searches from many sources",
        "lagraph_gpu.planning.panels": "The planner of panels of columns",
        "lagraph_gpu.planning.masked_product": "The planner of products within a mask",
        "lagraph_gpu.verify": "Verifying results",
        "lagraph_gpu.errors": "Errors",
    },
}  # fmt: skip

SHOWN: dict[str, tuple[str, ...]] = {
    "lagraph_gpu.notation.aggregators": ("Aggregator",),
    "lagraph_gpu.backend": ("backend", "set_backend"),
    "lagraph_gpu.closure": ("closure", "closure_with_rounds"),
    "lagraph_gpu.algorithms.paths.contraction": ("Contraction", "Factor"),
    "lagraph_gpu.csgraph.scipy_functions": (
        "reconstruct_path", "construct_dist_matrix", "csgraph_from_dense", "csgraph_to_dense",
        "csgraph_masked_from_dense", "csgraph_from_masked", "csgraph_to_masked", "laplacian",
        "reverse_cuthill_mckee", "min_weight_full_bipartite_matching", "maximum_flow", "yen",
    ),
    "lagraph_gpu.csgraph.paths": (
        "shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall",
    ),
    "lagraph_gpu.csgraph.traversal": (
        "breadth_first_order", "breadth_first_tree", "connected_components",
        "depth_first_order", "depth_first_tree",
    ),
    "lagraph_gpu.csgraph.trees": (
        "minimum_spanning_tree", "maximum_bipartite_matching", "structural_rank",
    ),
    "lagraph_gpu.generate.kronecker_edges": ("Drawn",),
    "lagraph_gpu.planning.explain": ("explain", "Explanation"),
    "lagraph_gpu.generate": ("Draw", "kronecker", "grid", "grid_from_mask", "random_graph"),
    "lagraph_gpu.graph.graph": ("Graph",),
    "lagraph_gpu.notation.infix": ("Operations", "MatrixProducts"),
    "lagraph_gpu.notation.mask": ("Mask",),
    "lagraph_gpu.notation.matrix": ("Matrix",),
    "lagraph_gpu.notation.namespaces": (),
    "lagraph_gpu.notation.recorder": ("Recorder",),
    "lagraph_gpu.notation.scalar": ("Scalar",),
    "lagraph_gpu.schedule": ("Schedule",),
    "lagraph_gpu.planning.trace": ("trace", "Step", "Choice", "Traffic"),
    "lagraph_gpu.notation.vector": ("Vector",),
    "semirings.catalogue": (),
    "semirings.expression": ("parse", "Expression", "ExpressionError"),
    "semirings.laws": ("check_laws", "LawError"),
    "semirings.parameterized": ("Parameterized",),
    "semirings.types": ("lookup", "name", "unify"),
}  # fmt: skip
"""What a page shows where that is not all that the module says is public."""


def chapters() -> dict[str, dict[str, str]]:
    """CHAPTERS with the algorithms' full names and titles."""
    left = dict.fromkeys(sorted({home for home, _ in exported()}))
    made: dict[str, dict[str, str]] = {}
    for chapter, modules in CHAPTERS.items():
        made[chapter] = {}
        for module, title in modules.items():
            home = module if title else ALGORITHMS + module
            left.pop(home, None)
            made[chapter][home] = title or first_words(home)
    made[MORE] |= {home: first_words(home) for home in left}
    return {chapter: modules for chapter, modules in made.items() if modules}


def exported() -> list[tuple[str, str]]:
    """The functions and classes that the package exports: the module of each, and its name."""
    import lagraph_gpu

    things = {name: getattr(lagraph_gpu, name) for name in lagraph_gpu.__all__}
    named = {n: inspect.unwrap(t) for n, t in things.items() if hasattr(t, "__qualname__")}
    return [(thing.__module__, n) for n, thing in named.items()]


def first_words(home: str) -> str:
    first = (importlib.import_module(home).__doc__ or home).split("\n\n")[0]
    return " ".join(re.split(r"[:.;(]", first)[0].split())


def names(module: ModuleType) -> list[str]:
    """The full names of a page: SHOWN; else, where CHAPTERS has no title, what the package exports
    of the module; else its __all__ or its own functions and classes.
    """
    titled = {home for modules in CHAPTERS.values() for home, title in modules.items() if title}
    if module.__name__ in SHOWN:
        listed = list(SHOWN[module.__name__])
    elif module.__name__ not in titled:
        listed = [name for home, name in exported() if home == module.__name__]
    else:
        listed = sorted(getattr(module, "__all__", own(module)), key=str.lower)
    return [f"{package_of(module, name)}.{name}" for name in listed]


def own(module: ModuleType) -> list[str]:
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(thing) or inspect.isclass(thing))
        and thing.__module__ == module.__name__
        and inspect.getdoc(thing)
    ]


def package_of(module: ModuleType, name: str) -> str:
    """Where a reader imports it from."""
    here = inspect.unwrap(getattr(module, name))
    for package in map(importlib.import_module, PACKAGES):
        exported = name in package.__all__ and module.__name__ != "lagraph_gpu.errors"
        if exported and inspect.unwrap(getattr(package, name)) is here:
            return package.__name__
    return module.__name__


# --- pages ---------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    made = {"index.md": index()}
    for modules in chapters().values():
        for home, title in modules.items():
            made[f"{home}.md"] = page(importlib.import_module(home), title)
    return made


def index() -> str:
    parts = [
        "# Reference",
        "Everything that is public, made from the docstrings; the tests run the examples in them. "
        "Names without a prefix are those of `lagraph_gpu`. The page of an algorithm begins with "
        "its mathematics and sources.",
    ]
    for chapter, modules in chapters().items():
        links = "\n".join(f"{title} <{home}>" for home, title in modules.items())
        contents = f"```{{toctree}}\n:hidden:\n:caption: {chapter}\n\n{links}\n```"
        listed = [name for home in modules for name in names(importlib.import_module(home))]
        rows = "\n   ".join(short(name) for name in listed)
        table = rst(f".. autosummary::\n   :nosignatures:\n\n   {rows}")
        more = [f"[{title}]({home}.md)" for home, title in modules.items() if SHOWN.get(home) == ()]
        parts += [f"## {chapter}", contents, table]
        parts += [f"Lists: {', '.join(more)}."] if more else []
    return "\n\n".join(parts) + "\n"


def short(name: str) -> str:
    """The package's own names without its name."""
    return f"~{name}" if name.startswith("lagraph_gpu.") and name.count(".") == 1 else name


def page(module: ModuleType, title: str) -> str:
    parts = [
        f"# {title}",
        rst(f".. automodule:: {module.__name__}\n   :no-members:\n   :no-index:"),
    ]
    for name in names(module):
        home, _, last = name.rpartition(".")
        thing = getattr(importlib.import_module(home), last)
        kind = "exception" if is_exception(thing) else "class" if inspect.isclass(thing) else ""
        directive = f".. auto{kind or 'function'}:: {home}::{last}"
        if kind == "class":
            directive += "\n   :members:\n   :inherited-members: object"
        parts.append(rst(f"{directive}\n\n.. minigallery:: {name}"))
    special = {"semirings.catalogue": catalogue, "lagraph_gpu.notation.namespaces": namespaces}
    if module.__name__ in special:
        parts += special[module.__name__](module)
    return "\n\n".join(parts) + "\n"


def is_exception(thing: Any) -> bool:
    return inspect.isclass(thing) and issubclass(thing, Exception)


def rst(text: str) -> str:
    """Sphinx' directives for Python read docstrings as reStructuredText."""
    return f"```{{eval-rst}}\n{text}\n```"


def catalogue(module: ModuleType) -> list[str]:
    """The semirings with the facts that schedules rest on."""
    rows = ["| semiring | ⊕ | ⊗ | ordered | types |", "| --- | --- | --- | --- | --- |"]
    semirings = module.SEMIRINGS
    for name in sorted(semirings):
        s = semirings[name]
        ordered = f"`{s.ordered}`" if s.ordered else ""
        formula = s.multiply.expression.replace("|", "\\|")
        rows.append(f"| `{name}` | {s.monoid.name} | `{formula}` | {ordered} | {len(s.domain)} |")
    intro = (
        f"{len(semirings)} semirings; each can be imported by name from `semirings`. ⊗ is given as "
        "its expression over x and y, or the positions i, k, j of the product "
        "z(i,j) = ⊕ₖ x(i,k) ⊗ y(k,j). *ordered* is the condition under which ⊗ never improves on "
        "its left operand; *types* is how many of the thirteen types it is defined for."
    )
    return ["## All of them", intro, "\n".join(rows)]


def namespaces(module: ModuleType) -> list[str]:
    """Every name of every namespace."""
    from semirings.names import REGISTERED

    own = {name for table in REGISTERED.values() for name in table}  # of whoever calls this
    parts = []
    for name in sorted(module.__all__):
        space = getattr(module, name)
        if isinstance(space, module.Namespace):
            listed = [n for n in space._names() if n not in own]
            held = ", ".join(f"`{n}`" for n in listed)
            many = name in ("semiring", "op")  # which the catalogue lists
            parts += [f"## `{name}`", f"{len(listed)} names." if many else held + "."]
    intro = (
        "Of `unary`, `binary`, `indexunary`, `select`, `monoid`, `semiring` and `agg` only "
        "`ss.register_new` is missing, which compiles C. A test compares the names with those of "
        "the installed python-graphblas."
    )
    return [*parts, "## What is missing", intro]


def main() -> None:
    made = pages()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(made)} pages in docs/reference")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
