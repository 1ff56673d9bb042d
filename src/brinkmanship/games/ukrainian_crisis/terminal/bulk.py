"""Input lines for several small steps of Ukrainian Crisis at once: ``move 3 ground from RUS to KHA``."""

from __future__ import annotations

from brinkmanship.games.ukrainian_crisis.rules.data import SIDES, UNIT_TYPES, GameData

LITTLE_WORDS = frozenset({"from", "of", "in", "to", "into", "zone"})
MAX_UNITS = 64
"""Maximum number of units a line may move: all there are."""

VERBS = {"move": 2, "deploy": 1, "mobilise": 0, "mobilize": 0, "relocate": 1, "recover": 1}
"""The verbs of such lines, with the number of zones each names."""


def written_out(data: GameData, line: str, side: int) -> list[str]:
    """Return the actions of a line as journals write them; an empty list if the line has another form.

    A line is a verb, a number (1 if left out), a type of unit and zones; a prefix of a type's name is enough.
    """
    verb, *words = [word for word in line.casefold().split() if word not in LITTLE_WORDS]
    count = 1
    if words and words[0].isdecimal():
        count = min(int(words.pop(0)), MAX_UNITS)
    if verb not in VERBS or len(words) != 1 + VERBS[verb]:
        return []
    unit_types = [name for name in UNIT_TYPES if name.startswith(words[0])]
    zones = [word.upper() for word in words[1:]]
    if len(unit_types) != 1 or not set(zones) <= {zone.id for zone in data.zone}:
        return []
    unit = f"{SIDES[side]}_{unit_types[0]}"
    steps = {
        "move": ["unit {unit} {first}", "zone {last}"],
        "deploy": ["unit {unit} mobilisation", "zone {last}"],
        "relocate": ["unit {unit} {first}"],
        "recover": ["recover {unit} {first}"],
    }.get(verb, ["unit {unit} reserve"])
    first, last = (zones[0], zones[-1]) if zones else ("", "")
    return [step.format(unit=unit, first=first, last=last) for step in steps] * count
