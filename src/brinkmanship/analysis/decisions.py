"""Evaluation of a decision from the knowledge of its side.

The candidates are those of `players.search`, the choices of the reference player, and the choice made. All are
simulated equally often, in the same sampled deals with common random numbers; the evaluation of the quick player does
not count. The best is chosen in the first half of the deals and measured in the second, so that a choice that only
looks best by luck does not count as a loss. What playouts promise too much (`SearchConfig.optimism`) is taken off win
probabilities, and so off losses, as in hints; it is not taken off the value of the reference player's choice, nor off
what the choice made wins over that, as these are summed with the values of positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from brinkmanship.analysis.report import OBVIOUS, ComparedOption, Judgement, Mark, mark_of
from brinkmanship.engine.chance import generator
from brinkmanship.engine.observation import Observation
from brinkmanship.players.matrix_game import RARE, Answers, equilibrium
from brinkmanship.players.player import Candidate, Choice
from brinkmanship.players.search import REDEALS, Playouts, SearchPlayer

WHIMS = 32
"""Number of samples of the reference player's choice."""
EFFORT = 10
"""Effort to solve a decision exactly, in those of a player."""
SECOND_WORLDS, MORE_WORLDS = 50, 250
"""Sampled deals for the second opinion on a choice that would be marked, and as many more if it loses in those."""
SAME = 1e-9
"""Minimum difference between unequal values of an exact player."""
WON = 0.9
"""Win probability from which a game counts as won."""
BY_WAR = 0.5
"""Minimum fraction of a loss due to war for it to be attributed to war."""

Points = npt.NDArray[np.float64]
"""float64[worlds, answers]: the result of each choice in each sampled deal."""


class Loss(NamedTuple):
    """Loss of a choice against the best one, and the mark for it."""

    share: float
    """Share of the point; below 0 if the choice won more in these deals."""
    error: float
    mark: Mark | None

    @classmethod
    def of(cls, share: float, error: float) -> Loss:
        """Return a loss with its mark."""
        return cls(share, error, mark_of(share, error))


def reference(player: SearchPlayer, seen: Observation, seed: int) -> Mapping[int, float]:
    """Return the frequency of each action of the reference player, given the side's knowledge."""
    game, view = seen.game, seen.view()
    found = Counter(
        int(player.method.policy(game.rules, view, seen.side, generator(seed, number))) for number in range(WHIMS)
    )
    return {action: times / WHIMS for action, times in sorted(found.items())}


def judged(player: SearchPlayer, seen: Observation, taken: int, playouts: int, seed: int) -> tuple[Judgement, int]:
    """Evaluate a decision of `seen.side`; return the judgement and the number of playouts used.

    Args:
        player: the search player of the game, whose method is used for playouts.
        seen: the game as the side saw it before the decision; no other information is used.
        taken: the action taken.
        playouts: total for all choices together; at least two deals in each half are used.
        seed: seed of the sampled deals and of chance in them.
    """
    game, view = seen.game, seen.view()
    usual = reference(player, seen, seed)
    if len(game.to_move(view)) > 1:
        answers = player.method.secret(game, view, seen.side) or _likely_answers(player, seen, usual, seed)
        if answers is not None:
            return _secret(player, seen, taken, usual, answers, playouts, seed)
    first = player.method.prior(game, seed).choose(seen)
    own = _candidates(player, seen, first, (*usual, taken))
    half = max(2, player.playouts_of(view, playouts) // (2 * len(own)))
    table = _Table(player, seen, np.array([[action] for action in own], np.int64), half, seed)
    spent = 2 * half * len(own)
    best = int(table.chosen.mean(axis=0).argmax())
    at = own.index(taken)
    loss = _loss(player, table.measured[:, best], table.measured[:, at])
    options = table.options(own)
    if wins := _exact_wins(player.method.solve(game, view, seen.side, first, EFFORT), own):
        best = int(np.argmax(wins))
        loss = Loss.of(wins[best] - wins[at], 0.0)
        options = _reckoned(options, {game.action_text(action): win for action, win in zip(own, wins, strict=True)})
    elif player.method.is_left(view) and _is_exactly_best(first, taken):
        best, loss = at, Loss.of(0.0, 0.0)
    elif loss.mark and player.has_second_opinion(view):
        second, further = _second_opinion(player, seen, own[best], taken, seed)
        loss = min(loss, second, key=lambda loss: loss.share)
        spent += further
    shares = np.array([usual.get(action, 0.0) for action in own])
    fair, over = float((table.all @ shares).mean()), (0.0, 0.0)
    if shares[at] < 1.0:
        spent += playouts
        over = _difference(_ahead(player, seen, taken, usual, playouts, seed))
    return _judgement(seen, taken, own[best], options, loss, over, fair), spent


def _second_opinion(player: SearchPlayer, seen: Observation, best: int, taken: int, seed: int) -> tuple[Loss, int]:
    """Return the loss by other playouts, of `SearchConfig.second` to the end of the game, and the number of them."""
    lines = np.array([[best], [taken]], np.int64)
    playouts = Playouts(player.for_second_opinion(), seen, seed + 2)
    lost = -np.diff(playouts.play(lines, SECOND_WORLDS))
    if lost.mean() > 0.0:
        lost = np.concatenate([lost, -np.diff(playouts.play(lines, MORE_WORLDS))])
    return Loss.of(*_difference(lost)), lines.size * len(lost)


def _candidates(player: SearchPlayer, seen: Observation, first: Choice, also: Sequence[int]) -> list[int]:
    """Return the actions that the search tries, followed by those in `also`."""
    view = seen.view()
    legal = seen.game.legal_actions(view, seen.side)
    known = first.candidates or tuple(Candidate(action, 0.0) for action in legal)
    own = [one.action for one in player.tried(view, known)]
    return list(dict.fromkeys([*own, *also]))


def _likely_answers(player: SearchPlayer, seen: Observation, usual: Mapping[int, float], seed: int) -> Answers | None:
    """Return the best choices of both sides in a simultaneous choice for which the search has no list.

    Those of the other side are its likely choices in a deal sampled from the knowledge of `seen.side`, restricted to
    those legal in other deals.
    """
    game, other, view = seen.game, 1 - seen.side, seen.view()
    own = _candidates(player, seen, player.method.prior(game, seed).choose(seen), tuple(usual))
    likely: list[int] = []
    world, deal = game.new_states(1)[0], player.dealer(seen)
    for number in range(REDEALS):
        deal(generator(seed, number), world)
        if game.to_move(world) != game.to_move(view):
            continue
        if not likely:
            known = Observation.at(game, game.view_of(world, other), other)
            likely = _candidates(player, known, player.method.prior(game, seed).choose(known), ())
        likely = [action for action in likely if action in game.legal_actions(world, other)] or likely[:1]
    return Answers(own, likely) if likely else None


def _ahead(
    player: SearchPlayer, seen: Observation, taken: int, usual: Mapping[int, float], playouts: int, seed: int
) -> Points:
    """Return the result of the action taken minus that of the reference player, in separate deals: float64[worlds].

    It is summed over all decisions, so it must be more precise than the comparison of candidates, and use the same
    measure as the value of positions: playouts to the end of the game.
    """
    own = list(dict.fromkeys([*usual, taken]))
    shares = np.array([usual.get(action, 0.0) for action in own])
    lines = np.array([[action] for action in own], np.int64)
    points = Playouts(player.to_the_end().with_one_policy(), seen, seed + 1).play(lines, max(2, playouts // len(own)))
    ahead: Points = points[:, own.index(taken)] - points @ shares
    return ahead


def _exact_wins(solved: Sequence[Candidate], own: Sequence[int]) -> list[float]:
    """Return the exact win probability of each choice; empty if not all are solved.

    A player may value its own war lower than any other loss; here both count as 0.
    """
    values = {one.action: min(max(one.value, 0.0), 1.0) for one in solved}
    return [values[action] for action in own] if all(action in values for action in own) else []


def _reckoned(options: Sequence[ComparedOption], wins: Mapping[str, float]) -> tuple[ComparedOption, ...]:
    """Return the choices with their exact win probabilities, best first."""
    exact = [msgspec.structs.replace(one, win=wins[one.action], error=0.0) for one in options]
    return tuple(sorted(exact, key=lambda one: -one.win))


def _is_exactly_best(first: Choice, taken: int) -> bool:
    values = {one.action: (one.danger, -one.value) for one in first.candidates}
    if first.action == taken:
        return True
    if taken not in values or first.action not in values:
        return False
    (danger, value), (least, best) = values[taken], values[first.action]
    return danger <= least and value <= best + SAME


def _secret(
    player: SearchPlayer,
    seen: Observation,
    taken: int,
    usual: Mapping[int, float],
    answers: Answers,
    playouts: int,
    seed: int,
) -> tuple[Judgement, int]:
    """Evaluate a simultaneous choice against the other side's mixed strategy in the equilibrium.

    Any choice with a positive probability in the equilibrium has no loss.
    """
    own = list(dict.fromkeys([*answers.own, *usual, taken]))
    other = list(answers.other)
    lines = np.array([(mine, theirs) for mine in own for theirs in other], np.int64)
    half = max(2, playouts // (2 * len(lines)))
    table = _Table(player, seen, lines, half, seed)

    def matrix(points: Points) -> Points:
        # Smoothed as in search and hints, so that all say the same of a choice.
        found = points.reshape(len(points), len(own), len(other))
        known = found[:, : len(answers.own)]
        return np.concatenate([answers.evened(np.ascontiguousarray(known)), found[:, len(answers.own) :]], axis=1)

    def solved(points: Points) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return equilibrium(matrix(points).mean(axis=0), answers.usual, answers.trust)

    mixture, others = solved(table.chosen)
    at = own.index(taken)
    wins = matrix(table.measured) @ others
    loss = _loss(player, wins @ mixture, wins[:, at])
    if mixture[at] >= min(RARE, float(mixture.max())):
        loss = Loss.of(0.0, loss.error)
    whole, against = solved(table.all)
    wins = matrix(table.all) @ against
    shares = np.array([usual.get(action, 0.0) for action in own])
    # The value of a position assumes the reference player on both sides, so play is measured against that player's
    # choice, not against the equilibrium: otherwise the difference would count as a guess.
    over, over_error = _difference(_ahead(player, seen, taken, usual, playouts, seed))
    options = tuple(
        ComparedOption(
            action=seen.game.action_text(own[number]),
            win=player.said(float(wins[:, number].mean())),
            error=player.error(_difference(wins[:, number])[1]),
            war=None if table.wars is None else float(table.wars.reshape(len(own), len(other))[number] @ against),
            share=float(whole[number]),
        )
        for number in sorted(range(len(own)), key=lambda number: -whole[number])
    )
    best, fair = own[int(mixture.argmax())], float((wins @ shares).mean())
    found = _judgement(seen, taken, best, options, loss, (over, over_error), fair)
    return found, 2 * half * len(lines) + playouts


class _Table:
    """Results of lines in common sampled deals."""

    def __init__(
        self, player: SearchPlayer, seen: Observation, lines: npt.NDArray[np.int64], half: int, seed: int
    ) -> None:
        self._player = player
        playouts = Playouts(player, seen, seed)
        wars = [player.game.reasons.index(reason) for reason in player.method.war]
        lost = np.zeros(len(lines))
        halves = []
        for _ in range(2):
            points = playouts.play(lines, half)
            lost += (np.isin(playouts.ends, wars) & (points < 1.0)).sum(axis=0)
            halves.append(points)
        self.chosen, self.measured = halves
        """The halves of the sample: the first selects the best choice, the second measures it."""
        self.all = np.concatenate(halves)
        self.wars = lost / (2 * half) if wars else None
        """Fractions that end in a war that the side does not win; None if the game has none."""

    def options(self, own: Sequence[int]) -> tuple[ComparedOption, ...]:
        """Return single choices, best first."""
        wins = self.measured.mean(axis=0)
        return tuple(
            ComparedOption(
                action=self._player.game.action_text(own[number]),
                win=self._player.said(float(wins[number])),
                error=self._player.error(_difference(self.measured[:, number])[1]),
                war=None if self.wars is None else float(self.wars[number]),
            )
            for number in sorted(range(len(own)), key=lambda number: -wins[number])
        )


def _loss(player: SearchPlayer, best: Points, taken: Points) -> Loss:
    """Return the loss of a choice as the difference between the win probabilities that are said of it and the best."""
    share, error = _difference(best - taken)
    factor = player.said_factor(float(best.mean()), float(taken.mean()))
    return Loss.of(factor * share, factor * error)


def _difference(points: Points) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(points.mean()), float(points.std(ddof=1) / len(points) ** 0.5)


def _judgement(
    seen: Observation,
    taken: int,
    best: int,
    options: tuple[ComparedOption, ...],
    loss: Loss,
    over: tuple[float, float],
    fair: float,
) -> Judgement:
    game, view = seen.game, seen.view()
    share = max(0.0, loss.share)
    by_action = {one.action: one for one in options}
    did, would = by_action[game.action_text(taken)], by_action[game.action_text(best)]
    why: Literal["war", "won"] | None = None
    if (did.war or 0.0) - (would.war or 0.0) >= BY_WAR * share > 0.0:
        why = "war"
    elif would.win >= WON:
        why = "won"
    wins = [one.win for one in options]
    return Judgement(
        first=len(seen.views) - 1,
        side=seen.side,
        ask=game.narrator.prompt(view, seen.side).key,
        taken=did.action,
        best=would.action,
        options=options,
        loss=share,
        error=loss.error,
        over_reference=over[0],
        over_error=over[1],
        fair=fair,
        is_counted=len(game.legal_actions(view, seen.side)) > 1 and max(wins) - min(wins) >= OBVIOUS,
        mark=loss.mark,
        why=why if loss.mark else None,
    )
