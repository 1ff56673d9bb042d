"""Results of games in words, and the breakdown of their scores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from brinkmanship.drawing import drawing_of
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.message import Message
from brinkmanship.text import MissingTextError, Words
from brinkmanship.text.score import ScoreText, score_text
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.scores import scored_at

_CONCEDED = {"resignation": "resigned", "time": "out_of_time"}
"""Ways to end a game besides its rules: the form of the name of the losing side."""
_DRAWS = ("agreement", "draw")
"""Endings without a winner that are no catastrophe for both sides."""


class ResultText(NamedTuple):
    """The end of a game, told to one viewer."""

    headline: str
    """`You won`, or for a viewer who plays no side or both `The USSR won`."""
    why: str
    """Reason in one sentence that names the sides."""
    deciding: Sequence[str]
    """Markers and numbers that decided, as ringed on the board; empty if the game did not end by its rules."""
    winner: int | None
    has_lost: bool
    """True if the viewer played one side, and lost."""


def result_for(table: LiveTable, mine: Sequence[int], language: str) -> ResultText:
    """Return the result of a finished game at a table, for the player of the sides `mine`."""
    game, own, words = table.game, page_words(language), game_words(table.game, language)
    winner, reason = ending_of(game, table.result)
    by_rules = reason in game.reasons
    view = table.view(OBSERVER)
    has_lost = winner is not None and [1 - winner] == [*mine]
    return ResultText(
        _headline(game, winner, reason, mine, words, own),
        _why_by_rules(table, words) if by_rules else _why_conceded(game, winner, reason, words, own),
        drawing_of(game).deciding(game, view, words) if by_rules else (),
        winner,
        has_lost,
    )


def _headline(game: Game, winner: int | None, reason: str, mine: Sequence[int], words: Words, own: Words) -> str:
    if winner is None:
        return own.sentence(Message("end.draw" if reason in _DRAWS else "end.nobody"))
    if len(mine) == 1:
        return own.sentence(Message("end.won" if winner == mine[0] else "end.lost"))
    return own.sentence(Message("end.won_by", {"who": words.name("side", game.sides[winner], "subject")}))


def _why_by_rules(table: LiveTable, words: Words) -> str:
    prompt = table.game.narrator.prompt(table.view(OBSERVER), OBSERVER)
    what = prompt.args.get("what")  # "The game is over. The USSR wins: ..."
    if not isinstance(what, Message):
        what = Message(f"reason.{ending_of(table.game, table.result).reason}")
    return words.sentence_if_any(what)


def _why_conceded(game: Game, winner: int | None, reason: str, words: Words, own: Words) -> str:
    if winner is None:
        return own.sentence_if_any(Message(f"end.{reason}"))
    said = words.name("side", game.sides[1 - winner], _CONCEDED.get(reason, ""))
    return said[:1].upper() + said[1:]


def score_of(table: LiveTable, words: Words) -> list[ScoreText]:
    """Return the score breakdown of a finished game at a table, in words."""
    return score_text(table.game, scored_at(table), words)


def result_of(table: LiveTable, language: str) -> str:
    """Return the result of a finished game at a table, with its reason."""
    return result_text(table.game, table.result, game_words(table.game, language), page_words(language))


def result_text(game: Game, result: str, words: Words, own: Words) -> str:
    """Return the result of a game with its reason, from the stored result ("us by resignation")."""
    winner, reason = ending_of(game, result)
    ending = ""
    with suppress(MissingTextError):  # a foreign journal may contain any reason
        if reason in game.reasons:
            ending = own.text(Message("result.by_rules", {"reason": words.text(Message(f"reason.{reason}"))}))
        elif winner is not None and reason in _CONCEDED:
            conceded = words.name("side", game.sides[1 - winner], _CONCEDED[reason])
            ending = own.text(Message("result.by_rules", {"reason": conceded}))
        else:
            ending = own.text(Message(f"result.{reason}"))
    if winner is None:
        return own.sentence(Message("result.nobody", {"reason": ending}))
    return own.sentence(Message("result.won", {"who": words.name("side", game.sides[winner]), "reason": ending}))
