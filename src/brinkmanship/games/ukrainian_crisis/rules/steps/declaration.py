"""S5, S6 and S8: declarations, the response to one, and the resulting type of the Turn."""

from __future__ import annotations

from numba import types

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.jit.compile import internal
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Area
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.state import STATE, Node, Square, State, Step, Task, TurnType
from brinkmanship.games.ukrainian_crisis.rules.steps.event import show_diplomatic_cards
from brinkmanship.games.ukrainian_crisis.rules.tables import RULES, Rules
from brinkmanship.games.ukrainian_crisis.rules.task_stack import LEGAL, Legal, ask, push


@internal(types.boolean, RULES, STATE)
def asks_declaration(rules: Rules, state: State) -> bool:
    """Ask sides that have not declared yet, at once or the leader first (S5, R8); then the Turn's type follows."""
    if state.turn == 1 and rules.options.first_turn_combat == 0:  # R7
        state.turn_type = TurnType.STRATEGIC
        state.step = Step.TYPE_FIXED
        return False
    first = leader(state) if rules.options.open_declaration else UA
    for side in (first, 1 - first):
        if state.declared[side] == TurnType.NOT_YET:
            ask(state, Node.DECLARE, side)
            return True
    if state.declared[UA] == state.declared[RU]:
        state.turn_type = state.declared[UA]
        state.step = Step.TYPE_FIXED
    else:
        state.step = Step.CEASEFIRE_OPTION
    return False


@internal(types.boolean, STATE)
def asks_ceasefire(state: State) -> bool:
    """Let the side that did not declare request a Ceasefire, unless A Terrible Resolve bars it (S6, R6)."""
    declarer = UA if state.declared[UA] == TurnType.COMBAT else RU
    if state.resolve == declarer:
        state.turn_type = TurnType.COMBAT
        state.step = Step.TYPE_FIXED
        return False
    ask(state, Node.CEASEFIRE, 1 - declarer)
    return True


@internal(types.boolean, RULES, STATE)
def asks(rules: Rules, state: State) -> bool:
    """Ask for a declaration or the response to one, or show the type of the Turn (True); else go on (False)."""
    if state.step == Step.DECLARATION:
        return asks_declaration(rules, state)
    if state.step == Step.CEASEFIRE_OPTION:
        return asks_ceasefire(state)
    ask(state, Node.TYPE, CHANCE)
    return True


@internal(types.int64, STATE, types.int64, LEGAL)
def legal(state: State, side: int, out: Legal) -> int:
    """Write the choices: declare either type of Turn; accept a Combat Turn, or request a Ceasefire."""
    if state.node == Node.DECLARE:
        out[0] = Action.DECLARE + 2 * side + TurnType.STRATEGIC
        out[1] = Action.DECLARE + 2 * side + TurnType.COMBAT
    else:
        out[0] = Action.REQUEST
        out[1] = Action.DONE
    return 2


@internal(types.void, STATE, types.int64)
def apply(state: State, action: int) -> None:
    """Take a declaration, or the response to one: the Combat Turn is accepted, or a Ceasefire attempted (S7)."""
    if state.node == Node.DECLARE:
        state.declared[(action - Action.DECLARE) // 2] = (action - Action.DECLARE) % 2
        return
    state.step = Step.TYPE_FIXED
    if action == Action.REQUEST:
        push(state, Task.CEASEFIRE, state.mover)
        state.area = Area.DIPLOMATIC
    else:
        state.turn_type = TurnType.COMBAT


@internal(types.void, STATE)
def hide_diplomatic_cards(state: State) -> None:
    """Discard the unused Diplomatic cards without showing them (option of R11)."""
    for side in range(2):
        rank = state.matrix[side, Area.DIPLOMATIC]
        state.unseen[side, rank - 1] += 1
        state.unseen_size[side] += 1
        state.matrix[side, Area.DIPLOMATIC] = Square.EMPTY


@internal(types.void, RULES, STATE)
def fix_type(rules: Rules, state: State) -> None:
    """Fix the type of the Turn (S8); unused Diplomatic cards of a Combat Turn are shown and discarded (R11)."""
    state.step = Step.WINDOW_2
    state.combat_turns += state.turn_type
    if state.turn_type == TurnType.COMBAT and state.ceasefire == 0:
        if rules.options.hide_diplomatic:
            hide_diplomatic_cards(state)
        else:
            show_diplomatic_cards(rules, state)
