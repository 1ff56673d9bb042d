"""The ruleset of 13 Minutes: its data, options and actions, and its states as programs read them.

The texts for people are typed against this class; `game` joins both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.standing_orders import ALONE, StandingOrder, about_cards, answer_about
from brinkmanship.games.thirteen_minutes.rules import action_numbers, flow, knowledge
from brinkmanship.games.thirteen_minutes.rules.action_numbers import AREAS, Action
from brinkmanship.games.thirteen_minutes.rules.campaign import Campaign
from brinkmanship.games.thirteen_minutes.rules.data import GameData
from brinkmanship.games.thirteen_minutes.rules.loading import load
from brinkmanship.games.thirteen_minutes.rules.state import (
    CUBA,
    DTYPE,
    LAST_STEP_OF_RULES,
    NO_BID,
    REASONS,
    STATE,
    Area,
    CardIs,
    Node,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.tables import OPTION_VALUES, RULES, build, choose_options

SIDES = action_numbers.SIDES

_OPEN_QUESTIONS = (Node.PLACE, Node.REMOVE, Node.TAKE_CUBES, Node.COMMAND)
"""Nodes whose legal choices follow from open information: cubes, cards in play, supplies."""


class ThirteenMinutesRuleset(Game, flow=flow, knowledge=knowledge):
    """A ruleset of 13 Minutes; see `Game` for its functions."""

    id = "13-minutes"
    version = 1
    title = "13 Minutes: The Cuban Missile Crisis, 1962"
    sides = SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = action_numbers.N_ACTIONS
    max_legal = action_numbers.MAX_LEGAL
    last_step_of_rules = LAST_STEP_OF_RULES
    allowed_options = OPTION_VALUES

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, {name: option.default for name, option in data.options.items()})
        self.rules = build(data, options)
        actions = tuple(action_numbers.all_actions(data))
        self.action_texts = {number: text for number, text, _ in actions}
        self._action_parts = {number: parts for number, _, parts in actions}
        self.action_parser = action_numbers.parser(self.action_texts)

    @classmethod
    def load(cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None) -> Self:
        data = load(data_file)
        return cls(data, choose_options(data, options or {}))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return battlegrounds with area and cubes, supplies, lost cubes, sizes of hands and pile, turn, Prestige."""
        areas, cubes = state.area.tolist(), state.influence.tolist()
        by_side = range(len(SIDES))
        return {
            "battlegrounds": {
                place_id: {"area": AREAS[areas[place]], **{SIDES[side]: cubes[side][place] for side in by_side}}
                for place, place_id in enumerate(self.data.places)
                if areas[place] != Area.OFF_TABLE
            },
            "cuba_card": self.data.card[state.cuba_card].id if state.cuba_card >= 0 else None,
            "supply": {SIDES[side]: int(state.supply[side]) for side in by_side},
            "lost": {SIDES[side]: int(state.lost[side]) for side in by_side},
            "hand_sizes": {SIDES[side]: int(state.hand[side]) for side in by_side},
            "pile": int(state.pile),
            "turn": int(state.turn),
            "first": SIDES[state.first] if state.first >= 0 else None,
            "score": {
                SIDES[side]: dict(zip(("battlegrounds", "military", "aftermath"), row, strict=True))
                for side, row in enumerate(state.score.tolist())
            },
            "prestige": {SIDES[side]: int(state.score[side].sum()) for side in by_side},
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state, the ids of the cards the side knows in hands, and its own bid."""
        own = side < len(SIDES)
        return {
            **self.public_state(view),
            "cuba_set": bool(view.area[CUBA] != Area.OFF_TABLE),
            "ties": int(view.ties),
            "bid": int(view.bid[side]) if own and view.bid[side] != NO_BID else None,
            "shown": {holder: self._cards(view, CardIs.SHOWN + number) for number, holder in enumerate(SIDES)},
            "cards": {"hand": self._cards(view, CardIs.IN_HAND + side)} if own else {},
        }

    def _cards(self, view: State, where: int) -> list[str]:
        return [card.id for card, place in zip(self.data.card, view.card.tolist(), strict=True) if place == where]

    def orders(self, side: int) -> Sequence[StandingOrder]:
        """Return the standing orders; see `Game.orders`.

        They are: whether to use the Event of one's own card when the other side plays it, and to end an effect to which
        nothing can be added.
        """
        own = [card.id for card in self.data.card if card.side == SIDES[side]]
        return (ALONE, *about_cards(("use", "decline"), own))

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:
        if not self.pending(self.rules, view) >> side & 1:
            return None
        if view.node in _OPEN_QUESTIONS and ALONE.text in orders:
            return Action.DONE if self.legal_actions(view, side) == [Action.DONE] else None
        if view.node != Node.OFFER:
            return None
        card = self.data.card[view.stack[0].card].id
        return answer_about(card, orders, {"use": Action.USE_OFFER, "decline": Action.DECLINE})

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        return {name: option.range for name, option in self.data.options.items() if option.range is not None}

    def presets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        """Return the presets, the two editions; see `Game.presets`."""
        return self.data.presets

    def series(self, first_sides: tuple[int, int] = (0, 1)) -> Campaign:
        """Return the campaign; see `Game.series`."""
        return Campaign(self.options, first_sides)

    def action_parts(self, action: int) -> ActionParts:
        """Return the parts of an action; `action_numbers.all_actions` lists the kinds."""
        return self._action_parts[action]
