"""Illustrations of the rules: the map, the card matrix, the ladder of relations, a combat."""

from __future__ import annotations

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, el, num, rect
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.ukrainian_crisis.drawing import zone_map
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.layout import LAYOUTS
from brinkmanship.games.ukrainian_crisis.drawing.matrix import matrix
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, Stack, read
from brinkmanship.games.ukrainian_crisis.drawing.relations import relations
from brinkmanship.games.ukrainian_crisis.drawing.units import counters
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text import Words


def illustration(game: UkrainianCrisis, name: str, words: Words, layout: LayoutName = "wide", _coast: str = "") -> str:
    """Return the illustration `name` of the rules: "map", "matrix", "relations", "combat".

    Raises:
        KeyError: there is no such picture.
    """
    labels, plan = labels_for(words, game), LAYOUTS[layout]
    position = read(game, game.view_of(game.new_state(), OBSERVER), OBSERVER)
    ids = f"{name}-"
    drawn, box, told = {
        "map": lambda: (
            Markup(zone_map.patterns(ids) + zone_map.zone_map(labels, position, plan, ids, ())),
            plan.zone_map,
            labels.say("crisis.aria.map"),
        ),
        "matrix": lambda: (matrix(labels, position, plan, ()), plan.matrix, labels.sentence("crisis.matrix")),
        "relations": lambda: (
            relations(labels, position, plan, ()),
            plan.relations,
            labels.sentence("crisis.relations"),
        ),
        "combat": lambda: _combat(labels, position),
    }[name]()
    return el(
        "svg",
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{num(box.x - 2)} {num(box.y - 2)} {num(box.w + 4)} {num(box.h + 4)}",
        class_=f"brink {name}",
        role="img",
        aria_label=told,
        lang=words.language,
    )


def _combat(labels: Labels, position: DrawnPosition) -> tuple[Markup, Box, str]:
    """Draw two Russian Regulars attacking two Ukrainian Irregulars, one of them neutralised, and a Regular (7.33)."""
    by_id = {stack.unit: stack for stacks in position.stacks.values() for stack in stacks}

    def stack(unit: str, count: int, *, neutralised: bool = False) -> Stack:
        data = next(each for each in labels.data.unit if each.id == unit)
        cv = data.cv_neutralised if neutralised else data.cv
        return by_id[unit]._replace(size=count, neutralised=neutralised, cv=cv or 0)

    attackers = [stack("ru_ground", 2)]
    defenders = [stack("ua_ground", 1), stack("ua_militia", 1), stack("ua_militia", 1, neutralised=True)]
    box = Box(0, 0, 344, 84)
    told = ", ".join([*labels.stacks(attackers), *labels.stacks(defenders)])
    drawn = Markup(
        rect(0.5, 0.5, 343, 83, "panel")
        + text(14, 22, labels.sides[1], 13, "b ussr")
        + counters(attackers, 14, 34, (120, 40), scales=(1.3,), middle=False)
        + text(110, 52, "→", 22, "b", "middle")
        + text(140, 22, labels.sides[0], 13, "b us")
        + counters(defenders, 140, 34, (200, 40), scales=(1.3,), middle=False)
    )
    return drawn, box, told
