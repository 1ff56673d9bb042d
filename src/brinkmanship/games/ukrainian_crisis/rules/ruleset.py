"""The ruleset of Ukrainian Crisis: its data, options and actions, and its states as programs read them.

The texts for people are typed against this class; `game` joins both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.standing_orders import StandingOrder
from brinkmanship.games.ukrainian_crisis.rules import action_numbers, flow, knowledge
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import AREAS, BOXES, COUNTRIES, EVENTS, OWN_FILE, SIDES, GameData
from brinkmanship.games.ukrainian_crisis.rules.loading import FILES, load
from brinkmanship.games.ukrainian_crisis.rules.state import (
    DTYPE,
    LAST_STEP_OF_RULES,
    PLACE,
    REASONS,
    STATE,
    EventPlace,
    Mark,
    Node,
    Square,
    State,
)
from brinkmanship.games.ukrainian_crisis.rules.tables import (
    OPTION_VALUES,
    PRESTIGE_OPTIONS,
    PRESTIGE_RANGE,
    RULES,
    SCENARIO_OPTION,
    build,
    choose_options,
    default_options,
    scenario_of,
)

ORDERS: Mapping[int, str] = {Node.WINDOW: "hold", Node.CEASEFIRE: "accept"}
"""The standing orders, by the node at which they apply."""


class UkrainianCrisisRuleset(Game, flow=flow, knowledge=knowledge):
    """A ruleset of Ukrainian Crisis; see `Game` for its functions."""

    id = "ukrainian-crisis"
    version = 1
    title = "Ukrainian Crisis"
    data_name = "scenario"
    sides = SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = action_numbers.N_ACTIONS
    max_legal = action_numbers.MAX_LEGAL
    own_cards = ("hand", "held")
    last_step_of_rules = LAST_STEP_OF_RULES

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, default_options(data))
        self.rules = build(data, options)
        self.ordinary_cards = bool(options["ordinary_cards"])
        self.ranks = action_numbers.rank_names(self.ordinary_cards)
        self._named_actions = action_numbers.named_actions(data, self.ordinary_cards)
        self.action_texts = {number: action.text for number, action in self._named_actions.items()}
        self.action_parser = action_numbers.parser(self.action_texts)

    @classmethod
    def load(cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None) -> Self:
        """Return the ruleset; the data file is a scenario; see `Game.load`."""
        options = options or {}
        data = load(data_file, scenario_of(options))
        return cls(data, choose_options(data, options))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return Turn, Prestige, boxes of the countries, units by zone, open cards, and permanent changes by events."""
        return {
            "turn": int(state.turn),
            "turn_type": (None, "strategic", "combat")[state.turn_type + 1],
            "combat_turns": int(state.combat_turns),
            "prestige": _by_side(state.prestige),
            "victory_points": _by_side(state.vp) if state.level else None,
            "countries": {
                country: BOXES[box - 1] if box else None
                for country, box in zip(COUNTRIES, state.box.tolist(), strict=True)
            },
            "units": self._units(state),
            "matrix": {
                side: {area: self._card(card) for area, card in zip(AREAS, cards, strict=True)}
                for side, cards in zip(SIDES, self._open_matrix(state), strict=True)
            },
            "resource_points": _by_side(state.rp),
            "bonus": _by_side(state.bonus),
            "ally_points": int(state.ally_rp),
            "segments": int(state.segments),
            "opened": self._zones(state.opened),
            "union": self._zones(state.union),
            "suspended": [country for at, country in enumerate(COUNTRIES) if int(state.suspended) >> at & 1],
            "resolve": SIDES[state.resolve] if state.resolve in range(len(SIDES)) else None,
            "held_events": _by_side(state.held),
            "discarded_events": self._events(state, EventPlace.DISCARDED),
            "events_in_play": self._events(state, EventPlace.DRAWN_IMMEDIATE)
            + self._events(state, EventPlace.DRAWN_IMMEDIATE + 1),
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state, both packs as far as known, and the side's own hand, held event and matrix cards."""
        known = self.public_state(view)
        known["packs"] = {
            side_id: {name: int(pack[rank]) for rank, name in enumerate(self.ranks)}
            for side_id, pack in zip(SIDES, view.pack, strict=True)
        }
        known["cards"] = {}
        if side < len(SIDES):
            hand = [name for rank, name in enumerate(self.ranks) for _ in range(view.hand[side, rank])]
            known["cards"] = {"hand": hand, "held": self._events(view, EventPlace.HELD + side)}
            known["own_matrix"] = dict(zip(AREAS, map(self._card, view.matrix[side].tolist()), strict=True))
            known["declared"] = (None, "strategic", "combat")[view.declared[side] + 1]
        return known

    def _card(self, rank: int) -> str | None:
        return self.ranks[rank - 1] if rank > Square.EMPTY else None

    def _open_matrix(self, state: State) -> list[list[int]]:
        return [
            [card if up else Square.EMPTY for card, up in zip(cards, state.face_up, strict=True)]
            for cards in state.matrix
        ]

    def _zones(self, bits: int) -> list[str]:
        return [zone.id for index, zone in enumerate(self.data.zone) if int(bits) >> index & 1]

    def _events(self, state: State, where: int) -> list[str]:
        return [card.id for card, place in zip(EVENTS, state.event.tolist(), strict=True) if place == where]

    def _units(self, state: State) -> dict[str, dict[str, int]]:
        """Return the number of units of each stack by place: {"SEV": {"ru_ground": 2, "ru_ground neutralised": 1}}."""
        found: dict[str, dict[str, int]] = {}
        for unit, entry in enumerate(state.unit[: sum(unit.count for unit in self.data.unit)].tolist()):
            stack = action_numbers.stack_of(int(self.rules.type_of[unit]), entry & Mark.NEUTRALISED, entry // PLACE)
            there = found.setdefault(action_numbers.place_id(self.data, entry // PLACE), {})
            name = action_numbers.stack_name(self.data, stack)
            there[name] = there.get(name, 0) + 1
        return found

    def orders(self, side: int) -> Sequence[StandingOrder]:  # noqa: ARG002 - the same for both
        """Return the standing orders: to hold one's Event Card, and to accept every Combat Turn."""
        return tuple(StandingOrder(text, Message(f"order.{text}")) for text in ORDERS.values())

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:
        """Return DONE, the action of both standing orders, where one of the given orders applies; else None."""
        if ORDERS.get(view.node) not in orders or not self.pending(self.rules, view) >> side & 1:
            return None
        return Action.DONE

    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """Return the option values; for starting Prestige only the scenario's."""
        fixed = {name: (self.default_options[name],) for name in PRESTIGE_OPTIONS}
        return OPTION_VALUES | fixed | ({SCENARIO_OPTION: (OWN_FILE,)} if self.data_file else {})

    @property
    def own_data(self) -> str:
        return FILES[str(self.options[SCENARIO_OPTION])]

    @classmethod
    def own_files(cls) -> Sequence[str]:
        return tuple(FILES.values())

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        return dict.fromkeys(PRESTIGE_OPTIONS, PRESTIGE_RANGE)

    def action_parts(self, action: int) -> ActionParts:
        """Return the parts of an action; `action_numbers` lists the kinds."""
        return self._named_actions[action].parts


def _by_side(numbers: Any) -> dict[str, int]:
    """Return a pair of numbers of the state by the ids of the sides."""
    return dict(zip(SIDES, map(int, numbers), strict=True))
