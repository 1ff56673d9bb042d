"""The game as one viewer knows it: the one place that decides what may be shown of a match."""

from __future__ import annotations

import ast
import doctest
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import brinkmanship
from brinkmanship.engine import journal, perspective
from brinkmanship.engine.game import CHANCE, FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.game_log import GameLog
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.perspective import UNKNOWN, Perspective
from brinkmanship.games.registry import BUILT_IN, load_game

PACKAGE = Path(brinkmanship.__file__).parent
VIEWERS = (0, 1, OBSERVER)

HOLDS_MATCHES = {
    "__init__.py",
    "analysis/pipeline.py",
    "analysis/steps.py",
    "terminal/campaign.py",
    "cli/commands/hint.py",
    "cli/commands/play.py",
    "terminal/recording.py",
    "terminal/commands.py",
    "terminal/ending.py",
    "terminal/saved_game.py",
    "terminal/session.py",
    "cli/commands/lab/simulate.py",
    "lab/diagnostics/audit.py",
    "lab/diagnostics/exploit.py",
    "lab/diagnostics/histories.py",
    "lab/matches/match.py",
    "players/self_play.py",
    "position.py",
    "puzzles/generator.py",
    "puzzles/puzzle.py",
    "research/gymnasium_env.py",
    "research/parquet.py",
    "testing.py",
    "text/record_steps.py",
    "games/thirteen_minutes/training/beliefs.py",
    "training/positions.py",
    "web/jobs/request.py",
    "web/presentation/replay.py",
    "web/tables/live_table.py",
    "web/tables/open_hands.py",
    "web/tables/record_handlers.py",
    "web/tables/table_state.py",
}
"""The modules that play games or carry journals out; all others are given what one viewer knows."""


@pytest.fixture(scope="module", params=list(BUILT_IN))
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def positions(game: Game, seed: int) -> Iterator[Match]:
    """A random game at each point where somebody is asked."""
    choose, match = random.Random(seed), Match(game)
    deal = dealer(seed)
    while True:
        match.advance(deal)
        yield match
        if match.is_over:
            return
        side = choose.choice(sorted(match.pending))
        match.push(choose.choice(match.legal(side)).action, side=side)


def told(seen: Perspective) -> list[object]:
    """All that a perspective tells its viewer."""
    lines: GameLog[None] = GameLog(lambda *_: None)
    lines.follow(seen)
    return [
        seen.entries,
        seen.view().tobytes(),
        seen.to_move,
        seen.prompt,
        seen.legal(),
        seen.undo_count,
        seen.in_secret,
        [line.line for line in lines.lines],
        journal.known_to(seen).text(),
    ]


def test_nothing_tells_that_the_other_side_has_answered_or_taken_its_answer_back(game: Game) -> None:
    met = 0
    for match in positions(game, seed=3):
        if match.pending != {0, 1}:
            continue
        met += 1
        for side in (0, 1):
            viewers = [Perspective(match, viewer) for viewer in VIEWERS if viewer != side]
            before = [told(viewer) for viewer in viewers]
            match.push(match.legal(side)[-1].action, side=side)
            assert [told(viewer) for viewer in viewers] == before
            assert not any(viewer.hears_of(side) for viewer in viewers)
            assert Perspective(match, side).hears_of(side)
            assert Perspective(match, side).to_move == {1 - side}
            match.pop()
            assert [told(viewer) for viewer in viewers] == before
    assert met


def test_entries_are_masked_and_nothing_else_is_missing(game: Game) -> None:
    hidden = 0
    for match in positions(game, seed=4):
        if match.in_secret:
            continue
        for viewer in VIEWERS:
            seen = Perspective(match, viewer)
            assert seen.length == len(match.entries)
            for entry, known in zip(match.entries, seen.entries, strict=True):
                if entry.is_known_to(viewer):
                    assert known == entry
                else:
                    hidden += 1
                    assert known == entry._replace(action=UNKNOWN, text=game.hidden_action_text(entry.action))
        assert Perspective(match, FULL_INFORMATION).entries == match.entries
    assert hidden


def test_entries_have_the_numbers_of_the_match_wherever_one_begins_to_read(game: Game) -> None:
    *_, match = positions(game, seed=7)
    for viewer in (*VIEWERS, FULL_INFORMATION):
        seen = Perspective(match, viewer)
        entries = [seen.entry(number) for number in range(1, seen.length + 1)]
        assert entries == seen.entries
        for first in (0, 6, 7):
            read = list(seen.seen(first))
            assert [each.number for each in read] == list(range(first + 1, seen.length + 1))
            assert [each.entry for each in read] == entries[first:]
            assert read[0].before.tobytes() == seen.view(first).tobytes()
            assert [each.after.tobytes() for each in read[:3]] == [
                seen.view(each.number).tobytes() for each in read[:3]
            ]


def test_only_a_side_that_looks_at_the_present_may_do_something(game: Game) -> None:
    could_take_back = 0
    for match in islice(positions(game, seed=8), 25):
        for side in (0, 1):
            seen = Perspective(match, side)
            assert seen.legal() == match.legal(side)
            assert seen.legal_texts() == [decision.text for decision in match.legal(side)]
            assert seen.undo_count == match.undo_count(side)
            assert seen.prompt == game.narrator.prompt(match.view(side), side)
            could_take_back += seen.undo_count
            assert seen.in_secret is match.in_secret
            assert seen.hears_of(1 - side) is not match.in_secret
        looking_on = [Perspective(match, OBSERVER), Perspective(match, FULL_INFORMATION)]
        for seen in (*looking_on, *(Perspective(match, side).at(len(match.entries)) for side in (0, 1))):
            assert (seen.legal(), seen.legal_texts(), seen.undo_count) == ([], [], 0)
    assert could_take_back


def test_a_deed_is_told_of_the_side_that_did_it_also_where_the_reader_may_not_know_which_it_was(game: Game) -> None:
    *_, match = positions(game, seed=2)
    told_of = 0
    for viewer in VIEWERS:
        seen = Perspective(match, viewer)
        for each in seen.seen():
            for line in list(seen.lines(each))[:1]:
                if each.entry.actor != CHANCE and line.side is not None:
                    told_of += 1
                    assert line.side == each.entry.actor, (viewer, each.entry.text)
    assert told_of


def test_who_knows_everything_reads_each_deed_as_the_one_who_did_it(game: Game) -> None:
    *_, match = positions(game, seed=9)
    seen, onlooker = Perspective(match, FULL_INFORMATION), Perspective(match, OBSERVER)
    assert seen.prompt == onlooker.prompt
    for each in seen.seen():
        entry = match.entries[each.number - 1]
        teller = OBSERVER if entry.actor == CHANCE else entry.actor
        assert list(seen.lines(each)) == list(game.narrator.narrate(each.before, entry.action, each.after, teller))
    for each in onlooker.seen():
        told = game.narrator.narrate(each.before, each.entry.action, each.after, OBSERVER)
        assert list(onlooker.lines(each)) == list(told)


def test_looking_back_shows_what_was_known_then(game: Game) -> None:
    match = Match(game)
    then = []
    for match in positions(game, seed=5):
        if len(match.entries) < 60 and not match.in_secret:  # the record names the sides in their order
            then.append((len(match.entries), [told(Perspective(match, viewer))[:4] for viewer in VIEWERS]))
    for count, known in then:
        assert [told(Perspective(match, viewer).at(count))[:4] for viewer in VIEWERS] == known


def test_a_still_perspective_does_not_go_on(game: Game) -> None:
    games = positions(game, seed=6)
    match = next(games)
    snapshot = Perspective(match, FULL_INFORMATION).snapshot()
    before = told(snapshot)
    for _ in zip(range(5), games, strict=False):
        pass
    assert told(snapshot) == before


def test_what_shows_a_game_holds_no_match() -> None:
    """A page, a log or a picture that held the match could show what its viewer may not know."""
    found = set()
    for source in PACKAGE.rglob("*.py"):
        name = source.relative_to(PACKAGE).as_posix()
        if name.startswith("engine/"):
            continue
        tree = ast.parse(source.read_text("utf-8"))
        called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}  # services have a method `match`
        for node in set(ast.walk(tree)) - called:
            imports = (
                isinstance(node, ast.ImportFrom)
                and any(alias.name == "Match" for alias in node.names)
                and node.module != "brinkmanship.tournament.event"  # where a match is one of two people
            )
            reads = isinstance(node, ast.Attribute) and node.attr == "match"
            holder = getattr(node.value, "attr", getattr(node.value, "id", "")) if reads else ""  # type: ignore[attr-defined]
            if imports or holder in ("table", "state", "source", "course", "live", "saved", "self"):
                found.add(name)
    assert found == HOLDS_MATCHES


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(perspective).failed == 0
