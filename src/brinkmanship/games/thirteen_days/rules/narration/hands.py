"""S3a and S3b: texts for drawn cards and for the choice of who plays first (section 2.1).

An event that draws cards uses the same texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, LogLine, Message, Ref
from brinkmanship.games.thirteen_days.rules.action_numbers import SIDES, Action
from brinkmanship.games.thirteen_days.rules.narration.log_lines import (
    actor_line,
    card_line,
    cards_moved_to,
    consequences,
)
from brinkmanship.games.thirteen_days.rules.phrases import the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node, State

NODES = (Node.DRAW_CARD, Node.FIRST)


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `DecisionTexts.prompt`."""
    if view.node == Node.DRAW_CARD:
        return Message("ask.draw", {"who": the_side(view.drawer)})
    if view.prestige:
        return Message("ask.first.behind")
    return Message("ask.first.tied", {"who": the_side(view.mover)})


def describe(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `DecisionTexts.describe`."""
    if parts.kind == "draw":
        return Message("choice.card", {"card": Ref("card", parts.card or "")})
    who = Ref("side", parts.side or "")
    return Message("choice.first.self" if SIDES.index(who.id) == side else "choice.first.other", {"who": who})


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`: a card by its name for viewers who know it."""
    if before.node == Node.FIRST:
        yield actor_line(game, before, "log.decide.first", first=the_side(action - Action.FIRST))
        return
    drawer = int(before.drawer)
    drawn = cards_moved_to(game, before, after, CardIs.IN_HAND + drawer)
    yield card_line(game, "log.card.draw", drawer, next(iter(drawn), None))
    yield from consequences(game, before, after)
