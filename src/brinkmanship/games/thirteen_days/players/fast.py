"""The fast policy of 13 Days: the judgement of `greedy` in a microsecond, for playouts.

It tries nothing out on a copy of the state. It estimates the value of a cube or of a marker step once per decision,
per battleground and per track (the sketch); the best Command of each size comes from one scan that serves every card in
hand; the value of an event is estimated from its effects. Everything such an estimate omits (cards kept for later,
modifiers, cards taken) is in a table per card and mode, fitted to `greedy`'s own decisions (`habits`). A position from
which the war would start counts as lost, as for `greedy`, by the steps out of it.

It uses no random numbers: the same view gives the same action.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import RANDOM, Random
from brinkmanship.engine.jit.compile import compiled, compiled_loop, internal
from brinkmanship.engine.record import State
from brinkmanship.games.cuban.choices import holds
from brinkmanship.games.cuban.data import MAX_STEPS
from brinkmanship.games.cuban.frame import NOBODY, US, USSR, Mode
from brinkmanship.games.cuban.tables import Amount, Direction, Filter, Op, Party, Pick
from brinkmanship.games.thirteen_days.players import habits
from brinkmanship.games.thirteen_days.players.danger import copies_on, pushed
from brinkmanship.games.thirteen_days.players.outlook import award_expected, plays_left
from brinkmanship.games.thirteen_days.players.weights import BY_ROUND, WEIGHTS_TYPE, Weights
from brinkmanship.games.thirteen_days.rules.action_numbers import MAX_LEGAL, N_MODES, N_SHIFTS, Action
from brinkmanship.games.thirteen_days.rules.board import command_value, leader, room, supply
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS, MAX_CARDS, MAX_CUBES_PER_BATTLEGROUND
from brinkmanship.games.thirteen_days.rules.flow import legal
from brinkmanship.games.thirteen_days.rules.state import ALL_PLACES, N_PLACES, N_TRACKS, STATE, CardIs, Node
from brinkmanship.games.thirteen_days.rules.tables import RULES, AgendaKind, Rules
from brinkmanship.players.policy_player import PolicyPlayer

SKETCH = types.Array(types.float64, 1, "C")
"""Estimates for a position, float64[N_SKETCH]; the slots are named below. All values are points of Prestige for the
side that decides.
"""

Sketch = npt.NDArray[np.float64]

PER_CUBE = 0  # + place: of one more cube of the side, or one less of the other
FOR_LEAD = PER_CUBE + N_PLACES  # + place: of a sure lead
REACH = FOR_LEAD + N_PLACES  # cubes or steps from which on a lead is sure
PER_STEP = REACH + 1  # + owner * N_TRACKS + track: of one step up of a marker
TRACK_LEAD = PER_STEP + 2 * N_TRACKS  # + track: of a sure lead there
SAFE_STEP = TRACK_LEAD + N_TRACKS  # + track: the highest step from which no agenda pushes a marker into DEFCON 1
COMMAND = SAFE_STEP + N_TRACKS  # + cubes: of the best Command of at most this many
EVENT = COMMAND + MAX_CUBES_PER_BATTLEGROUND + 1  # + card: of the event of a card in hand
N_SKETCH = EVENT + MAX_CARDS

FATAL = 100.0
"""Points lost by a step towards the war: more than all other points together."""
THREAT = 1.0
"""Points gained by a step of the other side towards the war."""
LATE = 4
"""Number of cards played in a round from which on its second table of habits is used."""


@internal(types.float64, types.float64, types.float64)
def sure(lead: float, reach: float) -> float:
    """Return how sure a lead is, from -1 to 1."""
    return min(max(lead / reach, -1.0), 1.0)


@internal(types.float64, STATE, types.int64, types.int64)
def chance_of(view: State, side: int, agenda: int) -> float:
    """Return the probability that a side has chosen an agenda, according to the view."""
    if view.chosen[side] >= 0:
        return 1.0 if view.chosen[side] == agenda else 0.0
    return view.agenda_dealt[side, agenda] / max(view.dealt[side], 1)


@internal(types.void, RULES, STATE, types.int64, WEIGHTS_TYPE, SKETCH)
def sketch_agendas(rules: Rules, view: State, side: int, weights: Weights, out: Sketch) -> None:
    """Add the contribution of the agendas both sides may have chosen to the values of cubes, leads and steps."""
    share_left = (plays_left(rules, view, US) + plays_left(rules, view, USSR)) / (2.0 * rules.limits.turns_each)
    point = weights.agenda * (1.0 - weights.doubt * share_left)
    reach = out[REACH]
    for agenda in range(rules.limits.agendas):
        worth = point * (chance_of(view, US, agenda) + chance_of(view, USSR, agenda))
        if worth == 0.0:
            continue
        row = rules.agendas[agenda]
        if row.kind == AgendaKind.LETTER:
            out[FOR_LEAD + rules.bonus_place.letter] += worth * row.award
        elif row.kind == AgendaKind.TRACK:
            out[PER_STEP + side * N_TRACKS + row.track] += worth
            out[PER_STEP + (1 - side) * N_TRACKS + row.track] -= worth
            out[TRACK_LEAD + row.track] += worth * row.bonus
        else:
            place = row.place
            out[PER_CUBE + place] += worth
            out[FOR_LEAD + place] += worth * row.bonus
            leads = leader(view, place)
            ahead = abs(sure(float(view.influence[US, place] - view.influence[USSR, place]), reach))
            for other in range(N_PLACES):
                if row.connected >> other & 1:
                    out[FOR_LEAD + other] += 0.5 * worth * ahead
                    if leader(view, other) != NOBODY and leader(view, other) == leads:
                        out[FOR_LEAD + place] += worth


@internal(types.void, RULES, STATE, types.int64, WEIGHTS_TYPE, SKETCH)
def sketch(rules: Rules, view: State, side: int, weights: Weights, out: Sketch) -> None:
    """Fill in the sketch of a position, apart from the Commands."""
    for slot in range(COMMAND):
        out[slot] = 0.0
    share_left = (plays_left(rules, view, US) + plays_left(rules, view, USSR)) / (2.0 * rules.limits.turns_each)
    out[REACH] = 1.0 + weights.reach * share_left
    rounds = rules.limits.rounds - view.round_number
    for place in range(N_PLACES):
        out[PER_CUBE + place] = weights.presence * rounds
    out[FOR_LEAD + rules.bonus_place.defcon] += weights.television
    out[FOR_LEAD + rules.bonus_place.letter] += weights.united_nations
    out[FOR_LEAD + rules.bonus_place.draw] += weights.alliances
    for track in range(N_TRACKS):
        out[PER_STEP + side * N_TRACKS + track] = -weights.height * rounds
        out[PER_STEP + (1 - side) * N_TRACKS + track] = weights.height * rounds
        icons = min(copies_on(rules, view, US, track), 1) + min(copies_on(rules, view, USSR, track), 1)
        step = rules.limits.top_step
        while rules.area[pushed(rules, step, icons)] == 1:
            step -= 1
        out[SAFE_STEP + track] = step
    sketch_agendas(rules, view, side, weights, out)


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, SKETCH)
def risk(rules: Rules, view: State, owner: int, track: int, moved: int, out: Sketch) -> float:
    """Return the steps to safety of a side after its marker on a track has moved; see `danger.steps_to_safety`."""
    steps = 0.0
    least = 99
    for other in range(N_TRACKS):
        step = view.defcon[owner, other] + (moved if other == track else 0)
        step = min(max(step, 1), rules.limits.top_step)
        steps += max(step - out[SAFE_STEP + other], 0.0)
        low = 0
        while rules.area[step - low] < 3:
            low += 1
        least = min(least, low)
    return steps + least


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, SKETCH)
def gain_of_steps(rules: Rules, view: State, side: int, owner: int, track: int, moved: int, out: Sketch) -> float:
    """Return the gain for `side` of signed steps of a marker of `owner`."""
    step = view.defcon[owner, track]
    moved = min(max(step + moved, 1), rules.limits.top_step) - step
    if moved == 0:
        return 0.0
    lead = view.defcon[side, track] - view.defcon[1 - side, track]
    after = lead + moved if owner == side else lead - moved
    reach = out[REACH]
    gain = moved * out[PER_STEP + owner * N_TRACKS + track]
    gain += out[TRACK_LEAD + track] * (sure(float(after), reach) - sure(float(lead), reach))
    more = risk(rules, view, owner, track, moved, out) - risk(rules, view, owner, track, 0, out)
    return gain - more * FATAL if owner == side else gain + more * THREAT


@internal(types.float64, STATE, types.int64, types.int64, types.int64, types.int64, SKETCH)
def gain_of_cubes(view: State, side: int, owner: int, place: int, cubes: int, out: Sketch) -> float:
    """Return the gain for `side` of signed cubes of `owner` on a battleground, without the marker they move."""
    lead = view.influence[side, place] - view.influence[1 - side, place]
    ahead = cubes if owner == side else -cubes
    reach = out[REACH]
    lasting = ahead * out[PER_CUBE + place]
    return float(lasting + out[FOR_LEAD + place] * (sure(float(lead + ahead), reach) - sure(float(lead), reach)))


@internal(types.int64, types.int64)
def coupled(cubes: int) -> int:
    """Return the steps a marker moves with signed cubes: the first cube is free."""
    if cubes > 0:
        return cubes - 1
    return cubes + 1 if cubes < 0 else 0


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, types.boolean, SKETCH)
def gain(rules: Rules, view: State, side: int, owner: int, place: int, cubes: int, couples: bool, out: Sketch) -> float:
    """Return the gain for `side` of signed cubes of `owner` on a battleground, with any marker they move."""
    total = gain_of_cubes(view, side, owner, place, cubes, out)
    steps = coupled(cubes)
    if couples and steps != 0:
        total += gain_of_steps(rules, view, side, owner, rules.place_track[place], steps, out)
    return total


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64, types.int64, types.boolean, SKETCH)
def scan_commands(
    rules: Rules, view: State, side: int, owner: int, most: int, where: int, place_only: bool, out: Sketch
) -> None:
    """Write the best Command of `owner` of each size up to `most`, by the owner's interest, and its gain for `side`."""
    sign = 1.0 if owner == side else -1.0
    most = min(most, MAX_CUBES_PER_BATTLEGROUND)
    for cubes in range(most + 1):
        out[COMMAND + cubes] = 0.0
    available = supply(rules, view, owner)
    for place in range(N_PLACES):
        if where >> place & 1:
            for cubes in range(1, min(most, min(available, room(rules, view, owner, place))) + 1):
                found = sign * gain(rules, view, side, owner, place, cubes, True, out)
                out[COMMAND + cubes] = max(out[COMMAND + cubes], found)
            if not place_only:
                for cubes in range(1, min(most, view.influence[owner, place]) + 1):
                    found = sign * gain(rules, view, side, owner, place, -cubes, True, out)
                    out[COMMAND + cubes] = max(out[COMMAND + cubes], found)
    for cubes in range(1, most + 1):
        out[COMMAND + cubes] = max(out[COMMAND + cubes], out[COMMAND + cubes - 1])
    if sign < 0.0:
        for cubes in range(most + 1):
            out[COMMAND + cubes] = -out[COMMAND + cubes]


# Value of events.


@internal(types.int64, RULES, STATE, types.int64, types.int64)
def party_of(rules: Rules, view: State, actor: int, who: int) -> int:
    """Return the side that a party of an effect stands for, or NOBODY."""
    if who == Party.ACTOR:
        return actor
    if who == Party.OPPONENT:
        return 1 - actor
    return who if who < Party.ACTOR else leader(view, rules.bonus_place.defcon)


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, types.boolean, SKETCH)
def gain_of_spread(
    rules: Rules, view: State, side: int, chooser: int, owner: int, effect: int, couples: bool, out: Sketch
) -> float:
    """Return the gain of an effect that places or removes cubes, always on the best battleground for its chooser."""
    row = rules.effects[effect]
    sign = 1.0 if chooser == side else -1.0
    left = min(row.most, MAX_CUBES_PER_BATTLEGROUND * N_PLACES)
    if row.op == Op.PLACE:
        left = min(left, supply(rules, view, owner))
    free = row.where
    sites = row.sites
    total = 0.0
    while left > 0 and sites > 0:
        best = 0.0
        best_place = NOBODY
        best_cubes = 0
        for place in range(N_PLACES):
            if free >> place & 1 == 0:
                continue
            own = view.influence[owner, place]
            if (row.filter & Filter.HAS_CUBES and own == 0) or (row.filter & Filter.HAS_NO_CUBES and own > 0):
                continue
            if row.op == Op.PLACE:
                fewest = 1
                most = min(left, min(row.each, room(rules, view, owner, place)))
            elif row.amount == Amount.HALF_UP:
                fewest = (own + 1) // 2
                most = fewest
            else:
                fewest = 1
                most = min(left, own)
            for cubes in range(max(fewest, 1), most + 1):
                signed = cubes if row.op == Op.PLACE else -cubes
                found = sign * gain(rules, view, side, owner, place, signed, couples, out)
                # Fewer cubes at the same rate leave more for the next battleground.
                if found / cubes > best + 1e-9:
                    best = found / cubes
                    best_place = place
                    best_cubes = cubes
        if best_place == NOBODY:
            break
        total += sign * best * best_cubes
        left -= best_cubes
        sites -= 1
        free &= ~(1 << best_place)
    return total


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, SKETCH)
def gain_of_shift(rules: Rules, view: State, side: int, chooser: int, owner: int, effect: int, out: Sketch) -> float:
    """Return the gain of an effect that moves markers, one after the other in its chooser's interest."""
    row = rules.effects[effect]
    sign = 1.0 if chooser == side else -1.0
    highest = 0
    for track in range(N_TRACKS):
        highest = max(highest, view.defcon[owner, track])
    if row.pick == Pick.ALL:
        moved = row.most if row.direction == Direction.UP else -row.most
        total = 0.0
        for track in range(N_TRACKS):
            total += gain_of_steps(rules, view, side, owner, track, moved, out)
        return total
    best = 0.0
    second = 0.0
    for track in range(N_TRACKS):
        if row.where >> track & 1 == 0 or (row.pick == Pick.HIGHEST and view.defcon[owner, track] < highest):
            continue
        best_here = 0.0
        for steps in range(-min(row.most, MAX_STEPS), min(row.most, MAX_STEPS) + 1):
            if (steps > 0 and row.direction & Direction.UP) or (steps < 0 and row.direction & Direction.DOWN):
                best_here = max(best_here, sign * gain_of_steps(rules, view, side, owner, track, steps, out))
        if best_here > best:
            second = best
            best = best_here
        else:
            second = max(second, best_here)
    return sign * (best + second if row.pick == Pick.UP_TO_TWO else best)


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, types.int64, SKETCH)
def gain_of_effect(rules: Rules, view: State, side: int, actor: int, card: int, effect: int, out: Sketch) -> float:
    """Return the gain for `side` of one effect of a card's event by `actor`; 0 if it is left to the habits."""
    row = rules.effects[effect]
    chooser = party_of(rules, view, actor, row.by)
    owner = party_of(rules, view, actor, row.of)
    if chooser == NOBODY or owner == NOBODY or not holds(rules, view, row.condition):
        return 0.0
    if row.op in (Op.PLACE, Op.REMOVE):
        return float(gain_of_spread(rules, view, side, chooser, owner, effect, rules.cards[card].icon == 1, out))
    if row.op == Op.SHIFT and row.amount != Amount.AS_MOVED:
        return float(gain_of_shift(rules, view, side, chooser, owner, effect, out))
    if row.op == Op.COMMAND:
        cubes = min(command_value(rules, view, chooser, row.most, 0), MAX_CUBES_PER_BATTLEGROUND)
        scan_commands(rules, view, side, chooser, cubes, row.where, row.place_only == 1, out)
        return float(out[COMMAND + cubes])
    if row.op == Op.PRESTIGE:
        return float(row.most) if owner == side else -float(row.most)
    return 0.0


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64, SKETCH)
def gain_of_event(rules: Rules, view: State, side: int, actor: int, card: int, out: Sketch) -> float:
    """Return the gain for `side` of a card's event by `actor`. It overwrites the Commands of the sketch."""
    total = 0.0
    effect = rules.cards[card].event
    while effect != NOBODY:
        total += gain_of_effect(rules, view, side, actor, card, effect, out)
        effect = rules.effects[effect].next
    return total


# Decisions.


@compiled(types.void, RULES, STATE, types.int64, SKETCH)
def study(rules: Rules, view: State, side: int, out: Sketch) -> None:
    """Fill in a sketch, with Commands and events, for the choice of a card or of whether to trigger one."""
    sketch(rules, view, side, BY_ROUND[view.round_number], out)
    if view.node == Node.TRIGGER:
        card = view.stack[view.depth - 1].card
        out[EVENT + card] = gain_of_event(rules, view, side, side, card, out)
        return
    place = CardIs.TAKEN if view.node == Node.TAKEN_CARD else CardIs.IN_HAND + side
    for card in range(rules.limits.cards):
        if view.card[card] == place:
            actor = 1 - side if rules.cards[card].side == 1 - side else side
            out[EVENT + card] = gain_of_event(rules, view, side, actor, card, out)
    scan_commands(rules, view, side, side, MAX_CUBES_PER_BATTLEGROUND, ALL_PLACES, False, out)


@internal(types.int64, RULES, STATE, types.int64, SKETCH)
def choose_play(rules: Rules, view: State, side: int, out: Sketch) -> int:
    """Choose a card and a mode."""
    study(rules, view, side, out)
    best = -np.inf
    action = NOBODY
    late = 1 if view.turn >= LATE else 0
    taken = view.node == Node.TAKEN_CARD
    place = CardIs.TAKEN if taken else CardIs.IN_HAND + side
    for card in range(rules.limits.cards):
        if view.card[card] != place:
            continue
        is_enemys = rules.cards[card].side == 1 - side
        for mode in range(Mode.COMMAND if is_enemys else Mode.EVENT, N_MODES):
            found = habits.PLAYS[late, side, card, mode]
            if mode == Mode.EVENT:
                found += habits.EVENT * out[EVENT + card]
            else:
                letter = 1 if mode == Mode.COMMAND_WITH_LETTER else 0
                if letter == 1 and view.letter != side:
                    break
                cubes = command_value(rules, view, side, rules.cards[card].cubes, letter)
                found += habits.COMMAND * out[COMMAND + min(cubes, MAX_CUBES_PER_BATTLEGROUND)]
                if is_enemys:
                    found += habits.ENEMY_EVENT * min(out[EVENT + card], 0.0)
            if found > best:
                best = found
                action = Action.PLAY + card * N_MODES + mode
    if taken and best < 0.0:
        return Action.TO_DISCARD
    return action


@internal(types.int64, RULES, STATE, types.int64, SKETCH)
def choose_trigger(rules: Rules, view: State, side: int, out: Sketch) -> int:
    """Choose whether to trigger one's own event on a card that the other side plays."""
    study(rules, view, side, out)
    card = view.stack[view.depth - 1].card
    late = 1 if view.turn >= LATE else 0
    return Action.TRIGGER if habits.TRIGGER * out[EVENT + card] + habits.TRIGGERS[late, card] > 0.0 else Action.DECLINE


@internal(types.int64, RULES, STATE, types.int64, WEIGHTS_TYPE)
def choose_agenda(rules: Rules, view: State, side: int, weights: Weights) -> int:
    """Choose the agenda with the highest value; the other side's counts as the mean of its flags in any case."""
    best = -np.inf
    found = 0
    for agenda in range(rules.limits.agendas):
        if view.agenda_dealt[side, agenda] > 0:
            points = award_expected(rules, view, side, agenda, 1.0 + weights.reach)
            if points > best:
                best = points
                found = agenda
    return Action.KEEP_AGENDA + side * MAX_AGENDAS + found


@internal(types.float64, RULES, STATE, types.int64, types.int64, SKETCH)
def gain_of_action(rules: Rules, view: State, side: int, action: int, out: Sketch) -> float:
    """Return the gain of one choice within an event, or of a bonus."""
    inside = view.depth > 0
    frame = view.stack[max(view.depth, 1) - 1]
    owner = frame.owner if inside else side
    if Action.PLACE <= action < Action.SHIFT:
        couples = view.node == Node.COMMAND or rules.cards[frame.card].icon == 1
        if view.node == Node.COMMAND:
            owner = side
        cubes = (action - Action.PLACE) % MAX_CUBES_PER_BATTLEGROUND + 1
        place = (action - Action.PLACE) // MAX_CUBES_PER_BATTLEGROUND
        if place >= N_PLACES:
            place -= N_PLACES
            cubes = -cubes
        return float(gain(rules, view, side, owner, place, cubes, couples, out))
    if Action.SHIFT <= action < Action.CHOOSE:
        track = (action - Action.SHIFT) // N_SHIFTS
        steps = (action - Action.SHIFT) % N_SHIFTS - MAX_STEPS
        return float(gain_of_steps(rules, view, side, owner, track, steps, out))
    if Action.CHOOSE <= action < Action.DISCARD_CARD:
        branch = rules.effects[frame.effect].branches + action - Action.CHOOSE
        return float(gain_of_effect(rules, view, side, frame.actor, frame.card, rules.branches[branch].effect, out))
    if Action.DISCARD_CARD <= action < Action.DRAW_TOP:
        return 1.0 if rules.cards[action - Action.DISCARD_CARD].side == 1 - side else -1.0
    if action == Action.TO_AFTERMATH or action == Action.TO_DISCARD:
        for card in range(rules.limits.cards):
            if view.card[card] == CardIs.DRAWN + side:
                own = rules.cards[card].side == side
                return 1.0 if own == (action == Action.TO_AFTERMATH) else 0.0
    return 1.0 if action == Action.DRAW_TOP else 0.0


@internal(types.int64, RULES, STATE, types.int64, SKETCH, types.Array(types.int16, 1, "C"))
def choose_by_gain(rules: Rules, view: State, side: int, out: Sketch, actions: npt.NDArray[np.int16]) -> int:
    """Return the legal action with the highest gain, the last among equals: doing nothing comes last."""
    count = legal(rules, view, side, actions)
    best = -np.inf
    found = 0
    for number in range(count):
        brings = gain_of_action(rules, view, side, actions[number], out)
        if brings >= best:
            best = brings
            found = number
    return int(actions[found])


def _policy(rules: Rules, view: State, side: int, random: Random) -> int:  # noqa: ARG001 - the contract's signature
    weights = BY_ROUND[view.round_number]
    if view.node == Node.AGENDA:
        return choose_agenda(rules, view, side, weights)
    if view.node == Node.FIRST:
        return Action.FIRST + 1 - side
    out = np.empty(N_SKETCH)
    if view.node == Node.PLAY or view.node == Node.TAKEN_CARD:
        return choose_play(rules, view, side, out)
    if view.node == Node.TRIGGER:
        return choose_trigger(rules, view, side, out)
    sketch(rules, view, side, weights, out)
    return choose_by_gain(rules, view, side, out, np.empty(MAX_LEGAL, np.int16))


policy = compiled_loop(_policy, types.int64, RULES, STATE, types.int64, RANDOM)


class FastPlayer(PolicyPlayer):
    """The fast policy as a player, for measurements."""

    name = "fast"
    compiled_policy = staticmethod(policy)
