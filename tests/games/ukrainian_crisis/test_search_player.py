"""Search in Ukrainian Crisis: what its playouts have to see, and that the same dice fall in all of them."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.ukrainian_crisis.players.search import stretch
from brinkmanship.games.ukrainian_crisis.rules.state import Node
from brinkmanship.players import Choice, load_player
from brinkmanship.players.search import branch
from support.ukrainian_crisis.builders import SMALL, Options, Position, game

STRONG = {"DON": "{0}_ground {0}_ground {0}_ground", "KHA": "{0}_ground {0}_ground {0}_ground", "ODE": "{0}_ground"}


def choice(p: Position, side: int, nodes: int = 64) -> Choice:
    player = load_player(f"search:{nodes}n", p.game, 1)
    return player.choose(Observation.at(p.game, p.game.view_of(p.state, side), side))


def chosen(p: Position, side: int) -> str:
    """What it chooses in a position, as text."""
    return p.game.action_text(choice(p, side).action)


@pytest.mark.parametrize("options", [{}, {"scenario": "balanced"}], ids=["reconstructed", "balanced"])
@pytest.mark.parametrize("side", [0, 1])
def test_it_accepts_a_war_that_wins_and_asks_to_stop_one_that_loses(side: int, options: Options) -> None:
    us, them = ("ua", "ru") if side == 0 else ("ru", "ua")
    for strong, ahead, expected in ((us, them, "done"), (them, us, "ceasefire")):
        units = {zone: stack.format(strong) for zone, stack in STRONG.items()}
        p = Position(options, prestige=(60, 40) if ahead == "ua" else (40, 60), units=units, turn=8)
        p.draw().place(SMALL, SMALL).play(f"{us}: declare strategic", f"{them}: declare combat")
        assert chosen(p, side) == expected


@pytest.mark.parametrize("side", [0, 1])
def test_in_the_last_turn_it_gives_no_prestige_for_a_marker_where_every_point_counts(side: int) -> None:
    p = Position(turn=8, prestige=(30, 30), units={}).open_area("diplomatic")
    p.play("roll 6", "roll 6", f"first {('ua', 'ru')[side]}")
    assert p.actor == side
    judged = choice(p, side)
    p.play(p.texts[judged.action])
    assert p.state.node != Node.PAY_PRESTIGE or chosen(p, side) == "prestige 0"


@pytest.mark.parametrize("options", [{}, {"rally_mode": "per_unit"}, {"scenario": "balanced"}], ids=str)
def test_no_stretch_with_chance_in_it_comes_twice(options: Options) -> None:
    ruleset = game(options)
    for seed in range(6):
        match, deal = Match(ruleset), dealer(seed)
        numbers = []
        while not match.is_over:
            if match.pending:
                side = min(match.pending)
                legal = match.legal(side)
                match.push(legal[deal(len(legal))].action, side=side)
            else:
                if match.state.node > Node.INCOME:
                    numbers.append(int(stretch(ruleset.rules, match.state)))
                match.push(next(iter(ruleset.distribution(match.state))))
        runs = [number for number, _ in groupby(numbers)]
        assert len(runs) == len(set(runs))
        assert 0 <= min(runs) <= max(runs) < 1 << 31


def test_branches_of_a_generator_are_the_same_each_time_and_differ_from_each_other() -> None:
    random = np.array([1, 2, 3, 4])
    outs = np.zeros((3, 4), np.int64)
    for out, number in zip(outs, (5, 5, 6), strict=True):
        branch(random, number, out)
    assert random.tolist() == [1, 2, 3, 4]
    assert outs[0].tolist() == outs[1].tolist() != outs[2].tolist()
    assert ((outs >= 0) & (outs < 1 << 32)).all()
