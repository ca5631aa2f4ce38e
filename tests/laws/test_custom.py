"""Users' own operators: read from strings and functions, or refused with a reason."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

from semirings import (
    BINARY,
    INDEXUNARY,
    MONOIDS,
    SELECT,
    SEMIRINGS,
    UNARY,
    BinaryOp,
    DomainError,
    ExpressionError,
    UnaryOp,
    WrongType,
    binary,
    check_laws,
    indexunary,
    min_plus,
    monoid,
    parse,
    semiring,
    types,
    unary,
)
from semirings.source import formula
from tests.laws.edges import differences, pairs, report
from tests.laws.test_lowering import cases

SCALE = 3


def halved(a: Any, b: Any) -> Any:
    """The mean, downwards."""
    return (a + b) // 2


def branching(x: Any, y: Any) -> Any:
    if x < y:
        return x
    return y


def graded(x: Any) -> Any:
    """By the size."""
    if x < 0:
        if x < -10:
            return -2
    elif x > 10:
        return 2
    else:
        return math.sin(x) + SCALE
    return -1


def looping(x: Any, y: Any) -> Any:
    while x < y:
        x = x + x
    return x


def forgetful(x: Any, y: Any) -> Any:
    if x < y:
        return x


def mapped(x: Any, y: Any) -> Any:
    return {"a": x}[y]


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("import os", "not one expression"),
        ("x = 1", "not one expression"),
        ("x; y", "not one expression"),
        ("", "not one expression"),
        ("x +", "not one expression"),
        ("w + x", "unknown name 'w'"),
        ("foo(x)", "unknown function 'foo'"),
        ("__import__('os')", "unknown function"),
        ("x.real", "attribute"),
        ("np.sqrt(x)", "cannot be called"),
        ("x[0]", "not allowed"),
        ("[x, y]", "not allowed"),
        ("'x'", "not allowed"),
        ("lambda: x", "not allowed"),
        ("(lambda: x)()", "cannot be called"),
        ("x is y", "not allowed"),
        ("x in y", "not allowed"),
        ("min(x)", "takes 2"),
        ("sqrt(x, y)", "takes 1"),
        ("sqrt(x=x)", "cannot be called"),
        ("(y := x)", "not allowed"),
        ("x @ y", "not allowed"),
        ("x if y", "not one expression"),
        ("sqrt(x) & 1", "does not take"),
        ("x * 10**400", "'10 ** 400' is beyond INT64"),
        ("x + 2**70", "beyond INT64"),
        ("x + -2**63 - 1 * (3 + (1 << 80))", "beyond INT64"),
        ("x + 1 ** 2**60 - 2**62 * 2", "'2 ** 62 * 2' is beyond INT64"),
    ],
)
def test_bad_expressions_are_refused(text: str, hint: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        binary(text)
    assert hint in str(caught.value)
    assert "does not take" in hint or "comparisons" in str(caught.value)


def test_what_is_refused_is_quoted_in_short() -> None:
    for text in ("x + " * 5000, "x + " + "9" * 5000, "x(" + "y, " * 5000 + "y)", "z" * 5000):
        with pytest.raises(ExpressionError) as caught:
            binary(text)
        assert len(str(caught.value)) < 1500


def test_whole_numbers_of_more_than_64_bits_beside_integers() -> None:
    """A number of 64 bits is one of a hash, and wraps; a larger one was meant."""
    formula = parse("x + 1" + "0" * 21)
    assert formula.evaluate({"x": np.float64(1)}) == 1e21
    assert not formula.admits({"x": "INT64"})
    with pytest.raises(ExpressionError, match="whole numbers of 64 bits beside INT64, got 1000"):
        formula.evaluate({"x": np.int64(1)})
    assert (
        parse("x * 0x9E3779B97F4A7C15").evaluate({"x": np.int64(1)}) == 0x9E3779B97F4A7C15 - 2**64
    )


def test_not_a_string() -> None:
    with pytest.raises(ExpressionError):
        binary(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        parse(3)


def test_facts_follow_from_the_names() -> None:
    for op, facts in {
        BINARY["plus"]: (True, True, False),
        BINARY["first"]: (True, False, False),
        BINARY["second"]: (False, True, False),
        BINARY["pair"]: (False, False, False),
        BINARY["secondi"]: (False, False, True),
        binary("x + 0 * k"): (True, False, True),
    }.items():
        assert (op.reads_x, op.reads_y, op.positional) == facts


def test_functions_are_read() -> None:
    assert formula(halved) == "(x + y) // 2"
    assert formula(lambda p, q: min(p, q) + SCALE) == "min(x, y) + 3"
    local = 2.5
    assert formula(lambda x, y: x * local if x > y else -y) == "x * 2.5 if x > y else -y"
    pair = [lambda x, y: x + y, lambda x, y: x - y]
    assert [formula(f) for f in pair] == ["x + y", "x - y"]
    assert formula(lambda y, x: y - x) == "x - y"
    assert (lambda: formula(lambda x, y: x + 2 * y))() == "x + 2 * y"  # within another lambda
    assert binary(halved).name == "halved"
    # sqrt is the language's, no name of Python's
    root = unary(lambda v: sqrt(abs(v)))  # type: ignore[name-defined]  # noqa: F821
    assert root.expression == "sqrt(abs(x))"


def test_choices_are_read() -> None:
    """As python-graphblas' user guide has them: `if`s, and functions of math and NumPy."""
    assert formula(branching) == "x if x < y else y"
    step = unary(graded)
    for x in (-11.5, -10.0, -0.5, 0.0, 1.5, 10.0, 10.5):
        assert step.evaluate(np.float64(x)) == graded(x)
    assert formula(lambda x, y: np.exp(-x) + math.pi * np.fmin(x, y)) == (
        "exp(-x) + 3.141592653589793 * min(x, y)"
    )
    assert formula(lambda x, y: np.arctan2(x, y) - math.hypot(x, y)) == (
        "atan2(x, y) - hypot(float(x), float(y))"
    )


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (looping, "repeat by `for` over a range"),
        (forgetful, "every way through it must end in a return"),
        (mapped, "not allowed"),
        (min, "plain Python function"),
        (lambda x, y: math.comb(x, y), "cannot be called"),
        (lambda x, y: np.sort(x, y), "cannot be called"),
        (lambda x, y: x.size + y, "attribute"),
        (lambda x: x, "function of 2 arguments"),
        (lambda x, y=1: x, "defaults"),
        (lambda *x: x, "stars"),
        (lambda x, y: x + UNARY, "only numbers"),
        (eval("lambda x, y: x + str(y)"), r"has no source and cannot be read by calling it"),
    ],
)
def test_other_functions_are_refused(function: Any, hint: str) -> None:
    with pytest.raises(ExpressionError, match=hint):
        binary(function)


# --- types ---------------------------------------------------------------------------------------


def test_result_types_are_inferred() -> None:
    for text, source, result in [
        ("x + 2 * y", "UINT8", "UINT8"),
        ("x + 300 * y", "UINT8", "UINT8"),
        ("x * -1", "UINT8", "UINT8"),
        ("x / 2 + i", "UINT8", "FP64"),
        ("i - j", "BOOL", "INT64"),
        ("x + 0.5", "INT32", "FP64"),
        ("x + 0.5", "FP32", "FP32"),
        ("x < y", "FP32", "BOOL"),
        ("x / y", "INT8", "FP64"),
        ("x + 1", "BOOL", "INT8"),
        ("sqrt(x)", "INT16", "FP32"),
        ("k", "FP32", "INT64"),
    ]:
        assert types.name(binary(text).output(source)) == result, (text, source)


def test_integers_wrap_at_the_end_as_in_python_graphblas() -> None:
    assert binary("(x + y) // 2").evaluate(np.int8(127), np.int8(1)) == 64
    assert BinaryOp("mean", "(x + y) // 2").evaluate(np.int8(127), np.int8(1)) == -64
    assert unary("x * -1").evaluate(np.uint8(3), dtype="UINT8") == 253
    assert unary("x // 3").evaluate(np.uint64(2**64 - 1), dtype="UINT64") == (2**64 - 1) // 3
    assert binary("x * y").evaluate(np.uint8(16), np.uint8(16)) == 0
    assert binary("-x").evaluate(np.int64(-(2**63)), np.int64(0)) == -(2**63)


def test_domains() -> None:
    assert binary("x & y").domain == (types.BOOL, *types.INTEGERS)
    assert binary("x + y", domain=["FP32"]).domain == (types.FP32,)
    with pytest.raises(TypeError, match="only for"):
        binary("x & y", domain=["FP32"])
    with pytest.raises(DomainError, match="only for"):
        BINARY["band"].output("FP64")
    with pytest.raises(TypeError, match="one of the types"):
        BINARY["plus"].output("complex256")
    with pytest.raises(DomainError, match="min is not defined for FC64, only for BOOL"):
        BINARY["min"].output("FC64")
    assert binary("1j * x").output("FP32") == types.FC64
    assert unary("carg(x)").domain == types.COMPLEX and unary("conj(x)").domain == types.EVERY
    with pytest.raises(TypeError):
        types.lookup(None)


def test_own_index_operator() -> None:
    near = indexunary("abs(i - j) <= y and x > 0", name="near")
    assert near.thunk == types.INT64 and near.output("FP32") == types.BOOL
    x, i, j = np.array([1.0, 1.0, -1.0]), np.array([3, 3, 3]), np.array([5, 6, 3])
    assert near.evaluate(x, 2, i=i, j=j).tolist() == [True, False, False]
    assert indexunary("x > y", thunk=None).evaluate(np.int8(3), np.int8(2))


def test_flipped() -> None:
    for op in BINARY.values():
        for dtype in set(op.domain) & {types.INT8, types.FP32}:
            x, y = pairs(dtype)
            ours, theirs = op.flipped.evaluate(x, y, dtype=dtype), op.evaluate(y, x, dtype=dtype)
            if op.name != "any":
                assert not differences(op.name, ours, theirs).any(), op
        assert op.flipped.flipped.name == op.name


# --- records -------------------------------------------------------------------------------------


def test_equal_records_are_one_object() -> None:
    own = semiring(monoid("max(x, y)", 0), "x * y")
    things = [*BINARY.values(), *UNARY.values(), *INDEXUNARY.values(), *MONOIDS.values(), own]
    for thing in [*things, *SEMIRINGS.values()]:
        assert pickle.loads(pickle.dumps(thing)) is thing and copy.deepcopy(thing) is thing
        assert type(thing)(*thing._fields()) is thing
        assert len(repr(thing)) < 80
    assert len(set(SEMIRINGS.values())) == len(SEMIRINGS)
    assert own is semiring(monoid("max(x, y)", 0), "x * y")
    assert len({monoid("max(x, y)", zero) for zero in (0, 0.0, -0.0, False)}) == 4
    with pytest.raises(AttributeError):
        min_plus.monoid = MONOIDS["max"]  # type: ignore[misc]


def test_own_monoids_and_semirings() -> None:
    reliable = semiring(
        monoid("max(x, y)", 0, idempotent=True, selective=True, domain=["UINT8", "UINT64"]),
        "x * y",
        name="reliable",
    )
    assert reliable.name == "reliable" and reliable.domain == (types.UINT8, types.UINT64)
    check_laws(reliable)
    assert monoid("x + y", 0).domain == types.EVERY[1:]  # True + True is 2
    assert monoid("x * y", 1j, commutative=True).domain == types.COMPLEX
    assert monoid("x + y", "lowest").domain == types.ALL[1:]
    assert monoid("min(x, y)", math.inf).domain == types.FLOATS
    with pytest.raises(ValueError, match="over no type"):
        monoid("x < y", 300, domain=None)
    with pytest.raises(ValueError, match="meet in no type"):
        semiring(monoid("x & y", -1, domain=["INT8"]), "x / y")
    with pytest.raises(ValueError, match="identity"):
        monoid("x + y", "zeroes")
    with pytest.raises(ExpressionError, match="unknown name"):
        semiring(MONOIDS["min"], "x + y", ordered="x >= 0")
    with pytest.raises(TypeError, match=r"a Monoid, such as MONOIDS\['min'\].*got 'min'"):
        semiring("min", "x + y")  # type: ignore[arg-type]


def test_what_nobody_claims_the_catalogue_may_know() -> None:
    """Who writes the catalogue's formulas gets what it knows of them, and may claim otherwise."""
    for known in SEMIRINGS.values():
        compares = (
            binary(known.multiply.parsed.text).output("INT8") == types.BOOL
        )  # there is no sum of BOOL
        summed = {"min", "max", "bor", "band"} | ({"plus"} if not compares else set())
        if known.monoid.name in summed and not known.positional:
            sum_ = monoid(known.monoid.op.parsed.text, known.monoid.identity_rule)
            own = semiring(sum_, known.multiply.parsed.text)
            assert (own.idempotent, own.selective) == (known.idempotent, known.selective)
            assert known.carrier or own.distributive == known.distributive
            assert known.carrier or own.ordered == known.ordered
    largest = monoid("max(x, y)", 0)
    check_laws(semiring(largest, "min(x, y)"), ["UINT8", "UINT64"])
    assert semiring(largest, "x * y").ordered is None  # the catalogue knows it for x >= 0 alone
    assert not semiring(largest, "min(x, y) + 1").distributive
    assert not monoid("max(x, y)", 0, selective=False).selective
    assert not semiring(largest, "min(x, y)", distributive=False).distributive
    assert semiring(largest, "min(x, y)", ordered="y > 2").ordered == "y > 2"


def test_a_record_names_the_operator_of_an_expression() -> None:
    class Product:
        def _with_op(self, op: Any, *defaults: Any) -> Any:
            return (op, *defaults) if defaults else op

    class Container:
        backend = "cpu"

        def apply(self, op: Any, right: Any = None, left: Any = None) -> Any:
            return op, left, right

        def select(self, op: Any, thunk: Any) -> Any:
            return "select", op, thunk

    plus = BINARY["plus"]
    for thing in (min_plus, plus, MONOIDS["min"]):
        assert thing(Product()) is thing
    assert plus(Product(), left_default=0, right_default=1) == (plus, 0, 1)
    x = Container()
    assert (plus(x, 1), plus(1, x)) == ((plus, None, 1), (plus, 1, None))
    assert UNARY["abs"](x) == (UNARY["abs"], None, None)
    assert INDEXUNARY["tril"](x, 2) == (INDEXUNARY["tril"], None, 2)
    assert SELECT["tril"](x, 2) == ("select", SELECT["tril"], 2)
    frame = type("Frame", (), {"apply": Container.apply})()  # a data frame has such a method, too
    for call in (
        lambda: plus("1", 2),
        lambda: plus(x, left_default=1),
        lambda: UNARY["abs"]("5"),
        lambda: UNARY["abs"](frame),
        lambda: plus(frame, 1),
    ):
        with pytest.raises(WrongType):
            call()


# --- Python forms --------------------------------------------------------------------------------


def function(op: Any, dtype: np.dtype[Any]) -> Any:
    names: dict[str, Any] = {"np": np, "math": math}
    exec(op.python(dtype), names)
    return names["operator"]


def test_python_forms() -> None:
    """Every operator's Python source, run as Python, against NumPy on edge values."""
    complaints = []
    for name, op, dtype in cases():
        # without numba, math raises where C has an answer, and NumPy's power of a scalar 0.5 is
        # a square root; numba compiles these to C's functions
        if op.positional or name in ("lgamma", "tgamma", "binom"):
            continue
        if name in ("pow", "rpow", "numpy.float_power") and dtype.kind == "f":
            continue
        one = isinstance(op, UnaryOp)
        x, y = (values[::3] for values in pairs(dtype))
        arguments = (x,) if one else (x, y)
        call = function(op, dtype)
        with np.errstate(all="ignore"):
            answers = [call(*row) for row in zip(*arguments, strict=True)]
        theirs = np.array(answers, op.output(dtype))
        ours = op.evaluate(*arguments, dtype=dtype)
        bad = differences(name, theirs, ours, dtype.kind == "c")
        if bad.any():
            complaints.append(f"{name} {dtype}: {report(bad, x, y, theirs, ours)}")
        kinds = {np.asarray(a).dtype for a in answers}
        if kinds != {op.output(dtype)}:
            complaints.append(f"{name} {dtype}: answers of types {kinds}")
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("dtype", ["INT8", "UINT64", "FP32", "BOOL", "FC64"])
@pytest.mark.parametrize(
    "op",
    [
        binary("(x + y) // 2"),
        binary("x if x < y else -y"),
        binary("INT8(x) * UINT16(y)"),
        binary("0 <= x < y or not y"),
        binary("x % y"),
        binary("x ** 3"),
        BINARY["cdiv"],
        BINARY["bshift"],
        BINARY["pow"],
        UNARY["lgamma"],
        UNARY["tgamma"],
    ],
    ids=lambda op: op.name,
)
def test_python_forms_in_graphblas(op: Any, dtype: str) -> None:
    """The same source compiled by numba as python-graphblas' user-defined operator."""
    gb = pytest.importorskip("graphblas")
    pytest.importorskip("numba")
    if types.lookup(dtype) not in op.domain:
        pytest.skip(f"{op.name} has no {dtype}")
    x, y = pairs(types.lookup(dtype))
    left, right = (gb.Vector.from_coo(np.arange(len(x)), v, dtype=dtype) for v in (x, y))
    if isinstance(op, UnaryOp):
        own = gb.unary.register_anonymous(function(op, types.lookup(dtype)), is_udt=True)
        answer, ours = left.apply(own).new(), op.evaluate(x, dtype=dtype)
    else:
        own = gb.binary.register_anonymous(function(op, types.lookup(dtype)), is_udt=True)
        answer, ours = own(left & right).new(), op.evaluate(x, y, dtype=dtype)
    assert answer.dtype.name == types.name(op.output(dtype))
    bad = differences(op.name, answer.to_coo()[1], ours, dtype == "FC64")
    assert not bad.any(), report(bad, x, y, answer.to_coo()[1], ours)


def test_positional_operators_have_no_python_form() -> None:
    with pytest.raises(ExpressionError, match="positions"):
        BINARY["secondi"].python("INT64")


def doubled(x: Any) -> Any:
    return x * 2


def stepwise(x: Any) -> Any:
    """Local names, a loop and calls."""
    total, factor = 1.0, x
    for power in range(3):
        total += factor / (power + 1)
        factor *= x
    if x < 0:
        total = -total
    return doubled(total) if x in (1, -3) else math.floor(total)


def test_functions_mean_what_they_mean_in_python() -> None:
    functions: list[Any] = [
        stepwise, lambda x: x and 9, lambda x: x or x > 3, lambda x: round(x),
        lambda x: np.minimum(x, 2), lambda x: x.real + x.imag,
        lambda x: math.pow(x, 2) - np.sign(x),
        lambda x: np.where(x > 1, x, -x), lambda x: np.float32(x) * 0.5, lambda x: x not in (1, 2),
    ]  # fmt: skip
    for function in functions:
        op = unary(function)
        for x in (-3.0, -2.5, -0.5, 0.0, 0.5, 1.0, 1.5, 2.5, 7.25):
            assert op.evaluate(np.float64(x)) == function(np.float64(x)), (op.expression, x)
    assert unary(lambda x: x > 3 and x != 5).evaluate(np.int64(4))


KINDS = ["BOOL", "INT8", "UINT8", "UINT64", "INT64", "FP32", "FC32"]
RECORDED: list[tuple[Any, str]] = [
    (lambda x: x * -1, "INT8 INT8 UINT8 UINT64 INT64 FP32 FC32"),
    (lambda x: -x, "INT8 INT8 UINT8 UINT64 INT64 FP32 FC32"),
    (lambda x: x**0.5, "FP64 FP64 FP64 FP64 FP64 FP32 FC32"),
    (lambda x: x / 2, "FP64 FP64 FP64 FP64 FP64 FP32 FC32"),
    (lambda x: x // 2, "INT8 INT8 UINT8 UINT64 INT64 FP32 -"),
    (lambda x: 1, "INT8 INT8 UINT8 UINT64 INT64 INT64 INT64"),
    (lambda x: 1.5, "FP64 FP64 FP64 FP64 FP64 FP32 FP64"),
    (lambda x: 1 if x > 3 else 0, "INT8 INT8 UINT8 UINT64 INT64 INT64 -"),
    (lambda x: 1.5 if x > 3 else 0, "FP64 FP64 FP64 FP64 FP64 FP32 -"),
    (lambda x: abs(x), "INT8 INT8 UINT8 UINT64 INT64 FP32 FP32"),
    (lambda x: math.sqrt(x), "FP64 FP64 FP64 FP64 FP64 FP32 -"),
    (lambda x: np.sqrt(x), "FP32 FP32 FP32 FP64 FP64 FP32 FC32"),
    (lambda x: math.floor(x), "INT8 INT8 UINT8 UINT64 INT64 INT64 -"),
    (lambda x: ~x, "BOOL INT8 UINT8 UINT64 INT64 - -"),
    (lambda x: np.isnan(x), "BOOL BOOL BOOL BOOL BOOL BOOL BOOL"),
    (lambda x: 2j * x, "FC64 FC64 FC64 FC64 FC64 FC64 FC32"),
    (lambda x: x.imag, "BOOL INT8 UINT8 UINT64 INT64 FP32 FP32"),
    (lambda x: (x > 0) - (x < 0), "INT8 INT8 UINT8 UINT64 INT64 INT64 -"),
    (lambda x: np.float32(x) * 2, "FP64 FP64 FP64 FP64 FP64 FP32 FP64"),
]
"""The type of the result for each type of `KINDS`, as python-graphblas 2025.2 registers it with
Numba 0.68 ("-" is no operator). Only `x.imag` of BOOL and FP32 of a complex number it refuses."""


@pytest.mark.parametrize("row", range(len(RECORDED)))
def test_types_of_results_are_those_of_python_graphblas(row: int) -> None:
    op = unary(RECORDED[row][0])
    found = [types.name(op.output(kind)) if kind in op else "-" for kind in KINDS]
    assert " ".join(found) == RECORDED[row][1], op.expression
