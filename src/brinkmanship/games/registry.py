"""The registry of games: the available games and the modules of each.

A game is one folder, its `package`. Its parts are found by name:

* ``kit.py``: `KIT`, the game's id and its computer players
* ``rules/game.py``: the class of its rulesets, an `engine.game.Game`; ``cards.toml`` or other data beside ``rules``
* ``words``: a class that extends `text.GameTexts`; ``drawing``: one that extends `drawing.Drawing`; ``terminal``: one
  that extends `terminal.protocol.Asking`. A game overrides some methods and inherits the defaults for the rest; without
  the module it gets all the defaults
* ``players/levels.py``: the levels that players choose from; ``lessons/``, ``puzzles.jsonl.gz``
* ``rating.py``: rated rulesets, side advantages and ratings of the levels (`rating.profile`)
* ``balance.py``, ``forecast.py``, ``exploit.py``, ``observation.py``: extensions of the lab and the research
  interfaces for this game (`lab.balance.profile.BalanceProfile`, `lab.calibration.sampling`,
  `lab.diagnostics.exploit.SecretChoice`, `research.columns`)

Only rules are needed to play a game. `BUILT_IN` are the games of this package. Another installed package adds a game
with an entry point whose name is the game's id::

    [project.entry-points."brinkmanship.games"]
    kuhn-poker = "kuhn_poker.kit:KIT"

Modules of a game are imported on first use, because importing rules compiles them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple, TypeVar

from brinkmanship.engine.data_file import DataSource
from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import is_compiled as is_module_compiled
from brinkmanship.engine.jit.cache import note_compiled
from brinkmanship.engine.message import Message
from brinkmanship.engine.options import OptionValue

BUILT_IN = {
    "13-days": "brinkmanship.games.thirteen_days",
    "13-minutes": "brinkmanship.games.thirteen_minutes",
    "ukrainian-crisis": "brinkmanship.games.ukrainian_crisis",
}
"""The packages of the built-in games. They need no entry points: the installation may be older than the sources."""

ENTRY_POINTS = "brinkmanship.games"
"""The group of entry points with which packages add games."""

RULES = "rules.game"
"""The module of a game's package that holds the class of its rulesets."""

T = TypeVar("T")


class UnknownGameError(LocalizedError):
    """No game has this id, or the package that provides it cannot be used."""


class BenchmarkGoals(NamedTuple):
    """Goals of a game's engine on the machine of ``docs/develop/measurements.md``; None where there is no goal."""

    games: int | None = None
    """Minimum random games per second on one core."""
    state: int | None = None
    """Maximum size of a state (bytes)."""
    cold_compile: int | None = None
    """Maximum time until the first decision with an empty cache (s)."""
    interpreted: int | None = None
    """Minimum random games per second without compiling."""


NO_GOALS = BenchmarkGoals()


@dataclass(frozen=True)
class Kit:
    """A game: its id, its package, its computer players."""

    id: str
    """Id as in addresses, commands and journals: "13-days"."""
    package: str
    """The name of the package that is the game's folder; in its ``kit.py`` just ``__package__``."""
    players: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Computer players by name, weakest first: "greedy.GreedyPlayer" is a class of ``players.greedy``.

    Every game also has `random`.
    """
    baselines: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Reference players for measurements, which are not offered at a table; named like `players`."""
    zero_sum: bool = False
    """True if one side's utility is always the negative of the other's; False where both may lose."""
    compares_by_cut_playouts: bool = False
    """True for a game too long to compare choices by playouts to the end: analyses cut them as `search` does.

    The errors of the learned value are much the same for all choices of one question.
    """
    puzzle_players: tuple[tuple[str, str], ...] = (("search:100n", "search:100n"),)
    """Pairs of players whose games are searched for puzzles, in turn.

    They should be the strongest players, with budgets of a few seconds a game.
    """
    questions_without_puzzles: tuple[str, ...] = ()
    """Keys of questions that are asked once in a game and mostly have the same best choice."""
    goals: BenchmarkGoals = NO_GOALS
    """Goals that ``brink bench`` compares its figures with."""

    def name_of(self, module: str) -> str:
        """Return the full name of a module of the game."""
        return f"{self.package}.{module}"

    def module(self, name: str) -> ModuleType | None:
        """Import a module of the game, "drawing" or "players.levels"; return None if the game has none."""
        full = self.name_of(name)
        return import_module(full) if _exists(full) else None

    @property
    def folder(self) -> Traversable:
        """The game's folder, for its files."""
        return files(self.package)


@cache
def _exists(module: str) -> bool:
    return _spec(module) is not None


def _spec(module: str) -> ModuleSpec | None:
    """Find a module of a game; None too if a part of its name is missing, or a module without modules inside."""
    above = module.rpartition(".")[0]
    if "." in above:
        package = _spec(above)
        if package is None or package.submodule_search_locations is None:
            return None
    return find_spec(module)


def implementation(kit: Kit, module: str, base: type[T]) -> type[T] | None:
    """Find the class with which a game implements a part: the one in its module that extends `base`.

    Returns:
        The class; None where the game has no such module.

    Raises:
        ImportError: the module has no such class, or more than one.
    """
    found = kit.module(module)
    if found is None:
        return None
    classes = [
        value
        for value in vars(found).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__.startswith(found.__name__)
    ]
    if len(classes) != 1:
        raise ImportError(f"{found.__name__} has {len(classes)} classes that extend {base.__qualname__}; it needs one")
    return classes[0]


class Discovery(NamedTuple):
    """The available games, and the reasons why others cannot be played."""

    kits: Mapping[str, Kit]
    faults: Mapping[str, str]
    """Reasons why the kits of other packages were rejected, by the id of the game."""


@cache
def built_in() -> Mapping[str, Kit]:
    """Return the kits of this package's games, by id."""
    return {id: import_module(f"{package}.kit").KIT for id, package in BUILT_IN.items()}


@cache
def discover() -> Discovery:
    """Find the kits of this package and of all that are installed, once per process."""
    kits, faults = dict(built_in()), dict[str, str]()
    brought: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        brought.setdefault(point.name, []).append(point)
    for id, points in sorted(brought.items()):
        if id in BUILT_IN or len(points) > 1:
            packages = ", ".join(["brinkmanship"] * (id in BUILT_IN) + [_package(point) for point in points])
            faults[id] = f"more than one package provides a game {id!r}: {packages}"
            continue
        try:
            kit = points[0].load()
        except Exception as error:
            # Any error of another package must not affect the other games.
            faults[id] = f"{_fault(points[0])}: {type(error).__name__}: {error}"
            continue
        if not isinstance(kit, Kit):
            faults[id] = f"{_fault(points[0])}: it has to be a {Kit.__module__}.Kit, not {type(kit).__name__}"
        elif kit.id != id:
            faults[id] = f"{_fault(points[0])}: it is the kit of a game {kit.id!r}"
        else:
            kits[id] = kit
    return Discovery(kits, faults)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _fault(point: EntryPoint) -> str:
    return f"the game {point.name!r} of {_package(point)} cannot be used ({point.value})"


def kits() -> Mapping[str, Kit]:
    """Return the kits of all games that can be played, by id, those of this package first."""
    return discover().kits


def kit_of(game_id: str) -> Kit:
    """Return the kit of a game.

    Args:
        game_id: the id of the game, "13-days".

    Raises:
        UnknownGameError: no game has this id, or its package cannot be used; the message says why.
    """
    known, faults = discover()
    if game_id in known:
        return known[game_id]
    if game_id in faults:
        raise UnknownGameError(faults[game_id])
    raise UnknownGameError(Message("fault.no_game", {"name": game_id, "known": ", ".join(known)}))


def kit_for(game: Game) -> Kit:
    """Return the kit of a ruleset; an unregistered game, e.g. one in development, gets a kit with only its package."""
    return kits().get(game.id) or Kit(game.id, type(game).__module__.removesuffix(f".{RULES}"))


def game_class(game_id: str) -> type[Game]:
    """Return the class of a game by its id ("13-days"); this compiles its rules.

    Raises:
        UnknownGameError: no game has this id.
        ImportError: its package has no rules.
    """
    return _class_of(kit_of(game_id))


@cache
def _class_of(kit: Kit) -> type[Game]:
    found = implementation(kit, RULES, Game)  # type: ignore[type-abstract]
    if found is None:
        raise ImportError(f"{kit.name_of(RULES)} is missing")
    note_compiled(kit.name_of(RULES))
    return found


def is_compiled(game_id: str) -> bool:
    """Return True if these rules have been compiled on this machine, so that loading the game takes only a second."""
    return is_module_compiled(kit_of(game_id).name_of(RULES))


def load_game(
    game_id: str, data_file: DataSource | None = None, options: Mapping[str, OptionValue] | None = None
) -> Game:
    """Load a ruleset: a game by its id, with the package's data or a file, and options (default: their defaults).

    The option "preset" stands for all options of one of the game's presets.

    Raises:
        UnknownGameError: no game has this id.
        DataFileError: the data file cannot be used.
        OptionError: an unknown option or value.
    """
    loaded = game_class(game_id).load(data_file, options)
    loaded.source = data_file
    return loaded
