"""``brink lab train``: train a network to play a game, or to beat one player, and check it by matches."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from filelock import FileLock, Timeout

from brinkmanship.cli import INTERRUPTED, command, lab_commands
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import AsJson, Cards, OptionTexts, chosen_options, make_folder
from brinkmanship.cli.progress import progress
from brinkmanship.engine.game import Game
from brinkmanship.engine.playout import Policy
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.plan import REPORT_SEED
from brinkmanship.lab.matches.match import MatchResult, paired_match
from brinkmanship.players import players_for
from brinkmanship.players.lab_players import load_lab_player
from brinkmanship.players.learned.player import LearnedError, LearnedPlayer
from brinkmanship.players.player import Player
from brinkmanship.training.league import PROGRESS, Opponents, Run, Settings

BASES = ("rules", "greedy")
"""Players to imitate by default: the first one that the game has."""
NONE = "none"
OPPONENTS = ("greedy", "rules")
"""Players of the final check by default."""
RATE, LAST_RATE = 5e-4, 0.1
"""Learning rate at the beginning, and at the end as a share of it."""
ENTROPY, LAST_ENTROPY, LAST_ENTROPY_AGAINST = 0.03, 1 / 3, 0.1
"""Weight of the entropy bonus, likewise; a best response need not be hard to predict."""


@command(
    "brink lab train 13-minutes --out run/ --decisions 20000000 --seed 1",
    "brink lab train 13-minutes --out answer/ --decisions 5000000 --against greedy --teacher fast --json",
    "brink lab train 13-days --out model/ --decisions 0 --teacher level:6 --imitated 1000000",
    within=lab_commands,
)
def train(
    game: GameId,
    out: Annotated[Path, typer.Option("--out")],
    decisions: Annotated[int, typer.Option("--decisions", min=0)],
    seed: Annotated[int, typer.Option("--seed", min=0)] = 1,
    against: Annotated[str | None, typer.Option("--against")] = None,
    start: Annotated[Path | None, typer.Option("--start")] = None,
    teacher: Annotated[str | None, typer.Option("--teacher")] = None,
    imitated: Annotated[int, typer.Option("--imitated", min=1)] = 200_000,
    partner: Annotated[str | None, typer.Option("--partner")] = None,
    rate: Annotated[float, typer.Option("--rate", min=0)] = RATE,
    entropy: Annotated[float, typer.Option("--entropy", min=0)] = ENTROPY,
    versus: Annotated[list[str] | None, typer.Option("--versus")] = None,
    pairs: Annotated[int, typer.Option("--pairs", min=1)] = 400,
    option: OptionTexts = None,
    cards: Cards = None,
    as_json: AsJson = False,
) -> None:
    """Train a network, by self-play or against one player, and check it by matches on report seeds.

    Ctrl-C stops early; the same command continues.
    """
    ruleset = load_game(game, cards, chosen_options(option))
    known = players_for(ruleset)
    usual = next((name for name in BASES if name in known), NONE)
    settings = Settings(
        decisions,
        seed,
        against,
        _named(teacher or (NONE if start else usual)),
        None if start is None else str(start),
        imitated,
        None if against else _named(partner or usual),
        rates=(rate, rate * LAST_RATE),
        entropy=(entropy, entropy * (LAST_ENTROPY_AGAINST if against else LAST_ENTROPY)),
    )
    rivals = list(versus or ([against] if against else [name for name in OPPONENTS if name in known]))
    teacher_policy, asked = _teacher(ruleset, settings.teacher)
    opponents = Opponents(teacher_policy, _policy(ruleset, against or settings.partner), asked)
    make_folder(out, "--out")
    with _alone_in(out):
        run = Run(ruleset, out, settings, opponents)
        if not _trained(run, as_json):
            raise typer.Exit(INTERRUPTED)
    results = {name: _checked(run, name, pairs) for name in rivals}
    # A best response is worth what it scores beyond the player itself, on the same deals.
    own = {name: _checked(run, name, pairs, name) for name in rivals if name == against}
    if as_json:
        found = [{"against": name, "seed": REPORT_SEED, **result.as_json()} for name, result in results.items()]
        itself = [{"against": name, **result.as_json()} for name, result in own.items()]
        files = {"folder": str(out), "charts": str(out / PROGRESS)}
        print(json.dumps({"game": ruleset.id, **files, "checks": found, "player_against_itself": itself}))
        return
    for name, result in results.items():
        _print(name, result, own.get(name))


def _named(name: str) -> str | None:
    return None if name == NONE else name


def _teacher(game: Game, name: str | None) -> tuple[Policy | None, Player | None]:
    """Return the compiled policy of a teacher, or the teacher itself if it has to be asked; of one the other is None.

    Raises:
        LearnedError: it plays uniformly at random, so that there is nothing to imitate.
    """
    if name is None:
        return None, None
    player = load_lab_player(name, game)
    return (None, player) if player.is_asked else (_policy_of(player, name), None)


def _policy(game: Game, name: str | None) -> Policy | None:
    """Return the compiled policy of a player, None without a name.

    Raises:
        LearnedError: the player has none, so that it would take days.
    """
    if name is None:
        return None
    return _policy_of(load_lab_player(name, game), name)


def _policy_of(player: Player, name: str) -> Policy:
    policy = player.compiled_model()
    if policy is None:
        raise LearnedError(f"{name} has no compiled policy; choose a player like {' or '.join(BASES)}")
    return policy


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Reserve a folder: two runs in it would overwrite each other's log and checkpoint.

    Raises:
        LearnedError: another process trains there.
    """
    lock = FileLock(folder / "training.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise LearnedError(f"another `brink lab train` is running in {folder}; choose another --out") from error
    try:
        yield
    finally:
        lock.release()


def _trained(run: Run, is_quiet: bool) -> bool:
    """Train to the end; return False if Ctrl-C stopped it."""
    goal, done = run.goal, run.done
    try:
        with progress("decisions", goal, done) as advance, closing(run.train()) as iterations:
            for _ in iterations:
                advance(run.done - done)
                done = run.done
    except KeyboardInterrupt:
        print(f"Stopped after {done} of {goal} decisions; the same command continues.", file=sys.stderr)
        return False
    if not is_quiet:
        print(f"{done} decisions, {run.state.games} games: {run.folder}")
        print(f"Charts: {run.folder / PROGRESS}")
    return True


def _checked(run: Run, rival: str, pairs: int, name: str | None = None) -> MatchResult:
    """Return the result of the trained player, or of a named one, in a match on report seeds."""
    player = LearnedPlayer(run.game, run.folder, 0) if name is None else load_lab_player(name, run.game, 0)
    return paired_match(run.game, player, load_lab_player(rival, run.game, 0), pairs, REPORT_SEED)


def _print(rival: str, result: MatchResult, own: MatchResult | None) -> None:
    low, high = result.interval
    print(f"Against {rival}: {result.total.score:.1%} ({low:.1%} – {high:.1%}), {result.pairs} pairs")
    for side, tally in result.by_side.items():
        gain = f", {rival} itself {own.by_side[side].score:.1%}" if own else ""
        print(f"  as {side}: {tally.score:.1%}{gain}")
    for reason, tally in result.by_reason.items():
        games = tally.wins + tally.losses + tally.draws
        print(f"  {reason}: {games} of {2 * result.pairs} games")
