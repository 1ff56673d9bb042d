"""The rulings of a game as text for players: the decisions on points that the printed rules leave open.

Each game has a separate catalogue for them, with ``topic.<topic>``, ``ruling.<number>.title`` and ``.text``.
Placeholders in the texts are ids of its data file: cards, areas, the names of the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from brinkmanship.engine.message import Argument, Message
from brinkmanship.text.options import option_text
from brinkmanship.text.words import Ruling, RulingValue, Words


class Option(Protocol):
    """An option in a data file."""

    @property
    def default(self) -> str | bool | int:
        """The value when nothing is chosen."""

    @property
    def values(self) -> Sequence[str | bool | int]:
        """All values, the default first."""


def written_rulings(
    words: Words,
    topics: Mapping[str, Iterable[str]],
    options: Mapping[str, Option],
    option_of: Mapping[str, str],
    things: Mapping[str, Argument],
) -> Iterator[Ruling]:
    """Yield all rulings in order.

    Args:
        words: the words, with the catalogue of the rulings.
        topics: the numbers of the rulings by topic.
        options: the options of the data file by name.
        option_of: the option that belongs to a ruling, by the ruling's number.
        things: the values for placeholders.
    """
    named = _Things(things)
    for topic, numbers in topics.items():
        heading = words.text(Message(f"topic.{topic}"))
        for number in numbers:
            title, text = (words.sentence(Message(f"ruling.{number}.{part}", named)) for part in ("title", "text"))
            name = option_of.get(number)
            yield Ruling(number, heading, title, text, name, _values(words, name, options[name]) if name else ())


def _values(words: Words, name: str, option: Option) -> tuple[RulingValue, ...]:
    return tuple(
        RulingValue(value, option_text(words, name, value), value == option.default) for value in option.values
    )


class _Things(dict[str, Argument]):
    """Values for placeholders; a card that a designer removed from the file is represented by its id."""

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str)

    def __missing__(self, key: str) -> Argument:
        return key.replace("_", " ").title()
