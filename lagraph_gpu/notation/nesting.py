"""How deep operations may lie within each other in one expression."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from lagraph_gpu.errors import TooLarge

DEEPEST = 24
"""How deep operations lie within each other before the inner ones are computed. Whatever looks at
an expression calls itself for its operands, and Python allows 1,000 such calls."""
OPERANDS = "left", "right", "operand", "vector"
"""The fields of a node that hold its operands."""


def keep_shallow(node: Any) -> None:
    """Compute the operands of a new node that are too deep, and note how deep the node is.

    Operations without an operator yet (`_bare`) stay: they are computed with the one that they are
    given. The node is new, so its fields may still change, though its class is frozen.
    """
    fields, deepest = node.__dict__, 0
    for name in OPERANDS:
        depth = getattr(fields.get(name), "_depth", 0)
        if type(depth) is not int:  # of an object that has every attribute
            depth = 0
        if depth >= DEEPEST and not fields[name]._bare:
            fields[name], depth = fields[name].new(), 0
        if depth > 5 * DEEPEST:
            raise TooLarge(
                f"expected at most {5 * DEEPEST} operations without an operator within each "
                "other, got more; put an operator around some of them, as in plus(u | v)"
            )
        deepest = max(deepest, depth)
    fields["_depth"] = deepest + 1


def always_shallow(kind: Any) -> None:
    """Let `__post_init__` of a class of expressions with operands begin with `keep_shallow`.

    Containers as operands need no such step. They are the most frequent, and have depth 0.
    """
    check = kind.__dict__.get("__post_init__")
    names = [name for name in inspect.get_annotations(kind) if name in OPERANDS]
    if check is None or not names:
        return

    @functools.wraps(check)
    def checked(node: Any) -> None:
        fields = node.__dict__
        for name in names:
            if getattr(fields.get(name), "_depth", 0):
                keep_shallow(node)
                break
        check(node)

    kind.__post_init__ = checked
