"""The greedy player of Ukrainian Crisis: what it knows, what it never does, and how strong it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import State
from brinkmanship.games.ukrainian_crisis.game import UkrainianCrisis
from brinkmanship.lab.match import paired_match
from brinkmanship.players import Choice, Player, load_player
from test_players import decisions
from ukrainian_crisis.builders import SMALL, Options, Position, game

RULESETS: tuple[Options, ...] = (
    {},
    {"ordinary_cards": True},
    {"ordinary_cards": True, "no_randomness": True},
    {"resource_selection": "random_draw", "rally_mode": "per_unit", "information_roll": "at_reveal"},
)


def greedy(ruleset: UkrainianCrisis) -> Player:
    return load_player("greedy", ruleset, 1)


def reached(ruleset: UkrainianCrisis, games: int, seed: int) -> Iterator[tuple[State, int, Choice]]:
    """The decisions of greedy in games against random, both sides in turn."""
    own, rival = greedy(ruleset), load_player("random", ruleset, seed)
    for number in range(games):
        players = (own, rival) if number % 2 == 0 else (rival, own)
        for view, side, choice in decisions(ruleset, players, generator(seed, number)):
            if players[side] is own:
                yield view, side, choice


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_greedy_judges_every_legal_action_and_its_compiled_policy_agrees(options: Options) -> None:
    ruleset = game(options)
    policy = greedy(ruleset).policy
    assert policy is not None
    for view, side, choice in reached(ruleset, 6, 2):
        assert sorted(c.action for c in choice.candidates) == sorted(ruleset.legal_actions(view, side))
        assert choice.action == max(choice.candidates, key=lambda c: c.value).action
        assert policy(ruleset.rules, view, side, generator(0)) == choice.action


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_greedy_cannot_tell_apart_what_its_side_cannot(options: Options) -> None:
    ruleset = game(options)
    player = greedy(ruleset)
    positions = 0
    for view, side, choice in reached(ruleset, 6, 4):
        positions += 1
        for number in range(3):
            other = ruleset.new_states(1)[0]
            ruleset.redeal(ruleset.rules, view, side, generator(positions, number), other)
            assert player.choose(ruleset.view_of(other, side), side) == choice
    assert positions >= 100


INTERPRETED_RUN = """
import json, sys
import numpy as np
from brinkmanship.games import load_game
from brinkmanship.players import load_player
game = load_game("ukrainian-crisis")
greedy = load_player("greedy", game)
sides = json.loads(sys.argv[1])
views = game.new_states(len(sides))
views.view(np.ndarray)[:] = np.frombuffer(sys.stdin.buffer.read(), game.dtype)
chosen = [greedy.choose(view, side) for view, side in zip(views, sides)]
print(json.dumps([[choice.action, choice.candidates[0].value] for choice in chosen]))
"""


def test_the_interpreted_player_chooses_what_the_compiled_one_does() -> None:
    some = [entry for number, entry in enumerate(reached(game(), 2, 5)) if number % 6 == 0]
    run = subprocess.run(
        [sys.executable, "-c", INTERPRETED_RUN, json.dumps([side for _, side, _ in some])],
        input=b"".join(view.tobytes() for view, _, _ in some),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
    )
    assert json.loads(run.stdout) == [[c.action, pytest.approx(c.candidates[0].value)] for _, _, c in some]


def chosen(p: Position, side: int) -> str:
    """What greedy chooses in a position, as text."""
    return p.game.action_text(greedy(p.game).choose(p.game.view_of(p.state, side), side).action)


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
