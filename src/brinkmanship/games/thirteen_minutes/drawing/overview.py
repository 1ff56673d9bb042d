"""13 Minutes as lines and lists: plays to midnight, Prestige of both sides, battlegrounds by area, the areas."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.overview import (
    Overview,
    OverviewLine,
    OverviewPart,
    OverviewRow,
    Tab,
    becomes,
    facing,
    lit,
    picture,
    warning,
)
from brinkmanship.drawing.svg import NOTHING, Markup, line
from brinkmanship.games.thirteen_minutes.drawing.clock import Play, heading, result_words, strip
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground, DrawnPosition, read
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, State
from brinkmanship.text import Words

_PLACES = 4
"""Free places drawn per side: there is no limit, but more are rarely used."""


def overview(
    game: ThirteenMinutes, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN
) -> Overview:
    """Implement `Drawing.overview`."""
    labels, now = labels_for(words, game.data), read(game, view, side)
    then = read(game, request.ghosts, side) if request.ghosts is not None else now
    can = frozenset(request.highlights)
    near = [told for area in SPHERES for _, told in _near(labels, now, area)]
    return Overview(
        [_clock(labels, now, request.plays), _prestige(labels, now, then)],
        [
            Tab("places", labels.sentence("tab.minutes"), _battlegrounds(labels, now, then, can)),
            Tab(
                "areas",
                labels.sentence("tab.areas"),
                [OverviewPart("", [_area(labels, now, then, area, can) for area in range(N_AREAS)])],
                "; ".join(near),
            ),
        ],
    )


def _clock(labels: Labels, position: DrawnPosition, plays: Sequence[Play]) -> OverviewLine:
    words = heading(labels, position)
    return OverviewLine(words, picture(190, 22, strip(labels, position, plays, Box(0, 0, 190, 22))), words)


def _prestige(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> OverviewLine:
    """Draw each side's supply at its end and, between them, the worth of the battlegrounds as a bar from the middle."""
    wide, high, ends = 166.0, 22.0, 46.0
    unit = (wide / 2 - ends) / 10
    drawn: list[Markup] = [line(wide / 2, 1, wide / 2, high - 1, "line")]
    points = [[_points(labels, position, side) for side in range(2)] for position in (now, then)]
    for side, inward in enumerate((1, -1)):
        at, anchor = (0.0, "start") if side == 0 else (wide, "end")
        drawn.append(icons.cube(side, at + 7 * inward, high / 2, 11))
        drawn.append(text(at + 17 * inward, 16, str(now.supply[side]), 14, f"b {SIDE_CSS[side]}", anchor))
        long = min(points[0][side], 10) * unit
        if long:
            y = high / 2
            drawn.append(line(wide / 2, y, wide / 2 - long * inward, y, f"plot {SIDE_CSS[side]}"))
    sums = [labels.pair(both) for both in points]
    words = result_words(labels, now) if now.over else f"{labels.sentence('prestige.minutes')} {becomes(*sums)}"
    supplies = [f"{labels.sides[side]}: {labels.say('supply.minutes', count=now.supply[side])}" for side in range(2)]
    return OverviewLine(words, picture(wide, high, drawn), ". ".join([words, *supplies]))


def _points(labels: Labels, position: DrawnPosition, side: int) -> int:
    return sum(position.score[side]) if position.is_scored else labels.worth(position, side)


def _battlegrounds(labels: Labels, now: DrawnPosition, then: DrawnPosition, can: frozenset[str]) -> list[OverviewPart]:
    found = []
    for area in range(N_AREAS):
        rows = [_battleground(labels, ground, then.ground(ground.id) or ground, can) for ground in now.lying(area)]
        rows += [_coming(labels, ground) for ground in then.lying(area) if now.ground(ground.id) is None]
        name = labels.area_name(area)
        if rows:
            found.append(OverviewPart(name[:1].upper() + name[1:], rows))
    return found


def _battleground(labels: Labels, now: Battleground, then: Battleground, can: frozenset[str]) -> OverviewRow:
    lead = becomes(_lead(labels, now), _lead(labels, then))
    if then.area != now.area:
        lead = f"{_lead(labels, now)} → {labels.short_area(then.area)}, {_lead(labels, then)}"
    return OverviewRow(
        "place",
        now.id,
        labels.place(now),
        lead,
        (labels.describe_place(now),),
        facing(now.cubes, then.cubes, _PLACES),
        picture(16, 20, icons.kind(now.colour, 1, 4, 13)) if now.colour else NOTHING,
        now.colour or "back",
        now.controller,
        now.id in can,
        (now.area, now.cubes) != (then.area, then.cubes),
    )


def _coming(labels: Labels, ground: Battleground) -> OverviewRow:
    """Return the row of a card that would be played."""
    row = _battleground(labels, ground, ground, frozenset())
    return row._replace(chosen="", shapes=facing((0, 0), ground.cubes, _PLACES), changed=True)


def _lead(labels: Labels, ground: Battleground) -> str:
    us, ussr = ground.cubes
    if us != ussr:
        return labels.say("lead", side=labels.sides[us < ussr], lead=abs(us - ussr))
    return labels.sides[ground.controller] if ground.controller is not None else labels.say("tie")


def _near(labels: Labels, position: DrawnPosition, area: int) -> list[tuple[str, str]]:
    """Return, in words, the DEFCON types of which a sphere has enough cards for war, or all but one."""
    war, side = labels.data.scoring.war_cards, labels.sides[SPHERES[area]]
    return [
        (colour, f"{side}: {labels.tally(position, area, colour)}")
        for colour in COLOURS
        if position.colours(area)[colour] >= war - 1
    ]


def _area(labels: Labels, now: DrawnPosition, then: DrawnPosition, area: int, can: frozenset[str]) -> OverviewRow:
    name, side = labels.area_name(area), SPHERES.get(area)
    count = labels.say("lying", n=len(now.lying(area)))
    tallies = [labels.tally(now, area, colour) for colour in COLOURS] if side is not None else []
    id = labels.data.area[area].id
    return OverviewRow(
        "area",
        id,
        name[:1].upper() + name[1:],
        becomes(str(len(now.lying(area))), str(len(then.lying(area)))),
        (f"{name}: {count}", *tallies),
        _tallies(labels, now, then, area) if side is not None else NOTHING,
        NOTHING,
        f"mercury {SIDE_CSS[side]}" if side is not None else "dot",
        side,
        lit("area", id, can),
        [ground.id for ground in now.lying(area)] != [ground.id for ground in then.lying(area)],
    )


def _tallies(labels: Labels, now: DrawnPosition, then: DrawnPosition, area: int) -> Markup:
    """Draw the number of cards of each DEFCON type in a sphere, with a sign from one before war on."""
    war, x, drawn = labels.data.scoring.war_cards, 0.0, list[Markup]()
    for colour in COLOURS:
        some, will = now.colours(area)[colour], then.colours(area)[colour]
        words = becomes(str(some), str(will))
        drawn += [icons.kind(colour, x, 4, 13), text(x + 16, 16, words, 14, "b")]
        x += 20 + width(words, 14, "b")
        if will >= war - 1:
            drawn.append(warning(x, grave=will >= war))
            x += 20
        x += 5
    return picture(x, 20, drawn)
