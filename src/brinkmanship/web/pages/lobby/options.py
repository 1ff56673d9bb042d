"""The options of a ruleset on the form of a new game and on an invitation: presets, the scenario, groups by topic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import PRESET, OptionValue
from brinkmanship.text import MissingTextError, Words, rulings_of
from brinkmanship.text.options import option_text
from brinkmanship.web.presentation.data_files import kind_of


class OptionText(NamedTuple):
    """An option of a ruleset, for the form."""

    name: str
    title: str
    topic: str
    """Heading of the group of rulings it belongs to; "" if no ruling is about it."""
    ruling: str
    """Number of the ruling that describes it: "R42"."""
    values: list[tuple[str, str]]
    """Each value with its meaning, the default first; for a range only common values."""
    default: str
    range: tuple[int, int] | None
    """Inclusive range of accepted numbers; None if only `values` are accepted."""

    @property
    def field(self) -> str:
        """Name of its field in the form."""
        return f"option.{self.name}"


class PresetText(NamedTuple):
    """A named combination of options, for the form."""

    id: str
    title: str
    why: str
    values: str
    """The values that differ from their defaults, as JSON."""


class OptionGroup(NamedTuple):
    """The options on one topic, for the form."""

    topic: str
    options: list[OptionText]
    is_changed: bool
    """True if one of them has another value than its default in the form."""


@lru_cache(64)
def option_texts(game: Game, words: Words) -> list[OptionText]:
    """Return all options of a ruleset."""
    about = {ruling.option: (ruling.topic, ruling.number) for ruling in rulings_of(game, words)}
    return [_option(game, name, *about.get(name, ("", "")), words) for name in game.option_values()]


def scenario_option(game: Game, words: Words) -> OptionText | None:
    """Return the option that selects one of the packaged scenarios, or None."""
    return next((option for option in option_texts(game, words) if option.name == kind_of(game)), None)


def option_groups(game: Game, words: Words, entered: Mapping[str, str]) -> list[OptionGroup]:
    """Return the options of a ruleset by topic, without the scenario, for a form with these values."""
    by_topic: dict[str, list[OptionText]] = {}
    for option in option_texts(game, words):
        if option.name != kind_of(game):
            by_topic.setdefault(option.topic, []).append(option)
    return [
        OptionGroup(topic, options, any(entered[each.field] not in ("", each.default) for each in options))
        for topic, options in by_topic.items()
    ]


def preset_texts(game: Game, words: Words) -> list[PresetText]:
    """Return the presets of a ruleset."""
    return [_preset(game, preset, words) for preset in game.presets()]


def option_fields(game: Game) -> dict[str, str]:
    """Return the fields of a form in which nothing has been chosen yet; numbers are left empty."""
    ranges = game.option_ranges()
    values = {name: "" if name in ranges else _text(value) for name, value in game.default_options.items()}
    return {f"option.{name}": value for name, value in {PRESET: game.preset or "", **values}.items()}


def chosen_options(game: Game, form: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options chosen in a form: a preset, typed numbers, and options that differ from the default."""
    chosen: dict[str, OptionValue] = {}
    if preset := form.get(f"option.{PRESET}"):
        chosen[PRESET] = preset
    ranges = game.option_ranges()
    for name, values in game.option_values().items():
        given = form.get(f"option.{name}", "").strip()
        if name in ranges and given:  # even the default: another scenario may have a different one
            chosen[name] = given
            continue
        value = next((value for value in values if given == _text(value)), "")
        if value not in ("", game.default_options[name]):
            chosen[name] = value
    return chosen


def changed_options(game: Game, words: Words) -> list[tuple[OptionText, str]]:
    """Return the options that differ from their defaults, each with the meaning of its value."""
    return [
        (option, _meaning(words, option.name, game.options[option.name]))
        for option in option_texts(game, words)
        if game.options[option.name] != game.default_options[option.name]
    ]


def _option(game: Game, name: str, topic: str, ruling: str, words: Words) -> OptionText:
    default = game.default_options[name]
    values = sorted(game.option_values()[name], key=lambda value: value != default)
    return OptionText(
        name,
        words.sentence_if_any(Message(f"option.{name}")) or name,
        topic,
        ruling,
        [(_text(value), _meaning(words, name, value)) for value in values],
        _text(default),
        game.option_ranges().get(name),
    )


def _preset(game: Game, preset: str, words: Words) -> PresetText:
    values = {name: _text(value) for name, value in game.presets()[preset].items()}
    title, why = (words.sentence_if_any(Message(f"preset.{preset}{part}")) for part in ("", ".why"))
    return PresetText(preset, title or preset, why, json.dumps(values))


def _text(value: OptionValue) -> str:
    return str(value).lower()


def _meaning(words: Words, name: str, value: OptionValue) -> str:
    try:
        return option_text(words, name, value)
    except MissingTextError:
        return ""
