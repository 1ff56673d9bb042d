"""Figures computed from the counts, each with its number of values and 95 % interval, in points out of 100."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.lab.balance.accumulator import Moments, Tally
from brinkmanship.lab.balance.bidding import Bidding, bidding
from brinkmanship.lab.balance.measures import KINDS
from brinkmanship.lab.balance.store import Store, ruleset_of
from brinkmanship.lab.matches.summary import Z95, wilson

FAMILIES = {
    "order": "order",
    "card": "cards",
    "use": "uses",
    "agenda": "agendas",
    "hide": "hiding",
    "option": "options",
    "country": "countries",
    "zone": "zones",
}
"""Families of values measured by exchange: the first part of their keys, and the measure."""
FEWEST = 20
"""Minimum number of values for a figure."""
STRENGTHS = 3
"""Minimum number of players who agree for a robust verdict."""
FAMILY_ERROR = 0.05


class Measure(NamedTuple):
    """A measured value for one player."""

    n: int
    value: float
    margin: float
    """Half of the 95 % interval."""
    chance: float
    """p-value: the probability of a value at least this large if the true value is 0."""
    sure: bool = False
    """True if its sign is significant at 5 % within its whole family (Holm 1979)."""

    @property
    def sign(self) -> int:
        """Return the sign of the interval: 0 if it contains 0."""
        return 0 if abs(self.value) <= self.margin else 1 if self.value > 0 else -1


class Exchange(NamedTuple):
    """One thing that was exchanged."""

    key: tuple[str, ...]
    figures: Mapping[str, Measure]
    """Figures by player, weakest first."""
    verdict: str
    """``robust``, ``agree``, ``depends`` or ``open``; see `verdict`."""


def verdict(figures: Sequence[Measure]) -> str:
    """Return the joint verdict of the players.

    ``robust``: at three strengths or more every interval lies on the same side of 0, and at least one of them is
    significant within its family; ``agree``: the same for fewer players; ``depends``: two intervals lie on different
    sides; ``open``: otherwise.
    """
    signs = {figure.sign for figure in figures}
    if {1, -1} <= signs:
        return "depends"
    if len(signs) == 1 and 0 not in signs and any(figure.sure for figure in figures):
        return "robust" if len(figures) >= STRENGTHS else "agree"
    return "open"


def figure(moments: Moments, null: float = 0.0) -> Measure:
    """Return the mean of values between -1 and 1, in points out of 100, relative to `null`."""
    count, total, squares = moments
    mean = total / count
    # Keep the variance above 0: identical values so far do not exclude a different one.
    variance = max((squares - count * mean * mean) / max(count - 1, 1), 1 / count)
    error = math.sqrt(variance / count)
    value = mean - null
    return Measure(count, 100 * value, 100 * Z95 * error, math.erfc(abs(value) / error / math.sqrt(2)))


def share(count: float, total: int) -> Measure:
    """Return a share of all games (Wilson's interval)."""
    low, high = wilson(round(count), total)
    return Measure(total, 100 * count / max(total, 1), 50 * (high - low), 0.0)


def judged(found: Mapping[str, Mapping[str, Measure]]) -> list[Exchange]:
    """Return the rows of a family, given by player and key, with significance among all of the player's figures."""
    sure: dict[str, set[str]] = {}
    for player, figures in found.items():
        stands = sure[player] = set()
        ordered = sorted(figures.items(), key=lambda item: (item[1].chance, item[0]))
        for rank, (key, each) in enumerate(ordered):
            if each.chance > FAMILY_ERROR / (len(ordered) - rank):
                break
            stands.add(key)
    rows = []
    for key in dict.fromkeys(key for figures in found.values() for key in figures):
        mine = {
            player: figures[key]._replace(sure=key in sure[player])
            for player, figures in found.items()
            if key in figures
        }
        rows.append(Exchange(tuple(key.split("/")), mine, verdict(list(mine.values()))))
    return rows


class Suggestion(NamedTuple):
    """A starting number at which both sides would win equally often."""

    name: str
    player: str
    value: float | None
    """None: no measured value, nor one between two of them."""
    margin: float


class Report:
    """All figures of a report.

    Args:
        store: the measured pieces.
    """

    def __init__(self, store: Store) -> None:
        self.about = store.about
        self.game: Game = ruleset_of(store.about)
        self.counts = {(kind, player): count for kind, player, count in store.games()}
        self.players = tuple(player for player in self.about["players"] if any(p == player for _, p in self.counts))
        self._found = {
            (kind, player): store.read(kind, player)
            for kind in KINDS
            for player in self.players
            if (kind, player) in self.counts
        }

    def tally(self, kind: str, player: str) -> Tally:
        """Return the counts of a measure with a player; empty if it was not measured."""
        found = self._found.get((kind, player))
        return found.tally if found else Tally()

    def players_of(self, kind: str) -> list[str]:
        """Return the players with whom a measure was taken, weakest first."""
        return [player for player in self.players if (kind, player) in self._found]

    def bias(self) -> Exchange:
        """Return side 0's score relative to half of the points."""
        found = {
            player: {"score": figure(self.tally("games", player).moments["score"], 0.5)}
            for player in self.players_of("games")
        }
        return judged(found)[0]

    def family(self, prefix: str) -> list[Exchange]:
        """Return the values of a family measured by exchange, sorted by the strongest player's value, highest first."""
        kind = FAMILIES[prefix]
        kinds = (kind, "events") if prefix == "card" else (kind,)
        found = {}
        for player in self.players:
            moments: dict[str, Moments] = {}
            for each in kinds:
                moments |= self.tally(each, player).below(prefix)
            if figures := {key: figure(value) for key, value in moments.items() if value[0] >= FEWEST}:
                found[player] = figures
        rows = judged(found)
        return sorted(rows, key=lambda row: (-[*row.figures.values()][-1].value, row.key))

    def ends(self, player: str) -> dict[tuple[str, str, str], Measure]:
        """Return the share of games by round, reason and winner."""
        moments = self.tally("games", player).below("end")
        total = sum(count for count, _, _ in moments.values())
        found = {}
        for key, (count, _, _) in moments.items():
            span, reason, winner = key.split("/")
            found[span, reason, winner] = share(count, total)
        return found

    def shares(self, kind: str, prefix: str, player: str) -> dict[tuple[str, ...], Measure]:
        """Return the share of each key below a prefix, among the games or among all values counted there."""
        moments = self.tally(kind, player).below(prefix)
        total = self.tally("games", player).count("score") if kind == "games" else 0
        total = total or sum(count for count, _, _ in moments.values())
        return {tuple(key.split("/")): share(count, total) for key, (count, _, _) in moments.items()}

    def avoidable(self, player: str) -> dict[str, Measure]:
        """Return by side the share of the wars it began that it could have avoided."""
        moments = self.tally("course", player).below("war")
        return {side: share(total, count) for side, (count, total, _) in moments.items()}

    def moments_of(self, prefix: str, player: str) -> dict[int, Measure]:
        """Return a share by moment of the game."""
        found = self.tally("course", player).below(prefix)
        return {int(key): figure(value) for key, value in found.items() if value[0] >= FEWEST}

    def mean(self, kind: str, key: str, player: str) -> tuple[float, float] | None:
        """Return a mean with half of its interval, in its own unit; None if it was not measured."""
        moments = self.tally(kind, player).moments.get(key)
        if moments is None:
            return None
        found = figure(moments)
        return found.value / 100, found.margin / 100

    def numbers(self, player: str) -> dict[str, dict[int, Measure]]:
        """Return the points of side 0 by name and value of a starting number."""
        found: dict[str, dict[int, Measure]] = {}
        for key, moments in self.tally("options", player).below("number").items():
            name, value = key.split("/")
            found.setdefault(name, {})[int(value)] = figure(moments)
        return {name: dict(sorted(values.items())) for name, values in found.items()}

    def suggestions(self) -> list[Suggestion]:
        """Return the value of each starting number at which both sides would win equally often."""
        return [
            Suggestion(name, player, *_balanced(values))
            for player in self.players_of("options")
            for name, values in self.numbers(player).items()
        ]

    def bids(self) -> dict[str, Bidding]:
        """Return the equilibrium of the bids by player."""
        return {
            player: bidding(rows, len(self._cards()))
            for player in self.players
            if (found := self._found.get(("bids", player))) and len(rows := found.rows) >= 10 * FEWEST
        }

    def _cards(self) -> Sequence[Any]:
        game: Any = self.game
        return list(game.data.card)

    def as_json(self) -> dict[str, Any]:
        """Return all figures as plain JSON data."""
        players = self.players_of("games")
        return {
            **{name: value for name, value in self.about.items() if name != "content"},
            "games": [{"measure": kind, "player": player, "n": n} for (kind, player), n in self.counts.items()],
            "bias": _row_json(self.bias()),
            "families": {name: [_row_json(row) for row in rows] for name in FAMILIES if (rows := self.family(name))},
            "ends": {
                player: [
                    {"span": int(span), "reason": reason, "winner": winner, **_share_json(each)}
                    for (span, reason, winner), each in self.ends(player).items()
                ]
                for player in players
            },
            "wars": {
                player: {
                    "causes": {"/".join(key): _share_json(each) for key, each in causes.items()},
                    "avoidable": {side: _share_json(each) for side, each in self.avoidable(player).items()},
                    "deeds": {
                        "/".join(key): _share_json(each) for key, each in self.shares("course", "deed", player).items()
                    },
                }
                for player in players
                if (causes := self.shares("games", "cause", player))
            },
            "course": {
                player: {
                    "changes": self.mean("course", "changes", player),
                    "back": self.mean("course", "back", player),
                    "ahead": {n: _figure_json(each) for n, each in self.moments_of("ahead", player).items()},
                    "even": {n: _figure_json(each) for n, each in self.moments_of("even", player).items()},
                }
                for player in self.players_of("course")
            },
            "decisions": {player: self.mean("games", "length", player) for player in players},
            "numbers": {
                player: {
                    name: {value: _figure_json(each) for value, each in values.items()}
                    for name, values in self.numbers(player).items()
                }
                for player in self.players_of("options")
            },
            "suggestions": [each._asdict() for each in self.suggestions()],
            "bids": {player: each.as_json([card.id for card in self._cards()]) for player, each in self.bids().items()},
        }


def _figure_json(each: Measure) -> dict[str, Any]:
    return {"n": each.n, "value": each.value, "low": each.value - each.margin, "high": each.value + each.margin}


def _share_json(each: Measure) -> dict[str, Any]:
    low, high = wilson(round(each.value * each.n / 100), each.n)
    return {"n": each.n, "value": each.value, "low": 100 * low, "high": 100 * high}


def _row_json(row: Exchange) -> dict[str, Any]:
    figures = {player: {**_figure_json(each), "sure": each.sure} for player, each in row.figures.items()}
    return {"key": row.key, "verdict": row.verdict, "figures": figures}


def _balanced(values: Mapping[int, Measure]) -> tuple[float | None, float]:
    """Return the number at which side 0 scores half of the points, and half its interval.

    The number is interpolated between two measured values; None and 0 if there are none on both sides of 50.
    """
    points = list(values.items())
    for (low, one), (high, two) in pairwise(points):
        slope = (two.value - one.value) / (high - low)
        if (one.value - 50) * (two.value - 50) <= 0 and slope:
            at = low + (50 - one.value) / slope
            return at, min(math.hypot(one.margin, two.margin) / 2 / abs(slope), 99.0)
    return None, 0.0
