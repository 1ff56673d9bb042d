"""The log of a table: kept and extended as the game goes on, and cut where a step is taken back."""

from __future__ import annotations

import random

import pytest

from brinkmanship.drawing import drawing_of
from brinkmanship.engine import commit_reveal
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.state import Node
from brinkmanship.text import words_for
from brinkmanship.web.presentation.log_view import WINDOW, LogView
from support.browsing import way_to

GAME = load_game("13-days")
MAX_TAKEN_BACK = 20
"""Lines that are taken back at once leave so many fewer in the window."""


def log_view(window: int | None = WINDOW) -> LogView:
    return LogView(drawing_of(GAME), words_for(GAME, "en"), "/card/", window)


def told(match: Match, viewer: int) -> list[str]:
    """The log of a match, told from its start."""
    fresh = log_view(window=None)
    fresh.follow(Perspective(match, viewer))
    return [line.shown for line in fresh.lines]


@pytest.mark.parametrize("seed", range(4))
def test_after_steps_and_undos_the_log_is_as_if_told_anew(seed: int) -> None:
    dice = random.Random(seed)
    match, log_views = Match(GAME), [log_view() for _ in (0, 1, OBSERVER)]
    secret = dice.randbytes(commit_reveal.SECRET_BYTES)
    commit_reveal.advance(match, secret)
    while not match.is_over:
        for viewer, kept in zip((0, 1, OBSERVER), log_views, strict=True):
            kept.follow(Perspective(match, viewer))
            whole = told(match, viewer)
            assert [(line.number, line.shown) for line in kept.lines] == list(enumerate(whole))[-len(kept.lines) :]
            assert len(kept.lines) > min(len(whole), WINDOW) - MAX_TAKEN_BACK
        side = dice.choice(sorted(match.pending))
        if dice.random() < 0.3 and match.undo_count(side):
            match.pop()
        else:
            match.push(dice.choice(match.legal(side)).action, side=side)
            commit_reveal.advance(match, secret)


def test_of_two_discards_told_in_one_line_the_second_is_taken_back() -> None:
    way = way_to(_discards_one_after_the_other)
    match = Match(GAME)
    commit_reveal.advance(match, way.secret)
    for side, action in way.decisions:
        match.push(action, side=side)
        commit_reveal.advance(match, way.secret)
    side = min(match.pending)
    kept, seen = log_view(), Perspective(match, side)
    for _ in range(2):
        match.push(match.legal(side)[0].action)
        kept.follow(seen)
    match.pop()
    kept.follow(seen)
    assert [line.shown for line in kept.lines] == told(match, side)
    assert "discards" in kept.lines[-1].shown


def _discards_one_after_the_other(match: Match) -> bool:
    """Whether Summit Meeting lets a side discard at least two cards."""
    if match.state.node != Node.EXCHANGE:
        return False
    return sum(each.text.startswith("discard") for each in match.legal()) > 2
