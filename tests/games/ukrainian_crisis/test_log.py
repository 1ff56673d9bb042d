"""The log tells a deed in one line, however many answers it took."""

from __future__ import annotations

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import OBSERVER, Game
from brinkmanship.engine.game_log import GameLog
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import LogLine
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.ukrainian_crisis.rules.state import Node
from brinkmanship.text import words_for
from support.ukrainian_crisis.builders import SIDES, game


class Table:
    """A match played by the texts of actions, as in `builders`: steps of the rules and windows are passed."""

    def __init__(self, options: dict[str, str | bool] | None = None) -> None:
        self.game: Game = game(options)
        self.match = Match(self.game)
        self.words = words_for(self.game, "en")
        self.story: GameLog[str] = GameLog(self.said)

    def play(self, *texts: str) -> None:
        for written in texts:
            side, _, text = written.rpartition(": ")
            while True:
                try:
                    self.match.push(text, SIDES.index(side) if side else None)
                    break
                except IllegalActionError:
                    if self.game.is_rules_step(self.match.state):
                        self.match.push_chance(dealer(1))
                    else:
                        assert self.match.state.node == Node.WINDOW, f"{text!r} is not possible"
                        self.match.push("done")

    def open_area(self, area: str) -> None:
        """Turn 1 up to an area, with Medium cards in it; Ukraine acts first."""
        self.play("draw united_for_ukraine", "draw flight_370")
        self.play(*(f"{side}: place medium medium medium" for side in SIDES))
        self.play(f"area {area}", "area information", "roll 6", "roll 1", "first ua")

    def said(self, line: LogLine, times: int) -> str:
        return self.words.sentence(line.message) + (f" (×{times})" if times > 1 else "")

    def lines(self) -> list[str]:
        """The story so far, which must be the same told anew."""
        seen = Perspective(self.match, OBSERVER)
        self.story.follow(seen)
        anew: GameLog[str] = GameLog(self.said)
        anew.follow(seen)
        kept = [line.shown for line in self.story.lines]
        assert [line.shown for line in anew.lines] == kept
        assert [line.number for line in self.story.lines] == list(range(len(kept)))
        return kept


def test_an_attempt_is_told_with_its_payment_in_one_line() -> None:
    table = Table()
    table.open_area("diplomatic")
    table.play("up GB")
    assert table.lines()[-1] == "Ukraine tries: United Kingdom → Support"
    table.play("rp 4")
    assert table.lines()[-1] == "Ukraine tries: United Kingdom → Support, for 4 RP"
    table.play("prestige 2", "sum 5")
    told = table.lines()
    assert told[-4:] == [
        "Ukraine tries: United Kingdom → Support, for 4 RP and 2 Prestige",
        "Prestige, Ukraine: 16 → 14 (−2)",
        "United Kingdom: 5 rolled, 6 paid – success",
        "United Kingdom: Neutrality → Support",
    ]
    assert sum("tries" in line for line in told) == 1


def test_a_unit_that_is_picked_is_told_of_with_where_it_goes() -> None:
    table = Table()
    table.open_area("military")
    table.play("unit ua_militia mobilisation")
    assert table.lines()[-1].startswith("Ukraine picks: ")
    table.play("zone KHA", "unit ua_militia mobilisation", "zone SUM")
    told = table.lines()
    assert not [line for line in told if "picks" in line]
    assert sum("deploys" in line for line in told) == 2


def test_an_attempt_to_neutralise_is_one_line_with_its_target_and_die() -> None:
    table = Table()
    table.open_area("military")
    table.play("unit ua_militia mobilisation", "zone KHA", "done", "done")
    table.play("first ru", "neutralise", "roll 3")
    table.play("unit ua_militia KHA")
    assert table.lines()[-1] == "Russia names the target: Ukrainian Irregulars (Kharkiv)"
    table.play("done", "roll 5")
    assert table.lines()[-2:] == [
        "Russia rolls 3: 3 RP",
        "Russia tries to neutralise Ukrainian Irregulars (Kharkiv): 5 rolled, 3 or less needed – failure",
    ]
    assert not [line for line in table.lines() if "names the target" in line or "neutralises enemy" in line]


def test_a_deed_taken_back_in_its_middle_is_told_of_as_far_as_it_went() -> None:
    table = Table()
    table.open_area("diplomatic")
    before = table.lines()
    table.play("up GB", "rp 4", "prestige 2")
    after = table.lines()
    table.match.pop()
    assert table.lines() == [*before, "Ukraine tries: United Kingdom → Support, for 4 RP"]
    table.match.pop()
    assert table.lines() == [*before, "Ukraine tries: United Kingdom → Support"]
    table.play("rp 4", "prestige 2")
    assert table.lines() == after


def test_an_attempt_that_fails_without_dice_is_not_replaced_by_the_next() -> None:
    table = Table({"ordinary_cards": True, "no_randomness": True})
    table.play("draw united_for_ukraine", "draw flight_370", "ua: place 1 9 1", "ru: place 1 2 1")
    table.play("area diplomatic", "area information", "first ua", "up GB", "rp 3", "prestige 2", "up PL")
    assert [line for line in table.lines() if "tries" in line] == [
        "Ukraine tries: United Kingdom → Support, for 3 RP and 2 Prestige",
        "Ukraine tries: Poland → Intervention",
    ]


def test_a_move_that_is_repeated_for_a_price_is_told_once_with_the_whole_price() -> None:
    table = Table()
    table.open_area("military")
    table.play(*["unit ua_ground reserve"] * 2, *["unit ua_ground mobilisation", "zone SUM"] * 2)
    assert table.lines()[-3:] == [
        "Ukraine mobilises: Ukrainian ground Regular (Reserve) (×2)",
        "Ukraine deploys: Ukrainian ground Regular (Mobilisation → Sumy) (×2)",
        "Prestige, Ukraine: 16 → 14 (−2)",
    ]
