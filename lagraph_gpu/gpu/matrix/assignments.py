"""Single entries that are assigned to a matrix, or removed from it: C[i, j] = x and del C[i, j].

A stored matrix never changes, so each statement would copy all of it. Instead it is noted down: the
store that C gets has the one before as its base and a list of what was assigned since, and its
arrays are made when they are first read, by one merge for all that was assigned and one for all
that was removed. Such a list never changes either: the next one has it as its beginning. So copies
of C go on by themselves, in any thread. SuiteSparse:GraphBLAS calls these pending tuples.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.expressions import Apply, Ewise, Expression, Fill
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import BINARY, UNARY, types

LONGEST = 1 << 16
"""So many statements are noted down before they are carried out."""

LOOKED_AT = 64
"""At most so many notes are looked at for the value of one position; more are carried out first."""


class Note(NamedTuple):
    """One entry that was assigned, after others."""

    before: Note | None
    place: tuple[int, int]
    value: Any
    """None if the entry was removed."""
    number: int
    """How many notes there are with this one."""


class Assigned(NamedTuple):
    """Makes the arrays of a matrix: those of the base, after what was assigned since."""

    assignments: Assignments
    base: Any
    last: Note

    def __call__(self) -> Any:
        return self.assignments.carried_out(self.base, self.last)


class Assignments(BackendPart):
    """Notes single assignments down, and carries them out. The fields are for tests."""

    longest, looked_at = LONGEST, LOOKED_AT

    def put(self, update: Update) -> bool:
        """Note an update down; False if it is not that of a single entry."""
        out, node = update.out, update.expression
        rows, columns = update.region or (None, None)
        if rows is None or columns is None or rows.size != 1 or columns.size != 1:
            return False
        if update.mask is not None or update.accum is not None:
            return False
        if isinstance(node, Fill) and node.dtype == out.dtype:
            value = types.cast(node.value, out.dtype)
        elif isinstance(node, Apply) and _is_empty(node.operand):
            value = None
        else:
            return False
        base, last = self._noted(out._store)
        if last is not None and last.number >= self.longest:
            self.settle(out._store)
            base, last = out._store, None
        (row,), (column,) = np.asarray(rows).tolist(), np.asarray(columns).tolist()
        note = Note(last, (row, column), value, 1 if last is None else last.number + 1)
        out._store = type(base).later(out.shape, out.dtype, Assigned(self, base, note))
        return True

    def settle(self, store: Any) -> None:
        """Carry out what was noted down."""
        if isinstance(store.rows, Assigned):
            _ = store.nnz

    def _noted(self, store: Any) -> tuple[Any, Note | None]:
        """The base of a store, and what was assigned since."""
        rows = store.rows
        return (rows.base, rows.last) if isinstance(rows, Assigned) else (store, None)

    def carried_out(self, base: Any, last: Note) -> Any:
        """A store of the entries of the base after all notes. Waits once or twice."""
        held: dict[tuple[int, int], Any] = {}
        note: Note | None = last
        while note is not None:
            held.setdefault(note.place, note.value)
            note = note.before
        made: Any = Matrix._stored(base, base.shape, base.dtype, self.backend)
        if removed := sorted(place for place, value in held.items() if value is None):
            there = self._matrix(base.shape, removed, np.ones(len(removed), bool))
            made = self._computed(Apply(made, UNARY["identity"]), Mask(there, True, True))
        if given := sorted(place for place, value in held.items() if value is not None):
            values = np.array([held[place] for place in given], base.dtype)
            there = self._matrix(base.shape, given, values)
            made = self._computed(Ewise("add", made, there, BINARY["second"]))
        store = made._store
        hypersparse = self.backend.hypersparse
        if not isinstance(base, DeviceMatrix):
            return hypersparse.by_rows_in_use(store)
        return store if isinstance(store, DeviceMatrix) else hypersparse.by_position(store)

    def _matrix(self, shape: Any, places: list[tuple[int, int]], values: np.ndarray) -> Matrix:
        """A matrix with values at places, which are sorted."""
        row, column = np.array(places, np.int64).T
        store = self.backend.build_coordinates(shape, row, column, values)
        return Matrix._stored(store, shape, values.dtype, self.backend)

    def _computed(self, node: Expression, mask: Mask | None = None) -> Matrix:
        store = self.backend.empty(node.shape, node.dtype)
        made = Matrix._stored(store, node.shape, node.dtype, self.backend)
        self.backend.run(Update(made, node, mask))
        return made

    def element(self, store: Any, row: int, column: int) -> Any:
        """The value at one position, or None. Waits, unless it was assigned shortly before."""
        base, last = self._noted(store)
        if last is not None and last.number <= self.looked_at:
            note: Note | None = last
            while note is not None:
                if note.place == (row, column):
                    return None if note.value is None else note.value.item()
                note = note.before
            store = base
        if isinstance(store, DeviceMatrix):
            return self.backend.exchange.element(store, row, column)
        return self.backend.hypersparse.matrix_get(store, row, column)


def _is_empty(operand: Any) -> bool:
    """True if an operand is a matrix of which it is known that it has no entry."""
    store = getattr(operand, "_store", None)
    return isinstance(store, DeviceMatrix) and store.known_empty
