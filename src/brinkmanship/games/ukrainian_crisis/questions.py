"""What people are asked in a game of Ukrainian Crisis, and what they may answer, as messages.

`prompt` is the question of the moment: for the side that is asked in the imperative, for everybody else as what the
game is waiting for. `describe` is one legal answer. Both know only a reader's view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import Argument, Message
from brinkmanship.games.ukrainian_crisis.actions import (
    ALLIES,
    AREA,
    COMBATS,
    COUNTRY,
    DECLARE,
    DONE,
    FIGHT,
    FIRST,
    INFORM,
    INFORMS,
    MAX_DICE,
    NAMED,
    PAY_PRESTIGE,
    PAY_RP,
    PLACE_CARDS,
    PLAY_EVENT,
    RECOVER,
    REQUEST,
    RULES_STEPS,
    UNIT,
    UP,
    ZONE,
    place_in,
    placed_rank,
)
from brinkmanship.games.ukrainian_crisis.speech import (
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
from brinkmanship.games.ukrainian_crisis.state import (
    EMPTY,
    LAST_STEP_OF_RULES,
    MILITARY,
    MOBILISATION,
    N_ADD_ALLIES,
    N_ANY_ZONE,
    N_AREAS,
    N_ATTACK,
    N_ATTACKERS,
    N_CEASEFIRE,
    N_CRITICAL_ZONE,
    N_DEAL_CARD,
    N_DECLARE,
    N_DEFENDERS,
    N_DEPLOY_TO,
    N_DICE_SUM,
    N_DIE,
    N_DIPLOMATIC,
    N_DRAW_EVENT,
    N_EVENT_COUNTRY,
    N_EVENT_UNIT,
    N_EVENT_ZONE,
    N_FIGHT,
    N_HIT,
    N_HITS,
    N_INFORMATION,
    N_MILITARY,
    N_MOVE_TO,
    N_OPERATE,
    N_ORDER,
    N_PAY_PRESTIGE,
    N_PAY_RP,
    N_PLACE,
    N_ROLL,
    N_TARGETS,
    N_WHO_FIRST,
    N_WINDOW,
    NOT_YET,
    RESERVE,
    A,
    B,
    C,
    D,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import OPEN_DECLARATION

if TYPE_CHECKING:
    from brinkmanship.games.ukrainian_crisis.game import UkrainianCrisis

_PLAIN = {
    N_CEASEFIRE: "ceasefire",
    N_ORDER: "order",
    N_INFORMATION: "information",
    N_TARGETS: "targets",
    N_ATTACK: "attack",
    N_FIGHT: "fight",
    N_HIT: "hit",
}
"""Questions that need no argument."""


def prompt(game: UkrainianCrisis, view: State, side: int) -> Message:
    """See `Game.prompt`."""
    if view.mover == OVER:
        return Message("ask.over", {"what": ending(view)})
    if view.mover == CHANCE:
        return _chance(game, view)
    if view.node == N_PLACE or (view.node == N_DECLARE and not game.rules.options[OPEN_DECLARATION]):
        return _at_once(view, side)
    question = _question(game, view)
    if view.mover == side:
        return question
    return Message("wait", {"who": the_side(int(view.mover)), "what": question})


# Chance and the rules.


def _chance(game: UkrainianCrisis, view: State) -> Message:
    node = int(view.node)
    if node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[node]}")
    if node == N_DIE:
        return Message("ask.die")
    if node == N_ANY_ZONE:
        return Message("ask.any_zone", {"event": the_critical(int(_frame(view, A)))})
    if node == N_DICE_SUM:
        country = int(_frame(view, A))
        return Message("ask.dice_sum", {"n": int(game.rules.rank[country]), "country": the_country(country)})
    who: dict[str, Argument] = {"who": the_side(int(view.drawer))}
    if node == N_HITS:
        return Message("ask.hits", who | {"n": dice_at_once(view)})
    if node == N_ROLL:
        return Message("ask.roll", who | {"area": the_area(int(view.area))})
    return Message({N_DRAW_EVENT: "ask.draw_event", N_DEAL_CARD: "ask.deal_card"}[node], who)


def dice_at_once(view: State) -> int:
    """How many combat dice are rolled now."""
    return min(int(_frame(view, D)), MAX_DICE)


# The decisions, in the order of section 3.1.


def _at_once(view: State, side: int) -> Message:
    """S4, S5: both answer at once, and nobody is told who has done so already."""
    key = "ask.place" if view.node == N_PLACE else "ask.declare"
    if side >= CHANCE:
        return Message("wait.both", {"what": Message(key)})
    waits = view.matrix[side, MILITARY] == EMPTY if view.node == N_PLACE else view.declared[side] == NOT_YET
    if waits:
        return Message(key)
    return Message("wait", {"who": the_side(1 - side), "what": Message(key)})


def _question(game: UkrainianCrisis, view: State) -> Message:
    node, side = int(view.node), int(view.mover)
    if node in _PLAIN:
        return Message(f"ask.{_PLAIN[node]}")
    if node == N_DECLARE:
        return Message("ask.declare")
    if node == N_WINDOW:
        return Message("ask.window")
    if node == N_WHO_FIRST:
        return Message("ask.who_first", {"area": the_area(int(view.area))})
    if node in (N_MILITARY, N_DIPLOMATIC, N_OPERATE):
        points = int(view.rp[side] + view.bonus[side])
        if node == N_DIPLOMATIC:
            return Message("ask.diplomatic", {"n": int(view.rp[side])})
        return Message("ask.military" if node == N_MILITARY else "ask.operate", {"n": points})
    if node in (N_DEPLOY_TO, N_MOVE_TO):
        key = "ask.deploy_to" if node == N_DEPLOY_TO else "ask.move_to"
        return Message(key, {"unit": the_unit(game, int(_frame(view, A)))})
    if node in (N_PAY_RP, N_PAY_PRESTIGE):
        target: dict[str, Argument] = {
            "country": the_country(int(_frame(view, A))),
            "box": the_box(int(_frame(view, B))),
            "paid": int(_frame(view, C)),
        }
        return Message("ask.pay_rp" if node == N_PAY_RP else "ask.pay_prestige", target)
    if node == N_ADD_ALLIES:
        return Message("ask.allies", {"n": int(view.ally_rp)})
    if node in (N_ATTACKERS, N_DEFENDERS):
        key = "ask.attackers" if node == N_ATTACKERS else "ask.defenders"
        return Message(key, {"zone": the_zone(game, int(_frame(view, A))), "number": int(_frame(view, B)) + 1})
    if node == N_CRITICAL_ZONE:
        return Message("ask.critical_zone", {"event": the_critical(int(_frame(view, A)))})
    keys = {N_EVENT_ZONE: "ask.event_zone", N_EVENT_COUNTRY: "ask.event_country", N_EVENT_UNIT: "ask.event_unit"}
    return Message(keys[node], {"event": the_event(int(_frame(view, A)))})


def _frame(view: State, column: int) -> int:
    """A column of the innermost task."""
    return int(view.stack[view.depth - 1, column])


# The answers.


def describe(game: UkrainianCrisis, view: State, side: int, action: int) -> Message:
    """See `Game.describe`."""
    node = int(view.node)
    if PLACE_CARDS <= action < DECLARE:
        cards = [the_card(game, placed_rank(action, area)) for area in range(N_AREAS)]
        return Message("choose.place", dict(zip(("military", "diplomatic", "information"), cards, strict=True)))
    if DECLARE <= action < DONE:
        return Message("choose.declare.combat" if (action - DECLARE) % 2 else "choose.declare.strategic")
    if action == DONE:
        return Message(_done(node))
    if action == REQUEST:
        return Message("choose.ceasefire")
    if PLAY_EVENT <= action < ALLIES:
        return Message("choose.play", {"event": the_event(action - PLAY_EVENT)})
    if ALLIES < action < AREA:
        return Message("choose.allies", {"n": action - ALLIES})
    if AREA <= action < FIRST:
        return Message("choose.area", {"area": the_area(action - AREA)})
    if FIRST <= action < COUNTRY:
        return Message("choose.first.self" if action - FIRST == side else "choose.first.other")
    if COUNTRY <= action < PAY_RP:
        return _country(view, action)
    if PAY_RP <= action < PAY_PRESTIGE:
        return Message("choose.rp", {"n": action - PAY_RP})
    if PAY_PRESTIGE <= action < INFORM:
        return Message("choose.prestige", {"n": action - PAY_PRESTIGE})
    if INFORM <= action < UNIT:
        return Message(f"choose.{INFORMS[action - INFORM]}")
    if UNIT <= action < ZONE:
        return _unit(game, view, action)
    if ZONE <= action < FIGHT:
        key = "choose.attack" if node == N_ATTACK else "choose.zone"
        return Message(key, {"zone": the_zone(game, action - ZONE)})
    group, combat = divmod(action - FIGHT, len(COMBATS))
    return Message(f"choose.fight.{COMBATS[combat]}", {"number": group + 1})


_DONE = {
    N_WINDOW: "choose.pass",
    N_CEASEFIRE: "choose.accept",
    N_ADD_ALLIES: "choose.no_allies",
    N_ATTACK: "choose.no_attack",
    N_ATTACKERS: "choose.group_complete",
    N_DEFENDERS: "choose.group_complete",
}


def _done(node: int) -> str:
    return _DONE.get(node, "choose.done")


def _country(view: State, action: int) -> Message:
    country, direction = divmod(action - COUNTRY, 3)
    if direction == NAMED:
        return Message("choose.country", {"country": the_country(country)})
    box = int(view.box[country]) + (1 if direction == UP else -1)
    key = "choose.up" if direction == UP else "choose.down"
    return Message(key, {"country": the_country(country), "box": the_box(box)})


_WITH_UNIT = {
    N_OPERATE: "choose.move",
    N_TARGETS: "choose.target",
    N_ATTACKERS: "choose.attacker",
    N_DEFENDERS: "choose.defender",
    N_EVENT_UNIT: "choose.event_unit",
}


def _unit(game: UkrainianCrisis, view: State, action: int) -> Message:
    """A unit is picked: what for follows from the question and from where it is."""
    if action >= RECOVER:
        stack = 2 * (action - RECOVER) + 1
        return Message("choose.recover", {"unit": the_unit(game, stack - 1), "place": the_place(game, place_in(stack))})
    stack = action - UNIT
    place = place_in(stack)
    node = int(view.node)
    if node == N_MILITARY:
        key = {RESERVE: "choose.mobilise", MOBILISATION: "choose.deploy"}.get(place, "choose.relocate")
    elif node == N_HIT:
        key = "choose.hit.eliminate" if stack % 2 else "choose.hit.neutralise"
    else:
        key = _WITH_UNIT[node]
    return Message(key, {"unit": the_unit(game, stack), "place": the_place(game, place)})
