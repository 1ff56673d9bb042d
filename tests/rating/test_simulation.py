"""How well the ratings predict in a simulated club, and whether choosing the better side inflates them.

The club: 40 people (standard deviation of their strength 130 points), a third of whom come while it goes on, and six
computer levels; 14 games a day for 180 days, 4% draws; 35% of the people always take the better side. Counted are the
games between people after day 60; newcomers have played fewer than ten. The loss is the expected log-loss of the
forecasts, less that of the true chances.
"""

from __future__ import annotations

import math
import random
from statistics import mean
from typing import NamedTuple

import pytest

from brinkmanship.rating.game_results import rated_game, weight_of
from brinkmanship.rating.glicko import START, Rating, aged, expected_score, win_chance

PEOPLE = 40
SPREAD = 130.0
LEVELS = (1155.0, 1262.0, 1383.0, 1500.0, 1596.0, 1756.0)
DAYS = 180
GAMES_A_DAY = 14
FIRST_DAY = 60
DRAWS = 0.04
CHOOSERS = 0.35
COMPUTER_GAMES = 0.25
NEWCOMER_GAMES = 10


class Findings(NamedTuple):
    """Losses (thousandths of a nat) and bias (points) of worlds together."""

    loss: float
    newcomers: float
    bias: float
    """Mean error of the ratings of those who always take the better side, minus that of the others."""


class World:
    """One simulated club."""

    def __init__(self, seed: int, advantage: float) -> None:
        self.dice = random.Random(seed)
        self.advantage = advantage
        self.strength = [self.dice.gauss(1500, SPREAD) for _ in range(PEOPLE)]
        self.chooses = [number < CHOOSERS * PEOPLE for number in range(PEOPLE)]
        self.arrival = [self.dice.uniform(0, DAYS - 20) if number % 3 == 0 else 0.0 for number in range(PEOPLE)]
        self.rating = [START] * PEOPLE
        self.games = [0] * PEOPLE
        self.last = list(self.arrival)
        self.losses: list[float] = []
        self.newcomer_losses: list[float] = []

    def play(self) -> World:
        for game in range(DAYS * GAMES_A_DAY):
            day = game / GAMES_A_DAY
            here = [number for number in range(PEOPLE) if self.arrival[number] <= day]
            if self.dice.random() < COMPUTER_GAMES:
                self._against_level(self.dice.choice(here), self.dice.choice(LEVELS), day)
            else:
                self._against_each_other(*self._seated(*self.dice.sample(here, 2)), day)
        return self

    def _seated(self, a: int, b: int) -> tuple[int, int]:
        if self.chooses[a] == self.chooses[b]:
            return a, b
        return (a, b) if self.chooses[a] else (b, a)

    def _score(self, difference: float) -> float:
        if self.dice.random() < DRAWS:
            return 0.5
        return float(self.dice.random() < expected_score(difference, 0))

    def _now(self, person: int, day: float) -> Rating:
        rating = aged(self.rating[person], day - self.last[person])
        self.last[person] = day
        return rating

    def _against_level(self, person: int, level: float, day: float) -> None:
        is_first = self.chooses[person] or self.dice.random() < 0.5
        ahead = self.advantage if is_first else -self.advantage
        score = self._score(self.strength[person] - level + ahead)
        before = (self._now(person, day), Rating(level))
        self.rating[person] = rated_game(before, (True, False), ahead, score, weight_of(True))[0]
        self.games[person] += 1

    def _against_each_other(self, a: int, b: int, day: float) -> None:
        before = (self._now(a, day), self._now(b, day))
        truth = expected_score(self.strength[a] - self.strength[b] + self.advantage, 0)
        truth = DRAWS / 2 + (1 - DRAWS) * truth
        score = self._score(self.strength[a] - self.strength[b] + self.advantage)
        if day >= FIRST_DAY:
            loss = excess(win_chance(*before, self.advantage), truth)
            self.losses.append(loss)
            if min(self.games[a], self.games[b]) < NEWCOMER_GAMES:
                self.newcomer_losses.append(loss)
        self.rating[a], self.rating[b] = rated_game(before, (True, True), self.advantage, score, weight_of(False))
        self.games[a] += 1
        self.games[b] += 1

    @property
    def bias(self) -> float:
        errors: dict[bool, list[float]] = {True: [], False: []}
        for person in range(PEOPLE):
            errors[self.chooses[person]].append(self.rating[person].value - self.strength[person])
        return mean(errors[True]) - mean(errors[False])


def excess(chance: float, truth: float) -> float:
    """Expected log-loss of a forecast, less that of the true chance."""
    return truth * math.log(truth / chance) + (1 - truth) * math.log((1 - truth) / (1 - chance))


def findings(advantage: float, worlds: int) -> Findings:
    played = [World(seed, advantage).play() for seed in range(worlds)]
    losses = [loss for world in played for loss in world.losses]
    newcomers = [loss for world in played for loss in world.newcomer_losses]
    return Findings(1000 * mean(losses), 1000 * mean(newcomers), mean(world.bias for world in played))


@pytest.mark.slow
@pytest.mark.parametrize("advantage", [0.0, 110.0])
def test_ratings_predict_well_and_no_side_inflates_them(advantage: float) -> None:
    found = findings(advantage, worlds=24)
    assert found.loss <= 20, found
    assert found.newcomers <= 46, found
    assert abs(found.bias) <= 10, found
