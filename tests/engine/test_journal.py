"""The journal: read, write, check, filter."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.errors import JournalError
from brinkmanship.engine.game import CHANCE, OBSERVER, Game
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.testing import walk

SEED = 21
EXAMPLE = Path(__file__).parents[2] / "examples" / "13-days-playthrough.brink"


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("13-days")


def random_match(game: Game, number: int, entries: int | None = None) -> Match:
    match = Match(game)
    for position in walk(game, number, SEED):
        if entries is not None and len(match.entries) >= entries:
            break
        match.push(position.action, side=position.actor if position.actor != CHANCE else None)
    return match


@pytest.fixture(scope="module")
def text(game: Game) -> str:
    return journal.of_match(random_match(game, 1), {"us": "Anna", "ussr": "Борис"}).text()


def complaint(text: str, game: Game) -> str:
    with pytest.raises(JournalError) as error:
        journal.play(journal.parse(text, "game.brink"), game)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_written_journal_reads_back_the_same(text: str) -> None:
    assert journal.parse(text).text() == text
    assert journal.parse(text).headers == {"us": "Anna", "ussr": "Борис"}


def test_comments_survive(game: Game) -> None:
    written = journal.of_match(random_match(game, 2, 12)).text()
    lines = written.splitlines()
    lines[6] += " ; what a start"
    lines.insert(8, "; the flags stand")
    lines.insert(-1, "; to be continued")
    commented = "\n".join(lines) + "\n"
    again = journal.parse(journal.parse(commented).text())
    assert [entry.comment for entry in again.entries if entry.comment] == ["what a start"]
    assert [entry.above for entry in again.entries if entry.above] == [("the flags stand",)]
    assert again.below == ("to be continued",)


def test_numbers_audiences_and_steps_of_the_rules_may_be_left_out(game: Game, text: str) -> None:
    match = journal.play(journal.parse(text), game)
    header, entries = text.split("\n\n")
    bare = [
        line.split(". ", 1)[1].split("{")[0]
        for line in entries.splitlines()
        if ". " in line and not line.split(". ", 1)[1].startswith("rules")
    ]
    manual_chance = journal.parse("\n".join([header, "", *bare, "end"]))
    assert journal.play(manual_chance, game).state.tobytes() == match.state.tobytes()


def test_a_done_that_the_next_entry_implies_may_be_left_out(game: Game) -> None:
    left_out = 0
    for number in range(1, 4):
        match = random_match(game, number)
        written = journal.of_match(match)
        for place, entry in enumerate(written.entries[:-1]):
            follows = written.entries[place + 1].actor
            if entry.text == "done" and follows not in (entry.actor, "rules", "chance"):
                kept = [each for at, each in enumerate(written.entries) if at != place]
                assert journal.play(replace(written, entries=kept), game).state.tobytes() == match.state.tobytes()
                left_out += 1
                break
    assert left_out


def test_a_done_is_not_supplied_where_the_next_entry_is_wrong_all_the_same(game: Game, text: str) -> None:
    written = journal.parse(text)
    place = next(at for at, entry in enumerate(written.entries) if entry.text == "done")
    wrong = replace(written.entries[place], text="place 5 nowhere", line=place)
    with pytest.raises(JournalError, match="place 5 nowhere"):
        journal.play(replace(written, entries=[*written.entries[:place], wrong]), game)


def test_options_that_differ_from_the_default_stand_in_the_header() -> None:
    game = load_game("13-days", options={"brink_floor": "before_letter", "letter_on_event_command": True})
    written = journal.of_match(random_match(game, 3))
    assert written.options == {"brink_floor": "before_letter", "letter_on_event_command": "true"}
    again = journal.parse(written.text())
    ruleset = load_game(again.game_id, options=again.options)
    assert ruleset.options == game.options
    journal.play(again, ruleset)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("brinkmanship-journal: 1", "brinkmanship-journal: 2", 1, "format '2'; this program reads format 1"),
        ("brinkmanship-journal: 1\n", "", 1, "must begin with"),
        ("game: 13-days\n", "", None, "does not say which game"),
        ("rules: 1", "rules: 9", None, "version 9 of the rules; this is 1"),
        ("rules: 1", "rules: one", None, "needs the version of the rules"),
        ("us: Anna", "us Anna", 4, "is not a header line"),
        ("us: Anna", "us: Anna\nus: Vera", 5, "contains us twice"),
        ("\nend\n", "\n", None, '"end" is missing'),
        ("\nend\n", "\nend\n  7. us done\n", None, "something after"),
        ("  1. rules  escalate", "  1. rules  escalates", 8, "is not an action"),
        ("  1. rules  escalate", "  2. rules  escalate", 8, "where entry 1 was expected"),
        ("  1. rules  escalate", "  1. france escalate", 8, "no side is called 'france'"),
        ("  1. rules  escalate", "  1. us     done", 8, "chance is to act"),
        ("  1. rules  escalate", "1. ", 8, "is not an entry"),
    ],
)
def test_a_faulty_journal_is_refused_with_line_and_reason(
    game: Game, text: str, old: str, new: str, line: int | None, reason: str
) -> None:
    assert old in text
    said = complaint(text.replace(old, new, 1), game)
    assert reason in said
    assert said.startswith(f"game.brink:{line}: " if line else "game.brink:")


def test_an_illegal_action_is_named_with_what_would_be_legal(game: Game, text: str) -> None:
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if " first " in line)
    lines[at] = lines[at].split("first")[0] + "place 2 berlin"
    said = complaint("\n".join(lines), game)
    assert f"game.brink:{at + 1}: 'place 2 berlin' is not legal" in said
    assert "first us, first ussr" in said


def test_an_unknown_card_is_refused(game: Game, text: str) -> None:
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if " draw " in line)
    lines[at] = f"{at - 6}. chance draw sputnik"
    assert "'draw sputnik' is not an action" in complaint("\n".join(lines), game)


def test_a_wrong_audience_is_refused(game: Game, text: str) -> None:
    assert "by the rules it is us" in complaint(text.replace("{us}", "{ussr}", 1), game)


def test_a_wrong_result_is_refused(game: Game, text: str) -> None:
    result = next(line for line in text.splitlines() if line.startswith("result"))
    other = "result: us by personal_letter" if "ussr" in result else "result: ussr by personal_letter"
    assert "but by its entries the result is" in complaint(text.replace(result, other), game)


def test_a_journal_cut_off_between_entries_is_refused(game: Game, text: str) -> None:
    lines = text.splitlines()
    assert "the game is not over after its last entry" in complaint("\n".join([*lines[:60], "end"]), game)


def test_a_game_may_end_outside_its_rules(game: Game) -> None:
    written = journal.of_match(random_match(game, 4, 30), result="us by resignation")
    journal.play(journal.parse(written.text()), game)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "is empty"),
        (b"brinkmanship-journal: 1\ngame: 13-days", "ends within its header"),
        (b"brinkmanship-journal: 1\nus: \xff\xfe", "is not UTF-8 text: byte 0xff"),
        (b"\x00" * 5_000_000, "is too large: a journal may have at most 1 MB"),
    ],
)
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path, raw: bytes, reason: str) -> None:
    path = tmp_path / "game.brink"
    path.write_bytes(raw)
    with pytest.raises(JournalError, match=reason):
        journal.read(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"none\.brink: cannot be read: No such file"):
        journal.read(tmp_path / "none.brink")


def test_writing_replaces_the_file_whole_or_not_at_all(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.brink"
    written = journal.of_match(random_match(game, 5, 20))
    written.write(path)
    assert journal.read(path).text() == written.text()
    assert [file.name for file in tmp_path.iterdir()] == ["game.brink"]
    with pytest.raises(OSError, match="No such file"):
        written.write(tmp_path / "no" / "game.brink")


def test_a_filtered_journal_hides_what_its_reader_may_not_know(game: Game) -> None:
    match = random_match(game, 6)
    for viewer, name in enumerate(journal.viewers(game)):
        filtered = journal.parse(journal.known_to(Perspective(match, viewer)).text())
        assert filtered.headers["known-to"] == name
        for entry, line in zip(match.entries, filtered.entries, strict=True):
            assert line.is_hidden == (not entry.is_known_to(viewer))
            if line.is_hidden:
                assert line.text == f"{entry.text.split()[0]} ?"
        if name != "public":
            assert any(line.is_hidden for line in filtered.entries)
    assert "cannot be checked" in complaint(journal.known_to(Perspective(match, OBSERVER)).text(), game)


def test_a_secret_choice_that_waits_for_the_other_is_left_out(game: Game) -> None:
    match = random_match(game, 7, 7)
    assert match.pending == {0, 1}
    us, ussr = Perspective(match, 0), Perspective(match, 1)
    before = journal.known_to(us).text()
    match.push(match.legal(1)[0].action, side=1)
    assert journal.known_to(us).text() == before
    assert journal.known_to(ussr).text() != before


def test_the_recorded_game_is_an_example(game: Game) -> None:
    record = journal.read(EXAMPLE)
    match = journal.play(record, game)
    assert record.text() == EXAMPLE.read_text("utf-8")
    assert match.outcome() == (1, "personal_letter")
    assert match.state.prestige == 0


def test_comments_of_a_journal_stand_at_their_entries(game: Game) -> None:
    record = journal.read(EXAMPLE)
    match = journal.play(record, game)
    places = journal.places_of(record, match)
    assert [match.entries[place].text for place in places] == [entry.text for entry in record.entries]
    assert "every marker up one" in journal.comments_of(record, match)[1]


SECRET = """brinkmanship-journal: 1
game: ukrainian-crisis
rules: 1

chance draw united_for_ukraine
chance draw runaway_guns
ru done
ua done
; first
{first}
; second
{second}
; and on
ru done
ua done
end
"""


def test_comments_stand_at_their_entries_whichever_side_of_a_secret_choice_is_written_first() -> None:
    crisis = load_game("ukrainian-crisis")
    of_russia, of_ukraine = "ru place small maximum medium", "ua place small small small"
    for first, second in ((of_russia, of_ukraine), (of_ukraine, of_russia)):
        record = journal.parse(SECRET.format(first=first, second=second))
        match = journal.play(record, crisis)
        said = {comment: match.entries[number - 1] for number, comment in journal.comments_of(record, match).items()}
        told = {comment: f"{crisis.sides[entry.actor]} {entry.text}" for comment, entry in said.items()}
        assert told == {"first": first, "second": second, "and on": "ru done"}


def test_a_journal_is_a_file_like_others(game: Game, tmp_path: Path) -> None:
    record = journal.of_match(random_match(game, 1, 20))
    (tmp_path / "other").touch()
    record.write(tmp_path / "new.brink")
    assert (tmp_path / "new.brink").stat().st_mode == (tmp_path / "other").stat().st_mode
    (tmp_path / "new.brink").chmod(0o640)
    record.write(tmp_path / "new.brink")
    assert (tmp_path / "new.brink").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.brink", "other"]
