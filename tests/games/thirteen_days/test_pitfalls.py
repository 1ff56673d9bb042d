"""The thirty defects of the only other digital version, each as the rule it broke; numbers as in our list of them."""

from __future__ import annotations

import numpy as np
import pytest

from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_days.rules.state import HIDDEN, NOT_CHOSEN, CardIs
from support.thirteen_days.builders import Position, base, before_initiative, deal_agendas, new_game

# End of the game.


def test_1_a_winner_is_declared_after_round_3() -> None:
    b = base(prestige=1)
    b.state.round_number = 3
    b.at_rules_step("check_war").play("advance", "count_aftermath")
    assert (b.to_move(), b.outcome()) == ("over", ("prestige", "us"))


@pytest.mark.parametrize(
    ("cards", "prestige"), [(("excomm", "u_thant"), 2), (("quarantine", "maskirovka"), -2), (("scramble",), 0)]
)
def test_2_more_cubes_on_own_cards_in_the_aftermath_are_worth_two(cards: tuple[str, ...], prestige: int) -> None:
    assert base().count_aftermath(*cards).prestige == prestige


def test_3_each_round_saves_its_last_cards_for_the_aftermath() -> None:
    b = base()
    for number in (1, 2, 3):
        b.idle_until("save_cards")
        assert (b.state.round_number, list(b.state.hand), b.state.aftermath.sum()) == (number, [1, 1], 2 * number - 2)
        last = b.hand("us") | b.hand("ussr")
        b.play("save_cards").set(us="1/1/1", ussr="1/1/1")
        assert (list(b.state.hand), b.state.aftermath.sum()) == ([0, 0], 2 * number)
        assert last <= b.cards_in(CardIs.IN_AFTERMATH) | b.cards_in(CardIs.IN_AFTERMATH + 1)
    b.idle_until("count_aftermath").play("count_aftermath")
    assert (b.to_move(), len(b.cards_in(CardIs.REVEALED))) == ("over", 6)


@pytest.mark.parametrize("letter", ["us", "ussr"])
def test_4_a_tie_on_prestige_goes_to_the_holder_of_the_letter(letter: str) -> None:
    assert base(letter=letter).count_aftermath().outcome() == ("personal_letter", letter)


def test_5_agenda_icons_act_before_the_war_check_of_the_same_round() -> None:
    b = base(us="6/1/1").resolve("military_track")
    assert (b.markers("us"), b.to_move(), b.legal()) == ("7/1/1", "chance", ["check_war"])
    assert b.play("check_war").outcome() == ("nuclear_war", "ussr")


@pytest.mark.parametrize(("before", "after"), [(3, 3), (4, 5), (5, 6), (6, 7), (7, 7), (8, 8)])
def test_6_an_icon_moves_markers_on_4_to_6(before: int, after: int) -> None:
    b = base(us=f"1/{before}/1", ussr=f"1/{before}/1").resolve("political_track")
    assert (b.markers("us"), b.markers("ussr")) == (f"1/{after}/1", f"1/{after}/1")


@pytest.mark.parametrize("track", ["military", "political", "world_opinion"])
def test_7_both_copies_of_a_track_agenda_behave_alike(track: str) -> None:
    b = base(us="4/4/4", ussr="3/3/3")
    alone = {side: b.copy().resolve(**{side: f"{track}_track"}) for side in ("us", "ussr")}
    assert alone["us"].board() == alone["ussr"].board()
    assert alone["us"].prestige == 2
    assert b.resolve(f"{track}_track", f"{track}_track").prestige == 4
    assert b.state.agenda_used.max() == 2


def test_8_both_agendas_are_scored_from_the_same_position() -> None:
    """Scored one after the other, the second would see markers already moved by the icon of the first."""
    b = base(us="6/1/1", ussr="3/1/1").resolve("military_track", "military_track")
    assert (b.prestige, b.markers("us")) == (5, "7/1/1")
    b = base(us="4/1/1", ussr="3/1/1").resolve("military_track", "military_track")
    assert (b.prestige, b.markers("us")) == (4, "6/1/1")


# The round.


@pytest.mark.parametrize(("prestige", "chooser"), [(-1, "us"), (0, "ussr"), (1, "ussr")])
@pytest.mark.parametrize("first", ["us", "ussr"])
def test_9_the_side_behind_chooses_the_first_player_after_seeing_its_cards(
    prestige: int, chooser: str, first: str
) -> None:
    position = before_initiative(prestige)
    assert list(position.state.hand) == [5, 5]
    assert position.play(f"{chooser}: first {first}").to_move() == first


def test_10_flags_are_public_before_agendas_are_chosen_and_the_choice_is_not() -> None:
    position = deal_agendas(new_game().play("escalate"))
    dealt = position.state.agenda_dealt.copy()
    position.play("us: keep italy")
    for viewer in (1, OBSERVER):
        seen = position.game.view_of(position.state, viewer)
        assert np.array_equal(seen.agenda_dealt, dealt)
        assert seen.chosen[0] == NOT_CHOSEN  # not even that the US has chosen
    position.play("ussr: keep atlantic")
    assert list(position.game.view_of(position.state, OBSERVER).chosen) == [HIDDEN, HIDDEN]
    assert position.game.view_of(position.state, 1).chosen[0] == HIDDEN


def test_11_the_personal_letter_agenda_flags_the_united_nations() -> None:
    agenda = next(agenda for agenda in new_game().game.data.agenda if agenda.id == "personal_letter")
    assert agenda.flag == "united_nations"


def test_12_only_the_lead_is_limited_not_the_gain() -> None:
    b = base(prestige=-3, italy="4-0", turkey="2-0").resolve("italy", "turkey")  # 5 and 3
    assert b.prestige == 5


def test_13_a_copied_state_goes_on_like_the_original() -> None:
    """Nothing that matters lives outside the record: also in the middle of nested events."""
    b = base("ussr").hand_over("us", "quarantine")
    b.play("event intelligence_reports", "take quarantine", "command quarantine", "us: trigger", "place 1 atlantic")
    raw = b.state.tobytes()
    again = Position(b.game, np.frombuffer(raw, b.game.dtype).copy().view(np.recarray)[0])
    for position in (b, again):
        position.play("ussr: place 1 berlin", "draw scramble", "us: event u_thant")
    assert again.state.tobytes() == b.state.tobytes() != raw


def test_14_each_battleground_scores_its_own_cubes() -> None:
    places = ("cuba_military", "atlantic", "berlin", "cuba_political", "italy", "turkey")
    for place in places:
        empty = dict.fromkeys(places, "0-0")
        b = base(**{**empty, place: "2-0"}).resolve(place)
        assert b.prestige == (3 if place in ("berlin", "italy", "turkey") else 2), place
        for elsewhere in places:
            if elsewhere != place:
                assert base(**{**empty, elsewhere: "2-0"}).resolve(place).prestige == 0, (place, elsewhere)


@pytest.mark.parametrize(("alliances", "leader"), [("2-1", "us"), ("0-1", "ussr")])
def test_15_the_leader_on_alliances_decides_about_the_card_drawn_there(alliances: str, leader: str) -> None:
    b = base(alliances=alliances).save_cards()
    b.play(f"{leader}: draw", "draw excomm")
    assert (b.to_move(), b.legal()) == (leader, ["aftermath", "discard"])
    assert b.play("discard").where("excomm") == CardIs.DISCARDED


# Commands, events, limits.


def test_16_the_opponent_may_decline_every_event() -> None:
    cards = [(card.id, card.side) for card in base().game.data.card if card.side != "un"]
    assert len(cards) == 26
    for card, owner in cards:
        b = base("ussr" if owner == "us" else "us")
        before = b.board()
        b.play(f"command {card}")
        assert (b.to_move(), b.legal()) == (owner, ["trigger", "decline"])
        assert b.play("decline", "done").board() == before


def test_17_stopping_an_event_early_keeps_the_moves_of_markers() -> None:
    assert base().play("event excomm", "place 2 berlin", "done").markers("us") == "3/3/2"
    b = base("ussr", turkey="1-2").play("event missile_trade", "remove 2 turkey", "done")
    assert b.markers("ussr") == "3/1/2"


def test_18_the_marker_moves_by_the_cubes_really_placed() -> None:
    b = base(berlin="4-1").play("command public_protests", "place 1 berlin")  # of three
    assert b.markers("us") == "2/3/2"


def test_19_seventeen_cubes_and_five_on_a_battleground_bind_events_and_commands() -> None:
    full = {"atlantic": "0-5", "italy": "1-5", "turkey": "1-4"}  # one cube left
    assert set(base("ussr", **full).play("event fidel_castro").most("place").values()) == {1}
    assert set(base("ussr", **full).play("event mrbms_irbms", "done").most("place").values()) == {1}
    assert base("ussr", italy="1-1", turkey="1-4").play("event u2_downed").most("place") == {"turkey": 1}
    assert base("ussr", cuba_military="0-5").play("command fidel_castro").most("place").get("cuba_military") is None


def test_20_containment_holds_back_every_step_down_and_nothing_else() -> None:
    b = base(ban="us").play("event the_guns_of_august")
    assert "shift military +1" in b.legal()
    assert not [text for text in b.legal() if "-" in text]
    b.play("done", "remove 1 italy")
    assert b.cubes("italy") == "0-0"
    b = base(ban="us", us="2/3/2").play("event invasion_of_cuba", "shift military +2")
    assert b.legal() == ["done"]
    b = base("ussr", ban="ussr", turkey="1-3").play("event missile_trade", "remove 3 turkey")
    assert (b.cubes("turkey"), b.markers("ussr")) == ("1-0", "3/2/2")


def test_21_shifts_reach_step_1_and_step_8() -> None:
    assert base(us="2/3/2").play("event mathematical_precision", "shift political -2").markers("us") == "2/1/2"
    assert base(us="2/6/2").play("event mathematical_precision", "shift political +2").markers("us") == "2/8/2"


def test_22_a_shift_is_asked_for_once() -> None:
    b = base(turkey="1-0").play("event non_invasion_pledge", "done", "shift political -1")
    assert (b.turn_is_over(), b.to_move()) == (True, "ussr")


def test_23_public_protests_clear_one_battleground_only() -> None:
    b = base(italy="3-0", turkey="3-0").play("event public_protests", "remove 1 italy")
    assert (b.turn_is_over(), b.cubes("turkey")) == (True, "3-0")


@pytest.mark.parametrize(
    ("side", "card", "place"), [("us", "u2_photographs", "berlin"), ("ussr", "national_liberation", "italy")]
)
def test_24_a_command_onto_a_battleground_has_a_limit_and_can_be_ended(side: str, card: str, place: str) -> None:
    assert base(side).play(f"event {card}").most("place")[place] == 3
    assert base(side, sops=side).play(f"event {card}").most("place")[place] == 4
    assert base(side, brink=side).play(f"event {card}").most("place")[place] == 2
    assert base(side).play(f"event {card}", f"place 1 {place}").turn_is_over()
    assert base(side).play(f"event {card}", "done").turn_is_over()


def test_25_at_most_may_be_nothing_and_full_battlegrounds_are_no_dead_end() -> None:
    full = {"cuba_military": "5-0", "cuba_political": "5-0"}
    b = base(us="4/3/2", **full).play("event eyeball_to_eyeball")
    assert b.legal() == ["done"]
    assert b.play("done").turn_is_over()
    assert base(us="4/3/2").play("event eyeball_to_eyeball", "done").turn_is_over()
    assert base("ussr", atlantic="0-5").play("event maskirovka", "place 1 berlin", "done").turn_is_over()


def test_26_fifty_fifty_is_for_two_tracks_of_the_leader() -> None:
    b = base("ussr", television="1-0").play("event fifty_fifty", "us: shift political -1")
    assert not [text for text in b.legal() if "political" in text]
    assert b.play("us: shift military +1").markers("us") == "3/2/2"


def test_27_wave_and_smile_takes_the_cubes_elsewhere() -> None:
    b = base().play("event wave_and_smile", "remove 1 italy", "remove 1 turkey")
    assert not {"italy", "turkey"} & set(b.most("place"))


def test_28_invasion_of_cuba_is_exact_or_nothing() -> None:
    b = base(us="2/4/4").play("event invasion_of_cuba", "shift military +2")
    assert set(b.legal()) == {"shift political -2", "shift world_opinion -2", "done"}
    assert b.play("shift political -2").markers("us") == "4/2/4"
    assert b.turn_is_over()


def test_29_the_card_taken_by_intelligence_reports_ends_face_up_and_onlookers_see_it_only_then() -> None:
    b = base()
    b.play("event intelligence_reports", "take sops")
    sops = b.game.data.card_index("sops")
    assert [b.game.view_of(b.state, viewer).card[sops] == CardIs.UNKNOWN for viewer in (0, 1, OBSERVER)] == [
        False,
        False,
        True,
    ]
    b.play("us: event sops", "draw quarantine")
    assert (b.where("sops"), len(b.hand("ussr"))) == (CardIs.DISCARDED, 5)
    assert b.game.view_of(b.state, OBSERVER).card[sops] == CardIs.DISCARDED


def test_30_a_player_sees_neither_the_others_agenda_nor_any_card_that_could_betray_it() -> None:
    b = base()
    seen = b.game.view_of(b.state, 1)
    assert (seen.chosen[0], seen.hand[0]) == (HIDDEN, 5)
    hidden = {card.id for card, place in zip(b.game.data.card, seen.card, strict=False) if place == CardIs.UNKNOWN}
    assert b.hand("us") <= hidden
    assert not b.hand("ussr") & hidden
    assert b.legal("ussr") == []  # it is the turn of the US
