"""The golden cases G1 to G54 of the specification (section 5); G55 is `test_playthrough`.

Each starts from base state B and names only what differs: see `builders.base`.
"""

from __future__ import annotations

import pytest

from brinkmanship.engine.errors import IllegalActionError, MalformedActionError
from brinkmanship.games.thirteen_days.rules.state import CardIs
from support.thirteen_days.builders import Position, base, before_initiative, new_game


def command_value(position: Position) -> int:
    """The most cubes the Command that is asked for may place in the empty Atlantic."""
    return position.most("place").get("atlantic", 0)


def test_g1_set_up() -> None:
    position = new_game()
    assert (position.markers("us"), position.markers("ussr")) == ("1/2/1", "2/1/1")
    assert (position.supply("us"), position.supply("ussr")) == (15, 15)
    assert (position.letter, position.prestige) == ("us", 0)


def test_g2_in_step_1_every_marker_goes_up_one() -> None:
    position = new_game().play("escalate")
    assert (position.markers("us"), position.markers("ussr")) == ("2/3/2", "3/2/2")


def test_g2_a_marker_on_8_stays_there_in_step_1() -> None:
    assert new_game().set(us="8/2/1").play("escalate").markers("us") == "8/3/2"


def test_g3_a_command_of_three_cubes_moves_the_marker_two_steps() -> None:
    b = base().play("command public_protests", "place 3 atlantic")
    assert (b.cubes("atlantic"), b.markers("us")) == ("3-0", "4/3/2")


def test_g4_a_command_of_one_cube_moves_no_marker() -> None:
    b = base().play("command public_protests", "place 1 berlin")
    assert (b.cubes("berlin"), b.markers("us"), b.markers("ussr")) == ("1-1", "2/3/2", "3/2/2")


def test_g5_removing_four_cubes_with_sops_lowers_the_marker_three_steps() -> None:
    b = base("ussr", ussr="4/6/4", atlantic="0-5", sops="ussr")
    b.play("command mathematical_precision", "us: decline", "ussr: remove 4 atlantic")
    assert (b.cubes("atlantic"), b.markers("ussr")) == ("0-1", "1/6/4")


def test_g6_a_marker_on_1_stays_there() -> None:
    b = base("ussr", ussr="3/1/2", italy="1-3").play("command fidel_castro", "remove 3 italy")
    assert (b.cubes("italy"), b.markers("ussr")) == ("1-0", "3/1/2")


def test_g7_a_marker_stops_at_8() -> None:
    b = base(us="7/3/2").play("command public_protests", "place 3 berlin")
    assert b.markers("us") == "8/3/2"


def test_g8_more_cubes_than_fit_are_illegal_not_cut_down() -> None:
    b = base(berlin="4-1").play("command public_protests")
    with pytest.raises(IllegalActionError):
        b.play("place 2 berlin")
    b.play("place 1 berlin")
    assert (b.cubes("berlin"), b.markers("us")) == ("5-1", "2/3/2")


def test_g9_the_last_cube_of_the_supply_is_the_only_one_that_may_be_placed() -> None:
    b = base("ussr", atlantic="0-5", italy="1-5", turkey="1-4").play("command fidel_castro")
    assert b.supply("ussr") == 1
    assert b.most("place")["alliances"] == 1
    b.play("place 1 alliances")
    assert (b.cubes("alliances"), b.markers("ussr")) == ("0-1", "3/2/2")


def test_g10_a_command_may_move_nothing() -> None:
    b = base()
    before = b.board()
    b.play("command fidel_castro", "ussr: decline", "us: done")
    assert b.board() == before
    assert b.where("fidel_castro") == CardIs.DISCARDED


def test_g11_the_opponents_card_cannot_be_played_as_event() -> None:
    b = base().hand_over("us", "fidel_castro")
    assert "command fidel_castro" in b.legal()
    assert "event fidel_castro" not in b.legal()


@pytest.mark.parametrize("card", ["scramble", "quarantine"])
def test_g12_own_and_un_cards_offer_no_trigger(card: str) -> None:
    b = base().play(f"command {card}")
    assert b.to_move() == "us"
    assert "trigger" not in b.legal()


def test_g13_the_opponent_triggers_first_then_the_command_follows() -> None:
    b = base().play("command fidel_castro", "ussr: trigger", "ussr: place 3 cuba_political")
    assert b.markers("ussr") == "3/2/2"  # no icon
    b.play("us: place 3 cuba_political")
    assert (b.cubes("cuba_political"), b.markers("us")) == ("3-3", "2/5/2")


def test_g14_cubes_lost_to_the_event_are_there_again_for_the_command() -> None:
    b = base(cuba_political="3-0")
    b.play("command u2_downed", "ussr: trigger", "ussr: place 2 turkey", "ussr: remove 2 cuba_political")
    assert (b.cubes("turkey"), b.cubes("cuba_political")) == ("1-2", "1-0")
    b.play("us: place 2 cuba_political")
    assert (b.cubes("cuba_political"), b.markers("us"), b.markers("ussr")) == ("3-0", "2/4/2", "3/2/2")


@pytest.mark.parametrize(
    ("choices", "markers"),
    [(["place 1 television", "place 1 united_nations"], "3/2/2"), (["place 2 united_nations"], "3/2/3")],
)
def test_g15_the_icon_counts_each_battleground_separately(choices: list[str], markers: str) -> None:
    b = base("ussr").play("event defensive_missiles", *choices)
    assert b.turn_is_over()
    assert b.markers("ussr") == markers


def test_g16_excomm_escalates_for_each_battleground() -> None:
    b = base().play("event excomm")
    assert "italy" not in b.most("place")  # a US cube is there
    b.play("place 2 berlin", "place 2 cuba_military")
    assert b.markers("us") == "4/3/2"


def test_g17_without_the_icon_cubes_move_no_marker() -> None:
    b = base().play("event lessons_of_munich", "place 2 italy", "place 2 turkey")
    assert (b.cubes("italy"), b.cubes("turkey"), b.markers("us")) == ("3-0", "3-0", "2/3/2")


def test_g18_u_thant_stops_at_1() -> None:
    assert base(us="1/3/2").play("event u_thant").markers("us") == "1/2/1"


def test_g19_missile_trade_deflates_by_its_icon() -> None:
    b = base("ussr", turkey="1-2", united_nations="0-1")
    b.play("event missile_trade", "remove 2 turkey", "remove 1 united_nations")
    assert b.markers("ussr") == "3/1/2"


def test_g20_the_letter_adds_a_cube_and_changes_hands() -> None:
    b = base().play("command berlin_blockade letter", "ussr: decline", "us: place 3 turkey")
    assert (b.cubes("turkey"), b.markers("us"), b.letter) == ("4-0", "2/5/2", "ussr")


def test_g21_only_the_holder_has_the_letter_and_only_for_commands() -> None:
    assert not [text for text in base("ussr").legal() if text.endswith("letter")]
    letters = [text for text in base().legal() if text.endswith("letter")]
    assert len(letters) == 5
    assert all(text.startswith("command ") for text in letters)
    with pytest.raises(MalformedActionError):
        base().play("event scramble letter")


def test_g22_letter_and_sops_add_up() -> None:
    assert command_value(base(sops="us").play("command scramble letter")) == 5


@pytest.mark.parametrize(
    ("play", "sops", "value", "value_before_letter"),
    [
        ("command quarantine", "", 1, 1),
        ("command scramble", "", 2, 2),
        ("command quarantine letter", "", 1, 2),
        ("command quarantine", "us", 1, 1),
        ("command scramble letter", "us", 4, 4),
    ],
)
def test_g23_to_the_brink_leaves_at_least_one_cube(play: str, sops: str, value: int, value_before_letter: int) -> None:
    assert command_value(base(brink="us", sops=sops).play(play)) == value
    before_letter = base(brink="us", sops=sops, options={"brink_floor": "before_letter"}).play(play)
    assert command_value(before_letter) == value_before_letter


def test_g24_sops_counts_for_commands_granted_by_events() -> None:
    b = base("ussr", sops="ussr").play("event mrbms_irbms", "done", "place 2 berlin")
    assert (b.cubes("berlin"), b.markers("ussr")) == ("0-3", "4/2/2")


def test_g24_unless_the_option_says_otherwise() -> None:
    b = base("ussr", sops="ussr", options={"modifiers_on_event_command": False}).play("event mrbms_irbms", "done")
    assert b.most("place")["berlin"] == 1


def test_g25_who_leads_on_television_has_fifty_fifty_whoever_plays_it() -> None:
    b = base(television="0-1").play("event fifty_fifty", "ussr: shift military -1", "ussr: shift political +1")
    assert b.turn_is_over()
    assert (b.markers("ussr"), b.markers("us")) == ("2/3/2", "2/3/2")


def test_g26_nobody_leads_on_television_and_nothing_happens() -> None:
    b = base()
    before = b.board()
    b.play("event fifty_fifty")
    assert b.turn_is_over()
    assert b.board() == before


def test_g26_two_steps_on_one_track_are_illegal() -> None:
    b = base(television="1-0").play("event fifty_fifty")
    assert "shift military -2" not in b.legal()
    assert not [text for text in b.play("shift military -1").legal() if "military" in text]


def test_g27_containment_holds_u_thant_back() -> None:
    assert base(ban="us").play("event u_thant").markers("us") == "2/3/2"


def test_g28_containment_leaves_a_triggered_event_free() -> None:
    b = base("ussr", ban="us")
    b.play("command non_invasion_pledge", "us: trigger", "us: done", "us: shift political -2")
    assert b.markers("us") == "2/1/2"


def test_g28_unless_the_ban_covers_all_events() -> None:
    b = base("ussr", ban="us", options={"deflation_ban_scope": "all_events"})
    b.play("command non_invasion_pledge", "us: trigger", "us: done")
    assert set(b.legal()) == {"shift political +1", "shift political +2", "done"}
    assert b.play("done").markers("us") == "2/3/2"


def test_g29_containment_leaves_commands_free() -> None:
    b = base(ban="us", italy="3-0").play("command public_protests", "remove 3 italy")
    assert b.markers("us") == "2/1/2"


def test_g30_containment_holds_the_command_of_an_event_back_not_the_rest() -> None:
    b = base(ban="us", sops="us", alliances="3-0")
    b.play("event mathematical_precision", "shift political +1", "remove 2 alliances")
    assert (b.markers("us"), b.cubes("alliances")) == ("2/4/2", "1-0")


def test_g31_without_two_cubes_on_alliances_only_the_ban_is_left() -> None:
    b = base("ussr", alliances="1-0").play("event bay_of_pigs")
    assert b.turn_is_over()
    assert (b.cubes("alliances"), list(b.state.ban)) == ("1-0", [1, 0])


def test_g31_the_option_lets_the_us_remove_what_is_there() -> None:
    b = base("ussr", alliances="1-0", options={"bay_of_pigs_short": "as_many_as_possible"})
    b.play("event bay_of_pigs", "us: choose 1")
    assert b.turn_is_over()
    assert (b.cubes("alliances"), list(b.state.ban)) == ("0-0", [0, 0])


def test_g31_the_us_may_remove_two_cubes_instead_of_the_ban() -> None:
    b = base("ussr", alliances="2-0").play("event bay_of_pigs", "us: choose 1")
    assert (b.cubes("alliances"), b.markers("us"), list(b.state.ban)) == ("0-0", "2/3/2", [0, 0])


def test_g32_a_taken_card_of_ones_own_side_may_be_played_as_event() -> None:
    b = base("ussr").hand_over("us", "suez_hungary")
    b.play("event intelligence_reports", "take suez_hungary", "ussr: event suez_hungary")
    assert b.cubes("italy") == "1-2"


def test_g33_a_taken_card_of_its_owner_may_be_triggered_by_the_owner() -> None:
    b = base("ussr").hand_over("us", "quarantine").play("event intelligence_reports", "take quarantine")
    assert "event quarantine" not in b.legal()
    b.play("ussr: command quarantine", "us: trigger", "us: place 2 atlantic", "ussr: place 1 berlin")
    assert (b.cubes("atlantic"), b.cubes("berlin")) == ("2-0", "0-2")


@pytest.mark.parametrize(
    ("italy", "elsewhere", "after"),
    [("5-0", {}, "5-5"), ("1-2", {}, "1-2"), ("1-4", {}, "1-4"), ("3-0", {"atlantic": "0-5", "turkey": "1-5"}, "3-1")],
)
def test_g34_suez_hungary_adds_until_the_ussr_leads(italy: str, elsewhere: dict[str, str], after: str) -> None:
    b = base("ussr", italy=italy, **elsewhere)
    if elsewhere:
        b.set(united_nations="0-4")
        assert b.supply("ussr") == 1
    b.play("event suez_hungary")
    assert b.turn_is_over()
    assert (b.cubes("italy"), b.markers("us"), b.markers("ussr")) == (after, "2/3/2", "3/2/2")


@pytest.mark.parametrize(("cubes", "removed"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_g35_half_of_the_cubes_is_rounded_up(cubes: int, removed: int) -> None:
    b = base(cuba_military="0-0", cuba_political=f"0-{cubes}").play("event air_strike", "choose 1")
    assert b.most("remove") == {"cuba_political": removed}
    b.play(f"remove {removed} cuba_political")
    assert b.cubes("cuba_political") == f"0-{cubes - removed}"


def test_g36_the_second_marker_goes_down_as_far_as_the_first_really_went_up() -> None:
    b = base(us="7/3/2").play("event invasion_of_cuba")
    assert "shift military +2" not in b.legal()  # cut at 8, so it is the same as +1
    b.play("shift military +1")
    assert set(b.legal()) == {"shift political -1", "shift world_opinion -1", "done"}
    assert b.play("shift political -1").markers("us") == "8/2/2"


def test_g37_turn_back_the_ships_moves_one_of_the_highest_markers() -> None:
    b = base("ussr", ussr="3/3/2").play("event turn_back_the_ships")
    downs = {f"shift {track} {steps}" for track in ("military", "political") for steps in (-1, -2)}
    assert set(b.legal()) == {"done", *downs}
    assert b.play("shift political -2").markers("ussr") == "3/1/2"
    assert b.turn_is_over()


def test_g38_wave_and_smile_takes_cubes_to_other_battlegrounds() -> None:
    b = base(alliances="2-0").play("event wave_and_smile", "remove 2 alliances")
    assert "alliances" not in b.most("place")
    b.play("place 2 cuba_political")
    assert (b.cubes("cuba_political"), b.cubes("alliances"), b.markers("us")) == ("2-0", "0-0", "2/3/2")


def test_g39_offensive_missiles_need_the_political_marker_in_defcon_3() -> None:
    b = base(us="2/4/2")
    before = b.board()
    assert b.play("event offensive_missiles").board() == before
    assert b.turn_is_over()
    b = base().play("event offensive_missiles", "place 1 cuba_political", "place 1 italy", "place 1 turkey")
    assert (b.cubes("cuba_political"), b.cubes("italy"), b.cubes("turkey")) == ("1-0", "2-0", "2-0")
    assert b.markers("us") == "2/3/2"


def test_g40_moscow_is_our_brain_reinforces_where_the_ussr_is() -> None:
    b = base("ussr").play("event moscow_is_our_brain")
    assert "atlantic" not in b.most("place")
    assert b.play("place 2 berlin", "place 2 cuba_military").markers("ussr") == "5/2/2"


def test_g40_or_by_option_where_it_is_not() -> None:
    b = base("ussr", options={"moscow_filter": "has_no_cubes"}).play("event moscow_is_our_brain")
    assert "atlantic" in b.most("place")
    assert not {"berlin", "cuba_military"} & set(b.most("place"))


def test_g41_u2_photographs_command_onto_a_military_battleground() -> None:
    b = base(sops="us", atlantic="1-0").play("event u2_photographs")
    assert b.most("place") == {"cuba_military": 4, "atlantic": 4, "berlin": 4}
    assert b.most("remove") == {}
    b.play("place 4 berlin")
    assert (b.cubes("berlin"), b.markers("us")) == ("4-1", "5/3/2")


def test_g41_by_option_the_command_may_remove() -> None:
    b = base(sops="us", atlantic="1-0", options={"command_onto": "place_or_remove"}).play("event u2_photographs")
    assert b.most("remove") == {"atlantic": 1}


@pytest.mark.parametrize(("prestige", "chooser"), [(-2, "us"), (0, "ussr"), (2, "ussr")])
def test_g42_the_side_behind_chooses_who_begins_on_a_tie_the_ussr(prestige: int, chooser: str) -> None:
    position = before_initiative(prestige)
    assert position.to_move() == chooser
    assert set(position.legal()) == {"first us", "first ussr"}


def test_g43_an_agenda_is_worth_the_difference_and_one() -> None:
    assert base().resolve("italy").prestige == 2


def test_g44_connected_battlegrounds_add_one_each_if_led_too() -> None:
    b = base(atlantic="4-1", cuba_military="2-1", cuba_political="0-1", berlin="1-1")
    assert b.copy().resolve("atlantic").prestige == 4
    assert b.set(atlantic="4-4").resolve("atlantic").prestige == 0


def test_g45_the_distance_counts_before_the_icon_escalates() -> None:
    b = base(us="5/3/5", ussr="2/5/4").resolve("military_track")
    assert (b.prestige, b.markers("us"), b.markers("ussr")) == (4, "6/3/5", "2/5/4")


def test_g45_or_by_option_after_it() -> None:
    options = {"agenda_icon_order": "escalate_then_score"}
    b = base(us="5/3/5", ussr="2/5/4", options=options).resolve("military_track")
    assert (b.prestige, b.markers("us")) == (5, "6/3/5")


def test_g46_equal_markers_award_nothing_but_the_icon_acts() -> None:
    b = base(us="5/3/2", ussr="5/2/2").resolve("military_track")
    assert (b.prestige, b.markers("us"), b.markers("ussr")) == (0, "6/3/2", "6/2/2")


def test_g47_two_agendas_of_one_track_both_score_and_both_escalate() -> None:
    b = base(us="4/3/2", ussr="2/2/2").resolve("military_track", "military_track")
    assert (b.prestige, b.markers("us")) == (5, "6/3/2")


def test_g48_an_icon_pushes_a_marker_from_6_to_7_and_the_war_follows() -> None:
    b = base(ussr="1/6/1").resolve("political_track")
    assert b.markers("ussr") == "1/7/1"
    assert b.play("check_war").outcome() == ("nuclear_war", "us")


def test_g49_an_agenda_scores_for_its_leader_whoever_chose_it() -> None:
    assert base(berlin="1-3").resolve(us="berlin").prestige == -3


def test_g50_the_personal_letter_agenda_scores_for_the_holder() -> None:
    assert base(letter="us").resolve(ussr="personal_letter").prestige == 2


def test_g51_both_awards_are_added_before_the_lead_is_limited() -> None:
    b = base(prestige=4, italy="3-0", letter="ussr").resolve("italy", "personal_letter")
    assert b.prestige == 5


def test_g52_nobody_leads_by_more_than_five() -> None:
    assert base("ussr", prestige=-4).play("event berlin_blockade").prestige == -5


@pytest.mark.parametrize(
    ("us", "ussr", "outcome"),
    [
        ("2/3/2", "4/5/6", ("nuclear_war", "us")),
        ("2/3/2", "3/6/6", ("not_over", "nobody")),
        ("7/1/1", "4/4/4", ("mutual_nuclear_war", "nobody")),
    ],
)
def test_g53_who_starts_the_nuclear_war_loses(us: str, ussr: str, outcome: tuple[str, str]) -> None:
    assert base(us=us, ussr=ussr).at_rules_step("check_war").outcome() == outcome


def test_g54_equal_aftermath_totals_award_nothing() -> None:
    b = base(prestige=1).count_aftermath("u_thant", "fidel_castro", "excomm")
    assert (b.prestige, b.outcome()) == (1, ("prestige", "us"))


@pytest.mark.parametrize("letter", ["us", "ussr"])
def test_g54_at_0_the_holder_of_the_letter_wins(letter: str) -> None:
    b = base(prestige=2, letter=letter).count_aftermath("fidel_castro", "u_thant")
    assert (b.prestige, b.outcome()) == (0, ("personal_letter", letter))
