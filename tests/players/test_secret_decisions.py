"""Answers to questions put to both sides in secret: in balance, mixed, and not to be read."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.match import Match, dealer
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.players.search import secret
from brinkmanship.players.matrix_game import Answers, equilibrium, sample_action

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def test_rock_paper_and_scissors_are_played_as_often_as_each_other() -> None:
    row, column = equilibrium(ROCK_PAPER_SCISSORS)
    assert row == pytest.approx([1 / 3] * 3, abs=0.01)
    assert column == pytest.approx([1 / 3] * 3, abs=0.01)


def test_no_answer_of_the_other_side_does_better_against_a_balance() -> None:
    for seed in range(5):
        matrix = np.random.default_rng(seed).random((4, 6))
        row, column = equilibrium(matrix)
        assert (matrix @ column).max() - (row @ matrix).min() < 0.01


def test_what_is_better_whatever_the_other_side_does_is_played_always() -> None:
    row, column = equilibrium(np.array([[0.4, 0.9], [0.3, 0.2]]))
    assert row == pytest.approx([1, 0], abs=0.01)
    assert column == pytest.approx([1, 0], abs=0.01)


def test_usual_answers_are_answered_as_far_as_they_are_trusted() -> None:
    always_rock = [1, 0, 0]
    for trust, paper in ((0.0, 1 / 3), (1.0, 1.0)):
        assert equilibrium(ROCK_PAPER_SCISSORS, always_rock, trust)[0][1] == pytest.approx(paper, abs=0.01)
    half = equilibrium(ROCK_PAPER_SCISSORS, always_rock, 0.3)[0]
    assert 1 / 3 < half[1] < 1
    assert (half @ ROCK_PAPER_SCISSORS).min() > 0


def test_answers_are_drawn_as_often_as_the_mixture_says_and_rare_ones_never() -> None:
    random = generator(4)
    counts = Counter(sample_action(np.array([0.01, 0.3, 0.0, 0.69]), random) for _ in range(2000))
    assert set(counts) == {1, 3}
    assert counts[1] / 2000 == pytest.approx(0.3 / 0.99, abs=0.04)
    assert {sample_action(np.full(100, 0.01), random) for _ in range(50)} - {0}


def test_terms_even_out_the_luck_of_single_pairs_and_leave_what_they_explain() -> None:
    own, other = (number.ravel() for number in np.indices((4, 5)))
    terms = np.stack([np.ones(20), own, other], axis=1)
    truth = (terms @ np.array([0.3, 0.1, -0.05])).reshape(4, 5)
    answers = Answers(range(4), range(5), terms=terms)
    assert answers.evened(truth) == pytest.approx(truth)
    lucky = truth.copy()
    lucky[0, 0] += 0.5
    assert answers.evened(lucky)[0, 0] - truth[0, 0] < 0.25
    assert (Answers(range(4), range(5)).evened(lucky) == lucky).all()


def test_bids_of_13_minutes_are_one_thing_where_one_side_has_the_last_word_and_another_where_the_other_has() -> None:
    game = load_game("13-minutes")
    match = Match(game)
    match.advance(dealer(3))
    answers = secret(game, match.view(0), 0)
    assert answers
    wins = np.array([[0.6 - mine if mine > theirs else 0.2 + theirs for theirs in range(10)] for mine in range(10)])
    np.fill_diagonal(wins, 0.5)
    assert answers.evened(wins / 10) == pytest.approx(wins / 10)
