"""Properties of every game of Ukrainian Crisis, over random games, rulesets and a scenario that begins at war."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.record import record_from_bytes
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import Area
from brinkmanship.games.ukrainian_crisis.rules.tables import PLAY_OPTIONS
from brinkmanship.games.ukrainian_crisis.words.names import words
from brinkmanship.testing import (
    check_contract,
    check_journals,
    check_knowledge,
    check_simultaneous,
    fingerprint,
    walk,
)
from brinkmanship.text import LANGUAGES, Words
from support.ukrainian_crisis.builders import game
from support.ukrainian_crisis.invariants import check_position
from support.ukrainian_crisis.war import LONG, at_war, war_file

SEED = 13
LONG_GAMES = 4_000


def some_options() -> st.SearchStrategy[dict[str, str | bool]]:
    """Options of the rules in every combination that does not exclude itself (R47, R49)."""
    every = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in PLAY_OPTIONS.items()})
    return every.map(
        lambda options: {
            **options,
            **LONG,
            **({"ordinary_cards": True, "show_unused_diplomatic": True} if options["no_randomness"] else {}),
        }
    )


a_few = settings(max_examples=10, suppress_health_check=list(HealthCheck))


@a_few
@given(options=some_options(), number=st.integers(0, 10**6), war=st.booleans())
def test_every_game_of_every_ruleset_keeps_the_contract(options: dict[str, str | bool], number: int, war: bool) -> None:
    ruleset = at_war(options) if war else UkrainianCrisis.load(options=options)
    check_contract(ruleset, [number], SEED, partial(check_position, ruleset))
    check_simultaneous(ruleset, [number], SEED)
    check_journals(ruleset, [number], SEED)


@cache
def spoken(language: str) -> Words:
    return words(game().data, language)


@a_few
@given(options=some_options(), number=st.integers(0, 10**6), war=st.booleans())
def test_no_side_can_tell_a_redeal_apart(options: dict[str, str | bool], number: int, war: bool) -> None:
    ruleset = at_war(options) if war else UkrainianCrisis.load(options=options)

    def said(view: np.record, side: int) -> object:
        if side == OBSERVER:
            return ruleset.narrator.prompt(view, side)
        actions = ruleset.legal_actions(view, side)
        return ruleset.narrator.prompt(view, side), [
            (
                ruleset.narrator.describe(view, side, action),
                ruleset.narrator.warning(view, ruleset.after(view, action, side), side),
            )
            for action in actions[:20]
        ]

    check_knowledge(ruleset, [number], SEED, invariant=partial(check_position, ruleset), also=said)


@a_few
@given(options=some_options(), number=st.integers(0, 10**6))
def test_everything_can_be_said_in_every_language(options: dict[str, str | bool], number: int) -> None:
    ruleset = at_war(options)
    for position in walk(ruleset, number, SEED):
        after = ruleset.copy(position.state)
        ruleset.apply(ruleset.rules, after, position.action)
        for viewer in (0, 1, OBSERVER):
            before, then = ruleset.view_of(position.state, viewer), ruleset.view_of(after, viewer)
            may_know = ruleset.audience(ruleset.rules, position.state, position.action) >> viewer & 1
            action = position.action if may_know else -1
            said = [line.message for line in ruleset.narrator.narrate(before, action, then, viewer)]
            assert said
            said.append(ruleset.narrator.prompt(before, viewer))
            if viewer < OBSERVER:
                legal = ruleset.legal_actions(before, viewer)[:5]
                said += [ruleset.narrator.describe(before, viewer, each) for each in legal]
            for message in said:
                for language in LANGUAGES:
                    assert spoken(language).sentence(message)
        assert ruleset.action_parts(position.action).kind
        assert ruleset.known_state(ruleset.view_of(position.state, 0), 0)["turn"] == position.state.turn


def test_every_kind_of_question_is_met_by_the_tests() -> None:
    met = {
        int(position.state.node)
        for options in ({}, {"critical_zone_chooser": "random", "resolve_turn1": "reshuffle_and_redraw"})
        for number in range(60)
        for position in walk(at_war({**options, "resource_selection": "random_draw"}), number, SEED)
    }
    assert met == set(range(s.Node.OVER))


def test_a_state_is_at_most_512_bytes() -> None:
    assert s.DTYPE.itemsize <= 512


def test_the_first_placement_and_declaration_are_not_seen_before_the_second() -> None:
    ruleset = UkrainianCrisis.load(options=LONG)
    seen = set()
    for number in range(20):
        for position in walk(ruleset, number, SEED):
            if ruleset.pending(ruleset.rules, position.state) != 3:
                continue
            seen.add(int(position.state.node))
            for chooser in (0, 1):
                after = ruleset.copy(position.state)
                ruleset.apply(ruleset.rules, after, ruleset.legal_actions(position.state, chooser)[0])
                for viewer in (1 - chooser, OBSERVER):
                    assert ruleset.view_of(after, viewer).tobytes() == ruleset.view_of(position.state, viewer).tobytes()
    assert seen == {s.Node.PLACE, s.Node.DECLARE}


def test_over_many_redeals_each_hidden_card_turns_up_as_often_as_it_should() -> None:
    ruleset = UkrainianCrisis.load(options=LONG)
    position = next(
        p
        for number in range(100)
        for p in walk(ruleset, number, SEED)
        if p.state.turn == 3 and p.state.node == s.Node.ORDER and p.state.held[1 - p.actor] == 1
    )
    side, other = position.actor, 1 - position.actor
    view = ruleset.view_of(position.state, side)
    pack = view.pack[other].astype(float)
    full = ruleset.new_states(1)[0]
    dice, redeals = generator(SEED), 6_000
    cards: Counter[int] = Counter()
    held: Counter[int] = Counter()
    for _ in range(redeals):
        ruleset.redeal(ruleset.rules, view, side, dice, full)
        cards[int(full.matrix[other, Area.MILITARY])] += 1
        held[full.event.tolist().index(s.EventPlace.HELD + other)] += 1
    for rank in range(3):
        expected = redeals * pack[rank] / pack.sum()
        assert abs(cards[rank + 1] - expected) < 6 * max(expected, 1) ** 0.5
    unknown = [e for e in range(16) if view.event[e] == s.EventPlace.UNKNOWN and not EVENTS[e].immediate]
    assert set(held) == set(unknown)
    for event in unknown:
        expected = redeals / len(unknown)
        assert abs(held[event] - expected) < 6 * expected**0.5


def test_a_view_copies_every_field() -> None:
    # Field by field in compiled code, so a field added to the record and forgotten there would be lost.
    ruleset = game()
    state = record_from_bytes(np.random.default_rng(1).bytes(s.DTYPE.itemsize), s.DTYPE)
    state.event[:] = s.EventPlace.DISCARDED
    state.face_up[:] = 1
    state.hand[:] = 0
    state.unseen[:] = 0
    state.node = s.Node.OPERATE
    out = ruleset.new_states(1)
    ruleset.view(ruleset.rules, state, OBSERVER, out[0])
    for name in s.DTYPE.names or ():
        assert np.array_equal(out[0][name], state[name]), name


FINGERPRINT = """
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.testing import fingerprint
print(fingerprint(UkrainianCrisis.load({!r}, {!r}), range(3), 13))
"""


def test_compiled_and_interpreted_runs_agree() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FINGERPRINT.format(war_file(), LONG)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == fingerprint(at_war(), range(3), 13)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_games_keep_every_property(part: int) -> None:
    ruleset = at_war()
    numbers = range(part * LONG_GAMES // 10, (part + 1) * LONG_GAMES // 10)
    check_contract(ruleset, numbers, SEED, partial(check_position, ruleset))
    check_simultaneous(ruleset, numbers, SEED)
    check_journals(ruleset, numbers, SEED)
    check_knowledge(ruleset, numbers, SEED, invariant=partial(check_position, ruleset))
