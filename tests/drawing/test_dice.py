"""Pictures of dice show the faces that are recorded, and no others."""

from __future__ import annotations

from brinkmanship.drawing.dice import row
from brinkmanship.engine.message import Dice


def test_no_die_is_blank_where_only_the_sum_is_recorded() -> None:
    assert "a-die" not in row(Dice(3, total=12))
    assert ">12</text>" in row(Dice(3, total=12))
    assert 'href="#die-6"' in row(Dice(1, total=6))
