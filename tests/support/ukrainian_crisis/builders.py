"""Positions of Ukrainian Crisis for tests: a Turn begun from any set-up, played by the texts of actions.

    p = Position(prestige=(16, 32), boxes={"GB": "support"})
    p.open_turn(ua="small small small", ru="small small small")
    p.play("area diplomatic", "area military", "roll 5", "roll 1", "first ua", "up GB", "rp 3", "prestige 4", "sum 5")
    assert p.box("GB") == "intervention"

Steps of the rules are taken, and event windows passed, unless the next text says otherwise. Both sides' secret answers
are written with the side before them ("ua: declare combat").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.data import BOXES, COUNTRIES, EVENTS, MAX_UNITS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis

SIDES = ("ua", "ru")
SMALL = "small small small"
MEDIUM = "medium medium medium"
Options = Mapping[str, str | bool]


@cache
def _game(options: tuple[tuple[str, str | bool], ...]) -> UkrainianCrisis:
    return UkrainianCrisis.load(options=dict(options))


def game(options: Options | None = None) -> UkrainianCrisis:
    """A ruleset over the package's scenario."""
    return _game(tuple(sorted((options or {}).items())))


class Position:
    """A game that begins with chosen Prestige (Ukraine, Russia), boxes, units and Turn.

    Units are written as {"DON": "ru_militia ru_militia ua_ground*"}, a star for a neutralised one; places are zones,
    "reserve" and "mobilisation". Units not named are where they are at the start, or, with units given, nowhere.
    """

    def __init__(
        self,
        options: Options | None = None,
        prestige: tuple[int, int] = (16, 32),
        boxes: Mapping[str, str] | None = None,
        units: Mapping[str, str] | None = None,
        turn: int = 2,
        opened: str = "",
        combat_turns: int = 0,
    ) -> None:
        self.game = game(options)
        self.rules = self.game.rules
        self.texts = self.game.action_texts
        self.state = self.game.new_state()
        self.state.turn = turn
        self.state.combat_turns = combat_turns
        self.state.prestige[:] = prestige
        for country, box in (boxes or {}).items():
            self.state.box[COUNTRIES.index(country)] = BOXES.index(box) + 1
        for zone in opened.split():
            self.state.opened |= 1 << self.game.data.zone_index(zone)
        if units is not None:
            self._put(units)

    def _put(self, units: Mapping[str, str]) -> None:
        entries: dict[str, list[int]] = {unit.id: [] for unit in self.game.data.unit}
        for place, stacks in units.items():
            for stack in stacks.split():
                entries[stack.rstrip("*")].append(self._place(place) * s.PLACE + stack.endswith("*"))
        self.state.unit[:] = s.Place.NOWHERE
        first = 0
        for unit in self.game.data.unit:
            # Counters that take no part wait in Reserve as the rules have it, sorted behind those on the map.
            rest = [s.Place.RESERVE * s.PLACE] * (unit.count - len(entries[unit.id]))
            self.state.unit[first : first + unit.count] = sorted(entries[unit.id] + rest)
            first += unit.count
        assert first <= MAX_UNITS

    def _place(self, place: str) -> int:
        boxes = {"reserve": s.Place.RESERVE, "mobilisation": s.Place.MOBILISATION}
        return boxes[place] if place in boxes else self.game.data.zone_index(place)

    # Playing.

    @property
    def actor(self) -> int:
        return int(self.game.actor(self.rules, self.state))

    def legal(self, side: str | None = None) -> set[str]:
        """The texts of what the side that is asked (or this side) may do, or of what chance may."""
        if side is None and self.actor == CHANCE:
            return {self.texts[action] for action in self.game.distribution(self.state)}
        who = self.actor if side is None else SIDES.index(side)
        return {self.texts[action] for action in self.game.legal_actions(self.state, who)}

    def pass_on(self, text: str = "") -> None:
        """Take the steps of the rules and pass the event windows up to the next other question."""
        while self.actor != OVER:
            if self.game.is_rules_step(self.state):
                if text in self.legal():
                    return
                self._take(next(iter(self.game.distribution(self.state))))
            elif self.state.node == s.Node.WINDOW and text not in self.legal() - {"done"}:
                self._take(self.game.parse_action("done", self.actor))
            else:
                return

    def play(self, *texts: str, stop_at_windows: bool = False) -> Position:
        """Take these actions in order, passing event windows only on the way to something else."""
        for written in texts:
            side, _, text = written.rpartition(": ")
            self.pass_on(text)
            who = SIDES.index(side) if side else self.actor
            action = self.game.parse_action(text, who)
            possible = self.legal(side or None)
            if text not in possible:
                raise IllegalActionError(f"{text!r} is not possible here: {sorted(possible)[:30]}")
            self._take(action)
        if not stop_at_windows:
            self.pass_on()
        return self

    def _take(self, action: int) -> None:
        self.game.apply(self.rules, self.state, action)

    def draw(self, ua: str = "united_for_ukraine", ru: str = "flight_370") -> Position:
        """S1: each side draws this Event Card; what it asks then comes next."""
        assert self.state.node == s.Node.DRAW_EVENT
        for event in (ua, ru):
            self._take(self.game.parse_action(f"draw {event}", CHANCE))
        return self

    def place(self, ua: str, ru: str) -> Position:
        """S4, and on Turn 1 up to the order of the areas."""
        return self.play(f"ua: place {ua}", f"ru: place {ru}")

    def open_turn(self, ua: str = SMALL, ru: str = SMALL, combat: str = "") -> Position:
        """Draw cards without effect, place these Resource Cards, and let the sides named declare a Combat Turn."""
        if self.state.node == s.Node.DRAW_EVENT:
            self.draw()
        self.place(ua, ru)
        if self.state.node == s.Node.DECLARE:
            for side in SIDES:
                self.play(f"{side}: declare {'combat' if side in combat.split() else 'strategic'}")
        return self

    def open_area(self, area: str, ua: str = SMALL, ru: str = SMALL) -> Position:
        """A Strategic Turn up to this area, which is the first of the order."""
        self.open_turn(ua, ru)
        areas = [area, *({"military", "diplomatic", "information"} - {area})]
        return self.play(f"area {areas[0]}", f"area {areas[1]}")

    def to_operations(self, first: str = "information") -> Position:
        """Through both areas of a Combat Turn, without acting there, to the first Operational Segment."""
        self.play(f"area {first}")
        while self.state.step == s.Step.RESOLVE_AREAS:
            self.play("first ru" if self.state.node == s.Node.WHO_FIRST else "done")
        return self

    def open_half(self, side: str, points: int, ua: str = SMALL, ru: str = SMALL) -> Position:
        """A Combat Turn up to this side's first half, with so many points left from its roll."""
        self.open_turn(ua, ru, combat="ua ru").to_operations()
        while self.actor != CHANCE or self.state.drawer != SIDES.index(side):
            self.play("roll 1" if self.actor == CHANCE else "done")
        self.play("roll 1")
        self.state.rp[SIDES.index(side)] = points
        if points == 0 and self.state.node == s.Node.OPERATE:
            self.play("done")
        return self

    # Looking.

    @property
    def prestige(self) -> tuple[int, int]:
        return int(self.state.prestige[0]), int(self.state.prestige[1])

    @property
    def rp(self) -> tuple[int, int]:
        return int(self.state.rp[0]), int(self.state.rp[1])

    def box(self, country: str) -> str | None:
        box = int(self.state.box[COUNTRIES.index(country)])
        return BOXES[box - 1] if box else None

    def units(self, place: str) -> str:
        """The units of a place, as `Position` takes them, sorted."""
        found = []
        for unit, entry in enumerate(self.state.unit.tolist()):
            if entry >= 0 and entry // s.PLACE == self._place(place):
                star = "*" if entry & s.Mark.NEUTRALISED else ""
                found.append(self.game.data.unit[int(self.rules.type_of[unit])].id + star)
        return " ".join(sorted(found))

    def event_is_discarded(self, event: str) -> bool:
        return bool(self.state.event[[card.id for card in EVENTS].index(event)] == s.EventPlace.DISCARDED)

    @property
    def is_over(self) -> bool:
        return self.actor == OVER
