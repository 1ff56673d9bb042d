"""Balance measurements of 13 Minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.thirteen_minutes.players.value import value
from brinkmanship.games.thirteen_minutes.rules.board import cards_of_colour, triggers_war
from brinkmanship.games.thirteen_minutes.rules.state import COLOURS, Area, Node
from brinkmanship.lab.balance.profile import BalanceProfile, Beginning, Sizes

SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)

FEWER = (0, 1, 2, 3)
"""Handicaps in cubes at the start."""

SIZES: Mapping[str, Sizes] = {
    "greedy": {
        "games": 40_000, "course": 3_000, "order": 10_000, "cards": 12_000, "uses": 12_000, "bids": 24_000,
        "options": 8_000,
    },
    "fast": {
        "games": 100_000, "course": 3_000, "order": 20_000, "cards": 40_000, "uses": 24_000, "bids": 60_000,
        "options": 24_000,
    },
    "rules": {
        "games": 8_000, "course": 1_500, "order": 3_000, "cards": 4_000, "uses": 4_000, "bids": 10_000,
        "options": 1_000,
    },
    "search:20n": {"games": 200},
}  # fmt: skip
"""Number of games of each measurement by player, weakest player first; see `BalanceProfile.sizes`."""


class Minutes(BalanceProfile):
    """Balance profile of 13 Minutes."""

    wars = ("nuclear", "double_nuclear")
    ahead = "ahead.13-minutes"
    kinds = ("order", "cards", "uses", "bids")

    def sizes(self) -> Mapping[str, Sizes]:
        return SIZES

    def moment(self, state: State) -> int:
        """Return the number of cards played if the next card is about to be played, from the second one on; else -1."""
        return int(state.turn) if state.node == Node.PLAY and state.turn > 0 else -1

    def chance(self, state: State) -> float:
        """Return the chance of the US to win by the learned value."""
        return float(value(self.game.rules, state, 0))

    def causes(self, state: State) -> Sequence[tuple[int, str]]:
        """Return each side with a colour of which too many cards lie in its sphere."""
        enough = self.game.rules.limits.war_cards
        return [
            (side, colour)
            for side in range(2)
            for number, colour in enumerate(COLOURS)
            if cards_of_colour(self.game.rules, state, SPHERES[side], number) >= enough
        ]

    def cause(self, cause: str) -> Message | tuple[Ref, ...]:
        return (Ref("colour", cause),)

    def at_war(self, state: State, side: int) -> bool:
        """Return True if too many cards of one colour lie in the side's sphere."""
        return bool(triggers_war(self.game.rules, state, side))

    def asks_order(self, state: State) -> bool:
        """Return True when the first player is to be chosen, right after the bids."""
        return bool(state.node == Node.FIRST)

    def numbers(self) -> Mapping[str, Mapping[int, Beginning]]:
        """Return the supply of cubes with which each side starts."""

        def without(side: int, cubes: int) -> Beginning:
            def change(state: State) -> None:
                state["supply"][side] -= cubes
                state["lost"][side] += cubes

            return Beginning(change=change)

        return {
            f"cubes_{name}": {-cubes: without(side, cubes) for cubes in reversed(FEWER)}
            for side, name in enumerate(self.game.sides)
        }
