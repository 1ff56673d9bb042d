"""Measurements of 13 Days beyond those of every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.games.thirteen_days.players.value import moment, value
from brinkmanship.games.thirteen_days.rules.data import TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import HIDDEN, Node
from brinkmanship.lab.balance.profile import BalanceProfile, Beginning, Sizes

MAX_LEAD = 3
"""Maximum Prestige that a side may begin with."""
ALL_TRACKS = "all"
"""Cause of a war in which all three markers were in DEFCON 2."""

SIZES: Mapping[str, Sizes] = {
    "greedy": {
        "games": 20_000, "course": 4_000, "order": 4_000, "cards": 8_000, "uses": 8_000, "agendas": 3_000,
        "hiding": 4_000, "options": 3_000,
    },
    "fast": {
        "games": 100_000, "course": 8_000, "order": 12_000, "cards": 60_000, "uses": 24_000, "agendas": 12_000,
        "hiding": 12_000, "options": 24_000,
    },
    "rules": {
        "games": 20_000, "course": 4_000, "order": 4_000, "cards": 8_000, "uses": 8_000, "agendas": 3_000,
        "hiding": 4_000, "options": 3_000,
    },
    "search:20n": {"games": 1_000},
}  # fmt: skip
"""Games of each measure by player, weakest first; see `BalanceProfile.sizes`."""


class Days(BalanceProfile):
    """Balance profile of 13 Days."""

    wars = ("nuclear_war", "mutual_nuclear_war")
    ahead = "ahead.13-days"
    kinds = ("order", "cards", "uses", "agendas", "hiding")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.data = cast(ThirteenDays, game).data

    def sizes(self) -> Mapping[str, Sizes]:
        return SIZES

    def span(self, state: State) -> int:
        """Return the round."""
        return int(state.round_number)

    def moment(self, state: State) -> int:
        """Return the moment: before each card of a round, after the last one, or after the round."""
        return int(moment(self.game.rules, state))

    def chance(self, state: State) -> float:
        """Return the learned value."""
        return float(value(self.game.rules, state, 0))

    def causes(self, state: State) -> Sequence[tuple[int, str]]:
        """Return the tracks of markers in DEFCON 1, or `ALL_TRACKS` if all three were in DEFCON 2."""
        found = []
        for side in range(2):
            if self.at_war(state, side):
                areas = self._areas(state, side)
                tracks = [track for track, area in zip(TRACKS, areas, strict=True) if area == 1]
                found.append((side, "+".join(tracks) or ALL_TRACKS))
        return found

    def cause(self, cause: str) -> Message | tuple[Ref, ...]:
        if cause == ALL_TRACKS:
            return super().cause(cause)
        return tuple(Ref("track", track) for track in cause.split("+"))

    def at_war(self, state: State, side: int) -> bool:
        """Return True if a marker is in DEFCON 1, or all three are in DEFCON 2."""
        areas = self._areas(state, side)
        return 1 in areas or all(area == 2 for area in areas)

    def asks_order(self, state: State) -> bool:
        """Return True at the question of who plays first, once a round."""
        return bool(state.node == Node.FIRST)

    def show(self, state: State, known: State, side: int) -> None:
        """Show the chosen agenda in the first round, once both have chosen."""
        if state.round_number == 1 and known["chosen"][side] == HIDDEN and state.node != Node.AGENDA:
            known["chosen"][side] = state["chosen"][side]

    def numbers(self) -> Mapping[str, Mapping[int, Beginning]]:
        """Return the Prestige the game may begin with."""

        def lead(points: int) -> Beginning:
            def change(state: State) -> None:
                state["prestige"] = points

            return Beginning(change=change)

        return {"prestige": {points: lead(points) for points in range(-MAX_LEAD, MAX_LEAD + 1)}}

    def _areas(self, state: State, side: int) -> list[int]:
        return [int(self.game.rules.area[int(step)]) for step in state["defcon"][side]]
