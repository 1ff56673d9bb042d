"""Hints: the best few choices of a side, with the win rate of each and its error.

They use only information that the side has seen. The candidates are those of `search`; each is simulated equally often,
in the same sampled deals with the same random numbers for chance and players, and the evaluation of the quick player
does not count. Decisions that can be solved exactly (`SearchConfig.solve`) have no error. The sampled deals are the
statistical sample: errors are those between deals, with the bias of playouts added (`SearchConfig.bias`), and two
candidates are compared by their differences within deals.

A simultaneous choice has no single best action: there the hint is the probability of each choice in an equilibrium
(`players.matrix_game`), and the win rate of each against the other side's mixed strategy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.hint import Hint, Hints, Reply
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players import Budget, load_player, players_for
from brinkmanship.players.matrix_game import RARE, Answers, equilibrium
from brinkmanship.players.player import Candidate, Choice, Player
from brinkmanship.players.search import PRICE_OF_DANGER, REDEALS, Playouts, SearchPlayer

STANDARD_BUDGET = Budget(seconds=1.0)
EQUAL_ERRORS = 2.0
"""Candidates at most this many standard errors behind the best count as equal to it."""
EFFORT = 3
"""Effort to solve a decision exactly, in those of a player."""
MIN_WORLDS = 2
"""Minimum sampled deals; a single one gives no error."""
REPLY_WORLDS = 16
"""Sampled deals for the likely reply."""
REPLY_SHARE = 0.25
"""Minimum fraction of them for a reply to count as likely."""


class NoHintError(LocalizedError):
    """No hint is possible: the side may not act, or the game has no search."""


def hints(seen: Observation, budget: Budget | None = None, seed: int = 0) -> Hints:
    """Return the best few choices of the side to act; a more dangerous one only if it wins far more often.

    Args:
        seen: the game as the side saw it; no other information is used.
        budget: the budget, None: a second. With nodes (playouts of all candidates together, at least two deals) the
            hints are the same for the same seed.
        seed: seed of the sampled deals and of chance in them.

    Raises:
        NoHintError: the side may not act, the game has no search, or the rules are not compiled yet and the budget is a
            time, in which hardly a game could be simulated.
    """
    game, side, view, spent = seen.game, seen.side, seen.view(), budget or STANDARD_BUDGET
    if side not in game.to_move(view):
        raise NoHintError(Message("fault.hint.not_asked", {"who": game.sides[side]}))
    if "search" not in players_for(game):
        raise NoHintError(Message("fault.hint.no_search", {"title": game.title}))
    if INTERPRETED and spent.nodes is None:
        raise NoHintError(Message("fault.hint.interpreted"))
    player = load_player("search", game, seed)
    assert isinstance(player, SearchPlayer)
    quick = player.method.prior(game, seed)
    first = quick.choose(seen)
    solved = player.method.solve(game, view, side, first, EFFORT)
    screened = _screen(player, seen, first._replace(candidates=solved) if solved else first)
    sums = _play_on(player, seen, screened.lines, spent, seed)
    if solved:
        wins = {one.action: one.value for one in solved}
        exact = np.array([wins[action] for action in screened.actions])
        sums = sums._replace(mean=exact, covariance=np.zeros_like(sums.covariance))
    compared = _compare(screened, sums)
    reasons = _explain(player, quick, seen, screened, sums)
    found = tuple(
        Hint(
            action=action,
            win=float(compared.win[number]) if solved else player.said(float(compared.win[number])),
            error=0.0 if solved else player.error(max(float(compared.covariance[number, number]), 0.0) ** 0.5),
            is_best=compared.is_best(number),
            war=float(compared.war[number]) if player.method.war else None,
            share=None if compared.share is None else float(compared.share[number]),
            reason=first.reason if action == first.action else reasons[number],
            reply=_reply(player, seen, action, seed) if screened.secret is None else None,
            score=compared.score(number) if player.method.scored else None,
        )
        for number, action in ((number, screened.actions[number]) for number in compared.order)
    )
    return Hints(side, found, sums.worlds, sums.worlds * len(screened.lines))


class _Screened(NamedTuple):
    """The choices that are compared."""

    actions: list[int]
    is_bold: npt.NDArray[np.bool_]
    """True for each that is more dangerous than the safest."""
    lines: npt.NDArray[np.int64]
    """int64[lines, actions], the lines to play out: in a simultaneous choice every pair of choices of both sides, row
    by row; otherwise each choice alone.
    """
    secret: Answers | None
    """The matrix game of a simultaneous choice."""


def _screen(player: SearchPlayer, seen: Observation, first: Choice) -> _Screened:
    """Return the choices that a search would try.

    Args:
        player: the search player.
        seen: the game as the side saw it.
        first: the choice of the quick player.
    """
    game, side, view = seen.game, seen.side, seen.view()
    secret = player.method.secret(game, view, side)
    if secret is not None:
        lines = [(own, other) for own in secret.own for other in secret.other]
        return _Screened([*secret.own], np.zeros(len(secret.own), np.bool_), np.array(lines, np.int64), secret)
    judged = first.candidates or tuple(Candidate(action, 0.0) for action in game.legal_actions(view, side))
    tried = player.tried(view, judged)
    is_bold = np.array([one.danger != judged[0].danger for one in tried])
    actions = [one.action for one in tried]
    return _Screened(actions, is_bold, np.array([[action] for action in actions], np.int64), None)


class _Compared(NamedTuple):
    """Results of each choice, by its number."""

    order: list[int]
    """The choices to be shown, best first."""
    win: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]
    share: npt.NDArray[np.float64] | None
    """Its probability in an equilibrium, for a simultaneous choice."""
    war: npt.NDArray[np.float64]
    peaceful: npt.NDArray[np.float64]
    scored: npt.NDArray[np.float64]
    """The last three as in `_Sums`."""

    def is_best(self, number: int) -> bool:
        """Return True if no choice is significantly better."""
        if self.share is not None:
            return bool(self.share[number] >= min(RARE, float(self.share.max())))
        best = self.order[0]
        spread = self.covariance[best, best] + self.covariance[number, number] - 2 * self.covariance[best, number]
        return bool(self.win[best] - self.win[number] <= EQUAL_ERRORS * max(spread, 0.0) ** 0.5)

    def score(self, number: int) -> float | None:
        """Return the mean lead in points over playouts without a war; None if all ended in war."""
        return float(self.scored[number] / self.peaceful[number]) if self.peaceful[number] else None


def _compare(screened: _Screened, sums: _Sums) -> _Compared:
    """Return the result of each choice: a weighted mean of its lines."""
    count, secret = len(screened.actions), screened.secret
    share, weights = None, np.ones(1)
    if secret is not None:
        matrix = secret.evened(sums.mean.reshape(count, len(secret.other)))
        share, weights = equilibrium(matrix, secret.usual, secret.trust)
    mixing = np.kron(np.eye(count), weights)
    win, covariance = mixing @ sums.mean, mixing @ sums.covariance @ mixing.T
    is_bold = screened.is_bold
    shown = np.flatnonzero(~is_bold | (win > win[~is_bold].max() + PRICE_OF_DANGER)).tolist()
    order = sorted(shown, key=lambda number: -win[number] if share is None else -share[number])
    war, peaceful, scored = (mixing @ each for each in (sums.wars, sums.peaceful, sums.scored))
    return _Compared(order, win, covariance, share, war, peaceful, scored)


def _explain(
    player: SearchPlayer, quick: Player, seen: Observation, screened: _Screened, sums: _Sums
) -> list[Message | None]:
    """Return the reason for each choice; all None for a simultaneous choice."""
    if screened.secret is not None:
        return [None] * len(screened.actions)
    parts = player.method.parts
    counted_on = sums.effects if parts is None else _effects(parts(quick, seen, screened.actions))
    return [_for_and_against(seen.game, one | more) for one, more in zip(counted_on, sums.effects, strict=True)]


class _Sums(NamedTuple):
    """Results of lines in common sampled deals."""

    worlds: int
    mean: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]
    """Covariance of the means."""
    wars: npt.NDArray[np.float64]
    """Fractions of the playouts that end in a war that the side does not win."""
    peaceful: npt.NDArray[np.float64]
    """Number of playouts not ended by a war."""
    scored: npt.NDArray[np.float64]
    """Sum of the leads in points of these."""
    effects: list[_Effects]
    """For each line the parts of the score in which it differs significantly from the rest."""


_Effects = dict[str, float]
"""Lead of a choice over the mean of the others, by the name of the part; insignificant parts are left out."""
MIN_PART = 0.05
"""Minimum difference (points) worth mentioning."""


def _effects(parts: Mapping[str, Sequence[float]]) -> list[_Effects]:
    """Return the parts in which each choice differs from the rest."""
    counted = np.array(list(parts.values())).T
    ahead = _ahead(counted)
    return [{name: float(by) for name, by in zip(parts, row, strict=True) if abs(by) >= MIN_PART} for row in ahead]


def _ahead(counted: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the lead of each choice (second last axis) over the mean of the others."""
    count = counted.shape[-2]
    if count < 2:
        return np.zeros_like(counted)
    return (counted - counted.mean(axis=-2, keepdims=True)) * (count / (count - 1))


def _for_and_against(game: Game, effects: _Effects) -> Message | None:
    """Return the main advantage and the main drawback of a choice."""
    said = {
        key: Message(f"part.{game.id}.{name}")
        for key, name, by in (
            ("for", max(effects, key=lambda name: effects[name], default=""), 1.0),
            ("against", min(effects, key=lambda name: effects[name], default=""), -1.0),
        )
        if name and effects[name] * by > 0
    }
    return Message(f"why.{'.'.join(said)}", dict(said)) if said else None


def _play_on(player: SearchPlayer, seen: Observation, lines: npt.NDArray[np.int64], budget: Budget, seed: int) -> _Sums:
    playouts = Playouts(player, seen, seed)
    count = len(lines)
    names = player.method.scored
    total, products, lost = np.zeros(count), np.zeros((count, count)), np.zeros(count)
    scored, peaceful = np.zeros(count), np.zeros(count)
    ahead, squares, compared = np.zeros((count, len(names))), np.zeros((count, len(names))), 0
    wars = [player.game.reasons.index(reason) for reason in player.method.war]

    def play(worlds: int) -> None:
        nonlocal compared
        points = playouts.play(lines, worlds, with_scores=True)
        total[:] += points.sum(axis=0)
        products[:] += points.T @ points
        is_war = np.isin(playouts.ends, wars)
        lost[:] += (is_war & (points < 1.0)).sum(axis=0)
        scored[:] += (playouts.scores.sum(axis=2) * ~is_war).sum(axis=0)
        peaceful[:] += (~is_war).sum(axis=0)
        by = _ahead(playouts.scores[~is_war.any(axis=1)])
        ahead[:] += by.sum(axis=0)
        squares[:] += (by**2).sum(axis=0)
        compared += len(by)

    if budget.nodes is not None:
        play(max(MIN_WORLDS, player.playouts_of(seen.view(), budget.nodes) // count))
    else:
        assert budget.seconds is not None
        playouts.until(budget.seconds, play)
        if playouts.worlds < MIN_WORLDS:
            play(MIN_WORLDS - playouts.worlds)
    worlds = playouts.worlds
    mean = total / worlds
    covariance = (products / worlds - np.outer(mean, mean)) / (worlds - 1)
    effects = _surely(names, ahead, squares, compared)
    return _Sums(worlds, mean, covariance, lost / worlds, peaceful, scored, effects)


def _surely(
    names: Sequence[str], ahead: npt.NDArray[np.float64], squares: npt.NDArray[np.float64], worlds: int
) -> list[_Effects]:
    """Return the parts of the score in which each line differs significantly from the rest."""
    if worlds < MIN_WORLDS:
        return [{} for _ in ahead]
    mean = ahead / worlds
    error = (np.maximum(squares / worlds - mean**2, 0.0) / (worlds - 1)) ** 0.5
    return [
        {
            name: float(by)
            for name, by, within in zip(names, row, errors, strict=True)
            if abs(by) >= max(MIN_PART, EQUAL_ERRORS * within)
        }
        for row, errors in zip(mean, error, strict=True)
    ]


def _reply(player: SearchPlayer, seen: Observation, action: int, seed: int) -> Reply | None:
    """Return the most frequent reply of the game's fast policy for the other side, over some sampled deals."""
    game, side, view = seen.game, seen.side, seen.view()
    other = 1 - side
    found: Counter[int] = Counter()
    texts: dict[int, Message] = {}
    state, deal = game.new_states(1)[0], player.dealer(seen)
    for number in range(REPLY_WORLDS):
        random = generator(seed, number)
        for _ in range(REDEALS):
            deal(random, state)
            if game.to_move(state) == game.to_move(view):
                break
        game.apply(game.rules, state, action)
        while (actor := game.actor(game.rules, state)) == CHANCE:
            game.apply(game.rules, state, game.sample(game.rules, state, random))
        if actor == OVER or game.to_move(state) != {other}:
            continue
        known = game.view_of(state, other)
        answer = int(player.method.policy(game.rules, known, other, random))
        found[answer] += 1
        texts.setdefault(answer, game.narrator.describe(known, other, answer))
    if not found:
        return None
    answer, times = min(found.items(), key=lambda one: (-one[1], one[0]))
    share = times / REPLY_WORLDS
    return Reply(answer, texts[answer], share) if share >= REPLY_SHARE else None
