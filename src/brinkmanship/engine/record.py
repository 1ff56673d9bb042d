"""Records: one structured NumPy value with its fields as attributes, for states, rules and weights.

NumPy has such a type, `numpy.record`, whose attribute access is written in Python; each call of a compiled function
asks a record for its memory through it. `Record` looks into the record only for what is not an attribute, which makes
calls and fields two to three times as fast.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt


class Record(np.record):  # type: ignore[misc]  # NumPy's stubs call it final; it is not
    """One structured value; ``record.prestige`` is ``record["prestige"]``."""

    # A field may not be called like a method of NumPy scalars, in either type.
    __getattribute__ = np.void.__getattribute__

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"a record of {self.dtype.names} has no {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def blank_records(count: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """An array of `count` records of zeros; its elements are `Record`s that share its memory."""
    return np.zeros(count, _with_attributes(dtype))


def blank_record(dtype: np.dtype[Any]) -> Any:
    """A record of zeros."""
    return blank_records(1, dtype)[0]


def record_from_bytes(raw: bytes, dtype: np.dtype[Any]) -> Any:
    """A record with these bytes (`Record.tobytes`), in memory of its own."""
    return np.frombuffer(bytearray(raw), _with_attributes(dtype))[0]


@cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((Record, dtype))
