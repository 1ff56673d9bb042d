"""`brink play`: whole games by scripted input, hidden hands, undo, save and resume, and every wrong answer."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from brinkmanship.cli.options import side_number
from brinkmanship.engine import journal
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.observation import Observation
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.data import Card
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import CardIs
from brinkmanship.games.thirteen_days.words.cards import card_text
from brinkmanship.players import load_player
from brinkmanship.terminal.line_ui import LineScreen
from brinkmanship.terminal.menu import Menu
from brinkmanship.terminal.saved_game import SavedGame
from brinkmanship.terminal.session import Session
from brinkmanship.terminal.tables import table_for
from brinkmanship.terminal.words import terminal_words
from brinkmanship.text import LANGUAGES, rules_of, section_of, words_for
from brinkmanship.text.hints import why_text
from support.cli_runner import Result, Robot, Screen, menu_keys, run

GAME = load_game("13-days")
assert isinstance(GAME, ThirteenDays)

Answer = Callable[[str], str]


def anything(seed: int) -> Answer:
    """Answers every menu with one of its numbers, and everything else with a bare Enter or "no"."""
    dice = random.Random(seed)

    def answer(page: str) -> str:
        if page.endswith("> "):
            return dice.choice(menu_keys(page))
        return "no" if page.endswith("(yes/no) ") else ""

    return answer


def script(*lines: str) -> Answer:
    """Answers with these lines, then closes the input."""
    rest = list(lines)

    def answer(_: str) -> str:
        if not rest:
            raise EOFError
        return rest.pop(0)

    return answer


def session(*seats: str | None, seed: int, **options: Any) -> tuple[Session, Screen]:
    """A session at a screen of 80 columns; it is not begun yet. A seat is a computer player or None for a person."""
    screen = Screen()
    players = [load_player(name, GAME, seed) if name else None for name in seats]
    return Session(SavedGame(Match(GAME)), players, dealer(seed), "en", on(screen, **options)), screen


def on(screen: Screen, **options: Any) -> LineScreen:
    """A screen of 80 columns, with further options of Rich's console."""
    return LineScreen(Console(file=screen, width=80, highlight=False, **options))


def play(monkeypatch: pytest.MonkeyPatch, game: Session, screen: Screen, answer: Answer) -> str:
    """Run a session with this person at the keyboard; returns all that was shown."""
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stdin", Robot(screen, answer))
    game.run()
    return screen.getvalue()


# ---- whole games


@pytest.mark.parametrize(
    ("side", "lang", "opponent"), [("us", "en", "greedy"), ("ussr", "ru", "greedy"), ("us", "de", "random")]
)
def test_a_whole_game_can_be_played_to_its_end(tmp_path: Path, side: str, lang: str, opponent: str) -> None:
    saved = tmp_path / "game.brink"
    args = [
        "play",
        "13-days",
        "--side",
        side,
        "--against",
        opponent,
        "--lang",
        lang,
        "--seed",
        "7",
        "--save",
        str(saved),
    ]
    result = run(*args, answer=anything(3))
    assert result.code == 0
    assert result.err == ""
    record = journal.read(saved)
    match = journal.play(record, GAME)
    assert match.is_over
    assert record.headers[side] == "human"
    assert opponent in record.headers.values()
    assert "seed" not in record.headers


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_fits_80_columns_in_every_language(language: str) -> None:
    result = run(
        "play",
        "13-days",
        "--side",
        "ussr",
        "--lang",
        language,
        "--seed",
        "4",
        answer=script("?", "card", "log", "1", "1"),
    )
    assert result.code == 0
    assert [line for line in result.out.splitlines() if len(line) > 80] == []


def test_output_in_a_pipe_has_no_escapes() -> None:
    result = run("play", "13-days", "--seed", "4", answer=script("1", "1"))
    assert "\x1b" not in result.out


def test_hot_seat_never_shows_a_hand_to_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = session(None, None, seed=2)
    random_answer = anything(5)
    seen: list[int] = []

    def answer(page: str) -> str:
        side = game.at_screen
        assert side is not None
        seen.append(side)
        if not page.endswith("Press Enter.\n") and not page.endswith("press Enter.\n"):
            hidden = hidden_cards(game.match, side)
            assert [name for name in hidden if name in page] == [], page
            assert f"{('USSR', 'US')[side]} chooses an agenda" not in page
        else:
            assert len(page.strip().splitlines()) <= 3, page  # what was typed last, and who shall sit down
        return random_answer(page)

    shown = play(monkeypatch, game, screen, answer)
    assert game.match.is_over
    assert set(seen) == {0, 1}
    assert shown.count("Pass the screen to the US,") + shown.count("Pass the screen to the USSR,") > 10


def test_hot_seat_wipes_screen_and_scrollback_before_the_other_side_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = session(None, None, seed=2, height=50, force_terminal=True)
    shown = play(monkeypatch, game, screen, script("", "1", "", "1"))
    for handed_over in re.finditer("Pass the screen", shown):
        assert shown.rfind("\x1b[3J", 0, handed_over.start()) > shown.rfind("What happened", 0, handed_over.start())


def test_colours_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for colours in (True, False):
        monkeypatch.setenv("NO_COLOR", "" if colours else "1")
        game, screen = session(None, "random", seed=2, force_terminal=True, color_system="standard")
        assert ("\x1b[1;94m" in play(monkeypatch, game, screen, script("1"))) == colours


def hidden_cards(match: Match, side: int) -> list[str]:
    """The names of all cards in the other hand and of those it has put on the aftermath stack."""
    places = (CardIs.IN_HAND + 1 - side, CardIs.IN_AFTERMATH + 1 - side, CardIs.DRAWN + 1 - side)
    return [card.names["en"] for index, card in enumerate(GAME.data.card) if match.state.card[index] in places]


def test_against_a_computer_its_cards_stay_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = session(None, "greedy", seed=6)
    random_answer = anything(8)

    def answer(page: str) -> str:
        if not game.match.is_over:
            assert [name for name in hidden_cards(game.match, 0) if name in page] == [], page
        return random_answer(page)

    play(monkeypatch, game, screen, answer)
    assert game.match.is_over


# ---- answers


def first_play(monkeypatch: pytest.MonkeyPatch, *lines: str) -> tuple[Session, str]:
    """A game as the US against `random`, in which these lines are typed after the agenda."""
    game, screen = session(None, "random", seed=3)
    return game, play(monkeypatch, game, screen, script("1", *lines))


def hand_of_the_us(monkeypatch: pytest.MonkeyPatch) -> list[Card]:
    state = first_play(monkeypatch)[0].match.state
    return [card for index, card in enumerate(GAME.data.card) if state.card[index] == CardIs.IN_HAND]


def texts(game: Session) -> list[str]:
    return [entry.text for entry in game.match.entries if entry.actor == 0]


def test_a_choice_can_be_typed_as_number_as_action_or_as_words(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = hand_of_the_us(monkeypatch)
    card = next(card for card in hand if card.cubes >= 2)
    commands = {
        f"command {card.id}": "place 2 berlin",
        f"{card.names['en']} command (": "berlin 2 place",
        f"{hand.index(card) + 1} 2" if card.side != "ussr" else f"{hand.index(card) + 1} 1": "place 2 ber",
    }
    for command, placing in commands.items():
        game, _ = first_play(monkeypatch, command, "decline", placing)
        if f"command {card.id}" not in texts(game):  # the words fitted the Command with the letter too
            game, _ = first_play(monkeypatch, f"command {card.id}", "decline", placing)
        assert f"command {card.id}" in texts(game)
        assert "place 2 berlin" in texts(game)


def test_wrong_answers_get_one_line_each_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ["99", "place 9 berlin", "hello world", "-1", "2.5", "card nobody", "lang fr", "лол", "\x00", "x" * 500]
    game, shown = first_play(monkeypatch, *wrong)
    pages = shown.split("> ")[2:]
    assert len(texts(game)) == 1
    assert all(len(page.strip().splitlines()) <= 4 for page in pages[:-1]), pages
    assert shown.count("does not match any choice") == 8


def test_words_that_fit_several_choices_ask_which(monkeypatch: pytest.MonkeyPatch) -> None:
    game, shown = first_play(monkeypatch, "play", "", "command")
    assert shown.count("Which one?") == 2
    assert len(texts(game)) == 1


def test_a_number_is_of_the_menu_that_is_shown_and_of_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a smaller menu "0" was the "Done" of the one before, and ended the moves of a whole Turn."""
    own = next(card for card in hand_of_the_us(monkeypatch) if card.side != "ussr")
    game, shown = first_play(monkeypatch, own.names["en"].split()[0], "5")
    assert "“5” does not match any choice" in shown
    assert shown.count("Which one?") == 1
    assert len(texts(game)) == 1


def test_help_card_and_language(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = first_play(monkeypatch, "?", "card scramble", "card 1", "card u-2 photo", "lang pl", "lang en", "help")
    assert "take back your last decision" in shown
    assert "Place up to 3 of your cubes in total" in shown
    assert "U-2 Photographs" in shown
    assert "Runda 1 z 3" in shown


def asked(game: Session, language: str = "en") -> Menu:
    """The menu of whoever has to choose, of 80 columns."""
    words = terminal_words(GAME, language)
    side = game.match.actor
    actions = [decision.action for decision in game.match.legal(side)]
    return Menu(GAME, words, table_for(GAME, words), game.match.view(side), side, actions, 80)


def test_a_card_that_can_be_played_in_one_way_only_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    game, screen = session(None, None, seed=3)
    play(monkeypatch, game, screen, script("", "1", "", "1", "", "first ussr", ""))
    while game.match.actor != 1:
        game.match.push(game.match.legal(0)[0].action, side=0)
        game.match.advance(game.deal)
    menu = asked(game)
    single = [item for item in menu.items if len(item.actions) == 1]
    assert single
    assert all(item.below for item in menu.items)


def test_choices_about_one_card_stand_under_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    own = next(card for card in hand_of_the_us(monkeypatch) if card.side != "ussr")
    _, shown = first_play(monkeypatch, own.names["en"].split()[0])
    part = shown[shown.rindex("Which one?") :]
    text = card_text(GAME.data, own, terminal_words(GAME, "en"))
    assert (
        text.split()[:3]
        == re.split(r"\s+", part[part.index(own.names["en"]) :].removeprefix(own.names["en"]).strip())[:3]
    )


def test_yes_and_no_answer_a_question_that_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = next(card for card in hand_of_the_us(monkeypatch) if card.side == "ussr")
    game, screen = session(None, None, seed=3)
    lines = ["", "1", "", "1", "", "first us", "", f"command {theirs.id}", "", "no"]
    play(monkeypatch, game, screen, script(*lines))
    assert "decline" in [entry.text for entry in game.match.entries]
    _, shown = first_play(monkeypatch, "yes")
    assert "“yes” does not match any choice" in shown


def test_a_question_is_asked_again_below_help_rules_and_log(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = first_play(monkeypatch, "?", "rules", "log")
    assert shown.count("play a card as an Event or a Command") == 4
    _, shown = first_play(monkeypatch, "command", "?", "")
    assert shown.count("Which one?") == 2


def test_rules_shows_the_section_of_the_question_rulings_and_what_words_find(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = first_play(monkeypatch, "rules", "rules war", "rules R12", "rules xyzzy", "rules card")
    here, war, ruling, nothing, many = shown.split("> ")[2:7]
    assert "Your turn" in here
    assert "All sections:" in here
    assert "Whoever triggers war loses at once" in war
    assert "Markers stop at the ends of a track" in ruling
    assert "Nothing found in the rules for “xyzzy”" in nothing
    assert "rules opponent-cards" in many


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_every_question_has_its_section_of_the_rules(game_id: str) -> None:
    game = load_game(game_id)
    sections = {section.id for section in rules_of(game, "en")}
    match, deal, asked_for = Match(game), dealer(5), set()
    seats = [load_player("random", game, seed) for seed in (5, 6)]  # the same seed would bid the same for ever
    while not match.is_over:
        match.advance(deal)
        for side in sorted(match.pending)[:1]:
            asked_for.add(section_of(game, game.narrator.prompt(match.view(side), side)))
            match.push(seats[side].choose(Observation.of(match, side)).action, side=side)
    assert asked_for <= sections


@pytest.mark.parametrize("game_id", ["13-days", "13-minutes", "ukrainian-crisis"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_that_of_the_game_and_says_how_one_wins(game_id: str, language: str) -> None:
    shown = run("play", game_id, "--lang", language, "--seed", "4", "--against", "random", answer=script("?")).out
    table = table_for(load_game(game_id), terminal_words(load_game(game_id), language))
    goal = table.goal()
    assert goal is not None
    flowed = " ".join(shown.split())
    assert flowed.count(table.words.text(goal)) == 2  # before the first question, and in the help
    assert ("⚑" in flowed[flowed.rindex(table.words.text(goal)) :].split("■ >")[0]) == (game_id == "13-days")
    assert [line for line in shown.splitlines() if len(line) > 80] == []


# ---- undo


def test_undo_takes_back_what_revealed_nothing_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = hand_of_the_us(monkeypatch)
    own = next(card for card in hand if card.side != "ussr")
    game, shown = first_play(monkeypatch, "undo", f"command {own.id}", "undo")
    assert shown.count("Nothing to take back") == 1
    assert texts(game) == [texts(game)[0]]
    game, shown = first_play(monkeypatch, f"command {own.id}", "restart", f"command {own.id}", "undo", "undo")
    assert shown.count("Nothing to take back") == 1
    assert len(texts(game)) == 1


def test_undo_is_refused_when_the_other_side_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = hand_of_the_us(monkeypatch)
    game, shown = first_play(monkeypatch, f"command {hand[0].id}", "0", "undo")
    assert "Nothing to take back" in shown
    assert len(texts(game)) > 1


# ---- save, quit, resume


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path) -> None:
    saved, again = tmp_path / "one.brink", tmp_path / "two.brink"
    first = run("play", "13-days", "--side", "ussr", "--seed", "5", answer=script("1", "1", f"save {saved}", "quit"))
    assert f"Saved: {saved}" in first.out
    second = run("play", "13-days", "--load", str(saved), answer=script(f"save {again}", "quit"))
    assert second.code == 0
    assert again.read_text() == saved.read_text()
    assert journal.read(saved).headers["ussr"] == "human"
    assert "you play the USSR" in second.out
    position = first.out[first.out.rindex("Prestige  ") :].split("What happened")[0]
    assert position in second.out


def test_options_and_sides_are_restored(tmp_path: Path) -> None:
    saved = tmp_path / "game.brink"
    option = "agenda_icon_order=escalate_then_score"
    run("play", "13-days", "--side", "both", "--option", option, "--save", str(saved), answer=script("", "1", "", "1"))
    assert journal.read(saved).options == {"agenda_icon_order": "escalate_then_score"}
    result = run("play", "13-days", "--load", str(saved), "--save", str(saved), answer=script("", "1"))
    assert result.code == 0
    assert "should look at the screen now" in result.out
    assert journal.read(saved).options == {"agenda_icon_order": "escalate_then_score"}
    assert run("play", "13-days", "--load", str(saved), "--option", option).code == 2


def test_every_decision_is_on_disk_with_the_deals_that_follow_it(tmp_path: Path) -> None:
    saved = tmp_path / "game.brink"
    counts = []

    def answer(_: str) -> str:
        counts.append(len(journal.read(saved).entries))
        if len(counts) == 6:
            raise EOFError
        return "1"

    result = run("play", "13-days", "--seed", "5", "--save", str(saved), answer=answer)
    assert result.code == 0
    assert counts == sorted(counts)
    assert journal.play(journal.read(saved), GAME).actor == 0
    assert f"--load {saved} --save {saved}" in result.out


def test_quitting_offers_to_save_and_no_answer_writes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "game.brink"
    result = run("play", "13-days", answer=script("1", "quit", "perhaps", "yes", str(target)))
    assert result.code == 0
    assert target.exists()
    run("play", "13-days", answer=script("1", "quit"))
    assert [path.name for path in tmp_path.iterdir()] == ["game.brink"]


def test_ctrl_c_ends_with_130_and_keeps_the_autosave(tmp_path: Path) -> None:
    saved = tmp_path / "game.brink"

    def answer(page: str) -> str:
        if "turn 1 of 8" in page:
            raise KeyboardInterrupt
        return "1"

    assert run("play", "13-days", "--save", str(saved), answer=answer).code == 130
    assert journal.read(saved).entries


def test_resigning_ends_the_game_for_good(tmp_path: Path) -> None:
    saved = tmp_path / "game.brink"
    result = run("play", "13-days", "--save", str(saved), answer=script("1", "resign", "no", "resign", "yes"))
    assert "Winner: the USSR; the US resigned." in result.out
    assert journal.read(saved).result == "ussr by resignation"
    again = run("play", "13-days", "--load", str(saved), answer=script())
    assert "Winner: the USSR" in again.out


def test_reasons_of_the_computer_are_told_and_kept_when_the_game_is_over_and_no_sooner(tmp_path: Path) -> None:
    open_game, ended = tmp_path / "open.brink", tmp_path / "ended.brink"
    asked = ("play", "13-minutes", "--against", "rules", "--seed", "5", "--save")
    left = run(*asked, str(open_game), answer=script("1", "quit"))
    resigned = run(*asked, str(ended), answer=script("1", "resign", "yes"))
    game = load_game("13-minutes")
    for file, are_kept in ((open_game, False), (ended, True)):
        record = journal.read(file)
        match = journal.play(record, game)
        assert any(entry.actor == 1 for entry in match.entries)
        assert bool(journal.reasons_of(record, match)) == are_kept
    said = [why_text(reason, words_for(game, "en")) for reason in journal.reasons_of(record, match).values()]
    assert any(reason in " ".join(resigned.out.split()) for reason in said)
    assert not any(reason in " ".join(left.out.split()) for reason in said)


# ---- what is refused at the door


def refused(*args: str) -> Result:
    result = run(*args, answer=script())
    assert result.code == 2
    assert result.out == ""
    return result


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["chess"], "there is no game 'chess'; the games are: 13-days"),
        (["13-days", "--side", "cuba"], "its sides are us, ussr, both"),
        (["13-days", "--against", "hal"], "its players are: random, greedy, rules"),
        (["13-days", "--lang", "fr"], "the languages are: en, ru, de, pl"),
        (["13-days", "--option", "moon=full"], "no option 'moon'"),
        (["13-days", "--option", "brink_floor=none"], "total or before_letter"),
        (["13-days", "--option", "brink_floor"], "NAME=VALUE"),
        (["13-days", "--side", "both", "--against", "greedy"], "--side both"),
        (["13-days", "--load", "nowhere.brink"], "nowhere.brink: cannot be read"),
        (["13-days", "--cards", "nowhere.toml"], "nowhere.toml"),
        (["13-days", "--save", "nowhere/game.brink"], "there is no folder nowhere"),
        (["13-days", "--save", "."], "cannot be written"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = refused("play", *args)
    assert reason in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_another_game_is_not_written_over(tmp_path: Path) -> None:
    saved = tmp_path / "game.brink"
    run("play", "13-days", "--save", str(saved), answer=script("1"))
    before = saved.read_bytes()
    assert "already exists" in refused("play", "13-days", "--save", str(saved)).err
    assert saved.read_bytes() == before


def test_a_seed_must_be_a_number() -> None:
    result = refused("play", "13-days", "--seed", "many")
    assert re.search(r"--seed", result.err)


def test_help_has_examples() -> None:
    for command in ("games", "cards", "rulings", "play", "replay", "lab simulate", "server run", "bench"):
        assert "Examples" in run(*command.split(), "--help").out


@pytest.mark.parametrize(
    ("game_id", "name", "number"),
    [
        ("ukrainian-crisis", "ru", 1),
        ("ukrainian-crisis", "Ukraine", 0),
        ("ukrainian-crisis", "россия", 1),
        ("13-days", "US", 0),
        ("13-days", "UdSSR", 1),
        ("13-days", "zsrr", 1),
    ],
)
def test_a_side_may_be_called_as_people_call_it(game_id: str, name: str, number: int) -> None:
    assert side_number(load_game(game_id), name) == number
