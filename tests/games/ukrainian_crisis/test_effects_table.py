"""What is written of the Event Cards for their pictures is what the cards do."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest

from brinkmanship.drawing import drawing_of
from brinkmanship.drawing.pictogram import ROOM, keys_of, length, rows, strip
from brinkmanship.games.ukrainian_crisis.drawing.pictogram import effect_lines
from brinkmanship.games.ukrainian_crisis.rules.data import COUNTRIES, EVENTS
from brinkmanship.games.ukrainian_crisis.rules.effects_table import (
    EFFECTS,
    CombatTurn,
    Countries,
    Effect,
    Moves,
    NothingFrom,
    Opens,
    Prestige,
    Resources,
)
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, Event
from brinkmanship.text import LANGUAGES, words_for
from support.ukrainian_crisis.builders import Position, game

WITHOUT_CHANCE = {"ordinary_cards": True, "no_randomness": True}

SIDES = ("ua", "ru")
PLACES = ("reserve", "mobilisation", "MDA", "SUM")
UNITS = {
    "DON": "ua_militia ua_militia* ru_militia",
    "mobilisation": "ua_militia ru_ground ru_special",
}
BOXES = {"DE": "intervention", "GB": "support"}
RANKS = {"US": 3, "PL": 1, "GB": 2, "DE": 2}
"""Of the countries above Neutrality in these positions."""

PLAYED: dict[str, tuple[str, ...]] = {
    "runaway_guns": ("zone DON",),
    "svoboda_shakeup": ("roll 4",),
    "paid_demonstrators": ("roll 3",),
    "moldova low": ("roll 3",),
    "moldova high": ("roll 4", "unit ru_ground reserve"),
    "belarus low": ("roll 3",),
    "belarus high": ("roll 4",),
    "screwed_thumbs": ("country DE",),
    "spontaneous_mobilization_spades": ("unit ua_militia mobilisation", "zone SUM"),
    "spontaneous_mobilization_clubs": ("unit ua_militia mobilisation", "zone SUM"),
    "rally_for_the_motherland": ("roll 5",),
    "unit_not_ready": ("roll 3", "unit ru_ground mobilisation", "unit ru_special mobilisation"),
}
"""Answers to what a card asks."""

CASES = [
    (card, when)
    for card in EVENTS
    for when in (("low", "high") if any(effect.when for effect in EFFECTS[card.event]) else ("",))
]


@pytest.mark.parametrize(("card", "when"), CASES, ids=lambda value: getattr(value, "id", value))
def test_what_stands_there_of_a_card_is_all_that_it_changes(card: Any, when: str) -> None:
    p = Position(units=UNITS, boxes=BOXES)
    before = seen(p)
    answers = PLAYED.get(f"{card.id} {when}".strip(), ())
    first = () if card.immediate else (f"play {card.id}",)
    p.draw(ua=card.id).play(*first, *answers)
    p.pass_on()
    assert p.event_is_discarded(card.id)
    die = next((int(text.removeprefix("roll ")) for text in answers if text.startswith("roll")), 0)
    expected: Counter[Any] = Counter()
    for effect in EFFECTS[card.event]:
        if effect.when in ("", when):
            expected.update(told(effect, die))
    assert changed(before, seen(p)) == {key: value for key, value in expected.items() if value}


def seen(p: Position) -> Counter[Any]:
    """Whatever an event can change, as numbers."""
    state = p.state
    found: Counter[Any] = Counter()
    for side, name in enumerate(SIDES):
        found["prestige", name] = int(state.prestige[side])
        found["points", name] = int(state.bonus[side])
    for country in COUNTRIES:
        found["box", country] = int(state.box[COUNTRIES.index(country)])
    for zone in ("MDA", "BLR"):
        found["opened", zone] = int(state.opened) >> p.game.data.zone_index(zone) & 1
    for place in PLACES:
        for unit in p.units(place).split():
            found["units", place, unit[:2]] += 1
    for country in COUNTRIES:
        found["suspended", country] = int(state.suspended) >> COUNTRIES.index(country) & 1
    found["resolve"] = int(state.resolve != NOBODY)
    return found


def changed(before: Counter[Any], after: Counter[Any]) -> dict[Any, int]:
    """By how much, where it is not the same."""
    return {key: after[key] - before[key] for key in {*before, *after} if after[key] != before[key]}


def told(effect: Effect, die: int) -> dict[Any, int]:
    """Changes that an effect names, in the positions of this test, where Ukraine holds the card."""
    half = (die + 1) // 2
    match effect:
        case Prestige(who, sign, amount):
            side = who_is(who)
            amounts = {
                "die": die,
                "half": half,
                "irregulars": {"ua": 2, "ru": 1}[side],
                "ranks": sum(RANKS.values()),
                "rank": RANKS["DE"],
                "us_rank_by_box": RANKS["US"] * 2,
            }
            return {("prestige", side): sign * (amount if isinstance(amount, int) else amounts[amount])}
        case Countries("EU one", "neutrality"):
            return {("box", "DE"): -2}
        case Countries("EU all", "down"):
            return {("box", country): -1 for country in ("PL", "GB", "DE")}
        case Countries(which, "away"):
            return {("box", which): -1}
        case NothingFrom(countries):
            return {("suspended", country): 1 for country in countries}
        case Opens(zone):
            return {("opened", zone): 1}
        case Moves(who, _, start, goal, amount):
            side = who_is(who)
            moved = half if amount == "half" else int(amount)
            place = "mobilisation" if "mobilisation" in start else start[0]
            return {("units", place, side): -moved, ("units", "SUM" if goal == "own colour" else goal, side): moved}
        case Resources(who, _):
            return {("points", who_is(who)): half}
        case CombatTurn():
            return {"resolve": 1}
    raise AssertionError(effect)


def who_is(who: str) -> str:
    """The side, where Ukraine holds the card."""
    return {"holder": "ua", "enemy": "ru"}.get(who, who)


def test_every_event_card_has_its_deeds() -> None:
    assert set(EFFECTS) == set(Event)
    assert [card.id for card in EVENTS if not EFFECTS[card.event]] == ["united_for_ukraine", "flight_370"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [{}, WITHOUT_CHANCE])
def test_every_card_is_drawn_and_every_mark_explained(language: str, options: dict[str, bool]) -> None:
    ruleset = game(options)
    drawing = drawing_of(ruleset)
    lines = [line for card in EVENTS for line in drawing.pictogram(ruleset, "card", card.id)]
    assert all(drawing.pictogram(ruleset, "card", card.id) for card in EVENTS)
    assert max(length(row) for row in rows(lines)) <= ROOM
    assert ET.fromstring(strip(lines)).get("aria-hidden") == "true"
    keys = list(keys_of(lines))
    legend = drawing.explain(ruleset, words_for(ruleset, language), keys)
    assert [one.key for one in legend] == keys
    assert all(one.text and ET.fromstring(one.picture) is not None for one in legend)
    assert list(drawing.pictogram(ruleset, "card", ruleset.ranks[0])) == []  # a Resource Card shows its numbers


def test_another_number_or_side_is_another_strip() -> None:
    one = Prestige("ru", -1, 3)
    others = [one._replace(amount=4), one._replace(who="ua"), one._replace(sign=1), one._replace(amount="half")]
    strips = {strip(effect_lines((effect,))) for effect in (one, *others)}
    assert len(strips) == 1 + len(others)
    assert strip(effect_lines((others[-1],), without_dice=True)) not in strips
