"""SCORE: what battlegrounds, orange cards, the last hand cards and the war decide, step by step (section 5.5).

Each step is one the rules take themselves, and Cuba is turned up between the first two. The last one ends the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from numba import types

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.jit.compile import internal
from brinkmanship.engine.message import ActionParts, Argument, Line, Message, Ref
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.actions import Action
from brinkmanship.games.thirteen_minutes.rules.board import (
    aftermath_sum,
    battlegrounds_in,
    cards_of_colour,
    military_controlled,
    prestige,
    score_aftermath,
    score_battlegrounds,
    score_military,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.rules.speech import both, ending, the_area, the_card, the_side
from brinkmanship.games.thirteen_minutes.rules.state import (
    COLOURS,
    N_CARDS,
    STATE,
    Area,
    CardIs,
    Node,
    Reason,
    Score,
    State,
)
from brinkmanship.games.thirteen_minutes.rules.steps.asking import ask
from brinkmanship.games.thirteen_minutes.rules.tables import RULES, Rules, Tiebreak

if TYPE_CHECKING:
    from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes

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


@internal(types.void, STATE, types.int64, types.int64)
def finish(state: State, winner: int, reason: int) -> None:
    """The game is over."""
    state.winner = winner
    state.reason = reason
    ask(state, Node.OVER, OVER)


@internal(types.void, RULES, STATE)
def count_prestige(rules: Rules, state: State) -> None:
    """SCORE step 5: more Prestige wins; equal: by option more battlegrounds in one's own sphere (Q43), else a draw."""
    lead = prestige(state, US) - prestige(state, USSR)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, Reason.PRESTIGE)
        return
    if rules.options.tiebreak == Tiebreak.OWN_SPHERE:
        lead = battlegrounds_in(state, Area.US_SPHERE) - battlegrounds_in(state, Area.USSR_SPHERE)
    if lead != 0:
        finish(state, US if lead > 0 else USSR, Reason.TIEBREAK)
    else:
        finish(state, NOBODY, Reason.DRAW)


@internal(types.void, RULES, STATE)
def check_war(rules: Rules, state: State) -> None:
    """SCORE step 4: who has triggered the war loses, whatever the points (Q42); both: nobody wins."""
    us = triggers_war(rules, state, US)
    ussr = triggers_war(rules, state, USSR)
    if us and ussr:
        finish(state, NOBODY, Reason.DOUBLE_WAR)
    elif us:
        finish(state, USSR, Reason.NUCLEAR_WAR)
    elif ussr:
        finish(state, US, Reason.NUCLEAR_WAR)
    else:
        ask(state, Node.COUNT_PRESTIGE, CHANCE)


@internal(types.void, RULES, STATE)
def show_last_cards(rules: Rules, state: State) -> None:
    """SCORE step 3: both show the last hand card."""
    for card in range(N_CARDS):
        for side in range(2):
            if state.card[card] == CardIs.IN_HAND + side:
                state.card[card] = CardIs.SHOWN + side
                state.hand[side] -= 1
    score_aftermath(rules, state)
    ask(state, Node.CHECK_WAR, CHANCE)


@internal(types.void, STATE, types.int64)
def turn_up_cuba(state: State, card: int) -> None:
    """SCORE step 2: what is printed on Cuba is seen before the orange battlegrounds are counted."""
    state.cuba_card = card
    state.card[card] = CardIs.CUBA
    ask(state, Node.SCORE_MILITARY, CHANCE)


@internal(types.void, RULES, STATE, types.int64)
def apply_scoring(rules: Rules, state: State, action: int) -> None:
    """The next step of the scoring."""
    node = state.node
    if node == Node.SCORE_BATTLEGROUNDS:
        score_battlegrounds(rules, state)
        ask(state, Node.TURN_UP_CUBA, CHANCE)
    elif node == Node.TURN_UP_CUBA:
        turn_up_cuba(state, action - Action.TURN_UP)
    elif node == Node.SCORE_MILITARY:
        score_military(rules, state)
        ask(state, Node.AFTERMATH, CHANCE)
    elif node == Node.AFTERMATH:
        show_last_cards(rules, state)
    elif node == Node.CHECK_WAR:
        check_war(rules, state)
    else:
        count_prestige(rules, state)


# What people read.


def prompt(game: ThirteenMinutes, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of a `Step`
    """See `Step.prompt`; the other steps of the scoring are all asked alike."""
    return Message("ask.over", {"what": ending(view)}) if view.mover == OVER else Message("ask.turn_up")


def describe(game: ThirteenMinutes, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """See `Step.describe`."""
    return Message("choice.card", {"card": Ref("card", parts.card or "")})


def narrate(game: ThirteenMinutes, before: State, action: int, after: State, reader: int) -> Iterator[Line]:  # noqa: ARG001
    """See `Step.narrate`."""
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


def _gains(before: State, after: State, what: Score) -> Iterator[Line]:
    for side in SIDES:
        n = int(after.score[side, what]) - int(before.score[side, what])
        if n:
            points = Message("prestige", {"n": n})
            yield Line(Message("change.score", {"who": the_side(side), "points": points}), side)


def _battlegrounds(after: State) -> Iterator[Line]:
    for side in SIDES:
        points = Message("prestige", {"n": int(after.score[side, Score.BATTLEGROUNDS])})
        yield Line(Message("log.score.battlegrounds", {"who": the_side(side), "points": points}), side)


def _turn_up(game: ThirteenMinutes, after: State) -> Iterator[Line]:
    card = game.data.card[int(after.cuba_card)]
    args: dict[str, Argument] = {"card": Ref("card", card.id), "colour": Ref("colour", card.colour)}
    yield Line(Message("log.turn_up", args), card=card.id)


def _military(game: ThirteenMinutes, before: State, after: State) -> Iterator[Line]:
    yield Line(
        Message("log.score.military", both([int(military_controlled(game.rules, before, side)) for side in SIDES]))
    )
    yield from _gains(before, after, Score.MILITARY)


def _aftermath(game: ThirteenMinutes, before: State, after: State) -> Iterator[Line]:
    shown = {
        side: card for card, place in enumerate(after.card.tolist()) for side in SIDES if place == CardIs.SHOWN + side
    }
    for side, card in sorted(shown.items()):
        ref = the_card(game, card)
        yield Line(Message("log.aftermath.shown", {"who": the_side(side), "card": ref}), side, ref.id)
    yield Line(Message("log.aftermath.sums", both([int(aftermath_sum(game.rules, after, side)) for side in SIDES])))
    yield from _gains(before, after, Score.AFTERMATH)
    joined = [card for _, card in sorted(shown.items()) if after.area[card] != Area.OFF_TABLE]
    for card in joined:
        ref, area = the_card(game, card), the_area(int(after.area[card]))
        yield Line(Message("log.aftermath.joined", {"card": ref, "area": area}), card=ref.id)
    if not joined:
        yield Line(Message("log.aftermath.aside"))


def _war(game: ThirteenMinutes, before: State, after: State) -> Iterator[Line]:
    for side in SIDES:
        if not triggers_war(game.rules, before, side):
            continue
        for colour, name in enumerate(COLOURS):
            n = int(cards_of_colour(game.rules, before, SPHERES[side], colour))
            if n >= game.data.scoring.war_cards:
                args: dict[str, Argument] = {"who": the_side(side), "colour": Ref("colour", name), "n": n}
                yield Line(Message("log.war", {**args, "area": the_area(SPHERES[side])}), side)
    if after.reason == Reason.NOT_OVER:
        yield Line(Message("log.no_war"))
    else:
        yield _ending(after)


def _prestige(after: State) -> Iterator[Line]:
    yield Line(Message("log.total", both(after.score.sum(axis=1).tolist())))
    if after.reason in (Reason.TIEBREAK, Reason.DRAW):
        yield Line(Message("log.spheres", both([int(battlegrounds_in(after, area)) for area in SPHERES])))
    yield _ending(after)


def _ending(after: State) -> Line:
    winner = int(after.winner)
    return Line(ending(after), winner if winner != NOBODY else None)
