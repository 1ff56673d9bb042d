"""Labels of the drawings of Ukrainian Crisis."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.drawing.phrases import Phrases, capital, made_once
from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, Stack
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, BOXES, SIDES, GameData, Zone
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.text import Words

SHORT_RANKS = ("small", "medium", "maximum")
"""Resource Cards whose names are shortened on small cards."""


class Labels(Phrases):
    """Labels in one language for the drawings of one ruleset."""

    def __init__(self, words: Words, game: UkrainianCrisis) -> None:
        super().__init__(words, SIDES)
        self.data: GameData = game.data
        self.ranks = game.ranks

    def zone(self, zone: Zone) -> str:
        """Return the name of a zone."""
        return self.words.name("zone", zone.id)

    def place(self, place: str) -> str:
        """Return the name of a box of units ("reserve", "mobilisation") as a heading."""
        return capital(self.words.name("place", place))

    def country(self, country: str) -> str:
        """Return the name of a country."""
        return self.words.name("country", country)

    def box(self, box: int) -> str:
        """Return the name of a box of the relations track, from 1."""
        return self.words.name("box", BOXES[box - 1])

    def area_of(self, area: int) -> str:
        """Return the name of an area of the card matrix."""
        return self.area(AREAS[area])

    def rank(self, rank: int) -> str:
        """Return the name of a Resource Card by its rank, from 1."""
        return self.card(self.ranks[rank - 1])

    def short_rank(self, rank: int) -> str:
        """Return the short name of a Resource Card; a number is short enough."""
        known = self.ranks[rank - 1]
        return self.say(f"crisis.short.{known}") if known in SHORT_RANKS else self.rank(rank)

    def event(self, event: str) -> str:
        """Return the title of an Event Card."""
        return self.words.name("event", event)

    def kind(self, type_: str) -> str:
        """Return the name of a type of unit, for either side."""
        return self.words.sentence(Message(f"kind.{type_}"))

    def stack(self, stack: Stack) -> str:
        """Return a phrase for identical units, with their number."""
        name = self.words.name("unit", stack.unit)
        key = "crisis.units_neutralised" if stack.neutralised else "crisis.units"
        return self.say(key, n=stack.size, unit=name)

    def stacks(self, stacks: Iterable[Stack]) -> list[str]:
        """Return one phrase for each stack."""
        return [self.stack(stack) for stack in stacks]

    def zone_facts(self, position: DrawnPosition, number: int) -> list[str]:
        """Return what a zone is worth and whom it is open to."""
        zone = self.data.zone[number]
        facts = []
        if zone.colour != "none":
            facts.append(self.say(f"crisis.colour.{zone.colour}"))
        if zone.vp:
            facts.append(self.say("crisis.vp", n=zone.vp))
        facts += [self.say(f"crisis.{what}") for what in ("airfield", "port") if getattr(zone, what)]
        if position.union >> number & 1:
            facts.append(self.say("crisis.union"))
        elif zone.home in ("neutral", "closed"):
            facts.append(self.say("crisis.open" if position.opened >> number & 1 else "crisis.closed"))
        elif zone.home == "RU":
            facts.append(self.say("crisis.in_russia"))
        return facts

    def tell_zone(self, position: DrawnPosition, number: int) -> list[str]:
        """Return the tooltip lines of a zone."""
        zone = self.data.zone[number]
        lines = [self.zone(zone)]
        facts = self.zone_facts(position, number)
        if facts:
            lines.append(", ".join(facts))
        controller = position.controller(number)
        if controller is not None:
            lines.append(self.say("crisis.controlled", side=self.sides[controller]))
        elif zone.vp:
            lines.append(self.say("crisis.uncontrolled"))
        for side in (UA, RU):
            if strength := position.strength(number, side):
                lines.append(self.say("crisis.cv_of", side=self.sides[side], n=strength))
            lines += [self._with_value(stack) for stack in position.at(number, side)]
        return lines

    def _with_value(self, stack: Stack) -> str:
        """Return a phrase for identical units, with the Combat Value of each if they can fight."""
        if not stack.cv:
            return self.stack(stack)
        key = "crisis.stack_cv" if stack.size == 1 else "crisis.stack_cv_each"
        return self.say(key, stack=self.stack(stack), cv=stack.cv)


labels_for = made_once(Labels)
