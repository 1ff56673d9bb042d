"""Balance measurements of Ukrainian Crisis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from brinkmanship.engine.game import Game
from brinkmanship.engine.record import State
from brinkmanship.games.ukrainian_crisis.players.value import moment, value
from brinkmanship.games.ukrainian_crisis.rules.data import BOXES
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.names import Kind
from brinkmanship.games.ukrainian_crisis.rules.state import PLACE, Node, Place
from brinkmanship.lab.balance.profile import BalanceProfile, Beginning, Sizes

Change = Callable[[State], None]

STEPS = (-8, -4, -2, 2, 4, 8)
"""Changes of a side's starting Prestige."""

SIZES: Mapping[str, Sizes] = {
    "greedy": {
        "games": 10_000, "course": 1_000, "order": 3_000, "events": 4_000, "countries": 800, "zones": 800,
        "options": 400,
    },
    "rules~0.95": {
        "games": 4_000, "course": 500, "order": 1_000, "events": 1_000, "countries": 200, "zones": 200,
        "options": 60,
    },
    "rules": {
        "games": 40_000, "course": 4_000, "order": 8_000, "events": 12_000, "countries": 8_000, "zones": 8_000,
        "options": 4_000,
    },
    "search:20n": {"games": 400},
}  # fmt: skip
"""Number of games of each measurement by player, weakest player first; see `BalanceProfile.sizes`."""


class Crisis(BalanceProfile):
    """Balance profile of Ukrainian Crisis."""

    ahead = "ahead.ukrainian-crisis"
    kinds = ("order", "events", "countries", "zones")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.data = cast(UkrainianCrisis, game).data

    def sizes(self) -> Mapping[str, Sizes]:
        return SIZES

    def span(self, state: State) -> int:
        """Return the Turn."""
        return int(state.turn)

    def moment(self, state: State) -> int:
        """Return the Turn, from 0, at the end of each Turn but the last; else -1."""
        return int(moment(self.game.rules, state))

    def chance(self, state: State) -> float:
        """Return the chance of Ukraine to win by the learned value."""
        return float(value(self.game.rules, state, 0))

    def asks_order(self, state: State) -> bool:
        """Return True when the side that acts first in an area of a Strategic Turn is to be chosen."""
        return bool(state.node == Node.WHO_FIRST)

    def numbers(self) -> Mapping[str, Mapping[int, Beginning]]:
        """Return the starting Prestige of either side."""
        found = {}
        for side in self.game.sides:
            name = f"prestige_{side}"
            now = int(self.game.options[name])
            values = sorted({now + step for step in (*STEPS, 0) if now + step > 0})
            found[name] = {points: Beginning({name: points}) for points in values}
        return found

    def countries(self) -> Mapping[str, Mapping[str, Beginning]]:
        """Return each country in each box of the relations track."""
        return {
            country.id: {box: Beginning({f"box_{country.id.lower()}": box}) for box in BOXES}
            for country in self.data.country
        }

    def zones(self) -> Mapping[str, tuple[Beginning, ...]]:
        """Return each zone of Ukraine, with an Irregular of either side in it from the start."""
        return {
            zone.id: tuple(Beginning(change=self._garrison(number, side)) for side in range(2))
            for number, zone in enumerate(self.data.zone)
            if zone.home == "UA"
        }

    def _garrison(self, zone: int, side: int) -> Change:
        rules = self.game.rules
        kinds = [
            kind
            for kind in range(int(rules.n_types))
            if rules.types[kind].side == side and rules.types[kind].kind == Kind.IRREGULAR
        ]

        def change(state: State) -> None:
            for kind in kinds:
                first, end = int(rules.types[kind].first), int(rules.types[kind].end)
                units = state["unit"][first:end]
                waiting = [unit for unit in range(len(units)) if units[unit] // PLACE >= Place.RESERVE]
                if waiting:
                    units[waiting[0]] = zone * PLACE
                    units.sort()
                    return

        return change
