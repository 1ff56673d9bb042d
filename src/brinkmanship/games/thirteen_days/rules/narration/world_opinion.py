"""S5: texts for Television, the United Nations and Alliances (section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, LogLine, Message, Ref
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import TRACKS
from brinkmanship.games.thirteen_days.rules.narration.log_lines import (
    actor_line,
    card_line,
    cards_moved_to,
    marker_moved,
)
from brinkmanship.games.thirteen_days.rules.phrases import move_of_marker, the_card, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node, State

NODES = (Node.UNITED_NATIONS, Node.TELEVISION, Node.ALLIANCES, Node.DRAW_FOR_ALLIANCES, Node.ALLIANCES_CARD)


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `DecisionTexts.prompt`."""
    if view.node == Node.TELEVISION:
        return Message("ask.television", {"where": _bonus_place(game, "defcon")})
    if view.node == Node.ALLIANCES:
        return Message("ask.alliances", {"where": _bonus_place(game, "draw")})
    if view.node == Node.DRAW_FOR_ALLIANCES:
        return Message("ask.draw", {"who": the_side(view.drawer)})
    # D10: only the side that has drawn the card knows it.
    drawn = [card for card in range(len(game.data.card)) if view.card[card] == CardIs.DRAWN + view.mover]
    return Message("ask.drawn_card", {"card": the_card(game, drawn[0]) if drawn else ""})


def _bonus_place(game: ThirteenDaysRuleset, bonus: str) -> Ref:
    return next(Ref("battleground", place.id) for place in game.data.battleground if place.bonus == bonus)


def describe(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `DecisionTexts.describe`."""
    match parts.kind:
        case "shift":
            return move_of_marker(game, view, side, parts)
        case "done":
            return Message("choice.no_shift")
        case "draw_top":
            return Message("choice.draw")
        case "decline":
            return Message("choice.no_draw")
        case "draw":
            return Message("choice.card", {"card": Ref("card", parts.card or "")})
        case "aftermath":
            return Message("choice.aftermath")
    return Message("choice.discard_drawn")


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    match before.node:
        case Node.UNITED_NATIONS:
            side = int(after.letter)
            where = _bonus_place(game, "letter")
            yield LogLine(Message("log.step.letter", {"who": the_side(side), "where": where}), side)
        case Node.TELEVISION:
            yield _television(game, before, action, after)
        case Node.ALLIANCES:
            if action == Action.DECLINE:
                yield actor_line(game, before, "log.decide.no_draw")
        case Node.DRAW_FOR_ALLIANCES:
            drawer = int(before.drawer)
            drawn = cards_moved_to(game, before, after, CardIs.DRAWN + drawer)
            yield card_line(game, "log.card.draw", drawer, next(iter(drawn), None))
        case _:
            yield _put_away(game, before, action, after)


def _television(game: ThirteenDaysRuleset, before: State, action: int, after: State) -> LogLine:
    if action == Action.DONE:
        return actor_line(game, before, "log.decide.no_shift")
    track = TRACKS.index(game.action_parts(action).track or "")
    return marker_moved(game, before, after, int(before.mover), track)


def _put_away(game: ThirteenDaysRuleset, before: State, action: int, after: State) -> LogLine:
    side = int(before.mover)
    if action == Action.TO_AFTERMATH:
        saved = next(iter(cards_moved_to(game, before, after, CardIs.IN_AFTERMATH + side)), None)
        return card_line(game, "log.card.aftermath", side, saved, n=1)
    return card_line(game, "log.card.discard", side, cards_moved_to(game, before, after, CardIs.DISCARDED)[0])
