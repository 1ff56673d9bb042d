"""Message rendering: `Words` turns a `Message` into text in one language.

The texts are in gettext catalogues, ``catalogues/<domain>.<language>.po``: the domain ``common`` for the whole
program and one per game (``13-days``). A msgid is a key (``event.place.do``); English is a catalogue like the others.

Templates. ``{where}`` stands for the argument of that name, ``{where:from}`` for a grammatical *form* of it, which the
catalogue keeps under ``battleground.atlantic|from`` (also ``cubes.own|half``: a message may have forms too).
An argument ``n`` picks the plural form. Every argument has the forms ``{n:signed}``, ``{n:grouped}`` (1,000) and
``{what:sentence}`` (capitalised).

Names come from the data file of the game, because a designer may rename things. The forms in the catalogue apply
only if its name (``battleground.atlantic``) equals the name in the data; otherwise the pattern of the kind
(``battleground|from`` = ``from|“{name}”``) applies, and without a pattern the bare name.

A bar in a text separates a preposition from its noun: ``in|the Atlantic``. Lists repeat it only when it changes:
"in Berlin, Italy and Turkey", "w Berlinie, we Włoszech i w Turcji". Elsewhere the bar becomes a space. A space
before a space, a comma or the full stop of a sentence is removed, so that an argument may be empty.

A new game adds its four files to ``catalogues`` and uses ``Words(language, ["its-id"], names)``; a new key is added to
all four files of its domain, with the same arguments (``tests/text/test_words.py`` checks this).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import NamedTuple

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.registry import kits

LANGUAGES = ("en", "ru", "de", "pl")

LANGUAGE_NAMES = {"en": "English", "ru": "Русский", "de": "Deutsch", "pl": "Polski"}
"""Each language by its name in that language, for the language menu."""

NameTable = Mapping[Ref, Mapping[str, str]]
"""Names of things by language, as in the data file of a game. English is required."""

COMMON = "common"

_LOCALES = {"en": "en_GB"}  # "a, b and c", without the comma of en_US
_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_JOINT = "\x1f"  # the bar of the catalogues inside unfinished texts, so that a bar in a player's name stays one
_MINUS = "\u2212"


class MissingTextError(KeyError):
    """A key without a text in a language, an unknown name, or a template with an argument that was not given."""

    def __str__(self) -> str:
        return str(self.args[0])


class Either(tuple["Ref | Message", ...]):
    """Several things as an argument, joined by "or" (a plain tuple is joined by "and")."""


class CardText(NamedTuple):
    """A card as text."""

    id: str
    name: str
    side: str
    """Id of the side that the card belongs to ("us", "ussr", "un")."""
    side_name: str
    cubes: int | None
    """Number of cubes on the card; None for games whose cards have none."""
    icon: bool
    text: str
    """The event; each alternative is on a separate line, after a bullet."""
    notes: tuple[str, ...]
    """Notes on the event."""
    history: str = ""
    """Historical background, in one to three sentences; see `brinkmanship.text.history`."""
    day: date | None = None
    """The day that the history is about, if any."""
    status: Mapping[str, str] = {}
    """Certainty of each field of the printed card, "known" or "reconstructed"; empty if all fields are known."""
    colour: str = ""
    """Id of the DEFCON type that is printed on the card; "" for games whose cards have none."""
    colour_name: str = ""


class RecordStatus(NamedTuple):
    """Certainty of the fields of a record of the data file: a card, a zone, a kind of unit ..."""

    name: str
    id: str
    fields: Mapping[str, str]
    """For each field, with its value if that is short, "known" or "reconstructed", or the basis of the value:
    "reconstructed.geography".
    """


def status_of_cards(cards: Sequence[CardText]) -> list[RecordStatus]:
    """Return the certainty of the fields of cards."""
    return [RecordStatus(card.name, card.id, card.status) for card in cards]


class AgendaText(NamedTuple):
    """An agenda as text."""

    id: str
    name: str
    copies: int
    icon: bool
    text: str
    history: str = ""
    """Historical background, as for a card."""
    day: date | None = None


class RuleSection(NamedTuple):
    """A heading of the rules and the Markdown below it, up to the next heading of any level.

    A line ``{picture:board}`` marks the place of the illustration of that name.
    """

    id: str
    level: int
    title: str
    text: str


class RulingValue(NamedTuple):
    """One way to play a point of the rules; the ruling's text describes the default."""

    value: OptionValue
    text: str
    is_default: bool


class Ruling(NamedTuple):
    """A decision on a point that the printed rules leave open, with the option to play it otherwise, if any."""

    number: str
    """Number as in the code and in the data file: "R1"."""
    topic: str
    """Id of the heading for this ruling."""
    title: str
    text: str
    option: str | None
    values: tuple[RulingValue, ...]
    """Values of the option, the default first; empty without an option."""


class Words:
    """The words of one language for one game (``domains``), with the names of its data file (``names``).

    >>> Words("ru", ["13-days"]).sentence(Message("event.prestige", {"n": 2, "then": "", "who": Ref("side", "us")}))
    'США получают 2 очка престижа'
    """

    def __init__(self, language: str, domains: Sequence[str] = (), names: NameTable | None = None) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"unknown language {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self.domains = (*domains, COMMON)
        self._names = names or {}

    def with_domain(self, domain: str) -> Words:
        """Return a copy with one more catalogue."""
        return Words(self.language, (*self.domains[:-1], domain), self._names)

    def text(self, message: Message) -> str:
        """Return the message as it appears inside a sentence."""
        return _finish(self._render(message))

    def sentence(self, message: Message, form: str = "") -> str:
        """Return the message, or a form of it if it has that form, as a whole sentence: with a capital letter."""
        return _capitalise(_finish(self._render(message, form)))

    def sentence_if_any(self, message: Message) -> str:
        """Return the message as a whole sentence; "" if there is no text for it, as for things a designer has added."""
        try:
            return self.sentence(message)
        except MissingTextError:
            return ""

    def name(self, kind: str, id: str, form: str = "") -> str:
        """Return the name of a thing, or a grammatical form of it."""
        return _finish(self._ref(Ref(kind, id), form))

    def join(self, items: Sequence[str], *, by_or: bool = False) -> str:
        """Join texts as a list: "a, b and c", or with "or"."""
        return _finish(self._join(items, by_or))

    def number(self, n: int) -> str:
        """Return a number with a true minus sign: 3, 0, −3."""
        return str(n).replace("-", _MINUS)

    def signed(self, n: int) -> str:
        """Return a number that always shows its sign: +3, 0, −3."""
        return f"+{n}" if n > 0 else self.number(n)

    def knows(self, ref: Ref) -> bool:
        """Return True if the thing's name in the data equals that in the catalogues, so that their forms fit it."""
        known = self._find(f"{ref.kind}.{ref.id}")
        return bool(known) and self._bare_name(ref) == known

    def _render(self, value: Argument, form: str = "") -> str:
        if form == "sentence":
            return _capitalise(self._render(value))
        if isinstance(value, Message):
            return self._message(value, form)
        if isinstance(value, Ref):
            return self._ref(value, form)
        if isinstance(value, tuple):
            return self._join([self._render(item, form) for item in value], isinstance(value, Either))
        if isinstance(value, int):
            if form == "grouped":
                return str(format_decimal(value, locale=_LOCALES.get(self.language, self.language)))
            return self.signed(value) if form == "signed" else self.number(value)
        return value

    def _message(self, message: Message, form: str) -> str:
        n = message.args.get("n")
        count = n if isinstance(n, int) else None
        template = (form and self._find(f"{message.key}|{form}", count)) or self._find(message.key, count)
        if not template:
            raise self._missing(message.key)
        return self._fill(message.key, template, message.args)

    def _ref(self, ref: Ref, form: str) -> str:
        name = self._bare_name(ref)
        if not form:
            return name
        if self.knows(ref) and (text := self._find(f"{ref.kind}.{ref.id}|{form}")):
            return text
        pattern = self._find(f"{ref.kind}|{form}")
        return self._fill(f"{ref.kind}|{form}", pattern, {"name": name}) if pattern else name

    def _bare_name(self, ref: Ref) -> str:
        given = self._names.get(ref)
        name = given.get(self.language, given["en"]) if given else self._find(f"{ref.kind}.{ref.id}")
        if not name:
            raise self._missing(f"{ref.kind}.{ref.id}")
        return name

    def _fill(self, key: str, template: str, args: Mapping[str, Argument]) -> str:
        said = []
        for text, name, form in _pieces(template):
            said.append(text)
            if not name:
                continue
            if name not in args:
                raise MissingTextError(f"the text {key!r} in {self.language!r} needs an argument {name!r}")
            said.append(self._render(args[name], form))
        return "".join(said)

    def _join(self, items: Sequence[str], by_or: bool) -> str:
        said, parts = "", []
        for item in items:
            preposition, joint, noun = item.partition(_JOINT)
            parts.append(noun if joint and preposition == said else item)
            said = preposition if joint else ""
        return format_list(parts, "or" if by_or else "standard", _LOCALES.get(self.language, self.language))

    def _find(self, key: str, n: int | None = None) -> str:
        """Return the text of a key, its plural form for `n` if it has any; "" if there is none."""
        return _found(self.domains, self.language, key, n)

    def _missing(self, key: str) -> MissingTextError:
        return MissingTextError(f"no text for {key!r} in {self.language!r} (catalogues {', '.join(self.domains)})")


class _Nothing(NullTranslations):
    """Fallback for a catalogue that lacks a key; plain gettext would return the key as if it were a text."""

    def gettext(self, message: str) -> str:  # noqa: ARG002
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002
        return ""


def catalogue_file(domain: str, language: str) -> Traversable:
    """Return the file of a catalogue; those of a game ("13-days", "13-days-lessons") are in its ``words``."""
    folder = files(__package__)
    for game_id, kit in kits().items():
        if domain == game_id or domain.startswith(f"{game_id}-"):
            folder = kit.folder / "words"
    return folder / "catalogues" / f"{domain}.{language}.po"


@cache
def load_catalogue(domain: str, language: str) -> NullTranslations:
    """Return a catalogue, loaded on first use."""
    with catalogue_file(domain, language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    translations.add_fallback(_Nothing())
    return translations


@lru_cache(8192)
def _found(domains: tuple[str, ...], language: str, key: str, n: int | None) -> str:
    """Return the text of a key from the first catalogue that has it; cached, as a log repeats the same hundred."""
    for domain in domains:
        catalogue = load_catalogue(domain, language)
        text = (catalogue.ngettext(key, key, abs(n)) if n is not None else "") or catalogue.gettext(key)
        if text:
            return text.replace("|", _JOINT)
    return ""


@lru_cache(8192)
def _pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """Split a template into pairs of a text and the name and form of the argument that follows it ("": none)."""
    *parts, rest = _PLACEHOLDER.split(template)
    places = [(parts[at], parts[at + 1], parts[at + 2] or "") for at in range(0, len(parts), 3)]
    return (*places, (rest, "", ""))


@lru_cache(8192)
def _finish(text: str) -> str:
    return re.sub(r" (?=[ ,]|\.(?: |$))", "", text.replace(_JOINT, " ")).strip()


def _capitalise(text: str) -> str:
    text = text.lstrip()
    return text[:1].upper() + text[1:]
