"""Ratings in words: the outlook before a rated game, and the changes after it."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.engine.message import Argument, Message
from brinkmanship.store.ratings import Change
from brinkmanship.text import Words
from brinkmanship.web.presentation.page_words import game_words, page_words, player_name
from brinkmanship.web.ratings.rating_service import Outlook
from brinkmanship.web.tables.live_table import LiveTable


def outlook_said(outlook: Outlook, own: Words) -> list[str]:
    """Return the sentences on a player's chance and on the change for each result."""
    chance, win, draw, loss = outlook.prospect
    key = "outlook.even" if outlook.is_even else "outlook.chance"
    said = [own.sentence(Message(key, {"percent": round(100 * chance)}))]
    changes = {"win": round(win), "draw": round(draw), "loss": round(loss)}
    said.append(own.sentence(Message("outlook.changes", changes)))
    # Lichess's users take this for a fault (lila#21025), unless it is explained.
    if outlook.is_even and changes["draw"] < 0:
        said.append(own.sentence(Message("outlook.draw_costs")))
    return said


def changes_said(table: LiveTable, changes: Iterable[Change], language: str) -> list[str]:
    """Return a line on each person's rating after a game."""
    own, words = page_words(language), game_words(table.game, language)
    said = []
    for change in changes:
        seat = table.seats[change.side]
        if seat.person_id is None:
            continue
        side = words.name("side", table.game.sides[change.side])
        before, after = round(change.before), round(change.after)
        who = f"{side} ({player_name(seat, own)})"
        key = "change.side" if change.counts else "change.none"
        arguments: dict[str, Argument] = {"who": who, "before": before, "after": after, "change": after - before}
        said.append(own.sentence(Message(key, arguments)))
    return said
