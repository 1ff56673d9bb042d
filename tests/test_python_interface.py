"""What `import brinkmanship as brink` gives: positions, views, games between functions, the tour in the documents."""

from __future__ import annotations

import doctest
import pickle
import random
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import brinkmanship as brink
from brinkmanship.engine.playout import record
from brinkmanship.games.registry import BUILT_IN

TOUR = Path(__file__).parents[1] / "docs" / "research" / "python.md"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(scope="module", params=list(BUILT_IN))
def game(request: pytest.FixtureRequest) -> brink.Game:
    return brink.load(request.param)


def played(game: brink.Game, seed: int, most: int = 10_000) -> brink.Position:
    choose, position = random.Random(seed), brink.Position(game, seed)
    while not position.is_over and most:
        position.play(choose.choice(position.legal))
        most -= 1
    return position


def first_legal(view: brink.View) -> str:
    return view.legal[0]


@pytest.mark.parametrize("module", ["brinkmanship", "brinkmanship.position", "brinkmanship.simulation"])
def test_the_examples_of_the_docstrings_are_true(module: str) -> None:
    result = doctest.testmod(import_module(module), optionflags=OPTIONS)
    assert (result.failed, result.attempted > 2) == (0, True)


def test_the_tour_is_true() -> None:
    result = doctest.testfile(str(TOUR), module_relative=False, optionflags=OPTIONS, encoding="utf-8")
    assert (result.failed, result.attempted > 15) == (0, True)


def test_every_public_name_is_there_and_explained() -> None:
    assert sorted(set(dir(brink))) == sorted(dir(brink))
    for name in brink.__all__:
        found = getattr(brink, name)
        assert found.__doc__, name
        for member, value in vars(found).items() if isinstance(found, type) else ():
            if not member.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{member}"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        brink.nothing  # noqa: B018


@pytest.mark.process
def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, brinkmanship; print(sorted(set(sys.modules) & {'numpy', 'numba', 'sqlalchemy'}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_legal_actions_are_texts_that_carry_their_numbers(game: brink.Game) -> None:
    position = played(game, 5, most=7)
    side = position.to_move[0]
    view = position.view(side)
    assert list(view.legal) == position.legal
    for legal in (
        position.legal,
        view.legal,
        brink.View.from_json(view.to_json()).legal,
        pickle.loads(pickle.dumps(view.legal)),
    ):
        assert [action.number for action in legal] == [game.parse_action(str(action), view.side) for action in legal]


def test_a_game_is_gone_through_position_by_position(game: brink.Game) -> None:
    last = played(game, 6, most=9)
    positions = last.positions()
    assert len(positions) == 10
    assert positions[-1] is last
    assert all(not one.history or one.history == last.history[: len(one.history)] for one in positions)
    for before, after in pairwise(positions):
        assert before.to_move
        assert len(before.history) < len(after.history)


def test_the_winner_is_the_name_of_a_side_wherever_it_is_asked_for() -> None:
    mini = brink.load("13-minutes")
    one = played(mini, 3)
    assert one.outcome is not None
    assert one.outcome.winner in (None, *mini.sides)
    winners = {result.winner for result in brink.play_games(mini, 12, us="random", ussr="random", seed=3)}
    assert winners <= {None, *mini.sides}


def test_a_game_is_played_to_its_end_and_is_the_same_for_its_seed(game: brink.Game) -> None:
    one, two = played(game, 3), played(game, 3)
    assert one.is_over
    assert one.outcome == two.outcome
    assert one.history == two.history
    assert one.history != played(game, 4).history
    assert "over" in repr(one)
    with pytest.raises(brink.IllegalActionError, match="the game is over"):
        one.play(0)


def test_undo_and_play_again_gives_the_same_chance(game: brink.Game) -> None:
    position = played(game, 5, 12)
    before, undone = position.history, position.copy()
    decided = []
    for _ in range(6):
        side = next(entry.split()[0] for entry in reversed(undone.history) if entry.split()[0] in game.sides)
        decided.append((undone.undo(), side))
    assert len(undone.history) < len(before)
    assert position.history == before
    for action, side in reversed(decided):
        undone.play(action, side)
    assert undone.history == before
    fresh = brink.Position(game, 1)
    with pytest.raises(IndexError, match="no decision has been taken"):
        fresh.undo()


def test_a_position_goes_to_json_and_disk_and_back(game: brink.Game, tmp_path: Path) -> None:
    position = played(game, 6, 15)
    again = brink.Position.from_json(position.to_json())
    assert (again.history, again.state.tobytes()) == (position.history, position.state.tobytes())
    position.play(position.legal[0])
    again.play(again.legal[0])
    assert again.history == position.history
    position.write(tmp_path / "game.brink", {game.sides[0]: "Anna"})
    assert brink.read(tmp_path / "game.brink").history == position.history
    for text, complaint in (("{", "not valid JSON"), ("{}", "not a position"), ('{"position": 1}', "needs 'journal'")):
        with pytest.raises(brink.PositionError, match=complaint):
            brink.Position.from_json(text)


def test_a_view_says_what_its_reader_knows_and_goes_to_json_and_back(game: brink.Game) -> None:
    position = played(game, 7, 20)
    for viewer in (*game.sides, "public"):
        view = position.view(viewer)
        again = brink.View.from_json(view.to_json())
        assert again == view
        assert again.state.tobytes() == view.state.tobytes()
        assert "<svg" in view.svg()
        assert game.view_of(view.redeal(1), view.side).tobytes() == view.state.tobytes()
        assert view.redeal(1).tobytes() == view.redeal(1).tobytes()
        assert view.legal == tuple(position.legal if viewer in position.to_move[:1] else view.legal)
        for action in view.legal[:3]:
            assert view.after(action).tobytes() != view.state.tobytes()
    assert len(position.view("public").history) == len(position.history)
    with pytest.raises(brink.PositionError, match="its sides are"):
        position.view("china")
    with pytest.raises(brink.PositionError, match="needs 'game'"):
        brink.View.from_json('{"view": 1}')


def test_a_notebook_shows_the_board(game: brink.Game) -> None:
    position = played(game, 8, 3)
    assert position._repr_svg_().startswith("<svg")
    assert position.view(game.sides[0])._repr_svg_().startswith("<svg")
    assert "\n" not in repr(position)


def test_wrong_input_is_refused_and_changes_nothing(game: brink.Game) -> None:
    position = brink.Position(game, 1)
    before = position.history
    with pytest.raises(brink.MalformedActionError, match="not an action of"):
        position.play("abracadabra")
    with pytest.raises(brink.MalformedActionError, match="not an action of"):
        position.play(1_000_000)
    with pytest.raises(brink.PositionError, match="no side 'china'"):
        position.play(position.legal[0], "china")
    assert position.history == before


def test_a_function_plays_against_any_player(game: brink.Game) -> None:
    sides = dict(zip(game.sides, (first_legal, "random"), strict=True))
    results = list(brink.play_games(game, 4, seed=9, **sides))
    assert [result.number for result in results] == [0, 1, 2, 3]
    assert all(result.reason in game.reasons[1:] for result in results)
    assert list(map(tuple, (r[:4] for r in results))) == [r[:4] for r in brink.play_games(game, 4, seed=9, **sides)]
    assert [r[:4] for r in brink.play_games(game, 2, seed=9, first=2, **sides)] == [r[:4] for r in results[2:]]


def test_games_between_compiled_players_are_those_of_the_lab(game: brink.Game) -> None:
    (result,) = brink.play_games(game, 1, seed=11, first=5)
    actions = list(record(game, 5, 11))
    assert result.decisions == sum(actor < 2 for actor, _ in actions)


def test_a_function_that_breaks_the_rules_is_told_so(game: brink.Game) -> None:
    with pytest.raises(brink.BrinkError, match="not an action of"):
        list(brink.play_games(game, 1, **{game.sides[0]: lambda _: "abracadabra"}))
    with pytest.raises(brink.PositionError, match="no side 'china'"):
        list(brink.play_games(game, 1, china="random"))


def test_a_position_is_made_from_a_state_that_a_view_allows(game: brink.Game) -> None:
    view = played(game, 5, most=7).view(game.sides[0])
    position = brink.Position.from_state(game, view.redeal(seed=2), seed=3)
    again = brink.Position.from_state(game, view.redeal(seed=2), seed=3)
    assert position.to_move == view.to_move
    assert position.view(game.sides[0]).known == view.known
    for each in (position, again):
        while not each.is_over:
            each.play(each.legal[0])
    assert position.history == again.history
    for _ in range(3):
        position.undo()
    position.copy().play(position.legal[-1])
    with pytest.raises(brink.PositionError, match="no journal"):
        position.to_json()


def test_a_file_of_many_journals_is_read_one_by_one(game: brink.Game, tmp_path: Path) -> None:
    file = tmp_path / "games.brink"
    games = [played(game, seed, 15) for seed in range(3)]
    file.write_text("\n".join(each.journal().text() for each in games), "utf-8")
    assert [each.history for each in brink.read_all(file)] == [each.history for each in games]
    file.write_text(games[0].journal().text() + games[1].journal().text().replace("rules", "rulez", 2), "utf-8")
    found = brink.read_all(file)
    assert next(found).history == games[0].history
    with pytest.raises(brink.JournalError, match=r"games\.brink, journal 2"):
        next(found)
    with pytest.raises(brink.JournalError):
        next(brink.read_all(tmp_path / "missing.brink"))


def test_a_function_that_plays_sees_the_course_of_the_game(game: brink.Game) -> None:
    seen: list[tuple[str, ...]] = []

    def decide(view: brink.View) -> str:
        seen.append(view.history)
        return view.legal[0]

    list(brink.play_games(game, 1, players={game.sides[0]: decide}, seed=4))
    assert len(seen) > 2
    assert all(len(before) < len(after) for before, after in pairwise(seen))
    assert any(line.endswith("?") for line in seen[-1]), "hidden draws of the other side"


def test_compiling_is_said_on_purpose_and_at_the_first_load(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "brinkmanship")
    brink.compile("13-minutes")
    caplog.clear()
    brink.compile("13-minutes")
    assert caplog.messages == [], "all is compiled"
    monkeypatch.setattr("brinkmanship.position.is_compiled", lambda _: False)
    brink.load("13-minutes")
    said = "Compiling 13-minutes, once on this machine"
    assert [message.partition(":")[0] for message in caplog.messages] == [said, said]
