"""Properties of every game of 13 Days, over random games and random rulesets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import DTYPE, CardIs, Node
from brinkmanship.games.thirteen_days.rules.tables import OPTION_VALUES
from brinkmanship.players import load_player
from brinkmanship.testing import (
    check_contract,
    check_journals,
    check_knowledge,
    check_simultaneous,
    fingerprint,
    walk,
)
from support.thirteen_days.invariants import check_position

SEED = 13
LONG_GAMES = 20_000
some_options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTION_VALUES.items()})
a_few = settings(max_examples=20, suppress_health_check=list(HealthCheck))


def load(options: dict[str, str | bool] | None = None) -> ThirteenDays:
    game = load_game("13-days", options=options)
    assert isinstance(game, ThirteenDays)
    return game


@a_few
@given(options=some_options, number=st.integers(0, 10**6))
def test_every_game_of_every_ruleset_keeps_the_contract(options: dict[str, str | bool], number: int) -> None:
    game = load(options)
    check_contract(game, [number], SEED, partial(check_position, game))
    check_simultaneous(game, [number], SEED)
    check_journals(game, [number], SEED)


@a_few
@given(options=some_options, number=st.integers(0, 10**6))
def test_no_side_can_tell_a_redeal_apart(options: dict[str, str | bool], number: int) -> None:
    game = load(options)
    greedy = load_player("greedy", game, seed=1)

    def said(view: np.record, side: int) -> object:
        if side == OBSERVER:
            return game.narrator.prompt(view, side)
        moves = []
        if game.legal_actions(view, side):
            policy = greedy.policy
            assert policy is not None
            moves = [int(policy(game.rules, view, side, generator(number)))]
        actions = game.legal_actions(view, side)
        return (
            game.narrator.prompt(view, side),
            [game.narrator.describe(view, side, action) for action in actions],
            [game.narrator.warning(view, game.after(view, action, side), side) for action in actions],
            moves,
        )

    check_knowledge(game, [number], SEED, redeals=2, invariant=partial(check_position, game), also=said)


def test_both_sides_choose_their_agenda_at_once_in_every_round() -> None:
    assert check_simultaneous(load(), range(20), SEED) >= 20


def test_over_many_redeals_each_hidden_card_turns_up_wherever_it_may_be() -> None:
    game = load()
    position = next(
        p
        for number in range(100)
        for p in walk(game, number, SEED)
        if p.state.round_number == 2 and p.state.node == Node.PLAY
    )
    side = position.actor
    view = game.view_of(position.state, side)
    full = game.new_states(1)[0]
    dice = generator(SEED)
    other = 1 - side
    unknown = int(view.deck + view.hand[other] + view.aftermath[other])
    seen: Counter[tuple[int, int]] = Counter()
    agendas: Counter[int] = Counter()
    redeals = 6_000
    for _ in range(redeals):
        game.redeal(game.rules, view, side, dice, full)
        agendas[int(full.chosen[other])] += 1
        for card in np.flatnonzero(view.card != full.card):
            seen[int(card), int(full.card[card])] += 1
    cards = {card for card, _ in seen}
    assert len(cards) == unknown
    for place, count in (
        (CardIs.IN_DECK, view.deck),
        (CardIs.IN_HAND + other, view.hand[other]),
        (CardIs.IN_AFTERMATH + other, 1),
    ):
        expected = redeals * int(count) / unknown
        for card in cards:
            assert abs(seen[card, place] - expected) < 6 * expected**0.5, (card, place)
    copies = {a: int(view.agenda_dealt[other, a]) for a in range(12) if view.agenda_dealt[other, a]}
    assert set(agendas) == set(copies)
    for agenda, count in copies.items():
        expected = redeals * count / 3
        assert abs(agendas[agenda] - expected) < 6 * expected**0.5


def test_the_first_agenda_choice_is_not_seen_before_the_second() -> None:
    game = load()
    for position in walk(game, 1, SEED):
        if len(game.legal_actions(position.state, 0)) and len(game.legal_actions(position.state, 1)):
            for chooser in (0, 1):
                after = game.copy(position.state)
                game.apply(game.rules, after, game.legal_actions(position.state, chooser)[0])
                for viewer in (1 - chooser, OBSERVER):
                    assert game.view_of(after, viewer).tobytes() == game.view_of(position.state, viewer).tobytes()
            return


def test_a_view_copies_every_field() -> None:
    # Field by field in compiled code, so a field added to the record and forgotten there would be lost.
    game = load()
    states = np.frombuffer(np.random.default_rng(1).bytes(DTYPE.itemsize), DTYPE).copy().view(np.recarray)
    states.card[:] = 3
    states.chosen[:] = -1
    states.node[:] = Node.ALLIANCES
    out = game.new_states(1)
    game.view(game.rules, states[0], OBSERVER, out[0])
    for name in DTYPE.names or ():
        assert np.array_equal(out[name], states[name]), name


FINGERPRINT = """
from brinkmanship.games.registry import load_game
from brinkmanship.testing import fingerprint
print(fingerprint(load_game("13-days"), range(6), 13))
"""


def test_compiled_and_interpreted_runs_agree() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FINGERPRINT], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fingerprint(load(), range(6), 13)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_twenty_thousand_games_keep_every_property(part: int) -> None:
    game = load()
    numbers = range(part * LONG_GAMES // 10, (part + 1) * LONG_GAMES // 10)
    check_contract(game, numbers, SEED, partial(check_position, game))
    check_simultaneous(game, numbers, SEED)
    check_journals(game, numbers, SEED)
    check_knowledge(game, numbers, SEED, invariant=partial(check_position, game))
