"""Answers to questions put to both sides in secret: in balance, mixed, and not to be read."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.players.secret import balance, drawn

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def test_rock_paper_and_scissors_are_played_as_often_as_each_other() -> None:
    row, column = balance(ROCK_PAPER_SCISSORS)
    assert row == pytest.approx([1 / 3] * 3, abs=0.01)
    assert column == pytest.approx([1 / 3] * 3, abs=0.01)


def test_no_answer_of_the_other_side_does_better_against_a_balance() -> None:
    for seed in range(5):
        matrix = np.random.default_rng(seed).random((4, 6))
        row, column = balance(matrix)
        assert (matrix @ column).max() - (row @ matrix).min() < 0.01


def test_what_is_better_whatever_the_other_side_does_is_played_always() -> None:
    row, column = balance(np.array([[0.4, 0.9], [0.3, 0.2]]))
    assert row == pytest.approx([1, 0], abs=0.01)
    assert column == pytest.approx([1, 0], abs=0.01)


def test_usual_answers_are_answered_as_far_as_they_are_trusted() -> None:
    always_rock = [1, 0, 0]
    for trust, paper in ((0.0, 1 / 3), (1.0, 1.0)):
        assert balance(ROCK_PAPER_SCISSORS, always_rock, trust)[0][1] == pytest.approx(paper, abs=0.01)
    half = balance(ROCK_PAPER_SCISSORS, always_rock, 0.3)[0]
    assert 1 / 3 < half[1] < 1
    assert (half @ ROCK_PAPER_SCISSORS).min() > 0


def test_answers_are_drawn_as_often_as_the_mixture_says_and_rare_ones_never() -> None:
    random = generator(4)
    counts = Counter(drawn(np.array([0.01, 0.3, 0.0, 0.69]), random) for _ in range(2000))
    assert set(counts) == {1, 3}
    assert counts[1] / 2000 == pytest.approx(0.3 / 0.99, abs=0.04)
    assert {drawn(np.full(100, 0.01), random) for _ in range(50)} - {0}
