"""Texts within an event or a Command: cubes, battlegrounds that move, alternatives (section 5.3, 5.4).

The effects of a choice are in `effects` and in the interpreter of `games.cuban`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import Stage, TurnStep
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.phrases import (
    changes,
    cubes,
    effect_of,
    frame_of,
    mover_line,
    result_of,
    the_card,
    the_place,
    the_side,
    value_of_card,
)
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import COLOURS, Node, State

NODES = (Node.PLACE, Node.REMOVE, Node.TAKE_CUBES, Node.PUT_CUBES, Node.CHOOSE, Node.COMMAND, Node.MOVE)


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.prompt`."""
    frame = frame_of(view)
    card = the_card(game, frame.card)
    if frame.step == TurnStep.COMMAND:
        return Message("ask.command", {"card": card, "n": value_of_card(game, frame.card)})
    return Message("ask.event", {"card": card, "what": _effect(game, view)})


def _effect(game: ThirteenMinutesRuleset, view: State) -> Message:
    frame = frame_of(view)
    owner, left, count = frame.owner, frame.left, frame.count
    if frame.stage == Stage.MOVES:
        return Message("ask.chosen_move")
    match effect_of(game, view)[0]:
        case d.Place() | d.Remove() as effect:
            return _cubes(effect, owner, left, count)
        case d.Relocate():
            if view.node == Node.PUT_CUBES:
                return Message("ask.put_cubes", {"cubes": cubes(owner, left)})
            return Message("ask.take_cubes.more" if count else "ask.take_cubes", {"cubes": cubes(owner, left)})
        case d.Move() as effect:
            steps = (
                Message("steps.up_to", {"n": effect.max or 0})
                if effect.exactly is None
                else Message("steps.exactly", {"n": effect.exactly})
            )
            way = Message(f"way.{effect.dir}", {"steps": steps, "who": the_side(owner)})
            where = _where("one_battleground", effect.where)
            return Message("event.move.do", {"then": "", "where": where, "way": way})
        case d.Command():
            return Message("event.command.do", {"then": "", "n": left})
    return Message("event.choose.do", {"then": ""})


def _cubes(effect: d.Place | d.Remove, owner: int, left: int, count: int) -> Message:
    verb = "place" if isinstance(effect, d.Place) else "remove"
    where = _where("one_battleground" if effect.sites == 1 else "battlegrounds", effect.where)
    if isinstance(effect, d.Remove) and effect.amount:
        return Message("event.half.do", {"then": "", "cubes": cubes(owner), "where": where})
    free = effect.exactly is None and effect.min == 0
    without_limit = left > d.MAX_CUBES  # else the data file's number; none is higher
    once_more = count > 0 and free
    if without_limit:
        key = "any"
    elif not free or (once_more and left == 1):
        key = "exactly"
    else:
        key = "up_to_one" if left == 1 else "up_to"
    amount = Message(f"amount.{key}", {"cubes": cubes(owner, left), "min": 0})
    if once_more:
        return Message(f"ask.{verb}_more", {"amount": amount})
    if left > 1 and not without_limit and effect.sites != 1 and not _is_one_place(effect.where):
        amount = Message("amount.together", {"amount": amount})
    return Message(f"event.{verb}.do", {"then": "", "amount": amount, "where": where})


def _is_one_place(where: Sequence[str]) -> bool:
    return len(where) == 1 and where[0] != "all" and where[0] not in COLOURS


def _where(kind: str, where: Sequence[str]) -> Argument:
    """Return the battlegrounds of an effect, as the data names them: a group, or a list."""
    if not where or "all" in where:
        return Ref(kind, "all")
    if len(where) == 1 and where[0] in COLOURS:
        return Ref(kind, where[0])
    names = [name for name in where if name not in COLOURS]
    colours = [Ref(kind, name) for name in where if name in COLOURS]
    refs = (*colours, *(Ref("battleground", name) for name in names))
    return refs[0] if len(refs) == 1 else refs


def describe(game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:
    """Implement `StepTexts.describe`."""
    match parts.kind:
        case "done":
            return _done(game, view)
        case "move":
            args: dict[str, Argument] = {"where": _place(parts), "area": Ref("area", parts.area or "")}
            return Message("choice.move", args)
        case "choose":
            return Message("choice.branch", {"what": _branch(game, view, parts)})
    return _move_cubes(game, view, side, action, parts)


def _place(parts: ActionParts) -> Ref:
    return Ref("battleground", parts.place or "")


def _branch(game: ThirteenMinutesRuleset, view: State, parts: ActionParts) -> Ref:
    _, number = effect_of(game, view)
    return Ref("branch", f"{game.data.card[frame_of(view).card].id}.{number}.{parts.count}")


def _done(game: ThirteenMinutesRuleset, view: State) -> Message:
    """Return the text of "done", which names what is done."""
    if view.node == Node.COMMAND:
        return Message("choice.no_command")
    frame = frame_of(view)
    if frame.stage == Stage.MOVES:
        return Message("choice.stay")
    if view.node == Node.REMOVE and isinstance(effect := effect_of(game, view)[0], d.Remove) and effect.amount:
        return Message("choice.empty_place")
    what = {Node.PLACE: "place", Node.REMOVE: "removal", Node.TAKE_CUBES: "relocation", Node.MOVE: "move"}[
        Node(view.node)
    ]
    return Message(f"choice.no_more_{what}" if frame.count > 0 else f"choice.no_{what}")


def _move_cubes(game: ThirteenMinutesRuleset, view: State, side: int, action: int, parts: ActionParts) -> Message:
    place = game.data.places.index(parts.place or "")
    owner = side if view.node == Node.COMMAND else frame_of(view).owner
    result = result_of(game, view, action, cubes_told=(owner, place))
    where: dict[str, Argument] = {"where": the_place(game, place), "result": result}
    if owner == side:
        return Message(f"choice.{parts.kind}", {"n": parts.count or 0, **where})
    return Message(f"choice.{parts.kind}_of", {"cubes": cubes(owner, parts.count or 0), **where})


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    parts = game.action_parts(action)
    if action == Action.DONE:
        yield from _end(game, before)
        yield from changes(game, before, after)
    elif before.node == Node.CHOOSE:
        yield mover_line(game, before, "log.decide.branch", what=_branch(game, before, parts))
        yield from changes(game, before, after)
    elif before.node == Node.MOVE:
        yield mover_line(game, before, "log.move", where=_place(parts), area=Ref("area", parts.area or ""))
        yield from changes(game, before, after, moves_told=[game.data.places.index(parts.place or "")])
    else:
        place = game.data.places.index(parts.place or "")
        owner = int(before.mover) if before.node == Node.COMMAND else frame_of(before).owner
        yield _moved_cubes(game, before, parts, owner, place)
        yield from changes(game, before, after, cubes_told=[(owner, place)])


def _moved_cubes(game: ThirteenMinutesRuleset, before: State, parts: ActionParts, owner: int, place: int) -> LogLine:
    count = parts.count or 0
    was = int(before.influence[owner, place])
    now = was + (count if parts.kind == "place" else -count)
    numbers: dict[str, Argument] = {"where": the_place(game, place), "before": was, "after": now}
    if owner == before.mover:
        return mover_line(game, before, f"log.cubes.{parts.kind}", n=count, **numbers)
    return mover_line(game, before, f"log.cubes.{parts.kind}_of", cubes=cubes(owner, count), **numbers)


def _end(game: ThirteenMinutesRuleset, before: State) -> Iterator[LogLine]:
    """Yield a line if the effect or Command changed nothing at all; other ends have no line."""
    frame = frame_of(before)
    if before.node == Node.COMMAND:
        yield mover_line(game, before, "log.decide.no_command")
    elif frame.stage == Stage.MOVES:
        yield mover_line(game, before, "log.decide.no_move")
    elif frame.count == 0:
        names = {Node.REMOVE: "removal", Node.TAKE_CUBES: "relocation", Node.MOVE: "move"}
        yield mover_line(game, before, f"log.decide.no_{names.get(Node(before.node), 'place')}")
