"""The greedy player of Ukrainian Crisis: what it knows, what it never does, and how strong it is."""

from __future__ import annotations

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.observation import Observation
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.lab.matches.match import paired_match
from brinkmanship.players import Player, load_player
from support.computer_games import check_blind, interpreted_choices, reached
from support.ukrainian_crisis.builders import SMALL, Options, Position, game

RULESETS: tuple[Options, ...] = (
    {},
    {"ordinary_cards": True},
    {"ordinary_cards": True, "no_randomness": True},
    {"resource_selection": "random_draw", "rally_mode": "per_unit", "information_roll": "at_reveal"},
)


def greedy(ruleset: UkrainianCrisis) -> Player:
    return load_player("greedy", ruleset, 1)


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_greedy_judges_every_legal_action_and_its_compiled_policy_agrees(options: Options) -> None:
    ruleset = game(options)
    player = greedy(ruleset)
    policy = player.policy
    assert policy is not None
    for view, side, choice in reached(ruleset, player, 6, 2):
        assert sorted(c.action for c in choice.candidates) == sorted(ruleset.legal_actions(view, side))
        assert choice.action == max(choice.candidates, key=lambda c: c.value).action
        assert policy(ruleset.rules, view, side, generator(0)) == choice.action


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_greedy_cannot_tell_apart_what_its_side_cannot(options: Options) -> None:
    ruleset = game(options)
    player = greedy(ruleset)
    assert check_blind(ruleset, player, reached(ruleset, player, 6, 4), redeals=3) >= 100


def test_the_interpreted_player_chooses_what_the_compiled_one_does() -> None:
    some = [entry for number, entry in enumerate(reached(game(), greedy(game()), 2, 5)) if number % 6 == 0]
    expected = [[choice.action, pytest.approx(choice.candidates[0].value)] for _, _, choice in some]
    assert interpreted_choices(game(), "greedy", some) == expected


def chosen(p: Position, side: int) -> str:
    """What greedy chooses in a position, as text."""
    return p.game.action_text(greedy(p.game).choose(Observation.at(p.game, p.game.view_of(p.state, side), side)).action)


def test_greedy_deploys_where_the_zone_is_worth_most() -> None:
    p = Position()
    p.open_turn(ua=SMALL, ru=SMALL)
    p.play("area military", "area information", "roll 6", "roll 1", "first ua")
    assert chosen(p, 0) == "unit ua_militia mobilisation"
    p.play("unit ua_militia mobilisation")
    assert chosen(p, 0) == "zone DON"


def test_greedy_keeps_the_last_of_its_prestige_out_of_diplomacy() -> None:
    p = Position(prestige=(5, 32))
    p.open_area("diplomatic").play("roll 6", "roll 1", "first ua")
    while p.actor == 0 and chosen(p, 0) != "done":
        p.play(chosen(p, 0))
    assert p.prestige == (5, 32)


def test_greedy_never_declares_war_while_it_leads_in_a_game_without_one() -> None:
    for side in range(2):
        p = Position(prestige=(60, 20) if side == 0 else (5, 60), units={})
        p.draw().place(SMALL, SMALL)
        assert chosen(p, side) == "declare strategic"


def test_greedy_attacks_where_it_is_far_stronger_and_not_where_it_is_far_weaker() -> None:
    units = {"DON": "ru_ground ru_ground ua_ground"}
    assert chosen(Position(units=units, combat_turns=1).open_half("ru", 0), 1) == "zone DON"
    assert chosen(Position(units=units, combat_turns=1).open_half("ua", 0), 0) == "done"


@pytest.mark.parametrize("options", RULESETS[:3], ids=lambda options: " ".join(options) or "standard")
def test_greedy_beats_random(options: Options) -> None:
    ruleset = game(options)
    result = paired_match(ruleset, greedy(ruleset), load_player("random", ruleset, 1), 200, seed=3)
    assert result.total.score > 0.9
    assert all(tally.score > 0.9 for tally in result.by_side.values())
