"""What people are asked in a game of Ukrainian Crisis, and what they may answer, as messages.

`prompt` is the question of the moment: for the side that is asked in the imperative, for everybody else as what the
game is waiting for. `describe` is one legal answer. Both know only a reader's view.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import Argument, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import (
    MAX_DICE,
    RULES_STEPS,
    Action,
    Direction,
    place_in,
    placed_rank,
)
from brinkmanship.games.ukrainian_crisis.rules.data import COMBATS, INFORMS
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, Area
from brinkmanship.games.ukrainian_crisis.rules.odds import Payment, fight_odds, payment
from brinkmanship.games.ukrainian_crisis.rules.phrases import (
    ending,
    the_area,
    the_box,
    the_card,
    the_country,
    the_critical,
    the_event,
    the_place,
    the_side,
    the_unit,
    the_zone,
)
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import LAST_STEP_OF_RULES, Node, Place, Square, State, TurnType

_PLAIN = {
    Node.CEASEFIRE: "ceasefire",
    Node.ORDER: "order",
    Node.INFORMATION: "information",
    Node.TARGETS: "targets",
    Node.ATTACK: "attack",
    Node.FIGHT: "fight",
    Node.HIT: "hit",
}
"""Questions that need no argument."""


def prompt(game: UkrainianCrisisRuleset, view: State, side: int) -> Message:
    """See `Narrator.prompt`."""
    if view.mover == OVER:
        return Message("ask.over", {"what": ending(view)})
    if view.mover == CHANCE:
        return _chance(game, view)
    if view.node == Node.PLACE or (view.node == Node.DECLARE and not game.rules.options.open_declaration):
        return _at_once(view, side)
    question = _question(game, view)
    if view.mover == side:
        return question
    return Message("wait", {"who": the_side(int(view.mover)), "what": question})


# Chance and the rules.


def _chance(game: UkrainianCrisisRuleset, view: State) -> Message:
    node = Node(view.node)
    if node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[node]}")
    if node == Node.DIE:
        return Message("ask.die")
    if node == Node.ANY_ZONE:
        return Message("ask.any_zone", {"event": the_critical(int(_frame(view).doubles))})
    if node == Node.DICE_SUM:
        country = int(_frame(view).country)
        return Message("ask.dice_sum", {"n": int(game.rules.rank[country]), "country": the_country(country)})
    who: dict[str, Argument] = {"who": the_side(int(view.drawer))}
    if node == Node.HITS:
        return Message("ask.hits", who | {"n": dice_at_once(view)})
    if node == Node.ROLL:
        return Message("ask.roll", who | {"area": the_area(int(view.area))})
    return Message({Node.DRAW_EVENT: "ask.draw_event", Node.DEAL_CARD: "ask.deal_card"}[node], who)


def dice_at_once(view: State) -> int:
    """How many combat dice are rolled now."""
    return min(int(_frame(view).dice), MAX_DICE)


# The decisions, in the order of section 3.1.


def _at_once(view: State, side: int) -> Message:
    """S4, S5: both answer at once, and nobody is told who has done so already."""
    key = "ask.place" if view.node == Node.PLACE else "ask.declare"
    if side >= CHANCE:
        return Message("wait.both", {"what": Message(key)})
    waits = (
        view.matrix[side, Area.MILITARY] == Square.EMPTY
        if view.node == Node.PLACE
        else view.declared[side] == TurnType.NOT_YET
    )
    if waits:
        return Message(key)
    return Message("wait", {"who": the_side(1 - side), "what": Message(key)})


def _question(game: UkrainianCrisisRuleset, view: State) -> Message:
    node, side = Node(view.node), int(view.mover)
    if node in _PLAIN:
        return Message(f"ask.{_PLAIN[node]}")
    if node == Node.DECLARE:
        return Message("ask.declare")
    if node == Node.WINDOW:
        return Message("ask.window")
    if node == Node.WHO_FIRST:
        return Message("ask.who_first", {"area": the_area(int(view.area))})
    if node in (Node.MILITARY, Node.DIPLOMATIC, Node.OPERATE):
        points = int(view.rp[side] + view.bonus[side])
        if node == Node.DIPLOMATIC:
            return Message("ask.diplomatic", {"n": int(view.rp[side])})
        return Message("ask.military" if node == Node.MILITARY else "ask.operate", {"n": points})
    if node in (Node.DEPLOY_TO, Node.MOVE_TO):
        key = "ask.deploy_to" if node == Node.DEPLOY_TO else "ask.move_to"
        return Message(key, {"unit": the_unit(game, int(_frame(view).picked))})
    if node in (Node.PAY_RP, Node.PAY_PRESTIGE):
        target: dict[str, Argument] = {
            "country": the_country(int(_frame(view).country)),
            "box": the_box(int(_frame(view).box)),
            "paid": int(_frame(view).rp),
        }
        return Message("ask.pay_rp" if node == Node.PAY_RP else "ask.pay_prestige", target)
    if node == Node.ADD_ALLIES:
        return Message("ask.allies", {"n": int(view.ally_rp)})
    if node in (Node.ATTACKERS, Node.DEFENDERS):
        key = "ask.attackers" if node == Node.ATTACKERS else "ask.defenders"
        return Message(key, {"zone": the_zone(game, int(_frame(view).zone)), "number": int(_frame(view).group) + 1})
    if node == Node.CRITICAL_ZONE:
        return Message("ask.critical_zone", {"event": the_critical(int(_frame(view).doubles))})
    keys = {
        Node.EVENT_ZONE: "ask.event_zone",
        Node.EVENT_COUNTRY: "ask.event_country",
        Node.EVENT_UNIT: "ask.event_unit",
    }
    return Message(keys[node], {"event": the_event(int(_frame(view).event))})


def _frame(view: State) -> Any:
    """The innermost task."""
    return view.stack[view.depth - 1]


# The answers.


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """See `Narrator.describe`."""
    node = Node(view.node)
    if Action.PLACE <= action < Action.DECLARE:
        cards = [the_card(game, placed_rank(action, area)) for area in range(N_AREAS)]
        return Message("choose.place", dict(zip(("military", "diplomatic", "information"), cards, strict=True)))
    if Action.DECLARE <= action < Action.DONE:
        return Message("choose.declare.combat" if (action - Action.DECLARE) % 2 else "choose.declare.strategic")
    if action == Action.DONE:
        return Message(_done(node))
    if action == Action.REQUEST:
        return Message("choose.ceasefire")
    if Action.PLAY_EVENT <= action < Action.ALLIES:
        return Message("choose.play", {"event": the_event(action - Action.PLAY_EVENT)})
    if Action.ALLIES < action < Action.AREA:
        return Message("choose.allies", {"n": action - Action.ALLIES})
    if Action.AREA <= action < Action.FIRST:
        return Message("choose.area", {"area": the_area(action - Action.AREA)})
    if Action.FIRST <= action < Action.COUNTRY:
        return Message("choose.first.self" if action - Action.FIRST == side else "choose.first.other")
    if Action.COUNTRY <= action < Action.PAY_RP:
        return _country(view, action)
    if Action.PAY_RP <= action < Action.INFORM:
        return _payment(payment(game, view, side, action), node)
    if Action.INFORM <= action < Action.UNIT:
        return Message(f"choose.{INFORMS[action - Action.INFORM]}")
    if Action.UNIT <= action < Action.ZONE:
        return _unit(game, view, action)
    if Action.ZONE <= action < Action.FIGHT:
        key = "choose.attack" if node == Node.ATTACK else "choose.zone"
        return Message(key, {"zone": the_zone(game, action - Action.ZONE)})
    group, combat = divmod(action - Action.FIGHT, len(COMBATS))
    return Message(f"choose.fight.{COMBATS[combat]}", {"number": group + 1, "odds": _odds(game, view, side, group + 1)})


def _odds(game: UkrainianCrisisRuleset, view: State, side: int, group: int) -> Message:
    """What a combat of the attacking side may bring: the chances to hit, or without dice the hits themselves."""
    ours, theirs = fight_odds(game, view, side, group)
    if game.rules.options.no_randomness:
        return Message("fight.hits", {"hit": int(ours), "back": int(theirs)})
    return Message("fight.chances", {"hit": _chance_of(ours), "back": _chance_of(theirs)})


_DONE = {
    Node.WINDOW: "choose.pass",
    Node.CEASEFIRE: "choose.accept",
    Node.ADD_ALLIES: "choose.no_allies",
    Node.ATTACK: "choose.no_attack",
    Node.ATTACKERS: "choose.group_complete",
    Node.DEFENDERS: "choose.group_complete",
}


def _done(node: Node) -> str:
    return _DONE.get(node, "choose.done")


def _country(view: State, action: int) -> Message:
    country, direction = divmod(action - Action.COUNTRY, 3)
    if direction == Direction.NAMED:
        return Message("choose.country", {"country": the_country(country)})
    box = int(view.box[country]) + (1 if direction == Direction.UP else -1)
    key = "choose.up" if direction == Direction.UP else "choose.down"
    return Message(key, {"country": the_country(country), "box": the_box(box)})


def _payment(paid: Payment, node: Node) -> Message:
    """So many points, and the chance that they bring; of Resource Points with the Prestige that must be added."""
    amount: dict[str, Argument] = {"n": paid.points, "chance": _chance_of(paid.chance)}
    if node == Node.PAY_PRESTIGE:
        return Message("choose.prestige", amount)
    if paid.still:
        return Message("choose.rp.with", amount | {"prestige": paid.still})
    return Message("choose.rp", amount)


def _chance_of(chance: Fraction) -> Message:
    """In whole per cent; what only nearly is certain or impossible is not called so."""
    if chance in (0, 1):
        return Message("chance.certain" if chance else "chance.none")
    return Message("chance.percent", {"percent": min(max(round(chance * 100), 1), 99)})


_FROM: dict[int, str] = {Place.RESERVE: "choose.mobilise", Place.MOBILISATION: "choose.deploy"}
_WITH_UNIT = {
    Node.OPERATE: "choose.move",
    Node.TARGETS: "choose.target",
    Node.ATTACKERS: "choose.attacker",
    Node.DEFENDERS: "choose.defender",
    Node.EVENT_UNIT: "choose.event_unit",
}


def _unit(game: UkrainianCrisisRuleset, view: State, action: int) -> Message:
    """A unit is picked: what for follows from the question and from where it is."""
    if action >= Action.RECOVER:
        stack = 2 * (action - Action.RECOVER) + 1
        return Message("choose.recover", {"unit": the_unit(game, stack - 1), "place": the_place(game, place_in(stack))})
    stack = action - Action.UNIT
    place = place_in(stack)
    node = Node(view.node)
    if node == Node.MILITARY:
        key = _FROM.get(place, "choose.relocate")
    elif node == Node.HIT:
        key = "choose.hit.eliminate" if stack % 2 else "choose.hit.neutralise"
    else:
        key = _WITH_UNIT[node]
    return Message(key, {"unit": the_unit(game, stack), "place": the_place(game, place)})
