"""Warnings to a side before an action that loses the next check for nuclear war (sections 2.7 and 2.8).

They rest on what the side knows: the board, its own agenda, and the three agendas of which the other side has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brinkmanship.engine.message import Message
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_days.rules.phrases import the_area, the_side, the_track
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, Node, State

LAST_OF_ROUND = (
    Node.SAVE_AFTERMATH,
    Node.UNITED_NATIONS,
    Node.ALLIANCES,
    Node.DRAW_FOR_ALLIANCES,
    Node.ALLIANCES_CARD,
    Node.RESOLVE_AGENDAS,
)
"""Nodes between the last card of a round and the check. The markers can move no more, except by Television."""

Steps = tuple[int, ...]
"""The steps of a side's markers, by track."""


def warning(game: ThirteenDaysRuleset, before: State, after: State, side: int) -> Message | None:
    """Return how an action would lose the check: for certain, unless a marker moves, or by the other side's agenda."""
    if after.node == Node.OVER:
        return None
    cause = _cause(game, after, side)
    if _is_settled(game, after, side):
        return Message("warning.loses", {"why": cause}) if cause else _by_their_agenda(game, after, side)
    if cause and (_cause(game, before, side) is None or not _decides_again(game, after, side)):
        return Message("warning.stands", {"why": cause})
    return None


def _cause(game: ThirteenDaysRuleset, view: State, side: int) -> Message | None:
    """Return why a side would start the war if the check came now, after its own agenda; None if it would not."""
    steps = _steps(view, side)
    agendas = _own_agenda(view, side)
    lost = _in_area(game, _lifted(game, steps, agendas), 1)
    if lost and not _in_area(game, steps, 1):
        return Message("warning.agenda", {"track": the_track(lost[0]), "area": the_area(1)})
    if lost:
        tracks = tuple(the_track(track) for track in lost)
        return Message("warning.marker", {"tracks": tracks, "n": len(lost), "area": the_area(1)})
    return Message("warning.all", {"area": the_area(2)}) if len(_in_area(game, steps, 2)) == N_TRACKS else None


def _by_their_agenda(game: ThirteenDaysRuleset, view: State, side: int) -> Message | None:
    """Return a warning if an agenda that the other side may have chosen would start the war."""
    steps = _lifted(game, _steps(view, side), _own_agenda(view, side))
    for agenda in range(len(game.data.agenda)):
        if view.agenda_dealt[1 - side, agenda] > 0 and (lost := _in_area(game, _lifted(game, steps, [agenda]), 1)):
            return Message("warning.may", {"who": the_side(1 - side), "track": the_track(lost[0]), "area": the_area(1)})
    return None


def _is_settled(game: ThirteenDaysRuleset, view: State, side: int) -> bool:
    """Return True if no action before the check can save a side that would start the war now."""
    if view.node not in LAST_OF_ROUND:
        return False
    return view.node != Node.SAVE_AFTERMATH or _television_leader(game, view) != side or not _saves(game, view, side)


def _television_leader(game: ThirteenDaysRuleset, view: State) -> int:
    us, ussr = view.influence[:, game.rules.bonus_place.defcon].tolist()
    return NOBODY if us == ussr else US if us > ussr else USSR


def _saves(game: ThirteenDaysRuleset, view: State, side: int) -> bool:
    """Return True if a side may yet lower a marker by Television and so avoid the war."""
    for track in range(N_TRACKS):
        other = game.copy(view)
        other.defcon[side, track] = max(int(view.defcon[side, track]) - 1, 1)
        if _cause(game, other, side) is None:
            return True
    return False


def _decides_again(game: ThirteenDaysRuleset, view: State, side: int) -> bool:
    """Return True if the side has a choice of its own before the check, whatever the other side does."""
    if view.node == Node.AGENDA or view.first == NOBODY or view.mover == side:
        return True
    in_play = int(view.depth > 0)
    if in_play and view.stack[0].player == side:
        return True
    turns = range(int(view.turn) + in_play, 2 * int(game.rules.limits.turns_each))
    return any(turn % 2 == (view.first != side) for turn in turns)


def _steps(view: State, side: int) -> Steps:
    return tuple(view.defcon[side].tolist())


def _own_agenda(view: State, side: int) -> Sequence[int]:
    return [int(view.chosen[side])] if view.chosen[side] >= 0 else []


def _lifted(game: ThirteenDaysRuleset, steps: Steps, agendas: Iterable[int]) -> Steps:
    """Return the steps after the icons of agendas: a marker in the DEFCON 2 area of the track goes up (R2, R3)."""
    found = [*steps]
    for agenda in agendas:
        track = int(game.rules.agendas[agenda].track)
        if game.rules.agendas[agenda].icon and game.rules.area[found[track]] == 2:
            found[track] += 1
    return tuple(found)


def _in_area(game: ThirteenDaysRuleset, steps: Steps, area: int) -> list[int]:
    """Return the tracks on which a marker stands in a DEFCON area."""
    return [track for track, step in enumerate(steps) if game.rules.area[step] == area]
