"""The words of a game without its own, made from its data file and its ids.

A thing has the name given in the data file (any record with an ``id`` and ``names``), otherwise its id made readable.
Messages of questions, choices and the log without a text are rendered from their key and arguments: a message
``choice.bid`` with a number is "bid: 3". A game may bring its texts as ``words/catalogues/<id>.<language>.po``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.text.words import Words, catalogue_file

_SPOKEN = ("ask", "choice", "log", "change")
"""The kinds of messages that rules make; for any other message a missing text is an error."""

Names = Mapping[str, Mapping[str, str]]
"""Names of things by id, then by language."""


class BareWords(Words):
    """Words with a fallback text for every name and every message of a game's rules."""

    def __init__(self, language: str, texts: Mapping[str, str], names: Names, domains: Sequence[str] = ()) -> None:
        super().__init__(language, domains)
        self._texts = texts
        self._by_id = names

    def with_domain(self, domain: str) -> BareWords:
        """Return a copy with one more catalogue."""
        words = BareWords(self.language, self._texts, self._by_id)
        words.domains = super().with_domain(domain).domains
        return words

    def _find(self, key: str, n: int | None = None) -> str:
        return super()._find(key, n) or self._texts.get(key, "")

    def _bare_name(self, ref: Ref) -> str:
        return self._find(f"{ref.kind}.{ref.id}") or _called(self._by_id, ref.id, self.language)

    def _message(self, message: Message, form: str) -> str:
        kind, _, said = message.key.partition(".")
        if kind not in _SPOKEN or said.endswith(".here") or self._find(message.key):
            return super()._message(message, form)
        about = ", ".join(self._render(value) for value in message.args.values())
        return f"{readable(said)}: {about}" if about else readable(said)


def words_of(game: Game, language: str) -> Words:
    """Return the words of a ruleset whose game has none."""
    names = names_in(game)
    sides = {f"side.{side}": _called(names, side, language) for side in game.sides}
    reasons = {f"reason.{reason}": readable(reason) for reason in game.reasons}
    texts = {f"game.{game.id}": game.title, **sides, **reasons, **_options(game, Words(language))}
    own = (game.id,) if catalogue_file(game.id, language).is_file() else ()
    return BareWords(language, texts, names, own)


def _options(game: Game, common: Words) -> dict[str, str]:
    """Return the texts of all options and their values, with the keys that `text.options` uses."""
    texts = {}
    for name, values in game.option_values().items():
        texts[f"option.{name}"] = readable(name)
        for value in values:
            said = common.text(Message("yes" if value else "no")) if isinstance(value, bool) else readable(str(value))
            texts[f"option.{name}.{str(value).lower()}"] = said
    return texts


def names_in(game: Game) -> Names:
    """Return the names of all things in the data of a game that have an id and names; empty for a game without data."""
    return dict(_named(getattr(game, "data", None)))


def _named(value: Any) -> Iterator[tuple[str, Mapping[str, str]]]:
    if isinstance(value, Struct):
        fields = {field: getattr(value, field) for field in value.__struct_fields__}
        if isinstance(fields.get("id"), str) and isinstance(fields.get("names"), dict):
            yield fields["id"], fields["names"]
        value = list(fields.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _named(each)


def _called(names: Names, id: str, language: str) -> str:
    given = names.get(id, {})
    return given.get(language) or given.get("en") or readable(id)


def readable(id: str) -> str:
    """Return an id as words: "set_aside" becomes "set aside"."""
    return id.replace("_", " ").replace(".", " ")


def label(words: Words, key: str) -> str:
    """Return the text for a key of `Game.known_state`; "" without one. Games of one kind share them (`card_driven`)."""
    return words.sentence_if_any(Message(f"row.{key}"))


class BoardRow(NamedTuple):
    """A line of the board as a table."""

    label: str
    value: str


def rows(game: Game, view: State, viewer: int, words: Words, *, cards: bool) -> list[BoardRow]:
    """Return a viewer's knowledge of a position from their view, line by line, with or without the cards they know."""
    known = game.known_state(view, viewer)
    names = names_in(game)

    def say(value: object) -> str:
        if value is None or value == []:
            return "–"
        if isinstance(value, bool):
            return words.text(Message("yes" if value else "no"))
        if isinstance(value, int):
            return words.number(value)
        if isinstance(value, list | tuple):
            return ", ".join(map(say, value))
        if isinstance(value, dict):
            return ", ".join(f"{say(key)}: {say(each)}" for key, each in value.items())
        if value in game.sides:
            return words.name("side", str(value))
        return label(words, str(value)) or _called(names, str(value), words.language)

    found = []
    for key, value in known.items():
        if key == "cards" and not cards:
            continue
        if isinstance(value, dict):
            found += [BoardRow(f"{say(key)} · {say(inner)}", say(each)) for inner, each in value.items()]
        else:
            found.append(BoardRow(say(key), say(value)))
    return [BoardRow(label[:1].upper() + label[1:], value) for label, value in found]
