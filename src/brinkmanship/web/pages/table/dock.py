"""The dock of a table page: what surrounds the question, such as tools, other ways to answer, and the rules."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.players import thinks_less
from brinkmanship.text import MissingTextError, Words
from brinkmanship.web.pages.library.library import RulesSection, rule_in_words
from brinkmanship.web.pages.table.card_text import CardView, subject_of
from brinkmanship.web.pages.table.question import QuestionView, is_on_board
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.choice_groups import Group
from brinkmanship.web.presentation.repeat_action import RepeatAction, repeatable
from brinkmanship.web.presentation.shortcuts import kind_of_name, name_of
from brinkmanship.web.tables.hints import has_hints
from brinkmanship.web.tables.statuses import CLOSED, FINISHED, RUNNING

FEW = 18
"""Maximum choices shown beside a card."""


class Dock(NamedTuple):
    """What surrounds the question."""

    undo_count: int
    can_hint: bool
    """True if the viewer may request a hint."""
    tap: str
    """Kinds of things on the board that are the choices, for a small screen; "" if there are none."""
    aside: CardView | None
    """The card that the question is about, if the choice is made on the board and has few options."""
    several: bool
    """True if several pieces may be sent at once."""
    goals: list[tuple[int, str, str]]
    """Targets of pieces: action, place, and name of the place, ordered by name."""
    again: RepeatAction | None
    thinks_less: bool
    """True if a computer player has less than its full budget because the engine is not compiled yet."""
    rule: RulesSection | None
    """The rules section, if there is room beside few choices or while waiting; None if cards take the room."""


def dock_of(at: TableContext, question: QuestionView) -> Dock:
    """Return what surrounds a question."""
    table, groups = at.table, at.groups
    has_few = is_on_board(groups) and sum(len(group.choices) for group in groups) <= FEW
    aside = subject_of(at.game, at.prompt, at.words) if has_few else None
    return Dock(
        undo_count=table.undo_count(at.side) if at.viewer.is_player else 0,
        can_hint=len(at.decisions) > 1 and table.allows_hints and has_hints(at.game),
        tap=_tap(at) if at.layout == "narrow" else "",
        aside=aside,
        several=any(choice.pick for group in groups for choice in group.choices),
        goals=_goals(at.game, groups, at.words),
        again=repeatable(at.seen, at.words) if groups else None,
        thinks_less=table.status == RUNNING
        and any(thinks_less(seat.computer, at.game) for seat in table.seats if seat.computer),
        rule=rule_in_words(at.game, at.words, question.section) if _has_room(at, question, aside) else None,
    )


def _has_room(at: TableContext, question: QuestionView, aside: CardView | None) -> bool:
    """Return True if cards leave room for the rules of the step."""
    if at.layout != "wide" or at.table.status in (FINISHED, CLOSED) or question.answers[1:] or aside:
        return False
    return sum(len(hand.cards) for hand in question.hands) <= (0 if at.groups else 1)


def _tap(at: TableContext) -> str:
    """Return the sentence that says what to tap; the choices on the board have no buttons on a small screen."""
    game, words, groups = at.game, at.words, at.groups
    found = {kind_of_name(game, group.kind, group.id, words) for group in groups if group.kind in ("place", "track")}
    in_order = [called for kind in ("place", "track") for called in game.narrator.named_as.get(kind, (kind,))]
    named = []
    for kind in in_order:
        with suppress(MissingTextError):
            named += [words.text(Message(f"tap.{kind}"))] if kind in found else []
    return at.own.sentence(Message("table.tap", {"what": words.join(named, by_or=True)})) if named else ""


def _goals(game: Game, groups: list[Group], words: Words) -> list[tuple[int, str, str]]:
    actions = {goal for group in groups for choice in group.choices if choice.pick for goal in choice.pick.goals}
    places = [(action, game.action_parts(action).place or "") for action in actions]
    named = [(action, place, name_of(game, "place", place, words)) for action, place in places]
    return sorted(named, key=lambda goal: goal[2])
