"""Training of a policy and value network: imitation of a player, then self-play in a league, or against one player.

A run is a folder. After each iteration all of its state is the weights, the optimiser, the league and three counters,
as every random number derives from the seed and the number of the iteration; so a run that was interrupted continues
bit by bit as if it had not been, on any number of cores. Files:

| file | content |
|---|---|
| ``manifest.json`` | identity of the game, all settings, how far the run is |
| ``weights.npz`` | the player (`players.learned`): the moving average of the weights |
| ``checkpoint.npz`` | the state of the run |
| ``log.jsonl`` | one line of measurements for each iteration |
| ``progress.html`` | charts of the log |

Recipe: proximal policy optimisation with normalised advantages, an entropy bonus and a penalty for leaving the policy
that played ("Reevaluating Policy Gradient Methods for Imperfect-Information Games", 2502.08938).
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from brinkmanship.engine.game import CHANCE, Game
from brinkmanship.engine.playout import Policy, in_order
from brinkmanship.players.learned.inputs import Inputs, inputs_of
from brinkmanship.players.learned.network import LayerSizes
from brinkmanship.players.learned.player import (
    MANIFEST,
    WEIGHTS,
    Brain,
    LearnedError,
    identity,
    load_brain,
    saved_arrays,
)
from brinkmanship.players.player import Player
from brinkmanship.players.self_play import record
from brinkmanship.training.adam import adam
from brinkmanship.training.experience import LEARNER, NAMED, OLDER, TEACHER, BatchResult, Experience, kinds_of, play
from brinkmanship.training.policy_gradient import (
    ENTROPY,
    FROM_OLD,
    IS_CLIPPED,
    LIKELIHOOD,
    N_STATISTICS,
    VALUE_ERROR,
    Weighting,
    gradient,
)

CHECKPOINT, LOG, PROGRESS = "checkpoint.npz", "log.jsonl", "progress.html"
IMITATION = "imitation"
"""The first phase of a run, in its log."""


@dataclass(frozen=True)
class Settings:
    """Everything that determines a run; `docs/lab/2026-11-26-learned-policy.md` has the reasons."""

    decisions: int
    """Recorded decisions after the imitation; 0: none, the run only imitates."""
    seed: int
    against: str | None = None
    """The player to beat, which stays as it is: the run learns a best response. None: self-play."""
    teacher: str | None = None
    """The player whose decisions the network imitates first; None: it starts from random weights."""
    start: str | None = None
    """The folder of a trained player whose weights, inputs and layers the run starts from; None: new ones."""
    imitated: int = 200_000
    """Decisions of the teacher; those of an asked one include decisions with one legal action."""
    partner: str | None = None
    """A player met in some games of the self-play; None: none."""
    partner_share: float = 0.1
    older_share: float = 0.15
    """Share of games against earlier versions."""
    snapshots: int = 20
    """Number of earlier versions kept by the end."""
    batch: int = 16_384
    """Decisions of an iteration."""
    epochs: int = 2
    minibatches: int = 8
    rates: tuple[float, float] = (3e-4, 3e-5)
    """Learning rate at the beginning and at the end."""
    entropy: tuple[float, float] = (0.1, 0.05)
    """Weight of the divergence from the even policy, likewise."""
    old: float = 0.1
    clip: float = 0.2
    lambdas: tuple[float, float] = (0.9, 0.95)
    """Decay in advantages, and in targets of the value."""
    norm: float = 0.5
    """Maximum length of a gradient."""
    average: float = 0.999
    """Decay of the moving average of the weights."""
    imitation_rate: float = 1e-3
    imitation_epochs: int = 2
    imitation_rows: int = 256
    """Decisions of a minibatch while the network imitates."""
    layers: tuple[int, int, int] = (128, 64, 32)
    """Units of the first layer, of the policy, and of the value."""


class State(NamedTuple):
    """The state of a run after an iteration; arrays are never changed in place."""

    iteration: int
    decisions: int
    """Recorded decisions, without the imitated ones."""
    games: int
    weights: npt.NDArray[np.float32]
    """float32[2, size], as the next three."""
    mean: npt.NDArray[np.float32]
    square: npt.NDArray[np.float32]
    average: npt.NDArray[np.float32]
    steps: npt.NDArray[np.int64]
    """Steps of the optimiser for each side, int64[2]."""
    league: npt.NDArray[np.float16]
    """Earlier versions, float16[n, 2, size]."""


class Opponents(NamedTuple):
    """The policies that a run meets."""

    teacher: Policy | None = None
    partner: Policy | None = None
    """The partner, or the player to beat."""
    asked: Player | None = None
    """A teacher without a compiled policy, such as a search: its games are played move by move, in threads."""


class Run:
    """A run of training in a folder: continued if the folder has one.

    Args:
        game: the ruleset.
        folder: is created if it does not exist.
        settings: the settings.
        opponents: the policies of the players that the settings name.
        workers: number of threads, by default one for each core; the result is the same for any.

    Raises:
        LearnedError: the folder has a run with other settings or for another game, or no player to start from.
        OSError: the folder cannot be written.
    """

    def __init__(
        self, game: Game, folder: Path, settings: Settings, opponents: Opponents, workers: int | None = None
    ) -> None:
        self.game, self.folder, self.settings = game, folder, settings
        self._opponents = opponents
        self._workers = workers or os.cpu_count() or 1
        self._kinds = kinds_of(game)
        self._about = json.loads(json.dumps({"identity": identity(game), "settings": asdict(settings)}))
        folder.mkdir(parents=True, exist_ok=True)
        self.brain, self.state = self._loaded() if (folder / CHECKPOINT).exists() else self._begun()

    @property
    def is_over(self) -> bool:
        """True if all decisions have been made."""
        return not self._imitates and self.state.decisions >= self.settings.decisions

    @property
    def goal(self) -> int:
        """Number of decisions of the whole run, with those imitated."""
        return self.settings.decisions + (self.settings.imitated if self.settings.teacher else 0)

    @property
    def done(self) -> int:
        """Number of decisions made so far, with those imitated."""
        imitated = min(self.state.iteration * self.settings.batch, self.goal - self.settings.decisions)
        return imitated + self.state.decisions

    def train(self, every: int = 8) -> Generator[dict[str, Any]]:
        """Go on to the end, and yield the measurements of each iteration.

        Args:
            every: iterations between two checkpoints; 1 while an asked teacher plays, whose games take long. One is
                also written at the end and when the run is interrupted: the iteration that was going on is repeated.
        """
        saved = self.state.iteration
        try:
            with (self.folder / LOG).open("a", encoding="utf-8") as log:
                while not self.is_over:
                    began = perf_counter()
                    state, measured = self._iteration()
                    measured["seconds"] = round(perf_counter() - began, 3)
                    log.write(json.dumps(measured) + "\n")
                    log.flush()
                    self.state = state
                    is_slow = measured["phase"] == IMITATION and self._opponents.asked is not None
                    if self.is_over or is_slow or state.iteration >= saved + every:
                        self.save()
                        saved = state.iteration
                    yield measured
        finally:
            if saved != self.state.iteration:
                self.save()

    def save(self) -> None:
        """Write the player, the checkpoint and the charts, each file at once."""
        from brinkmanship.training.progress import page  # it needs the extra `play`

        average = self.brain._replace(weights=self.state.average)
        _write_arrays(self.folder / WEIGHTS, saved_arrays(average))
        done = {"iteration": self.state.iteration, "decisions": self.state.decisions, "games": self.state.games}
        _write(self.folder / MANIFEST, json.dumps({**self._about, "done": done}, indent=1).encode())
        _write_arrays(self.folder / CHECKPOINT, {**saved_arrays(self.brain), **self.state._asdict()})
        log = (self.folder / LOG).read_text("utf-8").splitlines()[: self.state.iteration]
        rival = self.settings.against or self.settings.partner
        charts = page(self.game.title, self.game.sides, [*map(json.loads, log)], self.settings.batch, rival)
        _write(self.folder / PROGRESS, charts.encode())

    def _begun(self) -> tuple[Brain, State]:
        if self.settings.start is not None:
            weights, plan, inputs = load_brain(Path(self.settings.start), self.game)
        else:
            inputs = inputs_of(self.game, self._opponents.teacher or self._opponents.partner, self.settings.seed)
            plan = LayerSizes(inputs.size, self.game.n_actions, *self.settings.layers)
            random = np.random.default_rng([self.settings.seed])
            weights = np.stack([plan.initial(random) for _ in self.game.sides])
        zeros = np.zeros_like(weights)
        league = np.zeros((0, *weights.shape), np.float16)
        state = State(0, 0, 0, weights, zeros, zeros, weights, np.zeros(2, np.int64), league)
        (self.folder / LOG).unlink(missing_ok=True)
        return Brain(weights, plan, inputs), state

    def _loaded(self) -> tuple[Brain, State]:
        try:
            manifest = json.loads((self.folder / MANIFEST).read_text("utf-8"))
            with np.load(self.folder / CHECKPOINT) as file:
                arrays = dict(file)
            log = (self.folder / LOG).read_text("utf-8").splitlines()
        except (OSError, ValueError, BadZipFile) as error:
            raise LearnedError(f"{self.folder} has no run that can be continued: {error}") from error
        for part, due in self._about.items():
            for name, value in due.items():
                if (found := manifest.get(part, {}).get(name)) != value:
                    raise LearnedError(f"{self.folder} has a run with another {name}: {found!r}, not {value!r}")
        numbers: dict[str, Any] = {name: int(arrays[name]) for name in ("iteration", "decisions", "games")}
        state = State(**numbers, **{name: arrays[name] for name in State._fields if name not in numbers})
        _write(self.folder / LOG, "".join(line + "\n" for line in log[: state.iteration]).encode())
        inputs = Inputs(arrays["table"], arrays["input_of"], int(arrays["depth"]))
        return Brain(state.weights, LayerSizes(*arrays["plan"].tolist()), inputs), state

    def _iteration(self) -> tuple[State, dict[str, Any]]:
        """Return the state after the next iteration, and its measurements."""
        state, settings = self.state, self.settings
        random = np.random.default_rng([settings.seed, 1 + state.iteration])
        imitates = self._imitates
        scripts = self._games_of(self._opponents.asked) if imitates and self._opponents.asked else None
        seats = self._seats(random, imitates)
        older = state.league[random.integers(len(state.league))] if len(state.league) else state.average
        played = play(
            self.game,
            self.brain._replace(weights=state.weights),
            older.astype(np.float32),
            self._opponents.teacher if imitates else self._opponents.partner,
            seats if scripts is None else seats[: len(scripts)],
            self._kinds,
            settings.lambdas,
            settings.seed,
            state.games,
            settings.batch,
            self._workers,
            scripts,
        )
        if not played.rows:
            raise LearnedError(
                f"{self.game.title}: no decision has several legal actions, so there is nothing to learn"
            )
        after, statistics = self._trained(state, played.data, random, imitates)
        after = after._replace(
            iteration=state.iteration + 1,
            decisions=state.decisions + (0 if imitates else played.rows),
            games=state.games + played.games,
        )
        ages = [each.decisions * settings.snapshots // max(settings.decisions, 1) for each in (state, after)]
        if ages[0] < ages[1]:
            after = after._replace(league=np.concatenate([after.league, after.average[None].astype(np.float16)]))
        return after, {
            "iteration": after.iteration,
            "decisions": after.decisions,
            "phase": IMITATION if imitates else "against" if settings.against else "league",
            **self._results(played, seats[: played.games]),
            "entropy": round(float(statistics[ENTROPY]), 4),
            "log_likelihood": round(float(statistics[LIKELIHOOD]), 4),
            "from_old": round(float(statistics[FROM_OLD]), 5),
            "clipped": round(float(statistics[IS_CLIPPED]), 4),
            "value_error": round(float(statistics[VALUE_ERROR]), 4),
        }

    @property
    def _imitates(self) -> bool:
        """True while the network imitates the teacher."""
        settings = self.settings
        return settings.teacher is not None and self.state.iteration * settings.batch < settings.imitated

    def _games_of(self, teacher: Player) -> npt.NDArray[np.int64]:
        """Play the games of an iteration by a teacher that is asked; return all actions, int64[games, longest]."""

        def played(number: int) -> list[tuple[int, int]]:
            return list(record(self.game, number, self.settings.seed, (teacher, teacher)))

        games: list[list[int]] = []
        decisions = 0
        with closing(in_order(played, count(self.state.games), self._workers)) as found:
            while decisions < self.settings.batch:
                game = next(found)
                decisions += sum(actor != CHANCE for actor, _ in game)
                games.append([action for _, action in game])
        scripts = np.zeros((len(games), max(map(len, games))), np.int64)
        for row, actions in zip(scripts, games, strict=True):
            row[: len(actions)] = actions
        return scripts

    def _seats(self, random: np.random.Generator, imitates: bool) -> npt.NDArray[np.int8]:
        """Return who plays each side of the next games, int8[games, 2]: more games than an iteration needs."""
        games = self.settings.batch
        seats = np.full((games, 2), TEACHER if imitates else LEARNER, np.int8)
        numbers = np.arange(games)
        if self.settings.against is not None and not imitates:
            seats[numbers, numbers % 2] = NAMED
        elif not imitates:
            partner = self.settings.partner_share if self.settings.partner else 0.0
            lot, side = random.random(games), random.integers(2, size=games)
            seats[numbers, side] = np.where(
                lot < partner, NAMED, np.where(lot < partner + self.settings.older_share, OLDER, LEARNER)
            )
        return seats

    def _trained(
        self, state: State, data: Experience, random: np.random.Generator, imitates: bool
    ) -> tuple[State, npt.NDArray[np.float64]]:
        """Return the state after all steps over the recorded decisions, and the mean statistics of the last epoch."""
        settings = self.settings
        done = min(state.decisions / max(settings.decisions, 1), 1.0)
        entropy = settings.entropy[0] + done * (settings.entropy[1] - settings.entropy[0])
        if imitates:
            weighting = Weighting(imitation=1.0, surrogate=0.0, even=0.0, old=0.0)
            rate, epochs = settings.imitation_rate, settings.imitation_epochs
        else:
            weighting = Weighting(clip=settings.clip, even=entropy, old=settings.old)
            rate, epochs = settings.rates[0] * (settings.rates[1] / settings.rates[0]) ** done, settings.epochs
        after = state._replace(
            **{name: getattr(state, name).copy() for name in ("weights", "mean", "square", "average", "steps")}
        )
        statistics: list[npt.NDArray[np.float64]] = []
        for side in range(len(self.game.sides)):
            own = np.flatnonzero(data.sides == side)
            if not len(own):
                continue
            gains = data.advantages[own]
            data.advantages[own] = (gains - gains.mean()) / (gains.std() + 1e-6)
            parts = max(len(own) // settings.imitation_rows, 1) if imitates else settings.minibatches
            for epoch in range(epochs):
                for some in np.array_split(random.permutation(own), parts):
                    if not len(some):
                        continue
                    slope, found = gradient(after.weights[side], self.brain.plan, some, data, weighting, self._workers)
                    after.steps[side] += 1
                    step = int(after.steps[side])
                    adam(after.weights[side], after.mean[side], after.square[side], slope, step, rate, settings.norm)
                    after.average[side] += np.float32(1 - settings.average) * (
                        after.weights[side] - after.average[side]
                    )
                    if epoch == epochs - 1:
                        statistics.append(found)
        if imitates:
            after = after._replace(average=after.weights)
        return after, np.mean(statistics or [np.zeros(N_STATISTICS)], axis=0)

    def _results(self, played: BatchResult, seats: npt.NDArray[np.int8]) -> dict[str, Any]:
        """Return the number of games, and the network's score against each kind of opponent; draws count half."""
        scores = (1 + np.sign(played.utilities[:, 0] - played.utilities[:, 1])) / 2
        found: dict[str, Any] = {"games": played.games}
        is_alone = seats[:, 0] == seats[:, 1]
        if is_alone.any():
            found[f"score_of_{self.game.sides[0]}"] = round(float(scores[is_alone].mean()), 4)
        for name, seat in (("older", OLDER), ("named", NAMED)):
            for side, label in enumerate(self.game.sides):
                if (games := seats[:, 1 - side] == seat).any():
                    score = float(scores[games].mean())
                    found[f"score_against_{name}_as_{label}"] = round(score if side == 0 else 1 - score, 4)
        endings = np.bincount(played.reasons, minlength=len(self.game.reasons)) / max(played.games, 1)
        return {**found, "endings": {self.game.reasons[k]: round(float(s), 4) for k, s in enumerate(endings) if s}}


def _write_arrays(file: Path, arrays: Mapping[str, Any]) -> None:
    memory = io.BytesIO()
    np.savez(memory, **arrays)
    _write(file, memory.getvalue())


def _write(file: Path, content: bytes) -> None:
    """Write a file at once: a reader, or a run that is killed, never leaves half of one."""
    new = file.with_name(f"{file.name}.new")
    with new.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
