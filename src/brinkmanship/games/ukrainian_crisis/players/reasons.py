"""Reasons for the choices of `rules` in Ukrainian Crisis: one sentence of the catalogue ``players``, with figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brinkmanship.engine.message import Message
from brinkmanship.games.ukrainian_crisis.players.judgement.fighting import AT_LEAST, MAX_DICE
from brinkmanship.games.ukrainian_crisis.players.judgement.survey import Survey, SurveyRow
from brinkmanship.games.ukrainian_crisis.players.judgement.war import war_gain
from brinkmanship.games.ukrainian_crisis.players.weights import LEARNED
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction, place_in, placed_rank, type_in
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.groups import group_value
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, CombatType, Inform, Kind
from brinkmanship.games.ukrainian_crisis.rules.odds import payment
from brinkmanship.games.ukrainian_crisis.rules.phrases import (
    the_area,
    the_box,
    the_card,
    the_country,
    the_event,
    the_unit,
    the_zone,
)
from brinkmanship.games.ukrainian_crisis.rules.state import Node, Place, State, TurnType

PREFIX = "why.ukrainian-crisis."


def reason(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int, value: float) -> Message:
    """Return why a side takes an action of the given value; `board` is the survey made by `judgement.weigh`."""
    if view.node == Node.ATTACK and action != Action.DONE and value < 0:
        # Not for the zone: symbolic combat still costs the other side more Prestige than this one.
        return Message(PREFIX + "attack.prestige", {"zone": the_zone(game, action - Action.ZONE)})
    key, args = _REASONS[Node(view.node)](game, view, side, board, action)
    return Message(PREFIX + key, args)


Found = tuple[str, dict[str, Any]]


def _place(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    ranks = [placed_rank(action, area) for area in range(N_AREAS)]
    strongest = max(ranks)
    areas = tuple(the_area(area) for area in range(N_AREAS) if ranks[area] == strongest)
    if len(areas) == N_AREAS:
        return "place.all" if strongest > 1 else "place.alike", {"card": the_card(game, strongest)}
    return "place.strongest", {"areas": areas, "card": the_card(game, strongest)}


def _declare(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:
    gain = war_gain(game.rules, view, LEARNED, board, side)
    if view.node == Node.CEASEFIRE:
        return "ceasefire.request" if action == Action.REQUEST else "ceasefire.accept", {}
    combat = (action - Action.DECLARE) % 2 == TurnType.COMBAT
    if combat != (gain > 0):
        return "declare.mixed", {}  # randomised, so that the declaration cannot be predicted
    if view.combat_turns:
        return "declare.stronger" if combat else "declare.weaker", {}
    return "declare.combat" if combat else "declare.strategic", {}


def _order(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return "order", {"area": the_area(action - Action.AREA)}


def _first(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return "first.self" if action == Action.FIRST + side else "first.other", {"area": the_area(view.area)}


def _military(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "build.done", {}
    if action < Action.UNIT:
        return "allies.take", {"n": action - Action.ALLIES}
    stack = action - Action.UNIT
    kind = game.rules.types[type_in(stack)].kind
    unit = {"unit": the_unit(game, stack)}
    if place_in(stack) == Place.RESERVE:
        return "build.mobilise", unit
    if kind == Kind.SPECIAL:
        return "build.special", unit
    return "build.regular" if kind == Kind.REGULAR else "build.militia", unit


def _to_zone(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:
    zone = action - Action.ZONE
    args = {"zone": the_zone(game, zone), "n": int(game.rules.vp[zone])}
    stack = int(view.stack[view.depth - 1].picked)
    if game.rules.types[type_in(stack)].kind == Kind.SPECIAL:
        return "zone.special", {"zone": args["zone"]}
    own, enemy = board[SurveyRow.FULL + side, zone], board[SurveyRow.FULL + 1 - side, zone]
    if not int(game.rules.home[0]) >> zone & 1:
        return "zone.ready", {"zone": args["zone"]}
    if enemy:
        return "zone.contest" if not own else "zone.strengthen", args
    return "zone.take" if not own else "zone.hold", args


def _diplomatic(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "diplomacy.done", {}
    if action < Action.COUNTRY:
        return "allies.take", {"n": action - Action.ALLIES}
    country = (action - Action.COUNTRY) // 3
    up = (action - Action.COUNTRY) % 3 == Direction.UP
    box = int(view.box[country]) + (1 if up else -1)
    args = {"country": the_country(country), "box": the_box(box), "n": int(game.rules.turns - view.turn)}
    return "diplomacy.up" if up else "diplomacy.down", args


def _pay(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    frame: Any = view.stack[view.depth - 1]
    paid = payment(game, view, side, action)
    args = {"country": the_country(frame.country), "chance": round(100 * paid.chance)}
    if view.node == Node.PAY_RP:
        return "pay.points", args
    return "pay.prestige" if paid.points else "pay.enough", args


def _information(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "information.done", {}
    names = {Inform.REDUCE: "reduce", Inform.INCREASE: "increase", Inform.NEUTRALISE: "neutralise"}
    return f"information.{names[Inform(action - Action.INFORM)]}", {}


def _allies(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return ("allies.keep", {}) if action == Action.DONE else ("allies.take", {"n": action - Action.ALLIES})


def _target(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "target.done", {}
    return "target", {"zone": the_zone(game, place_in(action - Action.UNIT))}


def _operate(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "operate.done", {}
    if action >= Action.RECOVER:
        return "operate.recover", {"zone": the_zone(game, place_in(2 * (action - Action.RECOVER) + 1))}
    return "operate.move", {"unit": the_unit(game, action - Action.UNIT)}


def _attack(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if action == Action.DONE:
        return "attack.done", {}
    zone = action - Action.ZONE
    dice, full = min(int(board[SurveyRow.FULL_CV + side, zone]), MAX_DICE), int(board[SurveyRow.FULL + 1 - side, zone])
    args = {"zone": the_zone(game, zone), "n": dice}
    if not full:
        return "attack.eliminate", args
    return "attack", args | {"chance": round(100 * float(AT_LEAST[dice, min(full, MAX_DICE)]))}


def _group(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return "group", {}


def _fight(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    group, combat = divmod(action - Action.FIGHT, len(CombatType))
    dice = [int(group_value(game.rules, view, each, group + 1)) for each in (side, 1 - side)]
    return "fight.symbolic" if combat == CombatType.SYMBOLIC else "fight.units", {"own": dice[0], "his": dice[1]}


def _hit(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return "hit.eliminate" if (action - Action.UNIT) % 2 else "hit.neutralise", {}


def _window(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    return (
        ("event.hold", {})
        if action == Action.DONE
        else ("event.play", {"event": the_event(action - Action.PLAY_EVENT)})
    )


def _in_event(game: UkrainianCrisis, view: State, side: int, board: Survey, action: int) -> Found:  # noqa: ARG001
    if view.node == Node.EVENT_COUNTRY:
        return "event.country", {"country": the_country((action - Action.COUNTRY) // 3)}
    if view.node == Node.EVENT_UNIT:
        return "event.unit", {}
    return "event.zone", {"zone": the_zone(game, action - Action.ZONE)}


_REASONS: dict[Node, Callable[[UkrainianCrisis, State, int, Survey, int], Found]] = {
    Node.PLACE: _place,
    Node.DECLARE: _declare,
    Node.CEASEFIRE: _declare,
    Node.WINDOW: _window,
    Node.ORDER: _order,
    Node.WHO_FIRST: _first,
    Node.MILITARY: _military,
    Node.DEPLOY_TO: _to_zone,
    Node.DIPLOMATIC: _diplomatic,
    Node.PAY_RP: _pay,
    Node.PAY_PRESTIGE: _pay,
    Node.INFORMATION: _information,
    Node.ADD_ALLIES: _allies,
    Node.TARGETS: _target,
    Node.OPERATE: _operate,
    Node.MOVE_TO: _to_zone,
    Node.ATTACK: _attack,
    Node.ATTACKERS: _group,
    Node.DEFENDERS: _group,
    Node.FIGHT: _fight,
    Node.HIT: _hit,
    Node.EVENT_ZONE: _in_event,
    Node.EVENT_COUNTRY: _in_event,
    Node.EVENT_UNIT: _in_event,
    Node.CRITICAL_ZONE: _in_event,
}
