"""Score tables: the sources of Prestige (battlegrounds, the military majority, the aftermath)."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message
from brinkmanship.engine.score import ScorePart, ScoreTable
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.board import (
    aftermath_sum,
    battlegrounds_in,
    controller,
    military_controlled,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.rules.phrases import the_place, the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, N_PLACES, Area, Node, Reason, Score, State

SIDES = (US, USSR)
SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)


def score(game: ThirteenMinutesRuleset, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
    """Return the score tables; none before the last turn, since all Prestige is counted then (section 5.5)."""
    parts: list[ScorePart] = []
    for seen in history:
        parts += _of_step(game, seen)
    if not parts:
        return ()
    return (ScoreTable(Message("score.title"), tuple(parts), _notes(game, history[-1].after)),)


def _of_step(game: ThirteenMinutesRuleset, seen: ViewedEntry) -> list[ScorePart]:
    """Return the parts of a step of the scoring."""
    node = Node(seen.before.node)
    if node == Node.SCORE_BATTLEGROUNDS:
        return _battlegrounds(game, seen.before)
    if node == Node.SCORE_MILITARY:
        counts = [int(military_controlled(game.rules, seen.before, side)) for side in SIDES]
        return [_counted("score.military", counts, seen.after, Score.MILITARY)]
    if node == Node.AFTERMATH:
        counts = [int(aftermath_sum(game.rules, seen.after, side)) for side in SIDES]
        return [_counted("score.aftermath", counts, seen.after, Score.AFTERMATH)]
    return []


def _battlegrounds(game: ThirteenMinutesRuleset, state: State) -> list[ScorePart]:
    parts = []
    for place in range(N_PLACES):
        side = int(controller(state, place)) if state.area[place] != Area.OFF_TABLE else NOBODY
        if side != NOBODY:
            points = int(game.rules.limits.for_cuba if place == CUBA else game.rules.limits.for_battleground)
            what = Message("score.battleground", {"where": the_place(game, place)})
            parts.append(ScorePart(what, (points, 0) if side == US else (0, points)))
    return parts


def _counted(key: str, counts: Sequence[int], state: State, column: Score) -> ScorePart:
    us, ussr = state.score[:, column].tolist()
    return ScorePart(Message(key, {"us": counts[US], "ussr": counts[USSR]}), (us, ussr))


def _notes(game: ThirteenMinutesRuleset, state: State) -> tuple[Message, ...]:
    """Return the other deciding factors: the war, or the battlegrounds of the spheres."""
    at_war = tuple(the_side(side) for side in SIDES if triggers_war(game.rules, state, side))
    if state.reason in (Reason.NUCLEAR_WAR, Reason.DOUBLE_WAR):
        return (Message("score.war", {"who": at_war}),)
    if state.reason in (Reason.TIEBREAK, Reason.DRAW):
        us, ussr = (int(battlegrounds_in(state, sphere)) for sphere in SPHERES)
        return (Message("score.spheres", {"us": us, "ussr": ussr}),)
    return ()
