"""Other histories of an information set: games that one side cannot tell from the one that it has seen.

A particle filter plays the game again from its start. What the side knows happens as it did; what it may not know
(cards dealt to the other side, the other side's secret choices) is drawn again from everything that leaves the
side's view the same. A history dies where it cannot follow, for example when the other side plays a card that it does
not hold there; its place is taken by a copy of a living one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.record import State

PARTICLES = 32
SHARE_AS_IT_WAS = 0.25
"""Probability that a hidden action is repeated: a history that differs in everything soon dies."""
MAX_DRAWN = 8
"""Maximum actions tried in place of a hidden one; most leave the view the same."""

Actions = tuple[tuple[int, int], ...]
"""A history from the start of a game: each action with its actor, as `Match.take` takes them."""


class _Particle(NamedTuple):
    state: State
    last: _Particle | None
    action: int

    def after(self, game: Game, action: int) -> _Particle:
        """Return the particle after one more legal action."""
        state = game.copy(self.state)
        game.apply(game.rules, state, action)
        return _Particle(state, self, action)

    @property
    def actions(self) -> list[int]:
        """All actions from the start."""
        found, at = [], self
        while at.last is not None:
            found.append(at.action)
            at = at.last
        return found[::-1]


def actions_of(match: Match) -> Actions:
    """Return the history of a match."""
    return tuple((entry.actor, entry.action) for entry in match.entries)


def indistinguishable(match: Match, side: int, random: Random, count: int, particles: int = PARTICLES) -> list[Match]:
    """Return other games that a side cannot tell from its own: every view and every known action are the same.

    Their present states differ from that of the game, in as many hidden actions as were found.

    Args:
        match: the game, from its start.
        side: the side.
        random: source of the hidden actions.
        count: maximum number of games.
        particles: histories that are played at once.

    Returns:
        `count` different games, or fewer where hardly anything is hidden.
    """
    game, real = match.game, match.bytes_after(len(match.entries))
    start = _Particle(match.state_after(0), None, 0)
    truth, living = start, [start] * particles
    for number, entry in enumerate(match.entries, 1):
        truth = truth.after(game, entry.action)
        known = game.view_of(match.state_after(number), side).tobytes()
        extended = [_extended(game, each, entry, side, known, random) for each in living]
        survivors = [each for each in extended if each is not None] or [truth]
        living = survivors + random.choices(survivors, k=particles - len(survivors))
    lived, seen = [entry.action for entry in match.entries], Observation.of(match, side)
    others = {tuple(each.actions) for each in living if each.state.tobytes() != real}
    different = sorted(others, key=lambda actions: (-_differences(actions, lived), actions))
    games = (_played(match, actions) for actions in different)
    return list(islice((each for each in games if Observation.of(each, side) == seen), count))


def _extended(
    game: Game, particle: _Particle, entry: Entry, side: int, known: bytes, random: Random
) -> _Particle | None:
    """Return a history with one more entry after which the side's view is `known`; None if there is none."""
    state = particle.state
    if entry.actor == CHANCE:
        legal = list(game.distribution(state)) if game.actor(game.rules, state) == CHANCE else []
    else:
        legal = game.legal_actions(state, entry.actor) if entry.actor in game.to_move(state) else []
    for action in _tried(entry, side, legal, random):
        after = particle.after(game, action)
        if game.view_of(after.state, side).tobytes() == known:
            return after
    return None


def _tried(entry: Entry, side: int, legal: list[int], random: Random) -> list[int]:
    """Return the actions to try in place of an entry, in order."""
    as_it_was = [entry.action] if entry.action in legal else []
    if entry.is_known_to(side):
        return as_it_was
    drawn = random.sample(legal, min(MAX_DRAWN, len(legal)))
    return as_it_was + drawn if random.random() < SHARE_AS_IT_WAS else drawn + as_it_was


def _differences(actions: Sequence[int], others: Sequence[int]) -> int:
    return sum(one != other for one, other in zip(actions, others, strict=True))


def _played(match: Match, actions: Sequence[int]) -> Match:
    other = Match(match.game, match.state_after(0))
    other.take((entry.actor, action) for entry, action in zip(match.entries, actions, strict=True))
    return other
