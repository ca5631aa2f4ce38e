"""The laws of every monoid and semiring over every type, and the checker on liars.

Hypothesis draws the values, edge values among them; `check_laws` is run over the whole catalogue
besides. For each law there is a record that claims it falsely and must be caught.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from semirings import (
    BINARY,
    MONOIDS,
    SEMIRINGS,
    LawError,
    binary,
    check_laws,
    laws,
    min_plus,
    monoid,
    plus_times,
    semiring,
    types,
)

OPERATORS = [op for op in BINARY.values() if op.commutative or op.associative]
RECORDS: list[Any] = [*OPERATORS, *MONOIDS.values(), *SEMIRINGS.values()]
CLAIMS = [claim for it in RECORDS for dtype in it.domain for claim in laws.claims(it, dtype)]
DISTINCT = list(dict.fromkeys(CLAIMS))  # semirings share their monoids' claims


def values(claim: laws.Claim) -> st.SearchStrategy[Any]:
    edges = st.sampled_from(list(claim.grid))
    return edges if claim.bounded else edges | hnp.from_dtype(np.dtype(claim.dtype))


def everywhere(claim: laws.Claim) -> Any:
    """All triples of a claim's edge values that violate it."""
    x, y, z = (grid.ravel() for grid in np.meshgrid(claim.grid, claim.grid, claim.grid))
    return np.stack([x, y, z])[:, claim.violations(x, y, z)]


@settings(max_examples=2000, deadline=None)
@given(data=st.data(), claim=st.sampled_from(DISTINCT))
def test_claimed_laws_hold(data: st.DataObject, claim: laws.Claim) -> None:
    one = values(claim)
    x, y, z = (np.array([data.draw(one)], claim.dtype) for _ in range(3))
    assert not claim.violations(x, y, z).any(), (claim, x, y, z)


def test_claimed_laws_hold_on_all_edge_values() -> None:
    for claim in DISTINCT:
        bad = everywhere(claim)
        assert not bad.size, (claim, bad[:, :3])


def test_every_law_is_claimed_by_someone() -> None:
    assert {claim.law.name for claim in DISTINCT} == {law.name for law in laws.LAWS}


MIN, PLUS = BINARY["min"], BINARY["plus"]
SUM = MONOIDS["plus"]
LEAST = MONOIDS["min"]
LIARS: dict[str, list[Any]] = {
    "associative": [
        replace(BINARY["minus"], associative=True),
        replace(SUM, op=BINARY["minus"], commutative=False),
        monoid("(x + y) / 2", 0),
        binary("x - y", associative=True),
    ],
    "commutative": [
        replace(BINARY["minus"], commutative=True),
        replace(
            LEAST,
            op=BINARY["second"],
            identity_rule=0,
            terminal_rule=None,
            idempotent=False,
            selective=False,
        ),
    ],
    "an identity": [
        replace(SUM, identity_rule=1),
        replace(LEAST, identity_rule=100),
        replace(LEAST, identity_rule="lowest"),
    ],
    "a start": [replace(SUM, identity_rule=1), monoid("max(x, y)", 0, domain=["INT32"])],
    "terminal": [
        replace(SUM, terminal_rule=0),
        replace(LEAST, terminal_rule=0),
        replace(LEAST, terminal_rule="highest"),
    ],
    "idempotent": [replace(SUM, idempotent=True)],
    "selective": [
        replace(SUM, selective=True),
        replace(MONOIDS["band"], selective=True),
    ],
    "distributive": [
        replace(SEMIRINGS["plus_first"], distributive=True),
        replace(SEMIRINGS["min_minus"], distributive=True),
        replace(SEMIRINGS["lxor_lor"], distributive=True),
        replace(SEMIRINGS["min_times"], carrier=None),
    ],
    "ordered": [
        replace(min_plus, ordered="always"),
        replace(min_plus, ordered="y >= -1"),
        replace(SEMIRINGS["max_plus"], ordered="y >= 0"),
        replace(SEMIRINGS["min_second"], ordered="always"),
        semiring(LEAST, "x * y", ordered="y >= 1", distributive=True, carrier="x >= -1"),
    ],
    "closed": [replace(min_plus, carrier="x <= 2", distributive=False, ordered=None)],
}


@pytest.mark.parametrize("law", LIARS)
def test_liars_are_caught(law: str) -> None:
    """Every false claim is found, and where that law is looked at alone, by that law."""
    for liar in LIARS[law]:
        with pytest.raises(LawError) as caught:
            check_laws(liar)
        assert "withdraw the claim" in str(caught.value)
        stated = [c for dtype in liar.domain for c in laws.claims(liar, dtype)]
        assert any(everywhere(c).size for c in stated if c.law.name == law), (law, liar)


def test_all_laws_have_a_liar() -> None:
    assert set(LIARS) == {law.name for law in laws.LAWS}


def test_check_laws_accepts_the_catalogue() -> None:
    for name in ("min_plus", "max_min", "lor_land", "plus_times", "any_pair", "min_secondi"):
        check_laws(SEMIRINGS[name])


def test_laws_are_for_the_carrier_alone() -> None:
    """Zero is no identity of max, but it is among numbers that are not negative."""
    largest = monoid("max(x, y)", 0, idempotent=True, selective=True, domain=["FP64"])
    facts: dict[str, Any] = {"distributive": True, "ordered": "y <= 1"}
    check_laws(semiring(largest, "x * y", carrier="x >= 0", **facts))
    with pytest.raises(LawError, match="identity"):
        check_laws(semiring(largest, "x * y", **facts))


def test_a_counterexample_is_named() -> None:
    with pytest.raises(LawError) as caught:
        check_laws(replace(plus_times, monoid=replace(SUM, idempotent=True)), ["INT8"])
    error = caught.value
    assert error.law == "idempotent" and error.dtype == types.INT8
    x = error.counterexample[0]
    assert PLUS.evaluate(x, x) != x
    assert "INT8" in str(error) and "x ⊕ x = x" in str(error)


@pytest.mark.parametrize("dtype", types.FLOATS)
@pytest.mark.parametrize("name", ["min", "max"])
def test_starts_of_min_and_max_over_floats(name: str, dtype: np.dtype[Any]) -> None:
    """A fold of NaNs alone stays NaN, and the bits lose every integer comparison."""
    start = MONOIDS[name].start(dtype)
    fold = MONOIDS[name].op.evaluate(start, np.array([np.nan, np.inf, -np.inf, 1.0], dtype))
    assert laws.same(fold, [np.nan, np.inf, -np.inf, 1.0]).all()
    bits = start.view(f"i{dtype.itemsize}")
    assert bits == (np.iinfo(bits.dtype).max if name == "min" else -1)


@settings(max_examples=800, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(MONOIDS)))
@example(data=None, name="min")
def test_a_fold_from_the_start_is_the_fold(data: Any, name: str) -> None:
    it = MONOIDS[name]
    if data is None:
        folded = np.array([np.nan, np.nan], np.float32)
    else:
        dtype = np.dtype(data.draw(st.sampled_from(it.domain)))
        folded = data.draw(hnp.arrays(dtype, st.integers(1, 5), elements=hnp.from_dtype(dtype)))
    if it.is_any:
        return
    operand = it.operand(folded.dtype)
    from_start = it.fold(np.concatenate([[it.start(operand)], types.cast(folded, operand)]))
    assert laws.same(from_start, it.fold(folded))


@pytest.mark.parametrize("name", sorted(BINARY))
def test_numbers_are_evaluated_like_arrays(name: str) -> None:
    """Two numbers of one type take a shorter way than arrays."""
    op = BINARY[name]
    for dtype in () if op.positional else op.domain:
        values = [types.cast(x, dtype) for x in (0, 1, 3, -2, 0.5, np.nan, 120)]
        for x in values:
            for y in values:
                one = op.evaluate(x, y, dtype=dtype)
                several = op.evaluate(np.array([x]), np.array([y]), dtype=dtype)
                assert one.dtype == several.dtype and one.tobytes() == several[0].tobytes()
