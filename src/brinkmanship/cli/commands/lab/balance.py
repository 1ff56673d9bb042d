"""``brink lab balance``: the balance of a game and the value of its parts, as a page or as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brinkmanship.cli import command, lab_commands
from brinkmanship.cli.options import (
    AsJson,
    Cards,
    ClusterAddress,
    OptionTexts,
    check_output,
    chosen_options,
    cluster_at,
    unwritable,
)
from brinkmanship.cli.progress import progress
from brinkmanship.engine.errors import OptionError
from brinkmanship.engine.game import Game
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.terminal.words import Language, checked_language
from brinkmanship.text import Words, words_for

if TYPE_CHECKING:
    from brinkmanship.lab.balance.measures import Found
    from brinkmanship.lab.balance.plan import Piece
    from brinkmanship.lab.balance.store import Store
    from brinkmanship.lab.matches.cluster import Cluster

PAGES = (".html", ".htm")


@command(
    "brink lab balance 13-days -o report.html",
    "brink lab balance ukrainian-crisis --scenario my.toml --scale 0.1 --lang de -o my.html",
    "brink lab balance 13-minutes --option cube_limit=5 --player fast --player rules -o five.html",
    "brink lab balance --from report.sqlite --lang pl -o report.pl.html",
    within=lab_commands,
)
def balance(
    game: Annotated[str | None, typer.Argument(metavar="GAME")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    scale: Annotated[float, typer.Option("--scale", min=0.00001, max=1000)] = 1.0,
    player: Annotated[list[str] | None, typer.Option("--player")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0)] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1)] = None,
    cluster: ClusterAddress = None,
    option: OptionTexts = None,
    cards: Cards = None,
    store: Annotated[Path | None, typer.Option("--from")] = None,
    lang: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Measure the balance of a game, and the value of its cards, agendas, countries, zones and options.

    Measurements are stored beside the page; after an interruption, the same command resumes from there.
    """
    language = checked_language(lang)
    if (game is None) == (store is None) or (store is not None and (option or cards or player)):
        raise OptionError(Message("fault.balance.what"))
    if output is not None and output.suffix.lower() not in PAGES:
        raise OptionError(Message("fault.balance.output", {"file": str(output)}))
    if store is not None:
        from brinkmanship.lab.balance.store import Store  # loads Numba, as do all imports below

        opened = Store(store)
        check_output(output or (None if as_json else store.with_suffix(".html")))
        _tell(opened, store, output or store.with_suffix(".html"), language, as_json, output is not None)
        return
    assert game is not None
    ruleset = load_game(game, cards, chosen_options(option))
    page = output or Path(f"{ruleset.id}-balance.html")
    check_output(output or (None if as_json else page))
    kept = page.with_suffix(".sqlite")
    words = words_for(ruleset, language).with_domain("balance")
    with cluster_at(cluster, workers) as machines:
        by = machines or workers or os.cpu_count() or 1
        found = _measured(ruleset, kept, scale, tuple(player or ()), seed, by, words)
    _tell(found, kept, page, language, as_json, output is not None)


def _measured(
    game: Game, kept: Path, scale: float, players: tuple[str, ...], seed: int | None, by: int | Cluster, words: Words
) -> Store:
    """Return the completed file of a report, measured by a number of processes or by a cluster."""
    from brinkmanship.lab.balance.plan import REPORT_SEED, plan_for
    from brinkmanship.lab.balance.runner import run, run_on
    from brinkmanship.lab.balance.store import Store, about

    number = REPORT_SEED if seed is None else seed
    plan = plan_for(game, scale, players)
    store = Store(kept, about(game, number, plan))
    pieces = list(plan.pieces())

    def measure(missing: Sequence[Piece]) -> Iterator[tuple[Piece, Found]]:
        return run(game, number, missing, by) if isinstance(by, int) else run_on(by, game, number, missing)

    try:
        keep_missing(store, pieces, measure, words.text(Message("progress")))
    except KeyboardInterrupt:
        print(words.text(Message("stopped", {"store": str(kept)})), file=sys.stderr)
        raise
    return store


def keep_missing(
    store: Store,
    pieces: Sequence[Piece],
    measure: Callable[[Sequence[Piece]], Iterable[tuple[Piece, Found]]],
    doing: str,
) -> None:
    """Measure the pieces missing in a file, store each as it arrives, and show a progress bar."""
    missing = store.missing(pieces)
    total = sum(piece.games for piece in pieces)
    with progress(doing, total, total - sum(piece.games for piece in missing)) as advance:
        for piece, found in measure(missing):
            store.keep(piece, found)
            advance(piece.games)


def _tell(store: Store, kept: Path, page: Path, language: str, as_json: bool, is_named: bool) -> None:
    from brinkmanship.lab.balance import page as pages
    from brinkmanship.lab.balance.results import Report

    report = Report(store)
    words = words_for(report.game, language)
    if is_named or not as_json:
        try:
            page.write_text(pages.page(report, words), "utf-8")
        except OSError as error:
            raise unwritable(page, error) from error
    if as_json:
        print(json.dumps(report.as_json()))
        return
    said = {"file": str(page), "store": str(kept)}
    print(words.with_domain(pages.DOMAIN).text(Message("written", said)))
