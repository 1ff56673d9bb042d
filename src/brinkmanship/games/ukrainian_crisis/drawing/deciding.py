"""Deciding facts of a finished game, in words: Victory Points, and the Prestige that ended it early."""

from __future__ import annotations

from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.ukrainian_crisis.drawing.labels import labels_for
from brinkmanship.games.ukrainian_crisis.drawing.position import read
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import State
from brinkmanship.text import Words


def deciding(game: UkrainianCrisis, view: State, words: Words) -> list[str]:
    """Return what decided the game; see `Drawing.deciding`."""
    labels, position = labels_for(words, game), read(game, view, OBSERVER)
    if not position.over:
        return []
    key = "crisis.score.halved" if position.combat_turns else "crisis.score.whole"
    points = [labels.say(key, n=score.total, prestige=score.prestige, zones=score.zones) for score in position.scores]
    found = [f"{side} · {said}" for side, said in zip(labels.sides, points, strict=True)]
    spent = [side for side in (0, 1) if position.prestige[side] == 0]
    return found + [labels.say("crisis.prestige_of", side=labels.sides[side], n=0) for side in spent]
