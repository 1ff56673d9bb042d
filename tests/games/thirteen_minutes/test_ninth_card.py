"""The ninth card solved exactly: compared with playing on in every deal; search, hints and analysis say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from brinkmanship.analysis.decisions import judged
from brinkmanship.analysis.value import reference_player
from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players import fast, late_playouts
from brinkmanship.games.thirteen_minutes.players.ninth_card import NINTH, solve_ninth
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.state import CardIs, Node
from brinkmanship.players import load_player
from brinkmanship.players.budget import Budget
from brinkmanship.players.hints import hints
from brinkmanship.players.self_play import record
from support.policy_games import played

pytestmark = pytest.mark.skipif(INTERPRETED, reason="millions of tables")
UNLIMITED = 1 << 40
SEED = 1_000_000_000


def in_the_ninth(game: Game, games: int) -> Iterator[Observation]:
    """Decisions of the ninth card in games of `rules` against itself."""
    player = load_player("rules", game, 1)
    for number in range(games):
        match = Match(game)
        for actor, action in record(game, number, SEED, (player, player)):
            if match.state.turn == NINTH and actor != CHANCE and len(game.legal_actions(match.state, actor)) > 1:
                yield Observation.at(game, match.view(actor), actor)
            match.push(action, side=actor if actor != CHANCE else None)


def deals(game: Game, view: Any, side: int) -> Iterator[tuple[Any, int]]:
    """All states that the side which plays the ninth card cannot tell apart, each with the card that is Cuba."""
    unknown = [card for card in range(len(view.card)) if view.card[card] == CardIs.UNKNOWN]
    for cuba in unknown:
        state = game.new_states(1)
        state[0] = view
        for card in unknown:
            state[0].card[card] = CardIs.IN_PILE if card == cuba else CardIs.IN_HAND + 1 - side
        yield state[0], cuba


def played_on(game: Game, state: Any, cuba: int, side: int) -> float:
    """The side's result if `rules`, which solves the tenth card, plays both sides on."""
    player = load_player("rules", game, 1)
    while (actor := int(game.actor(game.rules, state))) != OVER:
        if actor != CHANCE:
            action = player.choose(Observation.at(game, game.view_of(state, actor), actor)).action
        elif state.node == Node.TURN_UP_CUBA:
            action = Action.TURN_UP + cuba
        else:
            action = Action.RULES_STEP + state.node
        game.apply(game.rules, state, action)
    utility = np.zeros(2)
    game.result(game.rules, state, utility)
    return float(0.5 + np.sign(utility[side] - utility[1 - side]) / 2)


def test_the_last_choice_of_the_ninth_card_is_worth_what_comes_of_it_in_every_deal() -> None:
    """Where the other side has lost in all its deals, it does not matter to it what it plays: hence "nearly all"."""
    game = load_game("13-minutes")
    compared = same = 0
    for seen in in_the_ninth(game, 30):
        view, side = seen.view(), seen.side
        if view.node != Node.COMMAND or side != view.first:
            continue
        actions = game.legal_actions(view, side)[:8]
        values = solve_ninth(game.rules, view, side, actions, UNLIMITED)
        assert values is not None
        for action, value in zip(actions, values, strict=True):
            results = []
            for state, cuba in deals(game, view, side):
                game.apply(game.rules, state, action)
                results.append(played_on(game, state, cuba, side))
            compared += 1
            same += abs(value - float(np.mean(results))) < 0.02
    assert compared > 60
    assert same >= 0.97 * compared


def test_a_position_is_worth_as_much_as_its_best_choice() -> None:
    game = load_game("13-minutes")
    checked = 0
    for seen in in_the_ninth(game, 8):
        view, side = seen.view(), seen.side
        if side != view.first:
            continue
        for action in game.legal_actions(view, side)[:3]:
            after = game.after(view, action, side)
            if game.to_move(after) != {side} or after.turn != NINTH:
                continue
            value = solve_ninth(game.rules, view, side, [action], UNLIMITED)
            later = solve_ninth(game.rules, after, side, game.legal_actions(after, side), UNLIMITED)
            assert value is not None
            assert later is not None
            assert max(later) == pytest.approx(value[0], abs=0.01)  # bonuses for the lead are not exact
            checked += 1
    assert checked > 10


def test_beyond_the_limit_of_tables_and_in_other_turns_nothing_is_solved() -> None:
    game = load_game("13-minutes")
    seen = next(in_the_ninth(game, 1))
    actions = game.legal_actions(seen.view(), seen.side)
    assert solve_ninth(game.rules, seen.view(), seen.side, actions, 1) is None
    start = Match(game)
    assert solve_ninth(game.rules, start.view(0), 0, [0], UNLIMITED) is None


def test_search_hints_and_analysis_say_the_same_of_the_ninth_card() -> None:
    game = load_game("13-minutes")
    checked = 0
    for seen in in_the_ninth(game, 3):
        player = load_player("search:20n", game, 3)
        choice = player.choose(seen)
        wins = {one.action: one.value for one in choice.candidates}
        assert wins[choice.action] == max(wins.values())
        for hint in hints(seen, Budget(nodes=20)).hints:
            assert (hint.win, hint.error) == (wins[hint.action], 0.0)
        found = judged(reference_player(game, 1), seen, choice.action, 40, 1)[0]
        assert (found.loss, found.mark) == (0.0, None)
        assert all(one.win == wins[game.parse_action(one.action, seen.side)] for one in found.options)
        checked += 1
    assert checked > 5


def test_every_decision_of_the_strongest_level_has_a_reason_with_a_fact() -> None:
    game = load_game("13-minutes")
    player = load_player("search:30n", game, 3)
    quick = load_player("rules", game, 1)
    match = Match(game)
    keys = []
    for actor, action in record(game, 2, SEED, (quick, quick)):
        if actor != CHANCE and len(game.legal_actions(match.state, actor)) > 1:
            said = player.choose(Observation.of(match, actor)).reason
            assert said is not None
            fact = said.args.get("fact", said)
            keys.append(getattr(fact, "key", ""))
        match.push(action, side=actor if actor != CHANCE else None)
    assert all(key.startswith("why.13-minutes.") for key in keys)
    assert len(set(keys)) > 3


def test_the_policy_of_late_playouts_is_stronger_than_the_fast_one() -> None:
    """It looks at answers: in whole games, and in the choices of the ninth card."""
    game = load_game("13-minutes")
    points = 0.0
    for number in range(30):
        for side in range(2):
            policies = (late_playouts.policy, fast.policy) if side == 0 else (fast.policy, late_playouts.policy)
            winner = int(played(game, number, policies, SEED).state.winner)
            points += float(winner == side) if winner in (0, 1) else 0.5
    assert points > 0.6 * 60
    lost = {late_playouts: 0.0, fast: 0.0}
    for number, seen in enumerate(in_the_ninth(game, 40)):
        view, side = seen.view(), seen.side
        legal = game.legal_actions(view, side)
        values = solve_ninth(game.rules, view, side, legal, UNLIMITED)
        assert values is not None
        for module in lost:
            chosen = int(module.policy(game.rules, view, side, generator(SEED, number)))
            lost[module] += float(np.max(values) - values[legal.index(chosen)])
    assert lost[late_playouts] < lost[fast]
