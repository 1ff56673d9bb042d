"""Whose turn it is, since when, and how one says it."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.tables.deal import owed
from brinkmanship.web.tables.live_table import ACTION, DEALING, TAKE_BACK, UNDO, LiveTable


def turn_of(table: LiveTable, side: int) -> int | None:
    """The turn of which a side may be told: the number of the last thing another side did, as far as it may know.

    None where the side is not asked, where it acted last (then it was there when it was asked again), and at one
    screen. While both choose in secret, what the other does is nobody's turn: a notice would tell of it.
    Before the cards are dealt it is the turn of who owes something to the deal: his browser sends it when he comes.
    """
    if table.status == DEALING and not table.is_hot_seat and owed(table, side):
        return 0
    if side not in table.asked or table.is_hot_seat:
        return None
    known = table.known_records(side)
    for number in range(len(known), 0, -1):
        if known[number - 1].kind in (ACTION, UNDO, TAKE_BACK):
            return None if known[number - 1].actor == side else number
    return 0


def since_of(table: LiveTable, side: int, turn: int) -> float | None:
    """Return when a turn began, as far as its side may know; None where nobody knows.

    A later record may be a secret choice of the other side: a notice that waited for it would tell of it.
    """
    return table.known_records(side)[turn - 1].at if turn else table.dealt_at


def opponents_of(table: LiveTable, side: int, language: str) -> str:
    """The names of those on the other sides."""
    own = page_words(language)
    return ", ".join(player_name(seat, own) for seat in table.seats if seat.side != side)


def sentence_of(table: LiveTable, side: int, language: str) -> str:
    """That it is the turn of a side, without a word on the position."""
    own, words = page_words(language), game_words(table.game, language)
    arguments = {
        "title": title_of(table.game, own),
        "side": words.name("side", table.game.sides[side]),
        "opponent": opponents_of(table, side, language),
    }
    return own.sentence(Message("mail.turn.text", arguments))
