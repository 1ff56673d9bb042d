"""Turns for notifications: whose turn it is, since when, and the sentence that says so."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name, title_of
from brinkmanship.web.tables.deal_pledges import owed
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import ACTION, TAKE_BACK, UNDO
from brinkmanship.web.tables.statuses import DEALING


def turn_of(table: LiveTable, side: int) -> int | None:
    """Return the turn of which a side may be notified: the number of another side's last action known to it.

    The result is None if the side is not to move, if it acted last (then it was present when it became its turn again),
    and on a shared screen. While both choose in secret, the other side's choice starts no turn, because a notification
    would reveal it. Before the deal it is the turn of a player who owes something to it; their browser sends it when
    they open the table.
    """
    if table.status == DEALING and not table.state.is_hot_seat and owed(table, side):
        return 0
    if side not in table.to_move or table.state.is_hot_seat:
        return None
    known = table.known_records(side)
    for number in range(len(known), 0, -1):
        if known[number - 1].kind in (ACTION, UNDO, TAKE_BACK):
            return None if known[number - 1].actor == side else number
    return 0


def since_of(table: LiveTable, side: int, turn: int) -> float | None:
    """Return when a turn began, as far as its side may know; None if unknown.

    A later record may be a secret choice of the other side: a notification that waited for it would reveal it.
    """
    return table.known_records(side)[turn - 1].at if turn else table.state.dealt_at


def opponents_of(table: LiveTable, side: int, language: str) -> str:
    """Return the names of the players of the other sides."""
    own = page_words(language)
    return ", ".join(player_name(seat, own) for seat in table.seats if seat.side != side)


def sentence_of(table: LiveTable, side: int, language: str) -> str:
    """Return the sentence that it is a side's turn, without anything about the position."""
    own, words = page_words(language), game_words(table.game, language)
    arguments = {
        "title": title_of(table.game, own),
        "side": words.name("side", table.game.sides[side]),
        "opponent": opponents_of(table, side, language),
    }
    return own.sentence(Message("mail.turn.text", arguments))
