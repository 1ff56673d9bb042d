"""Every strategy card: what its event does, its limits, and that it asks for nothing more."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from brinkmanship.games.thirteen_days.rules.loading import load
from brinkmanship.games.thirteen_days.rules.state import CardIs
from support.thirteen_days.builders import SIDES, Position, base, other

CARDS = {card.id: card for card in load().card}
MILITARY = ("cuba_military", "atlantic", "berlin")
POLITICAL = ("cuba_political", "italy", "turkey")
WORLD_OPINION = ("united_nations", "television", "alliances")
EVERYWHERE = (*MILITARY, *POLITICAL, *WORLD_OPINION)


def up_to(cubes: int, places: tuple[str, ...]) -> dict[str, int]:
    return dict.fromkeys(places, cubes)


def shifts(*tracks: str, least: int, most: int) -> set[str]:
    """Texts of the shifts by these steps, without 0, and of moving nothing."""
    return {"done", *(f"shift {track} {steps:+d}" for track in tracks for steps in range(least, most + 1) if steps)}


# All cards.


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("card", CARDS)
def test_events_are_for_own_and_un_cards_and_commands_for_all(card: str, side: str) -> None:
    legal = [text for text in base(side).hand_over(side, card).legal() if text.split()[1] == card]
    expected = [f"command {card}"]
    if CARDS[card].side != other(side):
        expected.append(f"event {card}")
    if side == "us":  # the US holds the letter
        expected.append(f"command {card} letter")
    assert sorted(legal) == sorted(expected)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("card", CARDS)
def test_a_command_is_worth_the_printed_cubes(card: str, side: str) -> None:
    b = base(side).play(f"command {card}")
    if CARDS[card].side == other(side):
        b.play(f"{other(side)}: decline")
    assert b.to_move() == side
    assert b.most("place")["alliances"] == CARDS[card].cubes
    b.play("done")
    assert (b.turn_is_over(), b.to_move(), b.where(card)) == (True, other(side), CardIs.DISCARDED)


class Case(NamedTuple):
    """An event from a position, and what it leaves: cubes of the places named, markers of both sides."""

    card: str
    position: dict[str, Any]
    choices: list[str]
    cubes: dict[str, str]
    us: str = "2/3/2"
    ussr: str = "3/2/2"
    prestige: int = 0


SIDE_CARD_CASES = [
    Case("mathematical_precision", {}, ["us: shift political -2", "us: place 1 berlin"], {"berlin": "1-1"}, us="2/1/2"),
    Case("excomm", {}, ["us: place 2 atlantic", "us: place 2 alliances"], {"alliances": "2-0"}, us="3/3/3"),
    Case("public_protests", {"italy": "4-0"}, ["us: remove 3 italy"], {"italy": "1-0"}),
    Case("lessons_of_munich", {}, ["us: place 2 berlin", "us: place 2 italy"], {"berlin": "2-1", "italy": "3-0"}),
    Case("operation_mongoose", {}, ["ussr: shift political +1"], {}, us="2/4/2", prestige=1),
    Case("air_strike", {}, ["us: choose 2", "us: place 2 alliances"], {"alliances": "2-0"}),
    Case(
        "non_invasion_pledge",
        {"turkey": "1-3"},
        ["us: remove 2 turkey", "us: shift political +2"],
        {"turkey": "1-1"},
        us="2/5/2",
    ),
    Case("offensive_missiles", {}, ["us: place 1 italy", "us: done"], {"italy": "2-0"}),
    Case("invasion_of_cuba", {}, ["us: shift military +2", "us: shift political -2"], {}, us="4/1/2"),
    Case("quarantine", {}, ["us: place 2 atlantic"], {"atlantic": "2-0"}),
    Case("u2_photographs", {}, ["us: place 3 atlantic"], {"atlantic": "3-0"}, us="4/3/2"),
    Case(
        "wave_and_smile",
        {},
        ["us: remove 1 italy", "us: remove 1 turkey", "us: place 2 atlantic"],
        {"italy": "0-0", "turkey": "0-0", "atlantic": "2-0"},
    ),
    Case(
        "eyeball_to_eyeball",
        {"us": "4/3/2"},
        ["us: place 2 cuba_military", "us: place 1 cuba_political"],
        {"cuba_military": "2-1", "cuba_political": "1-0"},
        us="5/3/2",
    ),
    Case("mrbms_irbms", {}, ["ussr: shift military -2", "ussr: place 1 atlantic"], {"atlantic": "0-1"}, ussr="1/2/2"),
    Case(
        "moscow_is_our_brain", {"italy": "1-1"}, ["ussr: place 2 italy", "ussr: done"], {"italy": "1-3"}, ussr="3/3/2"
    ),
    Case("missile_trade", {"turkey": "1-4"}, ["ussr: remove 3 turkey"], {"turkey": "1-1"}, ussr="3/1/2"),
    Case("fidel_castro", {}, ["ussr: place 3 cuba_military"], {"cuba_military": "0-4"}),
    Case("berlin_blockade", {}, ["us: shift political +2"], {}, ussr="3/4/2", prestige=-2),
    Case("suez_hungary", {"italy": "2-0"}, [], {"italy": "2-3"}),
    Case("maskirovka", {}, ["ussr: place 1 berlin", "ussr: place 1 atlantic", "ussr: done"], {"berlin": "0-2"}),
    Case("bay_of_pigs", {"alliances": "3-0"}, ["us: choose 1"], {"alliances": "1-0"}),
    Case("turn_back_the_ships", {}, ["ussr: shift military -2"], {}, ussr="1/2/2"),
    Case("strategic_balance", {}, ["ussr: place 3 atlantic"], {"atlantic": "0-3"}, ussr="5/2/2"),
    Case("national_liberation", {}, ["ussr: place 3 turkey"], {"turkey": "1-3"}, ussr="3/4/2"),
    Case(
        "u2_downed",
        {"cuba_military": "3-1", "cuba_political": "1-0"},
        ["ussr: place 2 turkey", "ussr: remove 2 cuba_military"],
        {"turkey": "1-2", "cuba_military": "1-1"},
    ),
    Case("defensive_missiles", {}, ["ussr: place 2 television"], {"television": "0-2"}, ussr="3/2/3"),
]


def check(b: Position, case: Case) -> None:
    assert {place: b.cubes(place) for place in case.cubes} == case.cubes
    assert (b.markers("us"), b.markers("ussr"), b.prestige) == (case.us, case.ussr, case.prestige)


@pytest.mark.parametrize("case", SIDE_CARD_CASES, ids=lambda case: case.card)
def test_the_event_of_a_side_card_played_by_its_side(case: Case) -> None:
    b = base(CARDS[case.card].side, **case.position).play(f"event {case.card}", *case.choices)
    assert b.turn_is_over()
    check(b, case)


@pytest.mark.parametrize("case", SIDE_CARD_CASES, ids=lambda case: case.card)
def test_a_triggered_event_does_the_same_inside_the_opponents_turn(case: Case) -> None:
    owner = CARDS[case.card].side
    b = base(other(owner), **case.position)
    b.play(f"command {case.card}", f"{owner}: trigger", *case.choices)
    check(b, case)
    assert b.most("place")["alliances"] == min(CARDS[case.card].cubes, 5)  # the Command is still to come
    b.play(f"{other(owner)}: done")
    assert (b.turn_is_over(), b.to_move()) == (True, owner)


def test_every_side_card_is_in_the_cases() -> None:
    assert [case.card for case in SIDE_CARD_CASES] == [card.id for card in CARDS.values() if card.side != "un"]


# United Nations.


@pytest.mark.parametrize("side", SIDES)
def test_speech_to_the_nation_spreads_three_cubes_over_world_opinion(side: str) -> None:
    b = base(side).play("event speech_to_the_nation")
    assert b.most("place") == up_to(2, WORLD_OPINION)
    assert "done" in b.legal()
    b.play("place 2 television")
    assert b.most("place") == up_to(1, ("united_nations", "alliances"))
    b.play("place 1 alliances")
    assert b.turn_is_over()
    assert b.cubes("television") == ("2-0" if side == "us" else "0-2")
    assert (b.markers("us"), b.markers("ussr")) == ("2/3/2", "3/2/2")  # no icon


@pytest.mark.parametrize(("side", "markers"), [("us", "2/3/4"), ("ussr", "3/2/4")])
def test_the_guns_of_august_move_one_own_marker_then_command_one(side: str, markers: str) -> None:
    b = base(side).play("event the_guns_of_august")
    before = {"us": (2, 3, 2), "ussr": (3, 2, 2)}[side]
    tracks = ("military", "political", "world_opinion")
    ways = [shifts(track, least=max(1 - step, -2), most=2) for track, step in zip(tracks, before, strict=True)]
    assert set(b.legal()) == set().union(*ways)
    b.play("shift world_opinion +2")
    assert b.markers(side) == markers
    assert b.most("place") == up_to(1, EVERYWHERE)
    b.play("place 1 television")
    assert b.turn_is_over()
    assert b.markers(side) == markers


def test_the_guns_of_august_may_move_no_marker_and_remove_a_cube() -> None:
    b = base().play("event the_guns_of_august", "done", "remove 1 italy")
    assert (b.cubes("italy"), b.markers("us"), b.turn_is_over()) == ("0-0", "2/3/2", True)


def test_fifty_fifty_moves_up_to_two_markers_of_the_leader_on_television() -> None:
    b = base(television="2-1").play("event fifty_fifty")
    assert set(b.legal()) == shifts("military", "political", "world_opinion", least=-1, most=1)
    b.play("us: shift military +1")
    assert set(b.legal()) == shifts("political", "world_opinion", least=-1, most=1)
    b.play("us: shift world_opinion -1")
    assert (b.markers("us"), b.turn_is_over()) == ("3/3/1", True)


@pytest.mark.parametrize("choices", [["done"], ["shift political -1", "done"]])
def test_fifty_fifty_may_be_less(choices: list[str]) -> None:
    b = base(television="1-0").play("event fifty_fifty", *choices)
    assert b.turn_is_over()
    assert b.markers("us") == ("2/3/2" if len(choices) == 1 else "2/2/2")


def test_sops_add_a_cube_to_own_commands_only() -> None:
    b = base().play("event sops")
    assert b.turn_is_over()
    b.play("command scramble")
    assert b.most("place")["atlantic"] == 3  # the USSR
    b.play("done", "command quarantine")
    assert b.most("place")["atlantic"] == 2  # the US


@pytest.mark.parametrize("side", SIDES)
def test_close_allies_spread_two_cubes_over_the_political_battlegrounds(side: str) -> None:
    b = base(side).play("event close_allies")
    assert b.most("place") == up_to(2, POLITICAL)
    b.play("place 1 cuba_political", "place 1 turkey")
    assert b.turn_is_over()
    assert b.cubes("turkey") == ("2-0" if side == "us" else "1-1")
    assert (b.markers("us"), b.markers("ussr")) == ("2/3/2", "3/2/2")


def test_intelligence_reports_take_a_random_card_which_may_be_discarded() -> None:
    b = base().play("event intelligence_reports")
    assert b.to_move() == "chance"
    assert set(b.legal()) == {f"take {card}" for card in b.hand("ussr")}
    b.play("take sops")
    assert (b.where("sops"), b.state.hand[1]) == (CardIs.TAKEN, 4)
    # The US still holds the letter and may use it: the card is played as normal (R25).
    assert set(b.legal()) == {"event sops", "command sops", "command sops letter", "discard"}
    b.play("us: discard")
    assert b.where("sops") == CardIs.DISCARDED
    assert b.to_move() == "chance"
    b.play("draw quarantine")
    assert "quarantine" in b.hand("ussr")
    assert (b.to_move(), b.where("intelligence_reports"), list(b.state.hand)) == ("ussr", CardIs.DISCARDED, [4, 5])


def test_intelligence_reports_play_the_taken_card_as_normal() -> None:
    b = base().play("event intelligence_reports", "take sops", "us: event sops")
    assert list(b.state.modifier) == [1, 0]  # for the taker
    b.play("draw quarantine")
    assert (b.to_move(), b.state.turn) == ("ussr", 1)


def test_intelligence_reports_may_take_summit_meeting() -> None:
    """The taker exchanges its own hand; two events are open, each draws its own cards."""
    b = base().hand_over("ussr", "summit_meeting")
    b.play("event intelligence_reports", "take summit_meeting", "us: event summit_meeting")
    held = sorted(b.hand("us"))[:2]
    b.play(f"discard {held[0]}", f"discard {held[1]}", "done", "draw quarantine", "draw excomm", "draw maskirovka")
    assert {"quarantine", "excomm"} <= b.hand("us")
    assert "maskirovka" in b.hand("ussr")
    assert (b.to_move(), list(b.state.hand)) == ("ussr", [4, 5])


def test_summit_meeting_exchanges_any_number_of_cards() -> None:
    b = base().hand_over("us", "summit_meeting", "quarantine", "excomm")
    b.play("event summit_meeting")
    assert set(b.legal()) == {"done", *(f"discard {card}" for card in b.hand("us"))}
    b.play("discard quarantine", "discard excomm", "done")
    assert (b.where("quarantine"), b.where("excomm"), b.state.hand[0]) == (CardIs.DISCARDED, CardIs.DISCARDED, 2)
    assert set(b.legal()) == {f"draw {card}" for card in b.cards_in(CardIs.IN_DECK)}
    b.play("draw air_strike", "draw maskirovka")
    assert {"air_strike", "maskirovka"} <= b.hand("us")
    assert (b.to_move(), b.state.hand[0]) == ("ussr", 4)


def test_summit_meeting_may_exchange_nothing_or_the_whole_hand() -> None:
    b = base().play("event summit_meeting", "done")
    assert (b.turn_is_over(), b.state.hand[0]) == (True, 4)
    b = base().play("event summit_meeting")
    for card in sorted(b.hand("us")):
        b.play(f"discard {card}")
    assert b.to_move() == "chance"  # nothing is left to discard
    b.let_chance()
    assert (b.turn_is_over(), b.state.hand[0]) == (True, 4)


def test_to_the_brink_takes_a_cube_from_the_opponents_commands() -> None:
    b = base("ussr").play("event to_the_brink")
    assert b.turn_is_over()
    b.play("command scramble")
    assert b.most("place")["atlantic"] == 2
    b.play("done", "command lessons_of_munich", "us: decline")
    assert b.most("place")["atlantic"] == 3


@pytest.mark.parametrize("side", SIDES)
def test_nuclear_submarines_spread_two_cubes_over_the_military_battlegrounds(side: str) -> None:
    b = base(side).play("event nuclear_submarines")
    assert b.most("place") == up_to(2, MILITARY)
    b.play("place 2 atlantic")
    assert b.turn_is_over()
    assert (b.markers("us"), b.markers("ussr")) == ("2/3/2", "3/2/2")


@pytest.mark.parametrize(("side", "us", "ussr"), [("us", "1/2/1", "3/2/2"), ("ussr", "2/3/2", "2/1/1")])
def test_u_thant_lowers_all_own_markers(side: str, us: str, ussr: str) -> None:
    b = base(side).play("event u_thant")
    assert (b.turn_is_over(), b.markers("us"), b.markers("ussr")) == (True, us, ussr)


def test_containment_bans_the_opponent() -> None:
    b = base("ussr").play("event containment")
    assert (b.turn_is_over(), list(b.state.ban)) == (True, [1, 0])
    assert b.play("event u_thant").markers("us") == "2/3/2"


def test_a_face_saver_lets_both_command() -> None:
    b = base().play("event a_face_saver")
    assert b.most("place")["atlantic"] == 3
    b.play("us: place 3 atlantic")
    assert (b.to_move(), b.most("place")["atlantic"], b.turn_is_over()) == ("ussr", 1, False)
    b.play("ussr: place 1 atlantic")
    assert (b.cubes("atlantic"), b.markers("us"), b.markers("ussr")) == ("3-1", "4/3/2", "3/2/2")
    assert (b.turn_is_over(), b.to_move()) == (True, "ussr")


def test_a_face_saver_may_be_declined_by_both() -> None:
    b = base()
    before = b.board()
    assert b.play("event a_face_saver", "us: done", "ussr: done").board() == before
    assert b.turn_is_over()


def test_scramble_places_one_cube_on_each_of_three_battlegrounds() -> None:
    b = base().play("event scramble")
    assert b.most("place") == up_to(1, EVERYWHERE)
    b.play("place 1 berlin", "place 1 italy")
    assert set(b.most("place")) == set(EVERYWHERE) - {"berlin", "italy"}
    b.play("place 1 television")
    assert (b.turn_is_over(), b.markers("us")) == (True, "2/3/2")
    assert base().play("event scramble", "place 1 berlin", "done").turn_is_over()


# United States.


def test_mathematical_precision_moves_only_the_political_marker() -> None:
    b = base().play("event mathematical_precision")
    assert set(b.legal()) == shifts("political", least=-2, most=2)
    b.play("done")
    assert b.most("place") == up_to(1, EVERYWHERE)
    assert b.most("remove") == up_to(1, ("italy", "turkey"))


def test_excomm_needs_battlegrounds_without_us_cubes() -> None:
    b = base().play("event excomm")
    assert b.most("place") == up_to(2, tuple(place for place in EVERYWHERE if place not in ("italy", "turkey")))
    b.play("place 1 berlin", "place 1 atlantic", "place 1 television", "place 1 alliances")
    assert (b.turn_is_over(), b.markers("us")) == (True, "2/3/2")  # one cube on each is free
    assert base().play("event excomm", "done").turn_is_over()


def test_public_protests_clear_one_battleground_without_deflating() -> None:
    b = base(italy="5-0").play("event public_protests")
    assert b.most("remove") == {"italy": 5, "turkey": 1}
    b.play("remove 5 italy")
    assert (b.turn_is_over(), b.cubes("italy"), b.markers("us"), b.supply("us")) == (True, "0-0", "2/3/2", 16)
    assert base().play("event public_protests", "done").turn_is_over()


def test_lessons_of_munich_spread_four_cubes_over_berlin_italy_and_turkey() -> None:
    b = base().play("event lessons_of_munich")
    assert b.most("place") == up_to(2, ("berlin", "italy", "turkey"))
    b.play("place 2 berlin", "place 1 italy", "place 1 turkey")
    assert b.turn_is_over()
    assert base().play("event lessons_of_munich", "place 1 berlin", "done").turn_is_over()


def test_operation_mongoose_lets_the_ussr_move_a_us_marker_one_step() -> None:
    b = base().play("event operation_mongoose")
    assert (b.prestige, b.to_move()) == (1, "ussr")
    assert set(b.legal()) == shifts("military", "political", "world_opinion", least=-1, most=1)
    b.play("done")
    assert (b.turn_is_over(), b.markers("us")) == (True, "2/3/2")


def test_air_strike_halves_one_cuba_battleground_or_reinforces_alliances() -> None:
    b = base(cuba_military="0-5", cuba_political="0-2").play("event air_strike")
    assert b.legal() == ["choose 1", "choose 2"]
    half = b.copy().play("choose 1")
    assert half.legal() == ["remove 3 cuba_military", "remove 1 cuba_political"]  # exactly the half, of one of them
    half.play("remove 3 cuba_military")
    assert (half.turn_is_over(), half.cubes("cuba_military"), half.markers("ussr")) == (True, "0-2", "3/2/2")
    place = b.play("choose 2")
    assert place.most("place") == {"alliances": 2}
    place.play("done")
    assert (place.turn_is_over(), place.cubes("alliances")) == (True, "0-0")


def test_non_invasion_pledge_may_remove_less_and_moves_the_political_marker() -> None:
    b = base(turkey="1-5").play("event non_invasion_pledge")
    assert b.most("remove") == {"turkey": 2}
    b.play("remove 1 turkey")
    assert set(b.legal()) == shifts("political", least=-2, most=2)
    b.play("done")
    assert (b.turn_is_over(), b.cubes("turkey")) == (True, "1-4")
    assert (b.markers("us"), b.markers("ussr")) == ("2/3/2", "3/2/2")


def test_offensive_missiles_place_one_cube_on_each_political_battleground() -> None:
    b = base().play("event offensive_missiles")
    assert b.most("place") == up_to(1, POLITICAL)
    assert base().play("event offensive_missiles", "done").turn_is_over()


@pytest.mark.parametrize(("us", "works"), [("2/3/2", True), ("2/4/2", False), ("2/7/2", False)])
def test_offensive_missiles_depend_on_the_political_marker(us: str, works: bool) -> None:
    assert base(us=us).play("event offensive_missiles").turn_is_over() != works


def test_invasion_of_cuba_trades_steps() -> None:
    b = base(us="2/3/1").play("event invasion_of_cuba")
    assert set(b.legal()) == shifts("military", least=1, most=2)
    two = b.copy().play("shift military +2")
    assert set(two.legal()) == {"shift political -2", "done"}  # world opinion is on 1 already
    assert two.play("done").markers("us") == "4/3/1"
    assert set(b.copy().play("shift military +1").legal()) == {"shift political -1", "done"}
    none = b.play("done")
    assert (none.turn_is_over(), none.markers("us")) == (True, "2/3/1")


def test_invasion_of_cuba_stops_the_second_marker_at_1() -> None:
    b = base(us="2/2/5").play("event invasion_of_cuba", "shift military +2")
    assert set(b.legal()) == {"shift political -1", "shift world_opinion -2", "done"}
    assert b.play("shift political -1").markers("us") == "4/1/5"


def test_quarantine_places_two_cubes_on_the_atlantic() -> None:
    b = base().play("event quarantine")
    assert set(b.legal()) == {"place 1 atlantic", "place 2 atlantic", "done"}
    assert b.play("place 2 atlantic").markers("us") == "2/3/2"
    assert base(atlantic="5-0").play("event quarantine").legal() == ["done"]


def test_u2_photographs_command_three_cubes_onto_a_military_battleground() -> None:
    b = base(atlantic="3-0").play("event u2_photographs")
    assert b.most("place") == {"cuba_military": 3, "atlantic": 2, "berlin": 3}
    assert b.most("remove") == {}
    assert b.play("done").turn_is_over()


def test_wave_and_smile_moves_at_most_two_cubes() -> None:
    b = base(alliances="3-0").play("event wave_and_smile")
    assert b.most("remove") == {"italy": 1, "turkey": 1, "alliances": 2}
    one = b.copy().play("remove 1 alliances", "done")
    assert set(one.most("place")) == set(EVERYWHERE) - {"alliances"}
    assert "done" not in one.legal()  # what was taken must be placed
    one.play("place 1 italy")
    assert (one.turn_is_over(), one.cubes("alliances"), one.cubes("italy")) == (True, "2-0", "2-0")
    none = b.play("done")
    assert (none.turn_is_over(), none.cubes("alliances")) == (True, "3-0")


def test_wave_and_smile_takes_no_more_than_find_a_place() -> None:
    """With all seventeen cubes on four battlegrounds there is always room; on few and full ones it is tight."""
    b = base(italy="5-0", turkey="5-0", berlin="5-0", atlantic="2-0").play("event wave_and_smile", "remove 2 atlantic")
    assert set(b.most("place")) == {"cuba_military", "cuba_political", *WORLD_OPINION}
    b.play("place 1 television")
    assert "done" not in b.legal()
    b.play("place 1 alliances")
    assert (b.turn_is_over(), b.supply("us")) == (True, 0)


@pytest.mark.parametrize(("us", "works"), [("4/3/2", True), ("3/3/2", False), ("2/3/2", False)])
def test_eyeball_to_eyeball_needs_the_higher_military_marker(us: str, works: bool) -> None:
    b = base(us=us).play("event eyeball_to_eyeball")
    assert b.turn_is_over() != works
    if works:
        assert b.most("place") == up_to(3, ("cuba_military", "cuba_political"))
        assert b.play("place 3 cuba_political").markers("us") == "4/5/2"


# Soviet Union.


def test_mrbms_irbms_move_the_military_marker_then_command_one() -> None:
    b = base("ussr").play("event mrbms_irbms")
    assert set(b.legal()) == shifts("military", least=-2, most=2)
    b.play("done")
    assert b.most("place") == up_to(1, EVERYWHERE)
    assert b.most("remove") == up_to(1, ("cuba_military", "berlin"))
    assert b.play("remove 1 berlin").markers("ussr") == "3/2/2"


def test_moscow_is_our_brain_spreads_four_cubes_where_the_ussr_has_cubes() -> None:
    b = base("ussr", berlin="0-4").play("event moscow_is_our_brain")
    assert b.most("place") == {"cuba_military": 2, "berlin": 1}
    assert b.play("place 1 berlin", "place 2 cuba_military").markers("ussr") == "4/2/2"
    assert b.turn_is_over()  # a fourth cube has no place
    assert base("ussr").play("event moscow_is_our_brain", "done").turn_is_over()


def test_missile_trade_removes_three_cubes_in_total() -> None:
    b = base("ussr", turkey="1-2", cuba_military="0-5").play("event missile_trade")
    assert b.most("remove") == {"cuba_military": 3, "berlin": 1, "turkey": 2}
    b.play("remove 2 cuba_military")
    assert b.markers("ussr") == "2/2/2"
    assert b.most("remove") == {"berlin": 1, "turkey": 1}
    b.play("done")
    assert (b.turn_is_over(), b.cubes("cuba_military"), b.markers("ussr")) == (True, "0-3", "2/2/2")


def test_fidel_castro_spreads_three_cubes_over_cuba() -> None:
    b = base("ussr", cuba_military="0-3").play("event fidel_castro")
    assert b.most("place") == {"cuba_military": 2, "cuba_political": 3}
    b.play("place 2 cuba_military", "place 1 cuba_political")
    assert (b.turn_is_over(), b.markers("ussr")) == (True, "3/2/2")
    assert base("ussr").play("event fidel_castro", "done").turn_is_over()


def test_berlin_blockade_lets_the_us_move_a_ussr_marker_two_steps() -> None:
    b = base("ussr").play("event berlin_blockade")
    assert (b.prestige, b.to_move()) == (-2, "us")
    expected = shifts("military", least=-2, most=2) | shifts("political", "world_opinion", least=-1, most=2)
    assert set(b.legal()) == expected
    b.play("done")
    assert (b.turn_is_over(), b.markers("ussr")) == (True, "3/2/2")


def test_suez_hungary_asks_nothing() -> None:
    b = base("ussr", italy="3-1").play("event suez_hungary")
    assert (b.turn_is_over(), b.cubes("italy"), b.markers("ussr")) == (True, "3-4", "3/2/2")


@pytest.mark.parametrize(("ussr", "works"), [("3/2/2", True), ("4/2/2", False)])
def test_maskirovka_needs_the_military_marker_in_defcon_3(ussr: str, works: bool) -> None:
    b = base("ussr", ussr=ussr).play("event maskirovka")
    assert b.turn_is_over() != works
    if works:
        assert b.most("place") == up_to(1, MILITARY)
        b.play("place 1 berlin", "place 1 atlantic", "place 1 cuba_military")
        assert (b.turn_is_over(), b.markers("ussr")) == (True, "3/2/2")


def test_bay_of_pigs_the_us_chooses() -> None:
    b = base("ussr", alliances="3-1").play("event bay_of_pigs")
    assert (b.to_move(), b.legal()) == ("us", ["choose 1", "choose 2"])
    removed = b.copy().play("choose 1")
    assert (removed.cubes("alliances"), list(removed.state.ban), removed.turn_is_over()) == ("1-1", [0, 0], True)
    banned = b.play("choose 2")
    assert (banned.cubes("alliances"), list(banned.state.ban), banned.turn_is_over()) == ("3-1", [1, 0], True)


def test_turn_back_the_ships_lowers_the_highest_marker() -> None:
    b = base("ussr", ussr="3/2/6").play("event turn_back_the_ships")
    assert set(b.legal()) == shifts("world_opinion", least=-2, most=-1)
    assert b.play("shift world_opinion -1").markers("ussr") == "3/2/5"
    assert base("ussr").play("event turn_back_the_ships", "done").turn_is_over()
    assert base("ussr", ussr="1/1/1").play("event turn_back_the_ships").legal() == ["done"]


def test_strategic_balance_places_three_cubes_on_the_atlantic() -> None:
    b = base("ussr", atlantic="0-3").play("event strategic_balance")
    assert b.most("place") == {"atlantic": 2}
    assert b.play("place 2 atlantic").markers("ussr") == "4/2/2"
    assert base("ussr").play("event strategic_balance", "place 1 atlantic").markers("ussr") == "3/2/2"


def test_national_liberation_commands_three_cubes_onto_a_political_battleground() -> None:
    b = base("ussr", italy="1-1").play("event national_liberation")
    assert b.most("place") == up_to(3, POLITICAL)
    assert b.most("remove") == {}
    assert b.play("place 2 italy").markers("ussr") == "3/3/2"
    assert b.turn_is_over()


def test_u2_downed_halves_us_cubes_on_the_cuba_battleground_the_ussr_picks() -> None:
    b = base("ussr", cuba_military="2-1", cuba_political="5-0").play("event u2_downed")
    assert b.most("place") == {"turkey": 2}
    b.play("done")
    assert (b.to_move(), b.legal()) == ("ussr", ["remove 1 cuba_military", "remove 3 cuba_political"])
    b.play("remove 3 cuba_political")
    assert (b.turn_is_over(), b.cubes("cuba_political"), b.markers("us")) == (True, "2-0", "2/3/2")


def test_u2_downed_may_name_an_empty_cuba_battleground() -> None:
    b = base("ussr", cuba_political="3-0").play("event u2_downed", "place 2 turkey")
    assert set(b.legal()) == {"remove 2 cuba_political", "done"}
    assert b.play("done").cubes("cuba_political") == "3-0"


def test_defensive_missiles_spread_two_cubes_over_television_and_the_united_nations() -> None:
    b = base("ussr").play("event defensive_missiles")
    assert b.most("place") == up_to(2, ("united_nations", "television"))
    assert base("ussr").play("event defensive_missiles", "done").turn_is_over()
