"""The battery every game must pass; run it on your own.

Each check plays random games of a ruleset and raises `AssertionError` with a sentence that says what broke, in which
game of which seed and after how many actions, so that the position can be found again with `walk`.

    >>> from brinkmanship.games import load_game
    >>> from brinkmanship.testing import check_contract
    >>> check_contract(load_game("13-days"), range(3), seed=1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from brinkmanship.engine import journal
from brinkmanship.engine.chance import Random, below, generators
from brinkmanship.engine.game import CHANCE, OVER, Game, State
from brinkmanship.engine.match import Match

LONGEST = 10_000
"""A game with more actions than this is taken for one that never ends."""


class Position(NamedTuple):
    """A point of a random game: what came before, and the action that will be taken."""

    number: int
    """Of the game."""
    taken: int
    """Actions before this point."""
    state: State
    actor: int
    action: int

    @property
    def where(self) -> str:
        """For messages."""
        return f"game {self.number} after {self.taken} actions"


def walk(game: Game, number: int, seed: int) -> Iterator[Position]:
    """Random game `number` of a seed, position by position, the sides of a secret choice in random order.

    The state is the game's own and changes with the next step; copy what you keep.
    """
    dice = generators(seed, number, 1)[0]
    state = game.new_state()
    for taken in range(LONGEST):
        actor = int(game.actor(game.rules, state))
        if actor == OVER:
            return
        if actor == CHANCE:
            action = int(game.sample(game.rules, state, dice))
        else:
            sides = pending(game, state)
            actor = sides[int(below(dice, len(sides)))]
            actions = game.legal_actions(state, actor)
            assert actions, f"game {number} after {taken} actions: {game.sides[actor]} is asked and has no legal action"
            action = actions[int(below(dice, len(actions)))]
        yield Position(number, taken, state, actor, action)
        game.apply(game.rules, state, action)
    raise AssertionError(f"game {number} is not over after {LONGEST} actions")


def pending(game: Game, state: State) -> list[int]:
    """The sides that may act."""
    bits = game.pending(game.rules, state)
    return [side for side in range(len(game.sides)) if bits >> side & 1]


def check_contract(
    game: Game, numbers: Iterable[int], seed: int, invariant: Callable[[State], None] | None = None
) -> None:
    """Legal actions, chance and copies behave as the contract says; the game ends; `invariant` holds everywhere."""
    for number in numbers:
        last: State | None = None
        for position in walk(game, number, seed):
            if invariant:
                invariant(position.state)
            _check_legal(game, position)
            _check_chance(game, position)
            last = _check_copy(game, position)
        assert last is not None, f"game {number} is over before it begins"
        reason, utility = game.outcome(last)
        assert reason != game.reasons[0], f"game {number} is over for no reason"
        assert np.abs(utility).max() <= 1, f"game {number}: a utility outside -1..1: {utility}"
        if invariant:
            invariant(last)


def _check_legal(game: Game, position: Position) -> None:
    asked = pending(game, position.state)
    if position.actor == CHANCE:
        assert not asked, f"{position.where}: chance acts and yet {asked} are asked"
    for side in range(len(game.sides)):
        actions = game.legal_actions(position.state, side)
        if side not in asked:
            assert not actions, f"{position.where}: {game.sides[side]} is not asked and yet has legal actions"
            continue
        assert actions, f"{position.where}: {game.sides[side]} is asked and has no legal action"
        assert len(set(actions)) == len(actions), f"{position.where}: a legal action is listed twice"
        for action in actions:
            assert 0 <= action < game.n_actions, f"{position.where}: action {action} is outside the action space"
            text = game.action_text(action)
            assert game.parse_action(text, side) == action, f"{position.where}: {text!r} is read as another action"


def _check_chance(game: Game, position: Position) -> None:
    if position.actor != CHANCE:
        return
    distribution = game.distribution(position.state)
    assert distribution, f"{position.where}: chance has no outcome"
    assert min(distribution.values()) > 0, f"{position.where}: an outcome of chance has no weight"
    assert position.action in distribution, f"{position.where}: chance drew what it cannot"


def _check_copy(game: Game, position: Position) -> State:
    before = position.state.tobytes()
    copy = game.copy(position.state)
    game.apply(game.rules, copy, position.action)
    assert position.state.tobytes() == before, f"{position.where}: a step in a copy changed the original"
    assert copy.tobytes() != before, f"{position.where}: {game.action_text(position.action)!r} changes nothing at all"
    return copy


def check_simultaneous(game: Game, numbers: Iterable[int], seed: int) -> int:
    """Where several sides choose at once the order has no meaning; returns how often that was seen."""
    seen = 0
    for number in numbers:
        for position in walk(game, number, seed):
            sides = pending(game, position.state)
            if len(sides) < 2:
                continue
            seen += 1
            ends = set()
            for order in (sides, sides[::-1]):
                copy = game.copy(position.state)
                for side in order:
                    game.apply(game.rules, copy, game.legal_actions(position.state, side)[-1])
                ends.add(copy.tobytes())
            assert len(ends) == 1, f"{position.where}: the order of a simultaneous choice matters"
    return seen


def check_journals(game: Game, numbers: Iterable[int], seed: int) -> None:
    """Written, read and played again, a game has the same states; an undo leads back to each of them."""
    for number in numbers:
        match = Match(game)
        for position in walk(game, number, seed):
            match.push(position.action, side=position.actor if position.actor != CHANCE else None)
        text = journal.of_match(match).text()
        again = journal.play(journal.parse(text), game)
        for count in range(len(match.entries) + 1):
            same = again.state_after(count).tobytes() == match.state_after(count).tobytes()
            assert same, f"game {number}: replayed, the state after {count} entries is another"
        assert journal.of_match(again).text() == text, f"game {number}: written again, the journal is another"
        while again.entries:
            again.pop()
            same = again.state.tobytes() == match.state_after(len(again.entries)).tobytes()
            assert same, f"game {number}: undone to {len(again.entries)} entries, the state is another"


def check_knowledge(
    game: Game,
    numbers: Iterable[int],
    seed: int,
    redeals: int = 1,
    invariant: Callable[[State], None] | None = None,
    also: Callable[[State, int], object] | None = None,
) -> None:
    """What a side sees and may do is the same under every redeal of what it cannot know.

    `also(view, side)` may return anything else that must be the same: a prompt, a player's move.
    """
    for number in numbers:
        dice = generators(seed + 1, number, 1)[0]
        for position in walk(game, number, seed):
            for side in range(len(game.sides) + 1):
                _check_redeals(game, position, side, dice, redeals, invariant, also)


def _check_redeals(
    game: Game,
    position: Position,
    side: int,
    dice: Random,
    redeals: int,
    invariant: Callable[[State], None] | None,
    also: Callable[[State, int], object] | None,
) -> None:
    who = f"{position.where}, seen by {(*game.sides, 'an onlooker')[side]}"
    view = game.view_of(position.state, side)
    assert game.view_of(view, side).tobytes() == view.tobytes(), f"{who}: the view of a view is another"
    cards = game.known_state(view, side)["cards"]
    assert all(isinstance(id, str) for ids in cards.values() for id in ids), f"{who}: cards are known by their ids"
    is_side = side < len(game.sides)
    if is_side:
        actions = game.legal_actions(position.state, side)
        assert game.legal_actions(view, side) == actions, f"{who}: the view allows other actions than the state"
    said = also(view, side) if also else None
    full = game.new_states(1)[0]
    for _ in range(redeals):
        game.redeal(game.rules, view, side, dice, full)
        if invariant:
            invariant(full)
        again = game.view_of(full, side)
        assert again.tobytes() == view.tobytes(), f"{who}: a redeal can be told apart"
        if is_side:
            assert game.legal_actions(full, side) == actions, f"{who}: legal actions differ after a redeal"
        if also:
            assert also(again, side) == said, f"{who}: what is said or chosen differs after a redeal"


def fingerprint(game: Game, numbers: Iterable[int], seed: int) -> str:
    """A digest of every state, legal list and view of some random games: equal for compiled and interpreted runs."""
    import hashlib

    digest = hashlib.sha256()
    for number in numbers:
        for position in walk(game, number, seed):
            digest.update(position.state.tobytes())
            for side in range(len(game.sides)):
                digest.update(np.array(game.legal_actions(position.state, side), np.int16).tobytes())
            for side in range(len(game.sides) + 1):
                digest.update(game.view_of(position.state, side).tobytes())
            digest.update(position.action.to_bytes(4, "little"))
    return digest.hexdigest()
