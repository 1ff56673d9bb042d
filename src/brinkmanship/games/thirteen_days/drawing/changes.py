"""Changes that an action of 13 Days makes, in words: dangers, Prestige, leads, DEFCON markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brinkmanship.drawing.overview import becomes
from brinkmanship.games.thirteen_days.drawing.battleground import flags_at
from brinkmanship.games.thirteen_days.drawing.danger import danger
from brinkmanship.games.thirteen_days.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition, read
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words


def changes(game: ThirteenDays, before: State, after: State, side: int, words: Words) -> Sequence[str]:
    """Implement `Drawing.changes`."""
    labels, now, then = labels_for(words, game.data), read(game, before, side), read(game, after, side)
    found = [*_agenda(labels, now, then), *_prestige(labels, now, then), *_leads(labels, now, then)]
    return [*found, *_markers(labels, now, then), *_dangers(labels, now, then)]


def standing(game: ThirteenDays, view: State, side: int, words: Words) -> Mapping[str, str]:
    """Implement `Drawing.standing`."""
    labels, now = labels_for(words, game.data), read(game, view, side)
    dangers = [(name, danger(labels, now, owner)) for owner, name in enumerate(labels.sides)]
    said = "; ".join(f"{name}: {found.words}" for name, found in dangers if found.level)
    return {
        "defcon": said or labels.say("danger.none"),
        "prestige": _lead(labels, now.prestige),
        "letter": labels.sides[now.letter],
    }


def _agenda(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield how things stand where a newly chosen agenda is scored."""
    chosen = then.chosen[then.side]
    if now.chosen[then.side] is not None or chosen is None:
        return
    spot = next(agenda.flag for agenda in labels.data.agenda if agenda.id == chosen)
    if spot in BATTLEGROUNDS:
        yield f"{labels.place(spot)}: {_lead(labels, now.lead(spot))}{_flags(labels, now, spot)}"
    elif spot in TRACKS:
        steps = (f"{name} {step}" for name, step in zip(labels.sides, now.markers[spot], strict=True))
        yield f"DEFCON, {labels.kind(spot)}: {', '.join(steps)}{_flags(labels, now, spot)}"
    else:
        yield f"{labels.sentence('letter')}: {labels.sides[now.letter]}"


def _dangers(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield the danger of each side that is nearer to war than before."""
    for side, name in enumerate(labels.sides):
        was, will = danger(labels, now, side), danger(labels, then, side)
        if will.level > was.level:
            yield f"{name}: {will.words}"


def _prestige(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    if now.prestige != then.prestige:
        yield f"{labels.sentence('prestige')}: {becomes(_lead(labels, now.prestige), _lead(labels, then.prestige))}"
    if now.letter != then.letter:
        yield f"{labels.sentence('letter')}: {labels.sides[then.letter]}"


def _leads(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield each battleground with other cubes."""
    for place in BATTLEGROUNDS:
        if now.cubes[place] == then.cubes[place]:
            continue
        leads = becomes(_lead(labels, now.lead(place)), _lead(labels, then.lead(place)))
        yield f"{labels.place(place)}: {leads}{_flags(labels, then, place)}"


def _markers(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    for track in TRACKS:
        for side, name in enumerate(labels.sides):
            was, will = now.markers[track][side], then.markers[track][side]
            if was == will:
                continue
            area = labels.area_of(will)
            entered = f", {labels.area(area)}" if area != labels.area_of(was) else ""
            yield f"DEFCON, {labels.kind(track)}: {name} {was} → {will}{entered}"


def _flags(labels: Labels, position: DrawnPosition, spot: str) -> str:
    """Return, in brackets, that the opponent may have an agenda there; "" if not."""
    flags = dict.fromkeys(title for owner, _, title, _ in flags_at(labels, position, spot) if owner != position.side)
    return f" ({', '.join(flags)})" if flags else ""


def _lead(labels: Labels, lead: int) -> str:
    return labels.say("lead", side=labels.sides[0 if lead > 0 else 1], lead=abs(lead)) if lead else labels.say("tie")
