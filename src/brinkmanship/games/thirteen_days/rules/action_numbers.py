"""The action space of 13 Days: every decision, deal and step of the rules as one number.

The numbers are laid out in blocks; a block's first number is a member of `Action`. Journals and programs
use the text of an action ("place 2 berlin"); the texts for players are in `narration`.

| block | text | decision (section 2.6) |
|---|---|---|
| RULES_STEP | escalate, save, letter moves ... | a step of the rules without a decision |
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

from collections.abc import Iterator
from enum import IntEnum

from numba import types

from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
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
"""The automatic steps of the rules, in the order of their nodes, Node.ESCALATE to Node.COUNT_AFTERMATH."""

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
"""Maximum legal actions or outcomes of a position: those of a Command of nine cubes with the letter to add."""


@compiled(types.int64, types.int64, types.int64)
def place_action(place: int, cubes: int) -> int:
    """Return the action that places `cubes` cubes, from 1, on a battleground."""
    return Action.PLACE + place * MAX_CUBES_PER_BATTLEGROUND + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def remove_action(place: int, cubes: int) -> int:
    """Return the action that removes `cubes` cubes, from 1, from a battleground."""
    return Action.REMOVE + place * MAX_CUBES_PER_BATTLEGROUND + int(cubes) - 1


@compiled(types.int64, types.int64, types.int64)
def shift_action(track: int, steps: int) -> int:
    """Return the action that moves a marker on a track by signed steps."""
    return Action.SHIFT + track * N_SHIFTS + int(steps) + MAX_STEPS


@compiled(types.int64, types.int64, types.int64)
def play_action(card: int, mode: int) -> int:
    """Return the action that plays a card in a `Mode`."""
    return Action.PLAY + int(card) * N_MODES + mode


@compiled(types.int64, types.int64, types.int64)
def keep_action(side: int, agenda: int) -> int:
    """Return the action that keeps an agenda; the side is part of the action since both choose at once."""
    return Action.KEEP_AGENDA + int(side) * MAX_AGENDAS + agenda


SIDES = ("us", "ussr")
_MODES = {
    Mode.EVENT: ("event", "event {}"),
    Mode.COMMAND: ("command", "command {}"),
    Mode.COMMAND_WITH_LETTER: ("command_letter", "command {} letter"),
}
"""The kind and the text of each way to play a card."""
_SINGLE: dict[int, tuple[str, str]] = {
    Action.TRIGGER: ("trigger", "trigger"),
    Action.DECLINE: ("decline", "decline"),
    Action.DONE: ("done", "done"),
    Action.LETTER_ADDED: ("letter", "letter"),
    Action.DRAW_TOP: ("draw_top", "draw"),
    Action.TO_AFTERMATH: ("aftermath", "aftermath"),
    Action.TO_DISCARD: ("discard", "discard"),
}
"""The kind and the text of each block of one action."""


def all_actions(data: GameData) -> Iterator[tuple[int, str, ActionParts]]:
    """Yield the number, the text and the parts of every action that these cards and agendas allow.

    The kind of an action is the first word of its text, apart from three: "command_letter" (with the Personal Letter),
    "step" (of the rules) and "draw_top" (of Alliances, to tell it from the draw itself). The two "keep" actions of an
    agenda, one for each side, share their text: journals record the side separately.
    """
    for node, text in enumerate(RULES_STEPS):
        yield Action.RULES_STEP + node, text, ActionParts("step")
    for action, (kind, text) in _SINGLE.items():
        yield int(action), text, ActionParts(kind)
    for agenda, agenda_data in enumerate(data.agenda):
        agenda_id = agenda_data.id
        yield Action.DEAL_AGENDA + agenda, f"deal {agenda_id}", ActionParts("deal", agenda=agenda_id)
        for side, side_id in enumerate(SIDES):
            yield keep_action(side, agenda), f"keep {agenda_id}", ActionParts("keep", agenda=agenda_id, side=side_id)
    for card, card_data in enumerate(data.card):
        for first, kind in ((Action.DRAW, "draw"), (Action.TAKE, "take"), (Action.DISCARD_CARD, "discard")):
            yield first + card, f"{kind} {card_data.id}", ActionParts(kind, card=card_data.id)
        for mode, (kind, text) in _MODES.items():
            yield play_action(card, mode), text.format(card_data.id), ActionParts(kind, card=card_data.id)
    for side, side_id in enumerate(SIDES):
        yield Action.FIRST + side, f"first {side_id}", ActionParts("first", side=side_id)
    for place, place_id in enumerate(BATTLEGROUNDS):
        for cubes in range(1, MAX_CUBES_PER_BATTLEGROUND + 1):
            for number, kind in ((place_action(place, cubes), "place"), (remove_action(place, cubes), "remove")):
                yield number, f"{kind} {cubes} {place_id}", ActionParts(kind, place=place_id, count=cubes)
    for track, track_id in enumerate(TRACKS):
        for steps in range(-MAX_STEPS, MAX_STEPS + 1):
            if steps:
                parts = ActionParts("shift", track=track_id, count=steps)
                yield shift_action(track, steps), f"shift {track_id} {steps:+d}", parts
    for branch in range(MAX_BRANCHES):
        yield Action.CHOOSE + branch, f"choose {branch + 1}", ActionParts("choose", count=branch + 1)


def parser(texts: dict[int, str]) -> ActionParser:
    """Return the parser that finds actions by these texts."""
    return ActionParser("13 Days", texts, _owner, _EXAMPLES)


_EXAMPLES = '"command scramble", "place 2 berlin", "shift military -1", "trigger", "done"'


def _owner(action: int) -> int:
    return (action - Action.KEEP_AGENDA) // MAX_AGENDAS if Action.KEEP_AGENDA <= action < Action.FIRST else NO_SIDE
