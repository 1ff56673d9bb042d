"""The table of the score at the end of a game: its parts add up to the score, in every game and language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from rich.text import Text

from brinkmanship.engine import journal
from brinkmanship.engine.game import FULL_INFORMATION, OBSERVER, Game
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.engine.perspective import Perspective
from brinkmanship.engine.score import ScoreTable
from brinkmanship.games.registry import load_game
from brinkmanship.players import Player, load_player
from brinkmanship.terminal.score import score_lines
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.text.score import score_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "13-days-playthrough.brink"
GAMES = 24


def played(game: Game, seed: int, player: str = "random") -> Match:
    """A whole game of computer players."""
    match, deal = Match(game), dealer(seed)
    players: list[Player] = [load_player(player, game, seed + side) for side in range(2)]
    match.advance(deal)
    while not match.is_over:
        side = min(match.pending)
        match.push(players[side].choose(Observation.of(match, side)).action, side=side)
        match.advance(deal)
    return match


def tables_of(match: Match) -> tuple[ScoreTable, ...]:
    return match.game.narrator.score(list(Perspective(match, FULL_INFORMATION).seen()))


def check_sums(match: Match) -> None:
    """The sums of the tables are what the final state says."""
    game, state, tables = match.game, match.state, tables_of(match)
    totals = [table.totals for table in tables]
    if game.id == "13-days":
        assert [us - ussr for us, ussr in totals] == [state.prestige]
    elif game.id == "13-minutes":
        assert totals == [tuple(state.score.sum(axis=1))]
    else:
        assert totals == [tuple(state.vp), tuple(state.prestige)]


@cache
def some_games(game_id: str) -> tuple[Match, ...]:
    game = load_game(game_id)
    return (*(played(game, seed) for seed in range(GAMES)), *(played(game, seed, "greedy") for seed in range(4)))


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
class TestEveryGame:
    def test_the_parts_add_up_to_the_score(self, game_id):
        for match in some_games(game_id):
            check_sums(match)

    def test_every_part_has_words_in_every_language(self, game_id):
        matches = some_games(game_id)
        for language in LANGUAGES:
            words = words_for(matches[0].game, language)
            for match in matches:
                tables = tables_of(match)
                for table, text in zip(tables, score_text(match.game, tables, words), strict=True):
                    assert len(text.parts) == len(table.parts) > 0
                    assert all(part.what and "{" not in part.what for part in text.parts)

    def test_it_fits_a_terminal_of_80_columns_and_one_of_40(self, game_id):
        match = some_games(game_id)[-1]
        for language in LANGUAGES:
            words = terminal_words(match.game, language)
            for width in (80, 40):
                for line in score_lines(Perspective(match, FULL_INFORMATION), words, width):
                    assert isinstance(line, Text)
                    assert line.cell_len <= width
                    assert "…" not in line.plain

    def test_a_reader_from_whom_something_is_hidden_gets_none_in_the_terminal(self, game_id):
        match = some_games(game_id)[0]
        with pytest.raises(ValueError, match="the score needs full information, including secret actions"):
            list(score_lines(Perspective(match, OBSERVER), terminal_words(match.game, "en"), 80))

    def test_a_game_that_has_just_begun_has_a_score_that_stands_at_its_start(self, game_id):
        match = Match(load_game(game_id))
        assert tables_of(match) == ()
        match.advance(dealer(1))
        for table in tables_of(match)[1:]:
            assert table.totals == tuple(match.state.prestige)


@pytest.mark.parametrize(
    "options",
    [
        {"ordinary_cards": "true"},
        {"ordinary_cards": "true", "no_randomness": "true"},
        {"end_check_after_income": "true", "reduce_rolls": "one_each", "information_roll": "at_reveal"},
        {"first_turn_combat": "true", "casualty_choice": "owner", "prestige_ua": "40"},
    ],
)
def test_the_parts_add_up_under_other_rules_of_ukrainian_crisis(options):
    game = load_game("ukrainian-crisis", options=options)
    for seed in range(3):
        check_sums(played(game, seed, "greedy"))
        check_sums(played(game, seed))


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("13-days", {"agenda_icon_order": "escalate_then_score"}),
        ("13-minutes", {"preset": "en2017"}),
    ],
)
def test_the_parts_add_up_under_other_rules_of_the_cuban_games(game_id, options):
    game = load_game(game_id, options=options)
    for seed in range(12):
        check_sums(played(game, seed))


def test_the_example_of_13_days_is_counted_as_its_rules_count_it():
    record = journal.read(EXAMPLE)
    match = journal.play(record, load_game(record.game_id, options=record.options))
    check_sums(match)
    (table,) = tables_of(match)
    points = {
        score_text(match.game, [table], words_for(match.game, "en"))[0].parts[n].what: part.points
        for n, part in enumerate(table.parts)
    }
    assert points["Round 1, US agenda: Italy"] == (2, 0)
    assert points["Round 2, Event Berlin Blockade"] == (0, 2)
    assert points["Aftermath, cubes 2–9"] == (0, 2)
    assert table.totals == (6, 6)


def test_sanctions_are_told_from_the_roll_that_brought_them():
    """A double 2 takes Rank times box of the US from Russia before the roll has its effect (4.2)."""
    matches = [played(load_game("ukrainian-crisis"), seed, "greedy") for seed in range(8)]
    critical = [
        part
        for match in matches
        for table in tables_of(match)
        for part in table.parts
        if part.what.key == "score.critical"
    ]
    assert critical
    assert all(ua <= 0 and ru <= 0 for ua, ru in (part.points for part in critical))
