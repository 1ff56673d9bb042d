"""Events of cards that no golden case plays: what they offer, and what lies on the table afterwards."""

from __future__ import annotations

import pytest

from support.thirteen_minutes.builders import table


def test_u_thant_moves_at_most_two_battlegrounds_out_of_any_sphere() -> None:
    t = table("scramble@U 3:0", "excomm@S 0:2", "quarantine@U 0:0", "cuba@N 1:1").play("play u_thant neutral", "event")
    assert not any("cuba" in text for text in t.legal())
    t.play("move scramble neutral", "move excomm neutral")
    assert (t.at("scramble"), t.at("excomm"), t.at("quarantine")) == ("N 3:0", "N 0:2", "U 0:0")
    assert t.to_move() == "chance"


def test_u_thant_may_move_nothing() -> None:
    t = table("scramble@U 3:0", mover="ussr").play("play u_thant ussr", "event", "done")
    assert (t.at("scramble"), t.at("u_thant")) == ("U 3:0", "S 0:0")


@pytest.mark.parametrize(
    ("answers", "at"),
    [
        (("place 2 scramble",), ("U 2:0", "S 0:1")),
        (("place 1 scramble", "place 1 excomm"), ("U 1:0", "N 1:1")),
        (("place 1 scramble", "done"), ("U 1:0", "S 0:1")),
    ],
    ids=["both on one", "one on each", "only one"],
)
def test_nuclear_submarines_spread_at_most_two_cubes_over_at_most_two_battlegrounds(
    answers: tuple[str, ...], at: tuple[str, str]
) -> None:
    t = table("scramble@N 0:0", "excomm@S 0:1").play("play nuclear_submarines us", "event", *answers)
    assert (t.at("scramble"), t.at("excomm")) == at
    assert t.to_move() == "chance"


def test_nuclear_submarines_are_those_of_whoever_plays_them() -> None:
    t = table("cuba@N 0:0", mover="ussr").play("play nuclear_submarines ussr", "event", "place 2 cuba")
    assert t.at("cuba") == "S 0:2"


def test_public_protests_take_any_number_of_us_cubes_off_two_battlegrounds() -> None:
    t = table("scramble@U 4:0", "excomm@N 2:1", "quarantine@S 1:0").play("play public_protests us", "event")
    before = t.supply("us")
    assert "remove 4 scramble" in t.legal()
    t.play("remove 4 scramble", "remove 1 excomm")
    assert (t.at("scramble"), t.at("excomm"), t.at("quarantine")) == ("N 0:0", "S 1:1", "S 1:0")
    assert (t.supply("us"), t.to_move()) == (before + 5, "chance")


def test_public_protests_never_take_soviet_cubes() -> None:
    t = table("scramble@N 0:3").play("play public_protests us", "event")
    assert t.legal() == ["done"]


def test_strategic_balance_places_at_most_three_cubes_on_one_military_battleground() -> None:
    t = table("scramble@N 1:0", "quarantine@N 0:0", "excomm@N 0:0", "cuba@N 0:0", mover="ussr")
    t.play("play strategic_balance ussr", "event")
    military = ("strategic_balance", "quarantine", "scramble")
    assert set(t.legal()) == {f"place {n} {place}" for n in (1, 2, 3) for place in military} | {"done"}
    t.play("place 3 scramble")
    assert (t.at("scramble"), t.to_move()) == ("S 1:3", "chance")


def test_fidel_castro_places_at_most_three_cubes_where_one_lies_on_cuba() -> None:
    t = table("cuba@N 2:1", "scramble@N 0:1", mover="ussr").play("play fidel_castro ussr", "event")
    assert t.legal() == ["place 1 cuba", "place 2 cuba", "place 3 cuba", "done"]
    t.play("place 3 cuba")
    assert (t.at("cuba"), t.to_move()) == ("S 2:4", "chance")
