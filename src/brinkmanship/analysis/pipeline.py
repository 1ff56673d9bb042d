"""Analysis of a finished game: `analyse`.

Every position has one value (`value`), and all parts of the result are differences of values, so that they add up
exactly (Zare, "A Measure of Luck"; Burch et al., "AIVAT", 2018):

* chance: *luck* is the value after it minus the value before, which is the mean over all outcomes;
* a decision: *play* is its result minus that of the reference player, given its side's knowledge (`decisions`); the
  rest of the change is *guess*: the effect of hidden information, zero on average against an opponent who acts as the
  reference player is assumed to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.decisions import judged, reference
from brinkmanship.analysis.report import (
    FORMAT,
    MAX_PLAYOUTS,
    MIN_PLAYOUTS,
    Analysis,
    AnalysisError,
    Judgement,
    Reply,
    ReportStep,
)
from brinkmanship.analysis.steps import Span, length, spans
from brinkmanship.analysis.value import StateEvaluator, reference_player
from brinkmanship.engine import journal
from brinkmanship.engine.game import Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.message_json import as_json
from brinkmanship.engine.observation import Observation
from brinkmanship.players import Budget, players_for
from brinkmanship.players.hints import hints

STANDARD_PLAYOUTS = 7000
"""Playouts for each step: half to value the position, half to compare the choices; as many more if the action taken was
not that of the reference player.
"""
COSTLIEST = 3
"""Maximum decisions of each side with details."""
PIECES = 20
"""Number of batches of playouts, for progress reports; the first batch gives the first curve."""
REPLY_PLAYOUTS = 60
"""Playouts for the details of a costly decision; its figures are not used."""

Progress = Callable[[int, int], None]
"""Callback with the numbers of finished and of all parts. An exception from it aborts the analysis."""
Curve = Callable[[Sequence[tuple[int, float]]], None]
"""Callback with pairs of entry count and win probability of side 0, as soon as rough values are known."""


def analyse(
    match: Match,
    seed: int = 0,
    playouts: int = STANDARD_PLAYOUTS,
    result: str | None = None,
    progress: Progress | None = None,
    curve: Curve | None = None,
    given: int = 0,
) -> Analysis:
    """Analyse a finished game.

    Args:
        match: the game; it is not changed.
        seed: seed of all playouts; the analysis is the same for the same seed and playouts.
        playouts: for each step of the game.
        result: the result of a game ended outside its rules, as in journals ("us by resignation").
        progress: see `Progress`.
        curve: see `Curve`.
        given: number of entries taken over from another game (`journal.given_in`); they are not analysed.

    Raises:
        AnalysisError: the game is not over, has no search, or the number of playouts is out of range.
    """
    if not MIN_PLAYOUTS <= playouts <= MAX_PLAYOUTS:
        bounds = {"least": MIN_PLAYOUTS, "most": MAX_PLAYOUTS, "value": playouts}
        raise AnalysisError(Message("fault.analysis.playouts", bounds))
    if "search" not in players_for(match.game):
        raise AnalysisError(Message("fault.analysis.no_search", {"title": match.game.title}))
    ended, winner = _ended(match, result)
    return _Analysing(match, seed, playouts, ended, winner, progress or _silent, curve, given).analysis()


def playouts_for(game: Game, usual: int = STANDARD_PLAYOUTS) -> int:
    """Return the default number of playouts for each step of a game.

    Args:
        game: the ruleset; it has a search.
        usual: for a game with short playouts.
    """
    return max(MIN_PLAYOUTS, round(usual * reference_player(game, 0).method.analysed))


def _ended(match: Match, result: str | None) -> tuple[str, int | None]:
    """Return the result as in journals, and the winner."""
    said = journal.result_text(match) if match.is_over else result or ""
    winner, reason = journal.ending_of(match.game, said)
    if not reason or (not match.is_over and winner is None):
        raise AnalysisError(Message("fault.analysis.not_over"))
    return said, winner


def _silent(done: int, total: int) -> None:
    """Ignore progress."""


class _Point(NamedTuple):
    """The value of a position: that of a simulated state, or an exact number."""

    anchor: int | None
    """Entries before the state."""
    value: float = 0.0


class _Analysing:
    def __init__(
        self,
        match: Match,
        seed: int,
        playouts: int,
        result: str,
        winner: int | None,
        progress: Progress,
        curve: Curve | None,
        given: int,
    ) -> None:
        game = match.game
        player = reference_player(game, seed)
        self.match, self.game, self.player = match, game, player
        self.seed, self.playouts, self.result = seed, playouts, result
        self.final = 0.5 if winner is None else 1.0 - winner
        self.winner = winner
        self.progress, self.curve = progress, curve
        self.worth = StateEvaluator(game, player.method, seed)
        self.worlds = max(2, playouts // 2)
        self.spent = 0
        self.seen = tuple(Observation.of(match, side) for side in range(len(game.sides)))
        self.spans = [span for span in spans(match) if span.first >= given]
        if not match.is_over:
            at = length(match)
            assert winner is not None
            self.spans.append(Span(at, at, "given_up", 1 - winner))

    def analysis(self) -> Analysis:
        """Run the whole analysis."""
        points = self._points()
        anchors = sorted({one.anchor for one in points if one.anchor is not None})
        decided = [(span, side) for span in self.spans for side in self._deciders(span)]
        self.total = PIECES + len(decided)
        values = self._values(anchors, points)
        judgements: list[Judgement] = []
        for number, (span, side) in enumerate(decided, 1):
            judgements.append(self._judged(span.first, side))
            self.progress(PIECES + number, self.total)
        steps = self._steps(points, anchors, values, judgements)
        start = steps[0].before if steps else self.final
        found = Analysis(
            format=FORMAT,
            game=self.game.id,
            rules=self.game.version,
            sides=self.game.sides,
            seed=self.seed,
            budget=self.playouts,
            worlds=self.worlds,
            playouts=self.spent,
            result=self.result,
            final=self.final,
            initial=start,
            steps=tuple(steps),
            judgements=tuple(judgements),
            errors=self._errors(points, anchors, values, judgements),
        )
        dear = [one for side in range(len(self.game.sides)) for one in found.costliest(side, COSTLIEST)]
        return _with_details(found, [self._detail(one) for one in dear])

    def _deciders(self, span: Span) -> Iterable[int]:
        if span.kind == "secret":
            return range(len(self.game.sides))
        return () if span.kind != "decision" or span.side is None else (span.side,)

    # ---- The value of every position.

    def _points(self) -> list[_Point]:
        """Return the value before each step, and that of the end."""
        points = [_Point(None, self.final)]
        for span in reversed(self.spans):
            if span.kind in ("rules", "forced") or (span.kind == "decision" and self._goes_without_saying(span)):
                points.append(points[-1])
            else:
                points.append(_Point(span.first))
        return points[::-1]

    def _goes_without_saying(self, span: Span) -> bool:
        """Return True if the reference player always takes the action taken: then the value does not change."""
        assert span.side is not None
        taken = self.match.entries[span.first].action
        return set(reference(self.player, self.seen[span.side].before(span.first), self.seed)) == {taken}

    def _values(self, anchors: list[int], points: list[_Point]) -> npt.NDArray[np.float64]:
        """Return the result of each playout from each anchor, float64[futures, anchors]."""
        states = [self.match.state_after(anchor) for anchor in anchors]
        values = np.zeros((self.worlds, len(anchors)))
        cuts = [self.worlds * number // PIECES for number in range(PIECES + 1)]
        for number, (first, end) in enumerate(pairwise(cuts), 1):
            if end > first:
                values[first:end] = self.worth.points(states, first, end - first)
            self.progress(number, self.total)
            if number == 1 and self.curve is not None:
                rough = dict(zip(anchors, values[: max(end, 1)].mean(axis=0), strict=True))
                known = zip((*(span.first for span in self.spans), length(self.match)), points, strict=True)
                self.curve([(at, _value(rough, point)) for at, point in known])
        self.spent += values.size
        return values

    def _judged(self, first: int, side: int) -> Judgement:
        taken = next(entry.action for entry in self.match.entries[first : first + 2] if entry.actor == side)
        seed = int(np.random.SeedSequence((self.seed, first, side)).generate_state(1)[0])
        found, spent = judged(self.player, self.seen[side].before(first), taken, self.playouts // 2, seed)
        self.spent += spent
        return found

    # ---- The effect of every step.

    def _steps(
        self,
        points: list[_Point],
        anchors: list[int],
        values: npt.NDArray[np.float64],
        judgements: list[Judgement],
    ) -> list[ReportStep]:
        known = dict(zip(anchors, values.mean(axis=0).tolist(), strict=True))
        over = {(one.first, one.side): one.over_reference for one in judgements}
        steps = []
        for number, span in enumerate(self.spans):
            before, after = _value(known, points[number]), _value(known, points[number + 1])
            luck, play = 0.0, [0.0, 0.0]
            if span.kind == "chance":
                luck = after - before
            elif span.kind == "given_up" and span.side is not None:
                play[span.side] = after - before
            for side in self._deciders(span):
                play[side] = over[span.first, side] * (1.0 if side == 0 else -1.0)
            guess = after - before - luck - sum(play)
            if abs(guess) < ROUNDING:
                guess = 0.0
            steps.append(
                ReportStep(span.first, span.last, span.kind, span.side, before, after, luck, guess, (play[0], play[1]))
            )
        return steps

    def _errors(
        self,
        points: list[_Point],
        anchors: list[int],
        values: npt.NDArray[np.float64],
        judgements: list[Judgement],
    ) -> tuple[float, float, float]:
        """Return the standard errors of luck, guess and play over the whole game."""
        column = {anchor: number for number, anchor in enumerate(anchors)}
        luck, guess = np.zeros(len(anchors)), np.zeros(len(anchors))
        for number, span in enumerate(self.spans):
            if span.kind == "given_up":
                continue
            into = luck if span.kind == "chance" else guess
            for point, sign in ((points[number], -1.0), (points[number + 1], 1.0)):
                if point.anchor is not None:
                    into[column[point.anchor]] += sign
        play = sum(one.over_error**2 for one in judgements)
        of_guess = _error(values @ guess) ** 2 + play
        return _error(values @ luck), float(of_guess**0.5), float(play**0.5)

    def _detail(self, judgement: Judgement) -> Reply:
        """Return the reason for the best choice, and the likely reply to each."""
        seen = self.seen[judgement.side].before(judgement.first)
        found = hints(seen, Budget(nodes=REPLY_PLAYOUTS), self.seed)
        texts = {one.action: self.game.action_text(one.action) for one in found.hints}
        reasons = [one.reason for one in found.hints if one.reason and texts[one.action] == judgement.best]
        return Reply(
            first=judgement.first,
            side=judgement.side,
            reason=as_json(reasons[0]) if reasons else None,
            replies={texts[one.action]: as_json(one.reply.text) for one in found.hints if one.reply is not None},
        )


ROUNDING = 1e-12
"""Maximum rounding error of differences of equal numbers."""


def _value(known: dict[int, float], point: _Point) -> float:
    return point.value if point.anchor is None else known[point.anchor]


def _error(futures: npt.NDArray[np.float64]) -> float:
    return float(futures.std(ddof=1) / len(futures) ** 0.5)


def _with_details(found: Analysis, details: list[Reply]) -> Analysis:
    return msgspec.structs.replace(found, details=tuple(details))
