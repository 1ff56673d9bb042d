"""The legal actions of a side as a person chooses among them: in groups by card, place or track, each with its key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from brinkmanship.engine.game import Game, State
from brinkmanship.engine.match import Decision
from brinkmanship.engine.message import ActionParts, Message
from brinkmanship.text import MissingTextError, Words

KEYS = "123456789" + "abcdefghijklmnopqstvwxyz" + "ABCDEFGHIJKLMNOPQSTVWXYZ"
"""Of the actions, in their order; u and r are for undo and restart."""


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


class Group(NamedTuple):
    """The actions that concern one thing."""

    kind: str
    """"card", "agenda", "place", "track", or "" for those that stand alone."""
    id: str
    choices: list[Choice]


def choices_of(
    game: Game, view: State, side: int, decisions: Sequence[Decision], words: Words, page: Words
) -> list[Group]:
    """All legal actions of a side, grouped; the groups in the order of their first action."""
    groups: dict[tuple[str, str], Group] = {}
    scratch = game.new_states(1)
    for number, decision in enumerate(decisions):
        parts = game.action_parts(decision.action)
        kind, id = _thing(parts)
        sentence = words.sentence(game.describe(view, side, decision.action))
        choice = Choice(
            decision.action,
            parts.kind,
            sentence,
            _short(parts, page) or sentence if kind else sentence,
            KEYS[number] if number < len(KEYS) else "",
            _is_final(game, view, side, decision.action, scratch),
        )
        groups.setdefault((kind, id), Group(kind, id, [])).choices.append(choice)
    return list(groups.values())


def _thing(parts: ActionParts) -> tuple[str, str]:
    for kind in ("card", "agenda", "place", "track"):
        if (id := getattr(parts, kind)) is not None:
            return kind, id
    return "", ""


def _short(parts: ActionParts, page: Words) -> str:
    return _chip(page, parts.kind, parts.count)


@lru_cache(2000)
def _chip(page: Words, kind: str, count: int | None) -> str:
    try:
        return page.sentence(Message(f"chip.{kind}", {} if count is None else {"count": count}))
    except MissingTextError:
        return ""


def _is_final(game: Game, view: State, side: int, action: int, scratch: Any) -> bool:
    scratch[0] = view
    after = scratch[0]
    game.apply(game.rules, after, action)
    return not int(game.pending(game.rules, after)) >> side & 1
