"""13 Days as lines and lists: the round as a strip, Prestige as a rope, nine battlegrounds, three DEFCON tracks."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.drawing import icons
from brinkmanship.drawing.board_request import PLAIN, BoardRequest
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.overview import (
    Overview,
    OverviewLine,
    OverviewPart,
    OverviewRow,
    Tab,
    becomes,
    facing,
    picture,
    warning,
)
from brinkmanship.drawing.svg import NOTHING, Markup, join, line, num, path, rect
from brinkmanship.games.thirteen_days.drawing.battleground import flags_at, track_of
from brinkmanship.games.thirteen_days.drawing.calendar import Play, heading, this_round
from brinkmanship.games.thirteen_days.drawing.danger import danger
from brinkmanship.games.thirteen_days.drawing.deciding import decides_prestige, ring, to_war
from brinkmanship.games.thirteen_days.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition, read
from brinkmanship.games.thirteen_days.drawing.prestige import result_words, tags_of
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words


def overview(game: ThirteenDays, view: State, side: int, words: Words, request: BoardRequest[Play] = PLAIN) -> Overview:
    """Return the overview; see `Drawing.overview`."""
    labels, now = labels_for(words, game.data), read(game, view, side)
    then = read(game, request.ghosts, side) if request.ghosts is not None else now
    can = frozenset(request.highlights)
    dangers = [danger(labels, now, owner) for owner in range(2)]
    grave = [f"{labels.sides[owner]}: {found.words}" for owner, found in enumerate(dangers) if found.level]
    lines = [_calendar(labels, now, request.plays), _prestige(labels, now, then)]
    lines += [_in_force(labels, now)] if any(tags_of(labels, now, owner) for owner in range(2)) else []
    return Overview(
        lines,
        [
            Tab(
                "places",
                labels.sentence("tab.days"),
                [OverviewPart("", [_battleground(labels, now, then, place, can) for place in BATTLEGROUNDS])],
            ),
            Tab(
                "tracks",
                "DEFCON",
                [
                    OverviewPart("", [_track(labels, now, then, track, can) for track in TRACKS]),
                    OverviewPart(labels.sentence("checked"), [_danger(labels, now, then, owner) for owner in range(2)]),
                ],
                "; ".join(grave),
            ),
        ],
    )


def _calendar(labels: Labels, position: DrawnPosition, plays: Sequence[Play]) -> OverviewLine:
    words = heading(labels, position)
    return OverviewLine(words, picture(192, 24, this_round(labels, position, plays, Box(0, 0, 192, 24))), words)


def _prestige(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> OverviewLine:
    """Return a line with each side's supply and letter at its end of the rope, the knot between them."""
    most, high, ends, wide = labels.data.limits.prestige_lead_max, 24.0, 60.0, 204.0
    half = (wide - 2 * ends) / 2

    def x(value: int) -> float:
        return wide / 2 - max(-most, min(most, value)) * half / most

    def knot(value: int, css: str = "") -> Markup:
        if value:
            return icons.cube(0 if value > 0 else 1, x(value), high / 2, 13, css)
        return line(wide / 2, 4, wide / 2, high - 4, "round")

    drawn = [line(x(most), high / 2, x(-most), high / 2, "rope"), line(x(most), high / 2, x(-most), high / 2, "strand")]
    drawn.append(knot(now.prestige))
    drawn.append(ring(decides_prestige(now), x(now.prestige), high / 2, 13))
    if then.prestige != now.prestige:
        drawn.append(knot(then.prestige, "g"))
    for side, (at, anchor) in enumerate(((0.0, "start"), (wide, "end"))):
        inward = 1 if side == 0 else -1
        drawn.append(icons.cube(side, at + 7 * inward, high / 2, 11))
        drawn.append(text(at + 17 * inward, 17, str(now.supply[side]), 14, f"b {SIDE_CSS[side]}", anchor))
        if now.letter == side:
            drawn.append(icons.envelope(at + 36 if side == 0 else at - 56, 5, 20))
    words = result_words(labels, now) if now.over else _leads(labels, now, then)
    supplies = [f"{labels.sides[side]}: {labels.say('supply', count=now.supply[side])}" for side in range(2)]
    letter = f"{labels.sentence('letter')}: {labels.sides[now.letter]}"
    told = [f"{labels.sentence('prestige')}: {words}", *supplies, letter]
    return OverviewLine(words, picture(wide, high, drawn), ". ".join(told))


def _leads(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> str:
    if now.prestige != then.prestige:
        return becomes(_lead(labels, now), _lead(labels, then))
    return labels.lead(now.prestige) if now.prestige else f"{labels.sentence('prestige')}: {labels.say('even')}"


def _lead(labels: Labels, position: DrawnPosition) -> str:
    if position.prestige == 0:
        return labels.say("even")
    return labels.say("lead", side=labels.sides[0 if position.prestige > 0 else 1], lead=abs(position.prestige))


def _in_force(labels: Labels, position: DrawnPosition) -> OverviewLine:
    """Return the effects in force for the rest of the round."""
    tags = [tags_of(labels, position, side) for side in range(2)]
    said = [f"{labels.sides[side]}: {', '.join(own)}" for side, own in enumerate(tags) if own]
    return OverviewLine("; ".join(said), NOTHING, "; ".join(said))


def _battleground(
    labels: Labels, now: DrawnPosition, then: DrawnPosition, place: str, can: frozenset[str]
) -> OverviewRow:
    track = track_of(labels, place)
    leads = [_local_lead(labels, position, place) for position in (now, then)]
    flags = flags_at(labels, now, place)
    told = [labels.describe_place(now, place, track), *(title for _, _, title, _ in flags)]
    bonus = next(b.bonus for b in labels.data.battleground if b.id == place)
    if bonus is not None:
        told.append(f"{labels.say('opinion_when')} {labels.say(f'bonus.{bonus}')}")
    return OverviewRow(
        "place",
        place,
        labels.place(place),
        becomes(*leads),
        tuple(told),
        facing(now.cubes[place], then.cubes[place], labels.data.limits.cubes_per_battleground),
        _signs(track, flags),
        track,
        now.leader(place),
        place in can,
        now.cubes[place] != then.cubes[place],
    )


def _local_lead(labels: Labels, position: DrawnPosition, place: str) -> str:
    lead = position.lead(place)
    return labels.say("lead", side=labels.sides[0 if lead > 0 else 1], lead=abs(lead)) if lead else labels.say("tie")


def _signs(track: str, flags: list[tuple[int, int, str, bool]]) -> Markup:
    """Draw the shape of the kind, then the agenda flags."""
    step = 17
    drawn = [icons.kind(track, 1, 4, 13)]
    drawn += [icons.flag(side, 20 + at * step, 19, title, mine=mine) for at, (side, _, title, mine) in enumerate(flags)]
    return picture(19 + step * len(flags), 20, drawn)


def _track(labels: Labels, now: DrawnPosition, then: DrawnPosition, track: str, can: frozenset[str]) -> OverviewRow:
    steps = [becomes(str(now.markers[track][side]), str(then.markers[track][side])) for side in range(2)]
    flags = flags_at(labels, now, track)
    worst = max(now.markers[track])
    return OverviewRow(
        "track",
        track,
        labels.kind(track)[:1].upper() + labels.kind(track)[1:],
        f"{labels.sides[0]} {steps[0]}, {labels.sides[1]} {steps[1]}",
        (labels.describe_track(now, track), *(title for _, _, title, _ in flags)),
        _bar(labels, now, then, track),
        _signs(track, flags),
        f"danger-{labels.area_of(worst).rsplit('_', 1)[-1]}-ink",
        None,
        track in can,
        now.markers[track] != then.markers[track],
    )


def _bar(labels: Labels, now: DrawnPosition, then: DrawnPosition, track: str) -> Markup:
    """Draw a horizontal thermometer: the US marker on its upper edge, the USSR's on its lower."""
    last, ids = labels.data.limits.defcon_max, f"row-{track}-"
    step, top, high = 17.0, 13.0, 16.0
    drawn: list[Markup] = [icons.patterns(ids)]
    for area, inside in labels.data.areas.items():
        number = area.rsplit("_", 1)[-1]
        box = ((min(inside) - 1) * step + 8, top, len(inside) * step, high)
        drawn.append(rect(*box, f"danger-{number}"))
        if pattern := {"1": "hatch", "2": "dots"}.get(number):
            drawn.append(rect(*box, "", fill=f"url(#{ids}{pattern})"))
    drawn.append(rect(8, top, last * step, high, "frame"))
    drawn += [
        text((n - 0.5) * step + 8, top + high / 2 + 4.5, str(n), 13, "halo", "middle") for n in range(1, last + 1)
    ]
    for side, y in enumerate((top - 4, top + high + 4)):
        was, will = now.markers[track][side], then.markers[track][side]
        x = (was - 0.5) * step + 8
        drawn.append(icons.cube(side, x, y, 12))
        drawn.append(ring(track in to_war(labels, now, side), x, y, 12))
        if was != will:
            to = (will - 0.5) * step + 8
            drawn.append(path(f"M{num(x)} {num(y)}H{num(to)}", "way"))
            drawn.append(icons.cube(side, to, y, 12, "g"))
    return picture(last * step + 16, 2 * top + high, join(drawn))


def _danger(labels: Labels, now: DrawnPosition, then: DrawnPosition, side: int) -> OverviewRow:
    found = danger(labels, then, side)
    sign = warning(0, grave=found.level > 1) if found.level else NOTHING
    told = f"{labels.sides[side]}: {found.words}"
    return OverviewRow(
        "", f"danger-{SIDE_CSS[side]}", labels.sides[side], found.words, (told,),
        signs=picture(18, 20, sign) if found.level else NOTHING, side=side,
        changed=found != danger(labels, now, side),
    )  # fmt: skip
