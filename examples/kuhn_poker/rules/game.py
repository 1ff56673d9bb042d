"""Kuhn poker as a `brinkmanship.engine.game.Game`.

No options. Two sides; hidden information (the cards); chance by the deal. Utility: half of what a side gains, -1 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
from brinkmanship.engine.game import Game
from brinkmanship.engine.options import OptionValue, choose
from kuhn_poker.rules import actions, flow, knowledge
from kuhn_poker.rules.data import OPTION_VALUES, GameData, load
from kuhn_poker.rules.state import DTYPE, REASONS, RULES, STATE, State, build


class KuhnPoker(Game, flow=flow, knowledge=knowledge):
    """A ruleset of Kuhn poker; see `Game` for its methods."""

    id = "kuhn-poker"
    version = 1
    title = "Kuhn Poker"
    sides = actions.SIDES
    reasons = REASONS
    dtype = DTYPE
    n_actions = actions.N_ACTIONS
    max_legal = actions.MAX_LEGAL
    action_texts: tuple[str, ...]

    rules_type = RULES
    state_type = STATE

    def __init__(self, data: GameData, options: Mapping[str, OptionValue]) -> None:
        self.data = data
        super().__init__(data, options, {name: option.default for name, option in data.options.items()})
        self.rules = build()
        self.action_texts = actions.action_texts(data)
        self.action_parser = ActionParser(self.title, dict(enumerate(self.action_texts)), lambda _: NO_SIDE, "bet")

    @classmethod
    def load(cls, data_file: str | Path | None = None, options: Mapping[str, OptionValue] | None = None) -> KuhnPoker:
        data = load(data_file)
        return cls(data, choose(cls.title, data.options, OPTION_VALUES, options or {}))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return the amount each side has paid."""
        return {"paid": dict(zip(self.sides, state.paid.tolist(), strict=True))}

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state and the viewer's own card; after a showdown both cards."""
        known = {name: self.data.card[card].id for name, card in zip(self.sides, view.card, strict=True) if card >= 0}
        own = known.get(self.sides[side]) if side < len(self.sides) else None
        both = known if len(known) == len(self.sides) else {}
        return {**self.public_state(view), "shown": both, "cards": {"hand": [own]} if own else {}}
