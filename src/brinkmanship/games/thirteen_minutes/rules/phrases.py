"""Phrases shared by the steps: things with their names, and changes on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brinkmanship.engine.message import Argument, LogLine, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import US, USSR, Frame, TurnStep
from brinkmanship.games.thirteen_minutes.rules.action_numbers import AREAS, SIDES
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import N_PLACES, REASONS, Area, Reason, State

# Things with names.


def the_side(side: int) -> Ref:
    """Return a side."""
    return Ref("side", SIDES[side])


def the_card(game: ThirteenMinutesRuleset, card: int) -> Ref:
    """Return a strategy card."""
    return Ref("card", game.data.card[card].id)


def the_place(game: ThirteenMinutesRuleset, place: int) -> Ref:
    """Return a battleground."""
    return Ref("battleground", game.data.places[place])


def the_area(area: int) -> Ref:
    """Return an area of the table."""
    return Ref("area", AREAS[area])


def cubes(owner: int, n: int = 0) -> Message:
    """Return the cubes of a side."""
    return Message("cubes.side", {"owner": the_side(owner), "n": n})


def both(numbers: Sequence[int], suffix: str = "_count") -> dict[str, Argument]:
    """Return both sides with a number each, as arguments us, us_count, ussr, ussr_count."""
    us, ussr = numbers
    return {"us": the_side(US), f"us{suffix}": us, "ussr": the_side(USSR), f"ussr{suffix}": ussr}


# The event or Command in progress.


def frame_of(view: State) -> Frame:
    """Return the card in play, in plain numbers."""
    return Frame(*view.stack[0].tolist())


def effect_of(game: ThirteenMinutesRuleset, view: State) -> tuple[d.AnyEffect, int]:
    """Return the data of the effect in progress, and its index within the event."""
    frame = frame_of(view)
    number = frame.effect - int(game.rules.cards[frame.card].event)
    return d.effects_in_order(game.data.card[frame.card].effects)[number], number


def value_of_command(game: ThirteenMinutesRuleset, view: State) -> int:
    """Return the value of the Command in progress: that of the card in play, or one granted by its event."""
    frame = frame_of(view)
    return value_of_card(game, frame.card) if frame.step == TurnStep.COMMAND else frame.left


def value_of_card(game: ThirteenMinutesRuleset, card: int) -> int:
    """Return the Command value of a card."""
    return int(game.rules.cards[card].cubes)


# Changes between two positions.


def cube_changes(
    game: ThirteenMinutesRuleset, before: State, after: State, but: Iterable[tuple[int, int]] = ()
) -> list[Message]:
    """Return every battleground with a changed number of cubes, except the (side, place) already mentioned."""
    changes = []
    was, now = before.influence.tolist(), after.influence.tolist()
    for place in range(N_PLACES):
        for side in (US, USSR):
            old, new = was[side][place], now[side][place]
            if old != new and (side, place) not in but:
                args: dict[str, Argument] = {"where": the_place(game, place), "before": old, "after": new}
                changes.append(Message("change.cubes", {"cubes": cubes(side), **args}))
    return changes


def area_changes(game: ThirteenMinutesRuleset, before: State, after: State, but: Iterable[int] = ()) -> list[Message]:
    """Return every battleground that moved from one area to another, except those already mentioned."""
    was, now = before.area.tolist(), after.area.tolist()
    return [
        Message(
            "change.area",
            {"where": the_place(game, place), "before": the_area(was[place]), "after": the_area(now[place])},
        )
        for place in range(N_PLACES)
        if Area.OFF_TABLE not in (was[place], now[place]) and was[place] != now[place] and place not in but
    ]


def changes(
    game: ThirteenMinutesRuleset,
    before: State,
    after: State,
    cubes_told: Iterable[tuple[int, int]] = (),
    moves_told: Iterable[int] = (),
) -> Iterator[LogLine]:
    """Yield the consequences of an action on the table, without those already mentioned with the action itself."""
    for change in cube_changes(game, before, after, cubes_told) + area_changes(game, before, after, moves_told):
        yield LogLine(change)


def result_of(
    game: ThirteenMinutesRuleset, view: State, action: int, cubes_told: tuple[int, int] = (-1, -1)
) -> Argument:
    """Return the immediate changes on the table, or "" if none.

    The cubes (side, place) already mentioned are left out, and their place is not named again.
    """
    after = game.copy(view)
    game.apply(game.rules, after, action)  # no decision reads a card that the view hides
    found = cube_changes(game, view, after, [cubes_told]) + area_changes(game, view, after)
    if found and found == area_changes(game, view, after, but=set(range(N_PLACES)) - {cubes_told[1]}):
        return Message("choice.result.moves", {"area": the_area(int(after.area[cubes_told[1]]))})
    return Message("choice.result", {"what": tuple(found)}) if found else ""


def mover_line(game: ThirteenMinutesRuleset, before: State, key: str, /, **args: Argument) -> LogLine:
    """Return the line for the acting side's choice with the card in play."""
    side = int(before.mover)
    return LogLine(Message(key, {"who": the_side(side), **args}), side, game.data.card[frame_of(before).card].id)


# The end.


def ending(view: State) -> Message:
    """Return the winner and the reason."""
    key = f"log.end.{REASONS[view.reason]}"
    if view.reason in (Reason.DOUBLE_WAR, Reason.DRAW):
        return Message(key)
    winner = int(view.winner)
    counts = both(view.score.sum(axis=1).tolist())
    return Message(key, {"who": the_side(winner), "loser": the_side(1 - winner), **counts})
