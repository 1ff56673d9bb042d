"""Ukrainian Crisis in the terminal: Prestige, relations track, card matrix, the zones with their units, the boxes.

A zone's line shows the map's data - colour, Victory Points, airfield, port - and the units of both sides; an asterisk
marks reconstructed values, and a line below explains it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import place_in, type_in
from brinkmanship.games.ukrainian_crisis.rules.data import (
    AREAS,
    BOXES,
    COUNTRIES,
    EVENTS,
    SIDES,
    UNIT_TYPES,
    is_reconstructed,
)
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, RU, UA
from brinkmanship.games.ukrainian_crisis.rules.phrases import stacks
from brinkmanship.games.ukrainian_crisis.rules.victory import points_of_prestige, points_of_zones
from brinkmanship.games.ukrainian_crisis.terminal.bulk import written_out
from brinkmanship.games.ukrainian_crisis.words.cards import event_text
from brinkmanship.terminal.protocol import ActionPart, Asking
from brinkmanship.terminal.style import MARKS, QUIET, SIDE_STYLES, fit, flowing, one_line, widest, wrapped
from brinkmanship.text import Words
from brinkmanship.text.history import history_of

COLOURS = {"red": "red", "yellow": "yellow", "orange": "bright_yellow", "none": "dim"}
COLOUR_MARKS = {"red": "●", "yellow": "○", "orange": "◐", "none": " "}
"""Marks of the ethnic colours, for users who do not see colours or use a screen reader."""
AIRFIELD, PORT = "▲", "⚓"


class UkrainianCrisisTable(Asking):
    """Terminal table of Ukrainian Crisis; see `brinkmanship.terminal.protocol.Table`."""

    help_keys = ("board.help.choices", "board.help.several", "board.help.picture")

    def __init__(self, game: UkrainianCrisis, words: Words) -> None:
        self.game = game
        self.data = game.data
        self.words = words

    def goal(self) -> Message:
        return Message("board.goal")

    # ---- choices

    def place(self, place: str) -> Ref:
        """Return a zone or a box."""
        return Ref("place" if place in ("reserve", "mobilisation") else "zone", place)

    def track(self, track: str) -> Ref:
        """Return a country, or an area of the matrix."""
        return Ref("area" if track in AREAS else "country", track)

    def card(self, card: str) -> Ref | None:
        """Return an Event Card or a unit; Resource Cards come in threes; see `Asking.card`."""
        unit = card.removesuffix(" neutralised")
        if unit in [each.id for each in self.data.unit]:
            return Ref("unit", unit)
        return Ref("event", card) if card in [event.id for event in EVENTS] else None

    def steps(self, action: int) -> tuple[ActionPart, ...]:
        """Return the cards of a placement, area by area."""
        parts = self.game.action_parts(action)
        if parts.kind != "place" or parts.card is None:
            return ()
        steps = []
        for area, name in zip(AREAS, parts.card.split(), strict=True):
            label = Text(f"{self.words.name('area', area)}: {self.words.name('card', name)}")
            steps.append(ActionPart(str(self.game.ranks.index(name) + 1), label))
        return tuple(steps)

    def written_out(self, line: str, side: int) -> list[str]:
        """Return the actions of a line: ``move 3 ground RUS to KHA``, ``deploy 2 militia to DON``; see `bulk`."""
        return written_out(self.data, line, side)

    # ---- the position

    def position(self, view: State, viewer: int, width: int, past: Sequence[ViewedEntry]) -> list[RenderableType]:  # noqa: ARG002
        parts: list[RenderableType] = [self._turn(view)]
        parts += [self._side(view, side) for side in range(2)]
        parts.append(self._relations(view, width))
        parts.append(self._matrix(view, viewer, width))
        parts += self._zones(view)
        parts += [self._boxes(view, side, width) for side in range(2)]
        parts.append(self._legend(width))
        return parts

    def _say(self, key: str, **args: Any) -> str:
        return self.words.text(Message(f"board.{key}", args))

    def _side_name(self, side: int) -> Text:
        return Text(f"{MARKS[side]} {self.words.name('side', SIDES[side])}", SIDE_STYLES[side])

    def _turn(self, view: State) -> Text:
        line = Text(" " + self._say("turn", n=int(view.turn), of=self.data.start.turns), "bold")
        if view.turn_type != s.TurnType.NOT_YET:
            line.append(" · " + self._say("type.combat" if view.turn_type == s.TurnType.COMBAT else "type.strategic"))
        if view.step == s.Step.OPERATIONS and view.half:
            line.append(" · " + self._say("segment", n=(int(view.half) + 1) // 2, of=int(view.segments)))
        return line

    def _side(self, view: State, side: int) -> Text:
        line = Text(" ").append_text(self._side_name(side)).append(f"  {self._say('prestige')} ", QUIET)
        line.append(str(int(view.prestige[side])), "bold")
        prestige, zones = int(points_of_prestige(view, side)), int(points_of_zones(self.game.rules, view, side))
        line.append("  " + self._say("vp", n=prestige + zones, prestige=prestige, zones=zones), QUIET)
        if view.rp[side]:
            line.append("  " + self._say("rp", n=int(view.rp[side])), "bold")
        if view.bonus[side]:
            line.append("  " + self._say("bonus", n=int(view.bonus[side])), "bold")
        if side == UA and view.ally_rp:
            line.append("  " + self._say("ally_rp", n=int(view.ally_rp)), "bold")
        if view.held[side]:
            line.append("  " + self._say("holds", side=Ref("side", SIDES[side])), QUIET)
        return line

    def _relations(self, view: State, width: int) -> Text:
        """Return the boxes from Intervention down, each with its countries and their Ranks."""
        items = []
        for box in range(len(BOXES), 0, -1):
            there = [self._country(country) for country in range(len(COUNTRIES)) if view.box[country] == box]
            first, *more = there or [self._say("nobody")]
            items.append(Text(f"{self.words.name('box', BOXES[box - 1])} {box}: ", QUIET).append(first))
            items += [Text(country) for country in more]
        return flowing("", items, width)

    def _country(self, country: int) -> str:
        data = next(each for each in self.data.country if each.id == COUNTRIES[country])
        mark = "*" if is_reconstructed(data, "rank") else ""
        return f"{self.words.name('country', data.id)} ({data.rank}{mark})"

    def _matrix(self, view: State, viewer: int, width: int) -> Text:
        items = []
        for area, name in enumerate(AREAS):
            item = Text(f"{self.words.name('area', name)}", QUIET)
            for side in range(2):
                item.append(f" {MARKS[side]}", SIDE_STYLES[side]).append(
                    self._card(view, side, area, viewer), "not dim"
                )
            items.append(item)
        return flowing("", items, width)

    def _card(self, view: State, side: int, area: int, viewer: int) -> str:
        rank = int(view.matrix[side, area])
        if rank == s.Square.EMPTY:
            return self._say("nobody")
        if rank == s.Square.HIDDEN or (not view.face_up[area] and viewer not in (side, NOBODY)):
            return self._say("face_down")
        return self.words.name("card", self.game.ranks[rank - 1])

    # ---- the map

    def _zones(self, view: State) -> Iterator[RenderableType]:
        """Yield the zones with units, or changed by an event, one per line."""
        there = self._units_by_place(view)
        names = [self.words.name("zone", zone.id) for zone in self.data.zone]
        column = min(widest(names), 24)
        shown = 0
        for index, zone in enumerate(self.data.zone):
            changed = (int(view.union) | int(view.opened)) >> index & 1
            if index not in there and not changed:
                continue
            shown += 1
            line = Text(f" {zone.id} ", QUIET).append_text(fit(names[index], column))
            line.append(f" {COLOUR_MARKS[zone.colour]} ", COLOURS[zone.colour])
            line.append(fit(self._points(index), 3, "right")).append(" ")
            line.append(AIRFIELD if zone.airfield else " ", QUIET).append(PORT if zone.port else " ", QUIET).append(" ")
            if int(view.union) >> index & 1:
                line.append(self._say("home") + " ", SIDE_STYLES[RU])
            if int(view.opened) >> index & 1:
                line.append(self._say("opened") + " ", QUIET)
            yield one_line(line.append_text(self._units(there.get(index, Counter()))))
        if not shown:
            yield Text(f" {self._say('map')}: {self._say('empty')}", QUIET)

    def _points(self, zone: int) -> str:
        data = self.data.zone[zone]
        return f"{data.vp}{'*' if is_reconstructed(data, 'vp') else ''}" if data.vp else ""

    def _units_by_place(self, view: State) -> dict[int, Counter[int]]:
        there: dict[int, Counter[int]] = {}
        for stack, count in stacks(self.game, view).items():
            there.setdefault(place_in(stack), Counter())[stack] = count
        return there

    def _units(self, there: Counter[int]) -> Text:
        """Return each side's stacks: its mark, then number and type, in brackets if neutralised, as on a counter."""
        line = Text()
        for side in range(2):
            own = [stack for stack in sorted(there) if self._owner(stack) == side]
            if own:
                line.append(f"{MARKS[side]} ", SIDE_STYLES[side])
                line.append(" ".join(self._stack(stack, there[stack]) for stack in own) + "  ")
        return line

    def _owner(self, stack: int) -> int:
        return SIDES.index(self.data.unit[type_in(stack)].side.lower())

    def _stack(self, stack: int, count: int) -> str:
        short = self._say(f"short.{self.data.unit[type_in(stack)].type}")
        return f"({count}{short})" if stack % 2 else f"{count}{short}"

    def _boxes(self, view: State, side: int, width: int) -> Text:
        there = self._units_by_place(view)
        items = []
        for place, name in ((s.Place.MOBILISATION, "mobilisation"), (s.Place.RESERVE, "reserve")):
            own = Counter({k: n for k, n in there.get(place, Counter()).items() if self._owner(k) == side})
            stacked = " ".join(self._stack(stack, own[stack]) for stack in sorted(own)) or self._say("nobody")
            items.append(Text(f"{self.words.name('place', name)}: ", QUIET).append(stacked))
        return flowing(self._side_name(side), items, width)

    def _legend(self, width: int) -> Text:
        units = {unit.type for unit in self.data.unit}
        types = [
            f"{self._say(f'short.{kind}')} {self.words.name('kind', kind)}" for kind in UNIT_TYPES if kind in units
        ]
        signs = self._say("signs", airfield=AIRFIELD, port=PORT, **COLOUR_MARKS)
        text = "; ".join((self._say("legend", types=", ".join(types)), signs, self._say("reconstructed")))
        return Text("\n".join(" " + line for line in wrapped(text, width - 2)), QUIET)

    # ---- cards

    def hands(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        """Return both packs, which are public, and the viewer's Event Card."""
        parts: list[RenderableType] = []
        for side in range(2):
            cards = view.hand[side] if view.hand_size[side] and side == viewer else view.pack[side]
            items = [
                Text(f"{int(count)} × {self.words.name('card', name)}")
                for name, count in zip(self.game.ranks, cards, strict=False)
                if count
            ]
            parts.append(flowing(self._say("pack", side=Ref("side", SIDES[side])), items or [Text("–")], width))
        viewers = range(2) if viewer == NOBODY else [viewer]
        held = [event for side in viewers if side < 2 for event in self._events(view, s.EventPlace.HELD + side)]
        if held:
            names = [Text(self.words.name("event", event), "bold") for event in held]
            parts.append(flowing(self._say("held"), names, width))
        return parts

    def _events(self, view: State, where: int) -> list[str]:
        return [card.id for card, place in zip(EVENTS, view.event.tolist(), strict=True) if place == where]

    def card_line(self, card: str, width: int) -> list[Text]:
        """Return an Event Card with its text, a unit, or a Resource Card."""
        if card in [event.id for event in EVENTS]:
            title = Text(self.words.name("event", card), "bold")
            return [title, *(Text(line, QUIET) for line in wrapped(event_text(self.game, card, self.words), width))]
        unit, _, neutralised = card.partition(" ")
        if unit in [each.id for each in self.data.unit]:
            name = Ref("unit", unit)
            said = Message("unit.neutralised" if neutralised else "unit.full", {"unit": name})
            return [Text(self.words.sentence(said))]
        return [Text(card)]

    def card_page(self, query: str, view: State, viewer: int) -> RenderableType | None:
        wanted = query.casefold()
        if wanted.isdecimal():
            held = self._events(view, s.EventPlace.HELD + viewer) if viewer < 2 else []
            return self._page(held[int(wanted) - 1]) if 0 < int(wanted) <= len(held) else None
        for card in EVENTS:
            if wanted and wanted in f"{card.id.replace('_', ' ')} {card.id} {card.title}".casefold():
                return self._page(card.id)
        return None

    def _page(self, event: str) -> RenderableType:
        page = Text(self.words.name("event", event), "bold").append("\n" + event_text(self.game, event, self.words), "")
        page.append("\n" + history_of("event", event, self.words.language), QUIET)
        return Padding(page, (0, 0, 0, 1))

    def known_cards(self, view: State, viewer: int, width: int) -> list[RenderableType]:
        parts = self.hands(view, viewer, width)
        if gone := self._events(view, s.EventPlace.DISCARDED):
            names = [Text(self.words.name("event", event)) for event in gone]
            parts.append(flowing(self._say("discarded"), names, width))
        return parts

    def note(self, action: int, width: int) -> list[Text]:
        """Return the effect of an Event Card."""
        parts = self.game.action_parts(action)
        if parts.kind != "play" or parts.card is None:
            return []
        return [Text(line, QUIET) for line in wrapped(event_text(self.game, parts.card, self.words), width)]

    def is_nothing(self, action: int) -> bool:
        return self.game.action_parts(action).kind == "done"

    def ending(self, view: State) -> list[RenderableType]:  # noqa: ARG002 - as every game
        """Return nothing: no relevant card lies face down any more."""
        return []
