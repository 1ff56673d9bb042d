"""The template of a game in ``examples/template_game`` passes what every game must, and the recipe quotes it truly."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))

from template_game.rules.data import N_PRIZES  # noqa: E402
from template_game.rules.game import SealedBids  # noqa: E402
from template_game.rules.state import Node, PrizeIs  # noqa: E402

from brinkmanship.engine.chance import below  # noqa: E402
from brinkmanship.engine.errors import DataFileError, OptionError  # noqa: E402
from brinkmanship.engine.game import OBSERVER  # noqa: E402
from brinkmanship.engine.match import Match, dealer  # noqa: E402
from brinkmanship.engine.playout import NOBODY, Batch, play  # noqa: E402
from brinkmanship.research.observation import Observation  # noqa: E402
from brinkmanship.testing import (  # noqa: E402
    check_contract,
    check_journals,
    check_knowledge,
    check_simultaneous,
    walk,
)
from support.installed_games import silent_in_a_draw  # noqa: E402

RECIPE = ROOT / "docs" / "develop" / "adding-a-game.md"
FEW = range(25)


@pytest.fixture(params=[True, False], ids=["favourites", "plain"])
def game(request: pytest.FixtureRequest) -> SealedBids:
    return SealedBids.load(options={"favourites": request.param})


def coins_are_conserved(state: object) -> None:
    assert all(0 <= coins <= 6 for coins in state.coins)  # type: ignore[attr-defined]


def test_the_battery(game: SealedBids) -> None:
    check_contract(game, FEW, seed=1, invariant=coins_are_conserved)
    assert check_simultaneous(game, FEW, seed=1) > 0
    check_knowledge(game, FEW, seed=1, redeals=2)


def test_a_journal_of_a_game(game: SealedBids) -> None:
    check_journals(game, FEW, seed=1)


def bid(match: Match, us: int, ussr: int) -> None:
    match.push(f"bid {us}", side=0)
    match.push(f"bid {ussr}", side=1)
    match.advance(dealer(1))


def test_the_higher_bid_takes_the_prize_and_both_are_spent() -> None:
    match = Match(SealedBids.load(options={"favourites": False}))
    match.advance(dealer(1))
    bid(match, 2, 1)
    assert match.state.coins.tolist() == [4, 5]
    assert sorted(match.state.prize.tolist())[0] == 0


def test_equal_bids_set_the_prize_aside() -> None:
    match = Match(SealedBids.load(options={"favourites": False}))
    match.advance(dealer(1))
    for _ in range(3):
        bid(match, 2, 2)
    assert (match.state.node, match.state.coins.tolist()) == (Node.OVER, [0, 0])
    outcome = match.outcome()
    assert outcome is not None
    assert outcome.winner is None


def test_the_rules_write_the_utility_of_a_draw() -> None:
    game = SealedBids.load(options={"favourites": False})
    ends = [[*walk(game, number, 1)][-1].state for number in range(60)]
    drawn = [state for state in ends if game.outcome(state)[0] == game.reasons[2]]
    assert drawn
    for state in drawn:
        used = np.array([1.0, -1.0])
        game.result(game.rules, state, used)
        assert used.tolist() == [0.0, 0.0]


def test_every_loop_clears_the_utility_before_it_asks_for_a_result() -> None:
    loops = 0
    for file in (ROOT / "src").rglob("*.py"):
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        for number, line in enumerate(lines):
            if re.search(r"(^|= )game\.result\(rules, state, utility\)$", line):
                loops += 1
                assert lines[number - 1] == "utility[:] = 0.0", file
    assert loops > 5


def test_a_draw_that_is_not_written_counts_for_nobody() -> None:
    written = SealedBids.load(options={"favourites": False})
    (right,) = play_by_python(written)
    (silent,) = play_by_python(silent_in_a_draw(SealedBids.load(options={"favourites": False})))
    assert (right.reasons == 2).any()
    assert (right.winners[right.reasons == 2] == NOBODY).all()
    assert silent.winners.tolist() == right.winners.tolist()


def play_by_python(game: SealedBids) -> Iterator[Batch]:
    """Some games in a loop that is not compiled, so that the rules may be Python too."""

    def first(rules: Any, view: Any, side: int, random: Any) -> int:
        out = np.empty(game.max_legal, np.int16)
        return int(out[below(random, game.legal(rules, view, side, out))])

    return play(game, 0, 60, 1, (first, first))


def test_the_battery_finds_rules_that_do_not_write_the_utility_of_a_draw() -> None:
    game = silent_in_a_draw(SealedBids.load(options={"favourites": False}))
    with pytest.raises(AssertionError, match="does not write each side's utility"):
        check_contract(game, range(60), seed=1)


def test_neither_a_bid_nor_that_it_was_made_is_seen() -> None:
    match = Match(SealedBids.load())
    match.advance(dealer(1))
    before = [match.view(viewer).tobytes() for viewer in (1, OBSERVER)]
    match.push("bid 3", side=0)
    assert match.state.node == Node.BID
    assert [match.view(viewer).tobytes() for viewer in (1, OBSERVER)] == before


def test_a_network_sees_each_place_of_a_prize_in_a_column_of_its_own(game: SealedBids) -> None:
    observation = Observation(game)
    places = observation.field("prize").slice
    assert places.stop - places.start == N_PRIZES * len(("first", "second", *PrizeIs))


def test_a_wrong_option_or_data_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="has no option"):
        SealedBids.load(options={"ties": True})
    text = (ROOT / "examples/template_game/cards.toml").read_text(encoding="utf-8")
    broken = tmp_path / "cards.toml"
    broken.write_text(text.replace('id = "silver"', 'id = "copper"'), encoding="utf-8")
    with pytest.raises(DataFileError, match="every id must be different"):
        SealedBids.load(broken)


def test_what_the_recipe_quotes_stands_in_the_template() -> None:
    quoted = re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.S)
    assert len(quoted) >= 5
    for name, text in quoted:
        source = (ROOT / name).read_text(encoding="utf-8")
        assert text in source, f"{name} no longer says:\n{text}"
