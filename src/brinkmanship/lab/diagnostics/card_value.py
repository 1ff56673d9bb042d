"""The value of a card in hand, measured by exchange on the same deal.

A game is played until both sides hold cards. Then one card of a hand is exchanged for one in no hand, and the same
players continue the game twice, with the one card and with the other, with the same random numbers. The difference is
the value of having the one instead of the other in that deal. Correlation would measure something else: a side that
holds a card for long has had a long game, and a side that plays a card as its event has had a reason to.

The differences of all deals of a card are independent of each other. Each deal contributes to both cards with opposite
signs, so that the values of all cards add up to 0: a value is relative to a card drawn at random.

The strategy-card games have hands in this sense: 13 Days and 13 Minutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import below, generators
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.playout import Policy, luck, play_on
from brinkmanship.engine.record import State
from brinkmanship.lab.matches.summary import Z95
from brinkmanship.players import Player

AT_ONCE = 512
"""Deals per piece of work."""
IN_HAND = 1
"""Value of the field ``card`` in both games if side 0 holds the card; one more: side 1; 0: neither."""


class SwapError(LocalizedError):
    """The game has no hands of cards, or a player cannot be played in the compiled loop."""


class Exchanges(NamedTuple):
    """Results of a number of deals, one exchange for each side of each deal, in order."""

    sides: npt.NDArray[np.int8]
    """The side whose hand was changed: int8[n]."""
    held: npt.NDArray[np.int16]
    """The card that was dealt: int16[n]."""
    other: npt.NDArray[np.int16]
    """The card it was exchanged for: int16[n]."""
    gain: npt.NDArray[np.float64]
    """Utility of that side with `held` minus that with `other`: float64[n], -2 to 2."""


class CardValue(NamedTuple):
    """The value of a card in a side's hand."""

    card: str
    side: str
    deals: int
    """Number of deals in which it was one of the two cards."""
    points: float
    """Share of the points (a win is 1, a draw or a loss of both 1/2 or less), relative to a card drawn at random."""
    margin: float
    """Half of its 95 % interval."""
    sure: bool
    """True if its sign is significant at 5 % in the family of all cards and sides (Holm 1979)."""


def exchanges(game: Game, players: tuple[Player, Player], first: int, count: int, seed: int) -> Iterator[Exchanges]:
    """Deal games number `first` .. `first + count - 1` of a seed and exchange a card of each hand; several at a time.

    Raises:
        SwapError: the game has no hands, or a player has no compiled policy.
    """
    if not {"card", "hand"} <= set(game.dtype.names or ()):
        raise SwapError(Message("fault.swap.no_hands", {"title": game.title}))
    for player in players:
        if player.is_asked or player.policy is None:
            raise SwapError(Message("fault.swap.no_policy", {"name": player.name}))
    for start in range(first, first + count, AT_ONCE):
        yield _exchange(game, players, start, min(AT_ONCE, first + count - start), seed)


def worths(game: Game, pieces: list[Exchanges]) -> list[CardValue]:
    """Return the value of each card for each side, best first."""
    sides, held, other, gain = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    found: list[tuple[CardValue, float]] = []
    for side, side_id in enumerate(game.sides):
        for card, card_id in _cards(game).items():
            mine = np.concatenate([gain[(sides == side) & (held == card)], -gain[(sides == side) & (other == card)]])
            if len(mine) < 2:
                continue
            mean, scatter = mine.mean() / 2, mine.std(ddof=1) / 2
            error = float(scatter / math.sqrt(len(mine)))
            chance = math.erfc(abs(mean) / error / math.sqrt(2)) if error else float(mean == 0)
            found.append((CardValue(card_id, side_id, len(mine), float(mean), Z95 * error, False), chance))
    found.sort(key=lambda each: each[1])
    stands = True
    judged = []
    for rank, (worth, chance) in enumerate(found):
        stands = stands and chance <= 0.05 / (len(found) - rank)
        judged.append(worth._replace(sure=stands))
    return sorted(judged, key=lambda worth: -worth.points)


def _cards(game: Game) -> Mapping[int, str]:
    data: Any = game
    return {number: card.id for number, card in enumerate(data.data.card)}


def _exchange(game: Game, players: tuple[Player, Player], first: int, count: int, seed: int) -> Exchanges:
    both = (players[0].policy, players[1].policy)
    assert both[0] is not None
    assert both[1] is not None
    dealt = game.new_states(count)
    chance = luck(seed, first, count)
    picks = generators(seed + 1, first, count)
    rows: list[tuple[int, int, int]] = []
    starts: list[State] = []
    numbers: list[int] = []
    known = game.new_states(1)[0]
    for number in range(count):
        state = dealt[number]
        _deal(game, (both[0], both[1]), state, known, chance[number])
        for side in range(len(game.sides)):
            where = state["card"]
            mine = np.flatnonzero(where == IN_HAND + side)
            free = np.flatnonzero(where[: len(_cards(game))] == 0)
            held, other = (int(cards[below(picks[number], len(cards))]) for cards in (mine, free))
            swapped = game.copy(state)
            swapped["card"][held], swapped["card"][other] = 0, IN_HAND + side
            rows.append((side, held, other))
            starts += [game.copy(state), swapped]
            numbers += [number, number]
    states = game.new_states(len(starts))
    for row, each in enumerate(starts):
        states[row] = each
    ended = play_on(game, states, chance[numbers], both).states
    utility = np.array([game.outcome(state)[1] for state in ended])
    sides, held_cards, others = np.array(rows).T
    ends = utility.reshape(-1, 2, 2)  # [exchange, with held or other, side]
    gain = ends[np.arange(len(rows)), 0, sides] - ends[np.arange(len(rows)), 1, sides]
    return Exchanges(sides.astype(np.int8), held_cards.astype(np.int16), others.astype(np.int16), gain)


def _deal(
    game: Game, policies: tuple[Policy, Policy], state: State, known: State, chance: npt.NDArray[np.int64]
) -> None:
    """Play a game from its start until both sides hold cards and one of them is to act."""
    game.start(game.rules, state)
    while (side := int(game.actor(game.rules, state))) != OVER:
        if side == CHANCE:
            game.apply(game.rules, state, game.sample(game.rules, state, chance[0]))
            continue
        if state["hand"].all():
            return
        game.view(game.rules, state, side, known)
        game.apply(game.rules, state, policies[side](game.rules, known, side, chance[1]))
    raise AssertionError("a game was over before both sides held cards")
