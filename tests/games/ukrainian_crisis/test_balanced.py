"""The balanced scenario: what it changes, that it says so, and that a game names the scenario it is played with."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text import status_of, words_for

PACKAGE = files("brinkmanship.games.ukrainian_crisis")
BALANCED = {"scenario": "balanced"}


def content(name: str) -> dict[str, Any]:
    return tomllib.loads(PACKAGE.joinpath(name).read_text("utf-8"))


def changes(one: Any, two: Any, at: str = "") -> dict[str, tuple[Any, Any]]:
    """Every value that differs, by its place; records by their id."""
    if isinstance(one, dict) and isinstance(two, dict):
        found: dict[str, tuple[Any, Any]] = {}
        for key in one.keys() | two.keys():
            found |= changes(one.get(key), two.get(key), f"{at}.{key}".lstrip("."))
        return found
    if isinstance(one, list) and one and isinstance(one[0], dict) and "id" in one[0]:
        return changes({each["id"]: each for each in one}, {each["id"]: each for each in two}, at)
    return {} if one == two else {at: (one, two)}


def test_it_differs_from_the_reconstructed_one_only_in_what_it_says() -> None:
    found = changes(content("scenario.toml"), content("balanced.toml"))
    marked = {place.removesuffix("balanced") for place in found if place.endswith("balanced")}
    values = {place for place in found if not place.endswith(("balanced", ".known")) and "." in place}
    values -= {place for place in values if place.startswith(("names.", "formula.vp_totals."))}
    assert found["country.US.rank"] == (3, 2)
    assert found["start.prestige.RU"] == (32, 26)
    yellow = {zone["id"] for zone in content("scenario.toml")["zone"] if zone["colour"] == "yellow"}
    assert {place for place in values if place.endswith(".vp")} == {f"zone.{zone}.vp" for zone in yellow}
    assert all(any(place.startswith(mark) for mark in marked) for place in values)
    assert len(marked) == len(values) == len(yellow) + 2


def test_it_is_an_option_that_journals_keep() -> None:
    game = UkrainianCrisis.load(options=BALANCED)
    assert (game.data.id, int(game.new_state().prestige[1]), int(game.rules.rank[0])) == ("balanced-2014", 26, 2)
    match = Match(game)
    match.advance(dealer(1))
    record = journal.parse(journal.of_match(match).text())
    assert record.options == {"scenario": "balanced"}
    again = UkrainianCrisis.load(options=record.options)
    assert journal.play(record, again).state.tobytes() == match.state.tobytes()


def test_starting_values_may_be_chosen_beside_it() -> None:
    game = UkrainianCrisis.load(options=BALANCED | {"prestige_ru": "30"})
    assert int(game.new_state().prestige[1]) == 30
    assert game.default_options["prestige_ru"] == 26


def test_a_file_of_ones_own_goes_before_it_and_with_none_of_the_packages_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(PACKAGE.joinpath("balanced.toml").read_text("utf-8"), "utf-8")
    game = UkrainianCrisis.load(file)
    assert game.options["scenario"] == "file"
    assert game.option_values()["scenario"] == ("file",)
    with pytest.raises(OptionError, match="leave it out when you give a file"):
        UkrainianCrisis.load(file, BALANCED)
    with pytest.raises(OptionError, match="takes reconstructed or balanced"):
        UkrainianCrisis.load(options={"scenario": "file"})


@pytest.mark.parametrize("language", ["en", "ru", "de", "pl"])
def test_its_status_says_which_values_were_chosen_for_balance(language: str) -> None:
    game = UkrainianCrisis.load(options=BALANCED)
    found = {record.id: record.fields for record in status_of(game, words_for(game, language))}
    assert found["US"]["rank 2"] == "balanced"
    assert found["start"]["prestige"] == "balanced"
    assert found["DNI"]["vp 0"] == "balanced"
    assert found["DON"]["vp 6"] == "reconstructed.statistics"
    assert found["GB"]["rank 2"] == "known"
