"""Pictograms of the events of 13 Days and 13 Minutes: a line of marks for each effect; and their legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod

from brinkmanship.drawing import icons as marks
from brinkmanship.drawing import pictogram_icons as m
from brinkmanship.drawing.phrases import Phrases
from brinkmanship.drawing.pictogram import LegendEntry, PictogramLine, Token, boxed, length, sample
from brinkmanship.drawing.svg import NOTHING
from brinkmanship.games.cuban.data import (
    AnyEffect,
    Choose,
    Command,
    Condition,
    DeflationBan,
    Effect,
    ExchangeHand,
    Modifier,
    Move,
    Party,
    Place,
    PlaceUntil,
    Prestige,
    Relocate,
    Remove,
    Shift,
    TakeCard,
)

_OTHER = {"us": "ussr", "ussr": "us", "own": "opponent", "opponent": "own", "leader": "opponent"}
_THEN = m.ink("then")


@dataclass(frozen=True)
class EventLines:
    """Drawer of events of a card of `side`."""

    side: str
    """ "us", "ussr", "un"."""
    kinds: Sequence[str]
    """The kinds of battlegrounds."""
    tracks: Mapping[str, str] = field(default_factory=dict)
    """The kind of each battleground that shares its emblem with another one."""
    areas: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The steps of each DEFCON area."""

    def lines(self, effects: Sequence[AnyEffect]) -> list[PictogramLine]:
        """Return a line for each effect, more for alternatives."""
        found: list[PictogramLine] = []
        for index, effect in enumerate(effects):
            lead = (_THEN,) if index else ()
            rest = (m.blank(_THEN.width),) if index else ()
            if isinstance(effect, Choose):
                found += self._alternatives(effect, lead)
                continue
            tokens = (*self.condition(effect.condition), *self.effect(effect))
            found.append(PictogramLine(tokens, lead, rest))
        return found

    def place(self, id: str) -> Token:
        """Return a battleground in its frame."""
        return m.plate(self._named(id))

    # ---- the effects

    @singledispatchmethod
    def effect(self, effect: Effect) -> tuple[Token, ...]:
        """Return the marks of an effect."""
        raise TypeError(f"no marks for {type(effect).__name__}")

    @effect.register
    def _place(self, effect: Place) -> tuple[Token, ...]:
        tokens = [
            *self._chooser(effect.by),
            *self._amount(effect.max, effect.min, effect.exactly),
            m.side(self._who(effect.of)),
            m.ink("arrow", glued=True),
            *self._places(effect.where, effect.sites, effect),
        ]
        total = effect.exactly if effect.exactly is not None else effect.max
        if effect.each is not None and (total is None or effect.each < total):
            tokens.append(m.plate([m.number(f"≤{effect.each}", "up_to")], "each"))
        return self._optional(effect, (*tokens, *self._movement(effect)))

    @effect.register
    def _place_until(self, effect: PlaceUntil) -> tuple[Token, ...]:
        who = self._who(effect.of)
        marks = {
            "leads_by_1": [m.ink("crown", glued=True), m.number("+1", glued=False)],
            "battleground_full": [m.plate([m.side(who, 10), m.side(who, 10)], "full")],
            "supply_empty": [m.without(who)._replace(keys=("supply_empty",))],
        }
        tokens = [m.side(who), m.ink("arrow", glued=True), *self._places(effect.where, None)]
        tokens.append(m.ink("stop", glued=True))
        for number, stop in enumerate(effect.stop):
            if number:
                tokens.append(_slash())
            tokens += marks[stop]
        return tuple(tokens)

    @effect.register
    def _remove(self, effect: Remove) -> tuple[Token, ...]:
        if effect.amount == "half_up":
            amount: list[Token] = [m.number("½", "half")]
        elif effect.max == "all":
            amount = [m.ink("any", glued=True)._replace(keys=("any_number",))]
        else:
            amount = self._amount(effect.max, effect.min, effect.exactly)
        tokens = (
            *self._chooser(effect.by),
            *self._places(effect.where, effect.sites, effect),
            m.ink("arrow", glued=True),
            *amount,
            m.struck(self._who(effect.of)),
            *self._movement(effect),
        )
        return self._optional(effect, tokens)

    @effect.register
    def _relocate(self, effect: Relocate) -> tuple[Token, ...]:
        return (
            *self._chooser(effect.by),
            *self._places(["all"], None),
            m.ink("arrow", glued=True),
            *self._amount(effect.max, 0, None),
            m.side(self._who(effect.of)),
            m.ink("arrow", glued=True),
            *self._places(["all"], None),
        )

    @effect.register
    def _move(self, effect: Move) -> tuple[Token, ...]:
        who = self._who(effect.of)
        way = {
            "either": (m.ink("side_ways", glued=True),),
            "neutral": (m.ink("to_middle", glued=True),),
            "toward": (m.ink("towards", glued=True), m.side(who)._replace(glued=True)),
            "away": (m.ink("away", glued=True), m.side(who)._replace(glued=True)),
        }[effect.dir]
        tokens = (
            *self._chooser(effect.by),
            *self._places(effect.where, effect.sites, effect),
            *way,
            *_last(self._amount(effect.max, 0, effect.exactly)),
        )
        return self._optional(effect, tokens)

    @effect.register
    def _shift(self, effect: Shift) -> tuple[Token, ...]:
        steps = [m.number("=", "as_before")] if effect.steps else self._amount(effect.max, effect.min, effect.exactly)
        by = () if effect.by == effect.of == "tv_leader" else self._chooser(effect.by)
        tokens = (
            *by,
            m.side(self._who(effect.of)),
            *self._tracks(effect),
            m.ink(effect.dir, glued=True),
            *_last(steps),
        )
        return self._optional(effect, tokens)

    @effect.register
    def _command(self, effect: Command) -> tuple[Token, ...]:
        by = self._who(effect.by)
        tokens: tuple[Token, ...] = (m.command(by, place_only=effect.place_only)._replace(glued=True),)
        tokens += tuple(_last([m.number(str(effect.n))]))
        if effect.where:
            tokens += (m.ink("arrow", glued=True), *self._places(effect.where, 1))
        return (m.ink("open", glued=True), *tokens, _shut()) if effect.optional else tokens

    @effect.register
    def _prestige(self, effect: Prestige) -> tuple[Token, ...]:
        return (
            m.side(self._who(effect.of))._replace(glued=True),
            m.number(f"+{effect.exactly}"),
            m.ink("prestige"),
        )

    @effect.register
    def _modifier(self, effect: Modifier) -> tuple[Token, ...]:
        change = m.number(f"{'+' if effect.delta >= 0 else '−'}{abs(effect.delta)}")
        floor = [m.number(f"≥{effect.floor}", "at_least", glued=False)] if effect.floor is not None else []
        command = m.command(self._who(effect.of))._replace(glued=True)
        return (command, *_last([change]), *floor, m.ink("round"))

    @effect.register
    def _deflation_ban(self, effect: DeflationBan) -> tuple[Token, ...]:
        return (m.side(self._who(effect.of)), m.thermometer(), m.no_lowering(), m.ink("round"))

    @effect.register
    def _exchange_hand(self, effect: ExchangeHand) -> tuple[Token, ...]:
        return (
            *self._chooser(effect.by),
            m.ink("any", glued=True)._replace(keys=("any_number",)),
            m.ink("card", glued=True),
            m.ink("swap", glued=True),
            m.ink("drawn"),
        )

    @effect.register
    def _take_card(self, effect: TakeCard) -> tuple[Token, ...]:
        taker, giver = self._who(effect.by), self._who(effect.of)
        return (
            m.side(giver)._replace(glued=True),
            m.ink("card", glued=True),
            m.ink("arrow", glued=True),
            m.side(taker),
            m.blank(6.0),
            _THEN._replace(glued=True),
            m.side(giver)._replace(glued=True),
            m.number("+1"),
            m.ink("drawn"),
        )

    def _alternatives(self, effect: Choose, lead: tuple[Token, ...]) -> Iterator[PictogramLine]:
        opening = (*lead, *self.condition(effect.condition), *self._chooser(effect.by))
        room = m.blank(length(opening)) if opening else None
        below = (room,) if room else ()
        last = len(effect.options) - 1
        for number, branch in enumerate(effect.options):
            inner = self.lines(branch.effects)
            shape = "first" if number == 0 else "last" if number == last else "middle"
            stem = m.fork("stem") if number != last else m.blank(m.fork("stem").width)
            for index, one in enumerate(inner):
                begins = opening if number == index == 0 else below
                tokens = (*self.condition(branch.requires), *one.tokens) if index == 0 else one.tokens
                twig = m.fork(shape) if index == 0 else stem
                yield PictogramLine(tokens, (*begins, twig, *one.lead), (*below, stem, *one.rest))

    # ---- conditions

    def condition(self, condition: Condition | None) -> tuple[Token, ...]:
        """Return the marks of a condition followed by a question mark; none without a condition."""
        if condition is None:
            return ()
        question_mark = m.ink("if")
        if condition.leader_on is not None:
            return (*self._places([condition.leader_on], None), m.ink("crown", glued=True), question_mark)
        if condition.marker is not None:
            sizes = tuple(len(steps) for steps in self.areas.values())
            chosen = next((n for n, area in enumerate(self.areas) if area == condition.area), -1)
            track = m.thermometer(condition.track or "")._replace(glued=True)
            return (
                m.side(condition.marker)._replace(glued=True),
                track,
                m.areas(sizes, chosen)._replace(glued=True),
                question_mark,
            )
        if condition.higher is not None:
            track = m.thermometer(condition.track or "")._replace(glued=True)
            first, other = m.side(condition.higher), m.side(condition.than or "")
            more = m.number(">", "higher")
            return (track, first._replace(glued=True), more, other._replace(glued=True), question_mark)
        who = m.side(condition.cubes_of or "")._replace(glued=True)
        least = m.number(f"≥{condition.at_least}", "at_least")
        return (
            *(token._replace(glued=True) for token in self._places([condition.at or ""], None)),
            least,
            who,
            question_mark,
        )

    # ---- who, how many, where

    def _who(self, party: Party) -> str:
        if party == "actor":
            return "own" if self.side == "un" else self.side
        if party == "opponent":
            return _OTHER[self._who("actor")]
        return "leader" if party == "tv_leader" else party

    def _chooser(self, by: Party) -> tuple[Token, ...]:
        who = self._who(by)
        return () if who == self._who("actor") else (m.chooser(who)._replace(glued=True),)

    def _amount(self, most: int | str | None, least: int, exactly: int | None) -> list[Token]:
        if exactly is not None:
            return [m.number(str(exactly))]
        if most is None or most == "all":
            return [m.ink("any", glued=True)._replace(keys=("any_number",))]
        if least:
            return [m.number(f"{least}–{most}" if least != most else str(most), "from_to" if least != most else "")]
        return [m.number(f"≤{most}", "up_to")]

    def _optional(self, effect: Place | Remove | Move | Shift, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        least = 0 if isinstance(effect, Move) else effect.min
        whole = (isinstance(effect, Remove) and effect.amount) or (isinstance(effect, Shift) and effect.steps)
        if not (effect.optional and (effect.exactly is not None or least or whole)):
            return tokens  # a chooser who may take none needs no "may" mark
        return (m.ink("open", glued=True), *tokens, _shut())

    def _places(
        self, where: Sequence[str], sites: int | None, effect: Place | Remove | Move | None = None
    ) -> Iterable[Token]:
        qualified = list(self._qualified(effect)) if effect is not None else []
        plates = [m.plate([*self._named(name), *qualified]) for name in where]
        several = len(plates) > 1 or where[0] in ("all", *self.kinds)
        if sites is not None and several and not (sites == 1 and len(plates) > 1):
            yield m.number(f"{'≤' if sites > 1 else ''}{sites}×", "sites" if sites > 1 else "one_place")
        for number, found in enumerate(plates):
            if number and sites == 1:
                yield _slash()
            yield found

    def _named(self, name: str) -> list[Token]:
        if name == "all":
            return [m.ink("any")._replace(keys=("anywhere",))]
        if name in self.kinds:
            return [m.kind(name)]
        if name == "just_played":
            return [m.ink("card")._replace(keys=("just_played",))]
        if (emblem := m.emblem(name)) is not None:
            return [emblem]
        found = m.emblem(name.partition("_")[0])  # the two of Cuba share an emblem: the kind distinguishes them
        kind = self.tracks.get(name)
        marks = [found] if found else []
        return [*marks, m.kind(kind, 12)] if kind else marks or [m.number(name[:3].upper())]

    def _qualified(self, effect: Place | Remove | Move) -> Iterator[Token]:
        filters = [effect.filter] if isinstance(effect.filter, str) else effect.filter or []
        for one in filters:
            whose, _, has = one.partition("_")
            who = self._who(effect.of)
            who = who if whose == "of" else _OTHER[who]
            yield m.has(who) if has == "has_cubes" else m.without(who)
        for area in effect.area:
            by = self._who(effect.by)
            yield m.sphere({"own": by, "opponent": _OTHER[by], "neutral": ""}[area])

    def _movement(self, effect: Place | Remove) -> tuple[Token, ...]:
        if effect.movement == "normal":
            return ()
        ways = m.ink("side_ways")
        if effect.movement == "none":
            return (m.crossed_out(ways, "stays"),)
        return (
            m.plate([m.ink("any")._replace(keys=("anywhere",))]),
            ways._replace(glued=True),
            m.number("1", glued=False),
        )

    def _tracks(self, effect: Shift) -> Iterator[Token]:
        every = set(effect.tracks) >= set(self.kinds)
        if effect.pick == "highest":
            yield m.highest()._replace(glued=True)
        elif effect.pick == "up_to_two":
            yield m.number("≤2×", "sites")
        elif effect.pick == "one" and len(effect.tracks) > 1:
            yield m.number("1×", "one_place")
        if every and effect.pick != "all":
            yield m.any_track()
            return
        yield m.thermometer()
        for number, track in enumerate(effect.tracks):
            if number and effect.pick == "one":
                yield _slash()
            yield m.kind(track)


def _last(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield marks that stay together on one line."""
    found = list(tokens)
    for number, token in enumerate(found):
        yield token._replace(glued=number < len(found) - 1)


def _slash() -> Token:
    return m.number("/", "one_of", glued=False)


def _shut() -> Token:
    return m.ink("shut")._replace(keys=())


def explained(keys: Iterable[str], labels: Phrases) -> list[LegendEntry]:
    """Return the meaning of these marks, a mark and a phrase for each key.

    Raises:
        MissingTextError: there is no text for one of them.
    """
    return [LegendEntry(key, sample(example(key)), _meaning(key, labels)) for key in keys]


def example(key: str) -> Token:
    """Return a mark as a legend shows it."""
    what, _, name = key.partition(":")
    if what == "side":
        return m.side(name)
    if what == "kind":
        return m.kind(name)
    if what == "battleground":
        return m.emblem(name) or m.number(name[:3].upper())
    return _EXAMPLES[key] if key in _EXAMPLES else m.ink(key)


def _meaning(key: str, labels: Phrases) -> str:
    what, _, name = key.partition(":")
    if what == "side" and name in marks.SIDE_CSS:
        return labels.words.name("side", name)
    if what == "battleground" and name != "cuba":
        return labels.words.name("battleground", name)
    if what == "kind":
        return labels.sentence(f"kind.{name}")
    return labels.sentence(f"mark.{name or key}")


_EXAMPLES: Mapping[str, Token] = {
    "chooser": m.chooser("us"),
    "gone": m.struck("ussr"),
    "has": m.plate([m.has("us")]),
    "without": m.plate([m.without("us")]),
    "any_number": m.ink("any"),
    "anywhere": m.plate([m.ink("any")]),
    "any_track": m.any_track(),
    "track": m.thermometer(),
    "highest": m.highest(),
    "ban": m.no_lowering(),
    "stays": m.crossed_out(m.ink("side_ways"), "stays"),
    "sphere": m.sphere("us"),
    "neutral": m.sphere(""),
    "area": m.areas((3, 3, 2), 0),
    "command": m.command("us"),
    "command_place": m.command("us", place_only=True),
    "each": m.plate([m.number("≤2")]),
    "full": m.plate([m.side("ussr", 10), m.side("ussr", 10)]),
    "supply_empty": m.without("ussr"),
    "up_to": m.number("≤2"),
    "from_to": m.number("1–2"),
    "half": m.number("½"),
    "at_least": m.number("≥2"),
    "sites": m.number("≤2×"),
    "one_place": m.number("1×"),
    "one_of": m.number("/"),
    "higher": m.number(">"),
    "as_before": m.number("="),
    "or": m.fork("first"),
    "open": boxed([m.ink("open"), m.ink("shut")], NOTHING, 0),
    "just_played": m.ink("card"),
}
"""Marks that are not in ink only, by the key of their phrase."""
