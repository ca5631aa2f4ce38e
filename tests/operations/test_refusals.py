"""Bad input: each refusal has its class, says what came and what to do, and changes nothing."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster.common_errors import NotThere
from lagraph_gpu.errors import (
    BackendMismatch,
    BackendUnavailable,
    DimensionMismatch,
    DomainMismatch,
    DuplicateEdges,
    FormatError,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    MissingLaw,
    NoSuchFile,
    NotConverged,
    OutputNotEmpty,
    PathError,
    TooLarge,
    UnsupportedOperation,
    WrongKind,
)
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.notation.scalar import NoIndex
from semirings import (
    BINARY,
    MONOIDS,
    SEMIRINGS,
    LawError,
    binary,
    check_laws,
    min_plus,
    monoid,
    plus_times,
    semiring,
    types,
)
from semirings.source import NotAFunction
from tests.harness import CPU, GPU, complaint, take

NAN, INF = float("nan"), float("inf")
MASKED = np.ma.array([0, 1, 2], mask=[0, 1, 0])
plus = BINARY["plus"]


def refused(kind: type[Exception], words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(kind, match=words) as caught:
        call()
    assert isinstance(caught.value, LagraphError), caught.value


# ruff: noqa: E501
# --- graphs -------------------------------------------------------------------------------------

EDGES: list[tuple[type[Exception], str, dict[str, Any]]] = [
    (IndexOutOfBound, "source ids from 0 .*got -1 at position 1; ids start at 0",
     {"src": [0, -1], "dst": [1, 2]}),
    (IndexOutOfBound, "target ids from 0 to 2, got 3 at position 0; raise the size above 3",
     {"src": [0], "dst": [3], "n": 3}),
    (InvalidValue, "source ids as integers, got 0.5 at position 1", {"src": [0, 0.5], "dst": [1, 1]}),
    (InvalidValue, "ids as integers, got nan", {"src": [NAN], "dst": [1]}),
    (InvalidValue, "ids as integers, got inf", {"src": [INF], "dst": [1]}),
    (InvalidValue, "labels of one type, got str in src and int in dst", {"src": ["a"], "dst": [1]}),
    (InvalidValue, "ids as integers, got values of type bool", {"src": [True], "dst": [1]}),
    (DimensionMismatch, "1-D array, got shape", {"src": [[0]], "dst": [1]}),
    (DimensionMismatch, r"1-D array, got \{0\}; pass a list", {"src": {0}, "dst": [1]}),
    (IndexOutOfBound, "ids from 0 to 2147483646, got 2147483647 at position 0; renumber them",
     {"src": [2**31 - 1], "dst": [1]}),
    (IndexOutOfBound, f"target ids from 0 to 2147483646, got {10**30} at position 0; renumber",
     {"src": [0], "dst": [10**30]}),
    (InvalidValue, f"fit INT64 or UINT64, got {10**30} at position 0; give floats",
     {"src": [0], "dst": [1], "weight": [10**30]}),
    (InvalidValue, "numbers as values, got the type object",
     {"src": [0], "dst": [1], "weight": np.array([5], object)}),
    (DimensionMismatch, "as many sources as targets, got 2 and 1", {"src": [0, 1], "dst": [1]}),
    (DimensionMismatch, "expected 2 values .*got shape", {"src": [0, 1], "dst": [1, 2], "weight": [1]}),
    (InvalidValue, "got nan at position 1; remove the edge",
     {"src": [0, 1], "dst": [1, 2], "weight": [1.0, NAN]}),
    (InvalidValue, "real numbers as the weights of a graph, got FC64",
     {"src": [0], "dst": [1], "weight": [1j]}),
    (DuplicateEdges, "edge 0 → 1 more than once.*dup='min', 'sum', 'first' or 'last'",
     {"src": [0, 0], "dst": [1, 1], "weight": [1, 2]}),
    (DuplicateEdges, "edge 1 → 2 more than once", {"src": [0, 1, 1], "dst": [1, 2, 2]}),
    (DuplicateEdges, "edge 0 → 1 more than once",
     {"src": [0, 1], "dst": [1, 0], "directed": False}),
    (InvalidValue, "dup to be one of error, min, sum, first, last, got 'max'",
     {"src": [0], "dst": [1], "dup": "max"}),
    (TooLarge, r"fewer than 2\*\*31", {"src": [0], "dst": [1], "n": 2**31}),
    (DimensionMismatch, "a size as an integer", {"src": [], "dst": [], "n": -1}),
    (DimensionMismatch, "a size as an integer", {"src": [], "dst": [], "n": 2.5}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "words", "edges"), EDGES, ids=lambda v: getattr(v, "__name__", None)
)
def test_edges(kind: type[Exception], words: str, edges: dict[str, Any], backend: Any) -> None:
    refused(kind, words, lambda: lg.Graph.from_edges(**edges, backend=backend))


def test_infinite_weights_are_no_edges(backend: Any) -> None:
    with pytest.raises(InvalidValue, match="finite weights, got inf at position 0; remove"):
        lg.Graph.from_edges([0, 1], [1, 2], [INF, 1.0], backend=backend)


@pytest.mark.parametrize(("dup", "weight"), [("min", 2), ("sum", 9), ("first", 7)])
def test_policies_for_duplicates(dup: str, weight: int, backend: Any) -> None:
    G = lg.Graph.from_edges([0, 0, 1], [1, 1, 2], [7, 2, 1], dup=dup, backend=backend)
    assert (G.nedges, G.A[0, 1].get()) == (2, weight)
    G = lg.Graph.from_edges([0, 1], [1, 0], [7, 2], directed=False, dup=dup, backend=backend)
    assert (G.nedges, G.A[0, 1].get(), G.A[1, 0].get()) == (1, weight, weight)


def test_from_scipy(backend: Any) -> None:
    build = lg.Graph.from_scipy
    tall = sp.csr_array(np.ones((3, 2)))
    refused(DimensionMismatch, "square adjacency matrix", lambda: build(tall, backend=backend))
    skew = sp.csr_array([[0, 1], [2, 0]])
    refused(InvalidValue, "symmetric matrix for directed=False.*maximum",
            lambda: build(skew, directed=False, backend=backend))  # fmt: skip
    nan = sp.csr_array([[0, NAN], [0, 0]])
    refused(InvalidValue, "got nan", lambda: build(nan, backend=backend))


def test_from_networkx_multigraph(backend: Any) -> None:
    nx = pytest.importorskip("networkx")
    g = nx.MultiGraph([(0, 1), (0, 1)])
    refused(InvalidValue, r"without parallel edges.*nx.Graph\(g\)",
            lambda: lg.Graph.from_networkx(g, backend=backend))  # fmt: skip


def test_a_graph_of_a_tall_matrix(backend: Any) -> None:
    A = lg.Matrix("FP64", 3, 2, backend=backend)
    refused(DimensionMismatch, r"square adjacency matrix, got shape \(3, 2\)", lambda: lg.Graph(A))


# --- statements ---------------------------------------------------------------------------------


class Scene:
    """Some containers, and a record of what they held."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.w = lg.Vector.from_coo([0, 2], [5, 7], size=3, backend=backend)
        self.u = lg.Vector.from_coo([1], [3], size=3, backend=backend)
        self.short = lg.Vector.from_coo([1], [3], size=2, backend=backend)
        self.A = lg.Matrix.from_coo([0, 1], [1, 2], [4, 6], nrows=3, ncols=3, backend=backend)
        self.wide = lg.Matrix.from_coo([0], [3], [4], nrows=3, ncols=4, backend=backend)
        self.flags = lg.Vector.from_coo([0], [1.5], size=3, backend=backend)
        self.before = self.held()

    def held(self) -> list[Any]:
        return [take(x) for x in (self.w, self.u, self.short, self.A, self.wide, self.flags)]

    def unchanged(self) -> bool:
        return not any(complaint(now, [was]) for now, was in zip(self.held(), self.before))


STATEMENTS: dict[str, tuple[type[Exception], str, Callable[[Scene], Any]]] = {
    "inner dimensions": (DimensionMismatch, r"inner dimensions.*\(2,\) @ \(3, 3\).*\.T",
                         lambda s: s.w << min_plus(s.short @ s.A)),
    "inner dimensions of mxv": (DimensionMismatch, "inner dimensions",
                                lambda s: s.w << min_plus(s.wide @ s.u)),
    "method vxm": (DimensionMismatch, "inner dimensions", lambda s: s.w << s.short.vxm(s.A, min_plus)),
    "output of a product": (DimensionMismatch, r"expression of shape \(3,\), got \(4,\)",
                            lambda s: s.w << min_plus(s.u @ s.wide)),
    "shapes of |": (DimensionMismatch, "operands of one shape", lambda s: s.w << plus(s.u | s.short)),
    "shapes of &": (DimensionMismatch, "operands of one shape", lambda s: s.w << plus(s.u & s.short)),
    "shape of a mask": (DimensionMismatch, r"mask of the output's shape \(3,\), got \(2,\)",
                        lambda s: s.w(s.short.S) << s.u),
    "mask of a matrix": (DimensionMismatch, "mask of the output's shape", lambda s: s.w(s.A.S) << s.u),
    "part of another length": (DimensionMismatch, r"shape \(2,\), got \(3,\)",
                               lambda s: s.w[[0, 1]] << s.u),
    "index out of range": (IndexOutOfBound, "indices from -3 to 2, got 3", lambda s: s.w[[0, 3]] << 1),
    "negative index": (IndexOutOfBound, "got -4", lambda s: s.w[[-4]] << 1),
    "index given twice": (InvalidValue, "each index once", lambda s: s.w[[1, 1]] << [1, 2]),
    "fractional index": (InvalidValue, "a list of integers as index", lambda s: s.w[[0.5]] << 1),
    "reading out of range": (IndexOutOfBound, "from -3 to 2, got 9", lambda s: s.w[9].get()),
    "matrix element": (IndexOutOfBound, "from -3 to 2, got 3", lambda s: s.A[0, 3].get()),
    "extract out of range": (IndexOutOfBound, "got 5", lambda s: s.w[[5]].new()),
    "operator for a product": (TypeError, "a semiring around a product", lambda s: plus(s.u @ s.A)),
    "mask without a kind": (TypeError, r"v\.S \(structure\) or v\.V", lambda s: s.w(s.u) << s.u),
    "complement without a kind": (TypeError, r"~v\.S", lambda s: s.w(~s.u) << s.u),
    "unknown setting": (TypeError, "mask, an accumulator or replace", lambda s: s.w(3.5) << s.u),
    "unknown accumulator": (InvalidValue, "name of a binary operator, such as plus",
                            lambda s: s.w("plus!") << s.u),
    "truth of a vector": (TypeError, r"use \.nvals", lambda s: bool(s.w)),
    "contains, out of range": (IndexOutOfBound, "from -3 to 2, got 5", lambda s: 5 in s.w),
    "contains, no index": (TypeError, "one integer index", lambda s: "a" in s.w),
    "contains, no pair": (TypeError, r"a \(row, column\)", lambda s: 1 in s.A),
    "get out of range": (IndexOutOfBound, "from -3 to 2, got 3", lambda s: s.A.get(3, 0)),
    "build of what is not empty": (OutputNotEmpty, "without entries to build, got 2; pass clear=True",
                                   lambda s: s.w.build([0], [1])),
    "build of what is not empty, matrix": (OutputNotEmpty, "clear=True", lambda s: s.A.build([0], [1], [1])),
    "build that fails changes nothing": (IndexOutOfBound, "index ids",
                                         lambda s: s.w.build([9], [1], clear=True)),
    "build of values that do not fit": (InvalidValue, "fit INT64",
                                        lambda s: s.w.build([1], [2**70], clear=True)),
    "order": (InvalidValue, "rowwise or columnwise, got 'C'", lambda s: s.A.to_dicts("C")),
    "dense matrix without a fill": (TypeError, "fill_value for the 7 positions", lambda s: s.A.to_dense()),
    "dense on the device without a fill": (TypeError, "fill_value for the 1 positions",
                                           lambda s: s.w.to_dense(device=True)),
    "a fill that does not fit": (InvalidValue, "fit INT8, got 300", lambda s: s.w.to_dense(300, "INT8")),
    "DLPack of a sparse vector": (TypeError, r"an entry everywhere.*to_dense\(fill_value, device=True\)",
                                  lambda s: s.w.__dlpack__()),
    "cupyx of integers": (TypeError, r"FC32 or FC64, since cupyx.*got INT64.*dup\('FP64'\)",
                          lambda s: s.A.to_cupyx()),
    "SciPy's formats": (InvalidValue, "one of bsr, coo.*got 'xyz'", lambda s: s.A.to_scipy_sparse("xyz")),
    "to an array": (TypeError, r"\.to_dense\(\)", lambda s: np.array(s.w)),
    "to an array of floats": (TypeError, r"\.to_dense\(\)", lambda s: np.asarray(s.A, float)),
    "truth of ==": (TypeError, "truth of a Vector is not .*isequal", lambda s: bool(s.w == s.u)),
    "truth of <": (TypeError, "isequal", lambda s: bool(np.int64(3) < s.w)),
    "not equal": (DimensionMismatch, "operands of one shape", lambda s: s.wide != s.A),
    "equal to nothing": (TypeError, "beside eq, got None; `is` asks", lambda s: s.w == None),  # noqa: E711
    "plus text": (TypeError, "a number, a vector or a matrix beside plus", lambda s: s.w + "a"),
    "a sign for BOOL": (TypeError, r"BOOL entries for the sign \^, got INT64", lambda s: s.w ^ s.u),
    "complement of numbers": (TypeError, "BOOL entries to negate", lambda s: ~s.w),
    "equal to what": (TypeError, "a container to compare with, got 3", lambda s: s.w.isequal(3)),
    "truth of a part": (TypeError, "isequal", lambda s: bool(s.w[[0]])),
    "one index of a matrix": (TypeError, r"A\[i, j\], got \[0\]", lambda s: s.A[0]),
    "bool as a row": (InvalidValue, "as index, got True", lambda s: s.A[True, 0]),
    "unknown monoid": (InvalidValue, "name of a monoid, such as plus.*got 'plsu'",
                       lambda s: s.w.reduce("plsu")),
    "unknown monoid of rows": (InvalidValue, "got 'foo'", lambda s: s.A.reduce_rowwise("foo")),
    "reducing by an operator": (InvalidValue, "an operator that has one, got BinaryOp",
                                lambda s: s.w.reduce(BINARY["minus"])),
    "unknown operator": (InvalidValue, "a unary operator, such as.*abs", lambda s: s.w.apply("abss")),
    "a formula for a unary": (InvalidValue, r"make an operator first: semirings\.unary\('x\*x\+1'\)",
                              lambda s: s.w.apply("x*x+1")),
    "a formula for a binary": (InvalidValue, r"semirings\.binary\('x \+ 2 \* y'\)",
                               lambda s: s.w.apply("x + 2 * y", 2)),
    "a formula to join by": (InvalidValue, r"semirings\.binary\('x - y'\)",
                             lambda s: s.w.ewise_add(s.u, "x - y")),
    "a formula to select by": (InvalidValue, r"semirings\.indexunary\('x > i'\)",
                               lambda s: s.w.select("x > i")),
    "no formula": (InvalidValue, r"got '\.\.\.'$", lambda s: s.w.apply("...")),
    "a formula for a monoid": (InvalidValue, r"got '1 \+ 1'$", lambda s: s.w.reduce("1 + 1")),
    "unknown comparison": (InvalidValue, "got '=>'", lambda s: s.w.select("=>", 1)),
    "select by an operator": (TypeError, "index-unary operator", lambda s: s.w.select(plus, 1)),
    "a thunk of text": (TypeError, "expected a number, got 'a'", lambda s: s.w.select(">", "a")),
    "a thunk that wraps": (InvalidValue, "fits INT64, got 9223372036854775808",
                           lambda s: s.w.select("rowle", 2**63)),
    "a number too large": (InvalidValue, "fits FP64", lambda s: s.w.select(">", 10**400)),
    "an assigned number that wraps": (InvalidValue, "fits INT8, got 300",
                                      lambda s: s.w.dup("INT8") << 300),
    "a default too large": (InvalidValue, "fits FP64, got", lambda s: s.w.ewise_union(s.u, plus, 10**400, 0)),
    "inner product": (DimensionMismatch, "inner dimensions", lambda s: s.u @ s.short),
    "product with a number": (TypeError, "a vector or a matrix as operand, got 3", lambda s: s.u @ 3),
    "or with a number": (TypeError, "a vector or a matrix as operand, got 3", lambda s: s.u | 3),
    "or behind a statement": (TypeError, r"got None; << comes before \| and &, so write w << \(u",
                              lambda s: (s.u << s.u) | s.u),
    "operator around a vector": (TypeError, r"op\(u \| v\).*v\.reduce\(monoid\)", lambda s: plus(s.w)),
    "operator around a number": (TypeError, "expected an operation for", lambda s: min_plus(5)),
    "an array beside a sign": (TypeError, "expected a number, got array", lambda s: np.ones(3) * s.w),
    "an array to bind": (TypeError, "expected a number, got array",
                         lambda s: s.w.apply("plus", right=np.ones(3))),
    "an array to select by": (TypeError, "expected a number, got array",
                              lambda s: s.A.select(">", np.ones(3))),
    "an array as a default": (TypeError, "expected a number, got array",
                              lambda s: s.w.ewise_union(s.u, "plus", np.ones(3), 0)),
    "a word to select by": (TypeError, "expected a number, got 'a'",
                            lambda s: s.A.select("tril", "a")),
    "a word as a thunk": (TypeError, "expected a number, got 'a'",
                          lambda s: s.A.apply("rowindex", "a")),
    "a word into a scalar": (TypeError, "expected a number, got 'a'",
                             lambda s: lg.Scalar("INT64", backend=s.backend) << "a"),
    "a list into a scalar": (TypeError, r"expected a number, got \[1\]",
                             lambda s: lg.Scalar.from_value([1], backend=s.backend)),
    "a complex number into a scalar": (TypeError, "expected a real number for FP64, got 1j",
                                       lambda s: lg.Scalar("FP64", backend=s.backend) << 1j),
    "a number that a scalar cannot hold": (InvalidValue, "fits INT8, got 300",
                                           lambda s: lg.Scalar("INT8", backend=s.backend) << 300),
    "a product of scalars": (DimensionMismatch, r"got \(\) @ \(\)",
                             lambda s: lg.Scalar("INT8", backend=s.backend)
                             @ lg.Scalar("INT8", backend=s.backend)),
    "an outer product with a number": (TypeError, "as operand, got 3", lambda s: s.w.outer(3)),
    "an outer product with a matrix": (DimensionMismatch, "expected a vector",
                                       lambda s: s.w.outer(s.A)),
    "a monoid without an identity": (InvalidValue, "as identity, got None",
                                     lambda s: monoid("x + y", None)),
    "mask joined with a number": (TypeError, r"v\.S \(structure\) or .*got 3",
                                  lambda s: s.w.S & 3),
    "mask without a kind, by name": (TypeError, r"a mask that .*v\.S \(structure\)",
                                     lambda s: s.w(mask=s.u) << 1),
    "mask of NumPy": (TypeError, r"v\.S \(structure\)", lambda s: s.w(mask=np.ones(3, bool)) << 1),
    "mask of new": (TypeError, r"v\.S \(structure\)", lambda s: plus(s.w | s.u).new(mask=s.u)),
    "unknown keyword": (TypeError, "one of mask, input_mask, accum, replace, schedule=, got foo=1",
                        lambda s: s.w(foo=1) << 1),
    "schedule as text": (TypeError, r"lg\.Schedule\(direction='push'\)",
                         lambda s: s.w(schedule="push") << s.u),
    "accumulator as text": (InvalidValue, "a binary operator, such as plus",
                            lambda s: s.w(accum="plsu") << s.u),
    "accumulator of a number": (TypeError, "accum= as an operator", lambda s: s.w(accum=3) << s.u),
    "replace as a number": (TypeError, "replace= as True or False", lambda s: s.w(replace=1) << s.u),
    "two masks": (TypeError, "one mask, got two", lambda s: s.w(s.u.S, mask=s.u.V) << s.u),
    "a path to a bool": (IndexOutOfBound, "a target below n = 3, got True",
                         lambda s: lg.path_to(s.w, True)),
    "a path in a list": (TypeError, "parents as a Vector", lambda s: lg.path_to([0, 0], 1)),
    "a path that leaves the graph": (InvalidValue, "broken chain", lambda s: lg.path_to(s.w, 0)),
    "text": (TypeError, "an expression, a container or a number", lambda s: s.w << "five"),
    "mask of a part, too large": (DimensionMismatch, r"output's shape \(1,\), got \(3,\)",
                                  lambda s: s.w[[0]](s.u.S) << 1),
    "mask for an element": (TypeError, "no mask for a single element",
                            lambda s: s.w[0](s.u.S) << 1),
    "two indices": (TypeError, "expected one index, got two", lambda s: s.w()[0][1] << 1),
    "part of a transpose": (TypeError, "a matrix to assign to", lambda s: s.A.T[0, 1] << 1),
    "shape of a part": (DimensionMismatch, r"shape \(2, 2\), got \(3, 3\)",
                        lambda s: s.A[[0, 1], [0, 2]] << s.A),
    "row given twice": (InvalidValue, "each index once", lambda s: s.A[[1, 1], :] << s.A[:2, :]),
    "reading a row": (TypeError, r"one position to read a value, got .*use \.new",
                      lambda s: s.A[0, :].get()),
    "zeroth power": (InvalidValue, "a power from 0 to", lambda s: s.A.power(-1)),
    "power of a wide matrix": (DimensionMismatch, "square", lambda s: s.A[:2, :].new().power(2)),
    "positional accumulator": (DomainMismatch, "accumulator that works on values",
                               lambda s: s.w(BINARY["firsti"]) << s.u),
    "accumulator outside its domain": (TypeError, "band is not defined for FP64",
                                       lambda s: s.flags(BINARY["band"]) << s.u),
    "operator outside its domain": (TypeError, "band is not defined for FP64",
                                    lambda s: s.w << s.flags.apply(BINARY["band"], right=1.0)),
    "semiring outside its domain": (TypeError, "not defined for BOOL",
                                    lambda s: plus_times(s.u.dup("BOOL") @ s.A.dup("BOOL"))),
    "both sides bound": (TypeError, "left= or right=", lambda s: s.u.apply(plus, 1, left=2)),
    "no side bound": (TypeError, "left= or right=", lambda s: s.u.apply(plus)),
    "a number for a unary": (TypeError, "no bound value", lambda s: s.u.apply("abs", 1)),
    "thunk without an order": (DomainMismatch, "valuegt is not defined for FC64",
                               lambda s: s.u.select(">", 1j)),
    "tiles of masked sizes": (TypeError, "size as an integer of at least 0, got masked",
                              lambda s: lg.split(s.A, MASKED)),
    "a record without fields": (TypeError, "expected a record, such as",
                                lambda s: s.u.dup({})),
    "tiles as records": (DomainMismatch, "records are not converted",
                         lambda s: lg.concat([[s.A]], dtype={"a": "INT8"})),
    "records as numbers": (TypeError, "numbers as values, got the type",
                           lambda s: s.u.dup(clear=True).build([0], np.zeros(1, [("a", int)]))),
    "arrays of no number": (TypeError, "hold a number",
                            lambda s: lg.Vector.from_coo([0, 1], np.zeros((2, 0)))),
    "a scalar's thunk": (TypeError, "expected a number, got {}",
                         lambda s: lg.select.valuegt(lg.Scalar.from_value(3), {})),
    "lazy as an array": (InvalidValue, "lazy as True or False",
                         lambda s: lg.binary.register_new("no_such", "x + y", lazy=MASKED)),
    "idempotent as text": (InvalidValue, "is_idempotent as True or False",
                           lambda s: lg.monoid.register_anonymous("x + y", 0, is_idempotent="no")),
    "lazy monoid as an array": (InvalidValue, "lazy as True or False",
                                lambda s: lg.monoid.register_new("no_such", "x + y", 0, lazy=MASKED)),
    "progress of one number": (TypeError, "a function of two numbers as progress, got <built-in",
                               lambda s: lg.distance_matrix(lg.Graph(s.A), progress=len)),
    "dense without a fill": (TypeError, "fill_value for the 1 positions", lambda s: s.w.to_dense()),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str, backend: Any) -> None:
    kind, words, call = STATEMENTS[name]
    scene = Scene(backend)
    refused(kind, words, lambda: call(scene))
    assert scene.unchanged()


BUILDS: dict[str, tuple[type[Exception], str, Callable[[Any], Any]]] = {
    "vector ids": (IndexOutOfBound, "index ids from 0 to 2, got 3",
                   lambda b: lg.Vector.from_coo([3], [1], size=3, backend=b)),
    "an enormous range": (DimensionMismatch, "index ids as a 1-D array",
                          lambda b: lg.Vector.from_coo(range(10**30), 1, backend=b)),
    "vector twice": (DuplicateEdges, "position 1 more than once.*dup_op",
                     lambda b: lg.Vector.from_coo([1, 1], [1, 2], backend=b)),
    "vector lengths": (DimensionMismatch, "expected 2 values",
                       lambda b: lg.Vector.from_coo([0, 1], [1], backend=b)),
    "matrix lengths": (DimensionMismatch, "as many rows as columns",
                       lambda b: lg.Matrix.from_coo([0, 1], [1], backend=b)),
    "matrix twice": (DuplicateEdges, "more than once",
                     lambda b: lg.Matrix.from_coo([0, 0], [1, 1], [1, 2], backend=b)),
    "indptr": (InvalidValue, "indptr to run from 0 to 2, the number of column ids, got 0 to 1",
               lambda b: lg.Matrix.from_csr([0, 1], [0, 1], ncols=2, backend=b)),
    "indptr falls": (InvalidValue, "non-decreasing, got 2 and then 1 at position 2",
                     lambda b: lg.Matrix.from_csr([0, 2, 1, 2], [0, 1], ncols=2, backend=b)),
    "indptr of two dimensions": (InvalidValue, r"run from 0 to 1, .*got shape \(1, 2\)",
                                 lambda b: lg.Matrix.from_csr([[0, 1]], [0], ncols=1, backend=b)),
    "unsorted row": (InvalidValue, "increasing column ids in each row.*from_coo",
                     lambda b: lg.Matrix.from_csr([0, 2], [1, 1], ncols=2, backend=b)),
    "columns": (InvalidValue, "increasing row ids in each column",
                lambda b: lg.Matrix.from_csc([0, 2], [1, 1], nrows=2, backend=b)),
    "another nrows": (DimensionMismatch, "indptr of 4 offsets, got 3",
                      lambda b: lg.Matrix.from_csr([0, 1, 2], [0, 1], nrows=3, backend=b)),
    "fractional indptr": (InvalidValue, "indptr as integers",
                          lambda b: lg.Matrix.from_csr([0, 0.5, 1], [0], ncols=1, backend=b)),
    "pairs of three": (InvalidValue, r"\(index, value\) pairs, got an item of length 3",
                       lambda b: lg.Vector.from_pairs([(0, 1, 2)], backend=b)),
    "edges of four": (InvalidValue, "got an item of length 4",
                      lambda b: lg.Matrix.from_edgelist([(0, 1, 2, 3)], backend=b)),
    "edges of an array": (DimensionMismatch, "an array of two columns",
                          lambda b: lg.Matrix.from_edgelist(np.ones((2, 3)), backend=b)),
    "edges with values twice": (TypeError, "values= or triples",
                                lambda b: lg.Matrix.from_edgelist([(0, 1, 2)], [3], backend=b)),
    "dicts of another number": (DimensionMismatch, "nrows=1, as many as dicts, got 2",
                                lambda b: lg.Matrix.from_dicts([{0: 1}], nrows=2, backend=b)),
    "dense of one dimension": (DimensionMismatch, "two-dimensional",
                               lambda b: lg.Matrix.from_dense([1], backend=b)),
    "not sparse": (TypeError, "sparse array of SciPy or cupyx, got ndarray",
                   lambda b: lg.Matrix.from_scipy_sparse(np.ones((2, 2)), backend=b)),
    "not a tensor": (TypeError, "a tensor of PyTorch, got ndarray",
                     lambda b: lg.Matrix.from_torch(np.ones((2, 2)), backend=b)),
    "not python-graphblas": (TypeError, "of python-graphblas, got list",
                             lambda b: lg.Matrix.from_graphblas([], backend=b)),
    "size": (TooLarge, r"2\*\*60", lambda b: lg.Vector("FP64", 2**60 + 1, backend=b)),
    "masked ids": (InvalidValue, "without masked values, got one at position 1; take",
                   lambda b: lg.Vector.from_coo(MASKED, 1, backend=b)),
    "masked values": (InvalidValue, "without masked values",
                      lambda b: lg.Matrix.from_coo([0, 1, 2], [0, 1, 2], MASKED, backend=b)),
    "masked pairs": (InvalidValue, "without masked values",
                     lambda b: lg.Vector.from_pairs(np.ma.array([[0, 1]], mask=[[0, 1]]), backend=b)),
    "masked edges": (InvalidValue, "without masked values",
                     lambda b: lg.Graph.from_edges([0, 1, 2], MASKED, backend=b)),
    "masked weights": (InvalidValue, "without masked values",
                       lambda b: lg.Graph.from_edges([0, 1, 2], [1, 2, 0], MASKED, backend=b)),
    "masked indptr": (InvalidValue, "without masked values",
                      lambda b: lg.Matrix.from_csr(MASKED, [0, 1], backend=b)),
    "ragged matrix": (InvalidValue, r"lists of one length, got \[\[1, 2\], \[3\]\]; make all lists",
                      lambda b: lg.Matrix.from_dense([[1, 2], [3]], backend=b)),
    "ragged vector": (InvalidValue, "lists of one length",
                      lambda b: lg.Vector.from_dense([[1, 2], [3]], backend=b)),
    "ragged ids": (InvalidValue, "lists of one length",
                   lambda b: lg.Vector.from_coo([[1], [2, 3]], 1, backend=b)),
    "ragged edges": (InvalidValue, "lists of one length",
                     lambda b: lg.Graph.from_edges([[0, 1], [2]], [1, 2], backend=b)),
    "ragged weights": (InvalidValue, "lists of one length",
                       lambda b: lg.Graph.from_edges([0, 1], [1, 2], [[1], [2, 3]], backend=b)),
    "ragged sources": (InvalidValue, "lists of one length",
                       lambda b: lg.bfs(lg.Graph.from_edges([0], [1], backend=b), sources=[[0], [1, 0]])),
    "ragged order": (InvalidValue, "lists of one length",
                     lambda b: lg.Graph.from_edges([0], [1], backend=b).relabel([[0], [1, 0]])),
    "masked index": (InvalidValue, "indices of which none is masked",
                     lambda b: lg.Vector("FP64", 3, backend=b)[MASKED]),
    "ragged edge list": (InvalidValue, "lists of one length",
                         lambda b: lg.io.EdgeList([[0], [1, 2]], [1], None, 3, 3)),
    "masked edge list": (InvalidValue, "without masked values",
                         lambda b: lg.io.EdgeList(MASKED, [0, 1, 2], None, 3, 3)),
    "ragged index": (InvalidValue, "a list of integers as index",
                     lambda b: lg.Vector("FP64", 3, backend=b)[[[0], [1, 2]]]),
    "type": (TypeError, "one of the types BOOL.*clongdouble|complex256",
             lambda b: lg.Vector(np.clongdouble, 3, backend=b)),
    "dense of two dimensions": (DimensionMismatch, "one-dimensional",
                                lambda b: lg.Vector.from_dense([[1]], dtype=int, backend=b)),
}  # fmt: skip


@pytest.mark.parametrize("name", BUILDS)
def test_builds(name: str, backend: Any) -> None:
    kind, words, call = BUILDS[name]
    refused(kind, words, lambda: call(backend))


def test_one_root_of_errors() -> None:
    """Whoever catches LagraphError catches what the algebra refuses, too."""
    for call in (
        lambda: BINARY["band"].output("FP64"),
        lambda: binary("x +"),
        lambda: monoid("min(x, y)", "biggest"),
        lambda: check_laws(monoid("x - y", 0)),
        lambda: plus(3),
        lambda: lg.Vector("COMPLEX", 3),
    ):
        with pytest.raises(LagraphError) as caught:
            call()
        assert isinstance(caught.value, (TypeError, ValueError))


KINDS = {
    *(kind for kind in vars(lg.exceptions).values() if isinstance(kind, type)),
    *(CannotHold, LawError, NoIndex, NotAFunction, NotThere, PathError),
}


@pytest.mark.parametrize("kind", sorted(KINDS, key=lambda kind: kind.__name__))
def test_errors_are_made_of_a_text_and_go_through_pickles(kind: type[LagraphError]) -> None:
    """As `raise type(error)(f"{error} …")` makes them, and pools of processes copy them."""
    error = kind("what happened")
    for again in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is kind and str(again) == "what happened"


@pytest.mark.parametrize(
    "error",
    [
        NotConverged("too few rounds", 0.5, 7),
        FormatError("no number", Path("a.mtx"), 3),
        NoSuchFile("no such file", "a.mtx"),
        LawError("it is not", "commutative", types.FP64, (1.0, 2.0, 3.0)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_an_error_says_beside_its_text_goes_along(error: LagraphError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and vars(again) == vars(error)
    assert getattr(again, "filename", None) == getattr(error, "filename", None)


def test_what_programs_of_numpy_try(backend: Any) -> None:
    """A condition as an index, and values in the place of a type, are told what to write."""
    v = lg.Vector.from_dense([0.5, 2.0], backend=backend)
    for condition in (v > 1, (v > 1).new(), np.array([False, True])):
        with pytest.raises(WrongKind, match=r"list of integers as index.*v\.select\('>', 1\)"):
            v[condition]
    with pytest.raises(WrongKind, match=r"as index, got Vector[^;]*$"):
        v[v]
    for make, values in ((lg.Vector, [1, 2]), (lg.Matrix, np.eye(2))):
        with pytest.raises(WrongKind, match="from_dense takes values"):
            make(values, backend=backend)


@pytest.mark.parametrize(
    ("formula", "of_zero", "of_three"),
    [
        ("x * y", False, True),
        ("min(x, y)", False, True),
        ("x - y", True, False),
        ("x & y", False, True),
    ],
)
def test_a_monoid_of_truth_reads_numbers_as_truth(
    formula: str, of_zero: bool, of_three: bool, backend: Any
) -> None:
    """The operands become truth values. SuiteSparse takes no ⊗ that then gives another type."""
    nonzero = semiring(MONOIDS["lor"], binary(formula))
    A = lg.Matrix.from_coo([0, 1], [0, 0], [16, 2], "UINT8", nrows=2, ncols=3, backend=backend)
    for value, expected in ((0, of_zero), (3, of_three)):
        v = lg.Vector.from_coo([0], [value], "UINT8", size=2, backend=backend)
        B = lg.Matrix.from_coo([0], [0], [value], "INT64", nrows=2, ncols=2, backend=backend)
        assert nonzero(v @ A).new().to_dict() == {0: expected}
        assert nonzero(A.T @ v).new().to_dict() == {0: expected}
        assert nonzero(B @ A).new().to_dicts() == {0: {0: expected}}


def test_what_a_handle_still_is(backend: Any) -> None:
    """Its identity: it can be a key. And deleting a part works as deleting one entry does."""
    v = lg.Vector.from_coo(range(5), range(5), backend=backend)
    assert {v: 1}[v] == 1 and v is not v.dup()
    assert repr(v[1]) == f"Part: one value, INT64, {backend.name}; .new() computes it"
    del v[0:2]
    assert v.to_coo()[0].tolist() == [2, 3, 4]
    del v[[4]], v[2]
    assert v.to_coo()[0].tolist() == [3]
    del v[:]
    assert v.nvals == 0


# --- backends -----------------------------------------------------------------------------------


def test_mixed_backends() -> None:
    here, there = Scene(CPU), Scene(GPU)
    words = r"different backends \(cpu and gpu\); move one with \.to\('cpu'\)"
    for call in (
        lambda: min_plus(here.u @ there.A),
        lambda: plus(here.u | there.u),
        lambda: here.w << there.u,
        lambda: here.w(there.u.S) << here.u,
        lambda: there.w(here.u.S) << 5,
        lambda: lg.closure(here.u, there.A, min_plus),
    ):
        refused(BackendMismatch, words, call)
    assert here.unchanged() and there.unchanged()
    moved = there.u.to(CPU)
    here.w << plus(here.u | moved)
    assert here.w.to_coo()[1].tolist() == [6]


def test_unknown_backend() -> None:
    refused(
        BackendUnavailable,
        "'cpu', 'gpu' or 'cluster', got 'tpu'",
        lambda: lg.Vector("BOOL", backend="tpu"),
    )


def test_no_gpu_where_one_is_demanded() -> None:
    """The automatic choice falls back to the CPU; asking for a GPU by name does not."""
    program = (
        "import sys; sys.modules['cupy'] = None\n"
        "import lagraph_gpu as lg\n"
        "from lagraph_gpu.errors import BackendUnavailable\n"
        "assert lg.Vector('INT8', 1).backend.name == 'cpu'\n"
        "try: lg.set_backend('gpu')\n"
        "except BackendUnavailable as error: print(error)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "expected CuPy" in result.stdout and "pip install" in result.stdout


def test_operators_that_a_backend_lacks() -> None:
    """SuiteSparse takes no positional function from a user; the other backend does."""
    ring = semiring(monoid("min(x, y)", "highest"), binary("x + k", result="INT64"))
    here, there = Scene(CPU), Scene(GPU)
    refused(UnsupportedOperation, "reads positions.*GPU backend only",
            lambda: here.w << ring(here.u @ here.A))  # fmt: skip
    assert here.unchanged()
    there.w << ring(there.u @ there.A)
    assert there.w.to_coo()[1].tolist() == [4]


# --- schedules ----------------------------------------------------------------------------------


def test_schedule_options() -> None:
    refused(InvalidValue, "direction to be one of push, pull, hybrid, edge or None, got 'sideways'",
            lambda: lg.Schedule(direction="sideways"))  # fmt: skip
    refused(InvalidValue, "balance to be one of", lambda: lg.Schedule(balance="block"))
    refused(InvalidValue, "order to be one of rounds, delta, heap or None, got 'heaps'",
            lambda: lg.Schedule(order="heaps"))  # fmt: skip
    for width, order in product((0, -1, NAN, -INF, True, "1", 1j), ("delta", "heap")):
        refused(InvalidValue, "width to be a number greater than 0 that a float can hold, or None",
                lambda width=width, order=order: lg.Schedule(order=order, width=width))  # fmt: skip
    for width in (10**400, Fraction(1, 10**400)):
        refused(InvalidValue, "greater than 0 that a float can hold, or None, got ",
                lambda width=width: lg.Schedule(order="delta", width=width))  # fmt: skip
    for order in (None, "rounds"):
        refused(InvalidValue, f"order='delta' or 'heap' beside a width, got {order!r}",
                lambda order=order: lg.Schedule(order=order, width=1))  # fmt: skip
    for other in ({"direction": "pull"}, {"loop": "host"}):
        refused(InvalidValue, "order='delta' to push in the device's loop, got direction=",
                lambda other=other: lg.Schedule(order="delta", **other))  # fmt: skip
    assert lg.Schedule("push", None, "device", "delta", np.float32(2)).width == 2
    refused(InvalidValue, "direction='edge' beside layout='segmented', which is an order of edges",
            lambda: lg.Schedule(layout="segmented"))  # fmt: skip
    refused(InvalidValue, "frontier to be 'none' or None beside direction='pull', got 'block'",
            lambda: lg.Schedule("pull", frontier="block"))  # fmt: skip
    for fields in (
        {"direction": "edge", "balance": "warp"}, {"direction": "edge", "small": "block"},
        {"direction": "edge", "loop": "device"}, {"direction": "edge", "order": "delta"},
        {"direction": "edge", "layout": "aligned"}, {"direction": "push", "layout": "aligned"},
        {"direction": "pull", "balance": "bucket"}, {"direction": "pull", "small": "block"},
        {"layout": "aligned", "balance": "search"}, {"frontier": "none", "balance": "bucket"},
        {"loop": "device", "balance": "bucket"}, {"loop": "device", "frontier": "global"},
        {"order": "delta", "small": "block"}, {"order": "delta", "layout": "aligned"},
        {"order": "heap", "direction": "push"}, {"order": "heap", "balance": "warp"},
        {"order": "heap", "loop": "device"}, {"order": "heap", "frontier": "global"},
    ):  # fmt: skip
        refused(InvalidValue, "beside", lambda fields=fields: lg.Schedule(**fields))
    assert repr(lg.Schedule("edge", layout="segmented")) == (
        "Schedule(direction='edge', layout='segmented')"
    )


def test_a_heap_is_for_tables(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [3, 4], backend=backend)
    heap = lg.Schedule(order="heap")
    for search in (lg.bfs, lg.sssp, lg.bellman_ford):
        refused(InvalidValue, "order='heap', which is for tables from many sources: lg.distance_mat",
                lambda search=search: search(G, 0, schedule=heap))  # fmt: skip
    refused(InvalidValue, "for tables", lambda: lg.sssp(G, sources=[0, 1], schedule=heap))


DELTA = lg.Schedule(order="delta")


def by_delta(ring: Any, weight: list[Any], backend: Any, **options: Any) -> lg.Vector:
    A = lg.Matrix.from_coo([0, 1], [1, 2], weight, nrows=3, ncols=3, backend=backend)
    x0 = lg.Vector.from_coo([0], [A.dtype.type(0)], A.dtype, size=3, backend=backend)
    return lg.closure(x0, A, ring, schedule=DELTA, **options)


@pytest.mark.parametrize("name", ["max_first", "lor_land", "bor_band", "max_times", "times_times",
                                  "any_first", "any_plus", "min_second", "min_minus"])  # fmt: skip
def test_unordered_semirings(name: str, backend: Any) -> None:
    """An order needs a total one, and a law that holds for all values the vector may have."""
    ring = SEMIRINGS.get(name) or SEMIRINGS["min_plus"]
    if name == "max_first":
        assert by_delta(ring, [5, 7], backend).to_coo()[1].tolist() == [0, 0, 0]
        return
    if name == "min_minus":
        ring = semiring(MONOIDS["min"], BINARY["minus"])
    words = {"times_times": "whose ⊕ is idempotent, got times_times",
             "any_first": "does not read the vector for 'any' by order='delta', got any_first",
             "any_plus": "does not read the vector for 'any'",
             "lor_land": "got lor_land, whose ⊕ is lor; use order='rounds'",
             "bor_band": "got bor_band, whose ⊕ is bor; use order='rounds'",
             "max_times": r"got max_times, .* its carrier alone, x >= 0: ⊗ may improve on a value "
                          r"of x0 outside of it, .*; use order='rounds'$"}  # fmt: skip
    law = words.get(name, r"and that is ordered, .* got \w+; .*rounds', or .*claim that where you")
    refused(MissingLaw, law, lambda: by_delta(ring, [5, 7], backend))


def test_weights_that_break_the_order(backend: Any) -> None:
    for weight in ([3, -1], [0.5, -0.5], [1.0, NAN], [1.0, -INF]):
        refused(MissingLaw, r"weights y with y >= 0 for min_plus by order='delta'.*use order='rounds'",
                lambda weight=weight: by_delta(min_plus, weight, backend))  # fmt: skip
    refused(
        MissingLaw,
        "weights y with y <= 0 for max_plus",
        lambda: by_delta(SEMIRINGS["max_plus"], [0, 1], backend),
    )
    assert by_delta(min_plus, [3, 0], backend).to_coo()[1].tolist() == [0, 3, 3]
    G = lg.Graph.from_edges([0, 1], [1, 2], [3, -1], backend=backend)
    refused(MissingLaw, "weights y with y >= 0", lambda: lg.bellman_ford(G, 0, schedule=DELTA))
    assert lg.bellman_ford(G, 0)[0].to_coo()[1].tolist() == [0, 3, 2]


def test_rounds_are_not_bounded_by_delta(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [3, 1], backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=3, backend=backend)
    words = "order='rounds' where rounds are bounded or asked for"
    refused(InvalidValue, words, lambda: by_delta(min_plus, [3, 1], backend, max_rounds=2))
    refused(InvalidValue, words, lambda: lg.bfs(G, 0, max_level=2, schedule=DELTA))
    refused(InvalidValue, words, lambda: closure_with_rounds(x0, G.A, min_plus, None, DELTA))


@pytest.mark.parametrize("shape", [(2**31 - 2**24,), (2**31 - 2**24, 1), (1, 2**31 - 1)])
def test_more_positions_than_loops_on_a_gpu_count(shape: tuple[int, ...]) -> None:
    """They step by the threads of a grid, in 32 bits. So entries of larger containers are numbered
    anew, and what works by position on the device is refused."""
    kind = lg.Vector if len(shape) == 1 else lg.Matrix
    for backend in (CPU, GPU):
        assert kind("FP64", *shape, backend=backend).shape == shape
    with pytest.raises(TooLarge, match=r"fewer than 2,130,706,432 positions on a GPU for this"):
        large = kind("FP64", *shape, backend=GPU)
        large.to_dense(0, device=True) if len(shape) == 1 else large.to_csr(device=True)
