"""Ukrainian Crisis as lines and lists: the Turn, Victory Points, zones and boxes of units, countries, the matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.overview import Overview, OverviewLine, OverviewPart, OverviewRow, Tab, becomes, picture
from brinkmanship.drawing.svg import NOTHING, Markup, el, join, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.desks import facts_of, stocks
from brinkmanship.games.ukrainian_crisis.drawing.dice_record import Play
from brinkmanship.games.ukrainian_crisis.drawing.ghosts import more
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.matrix import card_words
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, Stack, read
from brinkmanship.games.ukrainian_crisis.drawing.tracks import said_of
from brinkmanship.games.ukrainian_crisis.drawing.units import listed
from brinkmanship.games.ukrainian_crisis.drawing.zone_map import airfield, port, worth
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, BOXES, Country, Zone
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import Place, State
from brinkmanship.text import Words

_ROOM = 128.0
"""Width of the counters of a row."""


def overview(
    game: UkrainianCrisis, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN
) -> Overview:
    """Return the overview; zones that can be chosen come first, as there are too many zones to see at once."""
    labels, now = labels_for(words, game), read(game, view, side)
    then = read(game, request.ghosts, side) if request.ghosts is not None else now
    can = frozenset(request.highlights)
    zones = [_zone(labels, now, then, zone, number, can) for number, zone in enumerate(labels.data.zone)]
    by_rank = sorted(labels.data.country, key=lambda country: -country.rank)
    return Overview(
        [_turn(labels, now), _points(labels, now, then)],
        [
            Tab(
                "zones",
                labels.sentence("tab.zones"),
                [
                    OverviewPart("", sorted(zones, key=lambda row: not row.can)),
                    *(OverviewPart(labels.sides[owner], _boxes(labels, now, then, owner, can)) for owner in range(2)),
                ],
            ),
            Tab(
                "countries",
                labels.sentence("tab.countries"),
                [OverviewPart("", [_country(labels, now, then, country, can) for country in by_rank])],
            ),
            Tab(
                "cards",
                labels.sentence("tab.cards"),
                [
                    OverviewPart("", [_folder(labels, now, area, can) for area in range(len(AREAS))]),
                    *(OverviewPart(labels.sides[owner], _desk(labels, now, owner)) for owner in range(2)),
                ],
            ),
        ],
    )


def _turn(labels: Labels, position: DrawnPosition) -> OverviewLine:
    words = ", ".join(said_of(labels, position))
    return OverviewLine(words, NOTHING, words)


def _points(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> OverviewLine:
    """Draw the Prestige of both sides in words, and their Victory Points at the two ends of a scale."""
    wide, high = 190.0, 22.0
    drawn: list[Markup] = []
    for side, inward in enumerate((1, -1)):
        at, anchor = (0.0, "start") if side == 0 else (wide, "end")
        points = becomes(str(now.scores[side].total), str(then.scores[side].total))
        drawn.append(icons.cube(side, at + 7 * inward, high / 2, 11))
        words = labels.say("crisis.vp", n=points)
        drawn.append(text(at + 18 * inward, 16, words, 14, f"b {SIDE_CSS[side]}", anchor))
    sums = [labels.pair(position.prestige) for position in (now, then)]
    told = [f"{labels.sides[side]}: {', '.join(facts_of(labels, now, side))}" for side in range(2)]
    words = f"{labels.sentence('crisis.prestige')} {becomes(*sums)}"
    return OverviewLine(words, picture(wide, high, drawn), ". ".join(told))


def _zone(
    labels: Labels, now: DrawnPosition, then: DrawnPosition, zone: Zone, number: int, can: frozenset[str]
) -> OverviewRow:
    was, will = now.stacks.get(number, ()), then.stacks.get(number, ())
    controller = now.controller(number)
    return OverviewRow(
        "place",
        zone.id,
        labels.zone(zone),
        _strengths(labels, now, then, number),
        tuple(labels.tell_zone(now, number)),
        _units(was, will),
        _signs(now, zone, number),
        f"ethnic-{zone.colour}" if zone.colour != "none" else "sunk",
        controller,
        zone.id in can,
        was != will,
    )


def _strengths(labels: Labels, now: DrawnPosition, then: DrawnPosition, place: int) -> str:
    """Return the Combat Values of both sides in a place, and those after the action; a dash if there are none."""
    was, will = _strength(labels, now, place), _strength(labels, then, place)
    return was if was == will else becomes(was or "–", will or "–")


def _strength(labels: Labels, position: DrawnPosition, place: int) -> str:
    """Return the Combat Values of both sides in a place, Ukraine's first; "" if no unit can fight."""
    ua, ru = position.strength(place, 0), position.strength(place, 1)
    return labels.pair((ua, ru)) if ua or ru else ""


def _units(was: Sequence[Stack], will: Sequence[Stack]) -> Markup:
    drawn, high = listed(was, more(tuple(was), tuple(will)), _ROOM)
    return picture(_ROOM + 2, high + 1, drawn) if drawn else NOTHING


def _signs(position: DrawnPosition, zone: Zone, number: int) -> Markup:
    """Draw the hatching of a zone's colour, its Victory Points in the shape of its controller, airfield and port."""
    drawn, x = list[Markup](), 0.0
    if zone.colour != "none":
        drawn.append(_swatch(zone.colour))
        x = 17.0
    if zone.vp:
        drawn.append(worth(position, zone, number, x + 10, 10, 9))
        x += 23
    for has, draw in ((zone.airfield, airfield), (zone.port, port)):
        if has:
            drawn.append(draw(x, 4, 12))
            x += 15
    return picture(x, 20, drawn) if drawn else NOTHING


@cache
def _swatch(colour: str) -> Markup:
    """Draw the hatching of the map, small: red rises, yellow is dotted, orange is both."""
    rising = path("M1 9l5-5M1 15l12-12M7 16l6-6", "ethnic red") if colour != "yellow" else NOTHING
    spots = ((4, 6), (10, 13), (10, 5), (4, 13))
    dots = [el("circle", cx=x, cy=y, r=1.1, class_="ethnic yellow") for x, y in spots] if colour != "red" else []
    return join(rect(0.5, 3.5, 13, 13, f"swatch ethnic-{colour}"), rising, dots)


def _boxes(
    labels: Labels, now: DrawnPosition, then: DrawnPosition, side: int, can: frozenset[str]
) -> list[OverviewRow]:
    """Return the rows of a side's units in Reserve and Mobilisation."""
    mover = now.side if now.side in (0, 1) else -1
    whose = 1 - mover if now.names_enemy_units else mover
    rows = []
    for place, id in ((Place.RESERVE, "reserve"), (Place.MOBILISATION, "mobilisation")):
        was, will = now.at(place, side), then.at(place, side)
        name = labels.place(id)
        rows.append(
            OverviewRow(
                "place",
                id,
                name,
                becomes(str(sum(stack.size for stack in was)), str(sum(stack.size for stack in will))),
                (f"{name}, {labels.sides[side]}", *labels.stacks(was)),
                _units(was, will),
                NOTHING,
                f"mercury {SIDE_CSS[side]}",
                None,
                id in can and whose == side,
                was != will,
                SIDE_CSS[side],
            )
        )
    return rows


def _country(
    labels: Labels, now: DrawnPosition, then: DrawnPosition, country: Country, can: frozenset[str]
) -> OverviewRow:
    """Return the row of a country on the relations track, which is read from Neutrality to Intervention."""
    was, will, step = now.boxes[country.id], then.boxes[country.id], 26.0
    drawn = [rect(n * step + 1, 1, step, 18, "panel" if n + 1 == was else "sunk") for n in range(len(BOXES))]
    for box, css in ((was, "inkfill"), (will, "way")):
        if box and (css == "inkfill" or was != will):
            drawn.append(el("circle", cx=(box - 0.5) * step + 1, cy=10, r=6, class_=css))
    name = labels.country(country.id)
    box_of = [labels.box(box) if box else "–" for box in (was, will)]
    return OverviewRow(
        "track",
        country.id,
        f"{name} · {country.rank}",
        becomes(*box_of),
        (labels.say("crisis.country", country=name, rank=country.rank, box=box_of[0]),),
        picture(len(BOXES) * step + 2, 20, drawn),
        can=country.id in can,
        changed=was != will,
    )


def _folder(labels: Labels, position: DrawnPosition, area: int, can: frozenset[str]) -> OverviewRow:
    """Return the row of an area of the card matrix with a card of each side."""
    cards = [card_words(labels, position, side, area) for side in range(2)]
    place = f"{position.order.index(area) + 1}. " if area in position.order else ""
    now = position.area == area and position.face_up[area]
    return OverviewRow(
        "track",
        AREAS[area],
        place + labels.sentence(f"crisis.area.{AREAS[area]}"),
        " : ".join(cards),
        (labels.area_of(area), *(f"{labels.sides[side]}: {card}" for side, card in enumerate(cards))),
        band="inkfill" if now else "",
        can=AREAS[area] in can,
    )


def _desk(labels: Labels, position: DrawnPosition, side: int) -> list[OverviewRow]:
    """Return the rows of a side's points, the Event Card it holds, and the Resource Cards it has left."""
    known = position.held_known[side]
    event = labels.say("crisis.event_held") if position.held[side] else labels.say("crisis.no_event")
    held = labels.event(known) if known else event
    facts = [*facts_of(labels, position, side), held, ", ".join(stocks(labels, position, side))]
    return [
        OverviewRow("", f"fact-{SIDE_CSS[side]}-{at}", fact[:1].upper() + fact[1:], "", (fact,))
        for at, fact in enumerate(facts)
    ]
