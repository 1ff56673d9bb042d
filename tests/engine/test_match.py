"""`Match`: push, undo, and the difference between malformed and illegal."""

from __future__ import annotations

import doctest

import pytest

import brinkmanship.engine.match
from brinkmanship.engine.errors import IllegalActionError, MalformedActionError
from brinkmanship.engine.game import CHANCE, OBSERVER, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


@pytest.fixture
def match(game: Game) -> Match:
    """At the start of round 1: both sides choose an agenda."""
    match = Match(game)
    match.advance(dealer(seed=5))
    return match


def to_first_play(match: Match) -> Match:
    match.push(match.legal(0)[0].action, side=0)
    match.push(match.legal(1)[0].action, side=1)
    match.advance(dealer(seed=5))
    match.push("first us")
    return match


def test_the_examples_in_the_documentation_run() -> None:
    assert doctest.testmod(brinkmanship.engine.match).failed == 0


def test_nobody_has_answered_in_a_match_that_has_not_begun(game: Game) -> None:
    begun = Match(game)
    assert not begun.is_first_answer(0)
    assert Perspective(begun, OBSERVER).length == 0
    assert not begun.in_secret


def test_malformed_and_illegal_are_different_errors(match: Match) -> None:
    before = match.state.tobytes()
    with pytest.raises(MalformedActionError, match="is not an action of 13 Days"):
        match.push("castle kingside", side=0)
    with pytest.raises(IllegalActionError, match="'place 1 berlin' is not legal for us here; legal: keep"):
        match.push("place 1 berlin", side=0)
    with pytest.raises(MalformedActionError, match="99999 is not an action"):
        match.push(99_999, side=0)
    assert match.state.tobytes() == before
    assert len(match.entries) == 7


def test_where_both_choose_at_once_the_side_must_be_named(match: Match) -> None:
    with pytest.raises(IllegalActionError, match="say which one acts"):
        match.push(match.legal(0)[0].action)


def test_a_side_that_is_not_asked_may_not_act(match: Match) -> None:
    to_first_play(match)
    assert match.legal_texts(0) == [decision.text for decision in match.legal(0)] != []
    assert match.legal_texts(1) == []
    with pytest.raises(IllegalActionError, match="the decision here belongs to us, not to ussr"):
        match.push("done", side=1)


def test_the_order_of_secret_choices_leaves_no_trace(match: Match) -> None:
    other = match.copy()
    us, ussr = match.legal(0)[1].action, match.legal(1)[2].action
    match.push(us, side=0)
    match.push(ussr, side=1)
    other.push(ussr, side=1)
    other.push(us, side=0)
    assert other.entries == match.entries
    for count in range(len(match.entries) + 1):
        assert other.state_after(count).tobytes() == match.state_after(count).tobytes()


def test_the_same_seed_deals_the_same_game(game: Game) -> None:
    matches = [Match(game), Match(game)]
    for match in matches:
        match.advance(dealer(seed=9))
    assert matches[0].entries == matches[1].entries


def test_any_possible_outcome_of_chance_may_be_entered(game: Game) -> None:
    match = Match(game)
    match.push("escalate")
    match.push("deal turkey")
    with pytest.raises(IllegalActionError, match="'deal turkey' is not legal for chance"):
        match.push("deal turkey")


def test_undo_goes_back_to_the_last_draw_or_change_of_decider(match: Match) -> None:
    to_first_play(match)
    assert match.undo_count(0) == 0  # the USSR chose who is first
    card = next(decision for decision in match.legal() if decision.text.startswith("command"))
    match.push(card.action)
    if match.actor == 1:
        assert match.undo_count(0) == 0  # the other side is asked now
        match.push("decline")
    else:
        assert match.undo_count(0) == 1
    assert match.undo_count(1) == 0


def test_an_own_secret_choice_may_be_taken_back_while_the_other_is_awaited(match: Match) -> None:
    match.push(match.legal(0)[0].action, side=0)
    assert match.undo_count(0) == 1
    assert match.undo_count(1) == 0
    match.pop()
    assert match.pending == {0, 1}


def test_nothing_can_be_popped_from_a_new_match(game: Game) -> None:
    match = Match(game)
    with pytest.raises(IndexError):
        match.pop()
    assert match.state.tobytes() == game.new_state().tobytes()


def test_after_the_end_nothing_is_legal(game: Game) -> None:
    match = Match(game)
    deal = dealer(seed=3)
    while not match.is_over:
        if match.actor == CHANCE:
            match.push_chance(deal)
        else:
            match.push(match.legal()[-1].action, side=match.actor)
    assert match.legal() == []
    assert match.outcome() is not None
    with pytest.raises(IllegalActionError, match="the game is over"):
        match.push("done")


def test_views_follow_the_game(match: Match) -> None:
    to_first_play(match)
    for viewer in (0, 1, OBSERVER):
        seen = list(Perspective(match, viewer).seen())
        assert len(seen) == len(match.entries)
        assert seen[-1].after.tobytes() == match.view(viewer).tobytes()
