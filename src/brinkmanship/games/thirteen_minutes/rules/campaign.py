"""The campaign of 13 Minutes (section 5.6): games in a row, until a player has 13 points or a war ends it.

Each player adds the Prestige of every game, also of those lost and drawn. Totals belong to players and not to
superpowers. Open points are options: `campaign_target`, `campaign_double_war` (Q46), `campaign_both_13` (Q45),
`campaign_sides`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from brinkmanship.engine.options import OptionValue
from brinkmanship.engine.series import Series, Standing
from brinkmanship.games.thirteen_minutes.rules.state import Reason, State

PLAYERS = (0, 1)


@dataclass(frozen=True)
class Campaign(Series):
    """A campaign between players 0 and 1; player 0 begins with the side of `first_sides`, by default the US."""

    options: Mapping[str, OptionValue]
    first_sides: tuple[int, int] = (0, 1)
    score: tuple[int, int] = (0, 0)
    games: int = 0
    now_sides: tuple[int, int] | None = None
    """Sides of the next game if the players agreed on them; None: by the option."""
    winners: tuple[int, ...] = ()
    reason: str = ""

    @property
    def standing(self) -> Standing:
        target = int(self.options["campaign_target"])
        return Standing(self.score, self.games, target, self.winners, bool(self.reason), self.reason)

    @property
    def sides(self) -> tuple[int, int] | None:
        """The sides of the next game (see `Series.sides`); before the first game the initial ones."""
        if self.now_sides is not None:
            return self.now_sides
        us, ussr = self.first_sides
        match self.options["campaign_sides"]:
            case "alternate":
                return (us, ussr) if self.games % 2 == 0 else (ussr, us)
            case "keep":
                return us, ussr
        return (us, ussr) if self.games == 0 else None

    def choose_sides(self, sides: tuple[int, int]) -> Campaign:
        """Set the agreed sides of the next game; see `Series.choose_sides`.

        Raises:
            ValueError: both players would have the same side.
        """
        if sorted(sides) != [0, 1]:
            raise ValueError(f"the players need different sides, 0 and 1, not {sides}")
        return replace(self, now_sides=sides)

    def after(self, state: State) -> Campaign:
        """Return the campaign after a game: a war ends it, else the Prestige is added and 13 points end it (Q45)."""
        sides = self._sides_now()
        if state.reason == Reason.NUCLEAR_WAR:
            return self._ended((sides.index(int(state.winner)),), "nuclear")
        if state.reason == Reason.DOUBLE_WAR:
            if self.options["campaign_double_war"] == "no_winner":  # Q46
                return self._ended((), "double_nuclear")
            return self._next(self.score)
        prestige = state.score.sum(axis=1).tolist()
        return self._next((self.score[0] + prestige[sides[0]], self.score[1] + prestige[sides[1]]))

    def without_result(self) -> Campaign:
        """Return the campaign after a game without a result (Q49)."""
        return self._next(self.score)

    def after_concession(self, player: int, everything: bool) -> Campaign:
        """Return the campaign after a concession: a game given up adds nothing to either player (Q49)."""
        if everything:
            return self._ended((1 - player,), "concession")
        return self._next(self.score)

    def _sides_now(self) -> tuple[int, int]:
        sides = self.sides
        if sides is None:
            raise ValueError("the sides of this game were not chosen")
        return sides

    def _next(self, score: tuple[int, int]) -> Campaign:
        target = self.standing.target
        there = tuple(player for player in PLAYERS if score[player] >= target)
        later = replace(self, score=score, games=self.games + 1, now_sides=None)
        if len(there) == 2 and self.options["campaign_both_13"] == "higher_else_continue":
            there = tuple(player for player in PLAYERS if score[player] > score[1 - player])
        return replace(later, winners=there, reason="target") if there else later

    def _ended(self, winners: tuple[int, ...], reason: str) -> Campaign:
        return replace(self, games=self.games + 1, now_sides=None, winners=winners, reason=reason)
