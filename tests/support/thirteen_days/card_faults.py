"""Faulty copies of the data file of 13 Days, and what is said of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from brinkmanship.engine.errors import DataFileError
from brinkmanship.games.thirteen_days.rules.loading import load

ORIGINAL = files("brinkmanship.games.thirteen_days").joinpath("cards.toml").read_text(encoding="utf-8")


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """A designer's copy in which `old`, which must stand there exactly once, is replaced."""
    assert ORIGINAL.count(old) == 1, f"{ORIGINAL.count(old)} times in the original: {old}"
    path = tmp_path / "my.toml"
    path.write_text(ORIGINAL.replace(old, new), encoding="utf-8")
    return path


def fault_in(path: Path) -> DataFileError:
    with pytest.raises(DataFileError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    return caught.value


# What is changed (- becomes +), what is said about it ("..." stands for anything), and a text on the line it is said of
# where that is not the first changed line.
FAULTS = r"""# TOML

- rounds = 3
+ rounds =
= not valid TOML: the value is missing or cannot be read (column 9)

- rounds = 3
+ rounds = 3
+ rounds = 4
= not valid TOML: this field or table appears twice ...
@ rounds = 4

- rounds = 3
+ rounds = "\q"
= not valid TOML: a backslash in text is written \\ (column ...

# Fields and their values

- world_opinion"], max = 3
+ world_opinion"], maxx = 3
= card "speech_to_the_nation", effects[0].maxx: there is no such field; did you mean "max"? ...

- world_opinion"], max = 3
+ world_opinion"], max = "three"
= card "speech_to_the_nation", effects[0].max: must be a whole number from 0 to 9, not "three"

- world_opinion"], max = 3
+ world_opinion"], max = 10
= card "speech_to_the_nation", effects[0].max: must be a whole number from 0 to 9, not 10

- world_opinion"], max = 3
+ world_opinion"], max = 2.5
= card "speech_to_the_nation", effects[0].max: must be a whole number from 0 to 9, not 2.5

- max = "all", sites
+ max = "al", sites
= card "public_protests", effects[0].max: must be a whole number from 0 to 9 or "all", not "al"; did you mean "all"?

- [{ op = "exchange_hand" }]
+ [{ op = "exchange_hands" }]
= card "summit_meeting", effects[0].op: must be ... not "exchange_hands"; did you mean "exchange_hand"?

- [{ op = "exchange_hand" }]
+ [{ by = "us" }]
= card "summit_meeting", effects[0].op: is missing; it must be ... "exchange_hand"...

- effects = [{ op = "exchange_hand" }]
+
= card "summit_meeting", effects: is missing; it must be a list [ ... ]
@ id = "summit_meeting"

- id = "quarantine"
+
= card number 23, id: is missing; it must be text in quotes
@ [[card]]

- id = "quarantine"
- side = "us"
+ id = "quarantine"
+ side = "usa"
= card "quarantine", side: must be "un", "us" or "ussr", not "usa"; did you mean "us"?

- en = "Scramble"
+ en = 7
= card "scramble", names.en: must be text in quotes, not 7

- { effects = [{ op = "deflation_ban", of = "us" }] },
+
= card "bay_of_pigs", effects[0].options: must be a list [ ... ] with 2 to 8 entries, not a list of 1
@ effects = [{ op = "choose", by = "us"

- op = "deflation_ban", of = "us"
+ op = "deflation_ban", of = "uss"
= card "bay_of_pigs", effects[0].options[1].effects[0].of: must be ... not "uss"; did you mean "ussr"?

- if = { leader_on = "television" }
+ if = { leader_on = "television", at_least = 1 }
= card "fifty_fifty", effects[0].if: a condition is { leader_on }, ... not { at_least, leader_on }

- than = "ussr"
+ than = "us"
= card "eyeball_to_eyeball", effects[0].if: `higher` and `than` must be different sides

- rounds = 3
+ round = 3
= limits.round: there is no such field; did you mean "rounds"? ...

- rounds = 3
+ rounds = 10
= limits.rounds: must be a whole number from 1 to 9, not 10

- [options]
+ [option]
= option: there is no such field; did you mean "options"? ...

- schema = 1
+ schema = 2
= schema: must be 1, not 2

- schema = 1
+ file = "x"
+ schema = 1
= file: there is no such field; ...

- defcon_2 = [4, 5, 6]
+ defcon_2 = [4, "five", 6]
= areas.defcon_2[1]: must be a whole number, not "five"

# Limits, areas, start, options

- turns_per_round = 4
+ turns_per_round = 5
= limits.turns_per_round: must be at most hand_size - 1 = 4, not 5: ...

- defcon_3 = [1, 2, 3]
+ defcon_3 = [1, 3, 2]
= areas.defcon_3[1]: must be 2, not 3: ...

- defcon_1 = [7, 8]
+ defcon_1 = [7]
= areas.defcon_1: must end with step 8 (limits.defcon_max), not 7

- defcon_1 = [7, 8]
+ defcon_4 = [7, 8]
= areas.defcon_4: there is no area "defcon_4"; ...

- defcon_1 = [7, 8]
+
= areas.defcon_1: is missing; ...
@ [areas]

- defcon_3 = [1, 2, 3]
- defcon_2 = [4, 5, 6]
+ defcon_3 = []
+ defcon_2 = [1, 2, 3, 4, 5, 6]
= areas.defcon_3: must have at least one step

- prestige = 0
+ prestige = -6
= start.prestige: must be from -5 to 5 (prestige_lead_max), not -6

- defcon_us = { military = 1
+ defcon_us = { military = 9
= start.defcon_us.military: must be a step from 1 to 8, not 9

- defcon_us = { military = 1,
+ defcon_us = {
= start.defcon_us.military: is missing; ...

- cubes_us = { italy
+ cubes_us = { italia
= start.cubes_us.italia: there is no battleground "italia"; did you mean "italy"? ...

- cubes_us = { italy = 1
+ cubes_us = { italy = 6
= start.cubes_us.italy: must be from 0 to 5 ...

- cubes_per_side = 17
+ cubes_per_side = 1
= start.cubes_us: at most 1 cubes in total ...
@ cubes_us = { italy

- default = "total"
+ default = "totals"
= option "brink_floor", default: must be "total" or "before_letter", not "totals"

- other = ["before_letter"]
+ other = []
= option "brink_floor", other: must hold the other values, here ["before_letter"], not []

- letter_on_event_command = { default = false
+ letter_on_event_command = { default = "no"
= option "letter_on_event_command", default: must be false or true, not "no"

- brink_floor =
+ brink_flor =
= option "brink_flor": there is no option "brink_flor"; did you mean "brink_floor"? ...

- brink_floor = { default = "total", other = ["before_letter"], rule = "R27" }
+
= option "brink_floor": is missing; ...
@ [options]

# The board

- order = 4
+ order = 5
= battleground "italy", order: must be 4, not 5

- id = "italy"
- track
+ id = "france"
+ track
= battleground "france", id: there is no battleground "france"; known: cuba_military, ...

- id = "italy"
- track = "political"
+ id = "italy"
+ track = "military"
= battleground "italy", track: must be "political", not "military": ...

- bonus = "draw"
+ bonus = "letter"
= battleground "alliances", bonus: must be "draw", not "letter": ...

- bonus = "draw"
+
= battleground "alliances", bonus: must be "draw", not nothing: ...
@ id = "alliances"

- [[track]]
- order = 2
- id = "world_opinion"
+ [[track]]
+ order = 2
+ id = "television"
= track "television", id: there is no track "television"; ...
@ id = "television"

- names = { en = "Military DEFCON track",
+ names = {
= track "military", names.en: is missing; a name needs at least an English text, ...

# Agendas

- kind = "letter"
+ kind = "track"
= agenda "personal_letter", track: is missing; an agenda of kind "track" needs it
@ id = "personal_letter"

- award = 2
- flag
+ award = 2
+ connected = ["italy"]
+ flag
= agenda "personal_letter", connected: an agenda of kind "letter" has no use for it; remove it

- flag = "united_nations"
+ flag = "un"
= agenda "personal_letter", flag: there is no battleground or track "un"; ...

- battleground = "berlin"
+ battleground = "berlyn"
= agenda "berlin", battleground: there is no battleground "berlyn"; did you mean "berlin"? ...

- track = "political"
- defcon_icon
+ track = "politics"
+ defcon_icon
= agenda "political_track", track: there is no track "politics"; did you mean "political"? ...

- connected = ["cuba_military", "atlantic"]
+ connected = ["cuba_political"]
= agenda "cuba_political", connected[0]: ... "cuba_political" does not belong here

- id = "political_track"
+ id = "military_track"
= agenda "military_track", id: "military_track" is the id of an earlier agenda; ...

- rounds = 3
+ rounds = 6
= there are 13 agenda cards, but at least 16 are needed: ...
@ nowhere

# Cards and the deck

- id = "u2_downed"
+ id = "quarantine"
= card "quarantine", id: "quarantine" is the id of an earlier card; every id must be different

- id = "u2_downed"
+ id = "U-2"
= card "U-2", id: must consist of a-z, 0-9 and _ ...

- names = { en = "Quarantine",
+ names = {
= card "quarantine", names.en: is missing; a name needs at least an English text, ...

- effects = [{ op = "exchange_hand" }]
+ effects = []
= card "summit_meeting", effects: must have at least one effect

- effects = [{ op = "deflation_ban", of = "us" }]
+ effects = []
= card "bay_of_pigs", effects[0].options[1].effects: must have at least one effect

- hand_size = 5
+ hand_size = 6
= the deck can run out (R44): there are 39 strategy cards, and a game can draw 45 (36 dealt, 3 for ...
@ nowhere

- [{ op = "exchange_hand" }]
+ [{ op = "exchange_hand" }, { op = "exchange_hand" }]
= the deck can run out (R44): ... can draw 42 ...
@ nowhere

- [{ op = "take_card", of = "opponent" }]
+ [{ op = "take_card" }, { op = "take_card" }, { op = "take_card" }]
= the deck can run out (R44): ... can draw 40 ...
@ nowhere

# Amounts and places of effects

- where = ["world_opinion"]
+ where = ["world_opinions"]
= card "speech_to_the_nation", effects[0].where[0]: there is no battleground or group "world_opinions"; did you mean ...

- where = ["world_opinion"]
+ where = []
= card "speech_to_the_nation", effects[0].where: must name at least one battleground or group; ...

- world_opinion"], max = 3,
+ world_opinion"],
= card "speech_to_the_nation", effects[0]: needs exactly one of max, exactly; it has none

- world_opinion"], max = 3
+ world_opinion"], max = 3, exactly = 3
= card "speech_to_the_nation", effects[0].exactly: needs exactly one of max, exactly; it has max and exactly

- world_opinion"], max = 3
+ world_opinion"], max = 3, min = 4
= card "speech_to_the_nation", effects[0].min: must be at most max = 3, not 4

- world_opinion"], max = 3
+ world_opinion"], exactly = 3, min = 1
= card "speech_to_the_nation", effects[0].min: needs a max

- world_opinion"], max = 3, each = 2
+ world_opinion"], max = 3, each = 0
= card "speech_to_the_nation", effects[0].each: must be at least 1; ...

- where = ["italy"]
+ where = ["political"]
= card "suez_hungary", effects[0].where: must be one battleground, for example ["italy"], not ["political"]

- where = ["italy"]
+ where = ["italy", "turkey"]
= card "suez_hungary", effects[0].where: must be one battleground, ...

- stop = ["leads_by_1", "battleground_full", "supply_empty"]
+ stop = []
= card "suez_hungary", effects[0].stop: must name at least one of ...

- of = "us", where = ["cuba_military", "cuba_political"], sites = 1
+ of = "us", where = ["cuba_military", "cuba_political"], sites = 1, max = 2
= card "u2_downed", effects[1].amount: needs exactly one of max, exactly, amount; it has max and amount

- of = "us", where = ["cuba_military", "cuba_political"], sites = 1
+ of = "us", where = ["cuba_military", "cuba_political"]
= card "u2_downed", effects[1].sites: is missing; ...

- of = "us", where = ["cuba_military", "cuba_political"], sites = 1
+ of = "us", where = ["cuba_military", "cuba_political"], sites = 3
= card "u2_downed", effects[1].sites: must be at most 2, ...

# Shifts

- dir = "down", exactly = 1
+ dir = "down", max = 1
= card "u_thant", effects[0].pick: "all" needs `exactly`: ...

- dir = "down", exactly = 1
+ dir = "either", exactly = 1
= card "u_thant", effects[0].dir: must be "up" or "down" with "all", not "either"

- dir = "down", exactly = 1
+ dir = "down"
= card "u_thant", effects[0]: needs exactly one of max, exactly, steps; it has none

- dir = "up", max = 2
+ dir = "up", steps = "as_moved_before"
= card "invasion_of_cuba", effects[0].steps: "as_moved_before" needs an earlier shift in the same list

- dir = "down", steps
+ dir = "either", steps
= card "invasion_of_cuba", effects[1].dir: must be "up" or "down" with "as_moved_before", not "either"

- tracks = ["military", "political", "world_opinion"], pick = "up_to_two"
+ tracks = ["military"], pick = "up_to_two"
= card "fifty_fifty", effects[0].pick: "up_to_two" needs at least 2 tracks to pick from

- tracks = ["military", "political", "world_opinion"], pick = "up_to_two"
+ tracks = ["military", "military"], pick = "up_to_two"
= card "fifty_fifty", effects[0].tracks[1]: "military" is listed twice

- tracks = ["military", "political", "world_opinion"], pick = "up_to_two"
+ tracks = ["military", "politics"], pick = "up_to_two"
= card "fifty_fifty", effects[0].tracks[1]: there is no track "politics"; did you mean "political"? ...

- tracks = ["military", "political", "world_opinion"], pick = "up_to_two"
+ tracks = [], pick = "one"
= card "fifty_fifty", effects[0].tracks: must name at least one of military, political, world_opinion

# Parties and conditions

- optional = true, if = { leader_on = "television" }
+ optional = true
= card "fifty_fifty", effects[0].by: "tv_leader" needs if = { leader_on = "television" } in the same effect: ...

- op = "modifier", of = "actor"
+ op = "modifier", of = "tv_leader"
= card "sops", effects[0].of: "tv_leader" needs if = { leader_on = "television" } in the same effect: ...

- [{ op = "exchange_hand" }]
+ [{ op = "exchange_hand", by = "tv_leader" }]
= card "summit_meeting", effects[0].by: "tv_leader" cannot be used with op = "exchange_hand"; ...

- op = "choose", by = "us"
+ op = "choose", by = "tv_leader"
= card "bay_of_pigs", effects[0].by: "tv_leader" cannot be used with op = "choose"; ...

- op = "take_card", of = "opponent"
+ op = "take_card", of = "actor"
= card "intelligence_reports", effects[0].of: must be "opponent" in a take_card, not "actor"

- op = "take_card", of = "opponent"
+ op = "take_card", by = "us"
= card "intelligence_reports", effects[0].by: must be "actor" in a take_card, not "us"

- leader_on = "television"
+ leader_on = "televison"
= card "fifty_fifty", effects[0].if.leader_on: there is no battleground "televison"; did you mean "television"? ...

- leader_on = "television"
+ leader_on = "berlin"
= card "fifty_fifty", effects[0].by: "tv_leader" needs if = { leader_on = "television" } in the same effect: ...

- than = "ussr", track = "military"
+ than = "ussr", track = "mil"
= card "eyeball_to_eyeball", effects[0].if.track: there is no track "mil"; ...

- marker = "us", track = "political", area = "defcon_3"
+ marker = "us", track = "political", area = "defcon3"
= card "offensive_missiles", effects[0].if.area: there is no area "defcon3"; did you mean "defcon_3"? ...

- at = "alliances", at_least
+ at = "alliance", at_least
= card "bay_of_pigs", effects[0].options[0].requires.at: ... did you mean "alliances"? ...
"""


class Fault(NamedTuple):
    """A block of `FAULTS`."""

    old: str
    new: str
    message: str
    stands_on: str

    @property
    def pattern(self) -> str:
        return ".*".join(re.escape(part) for part in re.split(r" ?\.\.\. ?|\.\.\.$", self.message))


def faults() -> Iterator[Fault]:
    for block in re.split(r"\n\n+", re.sub(r"(?m)^#.*$", "", FAULTS).strip()):
        by_sign: dict[str, list[str]] = {sign: [] for sign in "-+=@"}
        for line in block.splitlines():
            by_sign[line[0]].append(line[2:])
        old, new, message, stands_on = ("\n".join(lines) for lines in by_sign.values())
        yield Fault(old, new, message, stands_on)
