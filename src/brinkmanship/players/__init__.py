"""Computer players, which receive the game as their side saw it: they know as much as a person in that seat.

`load_player` finds them by name. The name may include a thinking budget (``search:0.3s``) and a noise level
(``greedy~0.5``, see `noisy_player`); ``level:1`` to ``level:6`` are the levels offered to people. A player of one game
is a module of `players` in the game's folder, named in its `kit`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.cache import is_compiled, is_interpreting, note_compiled
from brinkmanship.engine.message import Message
from brinkmanship.engine.score import ScoreTable
from brinkmanship.games.registry import Kit, kit_for, kit_of
from brinkmanship.players.budget import Budget, BudgetError
from brinkmanship.players.levels import MANNERS, Levels

if TYPE_CHECKING:
    from brinkmanship.players.player import Candidate, Choice, Player

__all__ = [
    "Budget",
    "BudgetError",
    "Candidate",
    "Choice",
    "Player",
    "UnknownPlayerError",
    "are_compiled",
    "compile_players",
    "has_levels",
    "level_that_suits",
    "levels_for",
    "load_player",
    "opponents_for",
    "players_for",
    "thinks_less",
    "usual_opponent",
]

RANDOM = "random"
"""The player of every game; a game's own players are in its `kit`. Importing a player compiles it."""

LEVEL = "level"
NUMBER = r"[0-9]{1,6}(\.[0-9]{1,6})?"


def __getattr__(name: str) -> Any:
    # Import these lazily: they load Numba, which `are_compiled` does not need.
    if name in ("Candidate", "Choice", "Player"):
        return getattr(import_module("brinkmanship.players.player"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class UnknownPlayerError(LocalizedError):
    """No player of this game has this name."""


def players_for(game: Game) -> tuple[str, ...]:
    """Return the names of the players of a game, weakest first."""
    return (RANDOM, *kit_for(game).players)


def levels_for(game: Game) -> tuple[str, ...]:
    """Return the names of the levels of a game, weakest first: ``level:1``, ``level:2`` ...; empty if it has none."""
    return tuple(f"{LEVEL}:{number}" for number in range(1, len(_levels(game).players) + 1))


def has_levels(game_id: str) -> bool:
    """Return True if a game has levels; its rules are not loaded."""
    return bool(_levels_in(kit_of(game_id)).players)


def opponents_for(game: Game) -> tuple[str, ...]:
    """Return the names of all possible opponents: the levels, then the players, each from the weakest."""
    return levels_for(game) + players_for(game)


def usual_opponent(game: Game) -> str:
    """Return the default first opponent: the second level, which loses some games to a viewer of the rules."""
    levels = levels_for(game)
    return levels[min(1, len(levels) - 1)] if levels else players_for(game)[-1]


def level_that_suits(game: Game, level: str, side: int, result: str, score: Sequence[ScoreTable]) -> str:
    """Return the level for the next game after a game against a level: see `Levels.that_suits`."""
    names = levels_for(game)
    return names[_levels(game).that_suits(game, names.index(level), side, result, score)]


def thinks_less(name: str, game: Game) -> bool:
    """Return True if a player of this name plays with less than its budget because the rules are interpreted."""
    if name in (levels := levels_for(game)):
        return _levels(game).thinks_less(levels.index(name))
    kind, _, budget = name.partition(":")
    return is_interpreting() and kind.partition("~")[0] == "search" and not budget.endswith("n")


def load_player(name: str, game: Game, seed: int | None = None) -> Player:
    """Load a player of a game by its name, including baselines; `seed` seeds its own random numbers.

    Without a seed they come from the operating system.

    A colon may be followed by the budget for a decision: ``search:0.3s``, ``search:400n`` (`Budget.parse`). Before it a
    tilde may be followed by a noise level, on the scale of the player's values: ``greedy~0.5`` chooses at random among
    the actions that it values at most half a point below the best (`noisy_player`); ``greedy~0.5+bold`` and
    ``greedy~0.5+cautious`` prefer the bolder or the more cautious half of them.

    Raises:
        UnknownPlayerError: no player of this game has this name.
        BudgetError: the text after the colon is not a budget, or the player takes none.
    """
    if name in levels_for(game):
        return _level(levels_for(game).index(name), game, seed)
    whole, colon, text = name.partition(":")
    kind, tilde, noise_and_manner = whole.partition("~")
    noise, plus, manner = noise_and_manner.partition("+")
    levels = _levels(game)
    is_known = not plus or (manner in MANNERS and levels.boldness is not None)
    place = _modules(kit_for(game), baselines=True).get(kind)
    if place is None or not is_known or (tilde and not re.fullmatch(NUMBER, noise)):
        raise UnknownPlayerError(Message("fault.no_player", {"title": game.title, "name": name, "known": _known(game)}))
    module, name_of_class = place
    found = cast("type[Player]", getattr(import_module(module), name_of_class))
    note_compiled(module)
    if colon and found.standard_budget is None:
        raise BudgetError(Message("fault.no_budget_taken", {"name": kind}))
    budget = Budget.parse(text) if colon else None
    if not tilde:
        return found(game, seed, budget)
    from brinkmanship.players.noisy_player import LevelPlayer  # it loads Numba

    judge = partial(found, game, budget=budget)
    return LevelPlayer(game, judge, float(noise), levels, manner, seed)


def _levels(game: Game) -> Levels:
    return _levels_in(kit_for(game))


def _levels_in(kit: Kit) -> Levels:
    module = kit.module("players.levels")
    return cast(Levels, module.LEVELS) if module else Levels(())


def _level(number: int, game: Game, seed: int | None) -> Player:
    """Load a level, from 0: all but the first avoid wars that they could avoid, if their game has wars."""
    inner = partial(load_player, _levels(game).at_hand[number], game)
    return with_blunder_check(game, inner, seed) if number else inner(seed)


def with_blunder_check(game: Game, inner: Callable[[int | None], Player], seed: int | None = None) -> Player:
    """Return a player that checks its choices for avoidable wars; the player itself if its game has none.

    Args:
        game: the ruleset.
        inner: makes the player, from the seed of its random numbers.
        seed: seed of the random numbers of both.

    Raises:
        UnknownPlayerError: the game has no search, whose playouts the check uses.
    """
    from brinkmanship.players.blunder_check import BlunderCheckPlayer
    from brinkmanship.players.search import SearchPlayer  # it loads Numba

    search = load_player("search", game, 0)
    if not isinstance(search, SearchPlayer) or not search.method.war:
        return inner(seed)
    return BlunderCheckPlayer(game, inner, search.to_the_end(), seed)


def _known(game: Game) -> str:
    levels = levels_for(game)
    return ", ".join((*players_for(game), *([f"{levels[0]} to {levels[-1]}"] if levels else [])))


def compile_players(game: Game) -> None:
    """Load every player of a game, which compiles it."""
    for name in players_for(game):
        load_player(name, game)


def are_compiled(game_id: str) -> bool:
    """Return True if all players of a game have been compiled on this machine, so that loading one takes a second."""
    return all(is_compiled(module) for module, _ in _modules(kit_of(game_id)).values())


def _modules(kit: Kit, *, baselines: bool = False) -> Mapping[str, tuple[str, str]]:
    """Return module and class of each player of a game by name, weakest first."""
    own = {**kit.baselines, **kit.players} if baselines else kit.players
    places = {name: tuple(kit.name_of(f"players.{place}").rsplit(".", 1)) for name, place in own.items()}
    return {RANDOM: ("brinkmanship.players.random", "RandomPlayer"), **places}  # type: ignore[dict-item]
