"""Rows of a matrix as compiled loops take them."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.native.structs import NO_ROWS, CompressedRows
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.planning.closure_order import DEEP_DEGREE


def pattern(store: CpuMatrix, transposed: bool = False) -> CompressedRows:
    """The pattern of the rows."""
    kept: CompressedRows | None = store.patterns.get(transposed and not store.symmetric)
    return kept or rows_in(*store.arrays(transposed)[:2], store, transposed)


def rows_in(
    begins: np.ndarray, columns: np.ndarray, store: CpuMatrix, transposed: bool
) -> CompressedRows:
    """The rows in these arrays of a matrix: the same ones as the last time, if it keeps arrays."""
    key = transposed and not store.symmetric
    rows = store.patterns.get(key)
    if rows is None or rows.begins is not begins or rows.columns is not columns:
        rows = CompressedRows(begins, columns)
        if not store.shared:
            store.patterns[key] = rows
    return rows


def rows_with_values(
    store: CpuMatrix, transposed: bool = False, dtype: np.dtype | None = None
) -> tuple[CompressedRows, np.ndarray]:
    """The pattern of the rows, and the values in this type or their own: one value if all are the
    same."""
    begins, columns, values = store.arrays(transposed, dtype)
    return rows_in(begins, columns, store, transposed), values


def rows_for_pulls(store: CpuMatrix, transposed: bool, often: bool = False) -> CompressedRows:
    """The pattern of the rows of the transpose; none if it is not stored and not worth computing.

    It is worth computing for a graph of high mean degree, if it has been asked for before or will
    be used ``often``. It is never taken from a shared matrix, where it could be out of date.
    """
    if not store.has(not transposed):
        wide = store.nvals > DEEP_DEGREE * store.nrows
        if not (wide and (store.worth_having(not transposed) or often)):
            return NO_ROWS
    return NO_ROWS if store.shared else pattern(store, not transposed)
