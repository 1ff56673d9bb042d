"""Hints as text, for pages and terminals."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from babel.numbers import format_decimal

from brinkmanship.engine.game import Game
from brinkmanship.engine.hint import Hint, Hints
from brinkmanship.engine.message import Message
from brinkmanship.engine.record import State
from brinkmanship.text.words import Words

PLAYERS = "players"
"""Catalogue of the reasons."""

BEST = "★"
"""Marks choices that are equal within the error of measurement; not in the catalogues: their fonts lack it."""


class HintText(NamedTuple):
    """One hinted choice."""

    action: int
    what: str
    is_best: bool
    wins: str
    """Share of wins, or probability with which to play it."""
    more: tuple[str, ...]
    """The expected score, the danger of war, the reason and the likely reply, as far as they are known."""


class HintsText(NamedTuple):
    """The hints for a side."""

    title: str
    """Title with the number of games the hints are based on."""
    hints: tuple[HintText, ...]
    equal: str
    """Explanation of the stars, if there are several."""


def hints_text(game: Game, view: State, found: Hints, words: Words) -> HintsText:
    """Return hints in one language; `view` is that of the side they are for."""
    is_any_equal = not found.is_secret and sum(one.is_best for one in found.hints) > 1
    return HintsText(
        words.text(Message("hint.secret" if found.is_secret else "hint.title", {"n": found.playouts})),
        tuple(
            HintText(
                one.action,
                words.sentence(game.narrator.describe(view, found.side, one.action)),
                one.is_best,
                _wins(one, words),
                tuple(_more(one, words)),
            )
            for one in found.hints
        ),
        f"{BEST} {words.text(Message('hint.equal'))}" if is_any_equal else "",
    )


def why_text(reason: Message, words: Words) -> str:
    """Return a computer player's reason as text."""
    return words.with_domain(PLAYERS).sentence(reason)


def _wins(one: Hint, words: Words) -> str:
    args: dict[str, int | str] = {"percent": round(100 * one.win), "error": ceil(100 * one.error)}
    if one.share is None:
        return words.text(Message("hint.wins", args))
    return words.text(Message("hint.share", {**args, "share": round(100 * one.share)}))


def _more(one: Hint, words: Words) -> list[str]:
    said = []
    if one.score is not None:
        lead = format_decimal(round(one.score, 1) or 0.0, "+0.0;\N{MINUS SIGN}0.0", locale=words.language)
        said.append(words.text(Message("hint.score", {"lead": lead})))
    if one.war:
        said.append(words.text(Message("hint.war", {"percent": ceil(100 * one.war)})))
    if one.reason is not None:
        said.append(why_text(one.reason, words))
    if one.reply is not None:
        what = words.text(one.reply.text)
        said.append(words.text(Message("hint.reply", {"what": what, "percent": round(100 * one.reply.share)})))
    return said
