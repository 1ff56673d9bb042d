"""``brink lab match``, ``sprt``, ``ladder``: the strength of computer players, measured on paired deals."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from brinkmanship.cli import INTERRUPTED, command, lab_commands
from brinkmanship.cli.commands.show import GameId
from brinkmanship.cli.options import (
    AsJson,
    Cards,
    ClusterAddress,
    OptionTexts,
    check_output,
    chosen_options,
    cluster_at,
    make_folder,
)
from brinkmanship.cli.progress import progress
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.lab.matches.cluster import Cluster
from brinkmanship.lab.matches.ladder import ladder as fitted
from brinkmanship.lab.matches.match import (
    MatchResult,
    Pairs,
    Tally,
    milliseconds_a_decision,
    play_pairs,
    play_pairs_on,
    result_of,
)
from brinkmanship.lab.matches.match_file import SavedMatch, description
from brinkmanship.lab.matches.plot import ladder_svg
from brinkmanship.lab.matches.sprt import Sprt
from brinkmanship.players import Player
from brinkmanship.players.lab_players import load_lab_player
from brinkmanship.terminal.style import QUIET
from brinkmanship.text import Words, words_for

TUNING_SEED = 1_000_000_000
"""First seed for tuning, up to twice this value; docs/develop/players.md lists those for training and reports."""

PlayerA = Annotated[str, typer.Option("--a")]
PlayerB = Annotated[str, typer.Option("--b")]
MatchSeed = Annotated[int, typer.Option("--seed", min=0)]
Workers = Annotated[int | None, typer.Option("--workers", min=1)]
Save = Annotated[Path | None, typer.Option("--save")]


@command(
    "brink lab match 13-days --a greedy --b random --pairs 200 --seed 9000000000 --json",
    "brink lab match 13-minutes --a greedy --b random --pairs 2000 --save greedy-random.jsonl",
    "brink lab match 13-days --a search:0.3s --b rules --pairs 400 --cluster 10.0.0.1:6379",
    within=lab_commands,
)
def match(
    game: GameId,
    a: PlayerA,
    b: PlayerB,
    pairs: Annotated[int, typer.Option("--pairs", min=1)],
    seed: MatchSeed = TUNING_SEED,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save: Save = None,
    as_json: AsJson = False,
) -> None:
    """Let two computer players play the same deals twice, with sides swapped, and report the score of the first.

    The interval is the 95 % one of the score of a, from the variance of the pairs. Ctrl-C stops early and reports the
    games played so far; --save stores them.
    """
    check_output(save, "--save")
    ruleset = load_game(game, cards, chosen_options(option))
    with cluster_at(cluster, workers) as machines:
        contest = Contest(ruleset, a, b, seed, workers, save, machines)
        complete = contest.play(pairs)
    thought = (
        {name: milliseconds_a_decision(ruleset, *players, seed) for name, players in contest.turned.items()}
        if complete
        else {}
    )
    if as_json:
        result = {**contest.description, "complete": complete, **contest.result.as_json(), "ms_per_decision": thought}
        print(json.dumps(result))
    else:
        _print_match(contest, thought)
    if not complete:
        raise typer.Exit(INTERRUPTED)


@command("brink lab sprt 13-days --a greedy --b random --elo0 0 --elo1 15 --most-pairs 5000", within=lab_commands)
def sprt(
    game: GameId,
    a: PlayerA,
    b: PlayerB,
    elo0: Annotated[float, typer.Option("--elo0")] = 0.0,
    elo1: Annotated[float, typer.Option("--elo1")] = 15.0,
    alpha: Annotated[float, typer.Option("--alpha", min=0.001, max=0.5)] = 0.05,
    beta: Annotated[float, typer.Option("--beta", min=0.001, max=0.5)] = 0.05,
    most_pairs: Annotated[int, typer.Option("--most-pairs", min=1)] = 20_000,
    seed: MatchSeed = TUNING_SEED,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save: Save = None,
    as_json: AsJson = False,
) -> None:
    """Play paired games until the test decides if a is better than b by elo1 points, or only by elo0."""
    if not elo0 < elo1:
        raise OptionError(Message("fault.command.elo", {"elo0": f"{elo0:g}", "elo1": f"{elo1:g}"}))
    check_output(save, "--save")
    ruleset = load_game(game, cards, chosen_options(option))
    test = Sprt(elo0, elo1, alpha, beta)
    with cluster_at(cluster, workers) as machines:
        contest = Contest(ruleset, a, b, seed, workers, save, machines)
        contest.play(most_pairs, lambda result: bool(test.verdict(result.pentanomial)))
    result = contest.result
    ratio, bounds, verdict = test.ratio(result.pentanomial), test.bounds, test.verdict(result.pentanomial)
    if as_json:
        head = {**contest.description, **test._asdict()}
        print(json.dumps({**head, **result.as_json(), "llr": ratio, "bounds": bounds, "verdict": verdict or None}))
        return
    console = Console(highlight=False)
    _print_head(console, contest, words_for(ruleset, "en"))
    console.print(
        f"Log-likelihood ratio {ratio:.2f}, decided below {bounds[0]:.2f} or above {bounds[1]:.2f}", soft_wrap=True
    )
    elo = elo1 if verdict == "elo1" else elo0
    console.print(f"Accepted: {elo:g} Elo points better" if verdict else "Not decided yet")


@command("brink lab ladder 13-days --player random --player greedy --pairs 500 --seed 9000000000", within=lab_commands)
def ladder(
    game: GameId,
    player: Annotated[list[str], typer.Option("--player")],
    pairs: Annotated[int, typer.Option("--pairs", min=1)],
    seed: MatchSeed = TUNING_SEED,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    option: OptionTexts = None,
    cards: Cards = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    neighbours: Annotated[bool, typer.Option("--neighbours")] = False,
    plot: Annotated[Path | None, typer.Option("--plot")] = None,
    as_json: AsJson = False,
) -> None:
    """Let all pairs of several computer players meet, and fit one Elo scale to all matches at once."""
    if len(player) < 2 or len(set(player)) < len(player):
        raise OptionError(Message("fault.command.players"))
    check_output(plot, "--plot")
    ruleset = load_game(game, cards, chosen_options(option))
    if save is not None:
        make_folder(save, "--save")
    matches: dict[tuple[str, str], MatchResult] = {}
    with cluster_at(cluster, workers) as machines:
        for a, b in pairwise(player) if neighbours else combinations(player, 2):
            contest = Contest(ruleset, a, b, seed, workers, file_in(save, a, b), machines)
            if not contest.play(pairs):
                raise KeyboardInterrupt
            matches[a, b] = contest.result
    places = fitted(player, matches, player[0])
    title = words_for(ruleset, "en").text(Message(f"game.{ruleset.id}"))
    if plot is not None:
        plot.write_text(ladder_svg(title, places), "utf-8")
    if as_json:
        results = [{"a": a, "b": b, **result.as_json()} for (a, b), result in matches.items()]
        head = {"game": ruleset.id, "options": dict(ruleset.options), "seed": seed}
        print(json.dumps({**head, "ladder": [place._asdict() for place in places], "matches": results}))
        return
    console = Console(highlight=False)
    console.print(Text(title, "bold"))
    table = Table(box=None, pad_edge=False, header_style=QUIET)
    table.add_column("Player")
    table.add_column("Elo", justify="right")
    for place in places:
        table.add_column(place.name, justify="right")
    for place in places:
        row = ["" if (met := _met(matches, place.name, other.name)) is None else f"{met:.1%}" for other in places]
        margin = f" ± {place.margin:.0f}" if place.margin else ""
        table.add_row(place.name, f"{place.elo:.0f}{margin}", *row)
    console.print(table)


def file_in(folder: Path | None, a: str, b: str) -> Path | None:
    """Return the file of a match in the folder for several, if there is one."""
    return folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', f'{a}-{b}')}.jsonl" if folder else None


def _met(matches: dict[tuple[str, str], MatchResult], name: str, other: str) -> float | None:
    """Return the score of one player against another, or None if they have not met."""
    if (name, other) in matches:
        return matches[name, other].total.score
    return 1 - matches[other, name].total.score if (other, name) in matches else None


class Contest:
    """A match of two players over the paired deals of a seed; pairs saved in its file count.

    Raises:
        UnknownPlayerError: there is no such player.
        SavedMatchError: the file belongs to another match, or cannot be used.
    """

    def __init__(
        self,
        game: Game,
        a: str,
        b: str,
        seed: int,
        workers: int | None,
        save: Path | None,
        cluster: Cluster | None = None,
    ) -> None:
        self.game, self.seed = game, seed
        self.names = a, b
        self.description = description(game, a, b, seed)
        players = load_lab_player(a, game), load_lab_player(b, game)
        self.turned: dict[str, tuple[Player, Player]] = {a: players, b: players[::-1]}
        """For each name, that player and its rival."""
        self._players = players
        self._workers = workers or os.cpu_count() or 1
        self._cluster = cluster
        self._kept = SavedMatch(save, self.description) if save else None
        self._played: list[Pairs] = self._kept.pairs if self._kept else []

    @property
    def result(self) -> MatchResult:
        """The result of the pairs played so far."""
        return result_of(self.game, self._played)

    def play(self, pairs: int, is_enough: Callable[[MatchResult], bool] = lambda _: False) -> bool:
        """Play until the number of pairs is reached or the result is enough; return False if Ctrl-C stopped it."""
        done = sum(len(each.scores) for each in self._played)
        if done >= pairs or is_enough(self.result):
            return True
        try:
            with progress(" – ".join(self.names), pairs, done) as advance:
                for more in self._more(done, pairs - done):
                    if self._kept:
                        self._kept.add(more)
                    else:
                        self._played.append(more)
                    advance(len(more.scores))
                    if is_enough(self.result):
                        break
        except KeyboardInterrupt:
            return False
        return True

    def _more(self, first: int, count: int) -> Iterator[Pairs]:
        if self._cluster is not None:
            return play_pairs_on(self._cluster, self.game, self.names, first, count, self.seed)
        return play_pairs(self.game, *self._players, first, count, self.seed, self._workers)


def _print_head(console: Console, contest: Contest, words: Words) -> None:
    console.print(Text(words.text(Message(f"game.{contest.game.id}")), "bold"))
    result = contest.result
    low, high = result.interval
    console.print(
        f"{' against '.join(contest.names)}: {result.total.score:.1%} of the points ({low:.1%} – {high:.1%}), "
        f"{result.pairs} pairs, seed {contest.seed}",
        soft_wrap=True,
    )


def _print_match(contest: Contest, thought: dict[str, float]) -> None:
    console = Console(highlight=False)
    result = contest.result
    if not result.pairs:
        print("Nothing was played.", file=sys.stderr)
        return
    words = words_for(contest.game, "en")
    _print_head(console, contest, words)
    table = Table(box=None, pad_edge=False, header_style=QUIET)
    table.add_column("")
    for heading in ("Score", "Won", "Lost", "Drawn"):
        table.add_column(heading, justify="right")

    def add(what: str, tally: Tally) -> None:
        table.add_row(what, f"{tally.score:.1%}", str(tally.wins), str(tally.losses), str(tally.draws))

    for side, tally in result.by_side.items():
        add(f"{contest.names[0]} as {words.name('side', side)}", tally)
    for reason, tally in result.by_reason.items():
        add("  " + words.text(Message(f"reason.{reason}")), tally)
    console.print(table)
    for name, milliseconds in thought.items():
        console.print(f"{name} thinks {milliseconds:.3f} ms per decision")
