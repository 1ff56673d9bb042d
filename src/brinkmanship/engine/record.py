"""Records: structured NumPy values with their fields as attributes, for states, rules and weights.

NumPy has such a type, `numpy.record`, whose attribute access is written in Python; `Record` looks up a field only if no
attribute of that name exists. Each call of a compiled function also asks a record for its memory: NumPy then describes
the whole nested layout again, which takes longer than most rules. A `Record` allocated by this module caches its
memory, which makes a call five times as fast.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    pass


class _Memory:
    """The memory of a record without a cached buffer: an element of an array, or a row inside another record."""

    def __get__(self, record: Record, _: type[Record]) -> memoryview:
        memory: memoryview = np.void.data.__get__(record)
        return memory


class Record(np.record):  # type: ignore[misc]  # NumPy's stubs call it final; it is not
    """One structured value; ``record.prestige`` is ``record["prestige"]``."""

    # A field may not have the name of a method of NumPy scalars, in either type.
    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]  # a row inside is a `Record` already
    data = _Memory()  # a non-data descriptor: the record's own `__dict__` takes precedence

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"a record of {self.dtype.names} has no {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def row_dtype(row: type[Any]) -> np.dtype[Any]:
    """Return the dtype of a record with the fields of a dataclass, all int16: a frame on a stack, or a row of a table.

    Inside another record, its elements have attributes too, compiled and interpreted.

    Raises:
        TypeError: a field has the name of an attribute of NumPy's records, which would hide it.
    """
    names = [field.name for field in fields(row)]
    if taken := [name for name in names if hasattr(np.void, name)]:
        raise TypeError(f"fields of {row.__name__} need other names, NumPy's records already have these: {taken}")
    return _with_attributes(np.dtype([(name, np.int16) for name in names]))


def blank_records(count: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return an array of `count` zeroed records; its elements are `Record`s that share its memory."""
    return np.zeros(count, _with_attributes(dtype))


def blank_record(dtype: np.dtype[Any]) -> Any:
    """Return a zeroed record."""
    return _in_memory(bytearray(dtype.itemsize), dtype)


def record_from_bytes(raw: bytes, dtype: np.dtype[Any]) -> Any:
    """Return a record with these bytes (`Record.tobytes`), in its own memory."""
    return _in_memory(bytearray(raw), dtype)


def _in_memory(memory: bytearray, dtype: np.dtype[Any]) -> Any:
    record = np.frombuffer(memory, _with_attributes(dtype))[0]
    record.__dict__["data"] = memory
    return record


@cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the same layout made of `Record`s at every level: a field may be a record, or an array of them."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((_with_attributes(item), shape))
    if dtype.fields is None:
        return dtype
    formats, offsets = zip(*((field[0], field[1]) for field in dtype.fields.values()), strict=True)
    layout = {
        "names": list(dtype.fields),
        "formats": list(map(_with_attributes, formats)),
        "offsets": list(offsets),
        "itemsize": dtype.itemsize,
    }
    return np.dtype((Record, np.dtype(layout, align=dtype.isalignedstruct)))  # type: ignore[call-overload]


State = Any
"""One `Record` of a game's dtype."""
