"""The question to a side and its choices, on a table page and on the pages of puzzles, lessons and boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.text import Words, section_of
from brinkmanship.web.pages.shared.results import result_text
from brinkmanship.web.pages.table.card_text import Aim, CardView, Hand, aim_of, answers_of, hands_of, subject_of
from brinkmanship.web.pages.table.table_context import TableContext
from brinkmanship.web.presentation.choice_groups import Group
from brinkmanship.web.presentation.shortcuts import name_of
from brinkmanship.web.tables.statuses import CLOSED, DEALING, FINISHED, WAITING


class QuestionView(NamedTuple):
    """A question and its choices for one viewer; `table/choices.html` shows them."""

    prompt: str
    section: str
    """Id of the rules section the question comes from, "" if there is none."""
    aim: Aim | None
    subject: CardView | None
    """The card that the question is about, if the choice is made neither on the board nor with other cards."""
    answers: list[CardView]
    """Cards and agendas to choose from."""
    groups: list[Group]
    """All choices of the viewer."""
    hands: list[Hand]
    """Cards in front of the viewer that are not among the choices."""
    names: Mapping[tuple[str, str], str]
    """Names of the things that groups concern, by kind and id."""

    def name_of(self, group: Group) -> str:
        """Return the name of the thing a group concerns."""
        return self.names[group.kind, group.id]

    def steps_of(self, action: int) -> tuple[str, ...]:
        """Return the successive answers that make up an action; empty if it is a single choice."""
        choices = (choice for group in self.groups for choice in group.choices)
        return next((choice.steps for choice in choices if choice.action == action), ())


def question_of(at: TableContext) -> QuestionView:
    """Return the question at a table."""
    game, view, side, words, groups = at.game, at.view, at.side, at.words, at.groups
    has_aim = at.viewer.is_player and at.table.status != FINISHED
    return QuestionView(
        prompt=_prompt(at),
        section=section_of(game, at.prompt),
        aim=aim_of(game, view, side, words) if has_aim else None,
        subject=subject_of(game, at.prompt, words) if groups and not is_on_board(groups) else None,
        answers=answers_of(game, view, side, words, groups),
        groups=groups,
        hands=hands_of(game, view, side, words, at.own, groups),
        names=names_of(game, groups, words),
    )


def names_of(game: Game, groups: list[Group], words: Words) -> dict[tuple[str, str], str]:
    """Return the names of the things that groups of choices concern, by kind and id."""
    return {(group.kind, group.id): name_of(game, group.kind, group.id, words) for group in groups}


def is_on_board(groups: list[Group]) -> bool:
    """Return True if a choice is made on the board."""
    return any(group.kind in ("place", "track") for group in groups)


def _prompt(at: TableContext) -> str:
    status = at.table.status
    if status in (WAITING, DEALING, CLOSED):
        return at.own.sentence(Message("open.closed" if status == CLOSED else f"table.{status}"))
    if status == FINISHED and at.seen.outcome() is None:
        return result_text(at.game, at.table.result, at.words, at.own)
    return at.words.sentence(at.prompt)
