"""Contract checks that every game must pass; run them on your own game.

Each check plays random games of a ruleset and raises `AssertionError`. The message names the fault, the game of the
seed and the number of actions, so that `walk` can find the position again.

    >>> from brinkmanship.games.registry import load_game
    >>> from brinkmanship.testing import check_contract
    >>> check_contract(load_game("13-days"), range(3), seed=1)

`PROPERTIES` are the same checks by name, for one game at a time, with the place of a fault; ``brink game check`` runs
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from brinkmanship.engine import journal
from brinkmanship.engine.chance import Random, below, generators
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.record import State

MAX_ACTIONS = 10_000
"""Maximum actions per game; a longer game counts as endless."""


DIRT = 0.75
"""An impossible utility, to verify that `result` overwrites it."""


class Moment(NamedTuple):
    """A point of a random game: the state before an action, and the action that will be taken."""

    number: int
    """Number of the game."""
    taken: int
    """Actions before this point."""
    state: State
    actor: int
    action: int

    @property
    def where(self) -> str:
        """The place, for messages."""
        return f"game {self.number} after {self.taken} actions"


def walk(game: Game, number: int, seed: int) -> Iterator[Moment]:
    """Yield random game `number` of a seed, position by position, the sides of a secret choice in random order.

    The state belongs to the running game and changes with the next step; copy the parts you keep.
    """
    dice = generators(seed, number, 1)[0]
    state = game.new_state()
    for taken in range(MAX_ACTIONS):
        actor = int(game.actor(game.rules, state))
        if actor == OVER:
            return
        if actor == CHANCE:
            action = int(game.sample(game.rules, state, dice))
        else:
            sides = pending(game, state)
            actor = sides[int(below(dice, len(sides)))]
            actions = game.legal_actions(state, actor)
            assert actions, f"game {number} after {taken} actions: {game.sides[actor]} to act has no legal action"
            action = actions[int(below(dice, len(actions)))]
        yield Moment(number, taken, state, actor, action)
        game.apply(game.rules, state, action)
    raise AssertionError(f"game {number} is not over after {MAX_ACTIONS} actions")


def pending(game: Game, state: State) -> list[int]:
    """Return the sides that may act."""
    bits = game.pending(game.rules, state)
    return [side for side in range(len(game.sides)) if bits >> side & 1]


def check_contract(
    game: Game, numbers: Iterable[int], seed: int, invariant: Callable[[State], None] | None = None
) -> None:
    """Check that legal actions, chance and copies follow the contract, games end, and `invariant` holds everywhere."""
    for number in numbers:
        last: State | None = None
        for moment in walk(game, number, seed):
            if invariant:
                invariant(moment.state)
            _check_legal(game, moment)
            _check_chance(game, moment)
            last = _check_copy(game, moment)
        assert last is not None, f"game {number} is over before its first action"
        _check_end(game, number, last)
        if invariant:
            invariant(last)


def _check_end(game: Game, number: int, state: State) -> None:
    reason, utility = game.outcome(state)
    assert reason != game.reasons[0], f"game {number} is over for no reason"
    assert np.abs(utility).max() <= 1, f"game {number}: a utility outside -1..1: {utility}"
    used = np.full(len(game.sides), DIRT)
    game.result(game.rules, state, used)
    assert (used == utility).all(), f"game {number}: `result` does not write each side's utility at the end {reason!r}"


def _check_legal(game: Game, moment: Moment) -> None:
    to_move = pending(game, moment.state)
    if moment.actor == CHANCE:
        assert not to_move, f"{moment.where}: chance acts, but sides {to_move} may act too"
    for side in range(len(game.sides)):
        actions = game.legal_actions(moment.state, side)
        if side not in to_move:
            assert not actions, f"{moment.where}: {game.sides[side]} may not act, but has legal actions"
            continue
        assert actions, f"{moment.where}: {game.sides[side]} to act has no legal action"
        assert len(set(actions)) == len(actions), f"{moment.where}: a legal action is listed twice"
        for action in actions:
            assert 0 <= action < game.n_actions, f"{moment.where}: action {action} is outside the action space"
            text = game.action_text(action)
            assert game.parse_action(text, side) == action, f"{moment.where}: {text!r} is read as another action"


def _check_chance(game: Game, moment: Moment) -> None:
    if moment.actor != CHANCE:
        return
    distribution = game.distribution(moment.state)
    assert distribution, f"{moment.where}: chance has no outcome"
    assert min(distribution.values()) > 0, f"{moment.where}: the weight of an outcome is not positive"
    assert moment.action in distribution, f"{moment.where}: chance drew an impossible outcome"


def _check_copy(game: Game, moment: Moment) -> State:
    before = moment.state.tobytes()
    copy = game.copy(moment.state)
    game.apply(game.rules, copy, moment.action)
    assert moment.state.tobytes() == before, f"{moment.where}: a step in a copy changed the original"
    assert copy.tobytes() != before, f"{moment.where}: {game.action_text(moment.action)!r} changes nothing at all"
    return copy


def check_simultaneous(game: Game, numbers: Iterable[int], seed: int) -> int:
    """Check that the order of simultaneous choices does not matter; return the number of such choices."""
    seen = 0
    for number in numbers:
        for moment in walk(game, number, seed):
            seen += _check_order(game, moment)
    return seen


def _check_order(game: Game, moment: Moment) -> bool:
    """Check the order of a simultaneous choice; return True if several sides may act here."""
    sides = pending(game, moment.state)
    if len(sides) < 2:
        return False
    ends = set()
    for order in (sides, sides[::-1]):
        copy = game.copy(moment.state)
        for side in order:
            game.apply(game.rules, copy, game.legal_actions(moment.state, side)[-1])
        ends.add(copy.tobytes())
    assert len(ends) == 1, f"{moment.where}: the order of a simultaneous choice matters"
    return True


def check_journals(game: Game, numbers: Iterable[int], seed: int) -> None:
    """Check that a journal, written, read and replayed, gives the same states, and that undo returns to each."""
    for number in numbers:
        _check_journal(game, number, walk(game, number, seed))


def _check_journal(game: Game, number: int, moments: Iterable[Moment]) -> None:
    match = Match(game)
    for moment in moments:
        match.push(moment.action, side=moment.actor if moment.actor != CHANCE else None)
    text = journal.of_match(match).text()
    again = journal.play(journal.parse(text), game)
    for count in range(len(match.entries) + 1):
        same = again.state_after(count).tobytes() == match.state_after(count).tobytes()
        assert same, f"game {number}: the replayed state after {count} entries differs"
    assert journal.of_match(again).text() == text, f"game {number}: the journal of the replayed game differs"
    while again.entries:
        again.pop()
        same = again.state.tobytes() == match.state_after(len(again.entries)).tobytes()
        assert same, f"game {number}: the state differs after undoing to {len(again.entries)} entries"


def check_knowledge(
    game: Game,
    numbers: Iterable[int],
    seed: int,
    redeals: int = 1,
    invariant: Callable[[State], None] | None = None,
    also: Callable[[State, int], object] | None = None,
) -> None:
    """Check that a side's view and legal actions are the same under every redeal of the hidden information.

    `also(view, side)` may return any other value that must be the same: a prompt, a player's move.
    """
    for number in numbers:
        dice = generators(seed + 1, number, 1)[0]
        for moment in walk(game, number, seed):
            for side in range(len(game.sides) + 1):
                _check_redeals(game, moment, side, dice, redeals, invariant, also)


def _check_redeals(
    game: Game,
    moment: Moment,
    side: int,
    dice: Random,
    redeals: int,
    invariant: Callable[[State], None] | None,
    also: Callable[[State, int], object] | None,
) -> None:
    who = f"{moment.where}, seen by {(*game.sides, 'a spectator')[side]}"
    view = game.view_of(moment.state, side)
    assert game.view_of(view, side).tobytes() == view.tobytes(), f"{who}: the view of a view differs from it"
    cards = game.known_state(view, side)["cards"]
    assert all(isinstance(id, str) for ids in cards.values() for id in ids), f"{who}: known cards are not given by id"
    is_side = side < len(game.sides)
    if is_side:
        actions = game.legal_actions(moment.state, side)
        assert game.legal_actions(view, side) == actions, f"{who}: legal actions differ between view and state"
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
            assert also(again, side) == said, f"{who}: the result of `also` differs after a redeal"


class Fault(NamedTuple):
    """A violation of the contract, with its place."""

    seed: int
    game: int
    """Number of the game of this seed."""
    position: tuple[str, ...]
    """The texts of the actions from the start to this position."""
    move: str
    """The text of the action that was next, or in progress; "" if the game was over."""
    state: Mapping[str, Any]
    """The position as `Game.public_state` shows it; empty if that fails."""
    what: str
    """The fault in a sentence, or the error that the game's code raised."""


class Course:
    """A random game as an iterable of its moments that records its progress and keeps any exception it stops at."""

    def __init__(self, game: Game, number: int, seed: int) -> None:
        self.game = game
        self.number = number
        self.seed = seed
        self.taken: list[int] = []
        self.next: int | None = None
        self.state: State = None
        """The position reached; None before the first one."""
        self.stopped_by: Exception | None = None

    def __iter__(self) -> Iterator[Moment]:
        """Yield the moments from the start; can be consumed once."""
        steps = walk(self.game, self.number, self.seed)
        while True:
            try:
                moment = next(steps, None)
            except Exception as error:  # a game under development may raise anything
                self.stopped_by = error
                return
            if self.next is not None:
                self.taken.append(self.next)
            self.next = moment.action if moment else None
            if moment is None:
                return
            self.state = moment.state
            yield moment

    def fault(self, error: Exception) -> Fault:
        """Return the fault for an exception, with its place."""
        said = str(error)
        if not isinstance(error, AssertionError) or not said:
            said = f"{type(error).__name__}: {said}"
        position = tuple(self._text(action) for action in self.taken)
        move = "" if self.next is None else self._text(self.next)
        return Fault(self.seed, self.number, position, move, self._public(), said)

    def _text(self, action: int) -> str:
        try:
            return self.game.action_text(action)
        except Exception:  # the fault may be in the texts
            return f"action {action}"

    def _public(self) -> Mapping[str, Any]:
        try:
            return {} if self.state is None else self.game.public_state(self.state)
        except Exception:  # the fault may be in the public state
            return {}


Property = Callable[[Game, Course], int]
"""A check: returns the number of positions it applied to; raises if the property does not hold."""


def find_fault(game: Game, holds: Property, number: int, seed: int) -> tuple[int, Fault | None]:
    """Check a property in a random game; return the number of positions checked, and the fault or None."""
    course = Course(game, number, seed)
    try:
        return holds(game, course), None
    except Exception as error:  # a game under development may raise anything; report it as a fault
        return 0, course.fault(error)


def _plays_to_an_end(game: Game, course: Course) -> int:
    moments = sum(1 for _ in course)
    if course.stopped_by is not None:
        raise course.stopped_by
    assert moments, f"game {course.number} is over before its first action"
    _check_end(game, course.number, course.state)
    return moments


def _at_each_moment(check: Callable[[Game, Moment], object]) -> Property:
    def holds(game: Game, course: Course) -> int:
        seen = 0
        for moment in course:
            seen += check(game, moment) is not False
        return seen

    return holds


def _has_lawful_chance(game: Game, moment: Moment) -> bool:
    _check_chance(game, moment)
    return moment.actor == CHANCE


def _plays_again_from_a_journal(game: Game, course: Course) -> int:
    _check_journal(game, course.number, course)
    return len(course.taken)


def _keeps_secrets(game: Game, course: Course) -> int:
    dice = generators(course.seed + 1, course.number, 1)[0]
    seen = 0
    for moment in course:
        for side in range(len(game.sides) + 1):
            _check_redeals(game, moment, side, dice, 1, None, None)
        seen += 1
    return seen


PROPERTIES: Mapping[str, Property] = MappingProxyType(
    {
        "end": _plays_to_an_end,
        "legal": _at_each_moment(_check_legal),
        "chance": _at_each_moment(_has_lawful_chance),
        "copy": _at_each_moment(_check_copy),
        "order": _at_each_moment(_check_order),
        "journal": _plays_again_from_a_journal,
        "secret": _keeps_secrets,
    }
)
"""The properties of a game by name. "end" finds faults that stop a game; the others check the positions before that."""


def fingerprint(game: Game, numbers: Iterable[int], seed: int) -> str:
    """Return a digest of all states, legal actions and views of random games.

    It is equal for compiled and interpreted runs.
    """
    import hashlib

    digest = hashlib.sha256()
    for number in numbers:
        for moment in walk(game, number, seed):
            digest.update(moment.state.tobytes())
            for side in range(len(game.sides)):
                digest.update(np.array(game.legal_actions(moment.state, side), np.int16).tobytes())
            for side in range(len(game.sides) + 1):
                digest.update(game.view_of(moment.state, side).tobytes())
            digest.update(moment.action.to_bytes(4, "little"))
    return digest.hexdigest()
