"""S3c: texts for a played card, an Event that is offered, and a taken card (section 2.2 to 2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.cuban.frame import TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.narration.log_lines import (
    actor_line,
    card_line,
    cards_moved_to,
    consequences,
)
from brinkmanship.games.thirteen_days.rules.phrases import frame_of, result_of, the_card, the_side, value_of_play
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node, State

NODES = (Node.PLAY, Node.TRIGGER, Node.RANDOM_CARD, Node.TAKEN_CARD)


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `DecisionTexts.prompt`."""
    if view.node == Node.PLAY:
        numbers = {"round": int(view.round_number), "number": int(view.turn) // 2 + 1}
        return Message("ask.play", {**numbers, "count": game.data.limits.turns_per_round})
    frame = frame_of(view)
    if view.node == Node.TRIGGER:
        who: dict[str, Argument] = {"who": the_side(frame.player), "card": the_card(game, frame.card)}
        return Message(
            "ask.trigger", {**who, "value": value_of_play(game, view, frame.player, frame.card, frame.letter)}
        )
    if view.node == Node.RANDOM_CARD:
        return Message("ask.random_card", {"who": the_side(1 - frame.owner), "of": the_side(frame.owner)})
    # D7: both sides have seen the card, an observer has not (R35).
    return Message("ask.taken_card", {"card": the_card(game, frame.taken_card) if frame.taken_card >= 0 else ""})


def describe(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    card = Ref("card", parts.card or "")
    match parts.kind:
        case "event":
            return Message("choice.play.event", {"card": card, "result": result_of(game, view, action)})
        case "command" | "command_letter":
            value = value_of_play(game, view, side, game.data.card_index(card.id), parts.kind == "command_letter")
            return Message(f"choice.play.{parts.kind}", {"card": card, "value": value})
        case "trigger":
            return Message("choice.trigger", {"result": result_of(game, view, action)})
        case "decline":
            return Message("choice.decline")
        case "take":
            return Message("choice.card", {"card": card})
    return Message("choice.discard", {"card": the_card(game, frame_of(view).taken_card)})


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`; an event that did nothing at all gets a line."""
    yield _action(game, before, action, after)
    card = game.action_parts(action).card if before.node == Node.PLAY else None
    lines = list(consequences(game, before, after, card=card))
    yield from lines
    if not lines and _was_empty_event(game, before, action, after):
        yield LogLine(Message("change.nothing"), None, card or the_card(game, frame_of(before).card).id)


def _action(game: ThirteenDaysRuleset, before: State, action: int, after: State) -> LogLine:
    if before.node == Node.RANDOM_CARD:
        owner = frame_of(before).owner
        taken = next(iter(cards_moved_to(game, before, after, CardIs.TAKEN)), None)
        return card_line(game, "log.card.take", 1 - owner, taken, of=the_side(owner))
    if before.node == Node.TRIGGER:
        card = the_card(game, frame_of(before).card)
        return actor_line(game, before, f"log.decide.{'trigger' if action == Action.TRIGGER else 'decline'}", card=card)
    side = int(before.mover)
    if action == Action.TO_DISCARD:
        return card_line(game, "log.card.discard", side, cards_moved_to(game, before, after, CardIs.DISCARDED)[0])
    return _play(game, before, side, game.action_parts(action))


def _play(game: ThirteenDaysRuleset, before: State, side: int, parts: ActionParts) -> LogLine:
    card = Ref("card", parts.card or "")
    who: dict[str, Argument] = {"who": the_side(side), "card": card}
    if parts.kind != "event":
        index = game.data.card_index(card.id)
        who["value"] = value_of_play(game, before, side, index, parts.kind == "command_letter")
    return LogLine(Message(f"log.play.{parts.kind}", who), side, card.id)


def _was_empty_event(game: ThirteenDaysRuleset, before: State, action: int, after: State) -> bool:
    """Return True if an event has begun and is already over."""
    if before.node == Node.TRIGGER:
        return action == Action.TRIGGER and not (after.depth == before.depth and frame_of(after).step == TurnStep.EVENT)
    if before.node == Node.RANDOM_CARD:
        return False
    return bool(game.action_parts(action).kind == "event" and after.depth == before.depth)
