"""What the steps say alike: things with their names, and what changed on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brinkmanship.engine.message import Argument, Line, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import US, USSR, Frame, TurnStep
from brinkmanship.games.thirteen_minutes.rules.action_numbers import AREAS, SIDES
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import N_PLACES, REASONS, Area, Reason, State

# Things with names.


def the_side(side: int) -> Ref:
    """A side."""
    return Ref("side", SIDES[side])


def the_card(game: ThirteenMinutesRuleset, card: int) -> Ref:
    """A strategy card."""
    return Ref("card", game.data.card[card].id)


def the_place(game: ThirteenMinutesRuleset, place: int) -> Ref:
    """A battleground."""
    return Ref("battleground", game.data.places[place])


def the_area(area: int) -> Ref:
    """An area of the table."""
    return Ref("area", AREAS[area])


def cubes(owner: int, n: int = 0) -> Message:
    """Cubes of a side."""
    return Message("cubes.side", {"owner": the_side(owner), "n": n})


def both(numbers: Sequence[int], suffix: str = "_count") -> dict[str, Argument]:
    """Both sides with a number each, as arguments us, us_count, ussr, ussr_count."""
    us, ussr = numbers
    return {"us": the_side(US), f"us{suffix}": us, "ussr": the_side(USSR), f"ussr{suffix}": ussr}


# The event or Command in progress.


def frame_of(view: State) -> Frame:
    """The card in play, in plain numbers."""
    return Frame(*view.stack[0].tolist())


def effect_of(game: ThirteenMinutesRuleset, view: State) -> tuple[d.AnyEffect, int]:
    """The effect in progress as the data has it, and its number within the event."""
    frame = frame_of(view)
    number = frame.effect - int(game.rules.cards[frame.card].event)
    return d.effects_in_order(game.data.card[frame.card].effects)[number], number


def value_of_command(game: ThirteenMinutesRuleset, view: State) -> int:
    """What the Command in progress is worth: that of the card in play, or one granted by its event."""
    frame = frame_of(view)
    return value_of_card(game, frame.card) if frame.step == TurnStep.COMMAND else frame.left


def value_of_card(game: ThirteenMinutesRuleset, card: int) -> int:
    """The Command value of a card."""
    return int(game.rules.cards[card].cubes)


# What changed between two positions.


def cube_changes(
    game: ThirteenMinutesRuleset, before: State, after: State, but: Iterable[tuple[int, int]] = ()
) -> list[Message]:
    """Every battleground with another number of cubes, without those (side, place) that have been spoken of."""
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
    """Every battleground that moved from one area to another, without those that have been spoken of."""
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
) -> Iterator[Line]:
    """What followed on the table from a deed, without what the deed itself has told."""
    for change in cube_changes(game, before, after, cubes_told) + area_changes(game, before, after, moves_told):
        yield Line(change)


def result_of(
    game: ThirteenMinutesRuleset, view: State, action: int, cubes_told: tuple[int, int] = (-1, -1)
) -> Argument:
    """What would change at once on the table, apart from the cubes (side, place) spoken of, whose place is not named
    again; "" if nothing."""
    after = game.copy(view)
    game.apply(game.rules, after, action)  # no decision reads a card that the view hides
    found = cube_changes(game, view, after, [cubes_told]) + area_changes(game, view, after)
    if found and found == area_changes(game, view, after, but=set(range(N_PLACES)) - {cubes_told[1]}):
        return Message("choice.result.moves", {"area": the_area(int(after.area[cubes_told[1]]))})
    return Message("choice.result", {"what": tuple(found)}) if found else ""


def deed(game: ThirteenMinutesRuleset, before: State, key: str, /, **args: Argument) -> Line:
    """What the side that is asked did with the card in play."""
    side = int(before.mover)
    return Line(Message(key, {"who": the_side(side), **args}), side, game.data.card[frame_of(before).card].id)


# The end.


def ending(view: State) -> Message:
    """Who has won and why."""
    key = f"log.end.{REASONS[view.reason]}"
    if view.reason in (Reason.DOUBLE_WAR, Reason.DRAW):
        return Message(key)
    return Message(key, {"who": the_side(int(view.winner)), **both(view.score.sum(axis=1).tolist())})
