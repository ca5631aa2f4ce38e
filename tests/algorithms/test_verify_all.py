"""Every public algorithm has a verifier, and every verifier can be imported and says what for."""

from __future__ import annotations

import inspect
import re

import lagraph_gpu as lg
from lagraph_gpu import verify

SAID = {name: inspect.getdoc(getattr(verify, name)) or "" for name in verify.__all__}


def algorithms() -> list[str]:
    """The functions that the package exports from its algorithms and that compute something."""
    found = {name: inspect.unwrap(getattr(lg, name)) for name in lg.__all__}
    functions = [name for name, thing in found.items() if inspect.isfunction(thing)]
    return [f for f in functions if found[f].__module__.startswith("lagraph_gpu.algorithms.")
            and f != "memory_needed"]  # fmt: skip


def test_every_algorithm_has_a_verifier() -> None:
    """Some verifier's text names it."""
    named = {name for text in SAID.values() for name in re.findall(r"`(\w+)`", text)}
    assert sorted(set(algorithms()) - named) == []


def test_every_verifier_names_what_it_judges() -> None:
    of_others = {"Rules", "Sample", "Verifier", "verify_min_plus", "verify_negative_cycle"}
    for name in sorted(SAID.keys() - of_others):
        assert {*re.findall(r"`(\w+)`", SAID[name])} & {*algorithms()}, name
