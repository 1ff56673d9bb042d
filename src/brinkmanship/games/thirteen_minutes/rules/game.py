"""13 Minutes: The Cuban Missile Crisis, 1962, as a `brinkmanship.engine.game.Game`.

Rules: ``docs/rules/13-minutes.md`` (F1 to F19 and Q1 to Q50 in the code point there).

==============================  ====================================================  ===============
option                          values (the default first)                            rule
==============================  ====================================================  ===============
cuba_timing                     after_hands, before_hands                             section 3
first_player                    auction, beginner                                     section 3
bid_tie_cap                     0 (none) to 1000                                      Q4
tiebreak                        own_sphere, none                                      Q43
cube_limit                      0 (none), 5                                           Q31
command_zero                    true, false                                           Q15
foreign_push                    actor, owner, none                                    Q21
campaign_target                 13, any from 1 to 1000                                section 5.6
campaign_double_war             no_winner, void_game                                  Q46
campaign_both_13                higher_else_continue, shared                          Q45
campaign_sides                  alternate, keep, agree                                section 1
==============================  ====================================================  ===============

Presets: ``de2018`` (the default) and ``en2017``, the two editions. The options ``campaign_*`` are those of `campaign`;
they change nothing within a game.

Two sides, ``us`` and ``ussr``; hidden information; chance by deals, at times a coin. Utility 1 for the winner, -1 for
the loser, 0 for a draw, -1 for both when both have triggered the war. A game has some 25 decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Message, Ref
from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.standing_orders import ALONE, StandingOrder, about_cards, answer_about
from brinkmanship.games.thirteen_minutes.rules import actions, flow, knowledge, score, steps
from brinkmanship.games.thirteen_minutes.rules.actions import AREAS, Action
from brinkmanship.games.thirteen_minutes.rules.campaign import Campaign
from brinkmanship.games.thirteen_minutes.rules.data import GameData
from brinkmanship.games.thirteen_minutes.rules.loading import load
from brinkmanship.games.thirteen_minutes.rules.state import (
    COLOURS,
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

SIDES = actions.SIDES
SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)
"""The sphere of each side."""


_OPEN_QUESTIONS = (Node.PLACE, Node.REMOVE, Node.TAKE_CUBES, Node.COMMAND)
"""Questions whose answers follow from what lies open: cubes, cards in play, supplies."""


class ThirteenMinutes(Game, flow=flow, knowledge=knowledge):
    """A ruleset of 13 Minutes; see `Game` for what its functions do."""

    id = "13-minutes"
    version = 1
    title = "13 Minutes: The Cuban Missile Crisis, 1962"
    sides = SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = actions.N_ACTIONS
    max_legal = actions.MAX_LEGAL
    may_do_nothing = ("event", "use")
    moved_by_every_play = ("cards", "hand_sizes", "pile", "turn", "shown")
    named_as: ClassVar[Mapping[str, tuple[str, ...]]] = {"place": ("battleground",), "track": ("area",)}
    last_step_of_rules = LAST_STEP_OF_RULES

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, {name: option.default for name, option in data.options.items()})
        self.rules = build(data, options)
        self.action_texts = actions.action_texts(data)
        self.action_reader = actions.reader(self.action_texts)

    @classmethod
    def load(
        cls, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> ThirteenMinutes:
        """See `Game.load`."""
        data = load(data_file)
        return cls(data, choose_options(data, options or {}))

    def public_state(self, state: State) -> dict[str, Any]:
        """The battlegrounds with area and cubes, supplies, lost cubes, sizes of hands and pile, turn and Prestige."""
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
        """The public state, the ids of the cards the side knows in hands, and its own bid."""
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

    def warning(self, before: State, after: State, side: int) -> Message | None:
        """See `Game.warning`: one more card of a colour in the side's own sphere, and enough of it for the war."""
        war = self.data.scoring.war_cards
        was, now = self._colours_in(before, SPHERES[side]), self._colours_in(after, SPHERES[side])
        for colour in COLOURS:
            some = now.count(colour)
            if some >= war and some > was.count(colour):
                return Message("warning.war", {"kind": Ref("colour", colour), "some": some, "war": war})
        return None

    def _colours_in(self, view: State, area: int) -> list[str]:
        """Return the colour of each card that lies face up in an area."""
        areas = view.area.tolist()
        found: list[str] = [card.colour for card, there in zip(self.data.card, areas, strict=False) if there == area]
        if areas[CUBA] == area and view.cuba_card >= 0:
            found.append(self.data.card[view.cuba_card].colour)
        return found

    def orders(self, side: int) -> Sequence[StandingOrder]:
        """See `Game.orders`: whether the Event of a card of one's own is used when the other side plays it, and to end
        what nothing can be added to."""
        own = [card.id for card in self.data.card if card.side == SIDES[side]]
        return (ALONE, *about_cards(("use", "decline"), own))

    def ordered_action(self, orders: Collection[str], view: State, side: int) -> int | None:
        """See `Game.ordered_action`."""
        if not self.pending(self.rules, view) >> side & 1:
            return None
        if view.node in _OPEN_QUESTIONS and ALONE.text in orders:
            return Action.DONE if self.legal_actions(view, side) == [Action.DONE] else None
        if view.node != Node.OFFER:
            return None
        card = self.data.card[view.stack[0].card].id
        return answer_about(card, orders, {"use": Action.USE_OFFER, "decline": Action.DECLINE})

    def option_values(self) -> Mapping[str, Sequence[OptionValue]]:
        """See `Game.option_values`."""
        return OPTION_VALUES

    def option_ranges(self) -> Mapping[str, tuple[int, int]]:
        """See `Game.option_ranges`."""
        return {name: option.range for name, option in self.data.options.items() if option.range is not None}

    def presets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        """See `Game.presets`: the two editions."""
        return self.data.presets

    def series(self, first_sides: tuple[int, int] = (0, 1)) -> Campaign:
        """See `Game.series`: the campaign."""
        return Campaign(self.options, first_sides)

    def action_parts(self, action: int) -> ActionParts:
        """See `Game.action_parts`; the kinds are listed in `actions`."""
        return actions.parts(self.data, action)

    prompt = steps.prompt
    describe = steps.describe
    narrate = steps.narrate
    score = score.score
