"""Whose turn it is, since when, and how one says it."""

from __future__ import annotations

from brinkmanship.engine.message import Message
from brinkmanship.web.pages.render import computer_name, game_words, page_words, title_of
from brinkmanship.web.table import ACTION, TAKE_BACK, UNDO, LiveTable


def turn_of(table: LiveTable, side: int) -> int | None:
    """The turn of which a side may be told: the number of the last thing another side did, as far as it may know.

    None where the side is not asked, where it acted last (then it was there when it was asked again), and at one
    screen. While both choose in secret, what the other does is nobody's turn: a notice would tell of it.
    """
    if side not in table.asked or table.is_hot_seat:
        return None
    for number in range(len(table.records), 0, -1):
        record = table.records[number - 1]
        if record.kind not in (ACTION, UNDO, TAKE_BACK):
            continue
        if record.actor == side:
            return None
        if table.secret_since is None or number <= table.secret_since:
            return number
    return 0


def opponents_of(table: LiveTable, side: int, language: str) -> str:
    """The names of those on the other sides."""
    own = page_words(language)
    names = [
        computer_name(seat.computer, own) if seat.computer else seat.name for seat in table.seats if seat.side != side
    ]
    return ", ".join(names)


def sentence_of(table: LiveTable, side: int, language: str) -> str:
    """That it is the turn of a side, without a word on the position."""
    own, words = page_words(language), game_words(table.game, language)
    arguments = {
        "title": title_of(table.game, own),
        "side": words.name("side", table.game.sides[side]),
        "opponent": opponents_of(table, side, language),
    }
    return own.sentence(Message("mail.turn.text", arguments))
