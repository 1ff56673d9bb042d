"""Players that are programs: the protocol, and what happens if a program does not keep to it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.players.program import ProgramError, ProgramPlayer
from support.cli_runner import run
from support.positions import positions

EXAMPLE = Path(__file__).parents[2] / "examples/programs/first_legal.py"
STARTED = '{"protocol": 1}'

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-minutes")


def answering(tmp_path: Path, *answers: str) -> str:
    """The command of a program that gives these answers, one to each line, and then ends."""
    script = tmp_path / "program.py"
    script.write_text(f"for answer in {answers!r}:\n    input()\n    print(answer, flush=True)\n", "utf-8")
    return f"{sys.executable} {script}"


def test_a_program_is_told_all_that_its_side_may_know(tmp_path: Path, game: Game) -> None:
    heard = tmp_path / "heard"
    script = tmp_path / "program.py"
    script.write_text(
        f"print({STARTED!r} if input() else 0, flush=True)\n"
        f"open({str(heard)!r}, 'w').write(input())\nprint('{{\"action\": \"bid 1\"}}', flush=True)\n",
        "utf-8",
    )
    seen = next(positions(game, 1))
    choice = ProgramPlayer(game, f"{sys.executable} {script}").choose(seen)
    assert game.action_text(choice.action) == "bid 1"
    message = json.loads(heard.read_text())
    assert message["side"] == game.sides[seen.side]
    assert {"number": choice.action, "text": "bid 1"} in message["legal"]
    assert message["known"] == json.loads(json.dumps(game.known_state(seen.view(), seen.side)))
    assert any(line.endswith("?") for line in message["history"]), "a card that the side may not know"


def test_the_example_plays_a_match_of_the_lab() -> None:
    name = f"cmd:{sys.executable} {EXAMPLE}"
    shown = run("lab", "match", "13-minutes", "--a", name, "--b", "random", "--pairs", "2", "--workers", "2", "--json")
    assert shown.code == 0, shown.err
    result = json.loads(shown.out)
    assert (result["a"], result["pairs"], result["complete"]) == (name, 2, True)


@pytest.mark.parametrize(
    ("answers", "key"),
    [
        ([], "ended"),
        (["hello"], "json"),
        (["[1]"], "json"),
        (['{"protocol": 2}'], "protocol"),
        (['{"error": "no licence"}'], "reported"),
        ([STARTED], "ended"),
        ([STARTED, "{}"], "action"),
        ([STARTED, '{"action": true}'], "action"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_an_error_with_its_name(
    answers: list[str], key: str, tmp_path: Path, game: Game
) -> None:
    command = answering(tmp_path, *answers)
    with pytest.raises(ProgramError) as refused:
        ProgramPlayer(game, command).choose(next(positions(game, 1)))
    assert refused.value.reason.key == f"fault.program.{key}"
    assert command in str(refused.value)


def test_an_illegal_action_is_named_with_the_legal_ones(tmp_path: Path, game: Game) -> None:
    player = ProgramPlayer(game, answering(tmp_path, STARTED, '{"action": "done"}'))
    with pytest.raises(IllegalActionError, match="done"):
        player.choose(next(positions(game, 1)))


def test_a_program_that_does_not_answer_is_ended(tmp_path: Path, game: Game) -> None:
    script = tmp_path / "program.py"
    script.write_text("import time\ntime.sleep(1000)\n", "utf-8")
    with pytest.raises(ProgramError) as refused:
        ProgramPlayer(game, f"{sys.executable} {script}", timeout=0.1)
    assert refused.value.reason.key == "fault.program.ended"


def test_a_command_that_is_not_there_exits_with_2() -> None:
    shown = run("lab", "match", "13-minutes", "--a", "cmd:./no-such-program", "--b", "random", "--pairs", "1")
    assert shown.code == 2
    assert "./no-such-program" in shown.err
