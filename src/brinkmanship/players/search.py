"""Monte Carlo search player: samples deals, simulates its best candidates in them, and takes the one that won most.

The candidates are the few best legal actions by the evaluation of a quick player, only the least dangerous ones. A
*world* (determinization) is a full state sampled from all that are consistent with the side's view
(`SearchConfig.redeal`). In each world a compiled policy plays out every candidate for both sides, with common random
numbers for chance and for the policy, so that two candidates differ by their effects and not by luck. A playout stops
at the *cut* of the game, where a *value* estimates the win probability, or at the end. A game can divide itself into
*stretches*: at the start of each, the generators are reseeded with the numbers of that stretch in that world, so that
an extra die roll in one playout does not shift all later ones. Candidates are eliminated by sequential halving (Karnin,
Koren, Somekh, "Almost optimal exploration in multi-armed bandits", 2013): after each of a few rounds the worse half of
the candidates is dropped, and the others are simulated in new worlds. A simultaneous choice is a matrix game: every
choice of one side is played out with every choice of the other (`players.matrix_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache, partial
from math import ceil, hypot, log2, tanh
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled, compiled_loop
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy, luck
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import POINTS, GameFunctions, functions, functions_type, signature
from brinkmanship.players.budget import Budget
from brinkmanship.players.matrix_game import Answers, Mixture, equilibrium, sample_action
from brinkmanship.players.player import Candidate, Choice, Player

Value = Callable[[Any, Any, int], float]
"""``value(rules, state, side) -> float``: win probability of a side from a full state, 0..1; a draw counts half."""
Cut = Callable[[Any, Any, Any], bool]
"""``cut(rules, root, state) -> bool``: True if a playout that started at the view `root` stops here for evaluation."""
Score = Callable[[Any, Any, int, Any], None]
"""``score(rules, state, side, out)``: writes a side's lead in points as additive parts, float64; `SearchConfig.scored`
names them.
"""
Stretch = Callable[[Any, Any], int]
"""``stretch(rules, state) -> int``: the number of the part of a game that a state is in; no part repeats."""

Redeal = Callable[[Any, Any, int, Random, Any], None]
"""``redeal(rules, view, side, random, out)``: writes to `out` a sampled full state consistent with a side's view."""
Belief = npt.NDArray[np.float64]
"""Conclusions of a side from the past about hidden cards, as numbers for the `Deal` of its game; empty: none."""
Deal = Callable[[Any, Any, int, Belief, Random, Any], None]
"""``deal(rules, view, side, belief, random, out)``: does the same, weighted by the belief."""

REDEALS = 32
"""Maximum tries to sample a deal in which the same sides may act; a choice made in secret is left to the policy."""
MIN_SHARED = 8
"""Minimum sampled deals for a simultaneous choice, for any number of nodes: a game asks for one only once or a few
times, and an equilibrium of a few lucky deals is worthless.
"""
SHARE_OF_PIECE = 0.25
"""Fraction of the remaining time of a round spent before the clock is read again."""
BITS_OF_SEED = 31
MIN_TRIED = 4
"""Minimum candidates for a side that may recover: more dangerous ones fill up the safest."""
PRICE_OF_DANGER = 0.2
"""Required lead in win rate of a more dangerous candidate: playouts are least reliable about escaping danger."""
WORD = 0xFFFFFFFF
SPREAD = 0x9E3779B1
"""A prime near 2^32 divided by the golden ratio: spreads consecutive numbers far apart."""
STIRRED = 16
"""Numbers discarded until generators with similar seeds are decorrelated."""


def never(view: State) -> bool:  # noqa: ARG001 - a question of `SearchConfig.is_left` and `is_late`
    """Return False: nothing is left to the quick player, and no position is late."""
    return False


def unsolved(game: Game, view: State, side: int, first: Choice, effort: int) -> tuple[Candidate, ...]:  # noqa: ARG001
    """Return nothing: no decision is solved exactly; see `SearchConfig.solve`."""
    return ()


def no_belief(seen: Observation) -> Belief:  # noqa: ARG001 - a question of `SearchConfig.belief`
    """Return nothing: deals are sampled by the view alone."""
    return np.empty(0)


def no_secret(game: Game, view: State, side: int) -> Answers | None:  # noqa: ARG001 - a question of `SearchConfig.secret`
    """Return None: there are no simultaneous choices, or the quick player mixes them better."""
    return None


class SearchConfig(NamedTuple):
    """Search settings of a game."""

    policy: Policy
    """Compiled; plays both sides in playouts."""
    value: Value
    """Compiled; evaluates a position at the cut."""
    cut: Cut
    """Compiled; where playouts stop."""
    prior: Callable[[Game, int], Player]
    """Makes the quick player that proposes candidates, from the seed of its random numbers."""
    scale: float
    """A large difference of that player's values: the unit of `Candidate.value` in the squashing function."""
    shortlist: int = 6
    """Maximum candidates tried."""
    weight: float = 5.0
    """Number of sampled deals that the quick player's evaluation counts for."""
    caution: float = 0.0
    """Standard errors by which another choice must be better than the quick player's: for many small decisions, choices
    that only look better by luck would cost more than they gain. 0: take the best result.
    """
    redeal: Redeal | None = None
    """Compiled; samples deals weighted by the other side's past actions, as far as the view tells them. None: uniformly
    over all that are consistent with the view (`Game.redeal`).
    """
    belief: Callable[[Observation], Belief] = no_belief
    """Returns what the past actions tell beyond the view."""
    deal: Deal | None = None
    """Compiled; takes the place of `redeal` where there is such a belief."""
    stretch: Stretch | None = None
    """Compiled; None if a game is one stretch."""
    is_left: Callable[[State], bool] = never
    """Returns True if a decision is left to the quick player, which decides it exactly, or mixes its choices."""
    may_recover: Callable[[State], bool] = never
    """Returns True if the side to act has time left to escape the danger that it takes on."""
    solve: Callable[[Game, State, int, Choice, int], tuple[Candidate, ...]] = unsolved
    """Returns all choices of a side with their exact win probabilities, best first, by its view and the choice of the
    quick player; empty if they cannot be computed. The last argument is the effort: how many times as long as a player
    it may take.
    """
    confirmed: float = 0.0
    """Fraction of the budget spent on the chosen action alone, in new deals: the best of several noisy results promises
    too much.
    """
    optimism: float = 0.0
    """Fitted excess of win probabilities p by playouts over the results of games, as a multiple of p * (1 - p); it is
    taken off what the player says.
    """
    bias: float = 0.0
    """Root mean square error of win probabilities by playouts in single positions, which more playouts do not reduce;
    `brink lab calibrate --said` estimates it.
    """
    second: Policy | None = None
    """Compiled; the policy whose playouts to the end of the game must agree before an analysis marks a choice. In a
    game with a `late` policy it is asked about late positions only.
    """
    late: Policy | None = None
    """Compiled; plays both sides in playouts from late positions: stronger than `policy`, and slower."""
    is_late: Callable[[State], bool] = never
    """Returns True if `late` plays on from a view."""
    late_nodes: float = 1.0
    """Fraction of a number of nodes that is played out from a late position."""
    war: tuple[str, ...] = ()
    """The items of `Game.reasons` that are a war, by which a side loses at once; empty for a game without."""
    score: Score | None = None
    """Compiled; a side's lead in points where a playout stops. Not called for playouts that end in a war."""
    scored: tuple[str, ...] = ()
    """Names of the parts of the score, in keys."""
    parts: Callable[[Player, Observation, Sequence[int]], Mapping[str, Sequence[float]]] | None = None
    """Returns the expected effects of some choices by the quick player, in points by name of the effect; None if the
    parts of the score cover them.
    """
    analysed: float = 1.0
    """Fraction of the usual playouts for the analysis of a game; below 1 for long games."""
    secret: Callable[[Game, State, int], Answers | None] = no_secret
    """Returns the choices of both sides in a simultaneous choice, by a side's view; None if only one side may act."""


class SearchFunctions(NamedTuple):
    """The compiled functions of a search in one argument of a loop; see `SearchConfig`."""

    policy: Policy
    value: Value
    cut: Cut
    stretch: Stretch
    score: Score
    deal: Deal

    @classmethod
    def of(cls, method: SearchConfig, policy: Policy, game: type[Game]) -> SearchFunctions:
        """Return the functions of a search with one of its policies."""
        stretch = method.stretch or no_stretch(game)
        score = method.score or no_score(game)
        deal = method.deal or no_deal(game)
        return cls(*map(at_address, (policy, method.value, method.cut, stretch, score, deal)))


class SearchPlayer(Player):
    """Search for one game: a subclass sets the method. Its values are win probabilities; a draw counts half."""

    name = "search"
    standard_budget = Budget(seconds=0.3)
    method: SearchConfig
    _quick: Player | None = None
    """The quick player of the last decision."""

    def __init__(self, game: Game, seed: int | None = None, budget: Budget | None = None) -> None:
        super().__init__(game, seed, budget)
        self._loop: Callable[..., None] = _loop(type(game))

    @property
    def redeal(self) -> Redeal:
        """The function that samples deals by the view alone."""
        return self.method.redeal or self.game.redeal

    def dealer(self, seen: Observation) -> Callable[[Random, State], None]:
        """Return the function that samples deals for a decision: it takes random numbers and writes a full state."""
        rules, view, belief = self.game.rules, seen.view(), self.method.belief(seen)
        if self.method.deal is not None and len(belief):
            return partial(self.method.deal, rules, view, seen.side, belief)
        return partial(self.redeal, rules, view, seen.side)

    def playouts_of(self, view: State, nodes: int) -> int:
        """Return the number of playouts for a budget of nodes, at least one."""
        return max(1, round(nodes * self.method.late_nodes)) if self.is_late(view) else nodes

    def is_late(self, view: State) -> bool:
        """Return True if the late policy plays on from a view; interpreted, it would take too long."""
        return self.method.late is not None and not INTERPRETED and self.method.is_late(view)

    def has_second_opinion(self, view: State) -> bool:
        """Return True if another policy must agree before an analysis marks a choice, which costs a second or two."""
        method = self.method
        return method.second is not None and not INTERPRETED and (method.late is None or method.is_late(view))

    def for_second_opinion(self) -> Self:
        """Return the same player, with playouts by the policy of the second opinion to the end of the game."""
        return self.with_one_policy(self.method.second).to_the_end()

    def with_one_policy(self, policy: Policy | None = None) -> Self:
        """Return the same player with one policy for all positions; None: that of early positions."""
        early = copy(self)
        early.method = self.method._replace(policy=policy or self.method.policy, late=None)
        return early

    def said(self, value: float) -> float:
        """Return the win probability to be said for one by playouts."""
        return value - self.method.optimism * value * (1.0 - value)

    def said_factor(self, value: float, other: float) -> float:
        """Return the factor from the difference of two win probabilities by playouts to that of those to be said."""
        return 1.0 - self.method.optimism * (1.0 - value - other)

    def error(self, sampling: float) -> float:
        """Return the error of a win probability by playouts: their bias added to the sampling error.

        It is not that of a difference between two choices of a decision, to which most of the bias is common.
        """
        return hypot(sampling, self.method.bias)

    def to_the_end(self) -> Self:
        """Return the same player, with playouts to the end of the game."""
        whole = copy(self)
        whole.method = self.method._replace(cut=no_cut(type(self.game)))
        return whole

    def choose(self, seen: Observation) -> Choice:
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
        quick = self._quick = self.method.prior(self.game, seed)
        first = quick.choose(seen)
        if self.method.is_left(view):
            return first
        if solved := self.method.solve(self.game, view, seen.side, first, 1):
            best = Choice(solved[0].action, solved)
            return best._replace(reason=quick.why(seen, best))
        judged = first.candidates or tuple(Candidate(action, 0.0) for action in legal)
        candidates = self.tried(view, judged)
        if is_too_slow:
            return first
        if len(candidates) == 1:
            return first._replace(candidates=())  # not played out: the quick player's values may be of another kind
        trial = _Trial(self, seen, candidates, seed)
        if self.budget.nodes is not None:
            trial.count_out(self.playouts_of(view, self.budget.nodes))
        else:
            assert self.budget.seconds is not None
            trial.time_out(self.budget.seconds)
        return self._with_fact(quick, seen, trial.choice(), "why.search.fact")

    def why(self, seen: Observation, choice: Choice) -> Message | None:
        """Return the fact that the quick player names for a choice, after `choose` for the same decision."""
        return None if self._quick is None else self._quick.why(seen, choice)

    def _is_too_slow(self, answers: Answers | None) -> bool:
        """Return True if playouts would take too long for users, so that the quick player decides.

        Interpreted, a few playouts take a second. A simultaneous choice needs a minimum number of sampled deals: with a
        smaller budget it is left to the quick player.
        """
        assert self.budget is not None
        fewest = MIN_SHARED * len(answers.own) * len(answers.other) if answers is not None else 0
        return INTERPRETED and (self.budget.nodes is None or self.budget.nodes < fewest)

    def tried(self, view: State, judged: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates to try, from those that the quick player evaluated, its own choice first.

        They are the best of those with the same danger as that one. If there are hardly any, and the side can still
        escape danger, some more dangerous ones are added: the action that leads furthest from a war may lose the game.
        """
        least = judged[0].danger
        safest = [one for one in judged if one.danger == least][: self.method.shortlist]
        if not self.method.may_recover(view):
            return safest
        bold = sorted((one for one in judged if one.danger != least), key=lambda one: -one.value)
        return [*safest, *bold[: max(0, MIN_TRIED - len(safest))]]

    def mixed(self, seen: Observation, answers: Answers, seed: int) -> tuple[Mixture, Choice]:
        """Return the mixed strategy for a simultaneous choice, and an action drawn from it."""
        assert self.budget is not None
        playouts = Playouts(self, seen, seed)
        lines = np.array([(own, other) for own in answers.own for other in answers.other], np.int64)
        points = np.zeros(len(lines))

        def play(worlds: int) -> None:
            points[:] += playouts.play(lines, worlds).sum(axis=0)

        if self.budget.nodes is not None:
            play(max(MIN_SHARED, self.playouts_of(seen.view(), self.budget.nodes) // len(lines)))
        else:
            assert self.budget.seconds is not None
            playouts.until(self.budget.seconds, play)
        matrix = answers.evened((points / playouts.worlds).reshape(len(answers.own), len(answers.other)))
        own, other = equilibrium(matrix, answers.usual, answers.trust)
        values = matrix @ other
        judged = sorted(map(Candidate, answers.own, map(self.said, values.tolist())), key=lambda one: -one.value)
        chosen = sample_action(own, self.random)
        figures = {"percent": round(100 * self.said(float(own @ values))), "n": playouts.count}
        choice = Choice(answers.own[chosen], tuple(judged), Message("why.search.secret", figures))
        self._quick = self.method.prior(self.game, seed)
        return own, self._with_fact(self._quick, seen, choice, "why.search.secret.fact")

    def _with_fact(self, quick: Player, seen: Observation, choice: Choice, key: str) -> Choice:
        """Return a choice whose reason begins with a fact of the position, if there is one."""
        fact = quick.why(seen, choice)
        if fact is None or choice.reason is None:
            return choice
        return choice._replace(reason=Message(key, {"fact": fact, **choice.reason.args}))


class Playouts:
    """The playouts of one decision: all lines are compared in the same sampled deals."""

    def __init__(self, player: SearchPlayer, seen: Observation, seed: int) -> None:
        self._started = perf_counter()
        self._player = player
        self._side = seen.side
        self._seed = seed
        self._states = player.game.new_states(4)
        self._states[0] = seen.view()
        self._belief = player.method.belief(seen)
        self.worlds = 0
        """Sampled deals so far."""
        self.count = 0
        """Simulated games so far."""
        self.ends = np.zeros((0, 0), np.int64)
        """Why the games of the last `play` ended, in `Game.reasons`, int64[worlds, n]; 0: they were cut before."""
        self.scores = np.zeros((0, 0, 0))
        """The points of the last `play`, if requested: float64[worlds, n, parts]."""

    def play(self, lines: npt.NDArray[np.int64], worlds: int, with_scores: bool = False) -> npt.NDArray[np.float64]:
        """Return the result of each line, int64[n, actions], in each of `worlds` new deals: float64[worlds, n]."""
        game, method = self._player.game, self._player.method
        policy = (method.late if self._player.is_late(self._states[0]) else None) or method.policy
        parts = len(method.scored) if with_scores else 0
        self.scores = np.zeros((worlds, len(lines), parts))
        points = np.zeros((worlds, len(lines)))
        self.ends = np.zeros((worlds, len(lines)), np.int64)
        self._player._loop(
            functions(game)._replace(redeal=at_address(self._player.redeal)),
            SearchFunctions.of(method, policy, type(game)),
            game.rules,
            self._states,
            self._side,
            self._belief,
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
        """Call `play` with batches of sampled deals until `seconds` after the start of the decision."""
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
    """One decision of one side: the candidates and their results so far."""

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
        """Lead over the first candidate, the quick player's choice: sum over the deals, and sum of squares."""
        self._alive = list(range(len(candidates)))
        self._left: list[int] = []
        """Eliminated candidates, the last one first."""
        self._confirmed = player.method.confirmed
        self._said = player.said
        self._new_points, self._new_deals = 0.0, 0

    def count_out(self, nodes: int) -> None:
        """Spend a number of playouts."""
        rounds = self._rounds
        confirming = round(nodes * self._confirmed)
        for _ in range(rounds):
            self._play(max(1, (nodes - confirming) // (rounds * len(self._alive))))
            self._halve()
        if confirming:
            self._confirm(confirming)

    def time_out(self, seconds: float) -> None:
        """Spend a time, counted from the start of the decision."""
        rounds = self._rounds
        for number in range(1, rounds + 1):
            self._playouts.until(seconds * (1 - self._confirmed) * number / rounds, self._play)
            self._halve()
        if self._confirmed:
            self._playouts.until(seconds, self._confirm)

    def choice(self) -> Choice:
        """Return the best candidate, and all candidates with their results."""
        values = self._values()
        order = [self._best, *(number for number in (*self._alive, *self._left) if number != self._best)]
        if self._new_deals:
            # All by the same amount, so that their order stays the same.
            values = np.clip(values + self._new_points / self._new_deals - values[self._best], 0.0, 1.0)
        judged = tuple(self._candidates[number]._replace(value=self._said(float(values[number]))) for number in order)
        said = {"percent": round(100 * judged[0].value), "n": self._playouts.count}
        return Choice(judged[0].action, judged, Message("why.search", said))

    @property
    def _best(self) -> int:
        """The number of the candidate to be chosen."""
        return self._alive[0] if self._is_surely_best(self._alive[0]) else 0

    def _confirm(self, worlds: int) -> None:
        """Play out the best candidate in new sampled deals; they do not count for the choice."""
        action = self._candidates[self._best].action
        self._new_points += float(self._playouts.play(np.array([[action]], np.int64), worlds).sum())
        self._new_deals += worlds

    @property
    def _rounds(self) -> int:
        return ceil(log2(len(self._candidates)))

    def _values(self) -> npt.NDArray[np.float64]:
        """Return the win probabilities."""
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
        """Return True if a candidate is significantly better than the first, or is the first."""
        if number == 0 or not self._caution:
            return True
        worlds = int(self._worlds[number])
        if worlds < 2:
            return False
        mean, of_squares = self._ahead[:, number] / worlds
        error = (max(of_squares - mean**2, 0.0) / (worlds - 1)) ** 0.5
        return bool(mean > self._caution * error)

    def _play(self, worlds: int) -> None:
        """Play out the remaining candidates in `worlds` new sampled deals."""
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
    """Write to `out` generator number `number`, 0..2^31-1, of those derived from `random`, which does not advance."""
    for word in range(4):
        out[word] = random[word]
    out[0] = (out[0] ^ (number * SPREAD)) & WORD
    out[1] = (out[1] + number * SPREAD) & WORD
    out[3] |= 1
    for _ in range(STIRRED):
        below(out, 1)


def play_out(
    game: GameFunctions,
    search: SearchFunctions,
    rules: Any,
    states: Any,
    side: int,
    belief: Belief,
    lines: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    points: npt.NDArray[np.float64],
    ends: npt.NDArray[np.int64],
    scores: npt.NDArray[np.float64],
) -> None:
    """Play each line in each world of `numbers`, int64[worlds, 2, 4].

    It writes the result to `points`[world, line], and the reason of the end to `ends`, 0 if the playout was cut.
    `scores`[world, line] gets the parts of the score, if it has room.

    A line is one action, or one of each side in a simultaneous choice. `states[0]` is the view; the other three
    are scratch: the world, the playout, and a side's view in it.
    """
    root = states[0]
    world = states[1]
    state = states[2]
    known = states[3]
    utility = np.zeros(2)
    dice = np.empty(4, np.int64)
    policy_rng = np.empty(4, np.int64)
    to_move = game.pending(rules, root)
    begun = search.stretch(rules, root)
    for number in range(numbers.shape[0]):
        for _ in range(REDEALS):
            if len(belief) > 0:
                search.deal(rules, root, side, belief, numbers[number, 1], world)
            else:
                game.redeal(rules, root, side, numbers[number, 1], world)
            if game.pending(rules, world) == to_move:
                break
        for line in range(lines.shape[0]):
            states[2] = states[1]
            # Common random numbers: all lines start with the same generators, so that they differ by effects, not luck.
            dice[:] = numbers[number, 0]
            policy_rng[:] = numbers[number, 1]
            for step in range(lines.shape[1]):
                game.apply(rules, state, lines[line, step])
            mover = game.actor(rules, state)
            current = begun
            while mover != OVER and not search.cut(rules, root, state):
                entered = search.stretch(rules, state)
                if entered != current:
                    # Reseed, so that an extra roll in one line does not shift all later ones.
                    current = entered
                    branch(numbers[number, 0], current, dice)
                    branch(numbers[number, 1], current, policy_rng)
                if mover == CHANCE:
                    game.apply(rules, state, game.sample(rules, state, dice))
                else:
                    game.view_for(rules, state, mover, known)
                    game.apply(rules, state, search.policy(rules, known, mover, policy_rng))
                mover = game.actor(rules, state)
            if mover != OVER:
                points[number, line] = search.value(rules, state, side)
            else:
                utility[:] = 0.0
                ends[number, line] = game.result(rules, state, utility)
                if utility[side] > utility[1 - side]:
                    points[number, line] = 1.0
                elif utility[side] == utility[1 - side]:
                    points[number, line] = 0.5
            if scores.shape[2] > 0:
                search.score(rules, state, side, scores[number, line])


@cache
def _loop(game: type[Game]) -> Callable[..., None]:
    return compiled_loop(
        play_out,
        types.void,
        functions_type(game),
        functions_type(game, SearchFunctions),
        game.rules_type,
        types.Array(game.state_type, 1, "C"),
        types.int64,
        POINTS,
        types.Array(types.int64, 2, "C"),
        types.Array(types.int64, 3, "C"),
        types.Array(types.float64, 2, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.float64, 3, "C"),
    )


def one_stretch(rules: Any, state: Any) -> int:  # noqa: ARG001 - the shape of a `Stretch`
    """Return 0: the game is one stretch."""
    return 0


def scoreless(rules: Any, state: Any, side: int, out: Any) -> None:
    """Write nothing: the score of a game without points."""


@cache
def no_score(game: type[Game]) -> Score:
    """Compile `scoreless` for a game."""
    return compiled_loop(scoreless, *signature(game, "score"))


def undealt(rules: Any, view: Any, side: int, belief: Belief, random: Random, out: Any) -> None:
    """Write nothing: a game in which the view tells all that is known of hidden cards."""


@cache
def no_deal(game: type[Game]) -> Deal:
    """Compile `undealt` for a game."""
    return compiled_loop(undealt, *signature(game, "deal"))


@cache
def no_stretch(game: type[Game]) -> Stretch:
    """Compile `one_stretch` for a game."""
    return compiled_loop(one_stretch, *signature(game, "stretch"))


def to_the_end(rules: Any, root: Any, state: Any) -> bool:  # noqa: ARG001 - the shape of a `Cut`
    """Return False: no playout stops before the end."""
    return False


@cache
def no_cut(game: type[Game]) -> Cut:
    """Compile `to_the_end` for a game."""
    return compiled_loop(to_the_end, *signature(game, "cut"))
