"""Nuclear danger in 13 Days: how near a side is to starting the war, judged from a view.

A position is *unsafe* for a side if it could start the war were the round resolved now: with the icon of any agenda
that each side may have chosen according to the view (its own chosen one, otherwise those its flags allow).
"""

from __future__ import annotations

from numba import types

from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.board import triggers_war
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, STATE, State
from brinkmanship.games.thirteen_days.rules.tables import RULES, Rules

CERTAIN = 64
"""Minimum of `danger` if the war would come for every agenda of the opponent; below, only for some agendas."""


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def copies_on(rules: Rules, view: State, side: int, track: int) -> int:
    """Return the agendas a side may have chosen whose icon acts on a track (N_TRACKS: no icon), counting copies."""
    copies = 0
    chosen = view.chosen[side]
    for agenda in range(MAX_AGENDAS):
        possible = view.agenda_dealt[side, agenda]
        if chosen >= 0:
            possible = 1 if agenda == chosen else 0
        if possible:
            acts_on = rules.agendas[agenda].track if rules.agendas[agenda].icon else N_TRACKS
            if acts_on == track:
                copies += int(possible)
    if chosen < 0 and view.dealt[side] == 0 and track == N_TRACKS:
        return 1
    return copies


@internal(types.int64, RULES, types.int64, types.int64)
def pushed(rules: Rules, step: int, icons: int) -> int:
    """Return the final step of a marker when this many agenda icons act on its track (R2, R3)."""
    for _ in range(icons):
        if rules.area[step] == 2:
            step = min(step + 1, rules.limits.top_step)
    return step


@internal(types.boolean, RULES, STATE, types.int64)
def out_of_reach(rules: Rules, view: State, side: int) -> bool:
    """Return True if no pair of icons at all could make a side, safe now, start the war."""
    for track in range(N_TRACKS):
        step = view.defcon[side, track]
        if rules.area[step] == 2 and rules.area[pushed(rules, step, 2)] == 1:
            return False
    return True


@compiled(types.float64, RULES, STATE, types.int64)
def war_share(rules: Rules, view: State, side: int) -> float:
    """Return the share of the possible agendas of both sides with which `side` would start the war, resolved now."""
    if triggers_war(rules, view, side):
        return 1.0
    if out_of_reach(rules, view, side):
        return 0.0
    pairs = 0
    wars = 0
    for us in range(N_TRACKS + 1):
        us_copies = copies_on(rules, view, US, us)
        if us_copies == 0:
            continue
        for ussr in range(N_TRACKS + 1):
            copies = us_copies * copies_on(rules, view, USSR, ussr)
            pairs += copies
            for track in range(N_TRACKS):
                icons = (us == track) + (ussr == track)
                if rules.area[pushed(rules, view.defcon[side, track], icons)] == 1:
                    wars += copies
                    break
    return wars / pairs


@internal(types.int64, RULES, STATE, types.int64)
def steps_to_safety(rules: Rules, view: State, side: int) -> int:
    """Return the total steps a side's markers have to go down until the position is safe for it."""
    steps = 0
    high = 0
    least = rules.limits.top_step
    for track in range(N_TRACKS):
        icons = min(copies_on(rules, view, US, track), 1) + min(copies_on(rules, view, USSR, track), 1)
        step = view.defcon[side, track]
        while rules.area[pushed(rules, step, icons)] == 1:
            step -= 1
            steps += 1
        if rules.area[step] == 2:
            high += 1
            down = 0
            while rules.area[step] == 2:
                step -= 1
                down += 1
            least = min(least, down)
    return steps + least if high == N_TRACKS else steps


@compiled(types.int64, RULES, STATE, types.int64)
def danger(rules: Rules, view: State, side: int) -> int:
    """Return how unsafe a position is for a side: 0 safe; else its steps to safety, plus CERTAIN if war is certain."""
    share = war_share(rules, view, side)
    if share == 0.0:
        return 0
    steps = steps_to_safety(rules, view, side)
    return CERTAIN + steps if share == 1.0 else steps
