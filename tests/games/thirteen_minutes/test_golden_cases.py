"""The golden cases G1 to G51 of the specification (section 9). Those marked [R] there rest on reconstructed cards."""

from __future__ import annotations

import pytest

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.games.cuban.data import Place
from support.thirteen_minutes.builders import bidding, new_game, scoring, scoring_of_p, table, with_event

PLACE_TWO_ON_TWO = Place(where=["all"], max=2, each=2, sites=2)


def test_g1_the_opponents_event_pulls_the_card_just_played_and_cuba() -> None:
    t = bidding().play("us: bid 1", "ussr: bid 0", "reveal_bids", "us: first us")
    t.play("play moscow_is_our_brain us", "ussr: use", "place 2 moscow_is_our_brain", "place 2 cuba")
    assert (t.at("moscow_is_our_brain"), t.at("cuba")) == ("N 0:2", "S 0:2")
    assert t.supply("ussr") == 9


def test_g2_the_command_follows_on_the_changed_table() -> None:
    t = table("cuba@N 0:0", lost=(1, 0)).play("play moscow_is_our_brain us", "use", "place 2 moscow_is_our_brain")
    t.play("place 2 cuba", "us: place 3 cuba")
    assert (t.at("cuba"), t.at("moscow_is_our_brain"), t.supply("us")) == ("N 3:2", "N 0:2", 9)


def test_g3_one_cube_pulls_a_card_full_of_the_other_sides_cubes() -> None:
    t = table("scramble@N 5:0", mover="ussr").play("play fidel_castro ussr", "command", "place 1 scramble")
    assert t.at("scramble") == "S 5:1"


def test_g4_a_card_in_ones_own_sphere_does_not_move_toward_oneself() -> None:
    t = table("scramble@U 1:0").play("play excomm us", "command", "place 2 scramble")
    assert t.at("scramble") == "U 3:0"


def test_g5_removing_pushes_one_step_however_many_cubes() -> None:
    t = table("excomm@N 3:0").play("play public_protests us", "command", "remove 3 excomm")
    assert t.at("excomm") == "S 0:0"
    assert scoring("cuba@N 0:0", "excomm@S 0:0", us="u_thant", ussr="scramble", cuba="quarantine").play(
        "score_battlegrounds"
    ).prestige() == (0, 1)


def test_g6_removed_cubes_go_back_to_the_supply() -> None:
    t = table("scramble@U 1:0")
    before = t.supply("us")
    t.play("play excomm us", "command", "remove 1 scramble")
    assert (t.at("scramble"), t.supply("us")) == ("N 0:0", before + 1)


def test_g7_a_card_in_the_opponents_sphere_does_not_move_further() -> None:
    assert table("scramble@S 2:0").play("play excomm us", "command", "remove 1 scramble").at("scramble") == "S 1:0"


def test_g8_a_card_played_to_neutral_moves_with_its_first_cube() -> None:
    assert table().play("play u_thant neutral", "command", "place 1 u_thant").at("u_thant") == "U 1:0"


def test_g9_a_command_may_go_to_the_opponents_sphere() -> None:
    t = table("excomm@S 0:3").play("play wave_and_smile us", "command", "place 2 excomm")
    assert t.at("excomm") == "N 2:3"


def test_g10_the_value_is_that_of_the_card_played() -> None:
    t = table("u_thant@N 0:0").play("play scramble us", "command")
    assert "place 3 u_thant" in t.legal()
    assert "place 4 u_thant" not in t.legal()


def test_g11_a_card_of_one_cube_places_one() -> None:
    t = table("scramble@N 0:0").play("play u_thant us", "command")
    assert "place 1 scramble" in t.legal()
    assert "place 2 scramble" not in t.legal()


def test_g12_cuba_moves_like_every_other_battleground() -> None:
    assert table("cuba@N 0:0").play("play excomm us", "command", "place 1 cuba").at("cuba") == "U 1:0"


@pytest.mark.parametrize(
    ("start", "answers", "end"),
    [
        ("scramble@N 0:0", ("place 1 scramble", "move scramble ussr"), "S 1:0"),
        ("scramble@U 0:0", ("place 1 scramble", "done"), "U 1:0"),
        ("scramble@S 0:0", ("place 1 scramble", "done"), "S 1:0"),
        ("scramble@S 0:0", ("place 1 scramble", "move scramble neutral"), "N 1:0"),
        ("scramble@N 0:2", ("done", "move scramble ussr"), "S 0:2"),
    ],
    ids=["G13", "G14", "G15 away", "G15 toward", "G16"],
)
def test_g13_to_g16_u2_photographs_moves_its_battleground_as_chosen(
    start: str, answers: tuple[str, ...], end: str
) -> None:
    assert table(start).play("play u2_photographs us", "event", *answers).at("scramble") == end


def test_g17_two_in_total_on_up_to_two_battlegrounds() -> None:
    game = with_event("strategic_balance", PLACE_TWO_ON_TWO)
    t = table("scramble@N 0:0", "excomm@N 0:0", mover="ussr", game=game).play("play strategic_balance ussr", "event")
    one_each = t.copy().play("place 1 scramble", "place 1 excomm")
    assert (one_each.at("scramble"), one_each.at("excomm")) == ("S 0:1", "S 0:1")
    both = t.copy().play("place 2 scramble")
    assert (both.at("scramble"), both.at("excomm")) == ("S 0:2", "N 0:0")
    assert both.to_move() == "chance"  # the event is over


def test_g18_fidel_castro_does_nothing_on_an_empty_cuba() -> None:
    t = table("cuba@N 0:0").play("play fidel_castro us", "ussr: use")
    assert t.legal() == ["done"]
    t.play("ussr: done")
    assert (t.at("cuba"), t.to_move()) == ("N 0:0", "us")
    assert "place 2 cuba" in t.legal()


def test_g19_a_declined_event_is_lost() -> None:
    t = table().play("play fidel_castro us", "ussr: decline")
    assert t.to_move() == "us"
    assert "place 1 cuba" in t.legal()


@pytest.mark.parametrize("card", ["excomm", "u_thant"])
def test_g20_an_own_or_un_card_as_command_gives_nobody_its_event(card: str) -> None:
    t = table().play(f"play {card} us", "command")
    assert t.to_move() == "us"
    assert t.play("place 1 cuba").to_move() == "chance"


def test_g21_the_event_of_a_card_played_earlier_cannot_be_used() -> None:
    t = table("excomm@N 0:0").play("play u_thant us")
    assert t.legal() == ["event", "command"]
    assert all("excomm" not in text for text in t.copy().play("event").legal() if text.startswith("place"))


def test_g22_no_more_than_the_supply() -> None:
    t = table(lost=(12, 0)).play("play scramble us", "command")
    assert "place 1 cuba" in t.legal()
    assert "place 2 cuba" not in t.legal()


def test_g23_a_command_of_nothing_is_legal() -> None:
    assert table("cuba@N 2:0").play("play scramble us", "command", "done").at("cuba") == "N 2:0"


def test_g24_the_higher_bid_chooses_and_both_are_lost() -> None:
    t = bidding().play("us: bid 3", "ussr: bid 2", "reveal_bids")
    assert (t.to_move(), t.legal()) == ("us", ["first us", "first ussr"])
    assert (t.supply("us"), t.supply("ussr")) == (10, 11)


def test_g25_equal_bids_come_back_and_are_repeated() -> None:
    t = bidding().play("us: bid 2", "ussr: bid 2", "reveal_bids")
    assert t.all_asked() == {"us", "ussr"}
    t.play("us: bid 0", "ussr: bid 1", "reveal_bids")
    assert (t.to_move(), t.supply("us"), t.supply("ussr")) == ("ussr", 13, 12)


def test_g26_all_cubes_may_be_bid() -> None:
    t = bidding().play("us: bid 13", "ussr: bid 0", "reveal_bids")
    assert (t.to_move(), t.supply("us")) == ("us", 0)


@pytest.mark.parametrize(("first", "other"), [("us", "ussr"), ("ussr", "us")])
def test_g27_in_the_beginner_variant_the_other_player_loses_a_cube(first: str, other: str) -> None:
    t = new_game({"first_player": "beginner"})
    while "coin us" not in t.legal():
        t.act(t.legal()[0])
    t.play(f"coin {first}")
    assert (t.to_move(), t.supply(first), t.supply(other)) == (first, 13, 12)


def test_g28_ten_turns_of_which_eight_draw() -> None:
    t = bidding().play("us: bid 0", "ussr: bid 1", "reveal_bids", "first us")
    players = []
    for turn in range(10):
        players.append(t.to_move())
        t.act(t.legal()[0])
        while t.to_move() in ("us", "ussr") and t.state.turn == turn:
            t.act(next(text for text in ("decline", "command", "done") if text in t.legal()))
        assert (t.to_move() == "chance" and t.legal()[0].startswith("draw")) == (turn < 8)
        if turn < 8:
            t.act(t.legal()[0])
    assert players == ["us", "ussr"] * 5
    assert len(t.game.public_state(t.state)["battlegrounds"]) == 11
    assert (len(t.hand("us")), len(t.hand("ussr"))) == (1, 1)
    assert t.legal() == ["score_battlegrounds"]


def after_aftermath(us: str, ussr: str, cuba: str = "quarantine") -> list[str]:
    t = scoring("cuba@N 0:0", us=us, ussr=ussr, cuba=cuba).play("score_battlegrounds", f"turn_up {cuba}")
    t.play("score_military", "aftermath")
    return [str(t.state.score[:, 2].tolist()), t.at(us), t.at(ussr)]


def test_g29_the_aftermath_counts_flags_and_the_holders_sphere_gets_the_card() -> None:
    assert after_aftermath("u_thant", "excomm") == ["[1, 0]", "U 0:0", "S 0:0"]


def test_g30_un_cards_count_for_nobody_and_other_colours_are_set_aside() -> None:
    assert after_aftermath("scramble", "u_thant") == ["[0, 0]", "off", "off"]


def test_g31_the_higher_sum_wins_the_aftermath_whoever_held_the_cards() -> None:
    assert after_aftermath("moscow_is_our_brain", "excomm") == ["[0, 1]", "U 0:0", "S 0:0"]


def test_g32_the_aftermath_card_may_be_the_third_of_its_colour() -> None:
    t = scoring("cuba@U 9:0", "moscow_is_our_brain@U 0:0", "fidel_castro@U 0:0", cuba="u2_downed").let_chance()
    assert t.outcome() == ("nuclear", "ussr")
    assert t.prestige()[0] > t.prestige()[1]


def test_g33_war_is_checked_only_at_the_end() -> None:
    places = ("public_protests@U 0:0", "wave_and_smile@U 0:0", "u2_downed@U 1:0")
    t = table(*places, turn=6).play("play excomm us", "command", "remove 1 u2_downed")
    assert t.at("u2_downed") == "N 0:0"
    assert t.to_move() == "chance"  # the game goes on


def test_g34_the_neutral_area_never_starts_a_war() -> None:
    neutral = ("quarantine@N 0:0", "mrbms_irbms@N 0:0", "strategic_balance@N 0:0", "nuclear_submarines@N 0:0")
    assert scoring("cuba@N 1:0", *neutral).let_chance().outcome()[0] == "prestige"


def test_g35_cuba_turned_up_counts_for_the_war() -> None:
    places = ("cuba@U 1:0", "quarantine@U 0:0", "strategic_balance@U 0:0")
    assert scoring(*places, cuba="scramble").let_chance().outcome() == ("nuclear", "ussr")
    assert scoring(*places, cuba="u2_downed").let_chance().outcome() == ("prestige", "us")


def test_g36_the_last_turn_may_push_a_third_card_into_the_opponents_sphere() -> None:
    places = ("quarantine@U 0:0", "strategic_balance@U 0:0", "mrbms_irbms@N 0:1", "cuba@N 0:0")
    t = table(*places, mover="ussr", turn=9)
    t.state.hand[0] = 1
    t.play("play fidel_castro ussr", "command", "remove 1 mrbms_irbms")
    assert t.at("mrbms_irbms") == "U 0:0"
    assert scoring(
        "quarantine@U 0:0", "strategic_balance@U 0:0", "mrbms_irbms@U 0:0", cuba="u2_downed"
    ).let_chance().outcome() == ("nuclear", "ussr")


def test_g37_equal_cubes_control_goes_by_the_sphere() -> None:
    t = scoring("cuba@N 0:0", "scramble@N 2:2", "excomm@U 2:2", "public_protests@S 0:0", ussr="u2_downed")
    assert t.play("score_battlegrounds").prestige() == (1, 1)


def test_g38_position_p_is_won_by_the_us_seven_to_five() -> None:
    t = scoring_of_p().play("score_battlegrounds")
    assert t.prestige() == (6, 5)
    assert t.play("turn_up scramble", "score_military").prestige() == (6, 5)
    assert t.play("aftermath").prestige() == (7, 5)
    assert t.play("check_war", "count_prestige").outcome() == ("prestige", "us")


def test_g39_three_purple_cards_in_the_ussr_sphere_lose_it_the_war() -> None:
    t = scoring_of_p("wave_and_smile@S 2:1").let_chance()
    assert (t.prestige(), t.outcome()) == ((7, 5), ("nuclear", "us"))


def test_g40_three_orange_cards_with_cuba_in_the_us_sphere_lose_it_the_war() -> None:
    t = scoring_of_p("cuba@U 3:2", "strategic_balance@U 0:2").let_chance()
    assert (t.prestige(), t.outcome()) == ((7, 5), ("nuclear", "ussr"))


def test_g41_when_both_trigger_the_war_nobody_wins() -> None:
    t = scoring_of_p("fidel_castro@U 1:0", "wave_and_smile@S 2:1").let_chance()
    assert t.outcome() == ("double_nuclear", "nobody")


@pytest.mark.parametrize(
    ("preset", "outcome"), [("de2018", ("tiebreak", "ussr")), ("en2017", ("draw", "nobody"))], ids=["DE", "EN"]
)
def test_g42_equal_prestige_goes_by_the_spheres_or_is_a_draw(preset: str, outcome: tuple[str, str]) -> None:
    t = scoring_of_p("quarantine@N 1:1", options={"preset": preset})
    assert t.play("score_battlegrounds").prestige() == (5, 5)
    assert t.play("turn_up scramble", "score_military").prestige() == (5, 6)
    assert t.play("aftermath").prestige() == (6, 6)
    assert t.let_chance().outcome() == outcome


def test_g43_equal_prestige_and_equal_spheres_are_a_draw() -> None:
    t = scoring("cuba@N 0:0", "fidel_castro@U 0:0", "public_protests@S 0:0", ussr="scramble", cuba="excomm")
    assert t.let_chance().outcome() == ("draw", "nobody")


def test_g46_with_the_cube_limit_a_fifth_cube_is_the_last() -> None:
    t = table("scramble@U 4:0", options={"cube_limit": 5}).play("play excomm us", "command")
    assert "place 1 scramble" in t.legal()
    assert "place 2 scramble" not in t.legal()


def test_g47_relocated_cubes_push_their_source_and_pull_where_they_go() -> None:
    t = table("scramble@U 2:0", "excomm@N 0:0", "u_thant@S 0:1").play("play wave_and_smile us", "event")
    t.play("remove 2 scramble", "place 1 excomm", "place 1 u_thant")
    assert (t.at("scramble"), t.at("excomm"), t.at("u_thant")) == ("N 0:0", "U 1:0", "N 1:1")


def test_g48_half_of_the_us_cubes_leave_cuba_and_push_it_away_from_the_ussr() -> None:
    t = table("cuba@S 3:1", mover="ussr")
    before = t.supply("us")
    t.play("play u2_downed ussr", "event", "done")
    assert (t.at("cuba"), t.supply("us")) == ("N 1:1", before + 2)
    assert t.to_move() == "chance"  # done without asking: there was no choice


def test_g49_excomm_goes_to_battlegrounds_without_us_cubes() -> None:
    t = table("cuba@N 1:0", "u_thant@S 0:2").play("play excomm neutral", "event")
    assert not any("cuba" in text for text in t.legal())
    t.play("place 1 excomm", "place 2 u_thant")
    assert (t.at("excomm"), t.at("u_thant")) == ("U 1:0", "N 2:2")


def test_g50_face_down_cuba_has_no_colour_and_may_still_be_moved() -> None:
    t = table("cuba@N 0:0").play("play quarantine neutral", "event")
    assert not any("cuba" in text for text in t.legal())
    t.play("place 2 quarantine", "move cuba ussr")
    assert (t.at("quarantine"), t.at("cuba")) == ("U 2:0", "S 0:0")


def test_g51_a_move_and_then_a_command_are_two_instructions() -> None:
    t = table("cuba@N 0:0", mover="ussr").play("play mrbms_irbms neutral", "event")
    t.play("move mrbms_irbms us", "place 1 cuba")
    assert (t.at("mrbms_irbms"), t.at("cuba")) == ("U 0:0", "S 0:1")


def test_a_played_card_must_be_in_ones_hand() -> None:
    with pytest.raises(IllegalActionError):
        table("scramble@N 0:0").act("play scramble us")
