"""Properties of every game of 13 Minutes, over random games and random rulesets."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.narration import STEPS
from brinkmanship.games.thirteen_minutes.rules.state import NO_BID, Node
from brinkmanship.games.thirteen_minutes.rules.tables import OPTION_VALUES
from brinkmanship.testing import check_contract, check_journals, check_knowledge, check_simultaneous, fingerprint, walk
from brinkmanship.text import LANGUAGES, words_for
from support.thirteen_minutes.builders import bidding
from support.thirteen_minutes.invariants import check_position

SEED = 13
some_options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTION_VALUES.items()})
a_few = settings(max_examples=20, suppress_health_check=list(HealthCheck))


def load(options: dict[str, OptionValue] | None = None) -> ThirteenMinutes:
    game = load_game("13-minutes", options=options)
    assert isinstance(game, ThirteenMinutes)
    return game


@a_few
@given(options=some_options, number=st.integers(0, 10**6))
def test_every_game_of_every_ruleset_keeps_the_contract(options: dict[str, OptionValue], number: int) -> None:
    game = load(options)
    check_contract(game, [number], SEED, partial(check_position, game))
    check_simultaneous(game, [number], SEED)
    check_journals(game, [number], SEED)


@a_few
@given(options=some_options, number=st.integers(0, 10**6))
def test_no_side_can_tell_a_redeal_apart(options: dict[str, OptionValue], number: int) -> None:
    game = load(options)

    def said(view: np.record, side: int) -> object:
        if side == OBSERVER:
            return game.narrator.prompt(view, side)
        actions = game.legal_actions(view, side)
        return (
            game.narrator.prompt(view, side),
            [game.narrator.describe(view, side, action) for action in actions],
            [game.narrator.warning(view, game.after(view, action, side), side) for action in actions],
        )

    check_knowledge(game, [number], SEED, redeals=2, invariant=partial(check_position, game), also=said)


def test_both_bid_at_once_in_every_game() -> None:
    assert check_simultaneous(load(), range(20), SEED) >= 20


def test_a_bid_is_not_seen_before_both_are_in() -> None:
    before = bidding()
    after = before.copy().play("us: bid 5")
    game = before.game
    for viewer in (1, OBSERVER):
        views = [game.view_of(table.state, viewer).tobytes() for table in (before, after)]
        assert views[0] == views[1]
    assert game.view_of(after.state, 0).bid.tolist() == [5, NO_BID]


def test_an_onlooker_sees_both_bids_once_they_are_revealed() -> None:
    table = bidding().play("ussr: bid 4", "us: bid 5")
    assert table.game.view_of(table.state, OBSERVER).bid.tolist() == [5, 4]


def test_a_match_hides_who_has_bid_first() -> None:
    match = Match(load())
    match.advance(dealer(3))
    match.push("bid 2", side=1)
    match.push("bid 1", side=0)
    assert [entry.text for entry in match.entries[-2:]] == ["bid 1", "bid 2"]
    assert match.state.node != Node.BID


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_answer_and_line_of_the_log_can_be_said(language: str) -> None:
    for options in ({}, {"first_player": "beginner", "tiebreak": "none"}, {"bid_tie_cap": 1, "foreign_push": "owner"}):
        game = load(dict(options))
        words = words_for(game, language)
        for number in range(12):
            for position in walk(game, number, SEED):
                state, action = position.state, position.action
                after = game.copy(state)
                game.apply(game.rules, after, action)
                for viewer in (0, 1, OBSERVER):
                    view, later = game.view_of(state, viewer), game.view_of(after, viewer)
                    assert words.sentence(game.narrator.prompt(view, viewer))
                    known = action if game.audience(game.rules, state, action) >> viewer & 1 else -1
                    lines = list(game.narrator.narrate(view, known, later, viewer))
                    assert all(words.sentence(line.message) for line in lines)
                for side in range(2):
                    for choice in game.legal_actions(state, side):
                        assert words.sentence(game.narrator.describe(game.view_of(state, side), side, choice))
                if position.actor == CHANCE and state.node == Node.COUNT_PRESTIGE:
                    assert words.sentence(game.narrator.prompt(after, 0))


def test_interpreted_and_compiled_rules_play_the_same_games() -> None:
    script = (
        "from brinkmanship.games.registry import load_game; from brinkmanship.testing import fingerprint;"
        f"print(fingerprint(load_game('13-minutes'), range(2), {SEED}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == fingerprint(load(), range(2), SEED)


def test_every_card_ends_up_as_cuba_or_in_either_hand() -> None:
    game = load()
    view = game.view_of(bidding().state, 0)
    full = game.new_states(1)[0]
    dice = generator(SEED)
    seen = set()
    for _ in range(2_000):
        game.redeal(game.rules, view, 0, dice, full)
        seen |= set(np.flatnonzero(full.card == 2).tolist())
    assert len(seen) == 11


def test_every_node_is_of_one_step() -> None:
    assert sorted(node for step in STEPS for node in step.NODES) == sorted(Node)
