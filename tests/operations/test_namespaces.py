"""The namespaces against python-graphblas' own: every name, and every way to come to it."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, LagraphError, WrongType
from lagraph_gpu.notation.aggregators import AGGREGATORS, Aggregator
from semirings import BINARY, MONOIDS, SEMIRINGS, types

gb = pytest.importorskip("graphblas")

KINDS = ("unary", "binary", "monoid", "semiring", "indexunary", "select", "agg", "op")


def public(space: Any) -> set[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return {n for n in dir(space) if n[0] != "_" and not isinstance(getattr(space, n), type)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_is_there(kind: str) -> None:
    ours, theirs = getattr(lg, kind), getattr(gb, kind)
    missing = {"numpy"} if kind == "op" else set()
    assert public(theirs) - public(ours) <= missing
    for name in public(theirs) & public(ours):
        assert getattr(ours, name) is not None
    if hasattr(theirs, "ss"):
        for name in public(theirs.ss) - {"register_new"}:  # which compiles C
            assert name in ours.ss and getattr(ours.ss, name) is getattr(ours, name)


def test_modules() -> None:
    """`from lagraph_gpu.semiring import min_plus` in a fresh interpreter; a module like another."""
    assert importlib.import_module("lagraph_gpu.binary") is lg.binary
    program = "from lagraph_gpu.semiring import min_plus; from lagraph_gpu.agg import mean; " \
              "import lagraph_gpu.unary as u; print(min_plus.name, mean, u.sqrt.name)"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["min_plus", "agg.mean", "sqrt"], done.stderr


def test_aggregators_travel() -> None:
    for aggregator in AGGREGATORS.values():
        assert pickle.loads(pickle.dumps(aggregator)) is aggregator is copy.copy(aggregator)
        dtype = aggregator.domain[-1]
        assert pickle.loads(pickle.dumps(aggregator[dtype])) == aggregator[dtype]
    own = Aggregator("sum", monoid="max")  # not the one of that name
    assert pickle.loads(pickle.dumps(own)) == own != lg.agg.sum


def test_types() -> None:
    assert np.int8 == lg.dtypes.INT8 and lg.dtypes.lookup_dtype("FP32") == np.float32
    assert lg.dtypes.unify("INT8", "UINT8") == types.INT16
    assert {n for n in dir(gb.dtypes) if n.isupper() and n[0] != "_"} <= set(dir(lg.dtypes))
    assert np.complex128 == lg.dtypes.FC64 and lg.dtypes.FC64.gb_name == gb.dtypes.FC64.gb_name


STRINGS = {
    "unary": ["-", "~", "abs", "sqrt[int]"],
    "binary": ["<", ">=", "==", "+", "-", "*", "/", "**", "&", "|", "^", "plus", "+[int]", "%"],
    "monoid": ["==", "+", "*", "&", "|", "^", "min", "max[float]"],
    "semiring": ["min.+", "min_plus", "plus.times[int]", "max.plus", "&.|"],
    "select": ["<", "!=", "col<=", "row>", "index<=", "tril"],
    "indexunary": ["rowindex", "colindex"],
}


@pytest.mark.parametrize("kind", STRINGS)
def test_strings(kind: str) -> None:
    for spelling in STRINGS[kind]:
        ours = getattr(lg, kind).from_string(spelling)
        theirs = getattr(gb, kind).from_string(spelling)
        assert ours.name.replace("index", "row") == theirs.name.replace("index", "row"), spelling
        assert (ours.typed is None) == (not hasattr(theirs, "type")), spelling
    assert lg.op.from_string("mean") is lg.agg.mean and lg.op.from_string("+").name == "plus"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [3, None, np.float32("nan"), lg.binary.plus], ids=str)
def test_a_spelling_is_a_string(kind: str, wrong: Any) -> None:
    with pytest.raises(WrongType, match=r"expected .* got"):
        getattr(lg, kind).from_string(wrong)


@pytest.mark.parametrize("name", ["pluss", "mim", "", "plus[", "plus[int][int]", "min.plus.times"])
def test_unknown_names_are_refused(name: str) -> None:
    for space in (lg.unary, lg.binary, lg.monoid, lg.semiring, lg.select, lg.agg):
        with pytest.raises(LagraphError):
            space.from_string(name)
    with pytest.raises(AttributeError, match="such as plus"):
        lg.binary.pluss


@pytest.mark.parametrize("dup_op", ["plus", "+", lg.monoid.plus, lg.binary.plus["FP32"]], ids=str)
def test_duplicates(dup_op: Any) -> None:
    v = lg.Vector.from_coo([0, 1, 0], [1, 2, 3], dup_op=dup_op, backend="cpu")
    assert v.to_coo()[1].tolist() == [4, 2]


def test_semirings_of_parts() -> None:
    get = lg.semiring.get_semiring
    assert get(lg.monoid.min, lg.binary.plus) is SEMIRINGS["min_plus"]
    assert get("+", "*") is SEMIRINGS["plus_times"] and get(BINARY["max"], MONOIDS["plus"]).name
    assert get(lg.monoid.plus["FP32"], lg.binary.times) == SEMIRINGS["plus_times"]["FP32"]
    assert get(lg.monoid.plus, lg.binary.times["INT8"]) == SEMIRINGS["plus_times"]["INT8"]
    own = lg.semiring.register_new("far_out", lg.monoid.max, lg.binary.hypot)
    assert lg.semiring.far_out is own and lg.semiring.from_string("far_out") is own
    with pytest.raises(LagraphError, match="an operator that has one"):
        get(lg.binary.minus, lg.binary.plus)


def test_a_name_that_comes_and_goes() -> None:
    """What has been looked up is kept, also that there is none of that name."""
    v = lg.Vector.from_dense([1, 3], backend="cpu")
    for factor in (2, 5):
        with pytest.raises(InvalidValue, match="'comes_and_goes'"):
            v.apply("comes_and_goes")
        lg.unary.register_new("comes_and_goes", f"{factor} * x")
        assert v.apply("comes_and_goes").new().to_dense().tolist() == [factor, 3 * factor]
        del lg.unary.comes_and_goes
    with pytest.raises(InvalidValue, match="'comes_and_goes'"):
        v.select("comes_and_goes", 1)
    lg.indexunary.register_new("comes_and_goes", "x > i + y")  # a condition, so for both kinds
    try:
        assert v.select("comes_and_goes", 1).new().nvals == 1
    finally:
        del lg.indexunary.comes_and_goes
        del lg.select.comes_and_goes


@pytest.mark.parametrize("kind", [MONOIDS["plus"], BINARY["minus"], SEMIRINGS["min_plus"]])
def test_a_type_in_brackets_is_one_operator(kind: Any) -> None:
    assert kind[types.INT8] is kind[types.INT8] is kind["INT8"] is not kind[types.INT16]
    assert (kind[types.INT8].typed, kind[types.INT16].typed) == (types.INT8, types.INT16)
