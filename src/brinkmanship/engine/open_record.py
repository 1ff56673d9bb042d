"""Records of games played with the physical game: what the sides did and what chance dealt, entered step by step.

A step that the recorder could not see, such as a card of the other side's hand, is *unseen*. The record still has an
action for it: a determinization, which agrees with every step that was seen. When more is seen, the unseen steps are
chosen again. So a record is at all times a game by the rules, and its journal is one like any other.

>>> from brinkmanship.games.registry import load_game
>>> record = OpenRecord(load_game("13-days"))
>>> record.asks_chance, record.outcomes()[0].text
(True, 'deal atlantic')
>>> record.enter("deal cuba_mil")
>>> [step.is_seen for step in record.steps]
[True]
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from brinkmanship.engine import journal
from brinkmanship.engine.errors import BrinkError, IllegalActionError, JournalError, LocalizedError
from brinkmanship.engine.game import CHANCE, OBSERVER, Game
from brinkmanship.engine.journal import Journal, JournalEntry
from brinkmanship.engine.match import Decision, Match
from brinkmanship.engine.message import Message

NOT_SEEN = "not seen"
"""Comment of an unseen step in a journal."""
MAX_ATTEMPTS = 200
"""Maximum determinizations tried before a step counts as contradicting the others."""
MAX_STEPS = 2_000
"""Maximum steps of a record; the longest games have about 500."""


class RecordStep(NamedTuple):
    """An action of a side or of chance. Steps of the rules are not part of a record: they follow."""

    actor: int
    action: int
    is_seen: bool = True


class UnseenSteps(NamedTuple):
    """Unseen steps of one kind that concern one side."""

    side: int
    kind: str
    """The kind of the action (`ActionParts.kind`), such as "draw"."""
    steps: tuple[int, ...]
    """Numbers of the steps, from 0."""
    possible: tuple[Decision, ...]
    """The actions that any of them may have been."""
    is_shown: bool
    """True if the rules have revealed it by now, so that the position depends on it."""


class ContradictionError(LocalizedError):
    """A step that cannot be true together with the others."""


class OpenRecord:
    """A game that is being recorded.

    Args:
        game: the ruleset.
        steps: the steps entered so far; those from the first impossible one on are `rest`.
    """

    match: Match
    """The game as far as it is legal."""
    steps: tuple[RecordStep, ...]
    """The steps of that game."""
    rest: tuple[RecordStep, ...]
    """Later steps that no longer fit after a correction; the first of them is not legal."""

    def __init__(self, game: Game, steps: Iterable[RecordStep] = ()) -> None:
        self.game = game
        self._hold(tuple(steps))

    def _hold(self, steps: tuple[RecordStep, ...]) -> None:
        """Take the steps, and choose unseen ones again where they do not agree with the others."""
        self.match, taken = _replayed(self.game, steps)
        if taken < len(steps):
            steps = _Determinizer(self.game, steps).furthest()
            self.match, taken = _replayed(self.game, steps)
        self.steps, self.rest = _in_order(steps[:taken], self.match), steps[taken:]

    # The question.

    @property
    def side(self) -> int | None:
        """The side to act; in a simultaneous choice the first that has not chosen; None if no side may act."""
        return min(self.match.pending, default=None)

    @property
    def asks_chance(self) -> bool:
        """True if a card is drawn or dice are rolled now."""
        return self.match.actor == CHANCE

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""
        return self.match.is_over

    def choices(self) -> list[Decision]:
        """Return the legal actions of the side to act, without those that need a card nobody has seen yet."""
        if self.side is None:
            return []
        hidden = self.hidden_cards
        return [one for one in self.match.legal(self.side) if self._card(one.action) not in hidden]

    def outcomes(self) -> list[Decision]:
        """Return the possible outcomes of chance; an unseen step does not take its card away from them."""
        if not self.asks_chance:
            return []
        due = list(self.game.distribution(self.match.state))
        hidden, kind = self.hidden_cards, self.game.action_parts(due[0]).kind
        actions = {one for one in due if self._card(one) not in hidden}
        if len(actions) == len(due):  # the unseen cards are elsewhere, for all that anyone knows
            actions |= {action for card in hidden if (action := self._naming(kind, card)) is not None}
        return [Decision(one, self.game.action_text(one)) for one in sorted(actions)]

    def _naming(self, kind: str, card: str) -> int | None:
        """Return the action of a kind that names a card."""
        texts = self.game.action_texts
        for action in texts if isinstance(texts, Mapping) else range(len(texts)):
            parts = self.game.action_parts(action)
            if parts.kind == kind and parts.card == card:
                return action
        return None

    @property
    def may_be_unseen(self) -> bool:
        """True if the step that is due may be one that not everyone sees."""
        return bool(_secret(self.match))

    @property
    def draws_in_a_row(self) -> int:
        """Number of cards that chance deals now, one after another, to the same hand; 0 if chance is not due."""
        if not self.asks_chance:
            return 0
        match, first, count = self.match.copy(), _draw(self.match), 0
        while match.actor == CHANCE and not self.game.is_rules_step(match.state) and _draw(match) == first:
            match.push(next(iter(self.game.distribution(match.state))))
            count += 1
        return count

    def copies(self, action: int) -> int:
        """Return how many equal cards an outcome of chance stands for."""
        return self.game.distribution(self.match.state).get(action, 1)

    @property
    def hidden_cards(self) -> set[str]:
        """The cards that unseen draws stand for; they must not be shown."""
        unseen = [one.action for one in self.steps if not one.is_seen and one.actor == CHANCE]
        return {card for action in unseen if (card := self._card(action))}

    def _card(self, action: int) -> str | None:
        return self.game.action_parts(action).card

    def _is_of(self, step: RecordStep, kind: str) -> bool:
        return self.game.action_parts(step.action).kind == kind

    # Entering steps.

    def enter(self, action: int | str) -> None:
        """Enter an action of the side to act, or an outcome of chance.

        Raises:
            IllegalActionError: not legal here.
            MalformedActionError: not an action of this game.
            ContradictionError: it does not agree with the steps that were seen.
        """
        actor = self._actor
        number = self.game.parse_action(action, actor) if isinstance(action, str) else int(action)
        known = self._showing(self._card(number)) if actor != CHANCE else self
        allowed = [one.action for one in (known.outcomes() if known.asks_chance else known.choices())]
        self.game.legal_action(number, actor, allowed)
        known._add(RecordStep(actor, number))
        self.match, self.steps, self.rest = known.match, known.steps, known.rest

    def _showing(self, card: str | None) -> OpenRecord:
        """Return the record in which a card that the side to act may hold unseen has been revealed."""
        known = self._copy()
        if card is None or self.side is None or any(self._card(one.action) == card for one in self.choices()):
            return known
        for side, kind, numbers in self._groups():
            action = self._naming(kind, card)
            if side == self.side and action is not None:
                with suppress(ContradictionError):
                    known.reveal(numbers[-1], action)
                    return known
        return known

    def _copy(self) -> OpenRecord:
        copy = OpenRecord.__new__(OpenRecord)
        copy.game, copy.match, copy.steps, copy.rest = self.game, self.match, self.steps, self.rest
        return copy

    def enter_unseen(self) -> None:
        """Enter that the step which is due was not seen.

        Raises:
            ContradictionError: everyone sees this step.
        """
        possible = _secret(self.match)
        if not possible:
            raise ContradictionError(Message("fault.record.open"))
        named = self._named()
        free = [one for one in possible if self._card(one) not in named] or possible
        self._add(RecordStep(self._actor, random.Random(len(self.steps)).choice(free), is_seen=False))

    def _named(self) -> set[str]:
        """Return the cards that seen steps after this point name: they are in other hands."""
        return {card for one in self.rest if one.is_seen and (card := self._card(one.action))}

    @property
    def _actor(self) -> int:
        if self.side is not None:
            return self.side
        if not self.asks_chance:
            raise IllegalActionError(Message("fault.record.over"))
        return CHANCE

    def _add(self, step: RecordStep) -> None:
        """Put a step in the place of the first one that does not fit, or at the end."""
        if len(self.steps) >= MAX_STEPS:
            raise ContradictionError(Message("fault.record.long", {"most": str(MAX_STEPS)}))
        whole = (*self.steps, step)
        self._accept(whole, self.rest[1:], len(whole))

    def _accept(self, known: tuple[RecordStep, ...], rest: tuple[RecordStep, ...], least: int) -> None:
        """Hold these steps if at least `least` of them are possible together; then try the rest."""
        trial = OpenRecord.__new__(OpenRecord)
        trial.game = self.game
        trial._hold(known)
        if len(trial.steps) < least:
            raise ContradictionError(Message("fault.record.contradiction", {"step": str(len(trial.steps) + 1)}))
        self.match, self.steps, self.rest = trial.match, trial.steps, trial.rest
        if rest:
            self._hold((*self.steps, *rest))

    # Correcting.

    def undo(self) -> None:
        """Remove the last step, or the steps that do not fit if there are some."""
        self._hold(self.steps if self.rest else self.steps[:-1])

    def at(self, count: int) -> OpenRecord:
        """Return the record before step number `count` (from 0), with all later steps as `rest`.

        An entered step takes the place of that one, and the rest is replayed as far as it is legal.

        Raises:
            IndexError: there is no such step.
        """
        if not 0 <= count < len(self.steps):
            raise IndexError(count)
        back = OpenRecord(self.game, self.steps[:count])
        back.rest = (*self.steps[count:], *self.rest)
        return back

    def inserting(self) -> OpenRecord:
        """Return the same record, in which an entered step is put before the rest and replaces nothing."""
        before = self._copy()
        before.rest = (*self.rest[:1], *self.rest)
        return before

    def skip(self) -> None:
        """Remove the first step that does not fit, and replay those after it."""
        self._hold((*self.steps, *self.rest[1:]))

    def drop_rest(self) -> None:
        """Remove all steps that do not fit."""
        self.rest = ()

    # What was not seen.

    def unseen(self) -> list[UnseenSteps]:
        """Return the unseen steps: cards grouped by the side that holds them, all others by themselves."""
        found = []
        for side, kind, numbers in self._groups():
            shown = [number for number in numbers if self._is_shown(number)]
            found += [self._unseen(side, kind, (number,), is_shown=True) for number in shown]
            if held := tuple(number for number in numbers if number not in shown):
                found.append(self._unseen(side, kind, held, is_shown=False))
        return found

    def _groups(self) -> list[tuple[int, str, tuple[int, ...]]]:
        """Return the side, kind and numbers of the steps of each group."""
        groups: dict[tuple[int, str, int], list[int]] = {}
        for number, one in enumerate(self.steps):
            if not one.is_seen:
                key = self._owner(number), self.game.action_parts(one.action).kind
                groups.setdefault((*key, -1 if one.actor == CHANCE else number), []).append(number)
        return [(side, kind, tuple(numbers)) for (side, kind, _), numbers in groups.items()]

    def _owner(self, number: int) -> int:
        """Return the side that knows an unseen step: the actor, or the side whose card it is."""
        step = self.steps[number]
        if step.actor != CHANCE:
            return step.actor
        audience = self.match.entries[_places(self.match)[number]].audience
        return next((side for side in range(len(self.game.sides)) if audience >> side & 1), OBSERVER)

    def _unseen(self, side: int, kind: str, numbers: tuple[int, ...], is_shown: bool) -> UnseenSteps:
        # The last of several steps may have been whatever an earlier one may have been, but for cards seen since.
        possible = [one for one in self._candidates(numbers[-1]) if self._with(numbers[-1], one)]
        return UnseenSteps(
            side, kind, numbers, tuple(Decision(one, self.game.action_text(one)) for one in possible), is_shown
        )

    def _is_shown(self, number: int) -> bool:
        """Return True if everyone would see it now if a step had been another action."""
        for action in self._candidates(number):
            if action != self.steps[number].action and (other := self._with(number, action)) is not None:
                return _public(_replayed(self.game, other)[0]) != _public(self.match)
        return False

    def before(self, number: int) -> Match:
        """Return the game before a step."""
        return _replayed(self.game, self.steps[:number])[0]

    def _candidates(self, number: int) -> list[int]:
        """Return the actions that an unseen step may have been, as far as the steps before it tell."""
        before = self.before(number)
        kind = self.game.action_parts(self.steps[number].action).kind
        others = [one.action for one in self.steps[:number] if not one.is_seen and self._is_of(one, kind)]
        return sorted({*_secret(before), *others})

    def _with(self, number: int, action: int) -> tuple[RecordStep, ...] | None:
        """Return the steps if this one was another action, None if that is impossible."""
        changed = (*self.steps[:number], self.steps[number]._replace(action=action), *self.steps[number + 1 :])
        return _Determinizer(self.game, changed, number).solution()

    def reveal(self, step: int, action: int | str) -> None:
        """Enter what an unseen step was.

        Args:
            step: number of the step, from 0. If it is a card that cannot have been this one, another card that the side
                holds unseen is taken.
            action: what it was.

        Raises:
            MalformedActionError: not an action of this game.
            ContradictionError: that does not agree with the steps that were seen, or the step was seen.
        """
        group = next((numbers for _, _, numbers in self._groups() if step in numbers), ())
        for number in sorted(group, key=lambda number: (number != step, -number)):
            actor = self.steps[number].actor
            wanted = self.game.parse_action(action, actor) if isinstance(action, str) else action
            found = self._with(number, wanted)
            if found is not None:
                self._hold((*found[:number], found[number]._replace(is_seen=True), *found[number + 1 :], *self.rest))
                return
        raise ContradictionError(Message("fault.record.not_possible"))

    # Journals.

    def journal(self, headers: Mapping[str, str] | None = None, result: str | None = None) -> Journal:
        """Return the journal of the game so far; unseen steps are marked by a comment."""
        made = journal.of_match(self.match, headers, result)
        for number, place in enumerate(_places(self.match)):
            if not self.steps[number].is_seen:
                made.entries[place] = replace(made.entries[place], comment=NOT_SEEN)
        return made

    def draft(self, headers: Mapping[str, str] | None = None) -> Journal:
        """Return a journal of all steps, including the rest, to continue with `resumed`."""
        made = self.journal(headers)
        made.entries += [self._entry(one) for one in self.rest]
        return made

    def _entry(self, step: RecordStep) -> JournalEntry:
        actor = "chance" if step.actor == CHANCE else self.game.sides[step.actor]
        return JournalEntry(actor, self.game.action_text(step.action), comment="" if step.is_seen else NOT_SEEN)


def resumed(record: Journal, game: Game) -> OpenRecord:
    """Return the open record of a journal, which may end anywhere; `game` is the ruleset that it names.

    Raises:
        MalformedActionError: an entry is not an action of this game.
        JournalError: an entry names no actor of this game.
    """
    return OpenRecord(game, list(_steps_of(record, game)))


def _steps_of(record: Journal, game: Game) -> Iterator[RecordStep]:
    actors = {**{name: side for side, name in enumerate(game.sides)}, "chance": CHANCE}
    for entry in record.entries[: 2 * MAX_STEPS]:
        if entry.actor == "rules":
            continue
        if entry.actor not in actors:
            known = {"name": entry.actor[:60], "known": ", ".join(actors)}
            raise JournalError(record.file, entry.line or None, Message("fault.journal.nobody", known))
        actor = actors[entry.actor]
        yield RecordStep(actor, game.parse_action(entry.text, actor), entry.comment != NOT_SEEN)


def _take_rules_steps(match: Match) -> None:
    while match.actor == CHANCE and match.game.is_rules_step(match.state):
        match.push_chance(lambda _: 0)


def _replayed(game: Game, steps: Sequence[RecordStep]) -> tuple[Match, int]:
    """Return the game with these steps as far as they are legal, and how many are."""
    match = Match(game)
    _take_rules_steps(match)
    for number, step in enumerate(steps):
        if not _push(match, step):
            return match, number
    return match, len(steps)


def _push(match: Match, step: RecordStep) -> bool:
    """Take a step and the steps of the rules after it; return False if it is not legal."""
    due = match.pending or {match.actor}
    if step.actor not in due:
        return False
    try:
        match.push(step.action, side=None if step.actor == CHANCE else step.actor)
    except BrinkError:
        return False
    _take_rules_steps(match)
    return True


def _in_order(steps: Sequence[RecordStep], match: Match) -> tuple[RecordStep, ...]:
    """Return the steps in the order of the entries: a match lists the sides of a secret choice in a fixed order."""
    ordered = list(steps)
    for number, place in enumerate(_places(match)[:-1]):
        if ordered[number].actor != match.entries[place].actor:
            ordered[number : number + 2] = ordered[number + 1], ordered[number]
    return tuple(ordered)


def _places(match: Match) -> list[int]:
    """Return the place among the entries of a match of each step of its record."""
    return [place for place, entry in enumerate(match.entries) if not entry.by_rules]


def _secret(match: Match) -> list[int]:
    """Return the actions that may be taken now and that not everyone sees."""
    if match.is_over:
        return []
    game, everyone = match.game, (1 << len(match.game.sides) + 1) - 1
    side = min(match.pending, default=CHANCE)
    legal = game.distribution(match.state) if side == CHANCE else game.legal_actions(match.state, side)
    return [one for one in legal if int(game.audience(game.rules, match.state, one)) != everyone]


def _draw(match: Match) -> tuple[str, int, Message]:
    """Return the kind of the draw that is due, who sees it, and its announcement, which names whoever draws."""
    game, state = match.game, match.state
    action = next(iter(game.distribution(state)))
    audience = int(game.audience(game.rules, state, action))
    return game.action_parts(action).kind, audience, game.narrator.prompt(game.view_of(state, OBSERVER), OBSERVER)


def _public(match: Match) -> bytes:
    return bytes(match.game.view_of(match.state, OBSERVER).tobytes())


class _Determinizer:
    """A search for actions of the unseen steps that agree with all other steps.

    It replays the steps. Where one is not legal, the unseen step that names the same card, else the last one before it,
    is chosen again, never as it was chosen before. A record's steps nearly always agree at the first or second attempt,
    because a card that a side plays was revealed before.

    Args:
        game: the ruleset.
        steps: the steps; the actions of the unseen ones are tried first.
        fixed: number of an unseen step that must stay as it is; None: any may change.
    """

    def __init__(self, game: Game, steps: Sequence[RecordStep], fixed: int | None = None) -> None:
        self.game = game
        self.steps = list(steps)
        self.best = self.steps
        self.fixed = fixed
        self.refused: dict[int, set[int]] = {}
        self.named = {self._card(one.action) for one in steps if one.is_seen} - {None}

    def _card(self, action: int) -> str | None:
        return self.game.action_parts(action).card

    def solution(self) -> tuple[RecordStep, ...] | None:
        """Return the steps with unseen ones that agree, None if none were found."""
        return tuple(self.best) if self._search() else None

    def furthest(self) -> tuple[RecordStep, ...]:
        """Return the steps with unseen ones for which as many as possible are legal."""
        self._search()
        return tuple(self.best)

    def _search(self) -> bool:
        most = -1
        for _ in range(MAX_ATTEMPTS):
            failed = self._replay()
            reached = len(self.steps) if failed is None else failed
            if reached > most:
                most, self.best = reached, list(self.steps)
            if failed is None or not self._refuse(failed):
                return failed is None
        return False

    def _replay(self) -> int | None:
        """Replay the steps, choosing unseen ones where needed; return the number of the first that is not legal."""
        match = Match(self.game)
        _take_rules_steps(match)
        for number, step in enumerate(self.steps):
            if _push(match, step if self._is_certain(number) else self._chosen(match, number)):
                continue
            return number
        return None

    def _is_certain(self, number: int) -> bool:
        return self.steps[number].is_seen or number == self.fixed

    def _chosen(self, match: Match, number: int) -> RecordStep:
        """Return an unseen step with an action that is possible here: as it is, else one that no other step names."""
        step = self.steps[number]
        refused = self.refused.get(number, set())
        possible = [one for one in _secret(match) if one not in refused]
        if step.action not in possible and possible:
            taken = self.named | {self._card(one.action) for one in self.steps[number + 1 :]}
            free = [one for one in possible if self._card(one) not in taken]
            free = free or [one for one in possible if self._card(one) not in self.named] or possible
            step = step._replace(action=random.Random(number).choice(free))
            self.steps[number] = step
        return step

    def _refuse(self, failed: int) -> bool:
        """Refuse the choice of an unseen step because of which another is not legal; return False if there is none."""
        for number in self._suspects(failed):
            refused = self.refused.setdefault(number, set())
            if self.steps[number].action not in refused:
                refused.add(self.steps[number].action)
                return True
        return False

    def _suspects(self, failed: int) -> list[int]:
        """Return the unseen steps because of which a step may not be legal: its card is there, or a side's choice."""
        free = [number for number in reversed(range(failed + 1)) if not self._is_certain(number)]
        card = self._card(self.steps[failed].action)
        holders = [number for number in free if number != failed and self._card(self.steps[number].action) == card]
        choices = [number for number in free if self.steps[number].actor != CHANCE]
        return [*(holders if card is not None else ()), *choices]
