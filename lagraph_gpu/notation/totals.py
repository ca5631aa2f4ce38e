"""The methods `sum`, `mean`, `min` and `max`, which give a number at once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from lagraph_gpu.errors import WrongType, brief
from semirings import MONOIDS, types

Total = TypeVar("Total", bound=Callable[..., Any])


def of_all_entries(total: Total) -> Total:
    """Wrap a method so that NumPy may call it, as in `np.sum(v)`: with `axis=None` and the like.
    Any other value is refused."""

    @functools.wraps(total)
    def checked(self: Any, *axis: Any, **others: Any) -> Any:
        asked = {**dict(zip(("axis", "dtype", "out"), axis)), **others}
        given = [f"{name}={brief(value)}" for name, value in asked.items() if value is not None]
        if given:
            name, op = total.__name__, {"sum": "plus"}.get(total.__name__, total.__name__)
            rows = len(self.shape) == 2
            hint = f'; reduce_columnwise("{op}") has those of columns, reduce_rowwise those of rows'
            raise WrongType(
                f"expected no argument of {name}(), which is over all entries, got "
                f"{', '.join(given)}{hint if rows else ''}"
            )
        return total(self)

    return checked  # type: ignore[return-value]


class Totals:
    """What all entries of an operand come to, as a Python number. Every call waits for the device.

    Positions without an entry do not count: they are not zeros.
    """

    @of_all_entries
    def sum(self) -> int | float:
        """The sum of all entries, as a Python number.

        Returns
        -------
        int or float
            The sum; 0 where there are no entries.

        Notes
        -----
        As in NumPy, truth values count as 0 and 1, and small integers are added in INT64 or UINT64,
        which wrap around. Floats are added in FP64. A NaN makes the sum NaN. The call waits for the
        device. `reduce("plus")` adds in the type of the entries, and does not wait.

        Python's own `sum(v)` adds the indices, over which a vector iterates as in python-graphblas.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [100, 100], "INT8", size=5, backend="cpu")
        >>> v.sum(), (v > 0).sum(), lg.Vector("FP32", 5, backend="cpu").sum()
        (200, 2, 0.0)
        """
        kind = self.dtype.kind  # type: ignore[attr-defined]
        to = {"f": types.FP64, "u": types.UINT64, "c": types.FC64}.get(kind, types.INT64)
        found = self._total(MONOIDS["plus"][to])
        return to.type(0).item() if found is None else found

    @of_all_entries
    def mean(self) -> float | None:
        """The mean of all entries, as a Python number.

        Returns
        -------
        float or None
            The mean over the entries, added in FP64; None where there are no entries.

        Notes
        -----
        A NaN makes the mean NaN. The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [1, 2], size=5, backend="cpu")
        >>> v.mean(), lg.Vector("FP32", 5, backend="cpu").mean()
        (1.5, None)
        """
        of: Any = self.new() if hasattr(self, "new") else self
        found = of._total(MONOIDS["plus"][types.FP64])
        return None if found is None else found / of.nvals

    @of_all_entries
    def min(self) -> int | float | None:
        """The smallest entry, as a Python number.

        Returns
        -------
        number or None
            The smallest entry; None where there are no entries.

        Notes
        -----
        A NaN is passed over, as in pandas, unless there is nothing else. The call waits for the
        device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [5, -2], size=5, backend="cpu")
        >>> v.min(), v.max(), lg.Vector("FP32", 5, backend="cpu").min()
        (-2, 5, None)
        """
        return self._total(MONOIDS["min"])

    @of_all_entries
    def max(self) -> int | float | None:
        """The largest entry, as a Python number.

        Returns
        -------
        number or None
            The largest entry; None where there are no entries.

        Notes
        -----
        A NaN is passed over, as in pandas, unless there is nothing else. The call waits for the
        device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> lg.Matrix.from_coo([0, 1], [1, 0], [5, 7], backend="cpu").max()
        7
        """
        return self._total(MONOIDS["max"])

    def _total(self, monoid: Any) -> Any:
        return self.reduce(monoid).new().value  # type: ignore[attr-defined]
