"""A turn: texts of a played card and its use (section 4, 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.thirteen_minutes.rules.action_numbers import Action
from brinkmanship.games.thirteen_minutes.rules.phrases import (
    changes,
    frame_of,
    mover_line,
    result_of,
    the_card,
    the_side,
    value_of_card,
)
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import Node, State

NODES = (Node.PLAY, Node.USE, Node.OFFER)


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.prompt`."""
    if view.node == Node.PLAY:
        return Message("ask.play", {"number": int(view.turn) + 1, "count": game.data.limits.turns})
    frame = frame_of(view)
    args: dict[str, Argument] = {"card": the_card(game, frame.card), "value": value_of_card(game, frame.card)}
    if view.node == Node.USE:
        return Message("ask.use", args)
    return Message("ask.offer", {"who": the_side(frame.player), **args})


def describe(game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `StepTexts.describe`."""
    match parts.kind:
        case "play":
            args: dict[str, Argument] = {"card": Ref("card", parts.card or ""), "area": Ref("area", parts.area or "")}
            return Message("choice.play", args)
        case "event" | "use":
            return Message(f"choice.{parts.kind}", {"result": result_of(game, view, action)})
        case "command":
            return Message("choice.command", {"value": value_of_card(game, frame_of(view).card)})
    return Message("choice.decline")


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    if before.node == Node.PLAY:
        parts = game.action_parts(action)
        card, area = Ref("card", parts.card or ""), Ref("area", parts.area or "")
        side = int(before.mover)
        yield LogLine(Message("log.play", {"who": the_side(side), "card": card, "area": area}), side, card.id)
        return
    frame = frame_of(before)
    card = the_card(game, frame.card)
    if before.node == Node.USE:
        key = "event" if action == Action.USE_EVENT else "command"
        yield mover_line(game, before, f"log.use.{key}", card=card, value=value_of_card(game, frame.card))
    else:
        yield mover_line(game, before, f"log.offer.{'use' if action == Action.USE_OFFER else 'decline'}", card=card)
    yield from changes(game, before, after)
