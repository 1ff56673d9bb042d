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

from brinkmanship.engine.errors import OptionError
from brinkmanship.games.thirteen_days import data as d
from brinkmanship.games.thirteen_days.data import (
    BATTLEGROUNDS,
    MAX_AGENDAS,
    MAX_CARDS,
    MAX_COPIES,
    MAX_EFFECTS_PER_CARD,
    MAX_STEPS,
    TRACKS,
    GameData,
)
from brinkmanship.games.thirteen_days.state import N_PLACES, N_TRACKS, NOBODY, UN, US, USSR

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
OPTION_VALUES: dict[str, tuple[str | bool, ...]] = {
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

# Operations, column OP of `Rules.effects`.
OP_PLACE = 0
OP_PLACE_UNTIL = 1
OP_REMOVE = 2
OP_RELOCATE = 3
OP_SHIFT = 4
OP_COMMAND = 5
OP_PRESTIGE = 6
OP_MODIFIER = 7
OP_BAN = 8
OP_EXCHANGE = 9
OP_TAKE = 10
OP_CHOOSE = 11

# Parties, columns BY and OF. US and USSR are 0 and 1.
P_ACTOR = 2
P_OPPONENT = 3
P_TV_LEADER = 4
_PARTIES = {"us": US, "ussr": USSR, "actor": P_ACTOR, "opponent": P_OPPONENT, "tv_leader": P_TV_LEADER}

# Columns of `Rules.effects`.
OP = 0
BY = 1
OF = 2
WHERE = 3  # bits: battlegrounds or, for a shift, tracks
FILTER = 4  # ANY, HAS_CUBES, HAS_NO_CUBES
MIN = 5
MAX = 6  # of a Prestige gain or modifier: the amount
EACH = 7
SITES = 8
PICK = 9
DIRECTION = 10  # bits: GOES_UP, GOES_DOWN
PLACE_ONLY = 11
OPTIONAL = 12
AMOUNT = 13  # FREELY, HALF_UP, AS_MOVED
STOPS = 14  # bits: LEADS_BY_1, PLACE_FULL, SUPPLY_EMPTY
BRANCHES = 15  # first row of `Rules.branches`
N_BRANCHES = 16
NEXT = 17  # the effect after this one, NOBODY at the end
IF = 18  # row of `Rules.conditions`, NOBODY for none
EFFECT_COLUMNS = 19

ANY = 0
HAS_CUBES = 1
HAS_NO_CUBES = 2
_FILTERS = {None: ANY, "of_has_cubes": HAS_CUBES, "of_has_no_cubes": HAS_NO_CUBES}
ONE = 0
ALL = 1
UP_TO_TWO = 2
HIGHEST = 3
_PICKS = {"one": ONE, "all": ALL, "up_to_two": UP_TO_TWO, "highest": HIGHEST}
GOES_UP = 1
GOES_DOWN = 2
_DIRECTIONS = {"up": GOES_UP, "down": GOES_DOWN, "either": GOES_UP | GOES_DOWN}
FREELY = 0
HALF_UP = 1
AS_MOVED = 2
LEADS_BY_1 = 1
PLACE_FULL = 2
SUPPLY_EMPTY = 4
_STOPS = {"leads_by_1": LEADS_BY_1, "battleground_full": PLACE_FULL, "supply_empty": SUPPLY_EMPTY}
NO_LIMIT = 99

# Conditions, column 0 of `Rules.conditions`, with the meaning of the columns 1 to 3.
IF_LEADER = 0  # place
IF_IN_AREA = 1  # side, track, area
IF_HIGHER = 2  # side, other side, track
IF_CUBES = 3  # side, place, cubes

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

# Columns of `Rules.cards`.
C_SIDE = 0
C_CUBES = 1
C_ICON = 2
C_EVENT = 3  # first row of its effects
C_EVENT_END = 4  # one past the last row of its effects, branches included
CARD_COLUMNS = 5

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

Options = dict[str, str | bool]


def choose_options(data: GameData, chosen: Mapping[str, str | bool]) -> Options:
    """All options with their values: the chosen ones, else the defaults of the data file.

    Values may be given as texts ("true"), as they come from a command line or a form.

    Raises:
        OptionError: an unknown name, or a value the option does not take.
    """
    options = {name: option.default for name, option in data.options.items()}
    for name, value in chosen.items():
        if name not in options:
            raise OptionError(f"13 Days has no option {name!r}; its options are: {', '.join(OPTION_VALUES)}")
        by_text = {_text(known): known for known in OPTION_VALUES[name]}
        if _text(value) not in by_text:
            raise OptionError(f"option {name} takes {' or '.join(by_text)}, not {_text(value)!r}")
        options[name] = by_text[_text(value)]
    return options


def _text(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def apply_options(data: GameData, options: Mapping[str, str | bool]) -> GameData:
    """The data with the cards as the options change them (R31, R33, R42), so that they also read as they are played."""
    cards = []
    for card in data.card:
        effects = [_apply_to_effect(effect, options) for effect in card.effects]
        cards.append(replace(card, effects=effects))
    return replace(data, card=cards)


def _apply_to_effect(effect: d.AnyEffect, options: Mapping[str, str | bool]) -> d.AnyEffect:
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


def build(data: GameData, options: Mapping[str, str | bool]) -> Rules:
    """The tables for checked data (`loading.load`) and complete options (`choose_options`)."""
    data = apply_options(data, options)
    effects = _EffectTables(data)
    cards = np.zeros((MAX_CARDS, CARD_COLUMNS), np.int16)
    for index, card in enumerate(data.card):
        first = effects.add_event(card.effects)
        side = UN if card.side == "un" else _PARTIES[card.side]
        cards[index] = (side, card.cubes, card.defcon_icon, first, len(effects.rows))
    limits = data.limits
    rules = np.zeros(1, RULES_DTYPE).view(np.recarray)[0]
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
        _PARTIES[data.start.letter],
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


def _ordered(data: GameData) -> list[d.Battleground]:
    return sorted(data.battleground, key=lambda place: place.order)


def _area(data: GameData, step: int) -> int:
    return next(int(name.removeprefix("defcon_")) for name, steps in data.areas.items() if step in steps)


def _start(values: Mapping[str, int], ids: Sequence[str]) -> list[int]:
    return [values.get(name, 0) for name in ids]


def _bits(indexes: Sequence[int]) -> int:
    return sum(1 << index for index in set(indexes))


def _agenda_row(data: GameData, agenda: d.Agenda) -> tuple[int, ...]:
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
        _bits([BATTLEGROUNDS.index(other) for other in agenda.connected]),
        agenda.copies,
        flag_place,
    )


def where_bits(data: GameData, where: Sequence[str]) -> int:
    """The battlegrounds that ids and group names stand for, as bits; no names at all mean all of them."""
    if not where or "all" in where:
        return (1 << N_PLACES) - 1
    places = _ordered(data)
    return _bits([index for index, place in enumerate(places) if place.id in where or place.track in where])


class _EffectTables:
    """Collects the rows of effects, branches and conditions of all cards."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.rows: list[list[int]] = []
        self.branches: list[tuple[int, int]] = []
        self.conditions: list[tuple[int, int, int, int]] = []

    def add_event(self, effects: Sequence[d.AnyEffect], after: int = NOBODY) -> int:
        """Append a list of effects that leads on to the row `after`; returns its first row."""
        first = len(self.rows)
        rows = [self._row(effect) for effect in effects]
        for offset, row in enumerate(rows):
            row[NEXT] = after if offset == len(rows) - 1 else first + offset + 1
        self.rows += rows
        for effect, row in zip(effects, rows, strict=True):
            if isinstance(effect, d.Choose):
                self._add_branches(effect, row)
        return first

    def _add_branches(self, effect: d.Choose, row: list[int]) -> None:
        branches = []
        for branch in effect.options:
            first = self.add_event(branch.effects, after=row[NEXT]) if branch.effects else row[NEXT]
            branches.append((first, self._condition(branch.requires)))
        row[BRANCHES], row[N_BRANCHES] = len(self.branches), len(branches)
        self.branches += branches

    def _row(self, effect: d.AnyEffect) -> list[int]:
        row = [0] * EFFECT_COLUMNS
        row[IF] = self._condition(effect.condition)
        row[BY] = _PARTIES[getattr(effect, "by", "actor")]
        row[OF] = _PARTIES[getattr(effect, "of", "actor")]
        row[OPTIONAL] = getattr(effect, "optional", False)
        row[WHERE] = where_bits(self.data, getattr(effect, "where", []))
        match effect:
            case d.Place():
                row[OP] = OP_PLACE
                row[FILTER] = _FILTERS[effect.filter]
                row[EACH] = NO_LIMIT if effect.each is None else effect.each
                row[MIN], row[MAX] = _span(effect)
            case d.PlaceUntil():
                row[OP] = OP_PLACE_UNTIL
                row[STOPS] = sum(_STOPS[stop] for stop in set(effect.stop))
            case d.Remove():
                row[OP] = OP_REMOVE
                row[SITES] = NO_LIMIT if effect.sites is None else effect.sites
                row[AMOUNT] = HALF_UP if effect.amount else FREELY
                row[MIN], row[MAX] = _span(effect)
            case d.Relocate():
                row[OP] = OP_RELOCATE
                row[MAX] = effect.max
            case d.Shift():
                row[OP] = OP_SHIFT
                row[WHERE] = _bits([TRACKS.index(track) for track in effect.tracks])
                row[PICK] = _PICKS[effect.pick]
                row[DIRECTION] = _DIRECTIONS[effect.dir]
                row[AMOUNT] = AS_MOVED if effect.steps else FREELY
                row[MIN], row[MAX] = _span(effect)
            case d.Command():
                row[OP] = OP_COMMAND
                row[MAX] = effect.n
                row[PLACE_ONLY] = effect.place_only
            case d.Prestige():
                row[OP] = OP_PRESTIGE
                row[MAX] = effect.exactly
            case d.Modifier():
                row[OP] = OP_MODIFIER
                row[MAX] = effect.delta
                row[MIN] = effect.floor or 0
            case d.DeflationBan():
                row[OP] = OP_BAN
            case d.ExchangeHand():
                row[OP] = OP_EXCHANGE
            case d.TakeCard():
                row[OP] = OP_TAKE
            case d.Choose():
                row[OP] = OP_CHOOSE
        return row

    def _condition(self, condition: d.Condition | None) -> int:
        if condition is None:
            return NOBODY
        match condition:
            case d.Condition(leader_on=str(place)):
                row = (IF_LEADER, BATTLEGROUNDS.index(place), 0, 0)
            case d.Condition(marker=str(side), track=str(track), area=str(area)):
                row = (IF_IN_AREA, _PARTIES[side], TRACKS.index(track), int(area.removeprefix("defcon_")))
            case d.Condition(higher=str(side), than=str(other), track=str(track)):
                row = (IF_HIGHER, _PARTIES[side], _PARTIES[other], TRACKS.index(track))
            case d.Condition(cubes_of=str(side), at=str(place), at_least=int(cubes)):
                row = (IF_CUBES, _PARTIES[side], BATTLEGROUNDS.index(place), cubes)
            case _:
                raise AssertionError("Condition.__post_init__ lets no other form pass")
        self.conditions.append(row)
        return len(self.conditions) - 1


def _span(effect: d.Place | d.Remove | d.Shift) -> tuple[int, int]:
    if effect.exactly is not None:
        return effect.exactly, effect.exactly
    if effect.max is None or effect.max == "all":
        return effect.min, NO_LIMIT
    return effect.min, effect.max
