"""The rulings of 13 Minutes for players: Q1 to Q50, answers to questions F1 to F19, and ways to play.

The texts are the catalogue ``13-minutes-rulings``; ``docs/rules/13-minutes.md`` has the same for programmers. V1 to V4
are options for which the rules themselves offer a choice, so that no ruling is about them.
"""

from __future__ import annotations

import msgspec

from brinkmanship.engine.message import Argument, Ref
from brinkmanship.games.thirteen_minutes.rules.data import GameData
from brinkmanship.games.thirteen_minutes.words.names import PAGES_DOMAIN
from brinkmanship.text.rulings import written_rulings
from brinkmanship.text.words import Ruling, Words

RULINGS_DOMAIN = "13-minutes-rulings"

VARIANTS = {"V1": "cuba_timing", "V2": "first_player", "V3": "campaign_target", "V4": "campaign_sides"}
"""Options that belong to no ruling."""

TOPICS = {
    "bid": [f"Q{n}" for n in range(1, 7)],
    "turn": [f"Q{n}" for n in range(7, 15)],
    "command": [f"Q{n}" for n in range(15, 17)],
    "movement": [f"Q{n}" for n in range(17, 27)],
    "targets": [f"Q{n}" for n in range(27, 32)],
    "end": [f"Q{n}" for n in range(32, 45)],
    "campaign": [f"Q{n}" for n in range(45, 47)],
    "general": [f"Q{n}" for n in range(47, 51)],
    "faq": [f"F{n}" for n in range(1, 20)],
    "variants": list(VARIANTS),
}
"""Topics of the rulings, in their order, with the numbers of each."""


def rulings(data: GameData, words: Words) -> tuple[Ruling, ...]:
    """Return all rulings in order; the ``rule`` field of an option in the data file names its ruling."""
    names = {Ref("card", card.id): card.names for card in data.card}
    spoken = Words(words.language, (RULINGS_DOMAIN, PAGES_DOMAIN), names)
    option_of = {option.rule: name for name, option in data.options.items()}
    option_of |= {number: name for number, name in VARIANTS.items() if name in data.options}
    return tuple(written_rulings(spoken, TOPICS, data.options, option_of, _things(data)))


def _things(data: GameData) -> dict[str, Argument]:
    things: dict[str, Argument] = {card.id: Ref("card", card.id) for card in data.card}
    return things | msgspec.structs.asdict(data.limits) | msgspec.structs.asdict(data.scoring)
