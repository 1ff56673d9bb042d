"""`brink replay`: a small journal as JSON and as a log, for each viewer, and every fault a journal may have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import load_game
from brinkmanship.text import LANGUAGES, Words
from support.cli_runner import run

GAME = load_game("13-days")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A game up to the first card, in which everybody takes the first choice."""
    match = Match(GAME)
    while not any(entry.text.startswith(("event", "command")) for entry in match.entries):
        match.advance(dealer(4))
        side = min(match.pending)
        match.push(match.legal(side)[0].action, side=side)
    journal.of_match(match, {"us": "Anna", "ussr": "Boris"}).write(tmp_path / "small.brink")
    return tmp_path / "small.brink"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game of chance."""
    path = tmp_path_factory.mktemp("journals") / "whole.brink"
    match, deal = Match(GAME), dealer(11)
    while not match.is_over:
        match.advance(deal)
        for side in match.pending:
            legal = match.legal(side)
            match.push(legal[deal(len(legal))].action, side=side)
    journal.of_match(match).write(path)
    return path


def lines(*args: str) -> list[dict[str, Any]]:
    result = run("replay", *args, "--json")
    assert (result.code, result.err) == (0, "")
    return [json.loads(line) for line in result.out.splitlines()]


# ---- JSON


def test_json_has_the_set_up_one_line_per_entry_and_the_result(small: Path) -> None:
    setup, *entries, result = lines(str(small))
    record = journal.read(small)
    assert setup["index"] == 0
    assert setup["actor"] is None
    assert setup["action"] == "setup"
    assert [entry["index"] for entry in entries] == list(range(1, len(record.entries) + 1))
    assert [(entry["actor"], entry["action"]) for entry in entries] == [(e.actor, e.text) for e in record.entries]
    assert result == {"result": {"winner": None, "reason": "unfinished", "prestige": 0}}


def test_a_state_has_the_public_position(small: Path) -> None:
    setup, escalated, *_ = lines(str(small))
    state = setup["state"]
    assert set(state) == {
        "influence", "defcon", "prestige", "letter", "round", "deck", "discard", "aftermath",
    }  # fmt: skip
    assert state["influence"]["us"]["italy"] == 1
    assert state["influence"]["ussr"]["berlin"] == 1
    assert state["defcon"] == {
        "us": {"military": 1, "political": 2, "world_opinion": 1},
        "ussr": {"military": 2, "political": 1, "world_opinion": 1},
    }
    assert (state["prestige"], state["letter"], state["round"]) == (0, "us", 1)
    assert (state["deck"], state["discard"], state["aftermath"]) == (39, 0, 0)
    assert escalated["state"]["defcon"]["us"]["military"] == 2


def test_a_finished_game_tells_winner_and_reason(whole: Path) -> None:
    result = lines(str(whole))[-1]["result"]
    winner, _, reason = journal.read(whole).result.partition(" by ")
    assert result["winner"] == (winner if winner in GAME.sides else None)
    assert result["reason"] == reason
    assert -5 <= result["prestige"] <= 5


def test_to_stops_after_an_entry_and_has_no_result(whole: Path) -> None:
    assert lines(str(whole), "--to", "12") == lines(str(whole))[:13]
    count = len(journal.read(whole).entries)
    assert "result" in lines(str(whole), "--to", str(count))[-1]
    assert run("replay", str(whole), "--to", str(count + 1)).code == 2


@pytest.mark.parametrize(("viewer", "bit"), [("us", 0), ("ussr", 1), ("public", 2)])
def test_a_reader_sees_what_it_knew(whole: Path, viewer: str, bit: int) -> None:
    match = journal.play(journal.read(whole), GAME)
    shown = lines(str(whole), "--as", viewer)
    for entry, line in zip(match.entries, shown[1:-1], strict=True):
        assert line["action"] == (entry.text if entry.is_known_to(bit) else entry.text.split()[0] + " ?")


def test_a_secret_choice_that_waits_is_left_out(tmp_path: Path) -> None:
    match = Match(GAME)
    match.advance(dealer(4))
    match.push(match.legal(0)[0].action, side=0)
    path = tmp_path / "waiting.brink"
    journal.of_match(match).write(path)
    assert len(lines(str(path))) == len(lines(str(path), "--as", "us")) == len(lines(str(path), "--as", "ussr")) + 1


def test_resignation_is_a_result(small: Path) -> None:
    small.write_text(small.read_text().replace("result: unfinished", "result: us by resignation"))
    assert lines(str(small))[-1] == {"result": {"winner": "us", "reason": "resignation", "prestige": 0}}


# ---- the log


def test_without_a_terminal_the_whole_log_is_printed(whole: Path) -> None:
    result = run("replay", str(whole))
    assert result.code == 0
    assert "\x1b" not in result.out
    assert "Round 1: all DEFCON markers move 1 step up" in result.out
    log, _, score = result.out.partition("\n\n")
    numbers = [int(line.split()[0]) for line in log.splitlines() if line.split()[0].isdecimal()]
    assert numbers == sorted(numbers)
    assert score.splitlines()[0].split() == ["Prestige", "■", "US", "◆", "USSR"]
    assert "draws a card" not in result.out
    assert "draws a card" in run("replay", str(whole), "--as", "public").out


def test_the_log_speaks_four_languages(whole: Path) -> None:
    assert len({run("replay", str(whole), "--lang", language).out for language in ("en", "ru", "de", "pl")}) == 4


# ---- faults


FAULTS = {
    "illegal move": ("keep ", "keep berlin_", "is not an action"),
    "not legal here": ("us     keep military_track", "us     keep atlantic", "is not legal"),
    "unknown card": ("event ", "event moonshot_", "is not an action"),
    "wrong version": ("brinkmanship-journal: 1", "brinkmanship-journal: 9", "format '9'"),
    "other rules": ("rules: 1", "rules: 99", "version 99"),
    "unknown game": ("game: 13-days", "game: chess", "there is no game 'chess'"),
    "unknown option": ("rules: 1", "rules: 1\noption.moon: full", "no option 'moon'"),
    "cut off": ("\nend\n", "\n", "cut off"),
    "no header": ("brinkmanship-journal: 1\n", "", "must begin with"),
    "wrong result": ("result: unfinished", "result: us by prestige", "not over"),
    "wrong number": (" 3. ", " 5. ", "found entry 5 where entry 3 was expected"),
    "wrong actor": ("chance deal", "us     deal", "chance is to act"),
    "nobody": ("rules  escalate", "nobody escalate", "no side is called"),
    "wrong audience": ("{us}", "{ussr}", "may know it"),
}


@pytest.mark.parametrize(("old", "new", "reason"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("command", ["replay", "play"])
def test_a_faulty_journal_is_refused_with_its_line(small: Path, command: str, old: str, new: str, reason: str) -> None:
    text = small.read_text()
    if old == "event " and "event " not in text:
        text = text.replace("command ", "event ", 1)
    assert old in text
    small.write_text(text.replace(old, new, 1))
    before = sorted(small.parent.iterdir())
    args = ["replay", str(small), "--json"] if command == "replay" else ["play", "13-days", "--load", str(small)]
    result = run(*args)
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.strip().splitlines()) == 1
    assert result.err.startswith(f"brink: {small}:")
    if command == "replay" or old != "game: 13-days":
        assert reason in result.err
    assert sorted(small.parent.iterdir()) == before


def test_cubes_over_the_limit_are_refused_with_their_line(small: Path) -> None:
    match = journal.play(journal.read(small), GAME)
    assert match.actor in (0, 1)
    body = small.read_text().removesuffix("end\n")
    small.write_text(f"{body}{GAME.sides[match.actor]} place 9 berlin\nend\n")
    result = run("replay", str(small), "--json")
    assert result.code == 2
    assert f"{small}:{len(body.splitlines()) + 1}: " in result.err


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "noise.brink"
    path.write_bytes(b"brinkmanship-journal: 1\ngame: \xff\xfe\n")
    result = run("replay", str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err == f"brink: {path}:2: is not UTF-8 text: byte 0xff\n"
    assert run("replay", str(tmp_path / "nowhere.brink")).code == 2
    assert run("replay", str(tmp_path)).code == 2
    (tmp_path / "empty.brink").touch()
    assert "is empty" in run("replay", str(tmp_path / "empty.brink")).err


def test_a_reader_and_a_language_must_be_known(small: Path) -> None:
    assert "--as takes us, ussr or public" in run("replay", str(small), "--as", "cuba").err
    assert run("replay", str(small), "--lang", "xx").code == 2


@pytest.mark.process
def test_a_reader_who_has_had_enough_is_no_fault(small: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "brinkmanship", "replay", str(small), "--json"]
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


# ---- why computer players did what they did


@pytest.fixture
def reasoned(small: Path) -> Path:
    """The small game with a reason at the first choice of the USSR, and one that nobody here could have given."""
    record = journal.read(small)
    by_ussr, *others = (number for number, entry in enumerate(record.entries, 1) if entry.actor == "ussr")
    said = {by_ussr: Message("why.13-days.letter"), others[0]: Message("why.nothing.known", {"n": "x"})}
    path = small.with_name("reasoned.brink")
    journal.with_reasons(record, said).write(path)
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_says_why_a_computer_player_did_it_but_not_to_the_other_side(reasoned: Path, language: str) -> None:
    why = Words(language, ("players",)).sentence(Message("why.13-days.letter"))
    assert why in " ".join(run("replay", str(reasoned), "--lang", language).out.split())
    assert why in " ".join(run("replay", str(reasoned), "--lang", language, "--as", "ussr").out.split())
    for other in ("us", "public"):
        shown = run("replay", str(reasoned), "--lang", language, "--as", other).out
        assert why not in " ".join(shown.split())
    assert "why" not in run("replay", str(reasoned), "--lang", language).out.replace(why, "")


def test_json_says_why_and_words_of_one_s_own_stay_comments(reasoned: Path) -> None:
    whys = [line["why"] for line in lines(str(reasoned)) if "why" in line]
    assert whys == [Words("en", ("players",)).sentence(Message("why.13-days.letter"))]
    for own in ("why not", "why {}", 'why {"key": 3, "args": {}}', "why " + "[" * 1500):
        record = journal.read(reasoned)
        record.entries[0] = replace(record.entries[0], comment=own)
        assert journal.comments_of(record, journal.play(record, GAME)) == {1: own}


def test_a_game_is_printed_as_markdown_in_a_language(small: Path) -> None:
    shown = run("replay", str(small), "--markdown", "--lang", "de").out
    assert shown.startswith("# 13 Tage: Die Kubakrise\n")
    assert "\n## Runde 1\n" in shown
    assert "**USA:** Anna" in shown
    assert run("replay", str(small), "--markdown", "--json").code == 2


# ---- Moving pictures


def test_a_span_becomes_a_moving_picture(small: Path, tmp_path: Path) -> None:
    for ending, head in (("webp", b"RIFF"), ("png", b"\x89PNG")):
        file = tmp_path / f"game.{ending}"
        done = run("replay", str(small), "--animate", str(file), "--from", "1", "--to", "3", "--lang", "pl")
        assert (done.code, done.out) == (0, "")
        assert file.read_bytes().startswith(head)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--animate", "game.gif"], "--animate takes .webp or .png, not 'game.gif'"),
        (["--animate", "nowhere/game.png"], "nowhere"),
        (["--animate", "game.png", "--from", "3", "--to", "2"], "--from 3 comes after the last step, 2"),
    ],
    ids=["ending", "folder", "span"],
)
def test_wrong_options_of_a_moving_picture_are_refused(
    small: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(small.parent)
    refused = run("replay", str(small), *arguments)
    assert refused.code == 2
    assert said in refused.err
    assert sorted(file.name for file in small.parent.iterdir()) == [small.name]
