"""Rules as ordinary Python functions: members of enumerations are in them as the numbers they are."""

from __future__ import annotations

import traceback
from enum import IntEnum
from typing import Any

import numpy as np

from brinkmanship.engine.jit.interpret import interpreted


class Place(IntEnum):
    HAND = 3
    TABLE = 7


def counted(places: np.ndarray, wanted: int = Place.HAND) -> tuple[int, int]:
    """How many lie there, and on the table."""
    on_table = 0
    for place in places:
        on_table += place == Place.TABLE
    return int((places == wanted).sum()), on_table


def plain(number: int) -> int:
    return number + 1


def faulty(places: np.ndarray) -> int:
    # The line of the fault is told as it stands here.
    return int(places[Place.TABLE])


def test_members_are_numbers_and_nothing_else_changes() -> None:
    rules = interpreted(counted)
    places = np.array([3, 7, 3], np.int8)
    assert rules(places) == counted(places) == (2, 1)
    assert "Place" not in rules.__code__.co_names
    assert Place.TABLE in rules.__code__.co_consts
    assert (rules.__name__, rules.__module__, rules.__doc__) == (counted.__name__, __name__, counted.__doc__)


def test_a_function_without_members_stays_as_it_is() -> None:
    assert interpreted(plain) is plain


def masked(side: int, share: float, bits: int) -> int:
    """Bits of a side, where it has a share."""
    return bits << 7 * side if share else 0


def test_arguments_and_results_that_are_integers_do_not_stay_small() -> None:
    small, half = np.int8(2), np.float32(0.5)
    rules = interpreted(masked, (0, 2), True)
    assert rules(small, half, np.int8(3)) == 3 << 14  # type: ignore[arg-type]
    assert masked(small, half, np.int8(3)) != 3 << 14  # type: ignore[arg-type]
    assert (type(rules(0, 0.5, small)), rules.__doc__) == (int, masked.__doc__)  # type: ignore[arg-type]


def test_a_function_without_its_source_stays_as_it_is() -> None:
    found: dict[str, Any] = {}
    exec("def typed_in(side):\n    return side", found)
    assert interpreted(found["typed_in"], (0,), True) is found["typed_in"]


def test_a_fault_is_told_with_its_line() -> None:
    lines = []
    for function in (faulty, interpreted(faulty)):
        try:
            function(np.zeros(1, np.int8))
        except IndexError as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            lines.append((last.filename, last.lineno, last.line))
    assert lines[0] == lines[1]
