"""Summary of many analysed games of one player: net luck, and the losses by kind of decision.

Luck is summed, never counted by games: after a hundred small pieces of bad luck and one great piece of good luck only
the sum is informative. A sum of differences from a mean has a spread, which is shown beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from babel.numbers import format_decimal

from brinkmanship.analysis.report import Analysis, Bars, Judgement
from brinkmanship.engine.message import Argument, Message
from brinkmanship.text import Words

KindOfDecision = Literal[
    "agenda", "bid", "cards", "event", "cubes", "first", "payments", "units", "attacks", "war", "information", "other"
]

_ASKED: dict[KindOfDecision, tuple[str, ...]] = {
    "agenda": ("agenda",),
    "bid": ("bid",),
    "cards": ("play", "use", "offer", "place", "trigger", "drawn_card", "taken_card", "alliances"),
    "event": ("event", "event_zone", "event_unit", "event_country", "critical_zone", "window", "television"),
    "cubes": ("command",),
    "first": ("first", "first.tied", "first.behind", "who_first", "order"),
    "payments": ("diplomatic", "pay_rp", "pay_prestige", "allies", "add_allies"),
    "units": ("military", "deploy_to", "operate", "move_to"),
    "attacks": ("targets", "attack", "attackers", "defenders", "fight", "hit"),
    "war": ("declare", "ceasefire"),
    "information": ("information",),
}
KIND_OF: dict[str, KindOfDecision] = {f"ask.{ask}": kind for kind, asked in _ASKED.items() for ask in asked}
"""Kinds of decisions by the key of the question."""


class Kind(msgspec.Struct, frozen=True):
    """All counted decisions of a kind."""

    kind: KindOfDecision
    decisions: int
    marked: int
    loss: float
    """Sum of the losses of the marked ones in win probability: 1.0 is a game. Other losses are mostly errors."""
    error: float
    """The standard error of `loss`."""


class Summary(msgspec.Struct, frozen=True):
    """Analysed games of one player. Sums are of win probabilities: 1.0 is a game."""

    games: int
    won: float
    """Games won, a draw counting half."""
    luck: float
    luck_error: float
    """Standard error of the playouts."""
    luck_spread: float
    """Standard deviation of a sum of this much luck."""
    guess: float
    guess_error: float
    own_play: float
    other_play: float
    play_error: float
    kinds: tuple[Kind, ...]
    """Kinds by total loss, the largest first."""


def kind_of(one: Judgement) -> KindOfDecision:
    """Return the kind of a decision."""
    return KIND_OF.get(one.ask, "other")


def summary(games: Iterable[tuple[Analysis, int]]) -> Summary:
    """Summarise games, given with the player's side in each."""
    all_games = list(games)
    bars = [found.bars(side) for found, side in all_games]
    return Summary(
        games=len(all_games),
        won=sum(found.final if side == 0 else 1.0 - found.final for found, side in all_games),
        luck=sum(one.luck for one in bars),
        luck_error=_root(one.luck_error for one in bars),
        luck_spread=_root(one.luck for one in bars),
        guess=sum(one.guess for one in bars),
        guess_error=_root(one.guess_error for one in bars),
        own_play=sum(one.own_play for one in bars),
        other_play=sum(one.other_play for one in bars),
        play_error=_root(one.play_error for one in bars),
        kinds=_kinds([one for found, side in all_games for one in found.of(side)]),
    )


def _root(of: Iterable[float]) -> float:
    """Return the root of the sum of squares, the combined error of independent errors."""
    return float(sum(one**2 for one in of) ** 0.5)


def _kinds(decisions: Sequence[Judgement]) -> tuple[Kind, ...]:
    of_kind: dict[KindOfDecision, list[Judgement]] = {}
    for one in decisions:
        of_kind.setdefault(kind_of(one), []).append(one)
    marked = {kind: [one for one in some if one.mark is not None] for kind, some in of_kind.items()}
    found = (
        Kind(kind, len(some), len(dear), sum(one.loss for one in dear), _root(one.error for one in dear))
        for (kind, some), dear in zip(of_kind.items(), marked.values(), strict=True)
    )
    return tuple(sorted(found, key=lambda one: (-one.loss, one.kind)))


def sentences(found: Summary, words: Words) -> list[str]:
    """Return the sums in sentences; `words` must have the catalogue of analyses."""
    points = Bars(
        total=found.luck + found.guess + found.own_play + found.other_play,
        luck=found.luck,
        luck_error=found.luck_error,
        guess=found.guess,
        guess_error=found.guess_error,
        own_play=found.own_play,
        other_play=found.other_play,
        play_error=found.play_error,
    ).in_points()
    numbers: dict[str, Argument] = {
        "n": found.games,
        "luck": words.signed(points.luck),
        "error": _up(found.luck_error),
        "spread": _up(found.luck_spread),
        "guess": words.signed(points.guess),
        "guess_error": _up(found.guess_error),
        "own": words.signed(points.own_play),
        "other": words.signed(points.other_play),
        "play_error": _up(found.play_error),
    }
    return [words.sentence(Message(f"summary.{key}", numbers)) for key in ("games", "luck", "guess", "play")]


def rows(found: Summary, words: Words) -> list[tuple[str, int, int, str, str]]:
    """Return for each kind of decision its name, the counts of all and of marked ones, their loss, and the mean."""
    return [
        (
            words.sentence(Message(f"kind.{one.kind}")),
            one.decisions,
            one.marked,
            f"{round(100 * one.loss)} ± {_up(one.error)}",
            format_decimal(100 * one.loss / one.decisions, "0.0", words.language),
        )
        for one in found.kinds
    ]


def _up(error: float) -> int:
    return -int(-100 * error // 1)
