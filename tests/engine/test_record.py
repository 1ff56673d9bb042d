"""Records: rows with named fields inside a state or a table of rules, and modules that read them by these names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine.record import blank_record, blank_records, record_from_bytes, row_dtype
from brinkmanship.games.registry import game_class

ROOMS = {"cuban": None, "thirteen_minutes.rules": "13-minutes", "thirteen_days.rules": "13-days"}
"""Folders of rules, with the game each is of."""
FEW = 16
"""Numbers by their names that a module of rules may fetch from elsewhere: sizes, and such as NOBODY, CHANCE."""


@dataclass
class Piece:
    kind: int
    steps: int


@dataclass
class Hidden:
    kind: int
    sum: int
    copy: int


def test_a_row_of_a_record_has_its_fields_and_shares_its_memory() -> None:
    state = blank_record(np.dtype([("turn", np.int8), ("row", row_dtype(Piece), 3)], align=True))
    piece = state.row[1]
    piece.steps = 4
    state.row[2] = state.row[1]
    assert state.row.tolist() == [(0, 0), (0, 4), (0, 4)]
    assert (piece.kind, state.row[2].steps) == (0, 4)


def test_compiled_code_is_given_the_memory_of_the_record_itself() -> None:
    dtype = np.dtype([("turn", np.int8), ("row", row_dtype(Piece), 3)], align=True)
    made = blank_record(dtype)
    copied = record_from_bytes(made.tobytes(), dtype)
    for state in (made, copied, blank_records(2, dtype)[1]):
        assert len(memoryview(state.data).tobytes()) == state.nbytes == dtype.itemsize
        state.turn = 5
        state.row[1].steps = 7
        assert memoryview(state.data).tobytes() == state.tobytes()
    copied.turn = 6
    assert (made.turn, copied.copy().turn) == (5, 6)
    assert memoryview(copied.copy().data).tobytes() == copied.tobytes()


def test_a_field_that_numpy_would_hide_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Hidden need other names.*'sum', 'copy'"):
        row_dtype(Hidden)


@pytest.mark.parametrize("room", ROOMS)
def test_rules_read_by_names_and_not_by_numbers(room: str) -> None:
    game_id = ROOMS[room]
    if game_id is not None:
        game_class(game_id)
    package = import_module(f"brinkmanship.games.{room}")
    for source in sorted(Path(package.__path__[0]).glob("*.py")):
        fetched = [
            alias.name
            for node in ast.parse(source.read_text()).body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
            if type(getattr(import_module(node.module), alias.name, None)) is int
        ]
        assert len(fetched) <= FEW, (
            f"{source.name} fetches numbers, which could be members of an enumeration: {fetched}"
        )
