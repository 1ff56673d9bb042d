"""Options of a ruleset: disputed points of the rules, and presets of them.

A data file lists each option with its default (`Option`) and may name presets, which are sets of options, for example
those of an edition. Callers give ``name: value``; the name `PRESET` selects all options of a preset, which single
options override. So a preset can be given wherever an option can: on the command line, in the API, in the header of a
journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from msgspec import Struct

from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.message import Argument, Message

OptionValue = str | bool | int
"""A word, true or false, or a whole number."""
Options = dict[str, OptionValue]

PRESET = "preset"
"""The option name that selects a preset."""


def words_of(option: type[IntEnum]) -> tuple[str, ...]:
    """Return the values of an option that takes words, from the enumeration that the rules use."""
    return tuple(value.name.lower() for value in option)


def as_number(value: OptionValue, values: Sequence[OptionValue]) -> int:
    """Return a chosen value as the rules read it: a word as its index in `values`, true and false as 1 and 0."""
    return values.index(value) if isinstance(value, str) else int(value)


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A disputed point of the rules, with the ruling that describes it.

    Its values are its default and the `other` ones, or the whole numbers of a `range`, both ends included.
    """

    default: OptionValue
    rule: str
    other: list[OptionValue] = []
    range: tuple[int, int] | None = None

    @property
    def values(self) -> list[OptionValue]:
        """All values the option takes, its default first; for a range only the default."""
        return [self.default, *self.other]


def choose(
    title: str,
    known: Mapping[str, Option],
    values: Mapping[str, Sequence[OptionValue]],
    chosen: Mapping[str, OptionValue],
    presets: Mapping[str, Mapping[str, OptionValue]] | None = None,
) -> Options:
    """Return all options with their values: the chosen ones, else those of the chosen preset, else the defaults.

    Values may be given as texts ("true", "5"), as they come from a command line or a form.

    Args:
        title: name of the game, for messages.
        known: the options of the data file.
        values: the values each option takes; a range of `known` takes precedence.
        chosen: by name, with `PRESET` for a preset.
        presets: by name, the options that differ from their defaults.

    Raises:
        OptionError: an unknown name, or a value the option does not take.
    """
    options = {name: option.default for name, option in known.items()}
    for name, value in (_preset(title, presets or {}, chosen) | {**chosen}).items():
        if name == PRESET:
            continue
        if name not in options:
            raise no_option(title, name, values)
        options[name] = _value(name, known[name], values[name], value)
    return options


def _preset(title: str, presets: Mapping[str, Mapping[str, OptionValue]], chosen: Mapping[str, OptionValue]) -> Options:
    if PRESET not in chosen:
        return {}
    name = str(chosen[PRESET])
    if name not in presets:
        known = {"title": title, "name": name, "known": ", ".join(presets)}
        raise OptionError(Message("fault.option.no_preset" if presets else "fault.option.no_presets", known))
    return dict(presets[name])


def _value(name: str, option: Option, values: Sequence[OptionValue], value: OptionValue) -> OptionValue:
    if option.range is not None:
        least, most = option.range
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if not least <= number <= most or isinstance(value, bool):
            raise takes(name, Message("fault.type.range", {"least": str(least), "most": str(most)}), value)
        return number
    by_text = {_text(one): one for one in values}
    if _text(value) not in by_text:
        raise takes(name, any_of(by_text), value)
    return by_text[_text(value)]


def no_option(title: str, name: str, known: Iterable[str]) -> OptionError:
    """Return the error for an unknown option; it lists the known ones."""
    return OptionError(Message("fault.option.unknown", {"title": title, "name": name, "known": ", ".join(known)}))


def takes(name: str, what: Argument, value: OptionValue) -> OptionError:
    """Return the error for a value that an option does not take; it names the valid ones."""
    return OptionError(Message("fault.option.takes", {"name": name, "what": what, "value": _text(value)}))


def any_of(texts: Iterable[str]) -> Argument:
    """Return texts joined by "or"."""
    *most, last = texts
    return Message("fault.type.or", {"most": ", ".join(most), "last": last}) if most else last


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def preset_of(
    options: Mapping[str, OptionValue],
    defaults: Mapping[str, OptionValue],
    presets: Mapping[str, Mapping[str, OptionValue]],
) -> str | None:
    """Return the preset whose options all match these, or None."""
    for name, differing in presets.items():
        if {**defaults, **differing} == dict(options):
            return name
    return None
