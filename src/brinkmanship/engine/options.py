"""Options of a ruleset: points of the rules on which reasonable people differ, and presets of them.

A data file lists each option with its default (`Option`) and may name presets, that is options that go together:
those of an edition. Whoever chooses gives ``name: value``; the name `PRESET` stands for all options of a preset, of
which single ones may be chosen otherwise. So a preset can be given wherever an option can: on the command line, over
the API, in the header of a journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from msgspec import Struct

from brinkmanship.engine.errors import OptionError

OptionValue = str | bool | int
"""A word, true or false, or a whole number."""
Options = dict[str, OptionValue]

PRESET = "preset"
"""The name under which a preset is chosen."""


def words_of(option: type[IntEnum]) -> tuple[str, ...]:
    """The values of an option that takes words, from the enumeration that the rules read it by."""
    return tuple(value.name.lower() for value in option)


def as_number(value: OptionValue, values: Sequence[OptionValue]) -> int:
    """A chosen value as the rules read it: of a word its place in `values`, of yes and no 1 and 0, a number itself."""
    return values.index(value) if isinstance(value, str) else int(value)


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the rules on which reasonable people differ, with the ruling that describes it.

    Its values are its default and the `other` ones, or the whole numbers of a `range`, both ends included.
    """

    default: OptionValue
    rule: str
    other: list[OptionValue] = []
    range: tuple[int, int] | None = None

    @property
    def values(self) -> list[OptionValue]:
        """All values the option takes, its default first; of a range only the default."""
        return [self.default, *self.other]


def choose(
    title: str,
    known: Mapping[str, Option],
    values: Mapping[str, Sequence[OptionValue]],
    chosen: Mapping[str, OptionValue],
    presets: Mapping[str, Mapping[str, OptionValue]] | None = None,
) -> Options:
    """All options with their values: the chosen ones, else those of the chosen preset, else the defaults.

    Values may be given as texts ("true", "5"), as they come from a command line or a form.

    Args:
        title: of the game, for messages.
        known: the options of the data file.
        values: the values each option takes; a range of `known` goes before them.
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
            raise OptionError(f"{title} has no option {name!r}; its options are: {', '.join(values)}")
        options[name] = _value(name, known[name], values[name], value)
    return options


def _preset(title: str, presets: Mapping[str, Mapping[str, OptionValue]], chosen: Mapping[str, OptionValue]) -> Options:
    if PRESET not in chosen:
        return {}
    name = str(chosen[PRESET])
    if name not in presets:
        known = f"its presets are: {', '.join(presets)}" if presets else "it has none"
        raise OptionError(f"{title} has no preset {name!r}; {known}")
    return dict(presets[name])


def _value(name: str, option: Option, values: Sequence[OptionValue], value: OptionValue) -> OptionValue:
    if option.range is not None:
        least, most = option.range
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if not least <= number <= most or isinstance(value, bool):
            raise OptionError(f"option {name} takes a whole number from {least} to {most}, not {_text(value)!r}")
        return number
    by_text = {_text(one): one for one in values}
    if _text(value) not in by_text:
        raise OptionError(f"option {name} takes {' or '.join(by_text)}, not {_text(value)!r}")
    return by_text[_text(value)]


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def preset_of(
    options: Mapping[str, OptionValue],
    defaults: Mapping[str, OptionValue],
    presets: Mapping[str, Mapping[str, OptionValue]],
) -> str | None:
    """The preset that these options are, all of them, or None."""
    for name, differing in presets.items():
        if {**defaults, **differing} == dict(options):
            return name
    return None
