"""Results of games in words, and the breakdown of their scores."""

from __future__ import annotations

from contextlib import suppress

from brinkmanship.engine.game import Game
from brinkmanship.engine.journal import ending_of
from brinkmanship.engine.message import Message
from brinkmanship.text import MissingTextError, Words
from brinkmanship.text.score import ScoreText, score_text
from brinkmanship.web.presentation.page_words import game_words, page_words
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.scores import scored_at


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
        else:
            ending = own.text(Message(f"result.{reason}"))
    if winner is None:
        return own.sentence(Message("result.nobody", {"reason": ending}))
    return own.sentence(Message("result.won", {"who": words.name("side", game.sides[winner]), "reason": ending}))
