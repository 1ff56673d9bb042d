"""The search player: it plays the game on, many times, from worlds that may be the real one, and takes what won most.

The few best of its legal actions, as a quick player judges them, are candidates; of those in less danger only. A
*world* is a full state drawn from all that its side cannot tell apart (`SearchConfig.redeal`). In each world every
candidate is played out by a compiled policy for both sides, with the same chance and the same whims, so that what
differs between two candidates is what they do and not their luck. A playout stops at the *cut* of the game, where a
*value* says how likely its side wins, or at the end. A game can cut itself into *stretches*: where another one begins,
chance and whims begin anew, with the numbers of that stretch in that world, so that a die more in one playout does not
change all that come after it. Sequential halving (Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed
bandits", 2013): after each of a few rounds the worse half of the candidates is left out, and the others meet new
worlds. A question put to both sides at once in secret is a matrix game: every answer of the one is played out with
every answer of the other (`players.matrix_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache
from math import ceil, log2, tanh
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.contract import functions, pointers, signature
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy, luck
from brinkmanship.engine.record import State
from brinkmanship.players.budget import Budget
from brinkmanship.players.matrix_game import Answers, Mixture, balance, drawn
from brinkmanship.players.player import Candidate, Choice, Player

Value = Callable[[Any, Any, int], float]
"""``value(rules, state, side) -> float``: how likely a side wins from a full state, 0..1; a draw counts half."""
Cut = Callable[[Any, Any, Any], bool]
"""``cut(rules, root, state) -> bool``: whether a playout that began at a view stops here, to be valued."""
Score = Callable[[Any, Any, int, Any], None]
"""``score(rules, state, side, out)``: writes by how many points a side leads in a state, as parts that add up, float64
of as many as `SearchConfig.scored` names."""
Stretch = Callable[[Any, Any], int]
"""``stretch(rules, state) -> int``: the number of the part of a game that a state is in; each comes once."""

Redeal = Callable[[Any, Any, int, Random, Any], None]
"""``redeal(rules, view, side, random, out)``: writes to `out` a full state of those that a side cannot tell apart."""

FUNCTIONS = "actor pending apply sample result view"
"""Names of the functions of a game that the loop takes."""
REDEALS = 32
"""Tries to redeal a world in which the same sides are asked: an answer given in secret is left to the policy."""
MIN_SHARED = 8
"""Worlds in which a question put to both sides in secret is played out at least, however few nodes there are: a game
asks it once or a few times, and a balance of a few worlds' luck is none."""
SHARE_OF_PIECE = 0.25
"""Of the time left in a round, spent before the clock is read again."""
BITS_OF_SEED = 31
MIN_TRIED = 4
"""Candidates in all, where fewer than so many are safest and a side may recover: the others are in more danger."""
PRICE_OF_DANGER = 0.2
"""By how much more often such a one has to win: that a side gets out of danger is what playouts know least about."""
WORD = 0xFFFFFFFF
SPREAD = 0x9E3779B1
"""A prime near 2^32 divided by the golden ratio: numbers in a row come to lie far apart."""
STIRRED = 16
"""Numbers thrown away until generators that began alike are alike no longer."""


def never(view: State) -> bool:  # noqa: ARG001 - a question of `SearchConfig.is_left` and `is_exact`
    """Nothing is left to the quick player, or reckoned exactly."""
    return False


def no_secret(game: Game, view: State, side: int) -> Answers | None:  # noqa: ARG001 - a question of `SearchConfig.secret`
    """Nothing is asked of both sides at once, or the quick player mixes its answers better."""
    return None


class SearchConfig(NamedTuple):
    """How a game is searched."""

    policy: Policy
    """Plays both sides in playouts, compiled."""
    value: Value
    """Compiled; a position at the cut."""
    cut: Cut
    """Compiled; where playouts stop."""
    prior: Callable[[Game, int], Player]
    """Makes the quick player whose candidates are tried out, from the seed of its random numbers."""
    scale: float
    """A difference of that player's values that counts much: the unit of `Candidate.value` in which it is squashed."""
    shortlist: int = 6
    """Candidates tried out at most."""
    weight: float = 5.0
    """Worlds that the quick player's judgement counts for."""
    caution: float = 0.0
    """Standard errors by which another answer has to be better than the quick player's: where many small things are
    asked, what only luck made look better would cost more than it brings. 0: what came out best is taken."""
    redeal: Redeal | None = None
    """Compiled; deals worlds as likely as they are by what the other side did. None: all that the side cannot tell
    apart as often (`Game.redeal`)."""
    stretch: Stretch | None = None
    """Compiled; None where a game is one stretch."""
    is_left: Callable[[State], bool] = never
    """Whether what is asked in a view is left to the quick player, which decides it exactly, or mixes its choices."""
    may_recover: Callable[[State], bool] = never
    """Whether the side that is asked in a view has time left to get out of the danger that it answers with."""
    is_exact: Callable[[State], bool] = never
    """Whether the quick player's values of what is asked in a view are chances to win, reckoned exactly."""
    war: tuple[str, ...] = ()
    """Those of `Game.reasons` that are a war, by which a side loses at once; none where the game knows no such end."""
    score: Score | None = None
    """Compiled; the points by which a side leads where a playout stops. No playout that ends in a war is asked."""
    scored: tuple[str, ...] = ()
    """What the parts of the score are called, in keys."""
    parts: Callable[[Player, Observation, Sequence[int]], Mapping[str, Sequence[float]]] | None = None
    """What the quick player counts on with each of some answers, by the name of what it counts, in points; None where
    the parts of the score say all that an answer is good for."""
    analysed: float = 1.0
    """The part of the usual playouts with which a game is analysed: less, where one takes long."""
    secret: Callable[[Game, State, int], Answers | None] = no_secret
    """What both sides may answer where they are asked at once in secret, by a side's view; None where one is asked."""


class SearchPlayer(Player):
    """Search for one game: a subclass names the method. Its values are chances to win, a draw counting half."""

    name = "search"
    standard_budget = Budget(seconds=0.3)
    method: SearchConfig

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self._loop: Callable[..., None] = _loop(type(game))

    @property
    def redeal(self) -> Redeal:
        """By what it draws worlds."""
        return self.method.redeal or self.game.redeal

    def to_the_end(self) -> Self:
        """The same player, with playouts to the end of the game."""
        whole = copy(self)
        whole.method = self.method._replace(cut=no_cut(type(self.game)))
        return whole

    def choose(self, seen: Observation) -> Choice:
        """See `Player.choose`."""
        assert self.budget is not None
        seed = below(self.random, 1 << BITS_OF_SEED)
        view = seen.view()
        legal = self.game.legal_actions(view, seen.side)
        if len(legal) == 1:
            return Choice(legal[0])
        answers = self.method.secret(self.game, view, seen.side)
        is_too_slow = self._is_too_slow(answers)
        if answers is not None and not is_too_slow:
            return self.mixed(seen, answers, seed)[1]
        first = self.method.prior(self.game, seed).choose(seen)
        if self.method.is_left(view):
            return first
        judged = first.candidates or tuple(Candidate(action, 0.0) for action in legal)
        candidates = self.tried(view, judged)
        if len(candidates) == 1 or is_too_slow:
            return first
        trial = _Trial(self, seen, candidates, seed)
        if self.budget.nodes is not None:
            trial.count_out(self.budget.nodes)
        else:
            assert self.budget.seconds is not None
            trial.time_out(self.budget.seconds)
        return trial.choice()

    def _is_too_slow(self, answers: Answers | None) -> bool:
        """Return True if playouts would take longer than people wait, so that the quick player's judgement has to do.

        Interpreted, a few playouts take a second. A question put to both sides in secret is played out in some worlds
        at least: a smaller budget leaves it to the quick player.
        """
        assert self.budget is not None
        fewest = MIN_SHARED * len(answers.own) * len(answers.other) if answers is not None else 0
        return INTERPRETED and (self.budget.nodes is None or self.budget.nodes < fewest)

    def tried(self, view: State, judged: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that are tried out, of those that the quick player judged, what it would take first.

        They are the best of those in as little danger as that one. Where those are hardly any, and the side can still
        get out of more, some in more danger come with them: what leads furthest from a war may lose the game.
        """
        least = judged[0].danger
        safest = [one for one in judged if one.danger == least][: self.method.shortlist]
        if not self.method.may_recover(view):
            return safest
        bold = sorted((one for one in judged if one.danger != least), key=lambda one: -one.value)
        return [*safest, *bold[: max(0, MIN_TRIED - len(safest))]]

    def mixed(self, seen: Observation, answers: Answers, seed: int) -> tuple[Mixture, Choice]:
        """How it mixes its answers to a question put to both sides in secret, and the one that it draws."""
        assert self.budget is not None
        playouts = Playouts(self, seen, seed)
        lines = np.array([(own, other) for own in answers.own for other in answers.other], np.int64)
        points = np.zeros(len(lines))

        def play(worlds: int) -> None:
            points[:] += playouts.play(lines, worlds).sum(axis=0)

        if self.budget.nodes is not None:
            play(max(MIN_SHARED, self.budget.nodes // len(lines)))
        else:
            assert self.budget.seconds is not None
            playouts.until(self.budget.seconds, play)
        matrix = answers.evened((points / playouts.worlds).reshape(len(answers.own), len(answers.other)))
        own, other = balance(matrix, answers.usual, answers.trust)
        values = matrix @ other
        judged = sorted(map(Candidate, answers.own, values.tolist()), key=lambda one: -one.value)
        chosen = drawn(own, self.random)
        said = {"percent": round(100 * float(own @ values)), "n": playouts.count}
        return own, Choice(answers.own[chosen], tuple(judged), Message("why.search.secret", said))


class Playouts:
    """The games played on in one decision: what is compared is compared in the same worlds."""

    def __init__(self, player: SearchPlayer, seen: Observation, seed: int) -> None:
        self._started = perf_counter()
        self._player = player
        self._side = seen.side
        self._seed = seed
        self._states = player.game.new_states(4)
        self._states[0] = seen.view()
        self.worlds = 0
        """Drawn so far."""
        self.count = 0
        """Of games played on."""
        self.ends = np.zeros((0, 0), np.int64)
        """Why the games of the last `play` ended, in `Game.reasons`, int64[worlds, n]; 0: they were cut before."""
        self.scores = np.zeros((0, 0, 0))
        """The points of the last `play`, if they were asked for: float64[worlds, n, parts]."""

    def play(self, lines: npt.NDArray[np.int64], worlds: int, with_scores: bool = False) -> npt.NDArray[np.float64]:
        """What each line, int64[n, actions], comes to in each of so many new worlds: float64[worlds, n]."""
        game, method = self._player.game, self._player.method
        parts = len(method.scored) if with_scores else 0
        self.scores = np.zeros((worlds, len(lines), parts))
        points = np.zeros((worlds, len(lines)))
        self.ends = np.zeros((worlds, len(lines)), np.int64)
        self._player._loop(
            *functions(game, FUNCTIONS),
            self._player.redeal,
            method.policy,
            method.value,
            method.cut,
            method.stretch or no_stretch(type(game)),
            method.score or no_score(type(game)),
            game.rules,
            self._states,
            self._side,
            lines,
            luck(self._seed, self.worlds, worlds),
            points,
            self.ends,
            self.scores,
        )
        self.worlds += worlds
        self.count += worlds * len(lines)
        return points

    def until(self, seconds: float, play: Callable[[int], None]) -> None:
        """Have pieces of so many worlds played until so long after the start of the decision."""
        end = self._started + seconds
        piece = 1
        while (before := perf_counter()) < end:
            play(piece)
            now = perf_counter()
            a_world = (now - before) / piece
            if now + a_world > end:
                break
            piece = max(1, int(SHARE_OF_PIECE * (end - now) / a_world))


class _Trial:
    """One decision of one side: the candidates, and what came of them so far."""

    def __init__(self, player: SearchPlayer, seen: Observation, candidates: Sequence[Candidate], seed: int) -> None:
        self._playouts = Playouts(player, seen, seed)
        self._weight = player.method.weight
        self._caution = player.method.caution
        self._candidates = candidates
        best = max(one.value for one in candidates)
        scale = player.method.scale
        self._prior = np.array([0.5 + 0.5 * tanh((one.value - best) / scale) for one in candidates])
        self._price = np.array([PRICE_OF_DANGER * (one.danger != candidates[0].danger) for one in candidates])
        self._points = np.zeros(len(candidates))
        self._worlds = np.zeros(len(candidates), np.int64)
        self._ahead = np.zeros((2, len(candidates)))
        """Of the first, which the quick player would take: the sum over the worlds, and that of the squares."""
        self._alive = list(range(len(candidates)))
        self._left: list[int] = []
        """Candidates left out, the last of them first."""

    def count_out(self, nodes: int) -> None:
        """Spend a number of playouts."""
        rounds = self._rounds
        for _ in range(rounds):
            self._play(max(1, nodes // (rounds * len(self._alive))))
            self._halve()

    def time_out(self, seconds: float) -> None:
        """Spend a time, counted from the start of the decision."""
        rounds = self._rounds
        for number in range(1, rounds + 1):
            self._playouts.until(seconds * number / rounds, self._play)
            self._halve()

    def choice(self) -> Choice:
        """The best candidate, and all of them with what they came to."""
        values = self._values()
        if not self._is_surely_best(self._alive[0]):
            self._alive.remove(0)
            self._alive.insert(0, 0)
        order = [*self._alive, *self._left]
        judged = tuple(self._candidates[number]._replace(value=float(values[number])) for number in order)
        said = {"percent": round(100 * judged[0].value), "n": self._playouts.count}
        return Choice(judged[0].action, judged, Message("why.search", said))

    @property
    def _rounds(self) -> int:
        return ceil(log2(len(self._candidates)))

    def _values(self) -> npt.NDArray[np.float64]:
        """Chances to win."""
        values: npt.NDArray[np.float64]
        values = (self._points + self._weight * self._prior) / (self._worlds + self._weight)
        return values

    def _halve(self) -> None:
        values = self._values() - self._price
        self._alive.sort(key=lambda number: -values[number])
        kept = (len(self._alive) + 1) // 2
        leaving = [number for number in self._alive[kept:] if number > 0 or not self._caution]
        self._left[:0] = leaving
        self._alive = [number for number in self._alive if number not in leaving]

    def _is_surely_best(self, number: int) -> bool:
        """Whether a candidate is better than the first beyond what chance may have done, or the first itself."""
        if number == 0 or not self._caution:
            return True
        worlds = int(self._worlds[number])
        if worlds < 2:
            return False
        mean, of_squares = self._ahead[:, number] / worlds
        error = (max(of_squares - mean**2, 0.0) / (worlds - 1)) ** 0.5
        return bool(mean > self._caution * error)

    def _play(self, worlds: int) -> None:
        """Play out those still in the running in so many new worlds."""
        lines = np.array([[self._candidates[number].action] for number in self._alive], np.int64)
        points = self._playouts.play(lines, worlds)
        self._points[self._alive] += points.sum(axis=0)
        self._worlds[self._alive] += worlds
        if self._caution:
            ahead = points - points[:, [self._alive.index(0)]]
            self._ahead[0, self._alive] += ahead.sum(axis=0)
            self._ahead[1, self._alive] += (ahead**2).sum(axis=0)


@compiled(types.void, RANDOM, types.int64, RANDOM)
def branch(random: Random, number: int, out: Random) -> None:
    """Write to `out` generator number `number`, 0..2^31-1, of those that begin where `random` is, which stays there."""
    for word in range(4):
        out[word] = random[word]
    out[0] = (out[0] ^ (number * SPREAD)) & WORD
    out[1] = (out[1] + number * SPREAD) & WORD
    out[3] |= 1
    for _ in range(STIRRED):
        below(out, 1)


def play_out(
    actor: Any,
    pending: Any,
    apply: Any,
    sample: Any,
    result: Any,
    view: Any,
    redeal: Any,
    policy: Any,
    value: Any,
    cut: Any,
    stretch: Any,
    score: Any,
    rules: Any,
    states: Any,
    side: int,
    lines: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    points: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    scores: npt.NDArray[np.float64],
) -> None:
    """Play each line on in each world of `numbers`, int64[worlds, 2, 4]; `points`[world, line] is what it comes to, and
    `ends` why it ended, 0 where it was cut. `scores`[world, line] are the parts of the score, where there is room.

    A line is one action, or one of each side where both are asked at once. `states[0]` is the view; the other three
    are scratch: the world, the playout, and what a side knows in it.
    """
    root = states[0]
    world = states[1]
    state = states[2]
    known = states[3]
    utility = np.zeros(2)
    dice = np.empty(4, np.int64)
    policy_rng = np.empty(4, np.int64)
    asked = pending(rules, root)
    begun = stretch(rules, root)
    for number in range(numbers.shape[0]):
        for _ in range(REDEALS):
            redeal(rules, root, side, numbers[number, 1], world)
            if pending(rules, world) == asked:
                break
        for line in range(lines.shape[0]):
            states[2] = states[1]
            dice[:] = numbers[number, 0]
            policy_rng[:] = numbers[number, 1]
            for step in range(lines.shape[1]):
                apply(rules, state, lines[line, step])
            mover = actor(rules, state)
            current = begun
            while mover != OVER and not cut(rules, root, state):
                entered = stretch(rules, state)
                if entered != current:
                    current = entered
                    branch(numbers[number, 0], current, dice)
                    branch(numbers[number, 1], current, policy_rng)
                if mover == CHANCE:
                    apply(rules, state, sample(rules, state, dice))
                else:
                    view(rules, state, mover, known)
                    apply(rules, state, policy(rules, known, mover, policy_rng))
                mover = actor(rules, state)
            if mover != OVER:
                points[number, line] = value(rules, state, side)
            else:
                utility[:] = 0.0
                ends[number, line] = result(rules, state, utility)
                if utility[side] > utility[1 - side]:
                    points[number, line] = 1.0
                elif utility[side] == utility[1 - side]:
                    points[number, line] = 0.5
            if scores.shape[2] > 0:
                score(rules, state, side, scores[number, line])


@cache
def _loop(game: type[Game]) -> Callable[..., None]:
    return compiled_loop(
        play_out,
        types.void,
        *pointers(game, f"{FUNCTIONS} redeal policy value cut stretch score"),
        game.rules_type,
        types.Array(game.state_type, 1, "C"),
        types.int64,
        types.Array(types.int64, 2, "C"),
        types.Array(types.int64, 3, "C"),
        types.Array(types.float64, 2, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.float64, 3, "C"),
    )


def one_stretch(rules: Any, state: Any) -> int:  # noqa: ARG001 - the shape of a `Stretch`
    """A game that is one stretch."""
    return 0


def scoreless(rules: Any, state: Any, side: int, out: Any) -> None:
    """The score of a game that is not counted in points."""


@cache
def no_score(game: type[Game]) -> Score:
    """`scoreless`, compiled for a game."""
    return compiled_loop(scoreless, *signature(game, "score"))


@cache
def no_stretch(game: type[Game]) -> Stretch:
    """`one_stretch`, compiled for a game."""
    return compiled_loop(one_stretch, *signature(game, "stretch"))


def to_the_end(rules: Any, root: Any, state: Any) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """No playout stops before the end."""
    return False


@cache
def no_cut(game: type[Game]) -> Cut:
    """`to_the_end`, compiled for a game."""
    return compiled_loop(to_the_end, *signature(game, "cut"))
