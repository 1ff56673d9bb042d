"""SETUP and DRAW: texts of cards from the pile, and of Cuba (section 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.thirteen_minutes.rules.phrases import the_card, the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import CardIs, Node, State

NODES = (Node.SET_CUBA, Node.DRAW_CARD)


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.prompt`."""
    return Message("ask.draw", {"who": the_side(view.drawer)})


def describe(game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `StepTexts.describe`."""
    return Message("choice.card", {"card": Ref("card", parts.card or "")})


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Yield the deal; viewers who know the card read its name."""
    if before.node == Node.SET_CUBA:
        yield LogLine(Message("log.step.cuba"))
        return
    drawer = int(before.drawer)
    who: dict[str, Argument] = {"who": the_side(drawer)}
    for card in range(len(game.data.card)):
        if after.card[card] == CardIs.IN_HAND + drawer != before.card[card]:
            found = the_card(game, card)
            yield LogLine(Message("log.card.draw", {**who, "card": found}), drawer, found.id)
            return
    yield LogLine(Message("log.card.draw_hidden", who), drawer)
