"""Makes docs/reference/ from the docstrings: one page for each module of the public interface.

    python docs/make_reference.py

The pages hold what the code says and nothing else, so that they cannot drift from it;
`tests/test_docs.py` checks that the committed ones are what this script makes.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import importlib.util
import inspect
import re
import typing
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parent / "reference"

HEAD = "<!-- Made by docs/make_reference.py; change the docstrings. -->\n<!-- fmt: off -->\n"

LENT = (
    "reconstruct_path",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_to_dense",
    "csgraph_masked_from_dense",
    "csgraph_from_masked",
    "csgraph_to_masked",
    "laplacian",
    "reverse_cuthill_mckee",
    "min_weight_full_bipartite_matching",
    "maximum_flow",
    "yen",
)


def algorithms() -> dict[str, tuple[str, tuple[str, ...]]]:
    """A page for each file of algorithms: its public functions, under the head of its docstring."""
    import lagraph_gpu

    shown: dict[str, list[str]] = {}
    for name in lagraph_gpu.__all__:
        home = getattr(getattr(lagraph_gpu, name), "__module__", "")
        if home.startswith("lagraph_gpu.algorithms."):
            shown.setdefault(home, []).append(name)
    found = {}
    for home, names in sorted(shown.items()):
        first = (importlib.import_module(home).__doc__ or home).split("\n\n")[0]
        found[home] = (" ".join(re.split(r"[:.;]", first)[0].split()), tuple(names))
    return found


# page -> (title, module, the names it shows; None: what the module says is public)
MODULES: dict[str, tuple[str, tuple[str, ...] | None]] = {
    "lagraph_gpu": ("The package and its names", ()),
    "lagraph_gpu.graph": ("Graphs", ("Graph",)),
    **algorithms(),
    "lagraph_gpu.csgraph.paths": (
        "SciPy's names: shortest paths",
        ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"),
    ),
    "lagraph_gpu.csgraph.traversal": (
        "SciPy's names: traversals and components",
        (
            "breadth_first_order",
            "breadth_first_tree",
            "connected_components",
            "depth_first_order",
            "depth_first_tree",
        ),
    ),
    "lagraph_gpu.csgraph.trees": (
        "SciPy's names: spanning trees and matchings",
        ("minimum_spanning_tree", "maximum_bipartite_matching", "structural_rank"),
    ),
    "lagraph_gpu.csgraph.lent": ("SciPy's names: what SciPy does itself", LENT),
    "lagraph_gpu.closure": ("The closure", ("closure", "closure_with_steps")),
    "lagraph_gpu.vector": ("Vectors", ("Vector",)),
    "lagraph_gpu.matrix": ("Matrices", ("Matrix",)),
    "lagraph_gpu.scalar": ("Scalars", ("Scalar",)),
    "lagraph_gpu.infix": ("Methods and signs of containers", ("Operations", "MatrixProducts")),
    "lagraph_gpu.namespaces": ("Operators by name", ()),
    "lagraph_gpu.aggregators": ("Aggregators", ("Aggregator",)),
    "lagraph_gpu.backend": ("Choosing a backend", ("backend", "set_backend")),
    "lagraph_gpu.schedule": ("Schedules", ("Schedule",)),
    "lagraph_gpu.plan": ("The planner", None),
    "lagraph_gpu.explain": ("What was chosen, and what it cost", ("Explanation", "explain")),
    "lagraph_gpu.trace": ("Looking at a traversal", ("Choice", "Cost", "Step", "trace")),
    "lagraph_gpu.errors": ("Errors", None),
    "lagraph_gpu.sources": ("Graphs from files and generators", None),
    "lagraph_gpu.generators": ("Generators of edge lists", None),
    "lagraph_gpu.drawn": ("Kronecker graphs in two steps", None),
    "lagraph_gpu.io": ("Graph files", None),
    "lagraph_gpu.verify": ("Verifying results", None),
    "semirings": ("The algebra", ()),
    "semirings.algebra": ("Operators, monoids, semirings", None),
    "semirings.custom": ("Your own algebra", None),
    "semirings.laws": ("Laws", ("check_laws", "LawError")),
    "semirings.expression": ("The language of expressions", ("Expression", "parse")),
    "semirings.types": ("Types", ("lookup", "name", "unify")),
    "semirings.catalogue": ("The catalogue", ()),
}


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    made = {}
    for name, (title, shown) in MODULES.items():
        if importlib.util.find_spec(name) is not None:
            module = importlib.import_module(name)
            made[f"{name}.md"] = page(module, title, shown)
    made["index.md"] = index(made)
    return made


def index(made: dict[str, str]) -> str:
    lines = [
        HEAD + "# Reference",
        "",
        "Made from the docstrings by `docs/make_reference.py`.",
        "",
        "| module | what |",
        "| --- | --- |",
    ]
    lines += [
        f"| [`{name}`]({name}.md) | {title} |"
        for name, (title, _) in MODULES.items()
        if f"{name}.md" in made
    ]
    return "\n".join(lines) + "\n"


def page(module: ModuleType, title: str, shown: tuple[str, ...] | None) -> str:
    parts = [HEAD + f"# {title}: `{module.__name__}`", markdown(module.__doc__)]
    names = public(module) if shown is None else shown
    told: dict[Any, str] = {}  # members already described on this page, and under which class
    for name in names:
        thing = getattr(module, name)
        if inspect.isclass(thing):
            parts += klass(thing, told)
        elif callable(thing):
            parts += [f"## `{name}`", signature(name, thing), markdown(inspect.getdoc(thing))]
    special = {
        "semirings.catalogue": catalogue, "lagraph_gpu.namespaces": namespaces,
        "lagraph_gpu": package, "semirings": package,
    }  # fmt: skip
    parts += special.get(module.__name__, lambda _: [])(module)
    return "\n\n".join(part for part in parts if part) + "\n"


def public(module: ModuleType) -> list[str]:
    """What __all__ says, else the module's own functions and classes; in order of the alphabet."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [
            name
            for name, thing in vars(module).items()
            if not name.startswith("_")
            and (inspect.isfunction(thing) or inspect.isclass(thing))
            and thing.__module__ == module.__name__
        ]
    return sorted(listed, key=lambda n: (n.lower(), n))


# --- classes -------------------------------------------------------------------------------------


def klass(cls: type, told: dict[Any, str]) -> list[str]:
    base = [b.__name__ for b in cls.__bases__ if b not in (object, typing.Protocol)]
    parts = [f"## `{cls.__name__}`"]
    if issubclass(cls, Exception):
        return [*parts, f"Subclass of {' and '.join(f'`{b}`' for b in base)}.", own_doc(cls)]
    built = dataclasses.is_dataclass(cls) or "__init__" in vars(cls)
    if built and not issubclass(cls, enum.Enum):
        parts.append(signature(cls.__name__, cls))
    parts.append(own_doc(cls))
    shared: dict[str, list[str]] = {}
    for name, member in sorted(members(cls).items()):
        if member in told:
            shared.setdefault(told[member], []).append(f"`{name}`")
            continue
        told[member] = cls.__name__
        parts += [f"### `{cls.__name__}.{name}`", *described(cls.__name__, name, member)]
    parts += [f"As in `{other}`: {', '.join(same)}." for other, same in shared.items()]
    return parts


def own_doc(cls: type) -> str:
    """A class's docstring; the one that dataclasses makes up says nothing new."""
    doc = inspect.getdoc(cls) or ""
    return "" if doc.startswith(f"{cls.__name__}(") else markdown(doc)


def members(cls: type) -> dict[str, Any]:
    """Public methods and properties with a docstring, those of our own base classes included."""
    found: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__.split(".")[0] in ("lagraph_gpu", "semirings"):
            found |= {n: m for n, m in vars(owner).items() if not n.startswith("_")}
    return {n: m for n, m in found.items() if inspect.getdoc(unwrapped(m)) and not plain_value(m)}


def unwrapped(member: Any) -> Any:
    return getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def plain_value(member: Any) -> bool:
    kinds = (property, classmethod, staticmethod)
    return not (inspect.isfunction(member) or isinstance(member, kinds) or is_cached(member))


def is_cached(member: Any) -> bool:
    return type(member).__name__ == "cached_property"


def described(owner: str, name: str, member: Any) -> list[str]:
    if isinstance(member, property) or is_cached(member):
        getter = member.func if is_cached(member) else member.fget
        result = getter.__annotations__.get("return", "")
        kind = "Property" + (f", `{result}`." if result else ".")
        return [kind, markdown(inspect.getdoc(getter))]
    call = f"{owner}.{name}" if isinstance(member, (classmethod, staticmethod)) else name
    return [signature(call, unwrapped(member)), markdown(inspect.getdoc(unwrapped(member)))]


def signature(name: str, thing: Any) -> str:
    """The call as Python writes it, one parameter a line where it is long."""
    call = inspect.signature(thing)
    shown = [p for p in call.parameters.values() if p.name not in ("self", "cls")]
    bare = "*" if inspect.Parameter.VAR_POSITIONAL not in {p.kind for p in shown} else None
    spelled = []
    for p in shown:
        if p.kind is inspect.Parameter.KEYWORD_ONLY and bare:
            spelled.append(bare)
            bare = None
        spelled.append(parameter(p))
    returns = call.return_annotation
    known = returns is not inspect.Signature.empty and not inspect.isclass(thing)
    arrow = f" -> {annotation(returns)}" if known else ""
    text = f"{name}({', '.join(spelled)}){arrow}"
    if len(text) > 100:
        lines = "".join(f"    {line},\n" for line in spelled)
        text = f"{name}(\n{lines}){arrow}"
    return f"```text\n{text}\n```"


def parameter(p: inspect.Parameter) -> str:
    stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
    typed = f": {annotation(p.annotation)}" if p.annotation is not p.empty else ""
    if p.default is p.empty:
        return f"{stars}{p.name}{typed}"
    equals = " = " if typed else "="
    return f"{p.name}{typed}{equals}{value(p.default)}"


def annotation(of: Any) -> str:
    """Annotations are strings under ``from __future__ import annotations``."""
    return of if isinstance(of, str) else getattr(of, "__name__", str(of))


def value(default: Any) -> str:
    """A default as one would write it; never an address."""
    text = repr(default)
    if "0x" in text:
        return getattr(default, "__name__", "...")
    return text if len(text) <= 40 else "..."


# --- docstrings ----------------------------------------------------------------------------------


def markdown(doc: str | None) -> str:
    """A docstring as Markdown: examples and tables of plain text are set as they stand."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(doc or ""))
    return "\n\n".join(paragraph(block) for block in joined(blocks) if block)


def joined(blocks: list[str]) -> list[str]:
    """Examples that follow each other belong together."""
    out: list[str] = []
    for block in blocks:
        if out and block.startswith(">>>") and out[-1].startswith(">>>"):
            out[-1] += "\n\n" + block
        else:
            out.append(block)
    return out


def paragraph(block: str) -> str:
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```"
    aligned = re.search(r"^\S.*\S {2,}\S", block, re.MULTILINE) and "\n" in block
    if block.startswith("===") or aligned:
        return f"```text\n{block}\n```"
    return block


# --- two pages of their own kind -----------------------------------------------------------------


def package(module: ModuleType) -> list[str]:
    """Where each public name of a package is described."""
    home = {name: where(module, name) for name in sorted(module.__all__, key=str.lower)}
    rows = [f"| `{name}` | {at} |" for name, at in home.items() if at]
    return ["\n".join(["## Names", "", "| name | described in |", "| --- | --- |", *rows])]


def where(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    if inspect.ismodule(thing):
        found = thing.__name__
    else:
        found = getattr(thing, "__module__", "")
        if type(thing).__name__ == "Semiring":
            return ""  # the catalogue lists them
    known = found in MODULES
    return f"[`{found}`]({found}.md)" if known else f"`{found}`" if found else ""


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
        "its left operand; *types* is how many of the eleven types it is defined for."
    )
    return ["## All of them", intro, "\n".join(rows)]


def namespaces(module: ModuleType) -> list[str]:
    """Every name of every namespace, and what python-graphblas has besides."""
    from semirings.names import REGISTERED
    from semirings.operators import MISSING

    own = {name for table in REGISTERED.values() for name in table}  # of whoever calls this
    parts = []
    for name in sorted(module.__all__):
        space = getattr(module, name)
        if isinstance(space, module.Namespace):
            listed = [n for n in space._names() if n not in own]
            held = ", ".join(f"`{n}`" for n in listed)
            many = name in ("semiring", "op")  # which the catalogue lists
            parts += [f"## `{name}`", f"{len(listed)} names." if many else held + "."]
    rows = ["| python-graphblas | why it is not here |", "| --- | --- |"]
    rows += [f"| `{path}` | {why} |" for path, why in sorted(MISSING.items())]
    intro = (
        "Of `unary`, `binary`, `indexunary`, `select`, `monoid`, `semiring` and `agg` this is all, "
        "and `ss.register_new`, which compiles C. A test holds the list against the installed "
        "python-graphblas."
    )
    return [*parts, "## What is missing", intro, "\n".join(rows)]


def main() -> None:
    made = pages()
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(made)} pages in docs/reference")


if __name__ == "__main__":
    main()
