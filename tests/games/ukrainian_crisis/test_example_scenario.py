"""The changed scenario in `examples/`, and the designers' manual of the fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import Struct

from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.rules import data as d
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.loading import load
from brinkmanship.testing import walk

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "ukrainian-crisis-war.toml"
MANUAL = (ROOT / "docs" / "design" / "scenarios.md").read_text(encoding="utf-8")
LOADED = {"sha256", "file"}
"""Fields of `GameData` that stand in no file."""


def test_the_example_differs_from_the_packages_scenario_in_its_start_alone() -> None:
    own, example = load(), load(EXAMPLE)
    differing = {field for field in own.__struct_fields__ if getattr(own, field) != getattr(example, field)}
    assert differing - LOADED == {"id", "names", "start"}
    assert example.start.prestige == {"UA": 30, "RU": 40}
    assert d.is_reconstructed(example.start, "prestige")


def test_the_example_begins_with_its_prestige_and_its_units() -> None:
    game = load_game("ukrainian-crisis", EXAMPLE)
    known = game.public_state(game.new_state())
    assert known["prestige"] == {"ua": 30, "ru": 40}
    assert known["units"]["DON"] == {"ru_militia": 3, "ru_special": 1, "ua_ground": 2}


def test_whole_games_of_the_example_can_be_played_with_war_from_the_first_turn() -> None:
    game = load_game("ukrainian-crisis", EXAMPLE, {"first_turn_combat": True})
    assert isinstance(game, UkrainianCrisis)
    wars = 0
    for number in range(6):
        last = None
        for position in walk(game, 5, number):
            last = position.state
        assert last is not None
        wars += last.combat_turns > 0
    assert wars > 0


@pytest.mark.parametrize(
    "record",
    [
        d.GameData, d.Start, d.UnitOnMap, d.Resources, d.Tracks, d.Box, d.Country, d.Zone, d.Counters, d.Unit, d.Marker,
        d.Formula, d.VpTotals,
    ],
)  # fmt: skip
def test_the_manual_explains_every_field(record: type[Struct]) -> None:
    sections = re.split(r"(?m)^##+ ", MANUAL)
    name = "Formula" if record is d.VpTotals else record.__name__
    section = next(text for text in sections if f"`{name}`" in text.splitlines()[0])
    explained = set(re.findall(r"`(\w+)`", section))
    assert set(record.__struct_fields__) - LOADED <= explained


def test_the_manual_names_no_field_that_does_not_exist() -> None:
    records = [each for each in vars(d).values() if isinstance(each, type) and issubclass(each, Struct)]
    fields = {field for record in records for field in record.__struct_fields__}
    named = {name for row in re.findall(r"(?m)^\| (`[^|]*)\|", MANUAL) for name in re.findall(r"`(\w+)`", row)}
    assert named <= fields
