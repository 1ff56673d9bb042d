"""Pictograms of the Event Cards of Ukrainian Crisis, made from their effects (`rules.effects_table`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatchmethod

from brinkmanship.drawing import pictogram_icons as m
from brinkmanship.drawing.pictogram import LegendEntry, PictogramLine, Token, sample
from brinkmanship.drawing.svg import el, join, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.units import outline
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.effects_table import (
    EFFECTS,
    CombatTurn,
    Countries,
    Effect,
    Moves,
    NothingFrom,
    Opens,
    Prestige,
    Resources,
    When,
    Who,
)
from brinkmanship.games.ukrainian_crisis.rules.events import PIPS_WITHOUT_DICE
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.text import Words

_SIDES = {"ua": "us", "ru": "ussr", "holder": "own", "enemy": "opponent"}
_SYMBOLS = {"irregular": "militia", "regular": "ground", "any": "several"}


def pictogram(game: UkrainianCrisis, _kind: str, id: str) -> list[PictogramLine]:
    """Return the marks of an Event Card; Resource Cards have none, as they show their row of the table."""
    if id in game.ranks:
        return []
    event = next(card.event for card in EVENTS if card.id == id)
    return effect_lines(EFFECTS[event], without_dice=bool(game.options["no_randomness"]))


def effect_lines(effects: tuple[Effect, ...], *, without_dice: bool = False) -> list[PictogramLine]:
    """Return a line for each effect; effects that a die selects branch off from it."""
    return _Effects(without_dice).lines(effects)


def explain(game: UkrainianCrisis, words: Words, keys: Iterable[str]) -> list[LegendEntry]:
    """Implement `Drawing.explain`."""
    labels = labels_for(words, game)
    return [LegendEntry(key, sample(_example(key)), _meaning(key, labels)) for key in keys]


class _Effects:
    def __init__(self, without_dice: bool) -> None:
        self.without_dice = without_dice

    def lines(self, effects: tuple[Effect, ...]) -> list[PictogramLine]:
        if not effects:
            return [PictogramLine((_nothing(),))]
        branches = [when for when in ("low", "high") if any(effect.when == when for effect in effects)]
        found: list[PictogramLine] = []
        if any(isinstance(effect, Prestige) and effect.amount == "irregulars" for effect in effects):
            found.append(
                PictogramLine(
                    (m.number("1×", "one_zone"), m.plate([*_unit("ua", "irregular"), *_unit("ru", "irregular")]))
                )
            )
        before: When = ""
        for effect in effects:
            tokens = tuple(self.tokens(effect))
            if not effect.when:
                then = m.ink("then")
                found.append(PictogramLine(tokens, (then,) if found else (), (m.blank(then.width),) if found else ()))
                continue
            condition = tuple(self._asked(effect.when, effect))
            if len(branches) == 1:
                found.append(PictogramLine((*condition, *tokens)))
                continue
            number = branches.index(effect.when)
            twig = m.fork("last" if number else "first")._replace(keys=())
            stem = m.blank(12) if number else m.fork("stem")
            if effect.when == before:
                found.append(PictogramLine((m.ink("then"), *tokens), (stem,), (stem,)))
            else:
                found.append(PictogramLine((*condition, *tokens), (twig,), (stem,)))
            before = effect.when
        return found

    @singledispatchmethod
    def tokens(self, effect: Effect) -> Iterable[Token]:
        raise TypeError(f"no marks for {type(effect).__name__}")

    @tokens.register
    def _prestige(self, effect: Prestige) -> Iterable[Token]:
        yield _side(effect.who)
        yield m.number("+" if effect.sign > 0 else "−")
        if effect.amount == "irregulars":
            yield _counter("irregular")._replace(keys=("irregular",))
        elif effect.amount == "ranks":
            yield m.number("Σ", "sum")
            yield from _country("", "rank")
            yield _boxes(2, 3)
        elif effect.amount == "rank":
            yield from _country("", "rank")
        elif effect.amount == "us_rank_by_box":
            yield from _country("US", "rank")
            yield m.number("×")
            yield _boxes()._replace(keys=("box_number",), glued=True)
        else:
            yield from self._amount(effect.amount)
        yield m.ink("prestige")

    @tokens.register
    def _countries(self, effect: Countries) -> Iterable[Token]:
        if effect.to == "away":
            yield from _country(effect.which)
            yield m.ink("arrow", glued=True)
            yield m.crossed_out(_boxes(), "away_for_good")
            return
        if effect.which == "EU one":
            yield m.number("1×", "one_country")
        yield from _country("EU")
        yield _boxes(2, 3)
        yield m.ink("arrow" if effect.to == "neutrality" else "down", glued=True)
        yield _boxes(1) if effect.to == "neutrality" else m.number("1", glued=False)

    @tokens.register
    def _nothing_from(self, effect: NothingFrom) -> Iterable[Token]:
        yield from _country(*effect.countries)
        yield m.ink("arrow", glued=True)
        yield _side("ua")
        yield m.crossed_out(m.ink("prestige"), "no_prestige")
        yield m.crossed_out(_coin(), "no_points")
        yield m.ink("round")._replace(keys=("turn",))

    @tokens.register
    def _opens(self, effect: Opens) -> Iterable[Token]:
        yield _side("ru")
        yield m.ink("arrow", glued=True)
        yield _zone(effect.zone)
        yield _unlocked()

    @tokens.register
    def _moves(self, effect: Moves) -> Iterable[Token]:
        if effect.amount != 1:
            yield m.number("≤", "up_to")
            yield from self._amount(effect.amount)
        yield from _unit(effect.who, effect.units)
        for number, start in enumerate(effect.start):
            if number:
                yield m.number("/", "one_of")
            yield _place(start)
        yield m.ink("arrow", glued=True)
        if effect.goal == "own colour":
            yield m.sphere("own")._replace(keys=("own_colour",))
        else:
            yield _place(effect.goal) if effect.goal in _PLACES else _zone(effect.goal)

    @tokens.register
    def _resources(self, effect: Resources) -> Iterable[Token]:
        yield _side(effect.who)
        yield m.number("+")
        yield from self._amount(effect.amount)
        yield _coin()
        yield m.ink("round")._replace(keys=("turn",))

    @tokens.register
    def _combat_turn(self, effect: CombatTurn) -> Iterable[Token]:
        yield _side(effect.who)
        yield _swords()
        yield m.crossed_out(_truce(), "no_ceasefire")

    def _amount(self, amount: str | int) -> Iterable[Token]:
        if isinstance(amount, int):
            yield m.number(str(amount))
        elif self.without_dice:
            yield m.number(str(PIPS_WITHOUT_DICE if amount == "die" else (PIPS_WITHOUT_DICE + 1) // 2))
        else:
            if amount == "half":
                yield m.number("½", "half")
            yield _die()._replace(glued=True)

    def _asked(self, when: When, effect: Effect) -> Iterable[Token]:
        if self.without_dice:
            yield m.ink("card", glued=True)._replace(keys=("diplomatic",))
            yield _side("ua" if isinstance(effect, Prestige) else "ru")
        else:
            yield _die()._replace(glued=True)
            if isinstance(effect, Opens) and effect.country:
                yield m.number("+")
                yield from _country(effect.country)
                yield _boxes()._replace(keys=("box_bonus",), glued=True)
            yield m.number("1–3" if when == "low" else "4–6", "pips")
        yield m.ink("if")


def _side(who: Who) -> Token:
    name = who if who in ("ua", "ru") else _SIDES[who]
    return m.side(_SIDES[who])._replace(keys=(f"side:{name}",), glued=True)


def _unit(who: Who, units: str) -> tuple[Token, ...]:
    return (_side(who), _counter(units))


def _counter(units: str) -> Token:
    """Return the military symbol of a kind of unit."""
    drawn = path(outline(_SYMBOLS[units]), "s", transform=f"translate(1 {m.MIDDLE - 7.5:g}) scale(1.5)")
    return Token(23, drawn, (f"unit:{units}",))


def _boxes(*filled: int) -> Token:
    """Return the relations track from Neutrality up, with some of its boxes filled."""
    found = [rect(1, m.MIDDLE + 11 - 7.3 * box, 11, 7.3, "i fine" if box in filled else "fine") for box in (1, 2, 3)]
    return Token(13, join(found), (f"boxes:{''.join(map(str, filled))}",))


def _country(*codes: str) -> Iterable[Token]:
    """Yield a flag, and the letters of the countries if some are named."""
    flag = join(path(f"M2 {m.MIDDLE - 9:g}v18", "t"), path(f"M3 {m.MIDDLE - 8:g}h12l-3 4.5 3 4.5h-12z", "s"))
    rank = "rank" in codes
    yield Token(16, flag, ("rank" if rank else "country",), glued=True)
    for code in codes:
        if code and code != "rank":
            yield m.number(code, f"country:{code}")


def _zone(id: str) -> Token:
    return m.plate([m.number(id)], f"zone:{id}")


_PLACES = {
    "reserve": "M1 4h14M1 9h14M1 14h14",
    "mobilisation": "M2 9l6-6 6 6M2 15l6-6 6 6",
}


def _place(place: str) -> Token:
    """Return a box of units beside the map: at rest, or on its way."""
    drawn = Token(16, path(_PLACES[place], "t", transform=f"translate(0 {m.MIDDLE - 9:g})"))
    return m.plate([drawn], f"place:{place}")


def _die() -> Token:
    y = m.MIDDLE - 8.5
    pips = [el("circle", cx=cx, cy=y + cy, r=1.8, class_="i") for cx, cy in ((4.6, 4.3), (8.9, 8.6), (13.2, 12.9))]
    return Token(18, join(rect(0.8, y, 16.4, 17, "fine", 3), pips), ("die",))


def _coin() -> Token:
    y = m.MIDDLE
    ring = el("circle", cx=9, cy=y, r=8, class_="s")
    return Token(18, join(ring, path(f"M9 {y - 4:g}v8M6 {y - 2:g}h6M6 {y + 2:g}h6", "s")), ("points",))


def _unlocked() -> Token:
    y = m.MIDDLE
    body = join(rect(1, y - 1, 14, 10, "i"), path(f"M4 {y - 1:g}v-4a4.2 4.2 0 0 1 8.2-1", "s"))
    return Token(16, body, ("opens",))


def _swords() -> Token:
    y = m.MIDDLE
    body = path(f"M2 {y - 8:g}L16 {y + 6:g}M18 {y - 8:g}L4 {y + 6:g}M11.5 {y + 7.5:g}l5-5M8.5 {y + 7.5:g}l-5-5", "t")
    return Token(20, body, ("combat",))


def _truce() -> Token:
    y = m.MIDDLE
    return Token(16, join(path(f"M2 {y - 9:g}v18", "t"), path(f"M3 {y - 8:g}h12v9H3z", "s")), ("ceasefire",))


def _nothing() -> Token:
    y = m.MIDDLE
    ring = el("circle", cx=10, cy=y, r=8, class_="t")
    return Token(20, join(ring, path(f"M2 {y + 8:g}L18 {y - 8:g}", "t")), ("nothing",))


def _example(key: str) -> Token:
    what, _, name = key.partition(":")
    if what == "side":
        return m.side(_SIDES.get(name, name))
    if what == "unit" or key == "irregular":
        return _counter(name or key)
    if what == "boxes":
        return _boxes(*map(int, name))
    if what == "zone":
        return _zone(name)
    if what == "place":
        return _place(name)
    if what == "country" and name:
        return m.number(name)
    return _EXAMPLES[key] if key in _EXAMPLES else m.ink(key)


def _meaning(key: str, labels: Labels) -> str:
    what, _, name = key.partition(":")
    if what in ("zone", "place") or (what == "side" and name in ("ua", "ru")):
        said = labels.words.name(what, name)
        return said[:1].upper() + said[1:]
    if what == "country" and name and name != "EU":
        return labels.country(name)
    if what == "boxes":
        found = [labels.box(int(box)) for box in name]
        said = " / ".join(found) if found else labels.say("mark.boxes")
        return said[:1].upper() + said[1:]
    return labels.sentence(f"mark.{name}" if what == "side" else f"mark.{key.replace(':', '_')}")


_EXAMPLES: Mapping[str, Token] = {
    "country": next(iter(_country())),
    "rank": next(iter(_country("rank"))),
    "die": _die(),
    "points": _coin(),
    "opens": _unlocked(),
    "combat": _swords(),
    "no_ceasefire": m.crossed_out(_truce(), ""),
    "no_prestige": m.crossed_out(m.ink("prestige"), ""),
    "no_points": m.crossed_out(_coin(), ""),
    "away_for_good": m.crossed_out(_boxes(), ""),
    "nothing": _nothing(),
    "turn": m.ink("round"),
    "own_colour": m.sphere("own"),
    "box_number": _boxes(),
    "box_bonus": _boxes(),
    "diplomatic": m.ink("card"),
    "one_zone": m.number("1×"),
    "one_country": m.number("1×"),
    "one_of": m.number("/"),
    "up_to": m.number("≤"),
    "half": m.number("½"),
    "sum": m.number("Σ"),
    "pips": m.number("1–3"),
    "higher": m.number(">"),
}
"""Marks that need more than their drawing, by the key of their phrase."""
