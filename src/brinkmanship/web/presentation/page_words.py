"""Words that pages and e-mails share: catalogues, titles of games, names of players."""

from __future__ import annotations

from functools import cache, lru_cache

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.store.repository import ListedSeat
from brinkmanship.text import (
    Words,
    words_for,
)
from brinkmanship.web.tables.live_table import Seat

DOMAINS = ("web", "account", "library", "series", "players", "puzzles", "branches", "workshop")
"""The catalogues of the pages' own words: where one plays, of oneself, where one reads and learns, of series, of
computer players, of puzzles, of boards of analysis, for designers."""


@cache
def page_words(language: str) -> Words:
    """The words of the pages themselves."""
    return Words(language, DOMAINS)


@lru_cache(256)
def _game_words(game_id: str, options: str, language: str, game: Game) -> Words:  # noqa: ARG001 - the cache's key
    return words_for(game, language)


def game_words(game: Game, language: str) -> Words:
    """The words of a ruleset, made once."""
    return _game_words(game.id, repr(sorted(game.options.items())), language, game)


def title_of(game: Game, own: Words) -> str:
    """A game's name in the reader's language, else as the game calls itself."""
    return own.sentence_if_any(Message(f"game.{game.id}")) or game.title


def computer_name(player: str, own: Words) -> str:
    """What a computer player is called."""
    return own.sentence_if_any(Message(f"player.{player}")) or player


def player_name(seat: Seat | ListedSeat, own: Words) -> str:
    """Who plays a side: a computer player, a person, or "somebody" who has left; "" where nobody sits yet."""
    if seat.computer:
        return computer_name(seat.computer, own)
    return seat.name or (own.sentence(Message("player.somebody")) if seat.person_id else "")
