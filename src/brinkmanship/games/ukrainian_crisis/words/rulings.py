"""The rulings R1 to R54 of Ukrainian Crisis for players: interpretations where the printed rules leave room.

The texts are the catalogue ``ukrainian-crisis-rulings``; ``docs/rules/ukrainian-crisis.md`` has the same for
programmers. V1 to V11 are options for which the rules themselves offer a choice, so that no ruling is about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brinkmanship.engine.message import Argument, Ref
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.tables import BOX_OPTIONS, PRESTIGE_OPTIONS, SCENARIO_OPTION
from brinkmanship.games.ukrainian_crisis.words.names import PAGES_DOMAIN, names
from brinkmanship.text.rulings import written_rulings
from brinkmanship.text.words import Ruling, Words

RULINGS_DOMAIN = "ukrainian-crisis-rulings"

OPTION_OF = {
    "R1": "resource_selection",
    "R5": "resolve_turn1",
    "R7": "first_turn_combat",
    "R8": "declaration",
    "R9": "ceasefire_keeps_diplomacy",
    "R11": "show_unused_diplomatic",
    "R15": "information_roll",
    "R16": "reduce_rolls",
    "R17": "ally_rp_in_information",
    "R18": "critical_on_segment_rolls",
    "R20": "critical_zone_chooser",
    "R22": "union_is_russian_home",
    "R26": "end_check_after_income",
    "R27": "own_zone",
    "R29": "relocation_cures",
    "R30": "neutralise_sf",
    "R31": "romania_open_to_sf",
    "R33": "spontaneous_source",
    "R34": "rally_mode",
    "R36": "amphibious_units",
    "R37": "azov_is_black_sea",
    "R39": "casualty_choice",
    "R47": "nonrandom_low_odds_defender_hits",
}
"""The option of each ruling."""

_VARIANTS = ("ordinary_cards", "no_randomness", *PRESTIGE_OPTIONS, *BOX_OPTIONS, SCENARIO_OPTION)
VARIANTS = {f"V{number}": option for number, option in enumerate(_VARIANTS, 1)}
"""Options that belong to no ruling: the optional rules 10.1 and 10.2, starting values (3.0), and the scenario."""

TOPICS = {
    "cards": [*(f"R{n}" for n in range(1, 7)), "R53", "R54"],
    "turn": [f"R{n}" for n in range(7, 12)],
    "areas": [f"R{n}" for n in range(12, 19)],
    "critical": [f"R{n}" for n in range(19, 23)],
    "prestige": [f"R{n}" for n in range(23, 27)],
    "units": [f"R{n}" for n in range(27, 35)],
    "operations": [f"R{n}" for n in range(35, 45)],
    "optional": [f"R{n}" for n in range(46, 50)],
    "printed": ["R45", "R50", "R51", "R52"],
    "variants": list(VARIANTS),
}
"""Topics of the rulings, in their order, with the numbers of each."""


class OptionAsRead(NamedTuple):
    """An option as `written_rulings` uses it."""

    default: OptionValue
    values: Sequence[OptionValue]


def rulings(game: UkrainianCrisis, words: Words) -> tuple[Ruling, ...]:
    """Return all rulings in order; the defaults of starting values are those of the scenario."""
    spoken = Words(words.language, (RULINGS_DOMAIN, PAGES_DOMAIN), names(game.data))
    things: dict[str, Argument] = {card.id: Ref("event", card.id) for card in EVENTS}
    return tuple(written_rulings(spoken, TOPICS, _choices(game), OPTION_OF | VARIANTS, things))


def _choices(game: UkrainianCrisis) -> dict[str, OptionAsRead]:
    choices = {}
    for name, values in game.option_values().items():
        default = game.default_options[name]
        choices[name] = OptionAsRead(default, sorted(values, key=lambda value: value != default))
    return choices
