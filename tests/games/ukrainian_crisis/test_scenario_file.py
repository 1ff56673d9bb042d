"""The scenario file: what is known and what is reconstructed, and the errors of a file that cannot be used."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from brinkmanship.engine.errors import DataFileError, OptionError
from brinkmanship.games.ukrainian_crisis.rules.data import basis_of, is_reconstructed
from brinkmanship.games.ukrainian_crisis.rules.loading import load
from brinkmanship.games.ukrainian_crisis.rules.names import UA
from brinkmanship.games.ukrainian_crisis.rules.tables import build, choose_options, default_options

OWN = files("brinkmanship.games.ukrainian_crisis").joinpath("scenario.toml").read_text(encoding="utf-8")


def test_reconstructed_values_stay_marked() -> None:
    data = load()
    ranks = {country.id: is_reconstructed(country, "rank") for country in data.country}
    assert [name for name, reconstructed in ranks.items() if not reconstructed] == ["GB"]
    kyiv = data.zone[data.zone_index("KYC")]
    assert not is_reconstructed(kyiv, "colour")
    assert is_reconstructed(kyiv, "vp")
    assert not is_reconstructed(kyiv, "names")
    assert basis_of(data, kyiv, "vp") == "statistics"
    assert is_reconstructed(data.unit[1], "cv")
    assert not is_reconstructed(data.start, "prestige")


def test_starting_values_are_options_and_follow_the_scenario() -> None:
    data = load()
    options = default_options(data)
    assert (options["prestige_ua"], options["prestige_ru"], options["box_us"]) == (16, 32, "support")
    rules = build(data, choose_options(data, {"prestige_ua": "20", "box_by": "intervention"}))
    assert rules.start_prestige[UA] == 20
    assert rules.start_box[6] == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            'adjacent = ["KYO"]',
            'adjacent = ["KYX"]',
            'adjacent = ["KY',
            'there is no zone "KYX"; did you mean "KYO"? Known: KYC',
        ),
        (
            'adjacent = ["KYO"]',
            "adjacent = []",
            'adjacent = ["KYC"',
            '"KYC" must name "KYO" too: adjacency works both ways',
        ),
        ('adjacent = ["KYO"]', 'adjacent = ["KYC", "KYO"]', 'adjacent = ["KY', "a zone is not adjacent to itself"),
        ("order = 1\n", "order = 7\n", "order = 7", "must be 1, not 7: zones must keep their order"),
        ('home = "neutral"', 'home = "closed"', 'home = "closed"', 'must be "neutral": an event card opens this zone'),
        ("rank = 3", "rank = 0", "rank = 0", "must be a whole number from 1 to 6, not 0"),
        ('id = "FR"', 'id = "IT"', 'id = "IT"', 'there is no country "IT"'),
        ('box = "support"', 'box = "suport"', 'box = "suport"', 'must be "intervention", "neutrality" or "support"'),
        ("vp = 6", "vp = 7", "vp_totals", "is 20, but the zones add up to 21; correct the zones or this sum"),
        ("count = 4", "count = 5", "units = 58", "is 58, but the records below add up to"),
        (
            "small = 12, medium",
            "small = 1, medium",
            "small = 1,",
            "must have at least 24 cards, 3 for each Turn, not 13",
        ),
        (
            'known = ["rank", "eu", "box"]',
            'known = ["ranks"]',
            '"ranks"',
            'there is no field "ranks"; did you mean "rank"?',
        ),
        (
            "units_on_map = []",
            'units_on_map = [{ side = "UA", type = "special", zone = "DON", count = 1 }]',
            "units_on_map",
            "UA has",
        ),
        (
            "units_on_map = []",
            'units_on_map = [{ side = "UA", type = "ground", zone = "SEV", count = 1 }]',
            "units_on_map",
            "cannot",
        ),
        ("turns = 8", "turns = 9", "turns = 9", "must be a whole number from 1 to 8, not 9"),
        ("[start]", "[start]\nevents = 1", "events = 1", "there is no such field"),
    ],
)
def test_a_scenario_that_cannot_be_played_is_refused_with_the_place_and_the_reason(
    tmp_path: Path, old: str, new: str, line: str, message: str
) -> None:
    assert old in OWN
    file = tmp_path / "mine.toml"
    file.write_text(OWN.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        load(file)
    assert message in str(caught.value)
    assert line in file.read_text(encoding="utf-8").splitlines()[(caught.value.line or 0) - 1]


def test_a_changed_scenario_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = OWN.replace(
        "units_on_map = []", 'units_on_map = [{ side = "RU", type = "ground", zone = "SEV", count = 2 }]'
    )
    file.write_text(text.replace("UA = 16", "UA = 20"), encoding="utf-8")
    data = load(file)
    rules = build(data, default_options(data))
    assert rules.start_prestige[UA] == 20
    assert (rules.start_unit[:10] // 256 == data.zone_index("SEV")).sum() == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"no_randomness": True}, "needs ordinary_cards=true"),
        ({"no_randomness": True, "ordinary_cards": True, "show_unused_diplomatic": False}, "needs show_unused"),
        ({"prestige_ua": "0"}, "takes a whole number from 1 to 99"),
        ({"own_zone": "any"}, "takes home or controlled"),
        ({"owner": True}, "has no option 'owner'"),
    ],
)
def test_options_that_do_not_exist_or_exclude_each_other_are_refused(
    options: dict[str, str | bool], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        choose_options(load(), options)
