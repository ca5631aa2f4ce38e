"""Errors that all processes raise because one of them has met one: as texts, and made of these."""

from __future__ import annotations

import builtins
import json
import os
import sys

import semirings.errors
from lagraph_gpu import errors
from lagraph_gpu.errors import InvalidValue, LagraphError, TooLarge


class NotThere(LagraphError):
    """The root has not what all assumed that it has."""


def different_statements(texts: list[str]) -> InvalidValue:
    """The error of processes that are in different statements, of which these are the texts."""
    other = next(rank for rank, text in enumerate(texts) if text != texts[0])
    return InvalidValue(
        f"expected the same statement on all processes, got {texts[0]} on process 0 and "
        f"{texts[other]} on process {other}; let all of them run one program on the same data"
    )


def portable(error: Exception) -> Exception:
    """The error itself, or one of this library that quotes it if other processes cannot make it."""
    try:
        if type(error_of(text_of(error))) is type(error):
            return error
    except (TypeError, AttributeError):  # arguments that JSON has not, or an unknown class
        pass
    return LagraphError(f"{type(error).__name__}: {error}")


def text_of(error: Exception) -> str:
    """The name and the arguments of an error, as JSON, and whether memory was short; a path is its
    text."""
    short = isinstance(error, TooLarge) and error.of_memory
    return json.dumps([type(error).__name__, error.args, short], default=os.fspath)


def error_of(text: str) -> Exception:
    """An error of this library or of Python from what `text_of` has of it."""
    name, args, short = json.loads(text)
    homes = errors, semirings.errors, sys.modules[__name__]
    where = next((home for home in homes if hasattr(home, name)), builtins)
    found: Exception = getattr(where, name)(*args)
    if isinstance(found, TooLarge):
        found.of_memory = short  # by which callers decide, alike in all processes, to take less
    return found
