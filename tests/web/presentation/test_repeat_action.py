"""Doing the last action once more."""

from __future__ import annotations

import random

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.text import words_for
from brinkmanship.web.presentation.repeat_action import repeatable


def test_what_is_offered_once_more_is_legal_as_often_as_it_says_and_what_was_done_last() -> None:
    game = load_game("ukrainian-crisis")
    words, choose = words_for(game, "en"), random.Random(7)
    lengths, ends = set(), set()
    for _ in range(6):
        secret = choose.randbytes(commit_reveal.SECRET_BYTES)
        match = Match(game)
        commit_reveal.advance(match, secret)
        while not match.is_over:
            side = choose.choice(sorted(match.pending))
            repeat = repeatable(Perspective(match, side), words)
            if repeat is not None:
                lengths.add((len(repeat.actions), repeat.times > 1))
                assert [entry.action for entry in match.entries[-len(repeat.actions) :]] == list(repeat.actions)
                tried = match.copy()
                for action in repeat.actions * repeat.times:
                    tried.push(action, side=side)
                assert repeat.ends == (side not in tried.pending)
                ends.add(repeat.ends)
            match.push(choose.choice(match.legal(side)).action, side=side)
            commit_reveal.advance(match, secret)
    assert {(1, True), (2, False)} <= lengths
    assert ends == {False, True}
