"""Write `lagraph_gpu/__init__.pyi`, which tells type checkers and editors of `progress=`.

    python docs/make_stub.py

Every public function of a graph takes `progress=` (`reporting.add_progress` adds it
when the package is imported), so it does not stand in the functions themselves. The stub repeats
their signatures with it; all other names are those of the modules. `tests/test_types.py` says if it
is out of date.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lagraph_gpu" / "__init__.py"
STUB = PACKAGE.with_suffix(".pyi")

HEAD = '"""Made by docs/make_stub.py: the public names, with `progress=`."""\n'


def stub() -> str:
    """The text of the stub, formatted."""
    tree = ast.parse(PACKAGE.read_text(encoding="utf-8"))
    imports: set[tuple[str, str]] = {
        ("typing", "overload"), ("typing", "Any"), ("collections.abc", "Callable"),
        ("lagraph_gpu.convert.options", "Vertex"),
    }  # fmt: skip
    kept: dict[str, str] = {}
    made: list[str] = []
    public = next(n for n in tree.body if isinstance(n, ast.Assign) and named(n) == "__all__")
    exported = {*ast.literal_eval(public.value), "core"}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        for alias in node.names:
            if alias.name not in exported:
                continue
            found = signatures(node.module, alias.name)
            if found is None:
                kept[alias.name] = f"from {node.module} import {alias.name} as {alias.name}"
            else:
                made += found[0]
                imports |= found[1]
    needed = {name: module for module, name in imports if name not in kept}
    lines = [
        f"from {module} import {name}" if module else f"import {name}"
        for name, module in sorted(needed.items())
    ]
    kind = "_Progress = bool | Callable[[int, Any], Any] | None"
    head = [HEAD, *lines, *kept.values(), kind, "__version__: str", ast.unparse(public)]
    return formatted("\n".join([*head, *made]) + "\n")


def named(node: ast.Assign) -> str:
    return node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""


def signatures(module: str, name: str) -> tuple[list[str], set[tuple[str, str]]] | None:
    """The signatures of a function of a graph, and what they import; None for anything else."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    same = {named(n): n.value.id for n in tree.body
            if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name)}  # fmt: skip
    called = same.get(name, name)
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == called]
    if not found or not takes_a_graph(found[-1]):
        return None
    for one in found:
        one.name = name
    overloads = [n for n in found if "overload" in map(ast.unparse, n.decorator_list)]
    texts = [text_of(node) for node in overloads or found]
    words = {
        n.id for text in texts for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)
    } | {n.value.id for text in texts for n in ast.walk(ast.parse(text))
         if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}  # fmt: skip
    return texts, {item for item in imported(tree) if item[1].split(" as ")[-1] in words} | {
        (module, node.name if isinstance(node, ast.ClassDef) else named(node))
        for node in tree.body
        if (isinstance(node, ast.ClassDef) and node.name in words)
        or (isinstance(node, ast.Assign) and named(node) in words)
    }


def takes_a_graph(node: ast.FunctionDef) -> bool:
    first = next(iter(node.args.args), None)
    return first is not None and first.annotation is not None and first.arg == "G" and (
        ast.unparse(first.annotation) == "Graph"
    )  # fmt: skip


def imported(tree: ast.Module) -> set[tuple[str, str]]:
    """What a module imports, also for the type checker alone."""
    return {
        (node.module, alias.name if alias.asname is None else f"{alias.name} as {alias.asname}")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__"
        for alias in node.names
    } | {
        ("", alias.name if alias.asname is None else f"{alias.name} as {alias.asname}")
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def text_of(node: ast.FunctionDef) -> str:
    """The signature with `progress=`, without a body."""
    decorators = [ast.unparse(d) for d in node.decorator_list]
    has = "progress" in [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
    if not has:
        node.args.kwonlyargs.append(ast.arg("progress", ast.Name("_Progress", ast.Load())))
        node.args.kw_defaults.append(ast.Constant(None))
    node.args.defaults = [*map(plain, node.args.defaults)]
    node.args.kw_defaults = [None if d is None else plain(d) for d in node.args.kw_defaults]
    node.body = [ast.Expr(ast.Constant(...))]
    if "from_sources" not in decorators:
        node.decorator_list = [d for d in node.decorator_list if ast.unparse(d) == "overload"]
        return ast.unparse(ast.fix_missing_locations(node))
    parts = []
    for source, result in (("Vertex", "Vector"), ("None", "Matrix")):
        one = ast.parse(ast.unparse(ast.fix_missing_locations(node))).body[0]
        assert isinstance(one, ast.FunctionDef)
        at = [a.arg for a in one.args.args].index("source")
        one.args.args[at].annotation = ast.Name(source, ast.Load())
        if source == "Vertex":  # it has to be given, and what follows has a default
            after = len(one.args.args) - at - 1
            one.args.defaults = one.args.defaults[len(one.args.defaults) - after :]
        one.decorator_list = [ast.Name("overload", ast.Load())]
        one.returns = ast.parse(f"tuple[{result}, {result}]", mode="eval").body
        parts.append(ast.unparse(ast.fix_missing_locations(one)))
    return "\n".join(parts)


def plain(default: ast.expr) -> ast.expr:
    """The default if a reader of the stub understands it."""
    try:
        ast.literal_eval(default)
    except ValueError:
        return ast.Constant(...)
    return default


def formatted(text: str) -> str:
    """The text as ruff sorts and formats it."""
    for command in (["check", "--fix", "--quiet", "--select", "I,F401"], ["format"]):
        text = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(STUB), "-"],
            input=text, capture_output=True, text=True, check=True, cwd=ROOT,
        ).stdout  # fmt: skip
    return text


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    STUB.write_text(stub(), encoding="utf-8")
