"""Noisy evaluation: weaker levels of a computer player.

A level is a player of the game, or a noisy version of it: it chooses at random among the actions that its judge values
nearly as high as the best. The largest difference it ignores is its *noise*, on the scale of the judge's values. So a
weak level plays like a person who knows the rules and evaluates roughly: its choices are never far from the best it
knows, and it never takes an action that leads closer to a war than necessary.

A level may have a *manner*: if it is bold, it chooses among the bolder half of these actions, if it is cautious, among
the other half. Boldness is measured on the board that an action leaves (`Levels.boldness`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from brinkmanship.engine.chance import below
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import Policy
from brinkmanship.players.budget import Budget
from brinkmanship.players.levels import BOLD, Levels
from brinkmanship.players.noisy_policy import noisy_policy
from brinkmanship.players.player import AGAINST, Candidate, Choice, Player, in_spite_of
from brinkmanship.players.policy_player import PolicyPlayer

CHANCE_HAD_ITS_SAY = Message("why.level")
"""The reason of a choice that was not valued higher than others, if there is no fact about it."""


class LevelPlayer(Player):
    """A player that evaluates like another one, but ignores differences smaller than its noise.

    Args:
        game: the ruleset.
        judge: makes the player that evaluates, from the seed of its random numbers.
        noise: largest difference of values that it ignores; see the module.
        levels: the levels of the game, with the questions that have no noise.
        manner: one of `levels.MANNERS`, "" for none.
        seed: seed of its own random numbers.
        budget: the budget for a decision; None: the standard one.
    """

    name = "level"

    def __init__(
        self,
        game: Game,
        judge: Callable[[int | None], Player],
        noise: float,
        levels: Levels,
        manner: str = "",
        seed: int | None = None,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(game, seed, budget)
        self._new_judge = judge
        self._noise = noise
        self._levels = levels
        self._manner = manner
        self._judge = judge(seed)

    def choose(self, seen: Observation) -> Choice:
        choice = self._judge.choose(seen)
        taken = next((one for one in choice.candidates if one.action == choice.action), None)
        if taken is None or seen.view().node in self._levels.without_noise:
            return choice
        alike = [
            one for one in choice.candidates if one.danger <= taken.danger and one.value >= taken.value - self._noise
        ]
        if self._manner and len(alike) > 1:
            alike = self._preferred(seen, alike)
        found = alike[below(self.random, len(alike))]
        if found.action == choice.action:
            return choice
        return self._with_reason(seen, Choice(found.action, choice.candidates, CHANCE_HAD_ITS_SAY))

    def _preferred(self, seen: Observation, alike: list[Candidate]) -> list[Candidate]:
        """Return the half of the candidates that suits the manner better, and all that suit it as well as the last."""
        game, view, sign = self.game, seen.view(), 1 if self._manner == BOLD else -1
        assert self._levels.boldness is not None, "load_player refuses manners for games that have none"
        suits = []
        for one in alike:
            after = game.copy(view)
            game.apply(game.rules, after, one.action)
            suits.append(sign * self._levels.boldness(game.rules, after, seen.side))
        least = sorted(suits)[len(suits) // 2]
        return [one for one, how_well in zip(alike, suits, strict=True) if how_well >= least]

    def _with_reason(self, seen: Observation, choice: Choice) -> Choice:
        """Return a choice with what the judge says for it, if it says anything."""
        fact = None if INTERPRETED else self._judge.why(seen, choice)
        if fact is None:
            return choice
        return choice._replace(
            reason=in_spite_of(fact) if fact.key == AGAINST else Message("why.level.fact", {"fact": fact})
        )

    def compiled_model(self) -> Policy | None:
        """Return the compiled policy that chooses among the same actions, each with the same probability."""
        if not isinstance(self._judge, PolicyPlayer) or self._judge.evaluation is None:
            return None
        return noisy_policy(self.game, self._judge.evaluation, self._noise, self._levels, self._manner)

    def fresh(self, seed: int) -> Self:
        """Return a copy with its own random numbers and its own judge, which may have its own working memory."""
        likeness = super().fresh(seed)
        likeness._judge = self._new_judge(seed)
        return likeness
