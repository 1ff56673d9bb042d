"""Look up rules and rulings during play: the section of the current question, or a search by words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.terminal.style import QUIET
from brinkmanship.terminal.words import DOMAIN
from brinkmanship.text import RuleSection, Ruling, Words, rules_of, rulings_of, words_for
from brinkmanship.text.rulebook import plain_text

_MAX_SHOWN = 3
"""Maximum sections or rulings shown in full; with more matches only their headings are shown."""


def section_here(game: Game, words: Words, id: str) -> list[RenderableType]:
    """Return a section of the rules with its subsections; empty if there is none with this id."""
    sections = rules_of(game, words.language)
    return [_section(part) for section in sections if section.id == id for part in _with_below(sections, section)]


def contents(game: Game, words: Words) -> list[RenderableType]:
    """Return all headings of the rules, and how to open them."""
    sections = [section for section in rules_of(game, words.language) if section.level > 1]
    if not sections:
        return []
    titles = " · ".join(section.title for section in sections)
    said = words.text(Message("rules.contents", {"titles": titles}))
    return [Padding(Text(said, QUIET), (1, 0, 0, 1))]


def found_rules(game: Game, words: Words, query: str) -> list[RenderableType]:
    """Return the search result: a ruling by number, a section by id, or sections and rulings that contain the words.

    Matches in headings take precedence over matches in texts; without any match the result is empty.
    """
    sections = rules_of(game, words.language)
    rulings = rulings_of(game, words_for(game, words.language))
    wanted = query.casefold().split()
    if numbered := [ruling for ruling in rulings if [ruling.number.casefold()] == wanted]:
        return [*ruling_lines(game, words, numbered[0])]
    if exact := [section for section in sections if [section.id] == wanted]:
        return section_here(game, words, exact[0].id)
    for depth in (False, True):
        found = [each for each in sections if _has(each.id + " " + each.title, each.text * depth, wanted)]
        decided = [each for each in rulings if _has(each.title, each.text * depth, wanted)]
        if found or decided:
            return [*_shown(game, words, found, decided)]
    return []


def ruling_lines(game: Game, words: Words, ruling: Ruling) -> Iterator[RenderableType]:
    """Yield a ruling with its options."""
    yield Text(f" {ruling.number:<4}", "bold").append(ruling.title, "bold")
    yield Padding(Text(ruling.text), (0, 0, 0, 5))
    said = words.with_domain(DOMAIN)
    for value in ruling.values:
        choice = Text(f"--option {ruling.option}={str(value.value).lower()}", "bold")
        choice.append(f" ({said.text(Message('show.default'))})" if value.is_default else "", "not bold")
        yield Padding(choice, (0, 0, 0, 5))
        yield Padding(Text(value.text, QUIET), (0, 0, 0, 7))
    if ruling.option and ruling.option in game.option_ranges():
        least, most = game.option_ranges()[ruling.option]
        choice = Text(f"--option {ruling.option}=N", "bold")
        choice.append(f"  {said.text(Message('show.range', {'least': least, 'most': most}))}", "not bold")
        yield Padding(choice, (0, 0, 0, 5))


def _shown(game: Game, words: Words, sections: list[RuleSection], rulings: list[Ruling]) -> Iterator[RenderableType]:
    if len(sections) + len(rulings) <= _MAX_SHOWN:
        yield from map(_section, sections)
        for ruling in rulings:
            yield from ruling_lines(game, words, ruling)
        return
    for section in sections:
        yield Text(f" {section.title}", "bold").append(f"  rules {section.id}", QUIET)
    for ruling in rulings:
        yield Text(f" {ruling.number:<4}", "bold").append(ruling.title)


def _section(section: RuleSection) -> RenderableType:
    return Padding(Group(Text(section.title, "bold underline"), Markdown(plain_text(section))), (1, 1, 0, 1))


def _with_below(sections: Iterable[RuleSection], section: RuleSection) -> Iterator[RuleSection]:
    """Yield a section and its subsections."""
    inside = False
    for each in sections:
        if each.id == section.id:
            inside = True
            yield each
        elif inside and each.level > section.level:
            yield each
        else:
            inside = False


def _has(heading: str, text: str, wanted: list[str]) -> bool:
    said = re.sub(r"[-_]", " ", f"{heading} {text}".casefold())
    return bool(wanted) and all(word in said for word in wanted)
