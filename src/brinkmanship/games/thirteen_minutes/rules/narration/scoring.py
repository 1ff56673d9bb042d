"""SCORE: texts of each step of the scoring (section 5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.game import OVER
from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.board import (
    aftermath_sum,
    battlegrounds_in,
    cards_of_colour,
    military_controlled,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.rules.phrases import both, ending, the_area, the_card, the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import (
    COLOURS,
    Area,
    CardIs,
    Node,
    Reason,
    Score,
    State,
)

NODES = (
    Node.SCORE_BATTLEGROUNDS,
    Node.TURN_UP_CUBA,
    Node.SCORE_MILITARY,
    Node.AFTERMATH,
    Node.CHECK_WAR,
    Node.COUNT_PRESTIGE,
    Node.OVER,
)

SIDES = (US, USSR)
SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Return the prompt of a scoring step; all but one have the same prompt."""
    return Message("ask.over", {"what": ending(view)}) if view.mover == OVER else Message("ask.turn_up")


def describe(game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `StepTexts.describe`."""
    return Message("choice.card", {"card": Ref("card", parts.card or "")})


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    match before.node:
        case Node.SCORE_BATTLEGROUNDS:
            return _battlegrounds(after)
        case Node.TURN_UP_CUBA:
            return _turn_up(game, after)
        case Node.SCORE_MILITARY:
            return _military(game, before, after)
        case Node.AFTERMATH:
            return _aftermath(game, before, after)
        case Node.CHECK_WAR:
            return _war(game, before, after)
    return _prestige(after)


def _gains(before: State, after: State, what: Score) -> Iterator[LogLine]:
    for side in SIDES:
        n = int(after.score[side, what]) - int(before.score[side, what])
        if n:
            points = Message("prestige", {"n": n})
            yield LogLine(Message("change.score", {"who": the_side(side), "points": points}), side)


def _battlegrounds(after: State) -> Iterator[LogLine]:
    for side in SIDES:
        points = Message("prestige", {"n": int(after.score[side, Score.BATTLEGROUNDS])})
        yield LogLine(Message("log.score.battlegrounds", {"who": the_side(side), "points": points}), side)


def _turn_up(game: ThirteenMinutesRuleset, after: State) -> Iterator[LogLine]:
    card = game.data.card[int(after.cuba_card)]
    args: dict[str, Argument] = {"card": Ref("card", card.id), "colour": Ref("colour", card.colour)}
    yield LogLine(Message("log.turn_up", args), card=card.id)


def _military(game: ThirteenMinutesRuleset, before: State, after: State) -> Iterator[LogLine]:
    yield LogLine(
        Message("log.score.military", both([int(military_controlled(game.rules, before, side)) for side in SIDES]))
    )
    yield from _gains(before, after, Score.MILITARY)


def _aftermath(game: ThirteenMinutesRuleset, before: State, after: State) -> Iterator[LogLine]:
    shown = {
        side: card for card, place in enumerate(after.card.tolist()) for side in SIDES if place == CardIs.SHOWN + side
    }
    for side, card in sorted(shown.items()):
        ref = the_card(game, card)
        yield LogLine(Message("log.aftermath.shown", {"who": the_side(side), "card": ref}), side, ref.id)
    yield LogLine(Message("log.aftermath.sums", both([int(aftermath_sum(game.rules, after, side)) for side in SIDES])))
    yield from _gains(before, after, Score.AFTERMATH)
    joined = [card for _, card in sorted(shown.items()) if after.area[card] != Area.OFF_TABLE]
    for card in joined:
        ref, area = the_card(game, card), the_area(int(after.area[card]))
        yield LogLine(Message("log.aftermath.joined", {"card": ref, "area": area}), card=ref.id)
    if not joined:
        yield LogLine(Message("log.aftermath.aside"))


def _war(game: ThirteenMinutesRuleset, before: State, after: State) -> Iterator[LogLine]:
    for side in SIDES:
        if not triggers_war(game.rules, before, side):
            continue
        for colour, name in enumerate(COLOURS):
            n = int(cards_of_colour(game.rules, before, SPHERES[side], colour))
            if n >= game.data.scoring.war_cards:
                args: dict[str, Argument] = {"who": the_side(side), "colour": Ref("colour", name), "n": n}
                yield LogLine(Message("log.war", {**args, "area": the_area(SPHERES[side])}), side)
    if after.reason == Reason.NOT_OVER:
        yield LogLine(Message("log.no_war"))
    else:
        yield _ending(after)


def _prestige(after: State) -> Iterator[LogLine]:
    yield LogLine(Message("log.total", both(after.score.sum(axis=1).tolist())))
    if after.reason in (Reason.TIEBREAK, Reason.DRAW):
        yield LogLine(Message("log.spheres", both([int(battlegrounds_in(after, area)) for area in SPHERES])))
    yield _ending(after)


def _ending(after: State) -> LogLine:
    winner = int(after.winner)
    return LogLine(ending(after), winner if winner != NOBODY else None)
