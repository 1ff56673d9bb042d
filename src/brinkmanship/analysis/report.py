"""An analysis as immutable, typed data with JSON serialisation.

Win probabilities are those of side 0, 0..1, a draw counting half, unless a field says otherwise. The effect of a step
is split into `luck`, `guess` and `play`, so that for every step ``after - before`` is their sum, and over all of them
``final - initial``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Literal, NamedTuple

import msgspec

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message
from brinkmanship.engine.struct_types import prepare

FORMAT = 2
"""The version of the JSON."""

Kind = Literal["chance", "decision", "secret", "forced", "rules", "given_up"]
Mark = Literal["doubtful", "mistake", "blunder"]

MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("doubtful", 0.02))
"""Minimum loss for each mark, the worst first."""
ERRORS_OF_A_MARK = 2.0
"""Minimum loss for a mark, in standard errors."""
MIN_PLAYOUTS, MAX_PLAYOUTS = 8, 1_000_000
"""Limits of playouts for each step of a game."""
OBVIOUS = 0.01
"""A decision whose choices all differ by less than this does not count as a decision."""


class AnalysisError(LocalizedError):
    """A game that cannot be analysed, or an analysis that cannot be read."""


class ComparedOption(msgspec.Struct, frozen=True):
    """One of the compared choices."""

    action: str
    win: float
    """Win probability of the deciding side, averaged over all states consistent with its view."""
    error: float
    """Error of `win`: the standard error of the playouts and their bias together; 0 if it is exact."""
    war: float | None = None
    """Fraction of the playouts that end in a war that the side does not win; None if the game has no such ending."""
    share: float | None = None
    """Probability in the equilibrium of a simultaneous choice; None for any other question."""


class Judgement(msgspec.Struct, frozen=True):
    """Evaluation of one side's decision, given its knowledge."""

    first: int
    """Entries of the game before the decision."""
    side: int
    ask: str
    """The key of the question."""
    taken: str
    best: str
    """The best choice; in a simultaneous choice the one with the highest probability."""
    options: tuple[ComparedOption, ...]
    """All compared choices, best first, including the one taken."""
    loss: float
    """Win probability of the best choice minus that of the one taken, 0 or more."""
    error: float
    """The standard error of `loss`."""
    over_reference: float
    """Its result minus that of the reference player's choice: the share of `play`."""
    over_error: float
    fair: float
    """Win probability of the deciding side if the reference player decides, given the side's knowledge."""
    is_counted: bool
    """True if there was a real choice: neither forced nor obvious."""
    mark: Mark | None = None
    why: Literal["war", "won"] | None = None
    """"war": the loss is due to war; "won": the game was practically won."""


class ReportStep(msgspec.Struct, frozen=True):
    """A part of the game: one chance event, decision or step of the rules."""

    first: int
    """Entries of the game before it."""
    last: int
    """Entries after it."""
    kind: Kind
    side: int | None
    """The deciding side; None for chance, the rules, and simultaneous choices."""
    before: float
    after: float
    luck: float = 0.0
    guess: float = 0.0
    play: tuple[float, float] = (0.0, 0.0)
    """Effect of each side's decision on side 0."""


class Reply(msgspec.Struct, frozen=True):
    """Details of a costly decision, in addition to its figures."""

    first: int
    side: int
    reason: dict[str, object] | None = None
    """The reason for the best choice as JSON of `engine.message_json`, in the catalogue ``players``."""
    replies: dict[str, dict[str, object]] = {}
    """The likely reply of the other side by the text of the action, as JSON of `engine.message_json`."""


class Points(NamedTuple):
    """Bars as whole percentage points."""

    total: int
    luck: int
    guess: int
    play: int
    own_play: int
    other_play: int


class Bars(msgspec.Struct, frozen=True):
    """The result of a game for one side, in parts that add up to `total`."""

    total: float
    """Final minus initial win probability."""
    luck: float
    luck_error: float
    guess: float
    guess_error: float
    own_play: float
    other_play: float
    play_error: float

    @property
    def play(self) -> float:
        """Effect of both sides' decisions on the side."""
        return self.own_play + self.other_play

    def in_points(self) -> Points:
        """Round all parts to whole percentage points that still add up (largest remainder method)."""
        total = round(100 * self.total)
        luck, guess, play = _adding_up((100 * self.luck, 100 * self.guess, 100 * self.play), total)
        own, other = _adding_up((100 * self.own_play, 100 * self.other_play), play)
        return Points(total, luck, guess, play, own, other)


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a finished game."""

    format: int
    game: str
    rules: int
    sides: tuple[str, ...]
    seed: int
    budget: int
    """Playouts for each step."""
    worlds: int
    """Playouts that valued each position."""
    playouts: int
    """Total for all positions and decisions."""
    result: str
    """As in a journal's header."""
    final: float
    initial: float
    steps: tuple[ReportStep, ...]
    judgements: tuple[Judgement, ...]
    details: tuple[Reply, ...] = ()
    errors: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Standard errors of luck, guess and play over the whole game."""

    def bars(self, side: int = 0) -> Bars:
        """Return the parts of the result for a side."""
        sign = 1.0 if side == 0 else -1.0
        return Bars(
            total=sign * (self.final - self.initial),
            luck=sign * sum(step.luck for step in self.steps),
            luck_error=self.errors[0],
            guess=sign * sum(step.guess for step in self.steps),
            guess_error=self.errors[1],
            own_play=sign * sum(step.play[side] for step in self.steps),
            other_play=sign * sum(step.play[1 - side] for step in self.steps),
            play_error=self.errors[2],
        )

    @property
    def loser(self) -> int:
        """The side that has most to learn from the game: the one that lost it, the first after a draw."""
        return 1 if self.final > 1.0 - self.final else 0

    def luck_adjusted(self, side: int = 0) -> float:
        """Return the result without luck and guess: the side's expected result, which may lie outside of 0..1."""
        bars = self.bars(side)
        return (self.final if side == 0 else 1.0 - self.final) - bars.luck - bars.guess

    def of(self, side: int) -> tuple[Judgement, ...]:
        """Return a side's decisions that count, in the order of the game."""
        return tuple(one for one in self.judgements if one.side == side and one.is_counted)

    def costliest(self, side: int, count: int = 3) -> tuple[Judgement, ...]:
        """Return the marked decisions of a side with the largest losses, the largest first."""
        marked = [one for one in self.judgements if one.side == side and one.mark is not None]
        return tuple(sorted(marked, key=lambda one: -one.loss)[:count])

    def error_rate(self, side: int) -> float | None:
        """Return the mean loss of a side's counted decisions in thousandths; None without any."""
        counted = self.of(side)
        return 1000.0 * sum(one.loss for one in counted) / len(counted) if counted else None

    def win(self, count: int, side: int = 0) -> float:
        """Return a side's win probability, all cards open, after `count` entries."""
        at = self.initial
        for step in self.steps:
            if step.first > count:
                break
            at = step.after if step.last <= count else step.before
        return at if side == 0 else 1.0 - at

    def to_json(self) -> bytes:
        """Return the analysis as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, raw: bytes | str) -> Analysis:
        """Restore an analysis from the JSON of `to_json`.

        Raises:
            AnalysisError: the text is not such JSON, or of another version.
        """
        try:
            found = msgspec.json.decode(raw, type=cls)
        except msgspec.MsgspecError as error:
            raise AnalysisError(Message("fault.analysis.unreadable", {"why": str(error)})) from error
        if found.format != FORMAT:
            formats = {"format": found.format, "known": FORMAT}
            raise AnalysisError(Message("fault.analysis.format", formats))
        return found


prepare(Analysis)


def _adding_up(parts: Sequence[float], total: int) -> list[int]:
    """Round parts to whole numbers that add up to `total`, which is their sum rounded."""
    whole = [floor(part) for part in parts]
    missing = total - sum(whole)
    last = sorted(range(len(parts)), key=lambda number: whole[number] - parts[number])
    for number in last[:missing]:
        whole[number] += 1
    return whole


def mark_of(loss: float, error: float) -> Mark | None:
    """Return the mark for a loss, None if it is small or not significant."""
    if loss <= ERRORS_OF_A_MARK * error:
        return None
    return next((mark for mark, least in MARKS if loss >= least), None)
