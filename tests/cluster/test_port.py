"""What the port offers beside statements, on 1 to 4 processes: reading, errors, agreement."""

from __future__ import annotations

import importlib.util
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.cluster import lowerings
from lagraph_gpu.cluster.backend import ClusterBackend
from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.errors import (
    BackendMismatch,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    TooLarge,
    WrongType,
)
from tests.cluster.turns import TurnTransport, on_ranks
from tests.harness import CPU

ROOT = Path(__file__).resolve().parents[2]
SIZES = [1, 2, 3, 4]


def sample(backend: Any, n: int = 40) -> lg.Matrix:
    rng = np.random.default_rng(3)
    row, column = rng.integers(0, n, (2, 120))
    return lg.Matrix.from_coo(
        row, column, rng.integers(-9, 9, 120), nrows=n, ncols=n, dup_op="plus", backend=backend
    )


READS = {
    "coordinates": lambda A: [x.tolist() for x in A.to_coo()],
    "rows": lambda A: [x.tolist() for x in A.to_csr()],
    "one": lambda A: [A.get(i, j) for i in range(5) for j in range(40)],
    "text": lambda A: str(A).replace("cluster", "cpu"),
    "pictured": lambda A: A._repr_html_().replace("cluster", "cpu"),
    "row as a vector": lambda A: str(A[7, :].new()).replace("cluster", "cpu"),
    "dense": lambda A: A[:, 3].new().to_dense(0, device=True).tolist(),
    "scipy": lambda A: A.to_scipy_sparse().toarray().tolist(),
    "tiles": lambda A: READS["coordinates"](lg.concat([[A, A[:, :7].new()], [A, A[:, 1:8].new()]])),
    "cut": lambda A: [READS["coordinates"](t) for row in lg.split(A, 13) for t in row],
    "larger": lambda A: READS["coordinates"](resized(A, 43, 55)),
    "smaller": lambda A: READS["coordinates"](resized(A, 11, 23)),
    "on the cpu": lambda A: READS["coordinates"](A.to("cpu")),
    "graphblas": lambda A: lg.Matrix.from_graphblas(A.to_graphblas()).to_coo()[2].tolist(),
    "transposed": lambda A: READS["coordinates"](A.T.new()),
    "copied": lambda A: READS["coordinates"](A.dup("FP32")),
    "empty": lambda A: READS["coordinates"](A.dup(clear=True)),
}


def resized(A: lg.Matrix, nrows: int, ncols: int) -> lg.Matrix:
    B = A.dup()
    B.resize(nrows, ncols)
    return B


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_reading(read: Any, size: int) -> None:
    right = read(sample(CPU))
    assert on_ranks(size, lambda backend: read(sample(backend))) == [right] * size


def large_graph(backend: Any) -> lg.Graph:
    """Of which the edges as the caller gives them are a MiB and more."""
    many = np.arange(1 << 17)
    return lg.Graph.from_edges(many, many[::-1], directed=True, backend=backend)


@pytest.mark.parametrize("stated", [True, False])
def test_memory_that_is_short_in_one_process_before_a_statement(
    stated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All raise its error, and the next statement works. What that process does by another backend
    is its own affair, and so are values that it reads."""
    short: set[int] = set()
    of_user = memory.of_user
    monkeypatch.setattr(
        memory, "of_user", lambda: iter([10]) if threading.get_ident() in short else of_user()
    )

    def work(backend: Any) -> str:
        none = lg.Vector("FP64", 1 << 18, backend=backend)
        with lg.backend(backend):
            if backend.distribution.rank == 1:
                short.add(threading.get_ident())
                with pytest.raises(TooLarge, match="10 are free"):
                    large_graph("cpu")
            with pytest.raises(TooLarge, match="10 are free") as told:
                large_graph(backend if stated else None)
            try:
                assert none.to_dense(0).size and backend.distribution.rank != 1
            except TooLarge:
                assert backend.distribution.rank == 1
            short.discard(threading.get_ident())
            assert lg.grid(2, 2, backend=backend).nedges == 4
            return str(told.value)

    assert len(set(on_ranks(3, work))) == 1


def test_an_algorithm_that_has_too_little_memory_in_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between two of its statements: the others are told in the next one."""
    right, out_degree = lg.pagerank(lg.grid(3, 3, backend=CPU)).to_dense(), lg.Graph.out_degree
    short: set[int] = set()

    def degrees(G: lg.Graph) -> lg.Vector:
        if threading.get_ident() in short:
            raise MemoryError("no room")
        return out_degree.__get__(G)  # type: ignore[no-any-return, attr-defined]

    monkeypatch.setattr(lg.Graph, "out_degree", property(degrees))

    def work(backend: Any) -> None:
        G = lg.grid(3, 3, backend=backend)
        if backend.distribution.rank == 0:
            short.add(threading.get_ident())
        with pytest.raises(TooLarge, match="no room"):
            lg.pagerank(G)
        short.discard(threading.get_ident())
        assert np.allclose(lg.pagerank(G).to_dense(), right)

    on_ranks(3, work)


def test_what_the_processes_of_a_host_have_together() -> None:
    def work(backend: Any) -> int:
        comm = backend.distribution.comm
        comm.transport.host = [0, 1, 0][comm.rank]
        return comm.sum_on_host(1 << 40 + comm.rank)  # type: ignore[no-any-return]

    assert on_ranks(3, work) == [5 << 40, 2 << 40, 5 << 40]


@pytest.mark.parametrize("size", [3, 4])
def test_more_processes_than_rows(size: int) -> None:
    def work(backend: Any) -> Any:
        G = lg.Graph.from_edges([0], [1], n=2, backend=backend)
        return [x.to_coo()[1].tolist() for x in lg.bfs(G, 0)], lg.pagerank(G).nvals

    assert on_ranks(size, work) == [([[0, 1], [0, 0]], 2)] * size


def failing(backend: ClusterBackend, method: str, error: Exception) -> Any:
    """The local backend of one process, of which a method fails."""

    class Failing:
        def __getattr__(self, name: str) -> Any:
            return getattr(CPU, name)

    def fail(*operands: Any, **options: Any) -> None:
        raise error

    local = Failing()
    setattr(local, method, fail)
    return local


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize(
    "method, error, known",
    [
        ("build_vector", IndexOutOfBound("row 7 is outside"), IndexOutOfBound),
        ("build_coordinates", MemoryError("none left"), TooLarge),
        ("build_vector", type("Own", (Exception,), {})("cannot be pickled"), LagraphError),
    ],
    ids=["at once", "in the middle", "an error that cannot be sent"],
)
def test_one_fails_all_raise(size: int, method: str, error: Exception, known: type) -> None:
    def work(backend: ClusterBackend) -> list[str]:
        distribution, said = backend.distribution, []
        if distribution.rank == size - 1:
            backend.local = distribution.local = failing(backend, method, error)
        A = lg.Matrix.from_dense([[1, 2], [3, 4]], backend=CPU)
        for statement in (lambda: lg.Vector.from_coo([0, 1], [2, 3], backend=backend),
                          lambda: A.to(backend).T.new()):  # fmt: skip
            try:
                statement()
            except Exception as problem:
                said.append(f"{type(problem).__name__}: {str(problem).split(' bytes')[0][:60]}")
        backend.local = distribution.local = CPU
        assert lg.Vector.from_coo([0, 1], [2, 3], backend=backend).sum() == 5
        return said

    found = on_ranks(size, work)
    assert found[0] and found == [found[0]] * size
    assert all(said.startswith(known.__name__) for said in found[0])


@pytest.mark.parametrize(
    "programs, told",
    [
        ((lambda v: v.nvals, lambda v: v[0].get()), r"got nvals\(INT64\(3,\)\) on process 0"),
        ((lambda v: v.resize(5), lambda v: v.resize(6)), r"empty\(\(5\), .*empty\(\(6\), "),
        ((lambda v: v << v + 1, lambda v: v << v + 2), r"None, 1\).*None, 2\)"),
        (
            (lambda v: v(v.S) << 1, lambda v: v(~v.S, replace=True) << 1),
            r"mask=INT64\(3,\).S.*mask=~INT64\(3,\).S, replace=True",
        ),
        (
            tuple(lambda v, root=root: lg.bfs(edge(v.backend), root) for root in (0, 1)),
            r"got bfs\(.*, 0\) on process 0 and bfs\(.*, 1\)",
        ),
    ],
    ids=["another function", "another size", "another number", "another mask", "another source"],
)  # fmt: skip
def test_programs_that_differ_are_told(programs: Any, told: str) -> None:
    def work(backend: ClusterBackend) -> None:
        v = lg.Vector.from_coo([0, 1, 2], [4, 5, 6], backend=backend)
        with pytest.raises(InvalidValue, match=f"expected the same statement.*{told}"):
            programs[backend.distribution.rank](v)
        assert v.sum() == 15

    on_ranks(2, work, checks=True)


@pytest.mark.parametrize(
    "programs, told",
    [
        ((lambda v: v.nvals, lambda v: v[0].get()), r"nvals on process 0 and vector_get\(0\)"),
        ((lambda v: v[1].get(), lambda v: v[2].get()), r"vector_get\(1\) .*vector_get\(2\)"),
        ((lambda v: (v + 1).new(), lambda v: (v + v).new()), r"run Apply\(.* and run Ewise\("),
        ((lambda v: v.to_coo(), lambda v: edge(v.backend)), r"vector_entries.* and Graph.from_e"),
        (
            tuple(lambda v, k=k: path(v, k) for k in (0, 4)),
            r"build_matrix\(\(9, 9\), .*build_matrix\(\(9, 9\)",
        ),
        (
            tuple(lambda v, at=at: lg.Vector.from_coo([at], 1, size=9, backend=v.backend)
                  for at in (3, 4)),
            "build_vector.*build_vector",
        ),
    ],
    ids=["another function", "another position", "another kind", "a new graph", "other edges",
         "other entries"],
)  # fmt: skip
def test_programs_that_differ_are_told_without_checks(programs: Any, told: str) -> None:
    """Neither returns what the other has asked for."""

    def work(backend: ClusterBackend) -> None:
        v = lg.Vector.from_coo([0, 1, 2], [4, 5, 6], backend=backend)
        with pytest.raises(InvalidValue, match=f"expected the same statement.*{told}"):
            programs[backend.distribution.rank](v)
        assert v.sum() == 15

    on_ranks(2, work)


def test_the_error_of_an_earlier_statement_is_news() -> None:
    """Also one that is raised again, or from it: the others have not heard of either."""

    def work(backend: ClusterBackend) -> list[str]:
        comm, said = backend.distribution.comm, []

        def fails(error: Exception, cause: Exception | None = None) -> Exception:
            with pytest.raises(LagraphError) as told, comm.statement():
                if comm.rank == 1:
                    raise error from cause
            said.append(str(told.value))
            return told.value

        earlier = fails(InvalidValue("earlier"))
        fails(IndexOutOfBound("later"), earlier)
        fails(fails(InvalidValue("once")))
        assert comm.values(np.ones(1)).sum() == 2
        return said

    assert on_ranks(2, work) == [["earlier", "later", "once", "once"]] * 2


def path(v: lg.Vector, begin: int, weight: float = 1.0) -> lg.Graph:
    """Four edges of nine vertices, which may be the part of one process."""
    u = np.arange(begin, begin + 4)
    return lg.Graph.from_edges(u, u + 1, np.full(4, weight), 9, backend=v.backend)


def test_floats_may_differ_in_their_last_bits() -> None:
    """Each process keeps its part of them."""

    def work(backend: ClusterBackend) -> None:
        v = lg.Vector.from_coo([0], [4], backend=backend)
        G = path(v, 0, 1 + backend.distribution.rank * 2.0**-52)
        assert G.nedges == 4 and np.allclose(G.A.to_coo()[2], 1)

    on_ranks(2, work)


def edge(backend: Any) -> lg.Graph:
    return lg.Graph.from_edges([0], [1], n=2, backend=backend)


@pytest.mark.parametrize("meets", [False, True])
def test_the_program_of_one_has_ended(meets: bool) -> None:
    """The others raise an error which names it, again and again."""

    def work(backend: Any) -> None:
        comm = backend.distribution.comm
        ones = lg.Vector.from_scalar(1, 9, backend=backend)
        comm.met = meets
        if comm.rank == 1:
            comm.end_program()
            comm.end_program()
            return
        for statement in (ones.sum, ones.sum, lambda: comm.values(np.zeros(1))):
            with pytest.raises(LagraphError, match=r"expected all 3 .* process 1 has ended"):
                statement()
        comm.end_program()

    on_ranks(3, work, CPU)


def test_all_programs_end() -> None:
    on_ranks(3, lambda backend: backend.distribution.comm.end_program(), CPU)


def test_the_program_of_one_has_ended_and_another_has_failed() -> None:
    """The third one waits for neither."""

    def work(backend: Any) -> None:
        distribution = backend.distribution
        if distribution.rank == 1:
            distribution.comm.end_program()
            return

        def fails(*given: Any) -> None:
            raise IndexOutOfBound("row 7 is outside")

        if distribution.rank == 0:
            distribution.part_shape = fails
        with pytest.raises(LagraphError, match="process 1 has ended"):
            lg.Vector.from_scalar(1, 9, backend=backend)

    on_ranks(3, work, CPU)


def test_exit_within_a_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends all processes: the others wait for this one."""
    ended = []
    monkeypatch.setattr(TurnTransport, "end", lambda self: ended.append(self.rank))

    def work(backend: Any) -> None:
        comm = backend.distribution.comm
        with comm.statement(), comm.statement():
            if comm.rank == 1:
                raise SystemExit(3)

    with pytest.raises((SystemExit, AssertionError)):
        on_ranks(2, work, CPU)
    assert ended == [1]


def test_backends_do_not_mix() -> None:
    """Neither with another backend, nor with that of other processes or of another communicator."""

    def work(backend: ClusterBackend) -> None:
        u = lg.Vector.from_coo([0, 1, 2], [4, 5, 6], backend=backend)
        comm = backend.distribution.comm
        other = ClusterBackend(Communicator(comm.transport), CPU)
        for there in (CPU, other):
            v = lg.Vector.from_coo([0, 1, 2], [1, 1, 1], backend=there)
            with pytest.raises(BackendMismatch, match="operands live on different backends"):
                u.ewise_add(v, "plus").new()
            with pytest.raises(BackendMismatch):
                u << v + 1
        assert u.sum() == 15

    on_ranks(2, work)


def test_the_page_lists_the_operations() -> None:
    path = ROOT / "docs" / "cluster_operations.py"
    spec = importlib.util.spec_from_file_location("cluster_operations", path)
    assert spec is not None and spec.loader is not None
    made: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    text = made.PAGE.read_text(encoding="utf-8")
    assert f"{made.FIRST}\n{made.table()}\n{made.LAST}" in text, f"run python {path}"
    ways = {name: made.way(operation) for name, operation in made.operations().items()}
    assert ways["closure.fixpoint"] == made.OWN
    assert ways["algorithms.centrality.pagerank.pagerank_rounds"] == made.OWN
    assert ways["algorithms.structure.k_truss.truss"] == made.PROCESS_0
    assert ways["algorithms.structure.k_core.core_levels"] == made.PROCESS_0
    assert len(lowerings.OWN) + len(lowerings.TOGETHER) < len(ways)


def test_a_pickle_is_the_backend_of_the_process() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PMI_SIZE", raising=False)
        alone = lg.Vector("BOOL", 1, backend="cluster").backend
        assert pickle.loads(pickle.dumps(alone)) is alone


@pytest.mark.parametrize(
    "wrong",
    [lambda G: lg.bfs(G, 99), lambda G: lg.bfs(G, "x"), lambda G: lg.sssp(G, 0, cutof=3),
     lambda G: lg.pagerank(G, damping=7)],
    ids=["index", "label", "misspelt", "damping"],
)  # fmt: skip
@pytest.mark.parametrize("who", [(1,), (0, 1, 2)], ids=["one", "all"])
def test_a_wrong_argument_is_told_to_all(wrong: Any, who: tuple[int, ...]) -> None:
    """Of one process alone as well. The program may catch it, and the next statement works."""
    whole = lg.grid(5, 5, backend="cpu")
    right = lg.bfs(whole, 0)[0].to_dict()

    def work(backend: Any) -> str:
        G = whole.to(backend)
        with pytest.raises((LagraphError, TypeError)) as told:
            wrong(G) if backend.distribution.rank in who else lg.bfs(G, 0)
        assert lg.bfs(G, 0)[0].to_dict() == right
        return f"{type(told.value).__name__}: {told.value}"

    assert len(set(on_ranks(3, work))) == 1


WRONG = {
    "a size": lambda v, A, G: lg.Vector("FP64", -3),
    "a type": lambda v, A, G: lg.Matrix("nonsense", 2, 2),
    "lists": lambda v, A, G: lg.Vector.from_coo([0, 1], [1, 2, 3]),
    "a position": lambda v, A, G: lg.Matrix.from_coo([0, 9], [0, 1], [1, 2], nrows=3),
    "a position there": lambda v, A, G: lg.Vector.from_coo([9], 1, size=3, backend=v.backend),
    "edges": lambda v, A, G: lg.Graph.from_edges([0, 1], [1]),
    "edges beyond a graph": lambda v, A, G: G.add_edges([0], [999]),
    "a grid": lambda v, A, G: lg.grid(-1, 5),
    "tiles": lambda v, A, G: lg.concat([[A, A], [A]]),
    "a file": lambda v, A, G: lg.read("there/is/none.el"),
    "an element to read": lambda v, A, G: v[99].new(),
    "an element to set": lambda v, A, G: v.__setitem__(99, 1),
    "a part to set": lambda v, A, G: v.__setitem__([0, 9], 1),
    "an element to remove": lambda v, A, G: A.__delitem__((0, 999)),
    "a sign": lambda v, A, G: v + "x",
    "a sign after an operand": lambda v, A, G: "x" - v,
    "a sign in place": lambda v, A, G: v.__imul__(A),
    "an operator": lambda v, A, G: lg.binary.plus(v),
    "a semiring": lambda v, A, G: lg.semiring.min_plus(v),
    "the name of an operator": lambda v, A, G: v.apply("nonsense"),
    "a condition": lambda v, A, G: A.select("nonsense", 3),
    "an aggregation": lambda v, A, G: lg.agg.sum(v, columnwise=True),
    "shapes": lambda v, A, G: A.mxv(lg.Vector("INT64", 3, backend="cpu")),
    "a mask": lambda v, A, G: v(mask=A.S) << v,
    "an accumulator": lambda v, A, G: v(accum="nonsense") << v,
    "an update": lambda v, A, G: v << A,
    "masks": lambda v, A, G: v.S & 5,
    "a keyword": lambda v, A, G: A.reduce_rowwise(opp="plus"),
    "a new shape": lambda v, A, G: A.resize(-1, 2),
    "a scalar": lambda v, A, G: lg.Scalar("INT8") << "x",
    "a format": lambda v, A, G: G.to_scipy("nonsense"),
    "the format of a vector": lambda v, A, G: v.to_scipy_sparse("nonsense"),
    "an order": lambda v, A, G: A.to_dicts("nonsense"),
    "a fill value for a matrix": lambda v, A, G: A.to_dense("x"),
    "a position to read": lambda v, A, G: A.get(0, 999),
    "a backend": lambda v, A, G: v.to("nonsense"),
    "the name of weights": lambda v, A, G: G.to_networkx(5),
    "a vertex": lambda v, A, G: G.neighbors(999),
    "a fill value": lambda v, A, G: v.to_dense("x"),
    "a type to read": lambda v, A, G: A.to_coo("nonsense"),
    "a comparison": lambda v, A, G: v.isequal(5),
    "where to begin": lambda v, A, G: v.ss.iteritems("x"),
    "which keys": lambda v, A, G: A.ss.iterkeys(0.5),
    "which values": lambda v, A, G: A.ss.itervalues(None),
    "how many": lambda v, A, G: v.ss.head("x"),
    "which entries": lambda v, A, G: v.ss.selectk("nonsense", 1),
    "which of each line": lambda v, A, G: A.ss.selectk("first", 1, "nonsense"),
    "a size without gaps": lambda v, A, G: v.ss.compactify("first", -1),
    "a width without gaps": lambda v, A, G: A.ss.compactify("first", -1),
    "the order of lines": lambda v, A, G: A.ss.flatten("nonsense"),
    "another shape": lambda v, A, G: v.ss.reshape(7, 7),
    "the order of another shape": lambda v, A, G: A.ss.reshape(16, 1, "nonsense"),
    "the format of arrays": lambda v, A, G: A.ss.export("nonsense"),
}
"""Calls with a wrong argument, by what is wrong."""


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize(
    "size, who", [(2, [1]), (3, [0]), (3, [0, 1, 2])], ids=["one of two", "one of three", "all"]
)
def test_a_wrong_argument_of_a_method_is_told_to_all(wrong: Any, size: int, who: list[int]) -> None:
    """On one process alone as well, before it exchanges anything; in its last words, and once."""

    def work(backend: Any) -> str:
        with lg.backend(backend):
            v, A, G = lg.Vector.from_coo([0, 1], [4, 5]), sample(backend, 4), edge(backend)
            comm = backend.distribution.comm
            begun = comm.epoch
            with pytest.raises((LagraphError, TypeError, ValueError)) as told:
                wrong(v, A, G) if comm.rank in who else v.sum()
            assert comm.epoch == begun + 2
            assert v.sum() == 9
            return f"{type(told.value).__name__}: {told.value}"

    assert len(set(on_ranks(size, work))) == 1


@pytest.mark.parametrize("who", [[1], [0, 1, 2]], ids=["one", "all"])
@pytest.mark.parametrize("name", ["vector", "matrix"])
def test_a_fill_value_that_one_process_lacks_is_told_to_all(name: str, who: list[int]) -> None:
    """In the call in which the others read the entries."""

    def work(backend: Any) -> str:
        v = lg.Vector.from_coo([0, 2], [4, 5], backend=backend)
        x: Any = v if name == "vector" else sample(backend)
        fill = None if backend.distribution.rank in who else 0
        with pytest.raises(WrongType, match="fill_value") as told:
            x.to_dense(fill)
        assert v.sum() == 9
        return str(told.value)

    assert len(set(on_ranks(3, work))) == 1


def test_a_wrong_argument_on_another_backend_is_told_to_nobody() -> None:
    def work(backend: Any) -> int:
        v, here = (
            lg.Vector.from_coo([0, 1], [4, 5], backend=backend),
            lg.Vector("INT8", 3, backend=CPU),
        )
        if backend.distribution.rank == 1:
            with lg.backend(backend):
                for wrong in (lambda: lg.Vector("INT8", -3, backend=CPU),
                              lambda: lg.Vector("INT8", -3, backend="cpu"),
                              lambda: here[7].new(), lambda: here + "x"):  # fmt: skip
                    with pytest.raises(LagraphError):
                        wrong()
        return v.sum()  # type: ignore[no-any-return]

    assert on_ranks(2, work) == [9] * 2


def test_a_program_in_a_folder_named_like_the_package_is_a_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others are told of its errors, and it heeds `autocompute`."""
    text = "lambda: lg.grid(-1, 5)", "lambda v: (v + v).to_dense()"
    place = Path(f"{Path(lg.__file__).parent}_tools") / "run.py"
    grid, nested = (eval(compile(one, str(place), "eval"), {"lg": lg}) for one in text)
    heard: list[Exception] = []
    monkeypatch.setattr("lagraph_gpu.errors.ON_ERROR", [lambda error, given: heard.append(error)])
    with pytest.raises(InvalidValue) as raised:
        grid()
    assert heard == [raised.value]
    with lg.config.set(autocompute=False), pytest.raises(WrongType, match="autocompute"):
        nested(lg.Vector.from_coo([0], [1], backend=CPU))


def test_what_python_does_with_any_object_is_told_to_nobody() -> None:
    """One process alone may try to set an attribute, or to show a number in a format."""

    def work(backend: Any) -> int:
        v = lg.Vector.from_coo([0, 1], [4, 5], backend=backend)
        if backend.distribution.rank == 1:
            with pytest.raises(AttributeError):
                (v & v).note = 1  # type: ignore[attr-defined]
            with pytest.raises(ValueError, match="format"):
                format(lg.Scalar.from_value(1, backend=backend), "nonsense")
        return v.sum()  # type: ignore[no-any-return]

    assert on_ranks(2, work) == [9] * 2
