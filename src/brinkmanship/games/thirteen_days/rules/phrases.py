"""Shared phrases of several steps: things with their names, and changes on the board."""

from __future__ import annotations

from collections.abc import Iterable

from brinkmanship.engine.message import ActionParts, Argument, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import US, USSR, Frame, TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import SIDES
from brinkmanship.games.thirteen_days.rules.board import command_value
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS, REASONS, Reason, State

BOTH = (US, USSR)
"""Both sides."""

# Things with names.


def the_side(side: int) -> Ref:
    """Return a side as an argument."""
    return Ref("side", SIDES[side])


def the_card(game: ThirteenDaysRuleset, card: int) -> Ref:
    """Return a strategy card as an argument."""
    return Ref("card", game.data.card[card].id)


def the_place(place: int) -> Ref:
    """Return a battleground as an argument."""
    return Ref("battleground", BATTLEGROUNDS[place])


def the_track(track: int) -> Ref:
    """Return a DEFCON track as an argument."""
    return Ref("track", TRACKS[track])


def the_area(number: int) -> Ref:
    """Return an area of the DEFCON tracks as an argument: 3, 2 or 1."""
    return Ref("area", f"defcon_{number}")


def the_agenda(game: ThirteenDaysRuleset, agenda: int) -> Ref:
    """Return an agenda as an argument: the thing it scores, unless it has its own name."""
    found = game.data.agenda[agenda]
    if found.names is None and found.track is not None:
        return Ref("track", found.track)
    if found.names is None and found.battleground is not None:
        return Ref("battleground", found.battleground)
    return Ref("agenda", found.id)


def cubes(owner: int, n: int = 0) -> Message:
    """Return cubes of a side."""
    return Message("cubes.side", {"owner": the_side(owner), "n": n})


def marker(owner: int, track: int) -> Message:
    """Return the DEFCON marker of a side on a track."""
    return Message("marker.one.side", {"owner": the_side(owner), "track": the_track(track)})


# The event or Command in progress.


def frame_of(view: State) -> Frame:
    """Return the innermost card in play, in plain numbers."""
    return Frame(*view.stack[view.depth - 1].tolist())


def effect_of(game: ThirteenDaysRuleset, view: State) -> tuple[d.AnyEffect, int]:
    """Return the effect in progress as in the data, and its number within the event."""
    frame = frame_of(view)
    number = frame.effect - int(game.rules.cards[frame.card].event)
    return d.effects_in_order(game.data.card[frame.card].effects)[number], number


def value_of_play(game: ThirteenDaysRuleset, view: State, side: int, card: int, letter: int) -> int:
    """Return the value that the Command of a card would have for a side now."""
    return int(command_value(game.rules, view, side, int(game.rules.cards[card].cubes), letter))


def value_of_command(game: ThirteenDaysRuleset, view: State) -> int:
    """Return the value of the Command in progress: that of the card in play, or one granted by its event."""
    frame = frame_of(view)
    if frame.step != TurnStep.COMMAND:
        return frame.left
    return value_of_play(game, view, frame.player, frame.card, frame.letter)


# Differences between two positions.


def area_entered(game: ThirteenDaysRuleset, before: int, after: int) -> Argument:
    """Return the DEFCON area that a marker has entered, if it differs from the one before."""
    area = int(game.rules.area[after])
    return Message("marker.area", {"area": the_area(area)}) if area != int(game.rules.area[before]) else ""


def marker_changes(
    game: ThirteenDaysRuleset, before: State, after: State, but: Iterable[tuple[int, int]] = ()
) -> list[Message]:
    """Return every marker that moved, without those (side, track) already mentioned."""
    changes = []
    was, is_now = before.defcon.tolist(), after.defcon.tolist()
    for side in BOTH:
        for track in range(N_TRACKS):
            old, new = was[side][track], is_now[side][track]
            if old != new and (side, track) not in but:
                where: dict[str, Argument] = {"side": the_side(side), "track": the_track(track)}
                steps: dict[str, Argument] = {"before": old, "after": new, "area": area_entered(game, old, new)}
                changes.append(Message("change.marker", where | steps))
    return changes


def cube_changes(before: State, after: State, but: Iterable[tuple[int, int]] = ()) -> list[Message]:
    """Return every battleground where cubes of a side came or went, without those (side, place) already mentioned."""
    changes = []
    was, is_now = before.influence.tolist(), after.influence.tolist()
    for side in BOTH:
        for place in range(N_PLACES):
            old, new = was[side][place], is_now[side][place]
            if old != new and (side, place) not in but:
                where: dict[str, Argument] = {"cubes": cubes(side), "where": the_place(place)}
                changes.append(Message("change.cubes", where | {"before": old, "after": new}))
    return changes


def prestige_changes(before: State, after: State) -> list[Message]:
    """Return the Prestige before and after, if it has changed."""
    if before.prestige == after.prestige:
        return []
    return [Message("change.prestige", {"before": standing(before), "after": standing(after)})]


def standing(state: State) -> Message:
    """Return the leader on the track of Prestige, and the lead."""
    lead = int(state.prestige)
    if lead == 0:
        return Message("standing.tied")
    return Message("standing.lead", {"who": the_side(US if lead > 0 else USSR), "n": abs(lead)})


# A choice, and its immediate result.


def move_of_marker(game: ThirteenDaysRuleset, view: State, owner: int, parts: ActionParts) -> Message:
    """Return the choice that moves a marker of a side."""
    track, steps = TRACKS.index(parts.track or ""), parts.count or 0
    before = int(view.defcon[owner, track])
    after = min(max(before + steps, 1), game.data.limits.defcon_max)
    return Message(
        "choice.shift",
        {
            "marker": marker(owner, track),
            "steps": Message("steps.exactly", {"n": abs(steps)}),
            "dir": Message("dir.up" if steps > 0 else "dir.down"),
            "before": before,
            "after": after,
            "area": area_entered(game, before, after),
        },
    )


def after_action(game: ThirteenDaysRuleset, view: State, action: int) -> State:
    """Return the view after an action; no decision reads a card that the view hides."""
    after = game.copy(view)
    game.apply(game.rules, after, action)
    return after


def result_of(game: ThirteenDaysRuleset, view: State, action: int, cubes_told: tuple[int, int] = (-1, -1)) -> Argument:
    """Return the immediate changes on the board, without the cubes (side, place) already mentioned; "" if none."""
    after = after_action(game, view, action)
    changes = cube_changes(view, after, [cubes_told])
    changes += marker_changes(game, view, after)
    changes += prestige_changes(view, after)
    return Message("choice.result", {"what": tuple(changes)}) if changes else ""


# The end.


def ending(view: State) -> Message:
    """Return the winner and the reason."""
    key = f"log.end.{REASONS[view.reason]}"
    if view.reason == Reason.MUTUAL_WAR:
        return Message(key)
    winner = int(view.winner)
    who: dict[str, Argument] = {"who": the_side(winner)}
    if view.reason == Reason.PRESTIGE:
        return Message(key, who | {"n": abs(int(view.prestige))})
    return Message(key, who | {"loser": the_side(1 - winner)})
