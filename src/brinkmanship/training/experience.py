"""Games of a network as training data: decisions with what the network saw, and advantages by who won.

Whole games are played, so nothing is carried from one batch to the next. Each side's decisions form a chain of their
own: the value of a decision is compared with that of the same side's next one, or with its utility at the end of the
game. Decisions with one legal action are played, but not recorded.

Games are played in threads and joined in order of their numbers. Each has random numbers of its own, so a batch does
not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import cache
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.chance import generators
from brinkmanship.engine.game import CHANCE, OVER, Game
from brinkmanship.engine.jit.compile import compiled_loop, named_tuple
from brinkmanship.engine.jit.function_address import at_address
from brinkmanship.engine.playout import Policy, in_order, no_policy_of
from brinkmanship.engine.signatures import ACTIONS, GameFunctions, function_type, functions, functions_type
from brinkmanship.players.learned.inputs import INDEX, TABLE, VALUES, encode_inlined
from brinkmanship.players.learned.network import PLAN, first_layer, log_policy, value_of
from brinkmanship.players.learned.player import Brain, LearnedError, drawn

LEARNER, OLDER, NAMED, TEACHER = range(4)
"""Who plays a side of a game: the network, an earlier one, another player, or that one with its decisions recorded."""
GAMES_A_PART = 4
"""Games of one call in a thread: more would leave more of them unused after the one that completes a batch."""
ROWS_A_PART = 16_384
"""Room for the recorded decisions of these games."""
LEGAL_A_ROW = 48
"""Room for legal actions, as a mean of as many decisions."""
NO_ROOM = -1
"""Number of decisions where they did not fit."""


class Experience(NamedTuple):
    """Decisions of a batch of games; lists of varying length lie behind one another, as in a CSR matrix."""

    sides: npt.NDArray[np.int8]
    """The side that decided, int8[rows]."""
    chosen: npt.NDArray[np.int32]
    """Place of the action among the legal ones, int32[rows]."""
    values: npt.NDArray[np.float32]
    """Value by the network, float32[rows]."""
    advantages: npt.NDArray[np.float32]
    """Utility gained over `values`, float32[rows]; Schulman et al., "Generalized Advantage Estimation" (2016)."""
    targets: npt.NDArray[np.float32]
    """What `values` should have been, float32[rows]."""
    input_ends: npt.NDArray[np.int64]
    """Where the inputs of a decision begin, and in the next row end; int64[rows + 1]."""
    active: npt.NDArray[np.int32]
    """Active inputs, int32[input_ends[-1]]."""
    inputs: npt.NDArray[np.float32]
    """Their values, likewise."""
    legal_ends: npt.NDArray[np.int64]
    """Where the legal actions of a decision begin, int64[rows + 1]."""
    legal: npt.NDArray[np.int16]
    """Legal actions, int16[legal_ends[-1]]."""
    old: npt.NDArray[np.float32]
    """Log-probabilities of the actions by the network that played, likewise."""
    even: npt.NDArray[np.float32]
    """Log-probabilities of a policy that is even over kinds of actions, then over the actions of a kind, likewise.

    Entropy over all actions would favour whatever has most variants, such as placements (Ataraxos, 2511.07312).
    """

    @classmethod
    def room(cls, most: int, max_legal: int) -> Experience:
        """Return empty arrays for the decisions of a few games, with at most `most` inputs each."""
        rows, legal = ROWS_A_PART, ROWS_A_PART * min(LEGAL_A_ROW, max_legal) + max_legal
        return cls(
            np.zeros(rows, np.int8),
            np.zeros(rows, np.int32),
            np.zeros(rows, np.float32),
            np.zeros(rows, np.float32),
            np.zeros(rows, np.float32),
            np.zeros(rows + 1, np.int64),
            np.zeros((rows + 1) * most, np.int32),
            np.zeros((rows + 1) * most, np.float32),
            np.zeros(rows + 1, np.int64),
            np.zeros(legal, np.int16),
            np.zeros(legal, np.float32),
            np.zeros(legal, np.float32),
        )

    def first(self, rows: int) -> Experience:
        """Return a copy of the first decisions."""
        inputs, legal = self.input_ends[rows], self.legal_ends[rows]
        lengths = (rows, rows, rows, rows, rows, rows + 1, inputs, inputs, rows + 1, legal, legal, legal)
        arrays: tuple[Any, ...] = self
        return Experience(*(values[:length].copy() for values, length in zip(arrays, lengths, strict=True)))

    @classmethod
    def joined(cls, pieces: Sequence[Experience]) -> Experience:
        """Return the decisions of several parts, one behind another."""
        whole = cls(*map(np.concatenate, zip(*pieces, strict=True)))
        return whole._replace(
            input_ends=_joined_ends([piece.input_ends for piece in pieces]),
            legal_ends=_joined_ends([piece.legal_ends for piece in pieces]),
        )


def _joined_ends(pieces: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    lengths = np.concatenate([np.diff(ends) for ends in pieces])
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


class BatchResult(NamedTuple):
    """Results of a batch of games."""

    data: Experience
    """The recorded decisions of all games."""
    utilities: npt.NDArray[np.float64]
    """float64[games, 2]."""
    reasons: npt.NDArray[np.int64]
    """Why each game ended, int64[games]."""

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.reasons)

    @property
    def rows(self) -> int:
        """Number of recorded decisions."""
        return len(self.data.sides)


def kinds_of(game: Game) -> npt.NDArray[np.int16]:
    """Return the number of the kind of each action (place, bid ...), int16[n_actions]."""
    found: dict[str, int] = {}
    numbers = []
    for action in range(game.n_actions):
        try:
            kind = game.action_parts(action).kind
        except LookupError:  # a number that is not an action with these cards
            kind = ""
        numbers.append(found.setdefault(kind, len(found)))
    return np.array(numbers, np.int16)


def play(
    game: Game,
    brain: Brain,
    older: npt.NDArray[np.float32],
    named: Policy | None,
    seats: npt.NDArray[np.int8],
    kinds: npt.NDArray[np.int16],
    lambdas: tuple[float, float],
    seed: int,
    first: int,
    rows: int,
    workers: int,
    scripts: npt.NDArray[np.int64] | None = None,
) -> BatchResult:
    """Play games until `rows` decisions have been recorded.

    Args:
        game: the ruleset.
        brain: the network that learns.
        older: weights of an earlier one, float32[2, size].
        named: another player.
        seats: who plays each side of each game, int8[games, 2].
        kinds: `kinds_of` the game.
        lambdas: decay of later surprises in advantages, and in targets.
        seed: seed of all random numbers.
        first: number of the first game of the seed.
        rows: number of decisions to record.
        workers: number of threads; the result is the same for any.
        scripts: the games, if they have been played already: every action of chance and of the sides in turn,
            int64[games, longest]. No seat may be the network.

    Raises:
        LearnedError: a few games have more decisions than `ROWS_A_PART`.
    """
    # Compiled before the threads start: two that ask for it at once would compile it twice.
    loop, compiled, policy = _loop(type(game)), functions(game), at_address(named or no_policy_of(type(game)))
    inputs = brain.inputs
    networks = _Networks(inputs.table, inputs.input_of, inputs.depth, brain.plan.numbers, brain.weights, older)
    luck = generators(seed, 2 * first, 2 * len(seats)).reshape(-1, 2, 4)
    written = np.empty((len(seats), 0), np.int64) if scripts is None else scripts
    decay = np.array(lambdas)
    own = local()

    def played(start: int) -> tuple[_Games, Experience]:
        if not hasattr(own, "room"):  # one for each thread: to allocate it every time takes as long as a short game
            own.room = Experience.room(inputs.most, game.max_legal)
        some = slice(start, start + GAMES_A_PART)
        count = len(seats[some])
        ends = np.zeros(count, np.int64)
        games = _Games(seats[some], luck[some], written[some], np.zeros((count, 2)), np.zeros(count, np.int64), ends)
        loop(
            compiled,
            policy,
            game.rules,
            game.new_states(2),
            games,
            networks,
            kinds,
            decay,
            game.max_legal,
            own.room,
        )
        if ends[-1] == NO_ROOM:
            raise LearnedError(f"a game of {game.title} has too many decisions or legal actions to record")
        return games, own.room.first(ends[-1])

    pieces, utilities, reasons = [], [], []
    recorded = 0
    with closing(in_order(played, range(0, len(seats), GAMES_A_PART), workers)) as results:
        for games, data in results:
            # None after the game that completes the batch.
            needed = int(np.searchsorted(games.ends, rows - recorded)) + 1
            end = int(games.ends[:needed][-1])
            pieces.append(data if end == len(data.sides) else data.first(end))
            utilities.append(games.utilities[:needed])
            reasons.append(games.reasons[:needed])
            recorded += end
            if recorded >= rows:
                break
    return BatchResult(Experience.joined(pieces), np.concatenate(utilities), np.concatenate(reasons))


class _Games(NamedTuple):
    """Some games of a batch."""

    seats: npt.NDArray[np.int8]
    """Player of each side: LEARNER, OLDER, NAMED or TEACHER, int8[games, 2]."""
    luck: npt.NDArray[np.int64]
    """Generators for chance and for the players, int64[games, 2, 4]."""
    scripts: npt.NDArray[np.int64]
    """See `play`, int64[games, longest]; empty if the games are played now."""
    utilities: npt.NDArray[np.float64]
    """See `BatchResult`, also for `reasons`."""
    reasons: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    """Number of decisions recorded by the end of each game, int64[games]; the last is `NO_ROOM` if they did not fit."""


class _Networks(NamedTuple):
    """The network that learns and an earlier one, with their common inputs (`Inputs`) and layers (`LayerSizes`)."""

    table: npt.NDArray[np.int64]
    input_of: npt.NDArray[np.int32]
    depth: int
    plan: npt.NDArray[np.int64]
    current: npt.NDArray[np.float32]
    """Weights, float32[2, size]."""
    older: npt.NDArray[np.float32]
    """Likewise."""


_NUMBERS = types.Array(types.int64, 1, "C")
_WEIGHTS = types.Array(types.float32, 2, "C")
EXPERIENCE = named_tuple(
    Experience,
    types.Array(types.int8, 1, "C"),
    *(INDEX, VALUES, VALUES, VALUES, _NUMBERS, INDEX, VALUES, _NUMBERS, ACTIONS, VALUES, VALUES),
)
"""The compiled type of `Experience`."""
_GAMES = named_tuple(
    _Games,
    types.Array(types.int8, 2, "C"),
    types.Array(types.int64, 3, "C"),
    types.Array(types.int64, 2, "C"),
    types.Array(types.float64, 2, "C"),
    _NUMBERS,
    _NUMBERS,
)
_NETWORKS = named_tuple(_Networks, TABLE, INDEX, types.int64, PLAN, _WEIGHTS, _WEIGHTS)


@cache
def _loop(game: type[Game]) -> Any:
    return compiled_loop(
        play_and_record,
        types.void,
        functions_type(game),
        function_type(game, "policy"),
        game.rules_type,
        types.Array(game.state_type, 1, "C"),
        _GAMES,
        _NETWORKS,
        ACTIONS,
        types.Array(types.float64, 1, "C"),
        types.int64,
        EXPERIENCE,
    )


def play_and_record(
    game: GameFunctions,
    named: Policy,
    rules: Any,
    scratch: Any,
    games: _Games,
    networks: _Networks,
    kinds: npt.NDArray[np.int16],
    lambdas: npt.NDArray[np.float64],
    max_legal: int,
    data: Experience,
) -> None:
    """Play one game for each row of `games.seats`; see `play`."""
    luck, seats, plan = games.luck, games.seats, networks.plan
    sides, chosen, values = data.sides, data.chosen, data.values
    input_ends, active, inputs = data.input_ends, data.active, data.inputs
    legal_ends, lists, old = data.legal_ends, data.legal, data.old
    most = active.shape[0] // input_ends.shape[0]
    out = np.empty(max_legal, np.int16)
    shares = np.empty(max_legal, np.float32)
    hidden = np.empty(plan[1] + plan[2] + plan[3], np.float32)  # FIRST, SECOND, CRITIC
    alike = np.zeros(kinds.max() + 1, np.int64)
    after = np.zeros(2)
    is_scripted = games.scripts.shape[1] > 0
    row = 0
    for number in range(seats.shape[0]):
        begin = row
        step = -1
        state = scratch[0]
        game.start(rules, state)
        side = game.actor(rules, state)
        while side != OVER:
            step += 1
            if side == CHANCE:
                if is_scripted:
                    game.apply(rules, state, games.scripts[number, step])
                else:
                    game.apply(rules, state, game.sample(rules, state, luck[number, 0]))
                side = game.actor(rules, state)
                continue
            game.view_for(rules, state, side, scratch[1])
            seat = seats[number, side]
            count = game.legal(rules, scratch[1], side, out)
            place = 0
            action = int(out[0])
            if count > 1:
                if is_scripted:
                    action = int(games.scripts[number, step])
                elif seat in (NAMED, TEACHER):
                    action = int(named(rules, scratch[1], side, luck[number, 1]))
                if seat != NAMED:
                    if row >= sides.shape[0] or legal_ends[row] + count > lists.shape[0]:
                        games.ends[-1] = NO_ROOM
                        return
                    weights = networks.older[side] if seat == OLDER else networks.current[side]
                    at = input_ends[row]
                    found = encode_inlined(
                        scratch[1],
                        networks.table,
                        networks.input_of,
                        networks.depth,
                        active[at : at + most],
                        inputs[at : at + most],
                    )
                    first_layer(weights, plan, active[at : at + most], inputs[at : at + most], found, hidden)
                    log_policy(weights, plan, out, count, hidden, shares)
                    if seat == TEACHER:
                        while out[place] != action:
                            place += 1
                    else:
                        place = drawn(shares, count, np.float32(0), luck[number, 1])
                        action = int(out[place])
                if seat in (LEARNER, TEACHER):
                    sides[row] = side
                    chosen[row] = place
                    values[row] = value_of(weights, plan, hidden)
                    input_ends[row + 1] = at + found
                    kinds_here = 0
                    for item in range(count):
                        alike[kinds[out[item]]] += 1
                        if alike[kinds[out[item]]] == 1:
                            kinds_here += 1
                    base = legal_ends[row]
                    for item in range(count):
                        lists[base + item] = out[item]
                        old[base + item] = shares[item]
                        data.even[base + item] = -np.log(np.float32(kinds_here * alike[kinds[out[item]]]))
                    for item in range(count):
                        alike[kinds[out[item]]] = 0
                    legal_ends[row + 1] = base + count
                    row += 1
            game.apply(rules, state, action)
            side = game.actor(rules, state)
        games.reasons[number] = game.result(rules, state, games.utilities[number])
        for own in range(2):
            after[own] = games.utilities[number, own]
        gain = np.zeros((2, 2))
        for earlier in range(row - begin):
            item = row - 1 - earlier
            own = sides[item]
            surprise = after[own] - values[item]
            for kind in range(2):
                gain[kind, own] = surprise + lambdas[kind] * gain[kind, own]
            data.advantages[item] = gain[0, own]
            data.targets[item] = values[item] + gain[1, own]
            after[own] = values[item]
        games.ends[number] = row
