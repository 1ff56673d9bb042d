"""Compare the choices offered in the short lessons: ``python tools/lessons.py [GAME [LESSON [QUESTION]]]``.

The reference player of the analysis simulates each offered choice, and the best of all others, in the same sampled
deals, which are consistent with the view of the learner's side (docs/develop/players.md).
"""

from __future__ import annotations

import argparse

import numpy as np

from brinkmanship.analysis.value import reference_player
from brinkmanship.engine.observation import Observation, SeenAction
from brinkmanship.games.registry import kits, load_game
from brinkmanship.lessons import FIRST, Lesson, LessonStep, course_of, lesson_of
from brinkmanship.players import Budget
from brinkmanship.players.hints import hints
from brinkmanship.players.search import Playouts

SEED = 2026
SECRET_PLAYOUTS = 20_000
SIFTED, WORLDS = 60, 1000
"""Sampled deals for all legal choices, and for those that are compared."""


def main() -> int:
    """Print a line for each choice; return 2 if one is not legal."""
    parser = argparse.ArgumentParser(description="Compare the choices offered in the short lessons.")
    parser.add_argument("game", nargs="?", choices=list(kits()))
    parser.add_argument("lesson", nargs="?")
    parser.add_argument("question", nargs="?")
    asked = parser.parse_args()
    found = [
        (lesson, step)
        for game_id in kits()
        if asked.game in (None, game_id)
        for lesson_id in course_of(game_id)
        if lesson_id != FIRST and asked.lesson in (None, lesson_id)
        for lesson in (lesson_of(load_game(game_id), lesson_id),)
        for step in lesson.steps
        if step.answers and asked.question in (None, step.name)
    ]
    if not found:
        parser.error("no such lesson or question")
    faults = 0
    for lesson, step in found:
        print(f"\n{lesson.seen.game.id} {lesson.id} {step.name}", flush=True)
        if illegal := illegal_answers(lesson, step):
            print(f"  not legal here: {', '.join(illegal)}", flush=True)
            faults += 1
        else:
            compare(lesson, step)
    return 2 if faults else 0


def illegal_answers(lesson: Lesson, step: LessonStep) -> list[str]:
    """Return the offered choices that are not legal there."""
    game, view = lesson.seen.game, lesson.seen.view(step.place)
    legal = {game.action_text(action) for action in game.legal_actions(view, lesson.side)}
    return [answer.text for answer in step.answers if answer.text not in legal]


def compare(lesson: Lesson, step: LessonStep) -> None:
    """Print the win rate of each choice of a step, best first; the ones marked right have a star."""
    game, side = lesson.opened.game, lesson.side
    then = lesson.seen.at(step.place)
    views = tuple(then.view(count).tobytes() for count in range(then.length + 1))
    seen = Observation(game, side, tuple(SeenAction(entry.actor, entry.action) for entry in then.entries), views)
    if len(game.to_move(seen.view())) > 1:  # a simultaneous choice: against the other side's equilibrium strategy
        for hint in hints(seen, Budget(nodes=SECRET_PLAYOUTS), SEED).hints:
            share = 100 * (hint.share or 0)
            print(f"    {told(hint.win, hint.error)}  {game.action_text(hint.action)}, {share:.0f} of 100 times")
        return
    playouts = Playouts(reference_player(game, SEED), seen, SEED)
    offered = {game.parse_action(answer.text, side): answer.is_right for answer in step.answers}
    others = [action for action in game.legal_actions(seen.view(), side) if action not in offered]
    compared = list(offered)
    if others:
        sifted = playouts.play(np.array([[action] for action in others], np.int64), SIFTED).mean(axis=0)
        compared += [others[number] for number in np.argsort(-sifted)[:3]]
    points = playouts.play(np.array([[action] for action in compared], np.int64), WORLDS)
    errors = points.std(axis=0, ddof=1) / WORLDS**0.5
    for number in np.argsort(-points.mean(axis=0)):
        action = compared[number]
        mark = "*" if offered.get(action) else " " if action in offered else "("
        print(f"  {mark} {told(points[:, number].mean(), errors[number])}  {game.action_text(action)}")


def told(win: float, error: float) -> str:
    """Return a win probability and its standard error as percentages."""
    return f"{100 * win:5.1f} +- {100 * error:.1f}"


if __name__ == "__main__":
    raise SystemExit(main())
