"""The rules as tables: `GameData` and the chosen options turned into arrays the compiled functions read.

Rules are passed to every function and never held in module globals, so that two games with different cards or
options can be played in one process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numba import from_dtype

from brinkmanship.engine.options import Options, OptionValue, choose
from brinkmanship.engine.record import blank_record
from brinkmanship.games.events import data as d
from brinkmanship.games.events.data import MAX_EFFECTS_PER_CARD, MAX_STEPS
from brinkmanship.games.events.frame import NOBODY, UN
from brinkmanship.games.events.tables import (
    C_OWN,
    CARD_COLUMNS,
    EFFECT_COLUMNS,
    IF_CUBES,
    IF_HIGHER,
    IF_IN_AREA,
    IF_LEADER,
    PARTIES,
    WHERE,
    EffectTables,
    bits,
)
from brinkmanship.games.thirteen_days.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_COPIES,
    TRACKS,
    Agenda,
    Battleground,
    GameData,
)
from brinkmanship.games.thirteen_days.state import N_PLACES, N_TRACKS

# Columns of `Rules.limits`.
CUBES = 0
CUBES_ON_PLACE = 1
TOP_STEP = 2
LEAD = 3
ROUNDS = 4
DEALT = 5
HAND = 6
TURNS_EACH = 7
AWARD = 8
LETTER_BONUS = 9
N_CARDS = 10
N_AGENDAS = 11
START_LETTER = 12
START_PRESTIGE = 13
N_COPIES = 14
LIMITS = 15

# Columns of `Rules.options`: the index of the chosen value, 0 being the default of the rules.
ICON_ORDER = 0  # R1
LETTER_DECLARED = 1  # R23
LETTER_ON_EVENT = 2  # R24
BRINK_FLOOR = 3  # R27
MODIFIERS_ON_EVENT = 4  # R28
COMMAND_ONTO = 5  # R31
BAN_SCOPE = 6  # R32
BAY_OF_PIGS_SHORT = 7  # R33
MOSCOW_FILTER = 8  # R42
FIRST_CHOSEN = 9  # R48
OPTION_VALUES: dict[str, tuple[OptionValue, ...]] = {
    "agenda_icon_order": ("score_then_escalate", "escalate_then_score"),
    "letter_declared": ("with_card", "with_command"),
    "letter_on_event_command": (False, True),
    "brink_floor": ("total", "before_letter"),
    "modifiers_on_event_command": (True, False),
    "command_onto": ("place_only", "place_or_remove"),
    "deflation_ban_scope": ("own_plays", "all_events"),
    "bay_of_pigs_short": ("needs_two", "as_many_as_possible"),
    "moscow_filter": ("has_cubes", "has_no_cubes"),
    "initiative_chosen": ("after_draw", "before_draw"),
}
"""Every option in the order of its column, with its values; the default of the rules first."""

# Kinds of agenda.
AGENDA_TRACK = 0
AGENDA_PLACE = 1
AGENDA_LETTER = 2
_AGENDA_KINDS = {"track": AGENDA_TRACK, "battleground": AGENDA_PLACE, "letter": AGENDA_LETTER}

# Columns of `Rules.agendas`.
A_KIND = 0
A_ICON = 1
A_TRACK = 2  # the track its icon moves
A_PLACE = 3
A_BONUS = 4
A_AWARD = 5
A_CONNECTED = 6  # bits
A_COPIES = 7
A_FLAG_PLACE = 8  # battleground its flag stands on, NOBODY for a track
AGENDA_COLUMNS = 9

C_ICON = C_OWN
"""Column of `Rules.cards`: whether the event moves markers with its cubes."""

MAX_EFFECTS = MAX_CARDS * MAX_EFFECTS_PER_CARD

RULES_DTYPE = np.dtype(
    [
        ("limits", np.int16, LIMITS),
        ("options", np.int16, len(OPTION_VALUES)),  # index of the chosen value
        ("area", np.int16, MAX_STEPS + 2),  # DEFCON area 3, 2 or 1 of a step, from 1
        ("place_track", np.int16, N_PLACES),  # the track a battleground belongs to
        ("bonus_place", np.int16, 3),  # its leader moves a marker, takes the letter, draws a card (step 5)
        ("start_influence", np.int16, (2, N_PLACES)),
        ("start_defcon", np.int16, (2, N_TRACKS)),
        ("cards", np.int16, (MAX_CARDS, CARD_COLUMNS)),
        ("agendas", np.int16, (MAX_AGENDAS, AGENDA_COLUMNS)),
        ("copies", np.int16, (MAX_AGENDAS * MAX_COPIES, 2)),  # of each agenda card: the agenda, and which copy, from 0
        ("effects", np.int16, (MAX_EFFECTS, EFFECT_COLUMNS)),
        ("branches", np.int16, (MAX_EFFECTS, 2)),  # first effect, condition it requires or NOBODY
        ("conditions", np.int16, (2 * MAX_EFFECTS, 4)),
    ],
    align=True,
)
"""Everything the compiled functions know of a ruleset. One record, since that is passed by address: a tuple of arrays
would be copied and counted at each call, which made playouts ten times slower."""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """All options with their values; see `engine.options.choose`."""
    return choose("13 Days", data.options, OPTION_VALUES, chosen)


def apply_options(data: GameData, options: Mapping[str, OptionValue]) -> GameData:
    """The data with the cards as the options change them (R31, R33, R42), so that they also read as they are played."""
    cards = []
    for card in data.card:
        effects = [_apply_to_effect(effect, options) for effect in card.effects]
        cards.append(replace(card, effects=effects))
    return replace(data, card=cards)


def _apply_to_effect(effect: d.AnyEffect, options: Mapping[str, OptionValue]) -> d.AnyEffect:
    match effect:
        case d.Command(place_only=True) if options["command_onto"] == "place_or_remove":  # R31
            return replace(effect, place_only=False)
        case d.Place(filter="of_has_cubes") if options["moscow_filter"] == "has_no_cubes":  # R42
            return replace(effect, filter="of_has_no_cubes")
        case d.Choose():
            dropped = options["bay_of_pigs_short"] == "as_many_as_possible"  # R33
            branches = [
                replace(
                    branch,
                    effects=[_apply_to_effect(inner, options) for inner in branch.effects],
                    requires=None if dropped else branch.requires,
                )
                for branch in effect.options
            ]
            return replace(effect, options=branches)
    return effect


def build(data: GameData, options: Mapping[str, OptionValue]) -> Rules:
    """The tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    data = apply_options(data, options)
    effects = _EffectTables(data)
    cards = np.zeros((MAX_CARDS, CARD_COLUMNS), np.int16)
    for index, card in enumerate(data.card):
        first = effects.add_event(card.effects)
        side = UN if card.side == "un" else PARTIES[card.side]
        cards[index] = (side, card.cubes, card.defcon_icon, first, len(effects.rows))
    limits = data.limits
    rules = blank_record(RULES_DTYPE)
    rules.limits[:] = (
        limits.cubes_per_side,
        limits.cubes_per_battleground,
        limits.defcon_max,
        limits.prestige_lead_max,
        limits.rounds,
        limits.agendas_dealt,
        limits.hand_size,
        limits.turns_per_round,
        limits.aftermath_award,
        limits.letter_bonus,
        len(data.card),
        len(data.agenda),
        PARTIES[data.start.letter],
        data.start.prestige,
        sum(agenda.copies for agenda in data.agenda),
    )
    rules.options[:] = [values.index(options[name]) for name, values in OPTION_VALUES.items()]
    rules.area[1 : limits.defcon_max + 1] = [_area(data, step) for step in range(1, limits.defcon_max + 1)]
    places = sorted(data.battleground, key=lambda place: place.order)
    rules.place_track[:] = [TRACKS.index(place.track) for place in places]
    rules.bonus_place[:] = [[place.bonus for place in places].index(bonus) for bonus in ("defcon", "letter", "draw")]
    rules.start_influence[:] = [_start(cubes, BATTLEGROUNDS) for cubes in (data.start.cubes_us, data.start.cubes_ussr)]
    rules.start_defcon[:] = [_start(steps, TRACKS) for steps in (data.start.defcon_us, data.start.defcon_ussr)]
    rules.cards[:] = cards
    rules.agendas[: len(data.agenda)] = [_agenda_row(data, agenda) for agenda in data.agenda]
    copies = [(index, copy) for index, agenda in enumerate(data.agenda) for copy in range(agenda.copies)]
    rules.copies[: len(copies)] = copies
    rules.effects[: len(effects.rows)] = effects.rows
    if effects.branches:
        rules.branches[: len(effects.branches)] = effects.branches
    if effects.conditions:
        rules.conditions[: len(effects.conditions)] = effects.conditions
    return rules


def _ordered(data: GameData) -> list[Battleground]:
    return sorted(data.battleground, key=lambda place: place.order)


def _area(data: GameData, step: int) -> int:
    return next(int(name.removeprefix("defcon_")) for name, steps in data.areas.items() if step in steps)


def _start(values: Mapping[str, int], ids: Sequence[str]) -> list[int]:
    return [values.get(name, 0) for name in ids]


def _agenda_row(data: GameData, agenda: Agenda) -> tuple[int, ...]:
    flag_place = BATTLEGROUNDS.index(agenda.flag) if agenda.flag in BATTLEGROUNDS else NOBODY
    place = BATTLEGROUNDS.index(agenda.battleground) if agenda.battleground else NOBODY
    track = agenda.track or (agenda.flag if flag_place == NOBODY else _ordered(data)[flag_place].track)
    return (
        _AGENDA_KINDS[agenda.kind],
        agenda.defcon_icon,
        TRACKS.index(track),
        place,
        agenda.bonus,
        agenda.award,
        bits([BATTLEGROUNDS.index(other) for other in agenda.connected]),
        agenda.copies,
        flag_place,
    )


def where_bits(data: GameData, where: Sequence[str]) -> int:
    """The battlegrounds that ids and group names stand for, as bits; no names at all mean all of them."""
    if not where or "all" in where:
        return (1 << N_PLACES) - 1
    places = _ordered(data)
    return bits([index for index, place in enumerate(places) if place.id in where or place.track in where])


class _EffectTables(EffectTables):
    """The rows of the events of 13 Days."""

    def __init__(self, data: GameData) -> None:
        super().__init__()
        self.data = data

    def where(self, names: Sequence[str]) -> int:
        """See `EffectTables.where`."""
        return where_bits(self.data, names)

    def own_effect(self, effect: d.AnyEffect, row: list[int]) -> None:
        """A shift names tracks where others name battlegrounds."""
        if isinstance(effect, d.Shift):
            row[WHERE] = bits([TRACKS.index(track) for track in effect.tracks])

    def condition(self, condition: d.Condition) -> tuple[int, int, int, int]:
        """See `EffectTables.condition`."""
        match condition:
            case d.Condition(leader_on=str(place)):
                return (IF_LEADER, BATTLEGROUNDS.index(place), 0, 0)
            case d.Condition(marker=str(side), track=str(track), area=str(area)):
                return (IF_IN_AREA, PARTIES[side], TRACKS.index(track), int(area.removeprefix("defcon_")))
            case d.Condition(higher=str(side), than=str(other), track=str(track)):
                return (IF_HIGHER, PARTIES[side], PARTIES[other], TRACKS.index(track))
            case d.Condition(cubes_of=str(side), at=str(place), at_least=int(cubes)):
                return (IF_CUBES, PARTIES[side], BATTLEGROUNDS.index(place), cubes)
            case _:
                raise AssertionError("Condition.__post_init__ lets no other form pass")
