"""Operations that the root carries out alone, by the lowering of its local backend.

Their operands go to the root, matrices once, and what it finds is dealt out: each process gets the
rows that it owns, all in one exchange. What is one of several right answers is thus chosen by one
process for all. `root.py` says when.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lagraph_gpu.cluster.communicator import NO_BYTES, ROOT, text_bytes
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.gathered import gathered_on
from lagraph_gpu.cluster.packing import as_bytes, bundle, unbundled
from lagraph_gpu.cluster.root import OF_OPERATIONS, ON_ROOT, Whole, by_root, whole_graph, whole_of
from lagraph_gpu.cluster.root_results import Leaving, arrived, leaving
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.notation.infix import Operations
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.planning.trace import explaining, record_choice
from semirings import types

WHY = "no process finds it faster, and process 0 has room for all of the graph and for the work"


def of_root(operation: Operation[Any, Any]) -> Callable[..., Any]:
    """A lowering of an operation by that of the root. Where that has no room for it the statements
    run, as one."""
    name, kind = operation.__name__, kind_of_result(operation)  # type: ignore[attr-defined]

    def lowering(*operands: Any, **options: Any) -> Any:
        backend, given = operands[0].backend, [*operands, *options.values()]
        distribution: Distribution = backend.distribution

        def work() -> tuple[Any]:
            found = Found(distribution, generators_among(given))
            here = [on_root(distribution, one) for one in given]
            if distribution.is_root:
                some = dict(zip(options, here[len(operands) :], strict=True))
                found.put(lambda: operation(*here[: len(operands)], **some))
            return (found.dealt(backend),)

        with distribution.comm.statement(name):
            stores = matrices_among(given)
            done = by_root(distribution, stores, OF_OPERATIONS, work, name) if stores else None
            if done is None:
                return operation.statements(*operands, **options)
            if explaining():
                record_choice(name, ON_ROOT, WHY)
            (result,) = done
            return kind(*result) if kind and isinstance(result, tuple) else result

    return lowering


def matrices_among(given: Any) -> list[Distributed]:
    """The stores of the matrices among some operands, each once; none if there is an expression,
    which the root cannot have."""
    parts = list(containers(given))
    if not all(isinstance(one, (Vector, Matrix)) for one in parts):
        return []
    return list(dict.fromkeys(one._store for one in parts if isinstance(one, Matrix)))


def containers(one: Any) -> Iterator[Operations]:
    """The vectors, matrices and expressions among some operands, also in tuples and lists."""
    if isinstance(one, Graph):
        yield one.A
    elif isinstance(one, Transposed):
        yield one.matrix
    elif isinstance(one, Operations):
        yield one
    elif isinstance(one, (tuple, list)):
        for part in one:
            yield from containers(part)


def on_root(distribution: Distribution, one: Any) -> Any:
    """An operand on the root. Others have None where it is a container or a graph."""
    if isinstance(one, Graph):
        return whole_graph(one)
    if isinstance(one, Transposed):
        A = whole_of(one.matrix._store)
        return None if A is None else A.T
    if isinstance(one, Matrix):
        return whole_of(one._store)
    if isinstance(one, Vector):
        made = gathered_on(distribution, one._store, ROOT, distribution.local)
        return None if made is None else distribution.handle(made, one.shape, one.dtype)
    if isinstance(one, tuple):
        parts = [on_root(distribution, part) for part in one]
        return type(one)(*parts) if hasattr(one, "_fields") else tuple(parts)
    return one


class Found:
    """What the root has found, which is dealt out: a description in JSON, and for each process its
    parts of what that speaks of."""

    def __init__(self, distribution: Distribution, generators: list[np.random.Generator]) -> None:
        self.distribution, self.generators = distribution, generators
        self.description: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        """Of each array, vector and matrix of the description what all processes are told."""
        self.left: list[Leaving] = []
        self.wholes: list[Matrix] = []

    def put(self, find: Callable[[], Any]) -> None:
        """Note the result, on the root. After an error its generators are where those of the
        others are."""
        states = [one.bit_generator.state for one in self.generators]
        try:
            self.description = self._described(find())
        except Exception:
            self._go_to(states)
            raise

    def _go_to(self, states: list[Any]) -> None:
        """Let the generators go on from here."""
        for one, state in zip(self.generators, states, strict=True):
            one.bit_generator.state = state

    def _described(self, one: Any) -> dict[str, Any]:
        distribution = self.distribution
        if isinstance(one, tuple):
            return {"parts": [self._described(part) for part in one]}
        on_device = not isinstance(one, (Vector, Matrix)) and hasattr(
            one, "__cuda_array_interface__"
        )
        if on_device:
            flat = Vector.from_dense(one.reshape((-1,)), backend=distribution.local)
            one = flat.to_dense().reshape(one.shape)  # as the statements have it, on the host
        if not isinstance(one, (Vector, Matrix, np.ndarray)):
            return {"value": one.item() if isinstance(one, np.generic) else one}
        told = {"shape": one.shape, "type": types.name(one.dtype)}
        if isinstance(one, np.ndarray):
            self.left.append(Leaving([as_bytes(one.ravel())] * distribution.size, None))
            told["array"] = True
        else:
            self.left.append(leaving(distribution, one))
        if isinstance(one, Matrix):
            self.wholes.append(one)
            told["entries"] = one.nvals
            told["symmetric"] = bool(getattr(one._store, "symmetric", False))
        self.told.append(told)
        return {"at": len(self.told) - 1}

    def dealt(self, backend: Any) -> Any:
        """The result on the cluster. Process 0 keeps whole matrices for operations on them."""
        distribution, comm = self.distribution, self.distribution.comm
        leaves = [NO_BYTES] * comm.size
        if distribution.is_root:
            states = [one.bit_generator.state for one in self.generators]
            about = [self.description, self.told, states]
            text = text_bytes(json.dumps(about, default=lambda array: array.tolist()))
            leaves = [
                bundle([text, bundle([one.parts[rank] for one in self.left])])
                for rank in range(comm.size)
            ]
        text, rest = unbundled(comm.all_to_all(leaves)[ROOT], 2)
        description, told, states = json.loads(text.tobytes())
        self._go_to(states)
        found = self._received(backend, told, unbundled(rest, len(told)))
        return self._made(description, found)

    def _made(self, one: dict[str, Any], found: list[Any]) -> Any:
        """What a description says, with these arrays, vectors and matrices."""
        if "parts" in one:
            return tuple(self._made(part, found) for part in one["parts"])
        return one["value"] if "value" in one else found[one["at"]]

    def _received(
        self, backend: Any, told: list[dict[str, Any]], come: list[np.ndarray]
    ) -> list[Any]:
        """The arrays, vectors and matrices of the description."""
        kinds = [(tuple(one["shape"]), types.lookup(one["type"]).dtype) for one in told]
        dealt = [k for k, one in enumerate(told) if "array" not in one]
        parts = iter(
            arrived(
                self.distribution, [kinds[k] for k in dealt], [come[k] for k in dealt], self.left
            )
        )
        wholes, found = iter(self.wholes), list[Any]()
        for one, (shape, dtype), data in zip(told, kinds, come, strict=True):
            if "array" in one:
                found.append(data.copy().view(dtype).reshape(shape))
                continue
            store = Distributed(next(parts), shape)
            if len(shape) == 1:
                found.append(Vector._stored(store, *shape, dtype, backend))
                continue
            store.symmetric, store.entries = one["symmetric"], one["entries"]
            store.kept[Whole] = Whole(next(wholes, None))
            found.append(Matrix._stored(store, shape, dtype, backend))
        return found


def generators_among(given: list[Any]) -> list[np.random.Generator]:
    """The generators of numbers among some operands, which have to go on alike on all processes."""
    others = [one for one in given if not isinstance(one, (Graph, Operations))]
    found = [getattr(one, "rng", one) for one in others]
    return [one for one in found if isinstance(one, np.random.Generator)]


def kind_of_result(operation: Operation[Any, Any]) -> Callable[..., Any] | None:
    """The class that an operation returns, if it is one of tuples with names."""
    statements: Any = operation.statements
    kind = statements.__globals__.get(statements.__annotations__["return"])
    return kind if hasattr(kind, "_fields") else None
