"""The player of a folder that ``brink lab train`` wrote, ``learned:FOLDER``: its network decides, nothing else.

The folder has ``weights.npz`` (arrays of the network and its inputs) and ``manifest.json`` beside it (game, digests of
cards and columns, settings). Both are data: nothing in them is run.
"""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any, NamedTuple, cast
from zipfile import BadZipFile

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from brinkmanship.engine.chance import RANDOM, Random, below
from brinkmanship.engine.errors import BrinkError
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import INTERPRETED, compiled
from brinkmanship.engine.playout import Policy, nested_policy
from brinkmanship.players.learned.inputs import N_COLUMNS, VALUES, Inputs, encoder, layout_of
from brinkmanship.players.learned.network import N_NUMBERS, Floats, LayerSizes, first_layer, log_policy, value_of
from brinkmanship.players.policy_player import PolicyPlayer

LEARNED = "learned:"
"""Prefix of the name of a player with trained weights: ``learned:FOLDER``."""
MANIFEST, WEIGHTS = "manifest.json", "weights.npz"
MIN_SHARE = 0.1
"""Actions with a lower probability are not played: most are mistakes that the entropy bonus keeps alive."""
BITS = 24
"""Bits of a random share: as many as float32 holds exactly."""


class LearnedError(BrinkError, ValueError):
    """A folder has no trained player, or not one of this game, these cards, or this version."""


class Brain(NamedTuple):
    """A trained network of both sides."""

    weights: npt.NDArray[np.float32]
    """float32[2, plan.size]: every side has a network of its own."""
    plan: LayerSizes
    inputs: Inputs


def shares_of(game: Game, brain: Brain, view: Any, side: int) -> tuple[dict[int, float], float]:
    """Return the probability of each legal action by a network, and the utility it expects, in a side's view."""
    weights, plan = brain.weights[side], brain.plan.numbers
    active, values = np.empty(brain.inputs.most, np.int32), np.empty(brain.inputs.most, np.float32)
    hidden, shares = np.empty(brain.plan.units, np.float32), np.empty(game.max_legal, np.float32)
    legal = np.array(game.legal_actions(view, side), np.int16)
    found = encoder(type(game))(view, *brain.inputs, active, values)
    first_layer(weights, plan, active, values, found, hidden)
    log_policy(weights, plan, legal, len(legal), hidden, shares)
    chances = np.exp(shares[: len(legal)]).tolist()
    return dict(zip(legal.tolist(), chances, strict=True)), value_of(weights, plan, hidden)


def identity(game: Game) -> dict[str, Any]:
    """Return what must be the same in the game that weights were trained for and the one they play."""
    options = {key: value for key, value in game.options.items() if value != game.default_options[key]}
    return {
        "game": game.id,
        "rules": game.version,
        "data": game.data_sha256,
        "options": options,
        "columns": layout_of(game),
    }


def saved_arrays(brain: Brain) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of ``weights.npz``; weights as float16, which halves the file and changes no decision."""
    plan, (table, input_of, depth) = np.array(brain.plan, np.int64), brain.inputs
    return {
        "weights": brain.weights.astype(np.float16),
        "plan": plan,
        "table": table,
        "input_of": input_of,
        "depth": np.array(depth),
    }


def load_brain(folder: Path, game: Game) -> Brain:
    """Load the network of a folder.

    Raises:
        LearnedError: the folder has none, or it belongs to another game, other cards or columns.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        with np.load(folder / WEIGHTS) as file:
            arrays = dict(file)
        plan = LayerSizes(*arrays["plan"].tolist())
        inputs = Inputs(arrays["table"], arrays["input_of"], int(arrays["depth"]))
        brain = Brain(arrays["weights"].astype(np.float32), plan, inputs)
        trained_for = manifest["identity"]
    except (OSError, KeyError, TypeError, ValueError, BadZipFile) as error:
        raise LearnedError(f"{folder} has no trained player ({error}); make one with brink lab train") from error
    for name, due in identity(game).items():
        if trained_for.get(name) != due:
            text = f"{folder} was trained with another {name}: {trained_for.get(name)!r}, not {due!r}"
            raise LearnedError(text)
    if brain.weights.shape != (len(game.sides), plan.size) or plan.inputs != inputs.size:
        raise LearnedError(f"{folder}: {WEIGHTS} has {brain.weights.shape} weights, not {(len(game.sides), plan.size)}")
    return brain


class LearnedPlayer(PolicyPlayer):
    """A network that plays its probabilities.

    Args:
        game: the ruleset.
        brain: the network, or the folder with it.
        seed: seed of the player's own random numbers.

    Raises:
        LearnedError: the folder has no network for this game.
    """

    name = "learned"

    def __init__(self, game: Game, brain: Brain | Path, seed: int | None = None) -> None:
        found = load_brain(brain, game) if isinstance(brain, Path) else brain
        self.compiled_policy = policy_of(game, found)
        super().__init__(game, seed)


@compiled(types.int64, VALUES, types.int64, types.float32, RANDOM)
def drawn(log_shares: Floats, count: int, least: Any, random: Random) -> int:
    """Return the place of an action drawn by its probability, among those of at least `least` and the likeliest."""
    highest = np.float32(-1e30)
    total = np.float32(0)
    bar = np.log(least)
    for number in range(count):
        highest = max(highest, log_shares[number])
    bar = min(bar, highest)
    for number in range(count):
        if log_shares[number] >= bar:
            total += np.exp(log_shares[number])
    left = total * np.float32(below(random, 1 << BITS)) / np.float32(1 << BITS)
    last = 0
    for number in range(count):
        if log_shares[number] >= bar:
            last = number
            left -= np.exp(log_shares[number])
            if left < 0:
                return number
    return last


@intrinsic
def _pointer_at(_: Any, address: Any) -> Any:  # noqa: ARG001 - Numba reads the names
    """Return an address as a pointer: arrays in a closure would be read-only, so other compiled code refused them."""

    def cast_it(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), cast_it


_pointer: Any = _pointer_at
_carray: Any = cast(Any, numba).carray


def policy_of(game: Game, brain: Brain) -> Policy:
    """Compile the policy of a network: ``policy(rules, view, side, random) -> action``.

    The weights stay where they are, and the compiled function keeps them; every process compiles it again.
    """
    encode, legal = encoder(type(game)), game.legal
    arrays = (brain.weights, brain.plan.numbers, brain.inputs.table, brain.inputs.input_of)
    at_weights, at_plan, at_table, at_index = (array.ctypes.data for array in arrays)
    size, parts, columns = brain.plan.size, len(brain.inputs.table), len(brain.inputs.input_of)
    depth, most, units, max_legal = brain.inputs.depth, brain.inputs.most, brain.plan.units, game.max_legal

    def policy(rules: Any, view: Any, side: int, random: Random) -> int:
        actions = np.empty(max_legal, np.int16)
        count = legal(rules, view, side, actions)
        if count == 1:
            return int(actions[0])
        weights = array_at(at_weights + 4 * side * size, size, np.float32)
        plan = array_at(at_plan, N_NUMBERS, np.int64)
        table = array_at(at_table, (parts, N_COLUMNS), np.int64)
        index = array_at(at_index, columns, np.int32)
        active = np.empty(most, np.int32)
        values = np.empty(most, np.float32)
        hidden = np.empty(units, np.float32)
        shares = np.empty(max_legal, np.float32)
        found = encode(view, table, index, depth, active, values)
        first_layer(weights, plan, active, values, found, hidden)
        log_policy(weights, plan, actions, count, hidden, shares)
        return int(actions[drawn(shares, count, MIN_SHARE, random)])

    compiled_policy: Any = nested_policy(type(game), policy)
    compiled_policy.kept = arrays
    return cast(Policy, compiled_policy)


def _array_at(address: int, shape: Any, dtype: Any) -> Any:
    return _carray(_pointer(address), shape, dtype)


def _array_in_memory(address: int, shape: Any, dtype: Any) -> Any:
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * count).from_address(address), dtype).reshape(shape)


array_at: Any = _array_in_memory if INTERPRETED else cast(Any, numba.njit)(inline="always")(_array_at)
