"""Texts shared by pages and e-mails: catalogues, titles of games, names of players."""

from __future__ import annotations

from functools import cache, lru_cache

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import kits
from brinkmanship.store.repository import ListedSeat
from brinkmanship.text import Words, words_for
from brinkmanship.text.default import readable
from brinkmanship.text.words import catalogue_file
from brinkmanship.web.tables.seats import Seat

DOMAINS = (
    *("web", "account", "library", "series", "players", "puzzles", "branches", "workshop", "matches"),
    *("ratings", "profiles", "seeks", "tournaments", "push", "moderation", "passkeys", "oidc", "watch"),
    *("annotated", "daily", "solo", "board_text", "record", "sharing", "printing"),
)
"""Catalogues of the texts of pages."""


@cache
def page_words(language: str) -> Words:
    """Return the texts of the pages."""
    return Words(language, DOMAINS)


@lru_cache(256)
def _game_words(game_id: str, options: str, language: str, game: Game) -> Words:  # noqa: ARG001 - the cache's key
    return words_for(game, language)


def game_words(game: Game, language: str) -> Words:
    """Return the texts of a ruleset, cached."""
    return _game_words(game.id, repr(sorted(game.options.items())), language, game)


def title_of(game: Game, own: Words) -> str:
    """Return the game's title in the viewer's language, falling back to its own title."""
    return own.sentence_if_any(Message(f"game.{game.id}")) or game.title


def computer_name(player: str, own: Words) -> str:
    """Return the display name of a computer player; a custom game names its players in its catalogue."""
    name = Message(f"player.{player}")
    return own.sentence_if_any(name) or _words_with(player, own).sentence_if_any(name) or readable(player)


def _words_with(player: str, own: Words) -> Words:
    """Return the catalogue of the game that has a computer player; reading it does not load the game."""
    for game_id, kit in kits().items():
        if player in kit.players and catalogue_file(game_id, own.language).is_file():
            return Words(own.language, (game_id,))
    return own


def player_name(seat: Seat | ListedSeat, own: Words) -> str:
    """Return the name of the player in a seat, "somebody" if the account was deleted, "" if the seat is free."""
    if seat.computer:
        return computer_name(seat.computer, own)
    return seat.name or (own.sentence(Message("player.somebody")) if seat.person_id else "")
