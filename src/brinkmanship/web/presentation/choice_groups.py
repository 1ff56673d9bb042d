"""Group a side's legal actions for display: by card, place or track, as a row of numbers, or as successive questions.

Each action gets its keyboard shortcut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import ActionParts, Argument, Message
from brinkmanship.engine.record import State
from brinkmanship.text import MissingTextError, Words
from brinkmanship.web.presentation.action_previews import previews_of
from brinkmanship.web.presentation.multi_select import Selection, selections_of
from brinkmanship.web.presentation.shortcuts import key_among, keys_of

NOWHERE: Mapping[str, int] = MappingProxyType({})
"""Hand slots of no card."""
ROW = "row"
"""Kind of a group that consists of numbers only."""
STEPS = "steps"
"""Kind of a group of actions that combine several choices (`ActionParts.steps`)."""


class OfferedAction(NamedTuple):
    """One legal action."""

    action: int
    kind: str
    text: str
    """The full sentence, including its immediate effect."""
    short: str
    """Short form inside its group, e.g. "+2"; the sentence where there is nothing shorter."""
    key: str
    """Shortcut among the actions of its thing, or of all actions; "" where the key of its thing is enough (see
    `shortcuts`).
    """
    final: bool
    """True if the side has no further decision after it, so that it cannot be taken back."""
    area: str = ""
    """The target area on the board."""
    steps: tuple[str, ...] = ()
    """The chosen answer to each of the group's `ChoicePart`s."""
    piece: str = ""
    """The named piece, by its id on the board."""
    pick: Selection | None = None
    """How the action may be applied to several pieces at once."""
    number: int | None = None
    """Signed amount if the action is just a number for its thing: +2, −1."""
    at: str = ""
    """The key of its thing."""
    is_beyond: bool = False
    """True if it pays more than can be useful."""
    idle: bool = False
    """True if it would change nothing in the current position; `text` says so too."""
    warning: str = ""
    """How the action would lose the game; "" if the side cannot foresee a loss."""
    mark: str = ""
    """The warning in two or three words, for the buttons."""


class ChoicePart(NamedTuple):
    """One of the choices that make up an action."""

    title: str
    answers: dict[str, str]
    """Display name of each answer by its id."""
    texts: dict[str, str]
    """Effect of an answer by its display name, where the catalogue has one."""


class Group(NamedTuple):
    """The actions that concern one thing."""

    kind: str
    """"card", "agenda", "place", "track", `ROW`, `STEPS`, or "" for actions that stand alone."""
    id: str
    choices: list[OfferedAction]
    questions: list[ChoicePart]
    """For `STEPS`: one question per choice, in order."""
    key: str = ""
    """Shortcut of the thing."""


def choices_of(
    game: Game,
    view: State,
    side: int,
    decisions: Sequence[Decision],
    words: Words,
    page: Words,
    slots: Mapping[str, int] = NOWHERE,
    *,
    warns: bool = True,
) -> list[Group]:
    """Return all legal actions of a side in groups, ordered by their first action.

    Args:
        game: the ruleset.
        view: the side's view of the position.
        side: the side to decide.
        decisions: its legal actions.
        words: texts of the ruleset.
        page: texts of the pages.
        slots: hand slot of each card, from 1; groups of cards in hand are ordered by it.
        warns: False for a user who wants no warnings.
    """
    groups: dict[tuple[str, str], Group] = {}
    previews = previews_of(game, view, decisions)
    selections = selections_of(game, side, previews)
    for action, parts, after in previews:
        described = game.narrator.describe(view, side, action)
        short = _short(parts, described, words, page)
        kind, id = _thing(parts, short, words)
        if kind == ROW or (kind in ("place", "track") and not short):
            short = _here(described, words) or short
        is_beyond = game.narrator.overpays(view, side, action)
        sentence = words.sentence(described)
        idle = parts.kind in game.narrator.may_do_nothing and _does_nothing(game, view, after, side)
        if idle:
            sentence = page.sentence(Message("choice.idle", {"what": sentence}))
        warning = game.narrator.warning(view, after, side) if warns else None
        choice = OfferedAction(
            action,
            parts.kind,
            sentence,
            short or sentence if kind else sentence,
            key_among(game, parts, page) if kind != STEPS and not is_beyond else "",
            side not in game.to_move(after),
            parts.area or "",
            tuple(answer.id for _, answer in parts.steps),
            parts.card or "",
            selections.get(action),
            None if kind == ROW else _number(parts, page),
            is_beyond=is_beyond,
            idle=idle,
            warning=words.sentence(warning) if warning else "",
            mark=words.sentence_if_any(Message(f"{warning.key}.mark", warning.args)) if warning else "",
        )
        group = groups.setdefault((kind, id), Group(kind, id, [], []))
        group.choices.append(choice)
        _ask(group, parts, words)
    found = [group._replace(questions=_in_one_order(group.questions)) for group in groups.values()]
    return _with_keys(sorted(found, key=lambda group: slots.get(group.id, 0)), slots, keys_of(game, words))


def _with_keys(groups: list[Group], slots: Mapping[str, int], keys: Mapping[tuple[str, str], str]) -> list[Group]:
    """Assign shortcuts: places and tracks have fixed keys; cards and agendas get the digit of their hand slot."""
    free = (slot for slot in count(1) if slot not in slots.values())
    found = []
    for group in groups:
        key = keys.get((group.kind, group.id), "")
        if group.kind in ("card", "agenda"):
            key = str(slots.get(group.id) or next(free))
        is_alone = key and (len(group.choices) == 1 or all(choice.number is not None for choice in group.choices))
        choices = [choice._replace(at=key, key="" if is_alone else choice.key) for choice in group.choices]
        found.append(group._replace(choices=choices, key=key))
    return found


def _ask(group: Group, parts: ActionParts, words: Words) -> None:
    """Add the choices of an action to the questions of its group."""
    for number, (about, answer) in enumerate(parts.steps):
        if number == len(group.questions):
            group.questions.append(ChoicePart(capital(words.name(about.kind, about.id)), {}, {}))
        if answer.id not in group.questions[number].answers:
            name = group.questions[number].answers[answer.id] = capital(words.name(answer.kind, answer.id))
            with suppress(MissingTextError):
                group.questions[number].texts[name] = words.name(f"{answer.kind}_row", answer.id)


def _in_one_order(questions: list[ChoicePart]) -> list[ChoicePart]:
    """Order answers that several questions share as in the first question."""
    order = list(questions[0].answers) if questions else []
    return [
        question._replace(answers=dict(sorted(question.answers.items(), key=lambda answer: order.index(answer[0]))))
        if set(question.answers) <= set(order)
        else question
        for question in questions
    ]


def capital(name: str) -> str:
    """Return a name with its first letter capitalised, for use on its own."""
    return name[:1].upper() + name[1:]


def _thing(parts: ActionParts, short: str, words: Words) -> tuple[str, str]:
    if parts.steps:
        return STEPS, parts.kind
    if parts.place is not None:  # before the card: the action may also name a piece in that place
        return "place", parts.place
    if parts.card is not None and _is_a_card(words, parts.card):
        return "card", parts.card
    for kind in ("agenda", "track"):
        if (id := getattr(parts, kind)) is not None:
            return kind, id
    return (ROW, parts.kind) if short and parts.count is not None else ("", "")


@lru_cache(2000)
def _is_a_card(words: Words, card: str) -> bool:
    """Return True if the catalogue has a card with this id; some games put another word there, such as a manner."""
    try:
        words.name("card", card)
    except MissingTextError:
        return False
    return True


def _short(parts: ActionParts, described: Message, words: Words, page: Words) -> str:
    area = words.name("area", parts.area) if parts.area is not None else None
    value = described.args.get("value")
    if isinstance(value, int) and (worth := _chip(page, f"{parts.kind}.worth", value, area)):
        return worth
    return _chip(page, parts.kind, parts.count, area)


def _number(parts: ActionParts, page: Words) -> int | None:
    """Return the amount with the sign shown on its chip."""
    digits = _chip(page, parts.kind, parts.count, None).replace("−", "-").removeprefix("+") if parts.count else ""
    return int(digits) if digits.removeprefix("-").isdecimal() else None


def _here(described: Message, words: Words) -> str:
    """Return the short sentence shown below the name of its place or track, "" if the game has none."""
    return words.sentence_if_any(Message(f"{described.key}.here", described.args))


@lru_cache(2000)
def _chip(page: Words, kind: str, count: int | None, area: str | None) -> str:
    args: dict[str, Argument] = {} if count is None else {"count": count}
    if area is not None:
        args["area"] = area
    return page.sentence_if_any(Message(f"chip.{kind}", args))


def _does_nothing(game: Game, view: State, after: State, side: int) -> bool:
    """Return True if the action changes nothing the side knows of and leads to no real choice."""
    after = game.copy(after)
    while side in game.to_move(after):
        legal = game.legal_actions(after, side)
        if len(legal) != 1:
            # The side's next turn, or a question raised by the action.
            return False
        game.apply(game.rules, after, legal[0])
    if game.actor(game.rules, after) == CHANCE and not game.is_rules_step(after):
        return False
    before, then = game.known_state(view, side), game.known_state(after, side)
    return all(then[what] == was for what, was in before.items() if what not in game.narrator.moved_by_every_play)
