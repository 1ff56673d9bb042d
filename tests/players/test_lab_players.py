"""Players of the lab by name: best responses, checked players and players of earlier versions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import brinkmanship
from brinkmanship.engine.game import Game
from brinkmanship.games.registry import load_game
from brinkmanship.players import Budget, BudgetError, UnknownPlayerError, earlier_version
from brinkmanship.players.blunder_check import BlunderCheckPlayer
from brinkmanship.players.earlier_version import EarlierVersionError, sources_of
from brinkmanship.players.lab_players import load_lab_player
from brinkmanship.players.program import ProgramError
from support.cli_runner import run
from support.positions import positions

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-minutes")


def test_names_of_players_still_work(game: Game) -> None:
    assert load_lab_player("greedy", game).name == "greedy"


def test_a_local_best_response_is_named_with_budget_and_player(game: Game) -> None:
    response = load_lab_player("response:12n:level:5", game, 1)
    assert (type(response).name, response.budget) == ("search", Budget(nodes=12))
    seen = next(positions(game, 1))
    assert response.choose(seen).action in game.legal_actions(seen.view(), seen.side)
    with pytest.raises(BudgetError, match="level"):
        load_lab_player("response:level:5", game)
    with pytest.raises(UnknownPlayerError, match="nobody"):
        load_lab_player("response:12n:nobody", game)


def test_a_player_that_checks_its_choices() -> None:
    game = load_game("13-minutes")
    checked = load_lab_player("checked:greedy", game, 1)
    assert isinstance(checked, BlunderCheckPlayer)
    assert checked._inner.name == "greedy"
    with pytest.raises(UnknownPlayerError):
        load_lab_player("checked:nobody", game)
    crisis = load_game("ukrainian-crisis")  # without a war by which a side loses at once
    assert load_lab_player("checked:greedy", crisis, 1).name == "greedy"


def git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with this version as its only commit, from which processes start that interpret the rules."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = tmp_path / "repository"
    shutil.copytree(Path(brinkmanship.__file__).parent, found / "src/brinkmanship")
    git(tmp_path, "init", "--quiet", str(found))
    git(found, "add", "--all")
    git(found, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "all")
    monkeypatch.setattr(earlier_version, "REPOSITORY", found)
    return found


@pytest.mark.usefixtures("repository")
def test_a_player_of_an_earlier_version_chooses_what_it_chose_then(game: Game) -> None:
    earlier = load_lab_player("commit:HEAD:greedy", game, 1)
    seen = next(positions(game, 1))
    assert earlier.choose(seen).action == load_lab_player("greedy", game, 1).choose(seen).action


def test_another_layout_or_an_unknown_player_is_said(game: Game, repository: Path) -> None:
    folder = sources_of("HEAD", repository)
    rules = folder / "src/brinkmanship/games/thirteen_minutes/rules/state.py"
    rules.write_text(rules.read_text("utf-8").replace('("node", np.int8)', '("node", np.int16)'), "utf-8")
    with pytest.raises(ProgramError, match="laid out"):
        load_lab_player("commit:HEAD:random", game, 1).choose(next(positions(game, 1)))
    with pytest.raises(ProgramError, match="nobody"):
        load_lab_player("commit:HEAD:nobody", game, 1)


def test_a_commit_that_is_not_there_is_an_error(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(EarlierVersionError, match="no commit '--help'"):
        sources_of("--help", repository)
    with pytest.raises(EarlierVersionError, match="git repository"):
        sources_of("HEAD", tmp_path)
    shown = run("lab", "match", "13-minutes", "--a", "commit:0000000:rules", "--b", "random", "--pairs", "1")
    assert shown.code == 2
    assert "no commit '0000000'" in shown.err


def test_an_earlier_version_knows_no_other_cards(tmp_path: Path) -> None:
    cards = tmp_path / "cards.toml"
    shutil.copy(Path(brinkmanship.__file__).parent / "games/thirteen_minutes/cards.toml", cards)
    with pytest.raises(EarlierVersionError, match="own cards"):
        load_lab_player("commit:HEAD:rules", load_game("13-minutes", cards), 1)
