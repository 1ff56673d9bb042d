"""The rulings R1 to R55 of 13 Days as text for players: the decisions on points that the printed rules leave open.

The texts are the catalogue ``13-days-rulings``; ``docs/rules/13-days.md`` has the version for programmers.
"""

from __future__ import annotations

import msgspec

from brinkmanship.engine.message import Argument, Ref
from brinkmanship.games.thirteen_days.rules.data import GameData
from brinkmanship.games.thirteen_days.words.names import DOMAIN, names
from brinkmanship.text.rulings import written_rulings
from brinkmanship.text.words import Ruling, Words

RULINGS_DOMAIN = "13-days-rulings"

TOPICS = {
    "scoring": range(1, 9),
    "command": range(9, 14),
    "events": range(14, 20),
    "opponent": range(20, 22),
    "letter": range(22, 27),
    "modifiers": range(27, 30),
    "cards": range(30, 44),
    "round": range(44, 56),
}
"""The topics of the rulings in order, with the numbers of each."""


def rulings(data: GameData, words: Words) -> tuple[Ruling, ...]:
    """Return all rulings in order. The ``rule`` of an option in the data file names the ruling it belongs to."""
    spoken = Words(words.language, (RULINGS_DOMAIN, DOMAIN), names(data))
    topics = {topic: [f"R{n}" for n in numbers] for topic, numbers in TOPICS.items()}
    option_of = {option.rule: name for name, option in data.options.items()}
    return tuple(written_rulings(spoken, topics, data.options, option_of, _things(data)))


def _things(data: GameData) -> dict[str, Argument]:
    things: dict[str, Argument] = {card.id: Ref("card", card.id) for card in data.card}
    things |= {place.id: Ref("battleground", place.id) for place in data.battleground}
    things |= {area: Ref("area", area) for area in data.areas}
    return things | msgspec.structs.asdict(data.limits)
