"""The rulings R1 to R55 (section 4), as far as the golden cases, cards and pitfalls do not show them already."""

from __future__ import annotations

import pytest

from brinkmanship.engine.errors import IllegalActionError, OptionError
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.cuban.data import Remove, Shift
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_days.rules.state import CardIs
from brinkmanship.games.thirteen_days.rules.tables import OPTION_VALUES
from support.thirteen_days.builders import (
    Options,
    Position,
    base,
    before_initiative,
    deal_agendas,
    new_game,
    the_game,
    with_event,
)

FULL_BOARD_US = {"atlantic": "5-0", "berlin": "5-1", "italy": "4-0", "turkey": "0-0", "cuba_political": "3-0"}
"""All seventeen US cubes are on the board."""


def moves_of(side: str, position: Position) -> set[str]:
    """Tracks on which the marker of a side may go down."""
    return {text.split()[1] for text in position.legal(side) if text.startswith("shift") and "-" in text}


# Options (section 4).


def test_the_options_are_those_of_the_rules_with_their_defaults() -> None:
    game = the_game()
    assert {name: values[0] for name, values in OPTION_VALUES.items()} == dict(game.options)
    assert dict(game.option_values()) == {name: tuple(option.values) for name, option in game.data.options.items()}


@pytest.mark.parametrize(("name", "value"), [("no_such_option", True), ("brink_floor", "none"), ("command_onto", True)])
def test_an_unknown_option_or_value_is_refused(name: str, value: str | bool) -> None:
    with pytest.raises(OptionError, match="option"):
        the_game({name: value})


def test_options_may_be_given_as_texts() -> None:
    assert the_game({"modifiers_on_event_command": "false"}).options["modifiers_on_event_command"] is False


# Scoring.


@pytest.mark.parametrize(("order", "prestige"), [("score_then_escalate", -1), ("escalate_then_score", 3)])
def test_r2_two_icons_act_once_each_and_both_awards_use_one_snapshot(order: str, prestige: int) -> None:
    b = base(us="4/1/1", ussr="3/1/1", prestige=-5, options={"agenda_icon_order": order})
    b.resolve("military_track", "military_track")  # (4-3+1) twice, or (6-3+1) twice
    assert (b.prestige, b.markers("us"), b.markers("ussr")) == (prestige, "6/1/1", "3/1/1")


def test_r2_a_marker_that_has_reached_7_stays() -> None:
    assert base(us="6/1/1").resolve("military_track", "military_track").markers("us") == "7/1/1"
    assert base(us="5/1/1").resolve("military_track", "military_track").markers("us") == "7/1/1"


def test_r3_only_the_track_of_the_agenda_is_moved() -> None:
    b = base(us="5/5/5", ussr="4/4/4").resolve("political_track")
    assert (b.markers("us"), b.markers("ussr")) == ("5/6/5", "4/5/4")


def test_r3_battleground_and_letter_agendas_have_no_icon() -> None:
    for agenda in ("turkey", "berlin", "italy", "cuba_political", "cuba_military", "atlantic", "personal_letter"):
        b = base(us="4/4/4", ussr="5/5/5").resolve(agenda)
        assert (b.markers("us"), b.markers("ussr")) == ("4/4/4", "5/5/5"), agenda


def test_r7_the_excess_of_a_gain_is_lost() -> None:
    assert base(prestige=5).play("event operation_mongoose").prestige == 5
    b = base("ussr", prestige=-4).play("event berlin_blockade", "done", "event operation_mongoose")
    assert b.prestige == -4
    assert base(prestige=4).count_aftermath("excomm").prestige == 5
    assert base(prestige=-4).count_aftermath("fidel_castro").prestige == -5


def test_r8_connected_battlegrounds_count_only_for_the_leader() -> None:
    others = {"cuba_military": "3-1", "atlantic": "1-0", "berlin": "1-1"}
    assert base(cuba_political="2-0", **others).resolve("cuba_political").prestige == 4
    assert base(cuba_political="0-2", **others).resolve("cuba_political").prestige == -2
    assert base(cuba_political="0-0", **others).resolve("cuba_political").prestige == 0


# Command and limits.


def test_r10_a_command_is_one_battleground_and_only_own_cubes() -> None:
    b = base(italy="2-2").play("command scramble")
    assert b.most("remove") == {"italy": 2, "turkey": 1}  # not the USSR's in Berlin or on Cuba
    assert b.play("place 1 berlin").turn_is_over()


def test_r11_cubes_removed_return_to_their_owners_supply() -> None:
    b = base(cuba_military="0-3")
    before = b.supply("ussr")
    b.play("event air_strike", "choose 1", "remove 2 cuba_military")
    assert (b.supply("ussr"), b.supply("us")) == (before + 2, 15)


def test_r12_surplus_steps_are_lost_and_do_not_come_back() -> None:
    b = base(us="7/3/2").play("command public_protests", "place 3 atlantic")
    b.play("command sops", "done", "command scramble", "remove 3 atlantic")
    assert b.markers("us") == "6/3/2"


def test_r13_cubes_removed_in_a_play_are_available_in_it() -> None:
    b = base(**FULL_BOARD_US)
    assert b.supply("us") == 0
    b.play("command u2_downed", "ussr: trigger", "done", "ussr: remove 2 cuba_political")
    assert b.most("place")["alliances"] == 2
    b.play("us: place 2 alliances")
    assert b.supply("us") == 0


# Events.


def test_r16_the_limit_of_five_binds_events() -> None:
    b = base("ussr", italy="5-4").play("event suez_hungary")
    assert b.cubes("italy") == "5-5"
    assert base(italy="4-0").play("event lessons_of_munich").most("place")["italy"] == 1


def test_r17_an_empty_supply_places_nothing_and_takes_nothing_from_the_board() -> None:
    b = base(**FULL_BOARD_US).play("event quarantine")
    assert b.legal() == ["done"]
    relocating = base(**FULL_BOARD_US).play("event wave_and_smile", "remove 2 berlin", "place 2 television")
    assert (relocating.supply("us"), relocating.turn_is_over()) == (0, True)


@pytest.mark.parametrize(
    ("side", "card", "changes"),
    [
        ("ussr", "offensive_missiles", {"us": "2/4/2"}),
        ("ussr", "quarantine", {"atlantic": "5-0"}),
        ("us", "maskirovka", {"ussr": "4/2/2"}),
        ("us", "suez_hungary", {"italy": "1-2"}),
    ],
)
def test_r18_an_event_that_can_change_nothing_may_be_played_or_triggered(
    side: str, card: str, changes: dict[str, str]
) -> None:
    b = base(side, **changes)
    before = b.board()
    owner = "us" if side == "ussr" else "ussr"
    b.play(f"command {card}")
    assert (b.to_move(), b.legal()) == (owner, ["trigger", "decline"])
    b.play("trigger")
    if b.to_move() == owner:
        assert b.legal() == ["done"]
        b.play("done")
    assert (b.to_move(), b.board()) == (side, before)
    assert f"event {card}" in base(owner, **changes).hand_over(owner, card).legal()


def test_r18_steps_are_offered_once_and_only_where_they_differ() -> None:
    b = base(us="2/7/2").play("event mathematical_precision")
    assert sorted(b.legal()) == ["done", "shift political +1", "shift political -1", "shift political -2"]
    b = base(us="2/1/2", ban="us").play("event mathematical_precision")
    assert sorted(b.legal()) == ["done", "shift political +1", "shift political +2"]


def test_r19_a_triggered_event_is_carried_out_whole() -> None:
    b = base(cuba_military="2-1", cuba_political="1-0").play("command u2_downed", "ussr: trigger", "done")
    assert "done" not in b.legal()  # the half must go, from one or the other
    b = base("ussr").play("command air_strike", "us: trigger")
    assert b.legal() == ["choose 1", "choose 2"]


def test_r19_what_must_be_done_in_full_may_not_be_made_impossible_by_starting_small() -> None:
    """Of no card in the box, but of one a designer may write: three cubes, from one battleground."""
    b = base(atlantic="5-0", berlin="4-1", italy="1-0", turkey="2-0")
    b.game = with_event(
        "scramble", Remove(where=["atlantic", "berlin", "italy", "turkey"], of="us", sites=1, exactly=3)
    )
    assert b.copy().play("event scramble").legal() == ["remove 3 atlantic", "remove 3 berlin"]
    b.set(atlantic="2-0", berlin="2-1").play("event scramble")
    assert b.legal() == ["remove 2 atlantic", "remove 2 berlin", "remove 2 turkey"]  # as far as possible


def test_r19_what_leaves_one_way_is_done_without_asking() -> None:
    b = base(atlantic="4-0", italy="1-0")
    b.game = with_event("scramble", Remove(where=["atlantic", "italy"], of="us", sites=1, exactly=3))
    b.play("event scramble")
    assert (b.turn_is_over(), b.cubes("atlantic"), b.cubes("italy")) == (True, "1-0", "1-0")


def test_r20_a_triggered_event_does_not_use_up_the_command_which_stays_optional() -> None:
    b = base().play("command suez_hungary", "ussr: trigger")
    assert (b.cubes("italy"), b.to_move()) == ("1-2", "us")
    assert {"done", "place 2 italy"} <= set(b.legal())


# The Personal Letter.


def test_r23_the_letter_is_declared_with_the_card() -> None:
    b = base().play("command suez_hungary letter", "ussr: decline")
    assert "letter" not in b.legal()
    assert b.most("place")["atlantic"] == 3


def test_r23_or_by_option_with_the_command() -> None:
    b = base(options={"letter_declared": "with_command"})
    assert not [text for text in b.legal() if text.endswith("letter")]
    b.play("command suez_hungary", "ussr: decline")
    assert b.most("place")["atlantic"] == 2
    b.play("us: letter")
    assert "letter" not in b.legal()
    assert (b.most("place")["atlantic"], b.letter) == (3, "us")
    b.play("place 3 atlantic")
    assert (b.letter, b.markers("us")) == ("ussr", "4/3/2")


@pytest.mark.parametrize("holder", ["us", "ussr"])
@pytest.mark.parametrize("player", ["us", "ussr"])
def test_r23_by_option_only_the_holder_adds_it_to_the_command(player: str, holder: str) -> None:
    b = base(player, options={"letter_declared": "with_command"}, letter=holder).play("command summit_meeting")
    assert ("letter" in b.legal()) == (player == holder)


def test_r24_no_letter_for_commands_of_events() -> None:
    assert "letter" not in base().play("event u2_photographs").legal()
    assert "letter" not in base().play("event a_face_saver").legal()


def test_r24_option_the_holder_may_add_it_to_a_command_its_own_event_grants() -> None:
    options: Options = {"letter_on_event_command": True}
    b = base(options=options).play("event a_face_saver")
    b.play("us: letter")
    assert b.most("place")["atlantic"] == 4
    assert "letter" not in b.legal()
    b.play("place 4 atlantic")
    assert (b.markers("us"), b.letter) == ("5/3/2", "ussr")  # passed at once
    assert (b.to_move(), "letter" in b.legal()) == ("ussr", False)  # this is not its own turn
    assert b.play("done").letter == "ussr"


def test_r24_option_not_for_an_event_triggered_on_the_others_turn() -> None:
    options: Options = {"letter_on_event_command": True}
    b = base("ussr", options=options).play("command u2_photographs", "us: trigger")
    assert "letter" not in b.legal()


def test_r24_option_not_for_who_does_not_hold_the_letter() -> None:
    b = base("ussr", options={"letter_on_event_command": True}).play("event mrbms_irbms", "done")
    assert "letter" not in b.legal()


def test_r24_option_counts_with_the_modifiers() -> None:
    b = base(brink="us", options={"letter_on_event_command": True}).play("event the_guns_of_august", "done")
    assert b.most("place")["atlantic"] == 1
    assert b.play("letter").most("place")["atlantic"] == 1  # 1 + 1 - 1
    plain = base(brink="us", options={"letter_on_event_command": True, "modifiers_on_event_command": False})
    assert plain.play("event the_guns_of_august", "done", "letter").most("place")["atlantic"] == 2
    before: Options = {"letter_on_event_command": True, "brink_floor": "before_letter"}
    b = base(brink="us", options=before).play("event the_guns_of_august", "done", "letter")
    assert b.most("place")["atlantic"] == 2


def test_r25_the_letter_may_go_with_a_taken_card_and_passes_after_it() -> None:
    b = base().play("event intelligence_reports", "take containment", "us: command containment letter")
    assert b.most("place")["atlantic"] == 3
    b.play("place 3 atlantic")
    assert (b.letter, b.to_move()) == ("ussr", "chance")


def test_r26_the_letter_passes_after_an_empty_command_and_may_come_back() -> None:
    b = base().play("command scramble letter", "done")
    assert b.letter == "ussr"
    b.play("command sops letter", "done")
    assert b.letter == "us"
    assert "command the_guns_of_august letter" in b.hand_over("us", "the_guns_of_august").legal()


# Command modifiers.


@pytest.mark.parametrize(("on", "value"), [(True, 2), (False, 3)])
def test_r28_to_the_brink_counts_for_commands_of_events(on: bool, value: int) -> None:
    b = base(brink="us", options={"modifiers_on_event_command": on}).play("event u2_photographs")
    assert b.most("place")["atlantic"] == value
    b = base(brink="us", options={"modifiers_on_event_command": on}).play("event the_guns_of_august", "done")
    assert b.most("place")["atlantic"] == 1  # never less


def test_r29_modifiers_and_bans_last_until_step_8() -> None:
    b = base(sops="us", brink="ussr", ban="ussr").idle_until("advance")
    assert (list(b.state.modifier), list(b.state.least), list(b.state.ban)) == ([1, -1], [0, 1], [0, 1])
    b.play("advance")
    assert (list(b.state.modifier), list(b.state.least), list(b.state.ban)) == ([0, 0], [0, 0], [0, 0])
    assert (b.state.round_number, b.state.first, b.state.turn) == (2, NOBODY, 0)


def test_r29_sops_and_to_the_brink_add_up() -> None:
    b = base("ussr", sops="us").play("event to_the_brink")
    assert list(b.state.modifier) == [0, 0]
    assert b.play("command quarantine").most("place")["atlantic"] == 1


# Single cards.


def test_r30_a_face_saver_gives_each_its_own_modifiers_and_markers() -> None:
    b = base(sops="ussr", brink="us").play("event a_face_saver")
    assert b.most("place")["atlantic"] == 2
    b.play("us: place 2 atlantic")
    assert b.most("place")["atlantic"] == 2
    b.play("ussr: place 2 berlin")
    assert (b.markers("us"), b.markers("ussr")) == ("3/3/2", "4/2/2")


def test_r30_for_command_a_face_saver_is_one_cube_without_trigger() -> None:
    b = base().play("command a_face_saver")
    assert (b.to_move(), b.most("place")["atlantic"]) == ("us", 1)
    assert b.play("done").turn_is_over()


def test_r31_by_option_national_liberation_may_remove() -> None:
    b = base("ussr", italy="1-3", options={"command_onto": "place_or_remove"}).play("event national_liberation")
    assert b.most("remove") == {"italy": 3}  # political battlegrounds only
    assert b.play("remove 3 italy").markers("ussr") == "3/1/2"


def test_r32_whoever_chooses_it_a_step_down_is_held_back() -> None:
    b = base("ussr", ban="ussr").play("event berlin_blockade")
    assert b.to_move() == "us"
    assert moves_of("us", b) == set()
    b = base(ban="us").play("event operation_mongoose")
    assert moves_of("ussr", b) == set()


@pytest.mark.parametrize(
    ("scope", "free"), [("own_plays", {"military", "political", "world_opinion"}), ("all_events", set())]
)
def test_r32_events_of_the_others_turn_are_free_unless_all_events_are_banned(scope: str, free: set[str]) -> None:
    b = base("ussr", ban="us", options={"deflation_ban_scope": scope})
    b.play("command operation_mongoose", "us: trigger")
    assert moves_of("ussr", b) == free


@pytest.mark.parametrize(("scope", "markers"), [("own_plays", "2/2/2"), ("all_events", "2/3/2")])
def test_r32_a_command_that_the_others_event_grants(scope: str, markers: str) -> None:
    b = base("ussr", ban="us", sops="us", italy="2-0", options={"deflation_ban_scope": scope})
    b.play("event a_face_saver", "ussr: done", "us: remove 2 italy")
    assert b.markers("us") == markers


@pytest.mark.parametrize("scope", ["own_plays", "all_events"])
def test_r32_commands_of_cards_and_television_are_always_free(scope: str) -> None:
    b = base(ban="us", italy="3-0", television="1-0", options={"deflation_ban_scope": scope})
    b.play("command scramble", "remove 3 italy")
    assert b.markers("us") == "2/1/2"
    b.save_cards()
    assert moves_of("us", b) == {"military", "world_opinion"}  # the political one is on 1


def test_r32_a_taken_card_counts_as_played_by_the_taker() -> None:
    b = base(ban="us").hand_over("ussr", "u_thant")
    b.play("event intelligence_reports", "take u_thant", "us: event u_thant")
    assert b.markers("us") == "2/3/2"
    b = base("ussr", ban="us").hand_over("us", "non_invasion_pledge").play("event intelligence_reports")
    b.play("take non_invasion_pledge", "ussr: command non_invasion_pledge", "us: trigger", "us: done")
    assert moves_of("us", b) == {"political"}


def test_r32_the_ban_is_on_own_markers_only() -> None:
    b = base(ban="us").play("command berlin_blockade", "ussr: trigger")
    assert moves_of("us", b) == {"military", "political", "world_opinion"}  # of the USSR


def test_r32_events_that_the_opponent_triggers_are_free() -> None:
    """No card in the box lowers the markers of who plays it for Command, but one of a designer may."""
    b = base(ban="us")
    b.game = with_event("fidel_castro", Shift(tracks=["military"], pick="all", dir="down", of="us", exactly=1))
    assert b.play("command fidel_castro", "ussr: trigger").markers("us") == "1/3/2"


def test_r33_by_option_the_removal_may_be_of_nothing() -> None:
    options: Options = {"bay_of_pigs_short": "as_many_as_possible"}
    b = base("ussr", options=options).play("event bay_of_pigs")
    assert b.legal() == ["choose 1", "choose 2"]
    b.play("us: choose 1")
    assert (b.turn_is_over(), list(b.state.ban)) == (True, [0, 0])
    b = base("ussr", alliances="4-0", options=options).play("event bay_of_pigs", "us: choose 1")
    assert b.cubes("alliances") == "2-0"


def test_r33_the_us_may_choose_when_it_has_been_triggered_too() -> None:
    b = base(alliances="2-0").play("command bay_of_pigs", "ussr: trigger", "us: choose 2")
    assert (list(b.state.ban), b.to_move()) == ([1, 0], "us")
    # The ban is there at once, but this is a Command.
    assert b.play("remove 2 alliances").markers("us") == "2/3/1"


@pytest.mark.parametrize(
    ("player", "scope", "free"),
    [("ussr", "own_plays", True), ("us", "own_plays", False), ("ussr", "all_events", False)],
)
def test_r34_a_ban_on_the_leader_on_television(player: str, scope: str, free: bool) -> None:
    b = base(player, ban="us", television="1-0", options={"deflation_ban_scope": scope}).play("event fifty_fifty")
    assert b.to_move() == "us"
    assert bool(moves_of("us", b)) == free
    assert "shift military +1" in b.legal()


def test_r35_a_taken_card_goes_by_its_own_icon_and_the_turn_count_stays() -> None:
    b = base().hand_over("ussr", "close_allies")
    b.play("event intelligence_reports", "take close_allies", "us: event close_allies", "place 2 cuba_political")
    assert b.markers("us") == "2/3/2"  # Close Allies has no icon, Intelligence Reports has
    assert b.state.turn == 0
    assert b.let_chance().state.turn == 1
    assert (b.to_move(), list(b.state.hand)) == ("ussr", [4, 5])


def test_r35_the_taken_card_cannot_be_kept() -> None:
    b = base().hand_over("ussr", "fidel_castro").play("event intelligence_reports", "take fidel_castro")
    assert set(b.legal()) == {"command fidel_castro", "command fidel_castro letter", "discard"}
    b.play("us: command fidel_castro", "ussr: decline", "us: place 3 atlantic")
    assert (b.where("fidel_castro"), b.to_move()) == (CardIs.DISCARDED, "chance")


def test_r35_the_random_card_is_any_card_of_the_hand_alike() -> None:
    b = base().play("event intelligence_reports")
    weights = b.game.distribution(b.state)
    assert len(weights) == 5
    assert len(set(weights.values())) == 1


def test_r35_with_one_card_left_the_opponent_gives_that_one() -> None:
    b = base()
    for _ in range(7):
        b.idle_one_turn()
    b.play("ussr: event intelligence_reports")
    assert b.legal() == [f"take {card}" for card in b.hand("us")]
    assert len(b.hand("us")) == 1


def test_r37_the_highest_marker_is_that_of_the_moment() -> None:
    b = base(ussr="3/2/2").play("command scramble", "done")
    b.play("command fidel_castro", "place 3 cuba_political")  # political 2 -> 4
    b.play("command turn_back_the_ships", "ussr: trigger")
    assert moves_of("ussr", b) == {"political"}


def test_r38_on_8_no_step_up_is_no_step_down() -> None:
    b = base(us="8/3/2").play("event invasion_of_cuba")
    assert b.legal() == ["done"]
    assert b.play("done").markers("us") == "8/3/2"
    assert b.turn_is_over()


def test_r38_a_ban_stops_the_second_part_when_the_us_played_the_card() -> None:
    assert base(ban="us").play("event invasion_of_cuba", "shift military +1").legal() == ["done"]
    b = base("ussr", ban="us").play("command invasion_of_cuba", "us: trigger", "shift military +1")
    assert moves_of("us", b) == {"political", "world_opinion"}


def test_r39_suez_hungary_adds_nothing_where_the_ussr_leads_by_more() -> None:
    assert base("ussr", italy="0-3").play("event suez_hungary").cubes("italy") == "0-3"
    assert base("ussr", italy="0-0").play("event suez_hungary").cubes("italy") == "0-1"


def test_r40_with_no_cubes_on_cuba_the_half_is_nothing_and_is_not_asked_for() -> None:
    b = base(cuba_military="0-0").play("event air_strike", "choose 1")
    assert b.turn_is_over()


# The round and the end.


def test_r44_discards_are_never_shuffled_in_again() -> None:
    b = base()
    decks = []
    for _ in range(3):
        b.idle_until("save_cards")
        decks.append((int(b.state.deck), int(b.state.discard), int(b.state.aftermath.sum())))
        b.play("save_cards").set(us="1/1/1", ussr="1/1/1")
    assert decks == [(29, 8, 0), (19, 16, 2), (9, 24, 4)]


def test_r44_the_deck_lasts_for_the_longest_game() -> None:
    cards = len(the_game().data.card)
    dealt, alliances, intelligence_reports, summit_meeting = 3 * 2 * 5, 3, 1, 4
    assert cards - (dealt + alliances + intelligence_reports + summit_meeting) == 1


def test_r45_the_leader_on_alliances_may_decline_to_draw() -> None:
    b = base(alliances="1-0").save_cards()
    assert (b.to_move(), b.legal()) == ("us", ["draw", "decline"])
    before = b.state.deck
    b.play("decline")
    assert (b.legal(), b.state.deck) == (["resolve_agendas"], before)


def test_r45_a_card_put_on_the_stack_is_known_to_who_put_it_there() -> None:
    b = base("ussr", alliances="0-1").save_cards().play("ussr: draw", "draw excomm")
    excomm = b.game.data.card_index("excomm")
    drawn = [int(b.game.view_of(b.state, viewer).card[excomm]) for viewer in (0, 1, OBSERVER)]
    assert [place == CardIs.UNKNOWN for place in drawn] == [True, False, True]
    assert b.legal() == ["aftermath", "discard"]
    b.play("aftermath")
    assert (b.where("excomm"), b.state.aftermath.sum()) == (CardIs.IN_AFTERMATH + 1, 3)
    kept = [int(b.game.view_of(b.state, viewer).card[excomm]) for viewer in (0, 1, OBSERVER)]
    assert [place == CardIs.UNKNOWN for place in kept] == [True, False, True]


@pytest.mark.parametrize(("places", "text"), [("united_nations", "letter_moves"), ("television", "done")])
def test_r46_a_tie_gives_nobody_a_bonus(places: str, text: str) -> None:
    tied = base(**{places: "2-2"}).save_cards()
    assert tied.legal() == ["resolve_agendas"]
    led = base(**{places: "1-2"}).save_cards()
    assert text in led.legal()


def test_r46_television_may_be_declined_and_the_letter_is_automatic() -> None:
    b = base(television="1-0", united_nations="0-1").save_cards()
    b.play("us: done", "letter_moves")
    assert (b.markers("us"), b.letter) == ("2/3/2", "ussr")


def test_r46_the_letter_comes_back_to_the_us_likewise() -> None:
    b = base(letter="ussr", united_nations="1-0").save_cards().play("letter_moves")
    assert (b.letter, b.legal()) == ("us", ["resolve_agendas"])


def test_r46_who_holds_the_letter_keeps_it() -> None:
    b = base(united_nations="1-0").save_cards()
    assert (b.letter, b.legal()) == ("us", ["resolve_agendas"])


def test_r46_bonuses_come_in_the_order_of_the_rules() -> None:
    b = base(television="0-1", united_nations="0-1", alliances="0-1").save_cards()
    b.play("ussr: shift military -1", "letter_moves", "ussr: draw", "draw excomm", "ussr: discard")
    assert (b.legal(), b.markers("ussr"), b.letter) == (["resolve_agendas"], "2/2/2", "ussr")


def test_r47_television_moves_one_own_marker_one_step_also_over_a_limit() -> None:
    b = base(us="1/6/8", television="1-0").save_cards()
    up_and_down = {"shift military +1", "shift political +1", "shift political -1", "shift world_opinion -1"}
    assert set(b.legal()) == {*up_and_down, "done"}
    b.play("shift political +1")
    assert (b.markers("us"), b.legal()) == ("1/7/8", ["resolve_agendas"])


def test_r48_the_first_player_is_chosen_after_the_draw() -> None:
    assert list(before_initiative().state.hand) == [5, 5]


def test_r48_or_by_option_before_it() -> None:
    position = before_initiative(options={"initiative_chosen": "before_draw"})
    assert (position.to_move(), list(position.state.hand)) == ("ussr", [0, 0])
    position.play("first us").let_chance()
    assert (position.to_move(), list(position.state.hand)) == ("us", [5, 5])


def test_r48_turns_alternate_four_each() -> None:
    b = base("ussr")
    players = []
    while b.legal() != ["save_cards"]:
        players.append(b.to_move())
        b.idle_one_turn()
    assert players == ["ussr", "us"] * 4


def test_r49_agendas_are_chosen_before_cards_are_drawn() -> None:
    position = deal_agendas(new_game().play("escalate"))
    assert list(position.state.hand) == [0, 0]
    assert set(position.legal("us")) == {"keep turkey", "keep italy", "keep world_opinion_track"}
    assert set(position.legal("ussr")) == {"keep atlantic", "keep personal_letter", "keep political_track"}


def test_r49_either_side_may_choose_its_agenda_first() -> None:
    def chosen(*order: int) -> Position:
        position = deal_agendas(new_game().play("escalate"))
        for side in order:
            assert position.game.pending(position.game.rules, position.state) >> side & 1
            text = ("keep italy", "keep atlantic")[side]
            position.game.apply(position.game.rules, position.state, position.game.parse_action(text, side))
        return position

    assert chosen(0, 1).state.tobytes() == chosen(1, 0).state.tobytes()


def test_s2d_agendas_not_chosen_return_and_chosen_ones_are_out_of_the_game() -> None:
    b = base().idle_until("escalate").play("escalate")
    weights = b.game.distribution(b.state)
    assert sum(weights.values()) == 11
    assert not {"deal italy", "deal personal_letter"} & set(b.legal())
    assert "deal turkey" in b.legal()


def test_s2a_both_copies_of_a_track_agenda_may_be_dealt() -> None:
    position = new_game().play("escalate", "deal military_track", "deal military_track", "deal italy")
    assert "deal military_track" not in position.legal()
    weights = position.game.distribution(position.state)
    assert (sum(weights.values()), max(weights.values())) == (10, 2)
    position.let_chance()
    assert set(position.legal("us")) == {"keep military_track", "keep italy"}


def test_r50_any_position_is_allowed_before_the_war_check() -> None:
    b = base(us="8/8/8", ussr="8/8/8").play("event u_thant")
    assert b.idle_until("check_war").outcome() == ("not_over", "nobody")
    assert b.utility() == [0, 0]
    assert b.play("check_war").outcome() == ("mutual_nuclear_war", "nobody")
    assert b.utility() == [-1, -1]
    assert b.to_move() == "over"


def test_r50_war_in_round_3_ends_the_game_before_the_aftermath() -> None:
    b = base(us="7/1/1", prestige=5)
    b.state.round_number = 3
    b.at_rules_step("check_war")
    assert (b.to_move(), b.outcome()) == ("over", ("nuclear_war", "ussr"))


def test_r53_aftermath_totals_count_printed_cubes_of_own_cards_only() -> None:
    # Whoever put them there: four US cards of 1, 1, 1, 2 against one USSR card of 3; UN cards count for nobody.
    cards = ("quarantine", "u2_photographs", "invasion_of_cuba", "air_strike", "fidel_castro", "scramble")
    assert base(sops="us", brink="ussr").count_aftermath(*cards).prestige == 2


def test_r53_a_card_kept_from_alliances_belongs_to_the_aftermath() -> None:
    b = base(alliances="1-0").save_cards().play("us: draw", "draw excomm", "us: aftermath")
    b.state.round_number = 3
    b.set(us="1/1/1", ussr="1/1/1").at_rules_step("count_aftermath")
    assert b.prestige == 2


def test_r54_and_r55_who_sees_what() -> None:
    b = base().play("command scramble", "done")
    b.save_cards()
    saved = {side: b.cards_in(CardIs.IN_AFTERMATH + side) for side in (0, 1)}
    for viewer in (0, 1, OBSERVER):
        seen = b.game.view_of(b.state, viewer)
        place = {card.id: int(seen.card[index]) for index, card in enumerate(b.game.data.card)}
        assert place["scramble"] == CardIs.DISCARDED
        for side in (0, 1):
            assert all((place[card] == CardIs.UNKNOWN) == (viewer != side) for card in saved[side])
            assert (seen.chosen[side] >= 0) == (viewer == side)
        assert (seen.deck, seen.discard, list(seen.aftermath)) == (29, b.state.discard, [1, 1])


def test_draws_are_known_to_the_drawer_and_the_taken_card_to_both_sides() -> None:
    def audience(position: Position, text: str) -> int:
        game = position.game
        action = game.parse_action(text, position.state.mover)
        return int(game.audience(game.rules, position.state, action))

    b = base("ussr").play("event intelligence_reports")
    assert audience(b, b.legal()[0]) == 0b011
    b.play(b.legal()[0], "discard")
    assert audience(b, "draw excomm") == 0b001  # the US draws the replacement
    b.play("draw excomm")
    assert audience(b, b.legal()[0]) == 0b111
    position = deal_agendas(new_game().play("escalate"))
    assert audience(position, "keep italy") == 0b001


def test_a_view_gives_no_legal_plays_of_a_hand_it_does_not_show() -> None:
    b = base()
    for viewer in (1, OBSERVER):
        assert b.game.legal_actions(b.game.view_of(b.state, viewer), 0) == []
    assert b.game.legal_actions(b.game.view_of(b.state, 0), 0) == b.game.legal_actions(b.state, 0)


def test_nobody_may_act_for_the_other_side() -> None:
    b = base()
    assert b.legal("ussr") == []
    with pytest.raises(IllegalActionError):
        b.play("ussr: command scramble")
