"""The action space of 13 Days: every decision, deal and step of the rules as one number.

The numbers are laid out in blocks; a block's first number is a member of `Action`. The text of an action ("place 2
berlin") is what journals and programs write; people read `narration`.

| block | text | decision (section 2.6) |
|---|---|---|
| RULES_STEP | escalate, save, letter moves ... | a step the rules take themselves |
| DEAL_AGENDA | deal turkey | chance N1 |
| DRAW | draw scramble | chance N2 |
| TAKE | take scramble | chance N3 |
| KEEP_AGENDA | keep turkey | D1 |
| FIRST | first us | D2 |
| PLAY | event scramble, command scramble, command scramble letter | D3, D7 |
| TRIGGER, DECLINE | trigger, decline | D4, D9 |
| DONE | done | the end of any choice that may be less |
| LETTER | letter | adds the Personal Letter to this Command (options of R23, R24) |
| PLACE, REMOVE | place 2 berlin, remove 1 italy | D5, D6 |
| SHIFT | shift military -1 | D5, D8 |
| CHOOSE | choose 1 | D5, counted from 1 |
| DISCARD_CARD | discard scramble | D5 (Summit Meeting) |
| DRAW_TOP | draw | D9 |
| TO_AFTERMATH, TO_DISCARD | aftermath, discard | D10, D7 |
"""

from __future__ import annotations

from enum import IntEnum

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionReader
from brinkmanship.engine.jit.compile import compiled
from brinkmanship.engine.message import ActionParts
from brinkmanship.games.cuban.data import MAX_BRANCHES, MAX_STEPS
from brinkmanship.games.cuban.frame import Mode
from brinkmanship.games.thirteen_days.rules.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_CUBES_PER_BATTLEGROUND,
    TRACKS,
    GameData,
)
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS

RULES_STEPS = ("escalate", "save_cards", "letter_moves", "resolve_agendas", "check_war", "advance", "count_aftermath")
"""The steps of the rules, in the order of their nodes, Node.ESCALATE to Node.COUNT_AFTERMATH."""

N_MODES = len(Mode)
N_SHIFTS = 2 * MAX_STEPS + 1


class Action(IntEnum):
    """The number of each action, or of the first one of its block."""

    RULES_STEP = 0  # + node
    DEAL_AGENDA = RULES_STEP + len(RULES_STEPS)  # + agenda
    DRAW = DEAL_AGENDA + MAX_AGENDAS  # + card
    TAKE = DRAW + MAX_CARDS  # + card
    KEEP_AGENDA = TAKE + MAX_CARDS  # + side * MAX_AGENDAS + agenda
    FIRST = KEEP_AGENDA + 2 * MAX_AGENDAS  # + side
    PLAY = FIRST + 2  # + card * N_MODES + mode
    TRIGGER = PLAY + MAX_CARDS * N_MODES
    DECLINE = TRIGGER + 1
    DONE = DECLINE + 1
    LETTER_ADDED = DONE + 1
    PLACE = LETTER_ADDED + 1  # + place * MAX_CUBES_PER_BATTLEGROUND + cubes - 1
    REMOVE = PLACE + N_PLACES * MAX_CUBES_PER_BATTLEGROUND  # likewise
    SHIFT = REMOVE + N_PLACES * MAX_CUBES_PER_BATTLEGROUND  # + track * N_SHIFTS + steps + MAX_STEPS
    CHOOSE = SHIFT + N_TRACKS * N_SHIFTS  # + branch
    DISCARD_CARD = CHOOSE + MAX_BRANCHES  # + card
    DRAW_TOP = DISCARD_CARD + MAX_CARDS
    TO_AFTERMATH = DRAW_TOP + 1
    TO_DISCARD = TO_AFTERMATH + 1


N_ACTIONS = Action.TO_DISCARD + 1

MAX_LEGAL = 2 * N_PLACES * MAX_CUBES_PER_BATTLEGROUND + 2
"""No position has more legal actions or outcomes than a Command of nine cubes with the letter to add."""


@compiled(types.int64, types.int64, types.int64)
def place_action(place: int, cubes: int) -> int:
    """Place so many cubes, from 1, on a battleground."""
    return Action.PLACE + place * MAX_CUBES_PER_BATTLEGROUND + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def remove_action(place: int, cubes: int) -> int:
    """Remove so many cubes, from 1, from a battleground."""
    return Action.REMOVE + place * MAX_CUBES_PER_BATTLEGROUND + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def shift_action(track: int, steps: int) -> int:
    """Move a marker on a track by signed steps."""
    return Action.SHIFT + track * N_SHIFTS + int(steps) + MAX_STEPS


@compiled(types.int64, types.int64, types.int64)
def play_action(card: int, mode: int) -> int:
    """Play a card in a `Mode`."""
    return Action.PLAY + int(card) * N_MODES + mode


@compiled(types.int64, types.int64, types.int64)
def keep_action(side: int, agenda: int) -> int:
    """Keep an agenda; the side is part of the action since both choose at once."""
    return Action.KEEP_AGENDA + int(side) * MAX_AGENDAS + agenda


SIDES = ("us", "ussr")
_MODE_TEXTS = {Mode.EVENT: "event {}", Mode.COMMAND: "command {}", Mode.COMMAND_WITH_LETTER: "command {} letter"}
_MODE_KINDS: dict[int, str] = {Mode.EVENT: "event", Mode.COMMAND: "command", Mode.COMMAND_WITH_LETTER: "command_letter"}
_SINGLE: dict[int, str] = {
    Action.TRIGGER: "trigger",
    Action.DECLINE: "decline",
    Action.DONE: "done",
    Action.LETTER_ADDED: "letter",
    Action.DRAW_TOP: "draw",
    Action.TO_AFTERMATH: "aftermath",
    Action.TO_DISCARD: "discard",
}


def action_texts(data: GameData) -> dict[int, str]:
    """The text of every action that these cards and agendas allow.

    The two "keep" actions of an agenda, one for each side, share their text: who acts stands beside it.
    """
    texts = {Action.RULES_STEP + node: text for node, text in enumerate(RULES_STEPS)}
    texts |= {int(action): text for action, text in _SINGLE.items()}
    for agenda, agenda_data in enumerate(data.agenda):
        texts[Action.DEAL_AGENDA + agenda] = f"deal {agenda_data.id}"
        for side in range(2):
            texts[keep_action(side, agenda)] = f"keep {agenda_data.id}"
    for card, card_data in enumerate(data.card):
        texts[Action.DRAW + card] = f"draw {card_data.id}"
        texts[Action.TAKE + card] = f"take {card_data.id}"
        texts[Action.DISCARD_CARD + card] = f"discard {card_data.id}"
        for mode, text in _MODE_TEXTS.items():
            texts[play_action(card, mode)] = text.format(card_data.id)
    for side, side_id in enumerate(SIDES):
        texts[Action.FIRST + side] = f"first {side_id}"
    for place, place_id in enumerate(BATTLEGROUNDS):
        for cubes in range(1, MAX_CUBES_PER_BATTLEGROUND + 1):
            texts[place_action(place, cubes)] = f"place {cubes} {place_id}"
            texts[remove_action(place, cubes)] = f"remove {cubes} {place_id}"
    for track, track_id in enumerate(TRACKS):
        for steps in range(-MAX_STEPS, MAX_STEPS + 1):
            if steps:
                texts[shift_action(track, steps)] = f"shift {track_id} {steps:+d}"
    for branch in range(MAX_BRANCHES):
        texts[Action.CHOOSE + branch] = f"choose {branch + 1}"
    return texts


def reader(texts: dict[int, str]) -> ActionReader:
    """The other way: the actions with these texts."""
    return ActionReader("13 Days", texts, _owner, _EXAMPLES)


_EXAMPLES = '"command scramble", "place 2 berlin", "shift military -1", "trigger", "done"'


def _owner(action: int) -> int:
    return (action - Action.KEEP_AGENDA) // MAX_AGENDAS if Action.KEEP_AGENDA <= action < Action.FIRST else NO_SIDE


def parts(data: GameData, action: int) -> ActionParts:
    """What an action is made of.

    The kind is the first word of its text, apart from three: "command_letter" (with the Personal Letter), "step" (of
    the rules) and "draw_top" (of Alliances, to tell it from the draw itself).
    """
    if action < Action.DEAL_AGENDA:
        return ActionParts("step")
    if action < Action.DRAW:
        return ActionParts("deal", agenda=data.agenda[action - Action.DEAL_AGENDA].id)
    if action < Action.TAKE:
        return ActionParts("draw", card=data.card[action - Action.DRAW].id)
    if action < Action.KEEP_AGENDA:
        return ActionParts("take", card=data.card[action - Action.TAKE].id)
    if action < Action.FIRST:
        side, agenda = divmod(action - Action.KEEP_AGENDA, MAX_AGENDAS)
        return ActionParts("keep", agenda=data.agenda[agenda].id, side=SIDES[side])
    if action < Action.PLAY:
        return ActionParts("first", side=SIDES[action - Action.FIRST])
    if action < Action.TRIGGER:
        card, mode = divmod(action - Action.PLAY, N_MODES)
        return ActionParts(_MODE_KINDS[mode], card=data.card[card].id)
    if action in _SINGLE:
        return ActionParts("draw_top" if action == Action.DRAW_TOP else _SINGLE[action])
    if action < Action.SHIFT:
        kind, first = ("place", Action.PLACE) if action < Action.REMOVE else ("remove", Action.REMOVE)
        place, cubes = divmod(action - first, MAX_CUBES_PER_BATTLEGROUND)
        return ActionParts(kind, place=BATTLEGROUNDS[place], count=cubes + 1)
    if action < Action.CHOOSE:
        track, steps = divmod(action - Action.SHIFT, N_SHIFTS)
        return ActionParts("shift", track=TRACKS[track], count=steps - MAX_STEPS)
    if action < Action.DISCARD_CARD:
        return ActionParts("choose", count=action - Action.CHOOSE + 1)
    return ActionParts("discard", card=data.card[action - Action.DISCARD_CARD].id)
