"""Semantic checks of events in a data file, for both Cuban games, beyond the structure of the data.

`Dialect` lists the words of the common vocabulary that a game lacks; `foreign_words` finds them in the raw file, so
that a word is rejected even where it would have no effect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from brinkmanship.engine.data_file import Faults, Spot, fault, known_name, names, shown
from brinkmanship.engine.message import Argument, Message
from brinkmanship.games.cuban.data import (
    MAX_EFFECTS_PER_CARD,
    AnyEffect,
    Choose,
    Command,
    Condition,
    ExchangeHand,
    Move,
    Names,
    Place,
    PlaceUntil,
    Remove,
    Shift,
    TakeCard,
)


class AnyCard(Protocol):
    """The fields that a card has in both games."""

    @property
    def id(self) -> str: ...

    @property
    def names(self) -> Names: ...

    @property
    def effects(self) -> list[AnyEffect]: ...


class Dialect(NamedTuple):
    """The words that belong to the other game."""

    title: str
    """Title of this game."""
    other: str
    """Title of the game they belong to."""
    foreign: Mapping[str, Collection[str] | None]
    """By `op`: the fields that do not exist, or None for the whole operation."""
    words: Collection[str]
    """Values of fields: parties, filters, battlegrounds, and the keys of conditions."""


def foreign_words(raw: Mapping[str, Any], dialect: Dialect) -> Faults:
    """Return a fault for every word in the effects of a file that this game lacks."""
    for index, card in enumerate(raw["card"]):
        yield from _in_effects(("card", index, "effects"), card["effects"], dialect)


def _in_effects(at: Spot, effects: list[dict[str, Any]], dialect: Dialect) -> Faults:
    for index, effect in enumerate(effects):
        yield from _in_effect((*at, index), effect, dialect)
        for number, branch in enumerate(effect.get("options", ())):
            spot = (*at, index, "options", number)
            yield from _in_condition((*spot, "requires"), branch.get("requires", {}), dialect)
            yield from _in_effects((*spot, "effects"), branch["effects"], dialect)


def _in_effect(at: Spot, effect: dict[str, Any], dialect: Dialect) -> Faults:
    op = effect["op"]
    refused = dialect.foreign.get(op, ())
    if refused is None:
        yield from _refused((*at, "op"), f"op = {shown(op)}", dialect)
        return
    for field, value in effect.items():
        if field in refused:
            yield from _refused(
                (*at, field), Message("fault.foreign.field", {"field": field, "op": shown(op)}), dialect
            )
        values = value if isinstance(value, list) else [value]
        if field == "filter" and isinstance(value, list) and "filter list" in dialect.words:
            yield from _refused((*at, field), Message("fault.foreign.filters"), dialect)
        for one in values:
            if isinstance(one, str) and one in dialect.words and field in ("by", "of", "where", "filter"):
                yield from _refused((*at, field), shown(one), dialect)
    yield from _in_condition((*at, "if"), effect.get("if", {}), dialect)


def _in_condition(at: Spot, condition: dict[str, Any], dialect: Dialect) -> Faults:
    for field in condition:
        if field in dialect.words:
            yield from _refused((*at, field), Message("fault.foreign.condition", {"field": field}), dialect)


def _refused(at: Spot, what: Argument, dialect: Dialect) -> Faults:
    yield fault(at, "foreign", what=what, other=dialect.other, title=dialect.title)


def flat(card: AnyCard) -> Iterator[AnyEffect]:
    """Yield all effects of a card, including those inside `choose`."""
    waiting = list(reversed(card.effects))
    while waiting:
        effect = waiting.pop()
        yield effect
        if isinstance(effect, Choose):
            waiting.extend(inner for branch in effect.options for inner in branch.effects)


_NEVER_TV_LEADER = (Choose, ExchangeHand, TakeCard)


@dataclass(frozen=True)
class EventChecks:
    """Checks cards against the board of one game."""

    places: tuple[str, ...]
    """The ids of all battlegrounds."""
    groups: Mapping[str, tuple[str, ...]]
    """The battlegrounds behind each group name of a `where`."""
    tracks: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    """The areas of the DEFCON tracks."""

    def card(self, at: Spot, card: AnyCard) -> Faults:
        """Return the faults of a card."""
        yield from names((*at, "names"), card.names)
        yield from self._effects((*at, "effects"), card.effects)
        count = sum(1 for _ in flat(card))
        if count > MAX_EFFECTS_PER_CARD:
            yield fault((*at, "effects"), "most_effects", most=MAX_EFFECTS_PER_CARD, value=count)

    def _effects(self, at: Spot, effects: list[AnyEffect]) -> Faults:
        if not effects:
            yield fault(at, "no_effect")
        for index, effect in enumerate(effects):
            yield from self._effect((*at, index), effect)
            if (
                isinstance(effect, Shift)
                and effect.steps is not None
                and not any(isinstance(earlier, Shift) for earlier in effects[:index])
            ):
                yield fault((*at, index, "steps"), "earlier_shift")

    def _effect(self, at: Spot, effect: AnyEffect) -> Faults:
        if effect.condition is not None:
            yield from self._condition((*at, "if"), effect.condition)
        yield from self._parties(at, effect)
        yield from self._amount(at, effect)
        match effect:
            case Place(where=where):
                yield from self._where(at, where)
                if effect.each == 0:
                    yield fault((*at, "each"), "each")
            case PlaceUntil():
                yield from self._place_until(at, effect)
            case Remove():
                yield from self._remove(at, effect)
            case Move(where=where):
                yield from self._where(at, where)
            case Command(where=where) if where:  # an empty list: anywhere
                yield from self._where(at, where)
            case Shift():
                yield from self._shift(at, effect)
            case Choose():
                yield from self._choose(at, effect)

    def _condition(self, at: Spot, condition: Condition) -> Faults:
        for name, what, known in (
            ("leader_on", "battleground", self.places),
            ("at", "battleground", self.places),
            ("track", "track", self.tracks),
            ("area", "area", self.areas),
        ):
            value = getattr(condition, name)
            if value is not None:
                yield from known_name((*at, name), value, known, what)

    def _parties(self, at: Spot, effect: AnyEffect) -> Faults:
        parties = {name: getattr(effect, name) for name in ("by", "of") if hasattr(effect, name)}
        if isinstance(effect, TakeCard):
            for name, only in (("by", "actor"), ("of", "opponent")):
                if parties[name] != only:
                    yield fault((*at, name), "take_card", what=shown(only), value=shown(parties[name]))
        for name, party in parties.items():
            if party != "tv_leader":
                continue
            if isinstance(effect, _NEVER_TV_LEADER):
                yield fault((*at, name), "tv_leader.op", op=shown(effect.__struct_config__.tag))
            elif effect.condition is None or effect.condition.leader_on != "television":
                yield fault((*at, name), "tv_leader.if", condition='{ leader_on = "television" }')

    def _amount(self, at: Spot, effect: AnyEffect) -> Faults:
        """Check the amount: exactly one of its fields is given, and `min` only below a `max`."""
        match effect:
            case Place():
                fields: tuple[str, ...] = ("max", "exactly")
            case Remove():
                fields = ("max", "exactly", "amount")
            case Shift():
                fields = ("max", "exactly", "steps")
            case Move():
                fields = ("max", "exactly")
            case _:
                return
        given = [name for name in fields if getattr(effect, name) is not None]
        if len(given) != 1:
            spot = (*at, given[1]) if given else at
            several = tuple(Message("fault.plain", {"what": name}) for name in given)
            if several:
                yield fault(spot, "exactly_one", fields=", ".join(fields), given=several)
            else:
                yield fault(spot, "exactly_one.none", fields=", ".join(fields))
        if isinstance(effect, Move):
            return
        if effect.min and not (effect.max == "all" or (effect.max is not None and effect.min <= effect.max)):
            if effect.max is None:
                yield fault((*at, "min"), "needs_max")
            else:
                yield fault((*at, "min"), "at_most.max", most=effect.max, value=effect.min)

    def _where(self, at: Spot, where: list[str]) -> Faults:
        if not where:
            yield fault((*at, "where"), "no_where", example='["all"]')
        for index, name in enumerate(where):
            yield from known_name((*at, "where", index), name, (*self.places, *self.groups), "battleground or group")

    def _place_until(self, at: Spot, effect: PlaceUntil) -> Faults:
        if len(effect.where) != 1 or effect.where[0] in self.groups:
            given = ", ".join(map(shown, effect.where))
            yield fault((*at, "where"), "one_place", example='["italy"]', given=given)
        yield from self._where(at, effect.where)
        if not effect.stop:
            yield fault((*at, "stop"), "name_at_least_one", all="leads_by_1, battleground_full, supply_empty")

    def _remove(self, at: Spot, effect: Remove) -> Faults:
        yield from self._where(at, effect.where)
        if effect.amount is not None and effect.sites is None:
            yield fault((*at, "sites"), "half_up")
        places = {place for name in effect.where for place in self.groups.get(name, (name,))}
        if effect.sites is not None and effect.sites > len(places):
            yield fault((*at, "sites"), "at_most.sites", most=len(places), value=effect.sites)

    def _shift(self, at: Spot, effect: Shift) -> Faults:
        if not effect.tracks:
            yield fault((*at, "tracks"), "name_at_least_one", all=", ".join(self.tracks))
        for index, track in enumerate(effect.tracks):
            yield from known_name((*at, "tracks", index), track, self.tracks, "track")
            if track in effect.tracks[:index]:
                yield fault((*at, "tracks", index), "twice", name=shown(track))
        if effect.pick == "up_to_two" and len(effect.tracks) < 2:
            yield fault((*at, "pick"), "up_to_two")
        if effect.pick == "all" and effect.exactly is None:
            yield fault((*at, "pick"), "all_exactly")
        forced = '"all"' if effect.pick == "all" else '"as_moved_before"' if effect.steps else ""
        if forced and effect.dir == "either":
            yield fault((*at, "dir"), "direction", forced=forced)

    def _choose(self, at: Spot, effect: Choose) -> Faults:
        for index, branch in enumerate(effect.options):
            spot = (*at, "options", index)
            if branch.requires is not None:
                yield from self._condition((*spot, "requires"), branch.requires)
            yield from self._effects((*spot, "effects"), branch.effects)
