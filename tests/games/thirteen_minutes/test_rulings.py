"""Rulings and FAQ answers where no golden case shows them, the options in each value, and the deck (Q50)."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.errors import DataFileError, OptionError
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.message import Message, Ref
from brinkmanship.engine.observation import Observation
from brinkmanship.games.cuban.data import Condition, Move, Place, Relocate, Remove
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.rules.loading import load
from brinkmanship.lab.matches.match import paired_match
from brinkmanship.players import load_player
from support.thirteen_minutes.builders import (
    P,
    Table,
    bidding,
    new_game,
    scoring,
    scoring_of_p,
    table,
    the_game,
    with_event,
)

DATA = files("brinkmanship.games.thirteen_minutes").joinpath("cards.toml").read_text(encoding="utf-8")


def test_q3_zero_against_zero_is_a_tie() -> None:
    t = bidding().play("us: bid 0", "ussr: bid 0", "reveal_bids")
    assert t.all_asked() == {"us", "ussr"}
    assert t.state.ties == 1


def test_q4_with_a_cap_a_coin_names_the_bid_winner_and_the_bids_are_lost() -> None:
    t = bidding({"bid_tie_cap": 2}).play("us: bid 1", "ussr: bid 1", "reveal_bids")
    t.play("us: bid 2", "ussr: bid 2", "reveal_bids", "coin ussr")
    assert (t.to_move(), t.legal(), t.supply("us"), t.supply("ussr")) == ("ussr", ["first us", "first ussr"], 11, 11)


def test_q4_people_read_that_ties_end_with_a_coin_and_what_it_may_show() -> None:
    bids = bidding({"bid_tie_cap": 1}).play("us: bid 1", "ussr: bid 1")
    t = bids.copy().play("reveal_bids")
    revealed = t.game.narrator.narrate(bids.state, t.game.parse_action("reveal_bids", CHANCE), t.state, OBSERVER)
    assert [line.message.key for line in revealed] == ["log.bids", "log.bids.cap"]
    coins = [t.game.narrator.describe(t.state, OBSERVER, action) for action in t.game.distribution(t.state)]
    assert coins == [Message("choice.coin", {"who": Ref("side", side)}) for side in ("us", "ussr")]


def test_section_3_cuba_may_be_set_before_the_hands() -> None:
    assert new_game({"cuba_timing": "before_hands"}).legal() == ["set_cuba"]
    assert new_game().legal()[0].startswith("draw")


def test_section_3_a_card_that_may_come_from_the_pile_is_called_by_its_name() -> None:
    for t, action in ((new_game(), "draw scramble"), (scoring().play("score_battlegrounds"), "turn_up scramble")):
        said = t.game.narrator.describe(t.state, OBSERVER, t.game.parse_action(action, CHANCE))
        assert said == Message("choice.card", {"card": Ref("card", "scramble")})


def test_q8_playing_a_card_moves_nothing() -> None:
    assert table().play("play u_thant neutral").at("u_thant") == "N 0:0"


def test_q9_never_to_the_opponents_sphere() -> None:
    assert not any(text.endswith(" ussr") for text in table().legal())


def test_q10_on_a_un_card_the_player_is_the_actor() -> None:
    t = table("cuba@N 0:0", mover="ussr").play("play scramble ussr", "event", "place 1 cuba", "done")
    assert t.at("cuba") == "S 0:1"


def test_q12_the_offer_is_answered_first_and_the_command_sees_the_changed_table() -> None:
    t = table("cuba@N 0:1").play("play fidel_castro us")
    assert (t.to_move(), t.legal()) == ("ussr", ["use", "decline"])
    t.play("ussr: use", "place 3 cuba")
    assert (t.to_move(), t.at("cuba")) == ("us", "S 0:4")
    assert t.play("us: place 2 cuba").at("cuba") == "N 2:4"


def test_q14_only_the_active_player_draws() -> None:
    t = table("cuba@N 0:1").play("play fidel_castro us", "ussr: use", "done", "us: done")
    t.act(t.legal()[0])
    assert (len(t.hand("us")), len(t.hand("ussr")), t.to_move()) == (2, 2, "ussr")


def test_q15_command_of_zero_by_option_only_where_there_is_no_other() -> None:
    options = {"command_zero": False}
    assert "done" not in table(options=options).play("play excomm us", "command").legal()
    assert table(lost=(13, 0), options=options).play("play excomm us", "command").legal() == ["done"]


def test_q20_separate_steps_may_move_the_same_battleground_again() -> None:
    game = with_event("excomm", Place(where=["cuba"], max=1), Place(where=["cuba"], max=1))
    t = table("cuba@S 0:0", game=game).play("play excomm us", "event", "place 1 cuba", "place 1 cuba")
    assert t.at("cuba") == "U 2:0"


@pytest.mark.parametrize(
    ("option", "end"), [("actor", "N 1:1"), ("owner", "S 1:1"), ("none", "S 1:1")], ids=["actor", "owner", "none"]
)
def test_q21_which_way_the_opponents_cubes_push(option: str, end: str) -> None:
    t = table("cuba@S 3:1", mover="ussr", options={"foreign_push": option})
    assert t.play("play u2_downed ussr", "event", "done").at("cuba") == end


def test_q22_cubes_taken_off_by_the_opponent_go_to_their_owners_supply() -> None:
    t = table("cuba@N 3:0", mover="ussr", lost=(2, 1))
    before = t.supply("us")
    t.play("play u2_downed ussr", "event", "done")
    assert (t.at("cuba"), t.supply("us")) == ("U 1:0", before + 2)
    assert t.state.lost.tolist() == [2, 1]


def test_q23_all_cubes_taken_are_put_on_other_battlegrounds() -> None:
    t = table("scramble@U 2:0").play("play wave_and_smile us", "event", "remove 1 scramble")
    assert not any("scramble" in text or text == "done" for text in t.legal())


def test_q25_a_move_against_the_end_is_offered_only_as_no_move() -> None:
    t = table("cuba@U 0:0").play("play quarantine us", "event", "done")
    assert t.legal() == ["move cuba neutral", "done"]


def test_q26_half_of_no_cubes_moves_nothing() -> None:
    assert table("cuba@N 0:2", mover="ussr").play("play u2_downed ussr", "event", "done").at("cuba") == "N 0:2"


def test_q30_a_mandatory_placing_is_done_as_far_as_the_supply_goes() -> None:
    game = with_event("excomm", Place(where=["cuba"], exactly=3))
    t = table("cuba@N 0:0", lost=(12, 0), game=game).play("play excomm us", "event")
    assert (t.at("cuba"), t.supply("us")) == ("U 1:0", 0)


def test_q31_no_more_is_relocated_than_finds_room() -> None:
    game = with_event("wave_and_smile", Relocate(of="us", max=2), options={"cube_limit": 5})
    t = table("cuba@N 5:0", "scramble@U 5:0", game=game).play("play wave_and_smile us", "event")
    t.play("remove 2 cuba", "place 2 wave_and_smile")
    assert t.at("wave_and_smile") == "U 2:0"


@pytest.mark.parametrize(("side", "area"), [("us", "move cuba us"), ("ussr", "move cuba ussr")])
def test_a_move_toward_goes_toward_the_sphere_of_its_party(side: str, area: str) -> None:
    game = with_event("excomm", Move(where=["cuba"], dir="toward", of=side, max=1))  # type: ignore[arg-type]
    assert table("cuba@N 0:0", game=game).play("play excomm us", "event").legal() == [area, "done"]


def test_a_move_that_must_be_made_and_leaves_one_way_is_made() -> None:
    game = with_event("excomm", Move(where=["cuba"], dir="away", exactly=1))
    assert table("cuba@N 0:0", game=game).play("play excomm us", "event").at("cuba") == "S 0:0"


def test_words_that_are_ready_for_printed_cards() -> None:
    just_played = with_event("excomm", Place(where=["just_played"], max=2))
    assert table(game=just_played).play("play excomm us", "event").legal() == [
        "place 1 excomm",
        "place 2 excomm",
        "done",
    ]
    opponents = with_event("excomm", Place(where=["all"], area=["opponent"], filter="other_has_cubes", max=1))
    t = table("scramble@S 0:1", "u_thant@S 0:0", "cuba@N 0:1", game=opponents).play("play excomm us", "event")
    assert t.legal() == ["place 1 scramble", "done"]
    still = with_event("excomm", Remove(where=["cuba"], max=1, movement="none"))
    assert table("cuba@N 1:0", game=still).play("play excomm us", "event", "remove 1 cuba").at("cuba") == "N 0:0"
    condition = Condition(cubes_of="ussr", at="cuba", at_least=1)
    conditional = with_event("excomm", Place(where=["cuba"], max=1, condition=condition))
    assert table("cuba@N 0:0", game=conditional).play("play excomm us", "event").to_move() == "chance"


def test_q36_cuba_gives_two_prestige() -> None:
    assert scoring("cuba@U 0:0").play("score_battlegrounds").prestige() == (2, 0)


def scored(t: Table) -> list[list[int]]:
    """Prestige of each side for battlegrounds, majority of military ones, aftermath."""
    found: list[list[int]] = t.let_chance().state.score.tolist()
    return found


def test_q37_equal_military_counts_and_equal_aftermath_sums_give_no_point() -> None:
    places = ("cuba@N 0:0", "quarantine@U 0:0", "scramble@S 0:0")
    equal = scoring(*places, us="excomm", ussr="fidel_castro", cuba="u2_downed")
    assert scored(equal) == [[1, 0, 0], [1, 0, 0]]
    none = scoring("cuba@N 0:0", us="u_thant", ussr="scramble", cuba="u2_downed")
    assert scored(none) == [[0, 0, 0], [0, 0, 0]]


def test_q38_cubes_of_two_cards_of_one_flag_add_up() -> None:
    assert scored(scoring("cuba@N 0:0", us="excomm", ussr="public_protests"))[0][2] == 1
    t = scoring("cuba@N 0:0", us="strategic_balance", ussr="u2_downed")
    assert [side[2] for side in scored(t)] == [0, 1]


def test_q39_cards_added_in_the_aftermath_score_nothing() -> None:
    t = scoring("cuba@N 0:0", us="scramble", ussr="nuclear_submarines", cuba="u2_downed")
    assert scored(t) == [[0, 0, 0], [0, 0, 0]]
    assert (t.at("scramble"), t.at("nuclear_submarines"), t.outcome()) == ("U 0:0", "S 0:0", ("draw", "nobody"))


def test_q40_the_holder_and_not_the_flag_decides_the_sphere() -> None:
    t = scoring("cuba@N 0:0", us="moscow_is_our_brain", ussr="excomm").let_chance()
    assert (t.at("moscow_is_our_brain"), t.at("excomm")) == ("U 0:0", "S 0:0")


def test_q40_cards_set_aside_start_no_war() -> None:
    places = ("cuba@N 0:0", "fidel_castro@U 0:0", "moscow_is_our_brain@U 0:0")
    t = scoring(*places, us="u_thant", ussr="scramble", cuba="u2_downed").let_chance()
    assert (t.at("u_thant"), t.outcome()) == ("off", ("prestige", "us"))


def test_q41_two_of_each_colour_are_safe_and_four_of_one_are_not() -> None:
    political = ("fidel_castro@U 0:0", "moscow_is_our_brain@U 0:0")
    military = ("quarantine@U 0:0", "mrbms_irbms@U 0:0")
    purple = ("wave_and_smile@U 0:0", "public_protests@U 0:0")
    safe = scoring("cuba@N 0:0", *political, *military, *purple, ussr="scramble", cuba="u2_downed")
    assert safe.let_chance().outcome() == ("prestige", "us")
    more = ("strategic_balance@U 0:0", "nuclear_submarines@U 0:0")
    four = scoring("cuba@N 0:0", *military, *more, us="u_thant", ussr="scramble", cuba="u2_downed")
    assert four.let_chance().outcome() == ("nuclear", "ussr")


def test_q43_nobody_has_lost_a_draw_and_both_have_lost_a_war_of_both() -> None:
    both = scoring_of_p("fidel_castro@U 1:0", "wave_and_smile@S 2:1")
    assert both.utility() == [0, 0]
    assert both.let_chance().utility() == [-1, -1]
    drawn = scoring("cuba@N 0:0", "fidel_castro@U 0:0", "public_protests@S 0:0", ussr="scramble", cuba="excomm")
    assert drawn.let_chance().utility() == [0, 0]


def test_section_5_5_chance_draws_every_step_of_the_scoring() -> None:
    t = scoring("cuba@N 0:0")
    random = generator(1)
    while t.to_move() == "chance":
        action = t.game.sample(t.game.rules, t.state, random)
        assert list(t.game.distribution(t.state)) == [action]
        t.game.apply(t.game.rules, t.state, action)
    assert (t.to_move(), t.outcome()[0]) == ("over", "prestige")


def test_q44_prestige_has_no_maximum_and_is_never_negative() -> None:
    everything = [f"{place.partition('@')[0]}@N 1:0" for place in P]
    t = scoring(*everything, us="u_thant", ussr="excomm")
    scored(t)
    assert t.prestige() == (14, 0)


def test_presets_are_options_and_a_choice_goes_before_them() -> None:
    assert the_game({"preset": "en2017"}).options["tiebreak"] == "none"
    assert the_game({"preset": "en2017"}).preset == "en2017"
    assert the_game().preset == "de2018"
    assert the_game({"preset": "en2017", "tiebreak": "own_sphere", "cube_limit": "5"}).preset is None
    with pytest.raises(OptionError, match="de2018, en2017"):
        load_game("13-minutes", options={"preset": "fr2019"})
    with pytest.raises(OptionError, match="from 0 to 1000"):
        load_game("13-minutes", options={"bid_tie_cap": "many"})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('op = "relocate", of = "us", max = 2', 'op = "prestige", exactly = 2', "belongs to 13 Days"),
        ('side = "un"\ncolour = "political"', 'side = "us"\ncolour = "political"', "Q50"),
        ('id = "excomm"', 'id = "cuba"', "has a meaning"),
        ('cubes = 3\nnames = { en = "Scramble"', 'cubes = 4\nnames = { en = "Scramble"', "from 1 to 3"),
        ('filter = "of_has_no_cubes", max = 3', 'filter = "tv_leader", max = 3', "filter"),
    ],
    ids=["foreign word", "sides", "reserved id", "value", "filter"],
)
def test_q50_a_deck_that_cannot_be_played_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert DATA.count(old) == 1
    path = tmp_path / "mine.toml"
    path.write_text(DATA.replace(old, new), encoding="utf-8")
    with pytest.raises(DataFileError, match=message):
        load(path)


def test_the_words_of_13_minutes_are_refused_in_13_days(tmp_path: Path) -> None:
    days = files("brinkmanship.games.thirteen_days").joinpath("cards.toml").read_text(encoding="utf-8")
    path = tmp_path / "days.toml"
    old = 'effects = [{ op = "exchange_hand" }]'
    path.write_text(days.replace(old, 'effects = [{ op = "move", where = ["all"], dir = "either", max = 1 }]'))
    with pytest.raises(DataFileError, match=r'"summit_meeting".*op = "move" belongs to 13 Minutes'):
        load_game("13-days", path)


def test_greedy_beats_random() -> None:
    game = the_game()
    result = paired_match(game, load_player("greedy", game, 1), load_player("random", game, 1), 200, seed=3)
    assert result.total.score > 0.9


@pytest.mark.parametrize(
    ("deals", "bids"),
    [
        (["excomm", "quarantine"], {4, 5}),
        (["excomm", "scramble"], {4, 5}),
        (["excomm", "u2_downed"], {3, 4}),
        (["scramble", "u_thant"], {3, 4}),
        (["u2_downed", "fidel_castro"], {2, 3}),
    ],
)
def test_greedy_bids_more_with_own_cards_in_hand(deals: list[str], bids: set[int]) -> None:
    match = Match(the_game())
    for card in [*deals, "mrbms_irbms", "strategic_balance"]:
        match.push(f"draw {card}")
    match.advance(dealer(1))
    greedy = load_player("greedy", match.game, 1)
    found = {match.game.action_text(greedy.choose(Observation.of(match, 0)).action) for _ in range(20)}
    assert found == {f"bid {cubes}" for cubes in bids}
