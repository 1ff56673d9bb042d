"""Changes that an action of 13 Minutes makes, in words: Prestige, battlegrounds, colours in the spheres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brinkmanship.drawing.overview import becomes
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground, DrawnPosition, read
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import State
from brinkmanship.text import Words


def changes(game: ThirteenMinutes, before: State, after: State, side: int, words: Words) -> Sequence[str]:
    """Implement `Drawing.changes`."""
    labels, now, then = labels_for(words, game.data), read(game, before, side), read(game, after, side)
    return [*_prestige(labels, now, then), *_battlegrounds(labels, now, then), *_colours(labels, now, then)]


def standing(game: ThirteenMinutes, view: State, side: int, words: Words) -> Mapping[str, str]:
    """Implement `Drawing.standing`."""
    labels, now = labels_for(words, game.data), read(game, view, side)
    worth = (f"{name} {labels.worth(now, owner)}" for owner, name in enumerate(labels.sides))
    own = {owner: [labels.tally(now, area, colour) for colour in COLOURS] for area, owner in SPHERES.items()}
    tallies = {owner: f"{labels.sides[owner]}: {', '.join(said)}" for owner, said in own.items()}
    return {"battlegrounds": ", ".join(worth), "peace": tallies[side], "threat": tallies[1 - side]}


def _prestige(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield the Prestige that each side's battlegrounds are worth, if it changes."""
    was, will = ([labels.worth(position, side) for side in range(2)] for position in (now, then))
    if was != will:
        sums = (f"{name} {becomes(str(was[side]), str(will[side]))}" for side, name in enumerate(labels.sides))
        yield f"{labels.sentence('prestige')}: {', '.join(sums)}"


def _battlegrounds(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    for ground in then.grounds:
        was = now.ground(ground.id)
        if was is None:
            continue
        if was.cubes != ground.cubes:
            yield f"{labels.place(ground)}: {becomes(_lead(labels, was), _lead(labels, ground))}"
        elif was.area != ground.area:
            yield f"{labels.place(ground)} → {labels.area_name(ground.area)}"


def _colours(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield how near a sphere is to war by a colour of which it has more cards than before.

    Of a war in the side's own sphere the narrator warns.
    """
    for area, owner in SPHERES.items():
        for colour in COLOURS:
            was, will = now.colours(area)[colour], then.colours(area)[colour]
            if will > was and not (owner == then.side and will >= labels.data.scoring.war_cards):
                yield f"{labels.sides[owner]}: {labels.tally(then, area, colour)}"


def _lead(labels: Labels, ground: Battleground) -> str:
    us, ussr = ground.cubes
    if us == ussr:
        return labels.control(ground)
    return labels.say("lead", side=labels.sides[us < ussr], lead=abs(us - ussr))
