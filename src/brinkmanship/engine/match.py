"""A game in progress: the state, the actions taken, and undo.

>>> from brinkmanship.games.registry import load_game
>>> from brinkmanship.engine.match import Match, dealer
>>> match = Match(load_game("13-days"))
>>> match.advance(dealer(seed=1))      # escalation and the agendas, until a side has to act
>>> sorted(match.pending)              # both sides choose an agenda in secret
[0, 1]
>>> match.push(match.legal(0)[0].action, side=0)
>>> match.push(match.legal(1)[0].text, side=1)
>>> match.outcome() is None
True
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from brinkmanship.engine.entry import Entry
from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, OBSERVER, OVER, Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State

Dealer = Callable[[int], int]
"""Source of chance: returns a uniform random number in 0..n-1 for a given n."""


def dealer(seed: int | None = None) -> Dealer:
    """Return a dealer: reproducible with a seed, or using the operating system's randomness without one."""
    return secrets.randbelow if seed is None else random.Random(seed).randrange


class Decision(NamedTuple):
    """A legal action: its number, and its text as `Match.push` and journals take it."""

    action: int
    text: str


class Outcome(NamedTuple):
    """The result of a game: index of the winner or None, and one of `Game.reasons`."""

    winner: int | None
    reason: str


class Match:
    """A game from its start, with every action taken; every push can be undone.

    Args:
        game: the ruleset.
        start: the state to begin with, which is copied; None for the start of a game.
    """

    state: State
    """The current state; treat it as read-only."""
    actor: int
    """A side that has to act, CHANCE, or OVER."""
    pending: frozenset[int]
    """All sides that may act now; more than one where they choose in secret at once."""
    answered: int | None
    """The side that has chosen in a simultaneous choice while the other side has not."""

    def __init__(self, game: Game, start: State | None = None) -> None:
        self.game = game
        self.entries: list[Entry] = []
        self._show(game.new_state() if start is None else game.copy(start), None)
        # The states before each entry and the current one, as bytes: a NumPy record is three times as large.
        self._past: list[bytes] = [self.state.tobytes()]

    def state_after(self, count: int) -> State:
        """Return the state after the first `count` entries."""
        return self.game.state_from_bytes(self._past[count])

    def bytes_after(self, count: int) -> bytes:
        """Return the state after the first `count` entries as bytes, for comparisons."""
        return self._past[count]

    @property
    def is_from_start(self) -> bool:
        """True if the match began at the start of a game, so that its entries are a record of it."""
        return bool(self._past[0] == self.game.new_state().tobytes())

    @property
    def in_secret(self) -> bool:
        """True during a simultaneous choice, until both sides have chosen."""
        return len(self.pending) > 1 or self.answered is not None

    def is_first_answer(self, count: int) -> bool:
        """Return True if entry number `count` is the first of the two choices in a simultaneous choice."""
        if not count or not self.entries[count - 1].together:
            return False
        return len(self.game.to_move(self.state_after(count - 1))) > 1

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""
        return self.actor == OVER

    def legal(self, side: int | None = None) -> list[Decision]:
        """Return the legal actions of a side (None: of `actor`); empty for a side that may not act."""
        who = self.actor if side is None else side
        if who >= CHANCE:
            return []
        return [Decision(action, self.game.action_text(action)) for action in self._legal_actions(who)]

    def legal_texts(self, side: int) -> list[str]:
        """Return only the texts of the legal actions of a side."""
        texts = self.game.action_texts
        return [texts[action] for action in self._legal_actions(side)] if side in self.pending else []

    def view(self, side: int = OBSERVER) -> State:
        """Return the view of a side as a separate record."""
        return self.game.view_of(self.state, side)

    def push(self, action: int | str, side: int | None = None) -> None:
        """Take an action, by number or text. `side` is needed only where several may act at once.

        At a node of CHANCE any possible outcome may be pushed, to enter a game played on a physical table.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: not legal here; the position is unchanged.
        """
        actor, legal = self._choices(side)
        self._append(actor, self.game.legal_action(action, actor, legal))

    def checked(self, action: int | str, side: int | None = None) -> int:
        """Return the number of an action that may be taken now; `side` as for `push`.

        Raises:
            MalformedActionError: not an action of this game.
            IllegalActionError: the side may not act, or the action is not legal; the message lists the legal ones.
        """
        actor, legal = self._choices(side)
        return self.game.legal_action(action, actor, legal)

    def pop(self) -> Entry:
        """Take back the last action and return it.

        Raises:
            IndexError: no action has been taken.
        """
        entry = self.entries.pop()
        self._past.pop()
        count = len(self.entries)
        self._show(self.state_after(count), self.entries[-1].actor if self.is_first_answer(count) else None)
        return entry

    def advance(self, deal: Dealer) -> None:
        """Resolve chance events and rule steps until a side has to act or the game is over."""
        while self.actor == CHANCE:
            self.push_chance(deal)

    def push_chance(self, deal: Dealer) -> None:
        """Take one action of chance or of the rules, drawn from its exact distribution."""
        distribution = self.game.distribution(self.state)
        number = deal(sum(distribution.values())) if len(distribution) > 1 else 0
        for action, weight in distribution.items():
            number -= weight
            if number < 0:
                self._append(CHANCE, action)
                return

    def outcome(self) -> Outcome | None:
        """Return the result of the game by its rules, None while it is in progress."""
        if not self.is_over:
            return None
        reason, utility = self.game.outcome(self.state)
        winner = int(np.argmax(utility)) if utility.max() > utility.min() else None
        return Outcome(winner, reason)

    def undo_count(self, side: int) -> int:
        """Return how many entries a side may take back by itself: to the last draw, reveal or change of decider.

        In a simultaneous choice a side may take back its own choice only, and nothing before it: otherwise a shrinking
        limit would reveal that the other side has chosen.
        """
        if self.answered == side:
            return 1  # nothing before it: a shrinking limit would reveal the other side's choice
        if side not in self.pending or self.in_secret:
            return 0
        count = 0
        for entry in reversed(self.entries):
            if entry.actor != side or entry.together:
                break
            count += 1
        return count

    def copy(self) -> Match:
        """Return an independent match at the same point, with the same past."""
        copy = Match.__new__(Match)
        copy.game = self.game
        copy.entries = list(self.entries)
        copy._past = list(self._past)
        # Sharing is safe: `_show` replaces these objects and never changes them in place.
        copy.state, copy.actor, copy.pending, copy._legal = self.state, self.actor, self.pending, self._legal
        copy.answered = self.answered
        return copy

    def until(self, count: int) -> Match:
        """Return an independent match with the first `count` entries of this one; it knows nothing of the others."""
        match = self.copy()
        match.entries, match._past = match.entries[:count], match._past[: count + 1]
        match._show(match.state_after(count), match.entries[-1].actor if match.is_first_answer(count) else None)
        return match

    def take(self, actions: Iterable[tuple[int, int]]) -> None:
        """Take recorded actions, each with its actor.

        Raises:
            IllegalActionError: one of them is not legal.
        """
        for actor, action in actions:
            self.push(action, side=None if actor == CHANCE else actor)

    def _show(self, state: State, answered: int | None) -> None:
        self.state = state
        self.answered = answered
        self.actor = int(self.game.actor(self.game.rules, state))
        self.pending = self.game.to_move(state)
        self._legal: dict[int, list[int]] = {}

    def _choices(self, side: int | None) -> tuple[int, list[int]]:
        """Return the actor and its legal actions."""
        if side is None:
            if len(self.pending) > 1:
                raise IllegalActionError(Message("fault.action.both"))
            if self.actor >= CHANCE:
                return self.actor, list(self.game.distribution(self.state)) if self.actor == CHANCE else []
            side = self.actor
        elif side not in self.pending:
            who, asked = (self.game.actor_name(each) for each in (side, self.actor))
            raise IllegalActionError(Message("fault.action.not_asked", {"who": who, "asked": asked}))
        return side, self._legal_actions(side)

    def _legal_actions(self, side: int) -> list[int]:
        if side not in self._legal:
            self._legal[side] = self.game.legal_actions(self.state, side)
        return self._legal[side]

    def _append(self, actor: int, action: int) -> None:
        before = self.state
        is_answer = actor != CHANCE
        completes = is_answer and self.answered is not None and self.answered != actor
        is_first = is_answer and len(self.pending) > 1
        entry = Entry(
            actor=actor,
            action=action,
            text=self.game.action_text(action),
            audience=int(self.game.audience(self.game.rules, before, action)),
            by_rules=actor == CHANCE and self.game.is_rules_step(before),
            together=completes or is_first,
        )
        after = self.game.copy(before)
        self.game.apply(self.game.rules, after, action)
        self._show(after, actor if is_first else None)
        self._past.append(after.tobytes())
        self.entries.append(entry)
        if completes and self.entries[-2].actor > actor:
            self._swap_last_two()

    def _swap_last_two(self) -> None:
        # The order of simultaneous choices is private, so the record always lists the sides in their fixed order.
        later, earlier = self.entries.pop(), self.entries.pop()
        between = self.state_after(len(self.entries))
        self.game.apply(self.game.rules, between, later.action)
        self._past[-2] = between.tobytes()
        self.entries += [later, earlier]
