"""`config`, `init` and `MAX_SIZE` of python-graphblas, so that programs that set them run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.convert.ids import MAX_SIZE
from lagraph_gpu.errors import InvalidValue, brief, did_you_mean

__all__ = ["MAX_SIZE", "Config", "config", "init"]


class Config(dict[str, Any]):
    """The settings of python-graphblas.

    After `config.set(autocompute=False)` an expression that stands for a container is an error, as
    there. `mapnumpy` and `print_burble` are kept and change nothing.

    Examples
    --------
    >>> from lagraph_gpu import config
    >>> with config.set(autocompute=False):
    ...     config["autocompute"]
    False
    >>> config.get("autocompute")
    True
    """

    def set(self, **settings: Any) -> Any:
        """Change settings, until the end of the block if the call stands in a `with` statement.

        Parameters
        ----------
        **settings : object
            The new values by name.

        Returns
        -------
        context manager
            At its end the former values are back.

        Raises
        ------
        InvalidValue
            A setting is unknown.
        """
        if unknown := settings.keys() - self.keys():
            raise InvalidValue(
                f"expected settings among {list(self)}, got {sorted(unknown)}"
                f"{did_you_mean(min(unknown), self)}"
            )
        before = {name: self[name] for name in settings}
        self.update(settings)
        return self._until(before)

    @contextmanager
    def _until(self, before: dict[str, Any]) -> Iterator[Config]:
        try:
            yield self
        finally:
            self.update(before)


config = Config(autocompute=True, mapnumpy=False, print_burble=False)


def init(
    backend: Literal["suitesparse", "suitesparse-vanilla"] = "suitesparse", blocking: bool = False
) -> None:
    """Accept the choice of python-graphblas' own backend, which has no effect here.

    Parameters
    ----------
    backend : {"suitesparse", "suitesparse-vanilla"}, optional
        The backend of python-graphblas. `lg.set_backend` chooses between CPU and GPU.
    blocking : bool, optional
        Has no effect.

    Raises
    ------
    InvalidValue
        python-graphblas has no such backend.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.init("suitesparse", blocking=False)
    """
    if not is_one_of(backend, ("suitesparse", "suitesparse-vanilla")):
        raise InvalidValue(
            f"expected suitesparse or suitesparse-vanilla, got {brief(backend)}; lg.set_backend "
            "chooses between cpu and gpu"
        )
