"""Sealed Bids as a `brinkmanship.engine.game.Game`.

==========  ======================  =========
option      values (default first)  rule
==========  ======================  =========
favourites  true, false             section 2
==========  ======================  =========

Two sides; hidden information (favourites, and bids in the making); chance by deals. Utility 1, 0 or -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from brinkmanship.engine.action_parser import ActionParser
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, LogLine, Message, Ref
from brinkmanship.engine.narrator import Narrator
from brinkmanship.engine.options import OptionValue, choose
from template_game.rules import actions, flow, knowledge
from template_game.rules.actions import Action
from template_game.rules.data import OPTION_VALUES, GameData, load
from template_game.rules.state import DTYPE, REASONS, RULES, STATE, Node, PrizeIs, State, build

PLACES = (*actions.SIDES, "pile", "open", "set_aside")


class SealedBidsNarrator(Narrator["SealedBids"]):
    """Log lines and prompts of Sealed Bids; see `Narrator`."""

    def prompt(self, view: State, side: int) -> Message:
        if side in self.game.to_move(view):
            return Message("ask.bid", {"prize": self._open(view)})
        return Message("ask.wait" if (view.prize == PrizeIs.OPEN).any() else "ask.chance")

    def describe(self, view: State, side: int, action: int) -> Message:  # noqa: ARG002 - the contract's signature
        return Message("choice.bid", {"n": self.game.action_parts(action).count or 0})

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG002
        if Action.TURN_UP <= action < Action.BID:
            yield LogLine(Message("log.turn_up", {"prize": self._open(after)}))
        elif action == Action.REVEAL:
            taken = int(after.prize[(before.prize == PrizeIs.OPEN).argmax()])
            if taken < PrizeIs.IN_PILE:
                yield LogLine(Message("log.taken", {"side": Ref("side", self.game.sides[taken])}), taken)
            else:
                yield LogLine(Message("log.set_aside"))

    def _open(self, view: State) -> Ref:
        return Ref("prize", self.game.data.prize[(view.prize == PrizeIs.OPEN).argmax()].id)


class SealedBids(Game, flow=flow, knowledge=knowledge, narrator=SealedBidsNarrator):
    """A ruleset of Sealed Bids; see `Game` for its methods."""

    id = "sealed-bids"
    version = 1
    title = "Sealed Bids"
    sides = actions.SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = actions.N_ACTIONS
    max_legal = actions.MAX_LEGAL
    last_step_of_rules = Node.REVEAL
    allowed_options = OPTION_VALUES
    action_texts: tuple[str, ...]

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, {name: option.default for name, option in data.options.items()})
        self.rules = build(data, options)
        self.action_texts = actions.action_texts(data)
        self.action_parser = ActionParser(self.title, dict(enumerate(self.action_texts)), actions.owner, "bid 3")

    @classmethod
    def load(cls, data_file: str | Path | None = None, options: Mapping[str, OptionValue] | None = None) -> SealedBids:
        data = load(data_file)
        return cls(data, choose(cls.title, data.options, OPTION_VALUES, options or {}))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return the places of the prizes, and the coins left."""
        return {
            "prizes": {prize.id: PLACES[where] for prize, where in zip(self.data.prize, state.prize, strict=True)},
            "coins": dict(zip(self.sides, state.coins.tolist(), strict=True)),
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state, and the side's own favourite and bid."""
        own = side < len(self.sides)
        favourite = int(view.favourite[side]) if own else -1
        return {
            **self.public_state(view),
            "favourite": self.data.prize[favourite].id if favourite >= 0 else None,
            "bid": int(view.bid[side]) if own and view.bid[side] >= 0 else None,
            "cards": {},
        }

    def action_parts(self, action: int) -> ActionParts:
        return actions.parts(self.data, action)
