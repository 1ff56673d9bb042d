"""The legal actions of a side as a person chooses among them: in groups by card, place or track, a row of numbers, or
questions one after the other; each action with its key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import ActionParts, Argument, Message
from brinkmanship.text import MissingTextError, Words
from brinkmanship.web.several import Pick, picks_of

KEYS = "123456789" + "abcdefghijklmnopqstvwxyz" + "ABCDEFGHIJKLMNOPQSTVWXYZ"
"""Of the actions, in their order; u and r are for undo and restart."""
NUMBER_KEYS = "0" + KEYS
"""Of the numbers in a row: each its own digit."""
ROW = "row"
"""The kind of a group that is nothing but numbers to choose from."""
STEPS = "steps"
"""The kind of a group of actions that are several choices at once (`ActionParts.steps`)."""


class Choice(NamedTuple):
    """One legal action."""

    action: int
    kind: str
    text: str
    """The whole sentence, with what would change at once."""
    short: str
    """The same inside its group: "+2"; the sentence where there is nothing shorter."""
    key: str
    final: bool
    """Whether the side is no longer asked after it, so that it cannot be taken back."""
    area: str = ""
    """The area of the board that something goes to."""
    steps: tuple[str, ...] = ()
    """What it chooses in each of the group's `Question`s."""
    piece: str = ""
    """The piece it names, as the board calls it."""
    pick: Pick | None = None
    """How it may be done to several pieces at once."""


class Question(NamedTuple):
    """One of the choices that an action is made of."""

    title: str
    answers: dict[str, str]
    """The name of each by its id."""


class Group(NamedTuple):
    """The actions that concern one thing."""

    kind: str
    """"card", "agenda", "place", "track", `ROW`, `STEPS`, or "" for those that stand alone."""
    id: str
    choices: list[Choice]
    questions: list[Question]
    """Of `STEPS`: one for each choice, in their order."""


def choices_of(
    game: Game, view: State, side: int, decisions: Sequence[Decision], words: Words, page: Words
) -> list[Group]:
    """All legal actions of a side, grouped; the groups in the order of their first action."""
    groups: dict[tuple[str, str], Group] = {}
    picks = picks_of(game, view, side, decisions)
    scratch = game.new_states(1)
    for number, decision in enumerate(decisions):
        parts = game.action_parts(decision.action)
        short = _short(parts, words, page)
        kind, id = _thing(parts, short, words)
        described = game.describe(view, side, decision.action)
        short = short or (_here(described, words) if kind == "place" else "")
        keys, place = (NUMBER_KEYS, parts.count or 0) if kind == ROW else (KEYS, number)
        sentence = words.sentence(described)
        choice = Choice(
            decision.action,
            parts.kind,
            sentence,
            short or sentence if kind else sentence,
            keys[place] if place < len(keys) else "",
            _is_final(game, view, side, decision.action, scratch),
            parts.area or "",
            tuple(answer.id for _, answer in parts.steps),
            parts.card or "",
            picks.get(decision.action),
        )
        group = groups.setdefault((kind, id), Group(kind, id, [], []))
        group.choices.append(choice)
        _ask(group, parts, words)
    return [group._replace(questions=_in_one_order(group.questions)) for group in groups.values()]


def _ask(group: Group, parts: ActionParts, words: Words) -> None:
    """Add what the action would choose to the questions of its group."""
    for number, (about, answer) in enumerate(parts.steps):
        if number == len(group.questions):
            group.questions.append(Question(capital(words.name(about.kind, about.id)), {}))
        if answer.id not in group.questions[number].answers:
            group.questions[number].answers[answer.id] = capital(words.name(answer.kind, answer.id))


def _in_one_order(questions: list[Question]) -> list[Question]:
    """Where several questions have the same answers, all in the order of the first."""
    order = list(questions[0].answers) if questions else []
    return [
        question._replace(answers=dict(sorted(question.answers.items(), key=lambda answer: order.index(answer[0]))))
        if set(question.answers) <= set(order)
        else question
        for question in questions
    ]


def capital(name: str) -> str:
    """A name as it stands alone."""
    return name[:1].upper() + name[1:]


def _thing(parts: ActionParts, short: str, words: Words) -> tuple[str, str]:
    if parts.steps:
        return STEPS, parts.kind
    if parts.place is not None:  # with it a piece may be named that stands there
        return "place", parts.place
    if parts.card is not None and _is_a_card(words, parts.card):
        return "card", parts.card
    for kind in ("agenda", "track"):
        if (id := getattr(parts, kind)) is not None:
            return kind, id
    return (ROW, parts.kind) if short and parts.count is not None else ("", "")


@lru_cache(2000)
def _is_a_card(words: Words, card: str) -> bool:
    """Whether a card is called so; a game may put another word there, such as a manner."""
    try:
        words.name("card", card)
    except MissingTextError:
        return False
    return True


def _short(parts: ActionParts, words: Words, page: Words) -> str:
    return _chip(page, parts.kind, parts.count, words.name("area", parts.area) if parts.area is not None else None)


def _here(described: Message, words: Words) -> str:
    """A choice as it stands under the name of its place, where the game has words for that."""
    try:
        return words.sentence(Message(f"{described.key}.here", described.args))
    except MissingTextError:
        return ""


@lru_cache(2000)
def _chip(page: Words, kind: str, count: int | None, area: str | None) -> str:
    args: dict[str, Argument] = {} if count is None else {"count": count}
    if area is not None:
        args["area"] = area
    try:
        return page.sentence(Message(f"chip.{kind}", args))
    except MissingTextError:
        return ""


def _is_final(game: Game, view: State, side: int, action: int, scratch: Any) -> bool:
    scratch[0] = view
    after = scratch[0]
    game.apply(game.rules, after, action)
    return not int(game.pending(game.rules, after)) >> side & 1
