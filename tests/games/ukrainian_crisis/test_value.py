"""The learned value of a position of Ukrainian Crisis: a chance to win, exact where the game is decided."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.players.features import N_FEATURES, Feature
from brinkmanship.games.ukrainian_crisis.players.inputs import (
    AT_HELD,
    AT_PACKS,
    AT_PLACES,
    N_INPUTS,
    N_OF_PLACE,
    inputs_of,
)
from brinkmanship.games.ukrainian_crisis.players.learned import (
    MANIFEST,
    N_UNITS,
    NETWORKS,
    VALUE_WEIGHTS,
    ZONE_POINTS,
)
from brinkmanship.games.ukrainian_crisis.players.value import at_cut, moment, value
from brinkmanship.games.ukrainian_crisis.rules.data import MAX_ZONES, SCENARIOS
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.state import Node
from brinkmanship.training.regression import probability
from brinkmanship.training.value_network import Layers
from support.ukrainian_crisis.builders import Options, Position

OF_CARDS = {Feature.MEDIUM_CARDS, Feature.MAXIMUM_CARDS, *range(AT_PACKS, AT_HELD)}
OPEN = [column for column in range(N_INPUTS) if column not in OF_CARDS]
"""The inputs that do not depend on cards, which may lie face down."""


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


def test_a_russian_unit_counts_for_russia_also_where_hardly_any_ever_stands() -> None:
    few = {"ODE": "ua_militia", "KHA": "ua_ground", "DON": "ru_militia ua_militia"}
    plain = Position(prestige=(20, 30), units=few, combat_turns=1, turn=4)
    for zone in (zone.id for zone in plain.game.data.zone):
        more = {**few, zone: f"{few.get(zone, '')} ru_ground"}
        reinforced = Position(prestige=(20, 30), units=more, combat_turns=1, turn=4)
        assert worth(reinforced, RU) > worth(plain, RU), zone


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
    assert VALUE_WEIGHTS.shape == (MANIFEST["turns"] - 1, N_FEATURES)
    assert [part.shape[1:] for part in NETWORKS] == [(N_INPUTS, N_UNITS), (N_UNITS,), (N_UNITS,), (N_INPUTS,)]
    assert {len(part) for part in NETWORKS} == {len(games)}


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


def ends_of_turns(scenario: int, seed: int) -> list[Any]:
    """The positions at the end of the Turns of a random game, with the views of both sides."""
    ruleset, deal = load_game("ukrainian-crisis", options={"scenario": SCENARIOS[scenario]}), dealer(seed)
    match, found = Match(ruleset), []
    while not match.is_over:
        if moment(ruleset.rules, match.state) >= 0:
            found.append([match.state.copy(), *(ruleset.view_of(match.state, side) for side in (UA, RU))])
        if match.pending:
            side = min(match.pending)
            legal = match.legal(side)
            match.push(legal[deal(len(legal))].action, side=side)
        else:
            match.push(next(iter(ruleset.distribution(match.state))))
    return found


@pytest.mark.parametrize("scenario", range(len(SCENARIOS)), ids=SCENARIOS)
def test_the_compiled_network_is_that_of_the_training_and_reads_a_view_like_the_full_state(scenario: int) -> None:
    rules = load_game("ukrainian-crisis", options={"scenario": SCENARIOS[scenario]}).rules
    network = Layers(*(part[scenario] for part in NETWORKS))
    ends = ends_of_turns(scenario, 1) + ends_of_turns(scenario, 2)
    assert len(ends) > 3
    for positions in ends:
        rows = inputs_of(rules, np.concatenate([np.atleast_1d(each) for each in positions]))
        assert np.array_equal(rows[0, OPEN], rows[1, OPEN])
        assert np.array_equal(rows[0, OPEN], rows[2, OPEN])
        expected = probability(network.logits(rows[:1].astype(np.float32)))
        assert float(value(rules, positions[0], UA)) == pytest.approx(float(expected[0]), abs=1e-5)


def test_a_place_is_held_by_one_side_contested_or_empty() -> None:
    p = Position(units={"DON": "ru_ground ua_militia ua_ground*", "ODE": "ua_militia", "KHA": "ua_militia*"})
    rows = inputs_of(p.rules, np.atleast_1d(p.state))

    def of(zone: str) -> list[float]:
        begin = AT_PLACES + N_OF_PLACE * p.game.data.zone_index(zone)
        return [round(float(number), 2) for number in rows[0, begin : begin + N_OF_PLACE]]

    assert of("DON") == [0, 0, 1, 0.2, 0.8, 0.5, 0]
    assert of("ODE") == [1, 0, 0, 0.2, 0, 0, 0]
    assert of("KHA") == [0, 0, 0, 0, 0, 0.5, 0]
    assert of("LUH") == [0] * N_OF_PLACE


def test_a_scenario_of_ones_own_is_judged_by_features_alone() -> None:
    p = Position(prestige=(20, 20), units={"ODE": "ua_militia"}, combat_turns=1, turn=4)
    by_network = worth(p, UA)
    p.rules = p.rules.copy()
    p.rules.vp[0] += 1
    assert 0 < worth(p, UA) < 1
    assert worth(p, UA) != by_network
    assert worth(p, UA) + worth(p, RU) == pytest.approx(1)
