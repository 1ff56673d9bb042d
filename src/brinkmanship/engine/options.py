"""Options of a ruleset: points of the rules on which reasonable people differ, and presets of them.

A data file lists each option with its default (`Option`) and may name presets, that is options that go together:
those of an edition. Whoever chooses gives ``name: value``; the name `PRESET` stands for all options of a preset, of
which single ones may be chosen otherwise. So a preset can be given wherever an option can: on the command line, over
the API, in the header of a journal.
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
    """The game has no option of this name, but these."""
    return OptionError(Message("fault.option.unknown", {"title": title, "name": name, "known": ", ".join(known)}))


def takes(name: str, what: Argument, value: OptionValue) -> OptionError:
    """The option does not take this value, but something else."""
    return OptionError(Message("fault.option.takes", {"name": name, "what": what, "value": _text(value)}))


def any_of(texts: Iterable[str]) -> Argument:
    """Texts joined by "or"."""
    *most, last = texts
    return Message("fault.type.or", {"most": ", ".join(most), "last": last}) if most else last


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
