"""Belief about the card that the other side keeps in 13 Minutes, from the cards that it has played.

A side holds two cards, plays one, keeps the other and draws. The card that it keeps is the state of a hidden Markov
model, and the belief its forward algorithm: after it has played p, it keeps c with a probability in proportion to
L(p, c) * (K(c) + K(p)). K is the belief before, as one of the two had been kept and the other one drawn, with the same
probability for each card. L is the likelihood that a side with these two plays p: a logistic function of how much more
p wins than c by the judgement of `rules`, in the position as the side saw it, mixed with a choice at random.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below, generator
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import POINTS
from brinkmanship.games.thirteen_minutes.players.rules import decide
from brinkmanship.games.thirteen_minutes.rules.action_numbers import MAX_LEGAL, Action
from brinkmanship.games.thirteen_minutes.rules.knowledge import redeal
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, N_CARDS, STATE, CardIs, new_states
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules


class Model(NamedTuple):
    """The likelihood of a card played."""

    scale: float
    """Unit of differences in the chance to win: by one more, the choice of the better card is e times as likely."""
    doubt: float
    """Share of choices that have nothing to do with that judgement."""


MODEL = Model(scale=0.05, doubt=0.3)
"""Fitted to games of level 6 (`training.beliefs`; docs/lab/2026-11-29-beliefs.md)."""
FIRST_CARDS = 2
"""Number of cards, one of each side, that tell nothing: strong players judge them otherwise than `rules`."""
REMEMBERED = 128
"""Number of past cards whose likelihoods are kept: those of some games in progress."""
PARTS = 1 << 20
"""Resolution of probabilities for drawing: 1 / PARTS."""

NOTHING: npt.NDArray[np.float64] = np.empty(0)


def kept(seen: Observation, model: Model = MODEL) -> npt.NDArray[np.float64]:
    """Return the probability that the other side keeps each card, float64[N_CARDS], as `SearchConfig.belief` does.

    It is empty until the other side's second card. Interpreted, `rules` would take too long to decide.
    """
    if INTERPRETED:
        return NOTHING
    found = None
    for count, taken in enumerate(seen.actions):
        if taken.actor != 1 - seen.side or not Action.PLAY <= taken.action < Action.USE_EVENT:
            continue
        view = seen.view(count)
        if view.turn < FIRST_CARDS:
            continue
        played = (taken.action - Action.PLAY) // N_AREAS
        before = _shares(np.ones(N_CARDS) if found is None else found, view)
        found = _likelihoods(seen.game, view.tobytes(), seen.side, played, model) * (before + before[played])
    return NOTHING if found is None else _shares(found, seen.view())


def _shares(weights: npt.NDArray[np.float64], view: State) -> npt.NDArray[np.float64]:
    """Return the weights of the cards that a side does not know, with sum 1."""
    weights = np.where(view.card == CardIs.UNKNOWN, weights, 0.0)
    return weights / max(float(weights.sum()), np.finfo(float).tiny)


@lru_cache(REMEMBERED)
def _likelihoods(game: Game, view: bytes, side: int, played: int, model: Model) -> npt.NDArray[np.float64]:
    """Return the likelihood that the other side plays a card if it holds each other one too, float64[N_CARDS].

    Args:
        game: the ruleset.
        view: the view of `side` before the other side plays.
        side: the side that draws the conclusion.
        played: the card that the other side plays.
        model: the likelihood.
    """
    found = np.zeros(N_CARDS)
    before = game.state_from_bytes(view)
    values, tables = np.empty(MAX_LEGAL), new_states(MAX_LEGAL)
    for card in range(N_CARDS):
        if before.card[card] != CardIs.UNKNOWN or card == played:
            continue
        hand = game.state_from_bytes(view)
        hand.card[hand.card == CardIs.IN_HAND + side] = CardIs.UNKNOWN
        hand.card[[card, played]] = CardIs.IN_HAND + 1 - side
        decide(game.rules, hand, 1 - side, generator(0), values, tables)
        actions = np.array(game.legal_actions(hand, 1 - side))
        wins = np.clip(values[: len(actions)], 0.0, 1.0)
        is_played = (actions - Action.PLAY) // N_AREAS == played
        ahead = wins[is_played].max() - wins[~is_played].max()
        found[card] = model.doubt / 2 + (1.0 - model.doubt) / (1.0 + np.exp(-ahead / model.scale))
    found.flags.writeable = False  # it is shared
    return found


@compiled(types.void, RULES, STATE, types.int64, POINTS, RANDOM, STATE)
def deal(rules: Rules, known: State, side: int, belief: Any, random: Random, out: State) -> None:
    """Fill `out` like `knowledge.redeal`, but draw the card that the other side keeps by the belief."""
    redeal(rules, known, side, random, out)
    place = CardIs.IN_HAND + 1 - side
    left = below(random, PARTS) / PARTS
    card = 0
    while card < N_CARDS - 1 and (left >= belief[card] or belief[card] == 0.0):
        left -= belief[card]
        card += 1
    if out.card[card] != CardIs.IN_PILE or out.hand[1 - side] == 0:
        return
    pick = below(random, out.hand[1 - side])
    for other in range(N_CARDS):
        if out.card[other] == place:
            if pick == 0:
                out.card[other] = CardIs.IN_PILE
                break
            pick -= 1
    out.card[card] = place
