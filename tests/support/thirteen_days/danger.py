"""A plain second opinion on danger in 13 Days: which actions leave a side in danger of war without need."""

from __future__ import annotations

from itertools import product

import numpy as np

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.record import State

TRACKS = ("military", "political", "world_opinion")


def could_start_war(game: Game, view: State, side: int) -> bool:
    """Whether the side would start the war if the round were resolved now, with some agendas both may have chosen."""
    return any(war_with(view, side, icons) for icons in product(icons_of(game, view, 0), icons_of(game, view, 1)))


def icons_of(game: Game, view: State, side: int) -> set[str | None]:
    """The tracks the icon of a side's agenda may act on, as the view tells; None: its agenda may have no icon."""
    agendas = game.data.agenda  # type: ignore[attr-defined]
    possible = [view.chosen[side]] if view.chosen[side] >= 0 else np.flatnonzero(view.agenda_dealt[side])
    return {agendas[agenda].track if agendas[agenda].defcon_icon else None for agenda in possible} or {None}


def war_with(view: State, side: int, icons: tuple[str | None, ...]) -> bool:
    steps = {track: int(view.defcon[side, number]) for number, track in enumerate(TRACKS)}
    for track in icons:
        if track is not None and 4 <= steps[track] <= 6:
            steps[track] += 1
    return max(steps.values()) >= 7 or min(steps.values()) >= 4


def can_end_in_safety(game: Game, state: State, side: int, known: dict[bytes, bool]) -> bool:
    """Whether the side can see to it, whatever the other does, that the card in play leaves it no danger of war."""
    if state.depth == 0 or state.mover >= CHANCE:
        return not could_start_war(game, state, side)
    key = state.tobytes()
    if key not in known:
        mover = int(state.mover)
        actions = reversed(game.legal_actions(state, mover))
        answers = (can_end_in_safety(game, after(game, state, action), side, known) for action in actions)
        known[key] = any(answers) if mover == side else all(answers)
    return known[key]


def after(game: Game, state: State, action: int) -> State:
    child = game.copy(state)
    game.apply(game.rules, child, action)
    return child


def needless_risks(game: Game, view: State, side: int, action: int) -> list[int]:
    """The actions that would have left the side in safety, where `action` does not."""
    known: dict[bytes, bool] = {}
    if can_end_in_safety(game, after(game, view, action), side, known):
        return []
    actions = game.legal_actions(view, side)
    return [other for other in actions if can_end_in_safety(game, after(game, view, other), side, known)]
