"""The balance report: what it has to find, that it can be interrupted, and its page."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import brinkmanship as brink
from brinkmanship.engine.game import Game
from brinkmanship.lab.balance import plan, results
from brinkmanship.lab.balance.bidding import balance, bidding
from brinkmanship.lab.balance.page import page
from brinkmanship.lab.balance.plan import Plan, plan_for
from brinkmanship.lab.balance.results import Measure, Report, figure, verdict
from brinkmanship.lab.balance.runner import measured
from brinkmanship.lab.balance.runner import run as measure
from brinkmanship.lab.balance.store import Store, StoreError, about
from brinkmanship.text import LANGUAGES, words_for
from support.cli_runner import run
from support.installed_games import EXAMPLES, install, on_path

SEED = 1_000_000_005
STRONG = """effects = [{ op = "prestige", exactly = 5 }]"""


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PIECE", 10)
    monkeypatch.setattr(results, "FEWEST", 1)


def report_of(game: Game, sizes: Plan, path: Path) -> Report:
    store = Store(path, about(game, SEED, sizes))
    for piece, found in measure(game, SEED, store.missing(sizes.pieces())):
        store.keep(piece, found)
    return Report(store)


def test_a_card_that_is_absurdly_strong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PIECE", 500)
    text = files("brinkmanship.games.thirteen_days").joinpath("cards.toml").read_text("utf-8")
    before, found, after = text.partition('id = "close_allies"')
    old = next(line for line in after.splitlines() if line.startswith("effects = "))
    cards = tmp_path / "strong.toml"
    cards.write_text(before + found + after.replace(old, STRONG, 1), "utf-8")
    report = report_of(brink.load("13-days", cards=cards), Plan({"fast": {"cards": 3000}}), tmp_path / "r.sqlite")
    first, second, *others = report.family("card")
    assert {first.key, second.key} == {("us", "close_allies"), ("ussr", "close_allies")}
    assert {first.verdict, second.verdict} == {"agree"}
    assert max(row.figures["fast"].value for row in others) < second.figures["fast"].value


def test_other_names_of_the_sides_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = brink.load("13-days")
    kinds = ("games", "course", "cards", "uses", "agendas", "hiding")
    pieces = [plan.Piece(kind, "fast", 0, 40) for kind in kinds]
    before = [measured(game, SEED, piece).tally.moments for piece in pieces]
    monkeypatch.setattr(type(game), "sides", ("ussr", "us"))
    after = [measured(game, SEED, piece).tally.moments for piece in pieces]
    other = {"us": "ussr", "ussr": "us"}
    renamed = [
        {"/".join(other.get(part, part) for part in key.split("/")): value for key, value in found.items()}
        for found in after
    ]
    assert renamed == before
    assert renamed != after


def test_a_mirror_game_is_even(tmp_path: Path) -> None:
    install(tmp_path, "sealed-bids", "sealed-bids = template_game.kit:KIT")
    with on_path(tmp_path, EXAMPLES):
        game = brink.load("sealed-bids")
        report = report_of(game, Plan({"random": {"games": 1500, "options": 40}}), tmp_path / "r.sqlite")
        bias = report.bias()
        assert abs(bias.figures["random"].value) < bias.figures["random"].margin < 2.6
        assert bias.verdict == "open"
        assert "Secret favourites<small>No</small>" in page(report, words_for(game, "en"))


def test_an_interrupted_report_goes_on_and_is_the_same_to_the_byte(tmp_path: Path) -> None:
    game = brink.load("13-minutes")
    sizes = Plan(
        {"fast": {"games": 30, "course": 10, "bids": 250, "options": 10}, "random": {"games": 20, "order": 20}}
    )
    whole = report_of(game, sizes, tmp_path / "whole.sqlite")
    for stop in (2, 3):
        store = Store(tmp_path / "cut.sqlite", about(game, SEED, sizes))
        missing = store.missing(reversed(list(sizes.pieces())))
        for (piece, found), _ in zip(measure(game, SEED, missing), range(stop), strict=False):
            store.keep(piece, found)
        store.close()
    assert len(Store(tmp_path / "cut.sqlite", about(game, SEED, sizes)).missing(sizes.pieces())) == len(missing) - 3
    again = report_of(game, sizes, tmp_path / "cut.sqlite")
    assert page(again, words_for(game, "en")) == page(whole, words_for(game, "en"))
    assert json.dumps(again.as_json()) == json.dumps(whole.as_json())
    [found] = whole.bids().values()
    assert found.often.shape == (2, 78, 14)
    assert found.often.sum() == pytest.approx(2 * 78)
    assert found.gain < 1


def test_the_balance_of_the_bids_is_what_a_linear_program_finds() -> None:
    """The most that side 0 can be sure of, whatever side 1 bids with each of its hands."""
    hands, bids = 6, 5
    random = np.random.default_rng(SEED)
    wins, share = random.random((hands, hands, bids, bids)), random.random((hands, hands))
    share /= share.sum()
    often, value, gain = balance(wins, share)
    mixed = hands * bids
    matrix = (wins * share[:, :, None, None]).transpose(0, 2, 1, 3).reshape(mixed, mixed)
    each_hand = np.kron(np.eye(hands), np.ones((1, bids)))
    found = linprog(
        np.hstack([np.zeros(mixed), -np.ones(hands)]),
        A_ub=np.hstack([-matrix.T, each_hand.T]),
        b_ub=np.zeros(mixed),
        A_eq=np.hstack([each_hand, np.zeros((hands, hands))]),
        b_eq=np.ones(hands),
        bounds=[(0, None)] * mixed + [(None, None)] * hands,
    )
    assert often.sum(axis=2) == pytest.approx(np.ones((2, hands)))
    assert abs(value + found.fun) <= gain < 0.001


def test_a_bid_is_no_higher_than_the_last_word_is_worth() -> None:
    """Made-up games: going last wins nine of ten with up to six cubes bid, and none with more."""
    deals = [
        (a, 12 - a, (a + 1) % 12, 11 - a, *bids, int(bids[1] > bids[0]))
        for a in range(6)
        for bids in ((low, high)[::turn] for high in range(1, 14) for low in range(high) for turn in (1, -1))
    ]
    rows = [
        (*deal, 2 * ((deal[6] == 0) == (max(deal[4:6]) <= 6 and number % 10 > 0))) for number, deal in enumerate(deals)
    ]
    found = bidding(rows, 13)
    assert found.by_bid()[:, 8:].max() < 0.001
    assert found.by_bid()[:, 4:8].sum(axis=1).min() > 0.5
    assert found.cubes[0] > 5


@pytest.mark.parametrize(
    ("game_id", "player"), [("13-days", "fast"), ("13-minutes", "fast"), ("ukrainian-crisis", "rules")]
)
def test_the_page_stands_alone_and_speaks_four_languages(tmp_path: Path, game_id: str, player: str) -> None:
    game = brink.load(game_id)
    sizes = plan_for(game, 0.00001, (player,))
    report = report_of(game, sizes, tmp_path / "r.sqlite")
    pages = {language: page(report, words_for(game, language)) for language in LANGUAGES}
    for language, html in pages.items():
        assert f'<html lang="{language}">' in html
        assert not re.search(r"<script|<link|src=|href=|url\(|@import|https?:", html)
        assert html.count("<section>") >= 8
        assert re.findall(r"\{\w+\}", re.sub(r"<style>.*</style>", "", html, flags=re.DOTALL)) == []
        if language != "en":
            assert not set(re.findall(r"<h2>(.*?)</h2>", html)) & set(re.findall(r"<h2>(.*?)</h2>", pages["en"]))
    told = report.as_json()
    assert set(told["families"]) >= {"option", "order" if game_id != "13-minutes" else "use"}
    assert all(row["figures"][player]["n"] > 0 for rows in told["families"].values() for row in rows)


def test_what_several_players_say_together() -> None:
    up, down, nothing = (Measure(100, value, 2.0, 0.01, sure=True) for value in (5.0, -5.0, 1.0))
    assert verdict([up, up, up]) == "robust"
    assert verdict([up, up]) == "agree"
    assert verdict([up, up, down]) == "depends"
    assert verdict([up, up, nothing]) == "open"
    assert verdict([each._replace(sure=False) for each in (up, up, up)]) == "open"
    assert figure((4, 2.0, 2.0), 0.5).value == 0.0


def test_the_command_makes_a_page_goes_on_and_says_what_is_wrong(tmp_path: Path) -> None:
    output, store = str(tmp_path / "report.html"), str(tmp_path / "report.sqlite")
    asked = ["lab", "balance", "13-minutes", "--player", "fast", "--scale", "0.0001", "--workers", "1", "-o", output]
    made = run(*asked)
    assert (made.code, made.err) == (0, "")
    assert "How balanced is" in Path(output).read_text("utf-8")
    told = json.loads(run(*asked, "--json").out)
    assert told["game"] == "13-minutes"
    assert told["players"].keys() == {"fast"}
    assert run("lab", "balance", "--from", store, "-o", str(tmp_path / "de.html"), "--lang", "de").code == 0
    assert "Wie ausgewogen" in (tmp_path / "de.html").read_text("utf-8")
    (tmp_path / "none.sqlite").write_text("nothing of the kind\n")
    for wrong, said in (
        ([], "give either a game or"),
        (["13-minutes", "--from", store], "give either a game or"),
        (["13-minutes", "-o", "report.pdf"], "must end in .html"),
        (["13-minutes", "-o", str(tmp_path / "nowhere" / "r.html")], "there is no folder"),
        (["13-minutes", "--player", "fast", "--seed", "7", "-o", output], "its seed is 9000000000, not 7"),
        (["--from", str(tmp_path / "missing.sqlite")], "no such file"),
        (["--from", str(tmp_path / "none.sqlite")], "none.sqlite"),
        (["13-minutes", "--player", "nobody"], "nobody"),
        (["13-minutes", "--player", "fast", "--player", "fast"], "named twice"),
    ):
        refused = run("lab", "balance", *wrong)
        assert refused.code == 2, wrong
        assert said in refused.err
    with pytest.raises(StoreError):
        Store(tmp_path / "missing.sqlite")
