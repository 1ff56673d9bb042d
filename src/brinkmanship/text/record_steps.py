"""Steps of an open record as texts: what chance may bring, and what a side may have chosen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, Game
from brinkmanship.engine.match import Decision, Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.text.words import MissingTextError, Words


class Possible(NamedTuple):
    """An outcome of chance, or what a side may have chosen."""

    action: int
    text: str


def thing_of(game: Game, action: int, words: Words) -> str:
    """Return the name of the card or agenda of an action, "" for others."""
    parts = game.action_parts(action)
    for kind, id_ in (("card", parts.card), ("agenda", parts.agenda)):
        if id_ is not None:
            with suppress(MissingTextError):  # the part stands for several cards
                return words.name(kind, id_)
    return ""


def possible_steps(match: Match, decisions: Sequence[Decision], words: Words) -> list[Possible]:
    """Return decisions with their texts: cards by name, others in the order of the rules."""
    found = [Possible(one.action, _text(match, one.action, words)) for one in decisions]
    names_cards = any(match.game.action_parts(one.action).card for one in decisions)
    return sorted(found, key=lambda one: one.text.casefold()) if names_cards else found


def _text(match: Match, action: int, words: Words) -> str:
    """Return an outcome of chance or a choice of a side as a text."""
    name = thing_of(match.game, action, words)
    if match.actor != CHANCE:
        said = words.sentence(match.game.narrator.describe(match.state, min(match.pending), action))
        return said if not name or name in said else f"{name}: {said}"
    if name:
        return name
    after = match.copy()
    after.push(action)
    seen = Perspective(after, FULL_INFORMATION)
    lines = [line for entry in seen.seen(seen.length - 1) for line in seen.lines(entry)]
    return words.sentence(lines[0].message) if lines else match.game.action_text(action)
