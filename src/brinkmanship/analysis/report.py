"""An analysis as data: typed, immutable, and JSON both ways.

Chances to win are those of side 0, 0..1, a draw counting half, unless a field says otherwise. What a step brought is
split into `luck`, `guess` and `play`, so that for every step ``after - before`` is their sum, and over all of them
``final - initial``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Literal, NamedTuple

import msgspec

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.message import Message

FORMAT = 2
"""The version of the JSON."""

Kind = Literal["chance", "decision", "secret", "forced", "rules", "given_up"]
Mark = Literal["doubtful", "mistake", "blunder"]

MARKS: tuple[tuple[Mark, float], ...] = (("blunder", 0.10), ("mistake", 0.05), ("doubtful", 0.02))
"""What a decision is called that gives so much away, the worst first."""
ERRORS_OF_A_MARK = 2.0
"""What is given away has to be as many standard errors."""
MIN_PLAYOUTS, MAX_PLAYOUTS = 8, 1_000_000
"""For each step of a game."""
OBVIOUS = 0.01
"""Where no answer differs from another by as much, or all but one lose by far, nothing was to be decided."""


class AnalysisError(LocalizedError):
    """A game that cannot be analysed, or an analysis that cannot be read."""


class Option(msgspec.Struct, frozen=True):
    """One answer that was compared with the others."""

    action: str
    win: float
    """How likely the deciding side wins with it, on average over all that it could not tell apart."""
    error: float
    """The standard error of `win`."""
    war: float | None = None
    """The part of the playouts that end in a war that the side does not win; None where the game has no such end."""
    share: float | None = None
    """How often to give it to a question put to both sides in secret, in balance; None for any other question."""


class Judgement(msgspec.Struct, frozen=True):
    """What one side's decision was worth, as far as the side could know."""

    first: int
    """Entries of the game before the decision."""
    side: int
    ask: str
    """The key of the question."""
    taken: str
    best: str
    """The best answer; where both answered in secret, the one to be given most often."""
    options: tuple[Option, ...]
    """All answers that were compared, best first; what was taken is among them."""
    loss: float
    """What the answer taken wins less than the best, 0 or more."""
    error: float
    """The standard error of `loss`."""
    over_reference: float
    """What it wins more than what the reference player would have done: what counts as `play`."""
    over_error: float
    fair: float
    """How likely the deciding side wins where the reference player decides, as far as the side could know."""
    is_counted: bool
    """Whether something was to be decided: neither forced nor obvious."""
    mark: Mark | None = None
    why: Literal["war", "won"] | None = None
    """"war": what was given away is given away by war; "won": the game was as good as won."""


class Step(msgspec.Struct, frozen=True):
    """A part of the game in which one thing happened."""

    first: int
    """Entries of the game before it."""
    last: int
    """Entries after it."""
    kind: Kind
    side: int | None
    """Who decided; None for chance, the rules, and where both did."""
    before: float
    after: float
    luck: float = 0.0
    guess: float = 0.0
    play: tuple[float, float] = (0.0, 0.0)
    """What each side's decision brought side 0."""


class Reply(msgspec.Struct, frozen=True):
    """What is said of a dear decision besides its figures."""

    first: int
    side: int
    reason: dict[str, object] | None = None
    """Why the best is good, as `engine.message_json` keeps it, in the catalogue ``players``."""
    replies: dict[str, dict[str, object]] = {}
    """What the other side would likely answer, by the text of the action; as `engine.message_json` keeps it."""


class Points(NamedTuple):
    """Bars in whole points of a hundred."""

    total: int
    luck: int
    guess: int
    play: int
    own_play: int
    other_play: int


class Bars(msgspec.Struct, frozen=True):
    """The result of a game for one side, in parts that add up to `total`."""

    total: float
    """Final minus initial chance to win."""
    luck: float
    luck_error: float
    guess: float
    guess_error: float
    own_play: float
    other_play: float
    play_error: float

    @property
    def play(self) -> float:
        """What both sides' decisions brought the side."""
        return self.own_play + self.other_play

    def in_points(self) -> Points:
        """All of it in whole points of a hundred that add up as well: what is rounded most is rounded the other way."""
        total = round(100 * self.total)
        luck, guess, play = _adding_up((100 * self.luck, 100 * self.guess, 100 * self.play), total)
        own, other = _adding_up((100 * self.own_play, 100 * self.other_play), play)
        return Points(total, luck, guess, play, own, other)


class Analysis(msgspec.Struct, frozen=True):
    """A finished game, analysed."""

    format: int
    game: str
    rules: int
    sides: tuple[str, ...]
    seed: int
    budget: int
    """Playouts for each step."""
    worlds: int
    """Futures by which each position was valued."""
    playouts: int
    """Of all positions and decisions together."""
    result: str
    """As a journal's header has it."""
    final: float
    initial: float
    steps: tuple[Step, ...]
    judgements: tuple[Judgement, ...]
    details: tuple[Reply, ...] = ()
    errors: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Standard errors of luck, guess and play over the whole game."""

    def bars(self, side: int = 0) -> Bars:
        """What the result is made of, for a side."""
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
        """The side that has most to learn from the game: the one that lost it, the first where nobody did."""
        return 1 if self.final > 1.0 - self.final else 0

    def luck_adjusted(self, side: int = 0) -> float:
        """The result without luck and guess: what the side would have won on average, may lie outside of 0..1."""
        bars = self.bars(side)
        return (self.final if side == 0 else 1.0 - self.final) - bars.luck - bars.guess

    def of(self, side: int) -> tuple[Judgement, ...]:
        """A side's decisions that count, in the order of the game."""
        return tuple(one for one in self.judgements if one.side == side and one.is_counted)

    def dearest(self, side: int, count: int = 3) -> tuple[Judgement, ...]:
        """The marked decisions of a side that gave most away, the dearest first."""
        marked = [one for one in self.judgements if one.side == side and one.mark is not None]
        return tuple(sorted(marked, key=lambda one: -one.loss)[:count])

    def error_rate(self, side: int) -> float | None:
        """Points of a thousand that a side gave away with each decision that counts; None without any."""
        counted = self.of(side)
        return 1000.0 * sum(one.loss for one in counted) / len(counted) if counted else None

    def win(self, count: int, side: int = 0) -> float:
        """How likely a side wins, all cards up, after so many entries."""
        at = self.initial
        for step in self.steps:
            if step.first > count:
                break
            at = step.after if step.last <= count else step.before
        return at if side == 0 else 1.0 - at

    def to_json(self) -> bytes:
        """The analysis as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, raw: bytes | str) -> Analysis:
        """An analysis from `to_json`.

        Raises:
            AnalysisError: it is no such JSON, or of another version.
        """
        try:
            found = msgspec.json.decode(raw, type=cls)
        except msgspec.MsgspecError as error:
            raise AnalysisError(Message("fault.analysis.unreadable", {"why": str(error)})) from error
        if found.format != FORMAT:
            formats = {"format": found.format, "known": FORMAT}
            raise AnalysisError(Message("fault.analysis.format", formats))
        return found


def _adding_up(parts: Sequence[float], total: int) -> list[int]:
    """Parts in whole numbers that add up to `total`, which is their sum rounded."""
    whole = [floor(part) for part in parts]
    missing = total - sum(whole)
    last = sorted(range(len(parts)), key=lambda number: whole[number] - parts[number])
    for number in last[:missing]:
        whole[number] += 1
    return whole


def mark_of(loss: float, error: float) -> Mark | None:
    """What a decision is called that gave so much away, None where that may be nothing."""
    if loss <= ERRORS_OF_A_MARK * error:
        return None
    return next((mark for mark, least in MARKS if loss >= least), None)
