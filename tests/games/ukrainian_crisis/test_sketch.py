"""The sketch of an attack: who attacks whom, with which chances, and which hits are still open."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from brinkmanship.games.ukrainian_crisis.drawing.battle import sketch
from brinkmanship.text import LANGUAGES, words_for
from support.ukrainian_crisis.builders import Position

NO_DICE: dict[str, str | bool] = {"ordinary_cards": True, "no_randomness": True}


def battle(units: str, *texts: str) -> Position:
    return Position(units={"DON": units}).open_half("ru", 0).play("zone DON", *texts)


def told(p: Position, language: str = "en", layout: str = "wide") -> str:
    """What a screen reader hears of it."""
    drawn = sketch(p.game, p.state, words_for(p.game, language), layout=layout)  # type: ignore[arg-type]
    return ET.fromstring(drawn).attrib["aria-label"] if drawn else ""


def test_there_is_none_where_nobody_attacks() -> None:
    assert told(Position()) == ""
    assert told(battle("ru_ground ua_ground")) == ""


def test_a_group_without_targets_has_its_chances_already() -> None:
    p = battle("ru_ground ru_militia ua_militia", "unit ru_ground DON")
    assert (
        told(p) == "Combat 1; Russia: 1 × Russian ground Regular, Combat Value 4, Regular, 1+ hits: 80%, on average 1.3"
    )


def test_kinds_of_both_groups_decide_what_the_combat_may_be() -> None:
    same = battle("ru_ground ua_ground", "unit ru_ground DON", "unit ua_ground DON")
    other = battle("ru_ground ua_militia", "unit ru_ground DON", "unit ua_militia DON")
    assert told(same).endswith("1+ hits: 55%, on average 0.7; Symbolic; Kinetic")
    assert told(other).endswith("1+ hits: 33%, on average 0.3; Symbolic; Asymmetric")


def test_hits_are_open_until_they_are_placed() -> None:
    p = battle("ru_ground ru_ground ua_ground ua_airborne", "unit ru_ground DON", "done")
    p.play("unit ua_ground DON", "unit ua_airborne DON", "fight 1 kinetic", "hits 1", "hits 2")
    assert told(p).count("hits to assign: 1") == 1
    assert told(p).count("hits to assign: 2") == 1
    assert told(p).endswith("Kinetic")


def test_a_group_that_is_gone_has_only_its_hits() -> None:
    p = battle("ru_ground ru_naval ua_militia*", "unit ru_ground DON", "unit ru_naval DON")
    p.play("unit ua_militia neutralised DON", "fight 1 asymmetric", "hits 0", "hits 0")
    assert told(p) == ""
    p = battle("ru_ground ru_naval ua_ground*", "unit ru_ground DON", "unit ru_naval DON")
    p.play("unit ua_ground neutralised DON", "fight 1 kinetic", "hits 1", "hits 1")
    assert "; Ukraine: hits to assign: 1; Kinetic" in told(p)


@pytest.mark.parametrize(
    ("units", "suffers"), [("ru_militia ua_ground", (2, 1)), ("ru_ground ua_ground ua_ground", (1, 0))]
)
def test_without_dice_it_tells_what_both_will_suffer(units: str, suffers: tuple[int, int]) -> None:
    own, *others = units.split()
    p = Position(NO_DICE, units={"DON": units}).open_turn(ua="1 1 2", ru="1 1 2", combat="ua ru").to_operations()
    if "done" in p.legal() and "zone DON" not in p.legal():
        p.play("done")
    p.play("zone DON", f"unit {own} DON", *[f"unit {unit} DON" for unit in others])
    attacker, defender = (part for part in told(p).split("; ") if "takes hits" in part)
    assert attacker.endswith(f"takes hits: {suffers[0]}")
    assert defender.endswith(f"takes hits: {suffers[1]}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_several_combats_are_told_in_every_language(language: str, layout: str) -> None:
    p = battle("ru_ground ru_militia ua_militia ua_ground", "unit ru_ground DON", "done")
    p.play("unit ua_militia DON", "done", "unit ru_militia DON", "unit ua_ground DON")
    assert told(p, language, layout).count("%") == 4
