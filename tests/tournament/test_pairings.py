"""Schedules, Swiss pairings, brackets and divisions: who meets whom."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brinkmanship.tournament import bracket, swiss
from brinkmanship.tournament.divisions import MOVERS, drawn_up
from brinkmanship.tournament.round_robin import Pair, round_robin
from brinkmanship.tournament.swiss import Player, pair_round


def names(number: int) -> list[str]:
    return [f"p{index:02}" for index in range(number)]


def people_in(pairs: list[Pair]) -> list[str]:
    return [person for pair in pairs for person in pair if person is not None]


@given(st.integers(2, 24))
def test_in_a_round_robin_everybody_meets_everybody_once(number: int) -> None:
    people = names(number)
    rounds = round_robin(people)
    assert len(rounds) == number - 1 + number % 2
    for pairs in rounds:
        assert sorted(people_in(pairs)) == people
    met = [{first, second} for pairs in rounds for first, second in pairs if second is not None]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(people, 2)))


@st.composite
def swiss_players(draw: st.DrawFn) -> list[Player]:
    number = draw(st.integers(2, 17))
    points = draw(st.lists(st.integers(0, 8), min_size=number, max_size=number))
    byes = draw(st.sets(st.integers(0, number - 1), max_size=number - 1))
    return [Player(name, points[seed] / 2, seed, seed in byes) for seed, name in enumerate(names(number))]


@given(swiss_players(), st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_change_a_swiss_round(players: list[Player], dice: random.Random) -> None:
    shuffled = dice.sample(players, len(players))
    assert pair_round(shuffled, ()) == pair_round(players, ())


def can_be_paired(people: frozenset[str], met: set[frozenset[str]], may_rest: frozenset[str]) -> bool:
    """Whether all can be paired without a rematch, one of `may_rest` resting if their number is odd."""
    if len(people) % 2:
        return any(can_be_paired(people - {free}, met, may_rest) for free in may_rest)
    if not people:
        return True
    first = min(people)
    rest = people - {first}
    return any(can_be_paired(rest - {each}, met, may_rest) for each in rest if frozenset((first, each)) not in met)


@given(st.integers(3, 12), st.randoms(use_true_random=False))
def test_in_a_swiss_nobody_rests_twice_or_meets_again_while_that_can_be_avoided(
    number: int, dice: random.Random
) -> None:
    people = names(number)
    points = dict.fromkeys(people, 0.0)
    met: set[frozenset[str]] = set()
    rested: set[str] = set()
    for _ in range(swiss.number_of_rounds(number)):
        players = [Player(name, points[name], seed, name in rested) for seed, name in enumerate(people)]
        can_be_new = can_be_paired(frozenset(people), met, frozenset(people) - rested)
        pairs = pair_round(players, met)
        assert sorted(people_in(pairs)) == people
        for first, second in pairs:
            if second is None:
                assert first not in rested
                rested.add(first)
                points[first] += 2
                continue
            assert frozenset((first, second)) not in met or not can_be_new
            met.add(frozenset((first, second)))
            won = dice.choice((0.0, 0.5, 1.0, 1.5, 2.0))
            points[first] += won
            points[second] += 2 - won


def test_the_bye_goes_to_the_lowest_player_without_one() -> None:
    players = [
        Player(name, points, seed, name == "p4")
        for seed, (name, points) in enumerate([("p0", 4), ("p1", 2), ("p2", 2), ("p3", 0), ("p4", 0)])
    ]
    assert pair_round(players, ())[-1] == ("p3", None)


def test_the_top_half_of_a_score_group_meets_its_bottom_half() -> None:
    players = [Player(name, 0, seed) for seed, name in enumerate(names(8))]
    assert pair_round(players, ()) == [("p00", "p04"), ("p01", "p05"), ("p02", "p06"), ("p03", "p07")]


def test_a_rematch_comes_only_where_nothing_else_is_left() -> None:
    players = [Player(name, 0, seed) for seed, name in enumerate("abcd")]
    met = {frozenset(pair) for pair in ("ab", "cd", "ac", "bd")}
    assert pair_round(players, met) == [("a", "d"), ("b", "c")]
    assert len(pair_round(players[:2], met)) == 1


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 3), (4, 3), (8, 4), (9, 5), (64, 7)])
def test_a_swiss_has_one_round_more_than_a_knock_out(players: int, rounds: int) -> None:
    assert swiss.number_of_rounds(players) == rounds


@given(st.integers(2, 64))
def test_in_a_bracket_the_better_seed_wins_to_the_final(number: int) -> None:
    people = names(number)
    pairs = bracket.first_round(people)
    assert sorted(people_in(pairs)) == people
    rested = {first for first, second in pairs if second is None}
    assert rested == set(people[: len(rested)])  # the best rest
    for left in range(bracket.number_of_rounds(number) - 1, 0, -1):
        winners = [min(person for person in pair if person is not None) for pair in pairs]
        assert sorted(winners) == people[: 2**left]
        pairs = bracket.next_round(winners)
    assert sorted(people_in(pairs)) == people[:2]
    assert bracket.next_round(people[:1]) == []


@given(st.integers(3, 64), st.integers(4, 10))
def test_divisions_are_of_equal_size(number: int, size: int) -> None:
    divisions = drawn_up(names(number), size)
    assert [person for division in divisions for person in division] == names(number)
    sizes = [len(division) for division in divisions]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    assert len(divisions) == max(1, round(number / size))


def test_the_best_go_up_and_the_last_go_down() -> None:
    before = [["a", "b", "c", "d"], ["e", "f", "g", "h"]]
    again = drawn_up([*"hgfedcba"], 4, before)
    assert [set(division) for division in again] == [{"a", "b", "e", "f"}, {"c", "d", "g", "h"}]
    assert MOVERS == 2
    # Newcomers begin below, and those who do not enter again leave room above.
    assert drawn_up([*"xhgfedcb"], 4, before) == [["b", "e", "f", "c"], ["d", "g", "h", "x"]]
