"""The rulings R1 to R55 of 13 Days in words for players: what holds where the printed rules leave room.

The texts are the catalogue ``13-days-rulings``; ``docs/rules/13-days.md`` says the same to programmers. Placeholders in
the texts are ids of the data file: cards and battlegrounds, areas, and the names of the limits.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.games.thirteen_days.data import GameData
from brinkmanship.text.thirteen_days.cards import option_text
from brinkmanship.text.thirteen_days.names import DOMAIN, names
from brinkmanship.text.words import Ruling, RulingValue, Words

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
"""What the rulings are about, in their order, with the numbers of each."""


def rulings(data: GameData, words: Words) -> tuple[Ruling, ...]:
    """All rulings in order. Which option belongs to which is said by the ``rule`` of the options of the data file."""
    spoken = Words(words.language, (RULINGS_DOMAIN, DOMAIN), names(data))
    return tuple(_rulings(data, spoken, _Things(data)))


def _rulings(data: GameData, words: Words, things: _Things) -> Iterator[Ruling]:
    option_of = {option.rule: name for name, option in data.options.items()}
    for topic, numbers in TOPICS.items():
        heading = words.text(Message(f"topic.{topic}"))
        for number in (f"R{n}" for n in numbers):
            title, text = (words.sentence(Message(f"ruling.{number}.{part}", things)) for part in ("title", "text"))
            option = option_of.get(number)
            yield Ruling(number, heading, title, text, option, _values(data, words, option) if option else ())


def _values(data: GameData, words: Words, name: str) -> tuple[RulingValue, ...]:
    option = data.options[name]
    return tuple(
        RulingValue(value, option_text(words, name, value), value == option.default) for value in option.values
    )


class _Things(dict[str, Argument]):
    """What the texts may name. A card that a designer took out of the file is called by its id."""

    def __init__(self, data: GameData) -> None:
        super().__init__({card.id: Ref("card", card.id) for card in data.card})
        self.update({place.id: Ref("battleground", place.id) for place in data.battleground})
        self.update({area: Ref("area", area) for area in data.areas})
        self.update(msgspec.structs.asdict(data.limits))

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str)

    def __missing__(self, key: str) -> Argument:
        return key.replace("_", " ").title()
