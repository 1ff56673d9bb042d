"""Information-set tree search, a baseline for `search`: one tree for all sampled deals, one-ply playouts.

The algorithm is that of Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012: every playout
starts in its own sampled deal; a node of the tree is the path of actions as the deciding side sees them, and counts
only if its action is legal in the current deal. The immediate value of an action (`Outlook.value`) is a prior worth
some visits. Outside the tree both sides take the best of a few random actions by their immediate values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from brinkmanship.engine.chance import below
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop, named_tuple
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.playout import luck
from brinkmanship.engine.record import State
from brinkmanship.engine.signatures import ACTIONS, GameFunctions, function_type, functions, functions_type
from brinkmanship.players.budget import Budget
from brinkmanship.players.player import Candidate, Choice, Player
from brinkmanship.players.search import REDEALS, Cut, Value, never

DRAWN = 4
"""Random actions compared in each step of a playout."""
PRIOR = 4.0
"""Number of visits that the immediate value of an action counts for."""
CURIOSITY = 0.7
"""Exploration constant of the upper confidence bound."""
ROOM = 1 << 18
"""Maximum nodes of a tree; playouts continue without new ones after that."""
PIECE = 32
"""Playouts before the clock is read again."""
BITS_OF_SEED = 31
HIDDEN_ACTION = -1

Function = TypeVar("Function", bound=Callable[..., Any])

NODE = np.dtype(
    [
        ("action", np.int32),  # the action that leads to it, HIDDEN_ACTION if the side may not know it
        ("sibling", np.int32),  # the next child of its parent, -1 for none
        ("child", np.int32),  # its first child, -1 for none
        ("visits", np.float64),
        ("points", np.float64),  # of the deciding side
        ("prior", np.float64),  # immediate value for that side
    ]
)


class Outlook(NamedTuple):
    """Evaluation functions of a game for the tree search."""

    value: Value
    """Compiled; the immediate value of a position for a side, on the scale of a win probability."""
    cut: Cut
    """Compiled; where playouts stop."""
    prior: Callable[[Game, int], Player]
    """Makes the quick player that determines the least dangerous actions."""
    is_left: Callable[[State], bool] = never
    """Returns True if that player decides alone."""


class Tree(NamedTuple):
    """The nodes of a search."""

    nodes: Any
    """All that there is room for, `NODE`[room]."""
    used: npt.NDArray[np.int64]
    """The number of nodes in use, int64[1]."""


class Scratch(NamedTuple):
    """Memory of `grow`, overwritten by each playout."""

    out: npt.NDArray[np.int16]
    """Legal actions, int16[max_legal]."""
    children: npt.NDArray[np.int32]
    """The child for each of them, int32[max_legal]."""
    path: npt.NDArray[np.int32]
    """The nodes from the root, int32[MAX_DEEP]."""

    @classmethod
    def of(cls, max_legal: int) -> Scratch:
        """Return the memory for a game with at most this many legal actions."""
        return cls(np.empty(max_legal, np.int16), np.empty(max_legal, np.int32), np.empty(MAX_DEEP, np.int32))


class TreePlayer(Player):
    """Tree search for one game: a subclass sets the outlook. It takes the most visited action."""

    name = "tree"
    standard_budget = Budget(seconds=0.3)
    outlook: ClassVar[Outlook]

    def choose(self, seen: Observation) -> Choice:
        assert self.budget is not None
        started = perf_counter()
        seed = below(self.random, 1 << BITS_OF_SEED)
        view = seen.view()
        legal = self.game.legal_actions(view, seen.side)
        if len(legal) == 1:
            return Choice(legal[0])
        first = self.outlook.prior(self.game, seed).choose(seen)
        judged = first.candidates or tuple(Candidate(action, 0.0) for action in legal)
        allowed = [one.action for one in judged if one.danger == judged[0].danger]
        if self.outlook.is_left(view) or len(allowed) == 1:
            return first
        nodes = np.empty(ROOM, NODE)
        nodes[0] = (HIDDEN_ACTION, -1, -1, 0.0, 0.0, 0.5)
        tree = Tree(nodes, np.ones(1, np.int64))
        states = self.game.new_states(3)
        states[0] = view
        done = 0
        while done < self.budget.nodes if self.budget.nodes is not None else self._has_time(started):
            count = PIECE if self.budget.nodes is None else min(PIECE, self.budget.nodes - done)
            self._grow(states, seen.side, np.array(allowed, np.int64), luck(seed, done, count), tree)
            done += count
        found: list[Candidate] = []
        number = int(nodes["child"][0])
        while number >= 0:
            found.append(Candidate(int(nodes["action"][number]), float(nodes["visits"][number])))
            number = int(nodes["sibling"][number])
        return Choice.best(found)

    def _has_time(self, started: float) -> bool:
        assert self.budget is not None
        assert self.budget.seconds is not None
        return perf_counter() - started < self.budget.seconds

    def _grow(self, states: Any, side: int, allowed: Any, numbers: Any, tree: Tree) -> None:
        game = self.game
        _loop(type(game))(
            functions(game),
            at_address(self.outlook.value),
            at_address(self.outlook.cut),
            game.rules,
            states,
            side,
            allowed,
            numbers,
            tree,
            Scratch.of(game.max_legal),
        )


MAX_DEEP = 256
"""Maximum nodes on the path of a playout; deeper ones are not counted."""


def _part(function: Function) -> Function:
    """Compile a function inlined into each place of `grow` that calls it; a call would cost 2 % of the speed."""
    return cast(Function, numba.njit(inline="always")(function))


@_part
def key_of(game: GameFunctions, rules: Any, state: Any, side: int, action: int) -> int:
    """Return the action as a side sees it."""
    return action if game.audience(rules, state, action) >> side & 1 else HIDDEN_ACTION


@_part
def child_of(tree: Tree, node: int, key: int) -> int:
    """Return the child of a node for a key, -1 if there is none."""
    nodes = tree.nodes
    child = nodes[node].child
    while child >= 0 and nodes[child].action != key:
        child = nodes[child].sibling
    return int(child)


@_part
def add_child(tree: Tree, node: int, key: int, prior: float) -> int:
    """Add a child to a node and return it; there has to be room."""
    nodes = tree.nodes
    child = tree.used[0]
    tree.used[0] += 1
    nodes[child].action = key
    nodes[child].sibling = nodes[node].child
    nodes[child].child = -1
    nodes[child].visits = 0.0
    nodes[child].points = 0.0
    nodes[child].prior = prior
    nodes[node].child = child
    return int(child)


@_part
def expand(
    game: GameFunctions,
    value: Value,
    rules: Any,
    states: Any,
    side: int,
    tree: Tree,
    node: int,
    scratch: Scratch,
    count: int,
) -> None:
    """Write the child for each of the first `count` actions of `out`, and create missing ones."""
    for at in range(count):
        action = int(scratch.out[at])
        key = key_of(game, rules, states[1], side, action)
        child = child_of(tree, node, key)
        if child < 0 and tree.used[0] < tree.nodes.shape[0]:
            states[2] = states[1]
            game.apply(rules, states[2], action)
            child = add_child(tree, node, key, value(rules, states[2], side))
        scratch.children[at] = child


@_part
def select(nodes: Any, children: Any, count: int, is_own: bool) -> int:
    """Return which child has the highest upper confidence bound for the side to move."""
    total = 1.0
    for at in range(count):
        if children[at] >= 0:
            total += nodes[children[at]].visits
    best = 0
    best_value = -1e9
    for at in range(count):
        child = children[at]
        found = 0.5
        visits = PRIOR
        if child >= 0:
            visits += nodes[child].visits
            found = (nodes[child].points + PRIOR * nodes[child].prior) / visits
        if not is_own:
            found = 1.0 - found
        found += CURIOSITY * np.sqrt(np.log(total) / visits)
        if found > best_value:
            best_value = found
            best = at
    return best


@_part
def roll_out(
    game: GameFunctions, value: Value, rules: Any, states: Any, mover: int, out: Any, count: int, policy_rng: Any
) -> int:
    """Return which of a few random actions has the highest immediate value for the side to move."""
    best = 0
    best_value = -1e9
    for _ in range(min(DRAWN, count)):
        at = below(policy_rng, count)
        states[2] = states[1]
        game.apply(rules, states[2], int(out[at]))
        found = value(rules, states[2], mover)
        if found > best_value:
            best_value = found
            best = at
    return best


@_part
def back_up(nodes: Any, path: Any, length: int, points: float) -> None:
    """Add the result of a playout to the nodes on its path."""
    for at in range(length):
        nodes[path[at]].visits += 1.0
        nodes[path[at]].points += points


def grow(
    game: GameFunctions,
    value: Value,
    cut: Cut,
    rules: Any,
    states: Any,
    side: int,
    allowed: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Play one game for each of `numbers`, int64[n, 2, 4], and add its result to the tree.

    `states[0]` is the view; the other two are scratch.
    """
    nodes = tree.nodes
    out = scratch.out
    path = scratch.path
    root = states[0]
    state = states[1]
    utility = np.zeros(2)
    to_move = game.pending(rules, root)
    for number in range(numbers.shape[0]):
        dice = numbers[number, 0]
        policy_rng = numbers[number, 1]
        for _ in range(REDEALS):
            game.redeal(rules, root, side, policy_rng, state)
            if game.pending(rules, state) == to_move:
                break
        node = 0
        length = 1
        path[0] = 0
        mover = game.actor(rules, state)
        if to_move >> side & 1:
            mover = side
        while mover != OVER and not cut(rules, root, state):
            if mover == CHANCE:
                action = game.sample(rules, state, dice)
            else:
                count = game.legal(rules, state, mover, out)
                if node == 0:
                    count = allowed.shape[0]
                    for at in range(count):
                        out[at] = allowed[at]
                if node >= 0:
                    expand(game, value, rules, states, side, tree, node, scratch, count)
                    best = select(nodes, scratch.children, count, mover == side)
                else:
                    best = roll_out(game, value, rules, states, mover, out, count, policy_rng)
                action = int(out[best])
            if node >= 0:
                key = key_of(game, rules, state, side, action)
                child = child_of(tree, node, key)
                if child < 0 and mover == CHANCE and tree.used[0] < nodes.shape[0]:
                    child = add_child(tree, node, key, 0.5)
                node = -1
                if child >= 0 and length < path.shape[0]:
                    path[length] = child
                    length += 1
                    # The first playout that reaches a decision node continues outside the tree.
                    if mover == CHANCE or nodes[child].visits > 0.0:
                        node = child
            game.apply(rules, state, action)
            mover = game.actor(rules, state)
        if mover != OVER:
            points = value(rules, state, side)
        else:
            utility[:] = 0.0
            game.result(rules, state, utility)
            points = 0.5 + 0.5 * ((utility[side] > utility[1 - side]) - 1.0 * (utility[side] < utility[1 - side]))
        back_up(nodes, path, length, points)


@cache
def _loop(game: type[Game]) -> Callable[..., None]:
    children = types.Array(types.int32, 1, "C")
    return compiled_loop(
        grow,
        types.void,
        functions_type(game),
        function_type(game, "value"),
        function_type(game, "cut"),
        game.rules_type,
        types.Array(game.state_type, 1, "C"),
        types.int64,
        types.Array(types.int64, 1, "C"),
        types.Array(types.int64, 3, "C"),
        named_tuple(Tree, types.Array(from_dtype(NODE), 1, "C"), types.Array(types.int64, 1, "C")),
        named_tuple(Scratch, ACTIONS, children, children),
    )
