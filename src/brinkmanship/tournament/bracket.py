"""Knock-out brackets: seeds meet as late as possible, and the best have byes."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.tournament.round_robin import Pair


def number_of_rounds(players: int) -> int:
    """Return the number of rounds until one is left."""
    return max(1, (players - 1).bit_length())


def first_round(people: Sequence[str]) -> list[Pair]:
    """Return the pairs of the first round, in the order of the bracket, for people ordered by seed.

    Neighbours in the list meet in the next round.
    """
    order = _seeds(number_of_rounds(len(people)))
    at = [people[seed] if seed < len(people) else None for seed in order]
    pairs: list[Pair] = []
    for one, other in zip(at[::2], at[1::2], strict=True):
        first, second = (one, other) if one is not None else (other, one)
        assert first is not None, "there are fewer byes than matches"
        pairs.append((first, second))
    return pairs


def next_round(winners: Sequence[str]) -> list[Pair]:
    """Return the pairs of a later round for the winners of the round before, in the order of the bracket; or none."""
    return [] if len(winners) == 1 else list(zip(winners[::2], winners[1::2], strict=True))


def _seeds(rounds: int) -> list[int]:
    """Return the seeds in the order of the bracket: 0 and 1 can only meet in the final."""
    order = [0]
    for _ in range(rounds):
        size = 2 * len(order)
        order = [each for seed in order for each in (seed, size - 1 - seed)]
    return order
