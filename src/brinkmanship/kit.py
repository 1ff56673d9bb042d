"""Kits: all that belongs to one game, named in one place.

A game is its rules. Words, pictures, terminal and computer players may come with them; what a game leaves out it gets
from the package, so that it can be played on the day its rules run. `KITS` are the games of this package. Another
installed package brings a game by an entry point whose name is the game's id::

    [project.entry-points."brinkmanship.games"]
    kuhn-poker = "kuhn_poker.kit:KIT"

Parts are named, ``module`` or ``module:name``, and imported when they are first asked for: importing rules compiles
them. What each part has to offer: `engine.game.Game`, `text.GameTexts`, `draw.Drawing`, `terminal.protocol.Table`,
`players.player.Player`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple

from brinkmanship.engine.errors import ToldError
from brinkmanship.engine.message import Message

if TYPE_CHECKING:
    # The packages of the three games are what their kits say they are: so mypy sees to it.
    from brinkmanship.cli.thirteen_days import ThirteenDaysTable
    from brinkmanship.cli.thirteen_minutes import ThirteenMinutesTable
    from brinkmanship.cli.ukrainian_crisis.table import UkrainianCrisisTable
    from brinkmanship.draw import Drawing
    from brinkmanship.draw import thirteen_days as days_drawing
    from brinkmanship.draw import thirteen_minutes as minutes_drawing
    from brinkmanship.draw import ukrainian_crisis as crisis_drawing
    from brinkmanship.draw.thirteen_days import Play as DaysPlay
    from brinkmanship.draw.thirteen_minutes import Play as MinutesPlay
    from brinkmanship.draw.ukrainian_crisis import Play as CrisisPlay
    from brinkmanship.engine.game import Game
    from brinkmanship.games.thirteen_days.game import ThirteenDays
    from brinkmanship.games.thirteen_minutes.game import ThirteenMinutes
    from brinkmanship.games.ukrainian_crisis.game import UkrainianCrisis
    from brinkmanship.terminal.protocol import Table
    from brinkmanship.text import GameTexts
    from brinkmanship.text import thirteen_days as days_words
    from brinkmanship.text import thirteen_minutes as minutes_words
    from brinkmanship.text import ukrainian_crisis as crisis_words

    _days: tuple[GameTexts[ThirteenDays], Drawing[ThirteenDays, DaysPlay], type[Table]]
    _days = (days_words, days_drawing, ThirteenDaysTable)
    _minutes: tuple[GameTexts[ThirteenMinutes], Drawing[ThirteenMinutes, MinutesPlay], type[Table]]
    _minutes = (minutes_words, minutes_drawing, ThirteenMinutesTable)
    _crisis: tuple[GameTexts[UkrainianCrisis], Drawing[UkrainianCrisis, CrisisPlay], type[Table]]
    _crisis = (crisis_words, crisis_drawing, UkrainianCrisisTable)

ENTRY_POINTS = "brinkmanship.games"
"""The group of entry points by which packages bring games."""


class UnknownGameError(ToldError):
    """No game has this id, or the package that brings it cannot be used."""


@dataclass(frozen=True)
class Kit:
    """Where the parts of a game are."""

    id: str
    """As in addresses, commands and journals: "13-days"."""
    rules: str
    """The class of the game."""
    words: str = "brinkmanship.text.bare"
    drawing: str = "brinkmanship.draw.bare"
    terminal: str = "brinkmanship.terminal.default:BareTable"
    emblem: str = "brinkmanship.draw.emblems:no_emblem"
    """The function that draws the small picture of the game."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The classes of its own computer players by name, weakest first; `random` plays every game."""
    levels: str = ""
    """What people choose from among its computer players, a `players.ladder.Levels`; "": nothing."""
    yardsticks: Mapping[str, str] = field(default_factory=dict)
    """The classes of players to measure others by, which nobody is offered at a table."""


KITS: Mapping[str, Kit] = {
    kit.id: kit
    for kit in (
        Kit(
            "13-days",
            rules="brinkmanship.games.thirteen_days.game:ThirteenDays",
            words="brinkmanship.text.thirteen_days",
            drawing="brinkmanship.draw.thirteen_days",
            terminal="brinkmanship.cli.thirteen_days:ThirteenDaysTable",
            emblem="brinkmanship.draw.emblems:thirteen_days",
            players={
                "greedy": "brinkmanship.players.thirteen_days.greedy:GreedyPlayer",
                "rules": "brinkmanship.players.thirteen_days.rules:RulesPlayer",
                "search": "brinkmanship.players.thirteen_days.search:DaysSearch",
            },
            levels="brinkmanship.players.thirteen_days.levels:LEVELS",
            yardsticks={
                "fast": "brinkmanship.players.thirteen_days.fast:FastPlayer",
                "roll": "brinkmanship.lab.yardsticks.thirteen_days:DaysRoll",
                "tree": "brinkmanship.lab.yardsticks.thirteen_days:DaysTree",
            },
        ),
        Kit(
            "13-minutes",
            rules="brinkmanship.games.thirteen_minutes.game:ThirteenMinutes",
            words="brinkmanship.text.thirteen_minutes",
            drawing="brinkmanship.draw.thirteen_minutes",
            terminal="brinkmanship.cli.thirteen_minutes:ThirteenMinutesTable",
            emblem="brinkmanship.draw.emblems:thirteen_minutes",
            players={
                "greedy": "brinkmanship.players.thirteen_minutes.greedy:GreedyPlayer",
                "rules": "brinkmanship.players.thirteen_minutes.rules:RulesPlayer",
                "search": "brinkmanship.players.thirteen_minutes.search:MinutesSearch",
            },
            levels="brinkmanship.players.thirteen_minutes.levels:LEVELS",
            yardsticks={
                "fast": "brinkmanship.lab.yardsticks.minutes_fast:MinutesFast",
                "roll": "brinkmanship.lab.yardsticks.thirteen_minutes:MinutesRoll",
                "tree": "brinkmanship.lab.yardsticks.thirteen_minutes:MinutesTree",
            },
        ),
        Kit(
            "ukrainian-crisis",
            rules="brinkmanship.games.ukrainian_crisis.game:UkrainianCrisis",
            words="brinkmanship.text.ukrainian_crisis",
            drawing="brinkmanship.draw.ukrainian_crisis",
            terminal="brinkmanship.cli.ukrainian_crisis.table:UkrainianCrisisTable",
            emblem="brinkmanship.draw.emblems:ukrainian_crisis",
            players={
                "greedy": "brinkmanship.players.ukrainian_crisis.greedy:GreedyPlayer",
                "rules": "brinkmanship.players.ukrainian_crisis.rules:RulesPlayer",
                "search": "brinkmanship.players.ukrainian_crisis.search:CrisisSearch",
            },
            levels="brinkmanship.players.ukrainian_crisis.levels:LEVELS",
        ),
    )
}
"""The games of this package, by id. They need no entry points: an installation may be older than the sources."""


class Found(NamedTuple):
    """The games there are, and what is wrong with those that cannot be played."""

    kits: Mapping[str, Kit]
    faults: Mapping[str, str]
    """By the id of the game: why another package's kit was not taken."""


@cache
def found() -> Found:
    """The kits of this package and of all that are installed, read once for the process."""
    kits, faults = dict(KITS), dict[str, str]()
    brought: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        brought.setdefault(point.name, []).append(point)
    for id, points in sorted(brought.items()):
        if id in KITS or len(points) > 1:
            packages = ", ".join(["brinkmanship"] * (id in KITS) + [_package(point) for point in points])
            faults[id] = f"more than one package brings a game {id!r}: {packages}"
            continue
        try:
            kit = points[0].load()
        except Exception as error:
            # Whatever another package raises, the other games go on.
            faults[id] = f"{_fault(points[0])}: {type(error).__name__}: {error}"
            continue
        if not isinstance(kit, Kit):
            faults[id] = f"{_fault(points[0])}: it has to be a brinkmanship.kit.Kit, not {type(kit).__name__}"
        elif kit.id != id:
            faults[id] = f"{_fault(points[0])}: it is the kit of a game {kit.id!r}"
        else:
            kits[id] = kit
    return Found(kits, faults)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _fault(point: EntryPoint) -> str:
    return f"the game {point.name!r} of {_package(point)} cannot be used ({point.value})"


def kits() -> Mapping[str, Kit]:
    """All games that can be played, by id, those of this package first."""
    return found().kits


def kit_of(game_id: str) -> Kit:
    """The kit of a game by its id.

    Raises:
        UnknownGameError: no game has this id, or its package cannot be used; the message says why.
    """
    known, faults = found()
    if game_id in known:
        return known[game_id]
    if game_id in faults:
        raise UnknownGameError(faults[game_id])
    raise UnknownGameError(Message("fault.no_game", {"name": game_id, "known": ", ".join(known)}))


def kit_for(game: Game) -> Kit:
    """The kit of a ruleset. A game that no package brings, as one in the making, has what a game without a kit has."""
    return kits().get(game.id) or Kit(game.id, rules=f"{type(game).__module__}:{type(game).__qualname__}")


def part(place: str) -> object:
    """What a kit names as ``module`` or ``module:name``, imported if it is not yet.

    Raises:
        ImportError: there is no such module.
        AttributeError: the module has no such name.
    """
    return resolve_name(place)


def module_of(place: str) -> str:
    """The module of a place."""
    return place.partition(":")[0]
