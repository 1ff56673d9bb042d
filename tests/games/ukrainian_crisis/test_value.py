"""The learned value of a position of Ukrainian Crisis: a chance to win, exact where the game is decided."""

from __future__ import annotations

import pytest

from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.players.features import N_FEATURES, Feature
from brinkmanship.games.ukrainian_crisis.players.learned import MANIFEST, VALUE_WEIGHTS, ZONE_POINTS
from brinkmanship.games.ukrainian_crisis.players.value import at_cut, value
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES, SCENARIOS
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import Node
from support.ukrainian_crisis.builders import Options, Position


def worth(p: Position, side: int) -> float:
    return float(value(p.rules, p.state, side))


def test_the_chances_of_the_two_sides_add_up_to_one() -> None:
    p = Position(prestige=(20, 30), units={"DON": "ru_ground ua_militia", "ODE": "ua_militia"}, combat_turns=1, turn=4)
    assert worth(p, UA) + worth(p, RU) == pytest.approx(1)
    assert 0 < worth(p, UA) < 1


@pytest.mark.parametrize("combat_turns", [0, 1])
@pytest.mark.parametrize("turn", [2, 5, 7])
def test_more_prestige_and_more_zones_are_better(turn: int, combat_turns: int) -> None:
    few, many = ({"ODE": "ua_militia"}, {"ODE": "ua_militia", "DON": "ua_militia", "KHA": "ua_militia"})
    plain = worth(Position(prestige=(20, 20), units=few, combat_turns=combat_turns, turn=turn), UA)
    assert worth(Position(prestige=(30, 20), units=few, combat_turns=combat_turns, turn=turn), UA) > plain
    assert worth(Position(prestige=(20, 20), units=many, combat_turns=combat_turns, turn=turn), UA) > plain


def test_a_decided_game_is_counted() -> None:
    p = Position(prestige=(20, 21), turn=8)
    assert not at_cut(p.rules, p.state)
    p.state.node = Node.CHECK
    assert at_cut(p.rules, p.state)
    assert (worth(p, UA), worth(p, RU)) == (0, 1)
    p.state.prestige[UA] = 21
    assert worth(p, UA) == 0.5


def test_the_weights_are_those_of_the_packages_scenarios_and_of_all_features() -> None:
    games = [load_game("ukrainian-crisis", options={"scenario": scenario}) for scenario in SCENARIOS]
    assert MANIFEST["data"] == [game.data_sha256 for game in games]
    assert [game.rules.vp[:MAX_ZONES].tolist() for game in games] == ZONE_POINTS
    assert MANIFEST["features"] == [feature.name.lower() for feature in Feature]
    assert VALUE_WEIGHTS.shape == (len(games) + 1, MANIFEST["turns"] - 1, N_FEATURES)


def test_each_scenario_has_its_own_value() -> None:
    options = ({}, {"scenario": "balanced"})
    chances = [worth(Position(each, prestige=(16, 36), combat_turns=1, turn=2), UA) for each in options]
    assert chances[0] > chances[1], "in the balanced scenario Russia wins more, from the same Prestige"


@pytest.mark.parametrize("option", [{}, {"scenario": "balanced"}], ids=["reconstructed", "balanced"])
@pytest.mark.parametrize("turn", range(1, 8))
@pytest.mark.parametrize("rank", [1, 2], ids=["medium", "maximum"])
def test_a_good_card_left_is_worth_something_but_decides_no_game(rank: int, turn: int, option: Options) -> None:
    p = Position(option, prestige=(25, 25), turn=turn)
    p.state.pack[UA, rank] = p.state.pack[RU, rank] = 1
    without = worth(p, UA)
    p.state.pack[UA, rank] = 2
    assert -0.05 < worth(p, UA) - without < 0.25
