"""13 Days in words: the round, battlegrounds by kind, DEFCON tracks, both sides."""

from __future__ import annotations

from brinkmanship.drawing.board_text import TextSection, TextTable, cell
from brinkmanship.drawing.phrases import capital
from brinkmanship.games.thirteen_days.drawing.atlas import connections
from brinkmanship.games.thirteen_days.drawing.battleground import flags_at, track_of
from brinkmanship.games.thirteen_days.drawing.calendar import heading
from brinkmanship.games.thirteen_days.drawing.danger import danger
from brinkmanship.games.thirteen_days.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition, read
from brinkmanship.games.thirteen_days.drawing.prestige import result_words, tags_of
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words


def board_text(game: ThirteenDays, view: State, side: int, words: Words) -> list[TextSection]:
    """Return the position in words; see `Drawing.board_text`."""
    labels, position = labels_for(words, game.data), read(game, view, side)
    return [
        TextSection(labels.sentence("text.state"), tuple(_state(labels, position))),
        TextSection(
            labels.sentence("tab.days"),
            tables=tuple(_battlegrounds(labels, position, kind) for kind in TRACKS),
        ),
        TextSection(labels.sentence("text.tracks"), _dangers(labels, position), (_tracks(labels, position),)),
        TextSection(labels.sentence("text.sides"), tables=(_sides(labels, position),)),
    ]


def _state(labels: Labels, position: DrawnPosition) -> list[str]:
    prestige = labels.lead(position.prestige) if position.prestige else labels.say("even")
    piles = (("deck", position.deck), ("discard", position.discard), ("aftermath", position.aftermath))
    result = [result_words(labels, position)] if position.over else []
    limits = labels.data.limits
    return [
        *result,
        f"{labels.sentence('round', round=min(position.round_number, limits.rounds))}, {heading(labels, position)}",
        f"{labels.sentence('prestige')}: {prestige}",
        f"{labels.sentence('letter')}: {labels.sides[position.letter]}",
        capital(", ".join(f"{labels.say(pile)} {count}" for pile, count in piles)),
    ]


def _battlegrounds(labels: Labels, position: DrawnPosition, kind: str) -> TextTable:
    columns = (labels.sentence("text.place.days"), *labels.sides)
    columns += tuple(labels.sentence(f"text.{column}") for column in ("lead", "stake", "flags"))
    there = [place for place in BATTLEGROUNDS if track_of(labels, place) == kind]
    rows = tuple(_battleground(labels, position, place) for place in there)
    return TextTable(capital(labels.kind(kind)), columns, rows)


def _battleground(labels: Labels, position: DrawnPosition, place: str) -> tuple[str, ...]:
    us, ussr = position.cubes[place]
    lead = cell([labels.lead(us - ussr)] if us or ussr else [])
    stake = cell([*_bonus(labels, place), *_agendas(labels, place)])
    return labels.place(place), str(us), str(ussr), lead, stake, _flags(labels, position, place)


def _bonus(labels: Labels, place: str) -> list[str]:
    bonus = next(found.bonus for found in labels.data.battleground if found.id == place)
    return [] if bonus is None else [labels.say("tell.gain", gain=labels.say(f"bonus.{bonus}"))]


def _agendas(labels: Labels, place: str) -> list[str]:
    """Return what an agenda adds to a lead there, and for leading in a connected place as well."""
    own = (found for found in labels.data.agenda if found.battleground == place and not found.connected)
    bonuses = [labels.say("tell.agenda", bonus=labels.words.signed(found.bonus)) for found in own if found.bonus]
    return bonuses + [
        labels.say("tie_bonus", bonus=labels.words.signed(bonus), one=labels.place(one), other=labels.place(other))
        for one, other, bonus in connections(labels)
        if place in (one, other)
    ]


def _flags(labels: Labels, position: DrawnPosition, spot: str) -> str:
    """Return the sides with an agenda flag on a battleground or track."""
    chosen = labels.say("chosen_agenda")
    return cell(
        labels.sides[owner] + (f" ({chosen})" if mine else "") for owner, _, _, mine in flags_at(labels, position, spot)
    )


def _tracks(labels: Labels, position: DrawnPosition) -> TextTable:
    columns = (labels.sentence("text.track"), *labels.sides, labels.sentence("text.flags"))
    return TextTable("", columns, tuple(_track(labels, position, track) for track in TRACKS))


def _track(labels: Labels, position: DrawnPosition, track: str) -> tuple[str, ...]:
    us, ussr = (f"{step} ({labels.area(labels.area_of(step))})" for step in position.markers[track])
    return capital(labels.kind(track)), us, ussr, _flags(labels, position, track)


def _dangers(labels: Labels, position: DrawnPosition) -> tuple[str, ...]:
    return tuple(f"{labels.sides[side]}: {danger(labels, position, side).words}" for side in range(2))


def _sides(labels: Labels, position: DrawnPosition) -> TextTable:
    keys = ("side", "supply", "hand", "agenda", "in_force")
    columns = tuple(labels.sentence(f"text.{key}") for key in keys)
    return TextTable("", columns, tuple(_side(labels, position, side) for side in range(2)))


def _side(labels: Labels, position: DrawnPosition, side: int) -> tuple[str, ...]:
    chosen = position.chosen[side]
    agenda = [labels.words.name("agenda", chosen)] if chosen else []
    facts = (str(position.supply[side]), str(position.hand[side]), cell(agenda), cell(tags_of(labels, position, side)))
    return (labels.sides[side], *facts)
