"""The text of a card of 13 Days, written from the same effects that the game carries out.

A card text addresses the actor ("Place up to 3 US cubes ..."); if the other side decides, it names the decider
("The USSR may ..."). All grammar is in the catalogues: this module only selects the keys and passes the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.games.cuban.words.cards import event_text
from brinkmanship.games.cuban.words.places import Board
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS, Agenda, Card, GameData
from brinkmanship.text.words import Words


def board_of(data: GameData) -> Board:
    """Return the battlegrounds in the form that sentences need."""
    groups = {track: tuple(b.id for b in data.battleground if b.track == track) for track in TRACKS}
    return Board(BATTLEGROUNDS, groups, data.limits.cubes_per_battleground, ("cuba_military", "cuba_political"))


def card_text(data: GameData, card: Card, words: Words) -> str:
    """Return the text of a card's event; see `brinkmanship.games.cuban.words.cards.event_text`."""
    return event_text(board_of(data), card, words)


def card_notes(card: Card, words: Words) -> tuple[str, ...]:
    """Return notes on the event: whether the card has the DEFCON symbol, and its meaning (R14)."""
    return (words.sentence(Message("note.icon" if card.defcon_icon else "note.no_icon")),)


def agenda_text(data: GameData, agenda: Agenda, words: Words) -> str:
    """Return the text of an agenda: the Prestige of each side, and the effect of its DEFCON symbol."""
    sentences = [_award(agenda)]
    if agenda.defcon_icon and "defcon_2" in data.areas:
        sentences.append(Message("agenda.icon", {"area": Ref("area", "defcon_2")}))
    return " ".join(words.sentence(Message("full_stop", {"what": sentence})) for sentence in sentences)


def _award(agenda: Agenda) -> Message:
    if agenda.kind == "letter":
        return Message("agenda.letter", {"n": agenda.award})
    award = Message("award.distance" if agenda.kind == "track" else "award.difference")
    if agenda.bonus:
        award = Message("award.plus", {"award": award, "bonus": agenda.bonus})
    if agenda.connected:
        award = Message("award.connected", {"award": award, "places": _battlegrounds(agenda.connected)})
    place: dict[str, Argument] = {"award": award}
    if agenda.kind == "track":
        return Message("agenda.track", {"track": Ref("track", agenda.track or ""), **place})
    return Message("agenda.battleground", {"place": Ref("battleground", agenda.battleground or ""), **place})


def _battlegrounds(ids: Sequence[str]) -> tuple[Ref, ...]:
    return tuple(Ref("battleground", id) for id in ids)
