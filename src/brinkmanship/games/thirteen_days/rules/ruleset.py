"""The ruleset of 13 Days: its data, options and actions, and its states in the form for programs.

All texts about the game are typed against this class; `game` joins both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.standing_orders import StandingOrder, about_cards, answer_about
from brinkmanship.games.thirteen_days.rules import action_numbers, flow, knowledge
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS, GameData
from brinkmanship.games.thirteen_days.rules.loading import load
from brinkmanship.games.thirteen_days.rules.state import DTYPE, LAST_STEP_OF_RULES, REASONS, STATE, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.tables import OPTION_VALUES, RULES, apply_options, build, choose_options

SIDES = action_numbers.SIDES

Value = TypeVar("Value")


_OPEN_PILES: dict[int, str] = {
    int(CardIs.DISCARDED): "discard",
    int(CardIs.IN_PLAY): "in_play",
    int(CardIs.TAKEN): "taken",
    int(CardIs.REVEALED): "revealed",
}
_PILES = [
    *(
        _OPEN_PILES
        | {CardIs.IN_HAND + side: "hand", CardIs.IN_AFTERMATH + side: "own_aftermath", CardIs.DRAWN + side: "drawn"}
        for side in range(len(SIDES))
    ),
    _OPEN_PILES,
]
"""Locations of cards whose ids a viewer knows, for each side and last for an observer."""


class ThirteenDaysRuleset(Game, flow=flow, knowledge=knowledge):
    """A ruleset of 13 Days; see `Game` for its functions."""

    id = "13-days"
    version = 1
    title = "13 Days: The Cuban Missile Crisis"
    sides = SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = action_numbers.N_ACTIONS
    max_legal = action_numbers.MAX_LEGAL
    open_cards = ("revealed", "taken")
    own_cards = ("drawn", "hand", "own_aftermath")
    last_step_of_rules = LAST_STEP_OF_RULES
    allowed_options = OPTION_VALUES

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = apply_options(data, options)
        super().__init__(data, options, {name: option.default for name, option in data.options.items()})
        self.rules = build(data, options)
        actions = tuple(action_numbers.all_actions(data))
        self.action_texts = {number: text for number, text, _ in actions}
        self._action_parts = {number: parts for number, _, parts in actions}
        self.action_parser = action_numbers.parser(self.action_texts)
        self._card_ids = [card.id for card in self.data.card]
        self._agenda_ids = [agenda.id for agenda in self.data.agenda]

    @classmethod
    def load(cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None) -> Self:
        data = load(data_file)
        return cls(data, choose_options(data, options or {}))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return cubes, markers, Prestige, letter, round and the sizes of the piles."""
        # By item and not by attribute, here and below: every API response is made of it, and items are faster.
        return {
            "influence": _by_side(state["influence"], BATTLEGROUNDS),
            "defcon": _by_side(state["defcon"], TRACKS),
            "prestige": int(state["prestige"]),
            "letter": SIDES[state["letter"]],
            "round": int(state["round_number"]),
            "deck": int(state["deck"]),
            "discard": int(state["discard"]),
            "aftermath": sum(state["aftermath"].tolist()),
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state; flags, modifiers and bans; the ids of all cards the side knows, by location."""
        piles = _PILES[min(side, len(SIDES))]
        cards: dict[str, list[str]] = {name: [] for name in piles.values()}
        lying = {place: cards[name] for place, name in piles.items()}
        for card, place in zip(self._card_ids, view["card"].tolist(), strict=False):
            if place in lying:
                lying[place].append(card)
        agendas = self._agenda_ids
        flags = [
            [agenda for agenda, copies in zip(agendas, dealt, strict=False) if copies for _ in range(copies)]
            for dealt in view["agenda_dealt"].tolist()
        ]
        return {
            **self.public_state(view),
            "turn": int(view["turn"]),
            "hand_sizes": _of_each(view["hand"].tolist()),
            "modifier": _of_each(view["modifier"].tolist()),
            "least": _of_each(view["least"].tolist()),
            "deflation_ban": _of_each([ban > 0 for ban in view["ban"].tolist()]),
            "flags": _of_each(flags),
            "agenda": _of_each([agendas[chosen] if chosen >= 0 else None for chosen in view["chosen"].tolist()]),
            "cards": cards,
        }

    def orders(self, side: int) -> Sequence[StandingOrder]:
        """Return the standing orders: whether one's Event is used when the other side plays the card."""
        own = [card.id for card in self.data.card if card.side == SIDES[side]]
        return tuple(about_cards(("trigger", "decline"), own))

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:
        if view["node"] != Node.TRIGGER or not self.pending(self.rules, view) >> side & 1:
            return None
        card = self.data.card[view["stack"][view["depth"] - 1].card].id
        return answer_about(card, orders, {"trigger": Action.TRIGGER, "decline": Action.DECLINE})

    def action_parts(self, action: int) -> ActionParts:
        """Return the parts of an action; `action_numbers.all_actions` lists the kinds."""
        return self._action_parts[action]


def _by_side(numbers: npt.NDArray[np.int8], ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return a table of the state, [side, ...], with the names of its rows and columns."""
    return _of_each([dict(zip(ids, row, strict=True)) for row in numbers.tolist()])


def _of_each(values: list[Value]) -> dict[str, Value]:
    """Return the values of both sides, by side id."""
    of_us, of_ussr = values
    return {SIDES[0]: of_us, SIDES[1]: of_ussr}
