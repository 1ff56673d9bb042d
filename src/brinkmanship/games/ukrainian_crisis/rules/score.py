"""Score tables of Ukrainian Crisis: Victory Points by zones and Prestige, and the sources of Prestige."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Message
from brinkmanship.engine.score import ScorePart, ScoreTable
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, lower_die
from brinkmanship.games.ukrainian_crisis.rules.data import INFORMS
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Country, Critical
from brinkmanship.games.ukrainian_crisis.rules.narration.rolls import rolls_critically
from brinkmanship.games.ukrainian_crisis.rules.phrases import the_side, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Level, Node, State, Task
from brinkmanship.games.ukrainian_crisis.rules.victory import points_of_prestige, scored_zones

_SOURCES = {
    Node.INCOME: "allies",
    Node.DIPLOMATIC: "attempts",
    Node.PAY_RP: "attempts",
    Node.PAY_PRESTIGE: "attempts",
    Node.MILITARY: "deployed",
    Node.DEPLOY_TO: "deployed",
    Node.FIGHT: "combat",
    Node.HITS: "combat",
    Node.HIT: "combat",
}
"""Source of Prestige gained or lost at these nodes; at all others Information while it acts, else events."""
_ROWS = ("start", "allies", *INFORMS, "attempts", "deployed", "combat", "events", "critical")
"""The parts of Prestige in display order."""

Pair = tuple[int, int]


def score(game: UkrainianCrisisRuleset, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
    """Return the score tables: the Victory Points (9.0), and all gains and losses of Prestige."""
    if not history:
        return ()
    return _victory_points(game, history[-1].after), _prestige(game, history)


# Victory Points.


def _victory_points(game: UkrainianCrisisRuleset, state: State) -> ScoreTable:
    prestige = int(state.prestige[UA]), int(state.prestige[RU])
    key = "score.halved" if state.combat_turns else "score.whole"
    parts = [
        ScorePart(
            Message(key, {"ua": prestige[UA], "ru": prestige[RU]}),
            (int(points_of_prestige(state, UA)), int(points_of_prestige(state, RU))),
        )
    ]
    zones = [int(scored_zones(game.rules, state, side)) for side in (UA, RU)]
    for zone, data in enumerate(game.data.zone):
        points = data.vp * (zones[UA] >> zone & 1), data.vp * (zones[RU] >> zone & 1)
        if any(points):
            key = "score.union" if int(state.union) >> zone & 1 else "score.zone"
            parts.append(ScorePart(Message(key, {"zone": the_zone(game, zone)}), points))
    return ScoreTable(Message("score.title"), tuple(parts), _notes(game, state))


def _notes(game: UkrainianCrisisRuleset, state: State) -> tuple[Message, ...]:
    """Return why the game ended (8.1), and whether zones counted."""
    counted = Message("score.fought" if state.combat_turns else "score.peace", {"n": int(state.combat_turns)})
    if state.level == Level.NOT_OVER:
        return (counted,)
    spent = tuple(the_side(side) for side in (UA, RU) if state.prestige[side] == 0)
    if spent:
        return Message("score.spent", {"who": spent, "turn": int(state.turn)}), counted
    return Message("score.last_turn", {"turn": game.data.start.turns}), counted


# Prestige.


def _prestige(game: UkrainianCrisisRuleset, history: Sequence[ViewedEntry]) -> ScoreTable:
    sums = {name: [0, 0] for name in _ROWS}
    sums["start"] = [int(points) for points in history[0].before.prestige]
    for seen in history:
        before, after = (_pair(state) for state in (seen.before, seen.after))
        if before == after and not _sanctions(game, seen):
            continue
        critical = _after_criticals(game, seen, before)
        for name, old, new in (("critical", before, critical), (_source(seen), critical, after)):
            for side in (UA, RU):
                sums[name][side] += new[side] - old[side]
    parts = [ScorePart(Message(f"score.{name}"), (ua, ru)) for name, (ua, ru) in sums.items() if ua or ru]
    return ScoreTable(Message("score.prestige"), tuple(parts))


def _pair(state: State) -> Pair:
    ua, ru = state.prestige.tolist()
    return ua, ru


def _source(seen: ViewedEntry) -> str:
    node = Node(seen.before.node)
    if node in _SOURCES:
        return _SOURCES[node]
    frames = seen.before.stack[: int(seen.before.depth)]
    event = node == Node.WINDOW or any(frame.task == Task.EVENT for frame in frames)
    acting = next((frame for frame in frames if frame.task == Task.INFORMATION), None)
    if event or acting is None:
        return "events"
    inform = seen.entry.action - Action.INFORM if node == Node.INFORMATION else int(acting.inform)
    return INFORMS[inform]


def _after_criticals(game: UkrainianCrisisRuleset, seen: ViewedEntry, prestige: Pair) -> Pair:
    """Return the Prestige after the critical events of an entry (4.2), before its other effects."""
    before = seen.before
    if before.node == Node.DIE and before.stack[before.depth - 1].doubles == Critical.GAS_TURNED_OFF:
        prestige = _lost(prestige, UA, seen.entry.action - Action.DIE + 1)
    price = int(game.rules.rank[Country.US]) * int(before.box[Country.US])
    for _ in range(_sanctions(game, seen)):
        prestige = _lost(prestige, RU, price)
    return prestige


def _sanctions(game: UkrainianCrisisRuleset, seen: ViewedEntry) -> int:
    """Return the number of Sanctions carried out: those that were waiting or just rolled and no longer wait."""
    action = seen.entry.action
    now = rolls_critically(game, seen.before, action) and lower_die(action) == Critical.SANCTIONS
    return _waiting(seen.before) + int(now) - _waiting(seen.after)


def _waiting(state: State) -> int:
    frames = state.stack[: int(state.depth)]
    return int((state.doubles == Critical.SANCTIONS).sum()) + sum(
        bool(frame.task == Task.CRITICAL and frame.doubles == Critical.SANCTIONS) for frame in frames
    )


def _lost(prestige: Pair, side: int, points: int) -> Pair:
    """Return the Prestige after a loss: Prestige that a side at 0 cannot lose, the other gains (R25)."""
    lost = min(points, prestige[side])
    left = [*prestige]
    left[side] -= lost
    left[1 - side] += points - lost
    return left[UA], left[RU]
