"""Belief model: probabilities of the other side's kept agenda and cards, given flags and board.

A side keeps the agenda that suits it, and plays for it, so the agendas it was dealt are not equally likely. Evidence:
the value of each now, the lead there and its size, and the side's cubes there. A side saves for the aftermath the cards
that count for it there, and plays its preferred cards first. The weight of each sign was fitted to games with full
information (`games.thirteen_days.training.beliefs`); the signs are read from the view alone.
"""

from __future__ import annotations

import numpy as np
from numba import types

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.jit.compile import compiled, internal
from brinkmanship.games.cuban.frame import UN, US
from brinkmanship.games.thirteen_days.players.tells import CARDS, TELLS
from brinkmanship.games.thirteen_days.rules.data import MAX_AGENDAS
from brinkmanship.games.thirteen_days.rules.knowledge import redeal
from brinkmanship.games.thirteen_days.rules.state import HIDDEN, STATE, CardIs, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award
from brinkmanship.games.thirteen_days.rules.tables import RULES, AgendaKind, Rules

AFTERMATH, HAND = range(2)
"""Locations of cards that only their owner has seen: first index of `tells.CARDS`."""
DOUBT = 0.05
"""Weight of a uniform choice among a side's agendas in the mixture: human players are no computer players."""
PARTS = 1 << 20
"""Resolution of probabilities for drawing: 1 / PARTS."""
N_SIGNS = TELLS.shape[1]

Signs = tuple[float, float, float, float, float]


@internal(types.UniTuple(types.float64, N_SIGNS), RULES, STATE, types.int64, types.int64)
def signs_of(rules: Rules, view: State, side: int, agenda: int) -> Signs:
    """Return the signs for a side having kept an agenda.

    They are: 1; the agenda's value for the side now, and whether it has any; the side's lead there in cubes or steps,
    and its own cubes or steps there.
    """
    points = float(award(rules, view, agenda))
    if side != US:
        points = -points
    row = rules.agendas[agenda]
    own, lead = 0.0, 0.0
    if row.kind == AgendaKind.TRACK:
        own = float(view.defcon[side, row.track])
        lead = own - view.defcon[1 - side, row.track]
    elif row.kind == AgendaKind.PLACE:
        own = float(view.influence[side, row.place])
        lead = own - view.influence[1 - side, row.place]
    return 1.0, points, float(np.sign(points)), lead, own


@compiled(types.float64, RULES, STATE, types.int64, types.int64, types.int64)
def sign(rules: Rules, view: State, side: int, agenda: int, number: int) -> float:
    """Return one of `signs_of`, for training."""
    return signs_of(rules, view, side, agenda)[number]


@compiled(types.float64, RULES, STATE)
def played(rules: Rules, view: State) -> float:
    """Return the fraction of a round's cards that has been played."""
    return float(view.turn / (2.0 * rules.limits.turns_each))


@internal(types.float64, RULES, STATE, types.int64, types.int64)
def odds(rules: Rules, view: State, side: int, agenda: int) -> float:
    """Return the relative weight with which a side keeps an agenda."""
    copies = view.agenda_dealt[side, agenda]
    if copies == 0:
        return 0.0
    signs = signs_of(rules, view, side, agenda)
    kind = rules.agendas[agenda].kind
    late = played(rules, view)
    logit = 0.0
    for number in range(N_SIGNS):
        logit += signs[number] * (TELLS[kind, number, 0] + late * TELLS[kind, number, 1])
    return float(copies * np.exp(logit))


@compiled(types.float64, RULES, STATE, types.int64, types.int64)
def chance_of(rules: Rules, view: State, side: int, agenda: int) -> float:
    """Return the probability that a side that has chosen kept an agenda; its flags show which ones it was dealt."""
    total = 0.0
    for other in range(MAX_AGENDAS):
        total += odds(rules, view, side, other)
    any_of_them = view.agenda_dealt[side, agenda] / view.dealt[side]
    return float((1.0 - DOUBT) * odds(rules, view, side, agenda) / total + DOUBT * any_of_them)


@internal(types.int64, RULES, STATE, types.int64, RANDOM)
def likely_agenda(rules: Rules, view: State, side: int, random: Random) -> int:
    """Draw one of the agendas dealt to a side with the probability that it was kept."""
    left = (below(random, PARTS) + 0.5) / PARTS
    kept = 0
    for agenda in range(MAX_AGENDAS):
        if left > 0.0 and view.agenda_dealt[side, agenda] > 0:
            kept = agenda
            left -= chance_of(rules, view, side, agenda)
    return kept


@compiled(types.int64, RULES, types.int64, types.int64)
def kind_of(rules: Rules, side: int, card: int) -> int:
    """Return the class of a card for a side: 0 its own, 1 the other side's, 2 of the United Nations."""
    belongs_to = rules.cards[card].side
    if belongs_to == UN:
        return 2
    return 0 if belongs_to == side else 1


@internal(types.float64, RULES, STATE, types.int64, types.int64, types.int64)
def card_odds(rules: Rules, view: State, side: int, where: int, card: int) -> float:
    """Return the relative weight of a card being in a location where a side keeps cards."""
    kind = kind_of(rules, side, card)
    late = played(rules, view)
    one = CARDS[where, kind, 0, 0] + late * CARDS[where, kind, 0, 1]
    a_cube = CARDS[where, kind, 1, 0] + late * CARDS[where, kind, 1, 1]
    return float(np.exp(one + rules.cards[card].cubes * a_cube))


@internal(types.void, RULES, STATE, types.int64, types.int64, types.int64, RANDOM, STATE)
def keep_likely_cards(
    rules: Rules, known: State, side: int, where: int, settled: int, random: Random, out: State
) -> None:
    """Resample the unseen cards that a side was dealt in a location, one after the other, with their probability there.

    Cards in `settled`, as bits, stay where they are.
    """
    place = (CardIs.IN_AFTERMATH if where == AFTERMATH else CardIs.IN_HAND) + side
    while True:
        given = -1
        total = 0.0
        for card in range(rules.limits.cards):
            if not settled >> card & 1:
                total += card_odds(rules, known, side, where, card)
                if out.card[card] == place:
                    given = card
        if given < 0:
            break
        left = total * ((below(random, PARTS) + 0.5) / PARTS)
        kept = given
        for card in range(rules.limits.cards):
            if left > 0.0 and not settled >> card & 1:
                kept = card
                left -= card_odds(rules, known, side, where, card)
        out.card[given] = out.card[kept]
        out.card[kept] = place
        settled |= 1 << kept


@compiled(types.void, RULES, STATE, types.int64, RANDOM, STATE)
def likely_world(rules: Rules, known: State, side: int, random: Random, out: State) -> None:
    """Fill `out` like `knowledge.redeal`, but draw the other side's kept agenda and cards by their probabilities."""
    redeal(rules, known, side, random, out)
    if side == OBSERVER:
        return
    other = 1 - side
    if known.chosen[other] == HIDDEN:
        out.chosen[other] = likely_agenda(rules, known, other, random)
    seen = 0
    for card in range(rules.limits.cards):
        if known.card[card] != CardIs.UNKNOWN:
            seen |= 1 << card
    keep_likely_cards(rules, known, other, AFTERMATH, seen, random, out)
    for card in range(rules.limits.cards):
        if out.card[card] == CardIs.IN_AFTERMATH + other:
            seen |= 1 << card
    keep_likely_cards(rules, known, other, HAND, seen, random, out)
