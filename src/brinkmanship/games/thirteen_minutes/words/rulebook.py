"""The rules of 13 Minutes for players, with the numbers and names of the data file.

The text is ``rules.<language>.md`` beside this file, in the format of `brinkmanship.text.rulebook`. It may use:

* ``{limits.cubes_per_side}``, ``{scoring.cuba}``, ``{count.cards}``, ``{campaign.target}`` and the rest of `_values`
* ``{card.excomm}`` the name of a card
* ``{option.tiebreak}`` the sentence on the default of that option
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from brinkmanship.engine.message import Message
from brinkmanship.games.thirteen_minutes.rules.data import Card, Colour, FaceDownCard, GameData
from brinkmanship.games.thirteen_minutes.words.example import EXAMPLE, Lying, controller
from brinkmanship.games.thirteen_minutes.words.names import PAGES_DOMAIN
from brinkmanship.text.options import option_text
from brinkmanship.text.rulebook import Value, plain_rules, read_rules, table_rows
from brinkmanship.text.words import MissingTextError, RuleSection, Words

PICTURES = ("table", "card", "movement", "example")
"""The pictures of the text; `brinkmanship.drawing` makes them, the last one from `example.EXAMPLE`.

The caption is ``picture.<name>`` in the catalogue `PAGES_DOMAIN`.
"""


def rules_text(data: GameData, language: str) -> str:
    """Return the rules as plain Markdown, without ids and pictures."""
    return plain_rules(rules_sections(data, language))


def rules_sections(data: GameData, language: str) -> tuple[RuleSection, ...]:
    """Return the rules heading by heading, for a page with anchors and pictures."""
    words = Words(language, (PAGES_DOMAIN,))
    rows = {"colours": lambda: _colours(data, words), "example": lambda: _example(data, words)}
    return read_rules(__package__, words, _values(data, words), rows)


def _values(data: GameData, words: Words) -> dict[str, Value]:
    """Return all values that the text may use."""
    values: dict[str, Value] = {f"limits.{name}": n for name, n in msgspec.structs.asdict(data.limits).items()}
    values |= {f"scoring.{name}": n for name, n in msgspec.structs.asdict(data.scoring).items()}
    values |= {f"count.{name}": n for name, n in _counts(data).items()}
    values |= {f"card.{card.id}": _name(card, words) for card in data.card}
    values |= {f"option.{name}": option_text(words, name, option.default) for name, option in data.options.items()}
    if "campaign_target" in data.options:
        values["campaign.target"] = data.options["campaign_target"].default
    return values


def _counts(data: GameData) -> dict[str, int]:
    of_side = Counter(card.side for card in data.card)
    return {
        "cards": len(data.card),
        "cards_us": of_side["us"],
        "cards_ussr": of_side["ussr"],
        "cards_un": of_side["un"],
        "pile": len(data.card) - 2 * data.limits.hand_size - 1,
        "turns_each": data.limits.turns // 2,
    }


def _colours(data: GameData, words: Words) -> str:
    rows = []
    for colour in data.colour:
        cards = [card for card in data.card if card.colour == colour.id]
        listed = (_listed(side, [card for card in cards if card.side == side], words) for side in ("us", "ussr", "un"))
        named = f"{_name(colour, words)} ({_printed(colour, words)})"
        rows.append([named, str(len(cards)), "; ".join(names for names in listed if names)])
    return table_rows(rows)


def _listed(side: str, cards: Sequence[Card], words: Words) -> str:
    names = ", ".join(_name(card, words) for card in cards)
    return f"{words.text(Message(f'short.{side}'))}: {names}" if names else ""


def _example(data: GameData, words: Words) -> str:
    colours = {colour.id: _printed(colour, words) for colour in data.colour}
    names = {card.id: f"{_name(card, words)} ({colours[card.colour]})" for card in data.card}
    names[data.cuba.id] = _name(data.cuba, words)
    return table_rows(
        [
            names.get(lying.id, lying.id),
            words.text(Message(f"short.{lying.area}")),
            _score(lying.us, lying.ussr),
            _score(*(_points(data, lying, side) for side in ("us", "ussr"))),
        ]
        for lying in EXAMPLE
    )


def _points(data: GameData, lying: Lying, side: str) -> int:
    if controller(lying) != side:
        return 0
    return data.scoring.cuba if lying.id == data.cuba.id else data.scoring.battleground


def _score(us: int, ussr: int) -> str:
    return f"{us}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{ussr}"


def _printed(colour: Colour, words: Words) -> str:
    try:
        return words.text(Message(f"printed.{colour.printed}"))
    except MissingTextError:
        return colour.printed


def _name(thing: Card | Colour | FaceDownCard, words: Words) -> str:
    return thing.names.get(words.language) or thing.names["en"]
