"""The pictograms of the cards and agendas of 13 Days."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.drawing import pictogram_icons as m
from brinkmanship.drawing.pictogram import LegendEntry, PictogramLine, Token
from brinkmanship.games.cuban.pictogram_events import EventLines, explained
from brinkmanship.games.thirteen_days.drawing.labels import labels_for
from brinkmanship.games.thirteen_days.rules.data import TRACKS, Agenda, Card, GameData
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.text import Words


def pictogram(game: ThirteenDays, kind: str, id: str) -> list[PictogramLine]:
    """Return the marks of a strategy card or an agenda by its id; see `Drawing.pictogram`."""
    if kind == "agenda":
        return agenda_lines(game.data, next(a for a in game.data.agenda if a.id == id))
    return card_lines(game.data, next(c for c in game.data.card if c.id == id))


def card_lines(data: GameData, card: Card) -> list[PictogramLine]:
    """Return the marks of an event."""
    return _events(data, card.side).lines(card.effects)


def agenda_lines(data: GameData, agenda: Agenda) -> list[PictogramLine]:
    """Return the places or track of an agenda and the way its Prestige is counted, as marks."""
    if agenda.kind == "letter":
        return [PictogramLine((m.ink("letter"), m.ink("arrow"), m.number(f"+{agenda.award}"), m.ink("prestige")))]
    events = _events(data, "un")
    where = m.thermometer(agenda.track or "") if agenda.kind == "track" else events.place(agenda.battleground or "")
    tokens: list[Token] = [where, m.ink("crown"), m.ink("arrow"), m.ink("apart")]
    if agenda.bonus:
        tokens.append(m.number(f"+{agenda.bonus}"))
    for place in agenda.connected:
        tokens += [m.number("+1"), m.boxed_crown(events.place(place))]
    return [PictogramLine((*tokens, m.ink("prestige")))]


def explain(game: ThirteenDays, words: Words, keys: Iterable[str]) -> list[LegendEntry]:
    """Return the legend of marks; see `Drawing.explain`."""
    return explained(keys, labels_for(words, game.data))


def _events(data: GameData, side: str) -> EventLines:
    return EventLines(side, TRACKS, {place.id: place.track for place in data.battleground}, data.areas)
