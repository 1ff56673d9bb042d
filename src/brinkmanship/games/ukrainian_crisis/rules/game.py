"""Ukrainian Crisis, as a `brinkmanship.engine.game.Game`.

Rules: ``docs/rules/ukrainian-crisis.md`` (numbers R1 to R54 in the code point there).

================================  ============================================  =====================
option                            values (the default first)                    ruling
================================  ============================================  =====================
scenario                          reconstructed, balanced                       R52
resource_selection                choose, random_draw                           R1
resolve_turn1                     discard, reshuffle_and_redraw                 R5
first_turn_combat                 false, true                                   R7
declaration                       simultaneous, leader_first_open               R8
ceasefire_keeps_diplomacy         false, true                                   R9
show_unused_diplomatic            true, false                                   R11
information_roll                  after_choice, at_reveal                       R15
reduce_rolls                      two_own, one_each                             R16
ally_rp_in_information            true, false                                   R17
critical_on_segment_rolls         true, false                                   R18
critical_zone_chooser             russia, roller, random                        R20
union_is_russian_home             true, false                                   R22
end_check_after_income            false, true                                   R26
own_zone                          home, controlled                              R27
relocation_cures                  false, true                                   R29
neutralise_sf                     false, true                                   R30
romania_open_to_sf                false, true                                   R31
spontaneous_source                reserve_or_mobilisation, reserve_only         R33
rally_mode                        once, per_unit                                R34
amphibious_units                  all_regulars, naval_only                      R36
azov_is_black_sea                 false, true                                   R37
casualty_choice                   scorer, owner                                 R39
nonrandom_low_odds_defender_hits  1, 0                                          R47
ordinary_cards                    false, true                                   10.1
no_randomness                     false, true; needs ordinary_cards             10.2, R47, R49
prestige_ua, prestige_ru          1 to 99; default: the scenario's              3.0
box_us ... box_by                 neutrality, support, intervention; likewise   3.0
================================  ============================================  =====================

Two sides, ``ua`` and ``ru``; hidden information; chance by cards and dice. Utility 1 for the side with more Victory
Points, -1 for the other, 0 for a draw; the reason is the level of the victory. A game of people has some 300
decisions: units, payments and hits are decided one by one (see `actions`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Message
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.standing_orders import StandingOrder
from brinkmanship.games.ukrainian_crisis.rules import actions, flow, knowledge, narration, odds, questions, score
from brinkmanship.games.ukrainian_crisis.rules.actions import Action
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
"""The standing orders, by the question they answer."""


class UkrainianCrisis(Game, flow=flow, knowledge=knowledge):
    """A ruleset of Ukrainian Crisis; see `Game` for what its functions do."""

    id = "ukrainian-crisis"
    version = 1
    title = "Ukrainian Crisis"
    data_name = "scenario"
    sides = SIDES
    reasons = REASONS
    span = "turn"
    has_dice = True
    dtype = DTYPE
    n_actions = actions.N_ACTIONS
    max_legal = actions.MAX_LEGAL
    may_do_nothing = ("play",)
    moved_by_every_play = ("cards", "held_events", "discarded_events")
    own_cards = ("hand", "held")
    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {"place": ("zone", "place"), "track": ("country", "area")}
    last_step_of_rules = LAST_STEP_OF_RULES

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, default_options(data))
        self.rules = build(data, options)
        self.ordinary_cards = bool(options["ordinary_cards"])
        self.ranks = actions.rank_names(self.ordinary_cards)
        self.action_texts = actions.action_texts(data, self.ordinary_cards)
        self.action_reader = actions.reader(self.action_texts)

    @classmethod
    def load(
        cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> UkrainianCrisis:
        """See `Game.load`; the data file is a scenario."""
        options = options or {}
        data = load(data_file, scenario_of(options))
        return cls(data, choose_options(data, options))

    def public_state(self, state: State) -> dict[str, Any]:
        """Turn, Prestige, boxes of the countries, units by zone, open cards, and what events have changed for good."""
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
        """The public state; both packs as far as they are known; own hand, held event and cards in the matrix."""
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
        """How many units of each stack stand where: {"SEV": {"ru_ground": 2, "ru_ground neutralised": 1}}."""
        found: dict[str, dict[str, int]] = {}
        for unit, entry in enumerate(state.unit[: sum(unit.count for unit in self.data.unit)].tolist()):
            stack = actions.stack_of(int(self.rules.type_of[unit]), entry & Mark.NEUTRALISED, entry // PLACE)
            there = found.setdefault(actions.place_id(self.data, entry // PLACE), {})
            name = actions.stack_name(self.data, stack)
            there[name] = there.get(name, 0) + 1
        return found

    def orders(self, side: int) -> Sequence[StandingOrder]:  # noqa: ARG002 - the same for both
        """See `Game.orders`: to hold one's Event Card, and to accept every Combat Turn."""
        return tuple(StandingOrder(text, Message(f"order.{text}")) for text in ORDERS.values())

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:
        """See `Game.ordered_action`: both say no more."""
        if ORDERS.get(view.node) not in orders or not self.pending(self.rules, view) >> side & 1:
            return None
        return Action.DONE

    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """See `Game.option_values`; of starting Prestige only what the scenario gives."""
        fixed = {name: (self.default_options[name],) for name in PRESTIGE_OPTIONS}
        return OPTION_VALUES | fixed | ({SCENARIO_OPTION: (OWN_FILE,)} if self.data_file else {})

    @property
    def own_data(self) -> str:
        """See `Game.own_data`."""
        return FILES[str(self.options[SCENARIO_OPTION])]

    @classmethod
    def own_files(cls) -> Sequence[str]:
        """See `Game.own_files`."""
        return tuple(FILES.values())

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        """See `Game.option_ranges`."""
        return dict.fromkeys(PRESTIGE_OPTIONS, PRESTIGE_RANGE)

    def action_parts(self, action: int) -> ActionParts:
        """See `Game.action_parts`; the kinds are listed in `actions`."""
        return actions.parts(self.data, self.ordinary_cards, action)

    prompt = questions.prompt
    describe = questions.describe
    narrate = narration.narrate
    dice = narration.dice
    overpays = odds.overpays
    score = score.score


def _by_side(numbers: Any) -> dict[str, int]:
    """A pair of numbers of the state by the ids of the sides."""
    return dict(zip(SIDES, map(int, numbers), strict=True))
