"""Changes that an action of Ukrainian Crisis makes, in words: Victory Points, Prestige, countries, zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brinkmanship.drawing.overview import becomes
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, read
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import State
from brinkmanship.text import Words


def changes(game: UkrainianCrisis, before: State, after: State, side: int, words: Words) -> Sequence[str]:
    """Implement `Drawing.changes`."""
    labels, now, then = labels_for(words, game), read(game, before, side), read(game, after, side)
    return [*_scores(labels, now, then), *_countries(labels, now, then), *_zones(labels, now, then)]


def standing(game: UkrainianCrisis, view: State, side: int, words: Words) -> Mapping[str, str]:
    """Implement `Drawing.standing`."""
    labels, now = labels_for(words, game), read(game, view, side)
    points = (f"{name} {labels.say('crisis.vp', n=now.scores[owner].zones)}" for owner, name in enumerate(labels.sides))
    prestige = (f"{name} {now.prestige[owner]}" for owner, name in enumerate(labels.sides))
    return {"zones": ", ".join(points), "prestige": ", ".join(prestige)}


def _scores(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    for side, name in enumerate(labels.sides):
        was, will = now.scores[side].total, then.scores[side].total
        if was != will:
            yield f"{name}: {labels.say('crisis.vp', n=becomes(str(was), str(will)))}"
        if now.prestige[side] != then.prestige[side]:
            prestige = becomes(str(now.prestige[side]), str(then.prestige[side]))
            yield labels.say("crisis.prestige_of", side=name, n=prestige)


def _countries(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    for country, was in now.boxes.items():
        will = then.boxes[country]
        if was != will:
            boxes = (labels.box(box) if box else "–" for box in (was, will))
            yield f"{labels.country(country)}: {becomes(*boxes)}"


def _zones(labels: Labels, now: DrawnPosition, then: DrawnPosition) -> Iterator[str]:
    """Yield each zone where a side's Combat Value changes."""
    for number, zone in enumerate(labels.data.zone):
        for side, name in enumerate(labels.sides):
            was, will = now.strength(number, side), then.strength(number, side)
            if was != will:
                yield f"{labels.zone(zone)}: {labels.say('crisis.cv_of', side=name, n=becomes(str(was), str(will)))}"
