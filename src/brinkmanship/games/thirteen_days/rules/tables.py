"""The rules as tables: `GameData` and the chosen options as arrays for the compiled functions.

Rules are passed to every function and never held in module globals, so that two games with different cards or
options can be played in one process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from msgspec.structs import replace
from numba import from_dtype

from brinkmanship.engine.options import Options, OptionValue, as_number, choose, words_of
from brinkmanship.engine.record import blank_record, row_dtype
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.data import MAX_STEPS
from brinkmanship.games.cuban.frame import NOBODY, UN
from brinkmanship.games.cuban.tables import PARTIES, ConditionRow, EffectRow, EffectTables, If, bits, event_tables
from brinkmanship.games.thirteen_days.rules.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_COPIES,
    TRACKS,
    Agenda,
    Battleground,
    GameData,
)
from brinkmanship.games.thirteen_days.rules.state import N_PLACES, N_TRACKS


class IconOrder(IntEnum):
    """Order of scoring agendas and their icons (R1)."""

    SCORE_THEN_ESCALATE = 0
    ESCALATE_THEN_SCORE = 1


class LetterDeclared(IntEnum):
    """Time at which the Personal Letter is added to a Command (R23)."""

    WITH_CARD = 0
    WITH_COMMAND = 1


class BrinkFloor(IntEnum):
    """Scope of To the Brink's floor (R27)."""

    TOTAL = 0
    BEFORE_LETTER = 1


class BanScope(IntEnum):
    """Events to which a ban on lowering markers applies (R32)."""

    OWN_PLAYS = 0
    ALL_EVENTS = 1


class InitiativeChosen(IntEnum):
    """Time at which the first player is chosen (R48)."""

    AFTER_DRAW = 0
    BEFORE_DRAW = 1


OPTION_VALUES: dict[str, tuple[OptionValue, ...]] = {
    "agenda_icon_order": words_of(IconOrder),
    "letter_declared": words_of(LetterDeclared),
    "letter_on_event_command": (False, True),
    "brink_floor": words_of(BrinkFloor),
    "modifiers_on_event_command": (True, False),
    "command_onto": ("place_only", "place_or_remove"),
    "deflation_ban_scope": words_of(BanScope),
    "bay_of_pigs_short": ("needs_two", "as_many_as_possible"),
    "moscow_filter": ("has_cubes", "has_no_cubes"),
    "initiative_chosen": words_of(InitiativeChosen),
}
"""Every option with its values, the default first."""


class AgendaKind(IntEnum):
    """Subject of an agenda."""

    TRACK = 0
    PLACE = 1
    LETTER = 2


_AGENDA_KINDS = {"track": AgendaKind.TRACK, "battleground": AgendaKind.PLACE, "letter": AgendaKind.LETTER}


@dataclass(slots=True)
class LimitsRow:
    """The numbers of the rules."""

    cubes: int
    cubes_on_place: int
    top_step: int
    lead: int
    rounds: int
    dealt: int
    hand: int
    turns_each: int
    award: int
    letter_bonus: int
    cards: int
    agendas: int
    start_letter: int
    start_prestige: int
    copies: int


@dataclass(slots=True)
class OptionsRow:
    """The options that the rules read; `apply_options` applies the others to the cards."""

    agenda_icon_order: int  # IconOrder
    letter_declared: int  # LetterDeclared
    letter_on_event_command: int  # 1: it may be added to one granted by one's own event (R24)
    brink_floor: int  # BrinkFloor
    modifiers_on_event_command: int  # 1: they count for one granted by an event (R28)
    deflation_ban_scope: int  # BanScope
    initiative_chosen: int  # InitiativeChosen


@dataclass(slots=True)
class BonusPlaces:
    """The battlegrounds whose leaders have the bonuses of step 5."""

    defcon: int  # moves a marker
    letter: int  # takes the letter
    draw: int  # draws a card


@dataclass(slots=True)
class CardRow:
    """A strategy card."""

    side: int
    cubes: int
    icon: int  # 1: its event moves markers with its cubes
    event: int  # first row of its effects
    event_end: int  # one past the last row of its effects, branches included


@dataclass(slots=True)
class AgendaRow:
    """An agenda."""

    kind: int  # AgendaKind
    icon: int
    track: int  # the track its icon moves
    place: int
    bonus: int
    award: int
    connected: int  # bits
    copies: int
    flag_place: int  # battleground its flag stands on, NOBODY for a track


@dataclass(slots=True)
class CopyRow:
    """One card of the agenda deck."""

    agenda: int
    number: int  # which copy, from 0


RULES_DTYPE = np.dtype(
    [
        ("limits", row_dtype(LimitsRow)),
        ("options", row_dtype(OptionsRow)),
        ("area", np.int16, MAX_STEPS + 2),  # DEFCON area 3, 2 or 1 of a step, from 1
        ("place_track", np.int16, N_PLACES),  # the track a battleground belongs to
        ("bonus_place", row_dtype(BonusPlaces)),
        ("start_influence", np.int16, (2, N_PLACES)),
        ("start_defcon", np.int16, (2, N_TRACKS)),
        ("cards", row_dtype(CardRow), MAX_CARDS),
        ("agendas", row_dtype(AgendaRow), MAX_AGENDAS),
        ("copies", row_dtype(CopyRow), MAX_AGENDAS * MAX_COPIES),
        *event_tables(MAX_CARDS),
    ],
    align=True,
)
"""All data of a ruleset for the compiled functions.

It is one record because a record is passed by address: a tuple of arrays would be copied and counted at each call,
which made playouts ten times slower.
"""

RULES = from_dtype(RULES_DTYPE)

Rules = Any
"""A record of `RULES_DTYPE`."""


def choose_options(data: GameData, chosen: Mapping[str, OptionValue]) -> Options:
    """Return all options with their values; see `engine.options.choose`."""
    return choose("13 Days", data.options, OPTION_VALUES, chosen)


def apply_options(data: GameData, options: Mapping[str, OptionValue]) -> GameData:
    """Return the data with the cards as changed by the options (R31, R33, R42), so that card texts match the rules."""
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
    """Build the tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    data = apply_options(data, options)
    effects = _EffectTables(data)
    rules = blank_record(RULES_DTYPE)
    for index, card in enumerate(data.card):
        first = effects.add_event(card.effects)
        side = UN if card.side == "un" else PARTIES[card.side]
        rules.cards[index] = astuple(CardRow(side, card.cubes, card.defcon_icon, first, len(effects.rows)))
    effects.write(rules)
    limits = data.limits
    rules.limits = astuple(
        LimitsRow(
            cubes=limits.cubes_per_side,
            cubes_on_place=limits.cubes_per_battleground,
            top_step=limits.defcon_max,
            lead=limits.prestige_lead_max,
            rounds=limits.rounds,
            dealt=limits.agendas_dealt,
            hand=limits.hand_size,
            turns_each=limits.turns_per_round,
            award=limits.aftermath_award,
            letter_bonus=limits.letter_bonus,
            cards=len(data.card),
            agendas=len(data.agenda),
            start_letter=PARTIES[data.start.letter],
            start_prestige=data.start.prestige,
            copies=sum(agenda.copies for agenda in data.agenda),
        )
    )
    rules.options = tuple(as_number(options[name], OPTION_VALUES[name]) for name in rules.options.dtype.names)
    rules.area[1 : limits.defcon_max + 1] = [_area(data, step) for step in range(1, limits.defcon_max + 1)]
    places = _ordered(data)
    rules.place_track[:] = [TRACKS.index(place.track) for place in places]
    bonuses = [place.bonus for place in places]
    rules.bonus_place = tuple(bonuses.index(bonus) for bonus in rules.bonus_place.dtype.names)
    rules.start_influence[:] = [_start(cubes, BATTLEGROUNDS) for cubes in (data.start.cubes_us, data.start.cubes_ussr)]
    rules.start_defcon[:] = [_start(steps, TRACKS) for steps in (data.start.defcon_us, data.start.defcon_ussr)]
    for index, agenda in enumerate(data.agenda):
        rules.agendas[index] = astuple(_agenda_row(data, agenda))
    copies = [(index, copy) for index, agenda in enumerate(data.agenda) for copy in range(agenda.copies)]
    rules.copies[: len(copies)] = copies
    return rules


def _ordered(data: GameData) -> list[Battleground]:
    return sorted(data.battleground, key=lambda place: place.order)


def _area(data: GameData, step: int) -> int:
    return next(int(name.removeprefix("defcon_")) for name, steps in data.areas.items() if step in steps)


def _start(values: Mapping[str, int], ids: Sequence[str]) -> list[int]:
    return [values.get(name, 0) for name in ids]


def _agenda_row(data: GameData, agenda: Agenda) -> AgendaRow:
    flag_place = BATTLEGROUNDS.index(agenda.flag) if agenda.flag in BATTLEGROUNDS else NOBODY
    track = agenda.track or (agenda.flag if flag_place == NOBODY else _ordered(data)[flag_place].track)
    return AgendaRow(
        kind=_AGENDA_KINDS[agenda.kind],
        icon=agenda.defcon_icon,
        track=TRACKS.index(track),
        place=BATTLEGROUNDS.index(agenda.battleground) if agenda.battleground else NOBODY,
        bonus=agenda.bonus,
        award=agenda.award,
        connected=bits([BATTLEGROUNDS.index(other) for other in agenda.connected]),
        copies=agenda.copies,
        flag_place=flag_place,
    )


def where_bits(data: GameData, where: Sequence[str]) -> int:
    """Return the battlegrounds that ids and group names stand for, as bits; without names, all of them."""
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
        return where_bits(self.data, names)

    def own_effect(self, effect: d.AnyEffect, row: EffectRow) -> None:
        """Fill in the tracks of a shift, which take the place of battlegrounds."""
        if isinstance(effect, d.Shift):
            row.where = bits([TRACKS.index(track) for track in effect.tracks])

    def condition(self, condition: d.Condition) -> ConditionRow:
        match condition:
            case d.Condition(leader_on=str(place)):
                return ConditionRow(If.LEADER, BATTLEGROUNDS.index(place), 0, 0)
            case d.Condition(marker=str(side), track=str(track), area=str(area)):
                return ConditionRow(If.IN_AREA, PARTIES[side], TRACKS.index(track), int(area.removeprefix("defcon_")))
            case d.Condition(higher=str(side), than=str(other), track=str(track)):
                return ConditionRow(If.HIGHER, PARTIES[side], PARTIES[other], TRACKS.index(track))
            case d.Condition(cubes_of=str(side), at=str(place), at_least=int(cubes)):
                return ConditionRow(If.CUBES, PARTIES[side], BATTLEGROUNDS.index(place), cubes)
            case _:
                raise AssertionError("Condition.__post_init__ lets no other form pass")
