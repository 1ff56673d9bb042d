"""Rulings R1 to R54 and their options in both values, as far as no golden case or card test shows them."""

from __future__ import annotations

import pytest

from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA, Area
from support.ukrainian_crisis.builders import MEDIUM, SMALL, Position

MAXIMUM = "maximum maximum maximum"
Value = str | bool


def only(name: str, value: Value) -> dict[str, Value]:
    return {name: value}


def test_r1_cards_are_chosen_from_the_pack_or_by_option_drawn_from_it() -> None:
    p = Position().draw()
    p.pass_on()
    assert len(p.legal("ua")) == 27
    p = Position(only("resource_selection", "random_draw")).draw()
    p.play("deal small", "deal small", "deal medium", "deal small", "deal small", "deal maximum")
    assert p.legal("ua") == {"place small small medium", "place small medium small", "place medium small small"}
    assert len(p.legal("ru")) == 3


def test_r5_a_terrible_resolve_in_turn_1_is_shuffled_in_again_by_option() -> None:
    p = Position(only("resolve_turn1", "reshuffle_and_redraw"), turn=1).play("draw a_terrible_resolve", "reshuffle")
    assert p.state.drawer == UA
    assert "draw a_terrible_resolve" in p.legal()


def test_r7_turn_1_may_be_a_combat_turn_by_option() -> None:
    p = Position(only("first_turn_combat", True), turn=1).draw().place(SMALL, SMALL)
    assert p.state.node == s.Node.DECLARE


def test_r8_declarations_are_secret_or_by_option_open_and_the_leaders_first() -> None:
    p = Position(only("declaration", "leader_first_open")).draw().place(SMALL, SMALL)
    assert (p.actor, p.legal("ua")) == (RU, set())
    p.play("declare combat")
    assert p.game.view_of(p.state, OBSERVER).declared[RU] == s.TurnType.COMBAT
    assert p.actor == UA


def test_r9_a_ceasefire_may_leave_the_diplomatic_area_open_by_option() -> None:
    p = Position(only("ceasefire_keeps_diplomacy", True)).open_turn(ua=MEDIUM, ru=SMALL, combat="ru")
    p.play("ceasefire", "roll 6", "roll 1", "first ua")
    assert p.rp == (5, 1)
    assert "up GB" in p.legal()
    p.play("done", "done")
    assert p.legal() == {"area military", "area information"}


@pytest.mark.parametrize(("shown", "left"), [(True, (9, 8)), (False, (10, 8))])
def test_r11_unused_diplomatic_cards_are_shown_or_by_option_not(shown: bool, left: tuple[int, int]) -> None:
    p = Position(only("show_unused_diplomatic", shown), units={}).open_turn(combat="ua ru").to_operations()
    p.play("roll 1", "roll 1")
    assert p.game.view_of(p.state, RU).pack[UA, :2].tolist() == list(left)
    assert p.state.pack[UA, :2].tolist() == [9, 8]


def test_r12_the_allies_points_count_in_a_ceasefire_and_are_then_used_up() -> None:
    p = Position(boxes={"GB": "intervention"}).open_turn(combat="ru").play("ceasefire", "roll 1", "roll 4")
    assert p.actor == UA
    p.play("allies 2")
    assert (p.state.turn_type, p.state.ally_rp) == (s.TurnType.COMBAT, 0)
    p = Position(boxes={"GB": "intervention"}).open_turn(combat="ru").play("ceasefire", "roll 2", "roll 4", "allies 2")
    assert p.state.turn_type == s.TurnType.STRATEGIC


def test_r13_the_allies_points_are_one_pool_for_all_segments() -> None:
    p = Position(boxes={"GB": "intervention"}, units={"KYO": "ua_ground ua_airborne", "SEV": ""})
    p.open_turn(ua=MEDIUM, ru=SMALL, combat="ua ru").to_operations().play("roll 1", "roll 1")
    p.state.rp[0] = 0
    p.play("unit ua_ground KYO", "zone CHK")
    assert (p.state.ally_rp, p.state.ally_area) == (1, Area.MILITARY)
    p.play("done", "roll 1", "roll 1")
    p.state.rp[0] = 0
    p.play("unit ua_ground CHK", "zone KIR")
    assert p.state.turn == 3


def test_r14_who_acts_first_is_judged_anew_in_each_area() -> None:
    p = Position(prestige=(33, 32)).open_area("information")
    assert p.actor == UA
    p.play("first ua", "done", "increase", "roll 6")
    assert p.prestige == (33, 36)
    p.play("roll 1", "roll 1")
    assert (p.state.node, p.actor) == (s.Node.WHO_FIRST, RU)


def test_r15_information_rolls_follow_the_choice_or_by_option_the_reveal() -> None:
    p = Position(only("information_roll", "at_reveal")).open_area("information").play("roll 5", "roll 2")
    assert p.rp == (3, 2)
    p.play("first ua", "increase")
    assert p.prestige == (19, 32)
    p.play("reduce", "roll 6")
    assert p.prestige == (19 - 4, 32 - 2)


@pytest.mark.parametrize("when", ["after_choice", "at_reveal"])
def test_r16_by_option_each_side_rolls_its_own_card_in_a_reduce(when: str) -> None:
    p = Position({"reduce_rolls": "one_each", "information_roll": when}).open_area("information", ua=MEDIUM)
    if when == "at_reveal":
        p.play("roll 6", "roll 1", "first ua", "reduce")
    else:
        p.play("first ua", "reduce", "roll 6", "roll 1")
    assert p.prestige == (15, 27)


def test_r17_the_allies_points_help_in_information() -> None:
    setup = {"boxes": {"GB": "intervention"}}
    p = Position(**setup).open_area("information").play("first ua", "increase", "roll 1", "allies 2")
    assert p.prestige[0] == 19
    p = Position(**setup).open_area("information").play("first ua", "reduce", "roll 1", "roll 2", "allies 1")
    assert p.prestige == (15, 29)
    p = Position(only("ally_rp_in_information", False), **setup).open_area("information")
    p.play("first ua", "increase", "roll 1")
    assert p.prestige[0] == 17


def test_r17_the_allies_points_raise_the_threshold() -> None:
    p = Position(boxes={"GB": "intervention"}, units={"DON": "ru_ground"}).open_area("information")
    p.play("first ua", "neutralise", "roll 1", "allies 2", "unit ru_ground DON", "roll 3")
    assert p.units("DON") == "ru_ground*"


def test_r18_doubles_in_a_segment_count_or_by_option_do_not() -> None:
    for value, prestige in ((True, (16, 26)), (False, (16, 32))):
        p = Position(only("critical_on_segment_rolls", value), units={"SEV": "ru_ground"})
        p.open_turn(ru=MAXIMUM, combat="ua ru").to_operations().play("roll 2 2")
        assert (p.prestige, p.rp[1]) == (prestige, 4)


@pytest.mark.parametrize(("chooser", "actor"), [("russia", RU), ("roller", UA), ("random", 2)])
def test_r20_who_names_the_zone_of_secession(chooser: str, actor: int) -> None:
    p = Position(only("critical_zone_chooser", chooser)).open_area("military", ua=MAXIMUM).play("roll 5 5", "roll 1")
    assert p.actor == actor
    assert len(p.legal()) == 6


@pytest.mark.parametrize("is_home", [True, False])
def test_r22_a_union_zone_is_russian_home_or_by_option_not(is_home: bool) -> None:
    p = Position(only("union_is_russian_home", is_home), units={"mobilisation": "ru_ground"})
    p.state.union = 1 << p.game.data.zone_index("DON")
    p.open_area("military").play("roll 1", "roll 1", "first ru", "unit ru_ground mobilisation")
    assert ("zone DON" in p.legal()) is is_home


def test_r24_either_side_may_push_either_way() -> None:
    p = Position().open_area("diplomatic").play("roll 1", "roll 6", "first ru")
    assert {"up GB", "down US", "down PL", "up BY"} <= p.legal()
    assert "down GB" not in p.legal()


@pytest.mark.parametrize("again", [False, True])
def test_r26_a_second_end_check_after_income_is_an_option(again: bool) -> None:
    p = Position(only("end_check_after_income", again), prestige=(16, 3), units={})
    p.open_turn(combat="ua ru").to_operations().play("roll 1", "roll 1")
    assert p.is_over is again


@pytest.mark.parametrize("own", ["home", "controlled"])
def test_r27_an_own_zone_is_the_home_country_or_by_option_what_the_enemy_does_not_control(own: str) -> None:
    p = Position(only("own_zone", own), units={"mobilisation": "ua_ground", "DON": "ru_militia ua_militia*"})
    p.open_area("military").play("roll 1", "roll 1", "first ua", "unit ua_ground mobilisation")
    assert ("zone DON" in p.legal()) is (own == "home")


def test_r28_a_neutralised_own_unit_lets_a_regular_in_beside_enemies() -> None:
    p = Position(units={"mobilisation": "ua_ground", "DON": "ua_militia* ru_ground", "LUH": "ru_ground"})
    p.open_area("military").play("roll 1", "roll 1", "first ua", "unit ua_ground mobilisation")
    assert "zone DON" in p.legal()
    assert "zone LUH" not in p.legal()


def test_r29_relocation_cures_by_option() -> None:
    p = Position(only("relocation_cures", True), units={"DON": "ua_ground*"}).open_area("military")
    p.play("roll 1", "roll 1", "first ua", "unit ua_ground neutralised DON")
    assert p.units("mobilisation") == "ua_ground"


def test_r30_special_forces_are_targets_only_by_option_and_then_open_no_zone() -> None:
    units = {"DON": "ru_special", "mobilisation": "ru_militia", "SUM": "ru_ground"}
    p = Position(units=units).open_area("information").play("first ua", "neutralise", "roll 6")
    assert p.legal() == {"unit ru_ground SUM"}
    p = Position(only("neutralise_sf", True), units=units)
    p.open_turn().play("area information", "area military", "first ua", "neutralise", "roll 6", "unit ru_special DON")
    p.play("roll 1", "done", "roll 1", "roll 1", "first ru")
    assert p.units("DON") == "ru_special*"
    assert "unit ru_militia mobilisation" not in p.legal()


@pytest.mark.parametrize("is_open", [False, True])
def test_r31_special_forces_move_through_closed_states_and_into_romania_only_by_option(is_open: bool) -> None:
    p = Position(only("romania_open_to_sf", is_open), units={"ODE": "ru_special"}).open_half("ru", 1)
    p.play("unit ru_special ODE")
    assert "zone MDA" in p.legal()
    assert ("zone ROU" in p.legal()) is is_open


def test_r33_spontaneous_mobilisation_from_reserve_only_is_an_option() -> None:
    event = "spontaneous_mobilization_spades"
    p = Position(only("spontaneous_source", "reserve_only")).draw(ua=event).play(f"play {event}")
    assert p.event_is_discarded(event)
    assert p.units("SUM") == ""


def test_r34_by_option_every_unit_that_acts_brings_its_own_bonus() -> None:
    p = Position(only("rally_mode", "per_unit"), units={"mobilisation": "ua_militia ua_militia"})
    p.draw(ua="rally_for_the_motherland").play("play rally_for_the_motherland")
    assert p.state.bonus[0] == 0
    p.place(SMALL, SMALL).play("ua: declare strategic", "ru: declare strategic", "area military", "area diplomatic")
    p.play("roll 1", "roll 1", "first ua", "unit ua_militia mobilisation", "zone SUM", "roll 5")
    assert (p.rp[0], p.state.bonus[0]) == (0, 3)


@pytest.mark.parametrize(("units", "reaches"), [("all_regulars", True), ("naval_only", False)])
def test_r36_any_regular_moves_by_sea_or_by_option_only_naval_infantry(units: str, reaches: bool) -> None:
    setup = {"units": {"SEV": "ru_ground ru_naval"}}
    p = Position(only("amphibious_units", units), **setup).open_half("ru", 1).play("unit ru_ground SEV")
    assert ("zone ODE" in p.legal()) is reaches
    p = Position(only("amphibious_units", units), **setup).open_half("ru", 1).play("unit ru_naval SEV")
    assert "zone ODE" in p.legal()


@pytest.mark.parametrize("azov", [False, True])
def test_r37_the_sea_of_azov_counts_only_by_option(azov: bool) -> None:
    p = Position(only("azov_is_black_sea", azov), units={"SEV": "ru_ground", "DON": "ua_ground"}).open_half("ru", 1)
    assert ("zone DON" in p.play("unit ru_ground SEV").legal()) is azov
    p = Position(only("azov_is_black_sea", azov), units={"DON": "ua_ground"}).open_half("ua", 1)
    assert ("zone ODE" in p.play("unit ua_ground DON").legal()) is azov


def test_r38_a_unit_acts_once_in_a_half_and_irregulars_recover() -> None:
    p = Position(units={"DON": "ua_militia* ua_ground*"}).open_half("ua", 3)
    assert p.legal() == {"recover ua_militia DON", "recover ua_ground DON", "unit ua_ground neutralised DON", "done"}
    p.play("unit ua_ground neutralised DON", "zone ZAP")
    assert p.legal() == {"recover ua_militia DON", "done"}


def test_r43_a_unit_may_be_named_twice_and_is_neutralised_once() -> None:
    p = Position(units={"DON": "ua_ground ua_ground"}).open_area("information", ru=MAXIMUM)
    p.play("first ru", "neutralise", "roll 1 2", *["unit ua_ground DON"] * 3)
    p.play("roll 1", "roll 6", "roll 1")
    assert p.units("DON") == "ua_ground ua_ground*"
    assert "done" in p.legal()


def test_r43_fewer_targets_than_attempts_are_legal_and_the_threshold_decides() -> None:
    p = Position(units={"DON": "ua_ground"}).open_area("information", ru=MEDIUM)
    p.play("first ru", "neutralise", "roll 1", "unit ua_ground DON", "done", "roll 3")
    assert p.units("DON") == "ua_ground"


def test_r43_no_target_is_named_where_the_roll_itself_has_taken_the_last_one() -> None:
    p = Position(units={"DON": "ua_ground"}).open_area("information", ru=MAXIMUM)
    p.play("first ru", "neutralise", "roll 6 6", "zone DON")  # Union
    assert p.units("DON") == ""
    assert p.legal()
    assert not any(text.startswith("unit") for text in p.legal())


def test_r47_low_odds_spare_the_defender_by_option() -> None:
    options: dict[str, Value] = {
        "ordinary_cards": True,
        "no_randomness": True,
        "nonrandom_low_odds_defender_hits": "0",
    }
    p = Position(options, units={"DON": "ru_militia ua_ground"})
    p.open_turn(ua="1 1 2", ru="1 1 2", combat="ua ru").to_operations().play("zone DON", "unit ru_militia DON")
    p.play("unit ua_ground DON", "fight 1 symbolic")
    assert p.prestige == (16, 31)


def test_r54_cards_that_detente_left_face_down_are_shown() -> None:
    p = Position().open_area("military", ua="maximum medium small").play("roll 1 1", "roll 1")
    assert p.state.turn == 3
    assert p.game.view_of(p.state, RU).pack[UA, :3].tolist() == [11, 7, 3]


# The optional rules.


def test_after_turn_6_the_used_number_cards_are_shuffled_and_six_drawn_in_secret() -> None:
    p = Position({"ordinary_cards": True}, turn=7)
    p.state.pack[:] = 0
    p.draw()
    for _ in range(2):
        p.play("deal 1", "deal 2", "deal 3", "deal 4", "deal 5", "deal 9")
    assert len(p.legal("ua")) == 6 * 5 * 4
    seen = p.game.view_of(p.state, RU)
    assert (seen.pack[UA].sum(), seen.hand[UA].sum(), seen.hand_size[UA]) == (18, 0, 6)
    p.place("1 2 3", "1 2 3")
    assert p.state.hand[UA].tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(("card", "attempts"), [("4", 1), ("7", 2), ("8", 3)])
def test_the_class_of_a_number_card_gives_its_attempts(card: str, attempts: int) -> None:
    p = Position({"ordinary_cards": True, "no_randomness": True}, units={"DON": "ru_ground " * 4})
    p.open_area("information", ua=f"1 1 {card}", ru="1 1 2").play("first ua", "neutralise")
    p.play(*["unit ru_ground DON"] * attempts)
    assert p.units("DON").count("*") == attempts
    assert p.actor == RU


def test_without_chance_the_higher_card_wins_a_ceasefire_and_allies_do_not_count() -> None:
    options: dict[str, Value] = {"ordinary_cards": True, "no_randomness": True}
    p = Position(options, boxes={"GB": "intervention"}).open_turn(ua="1 5 1", ru="1 6 1", combat="ru").play("ceasefire")
    assert p.state.turn_type == s.TurnType.COMBAT
    p = Position(options).open_turn(ua="1 7 1", ru="1 6 1", combat="ru").play("ceasefire")
    assert p.state.turn_type == s.TurnType.STRATEGIC


def test_without_chance_there_are_two_segments_and_the_card_is_the_number_of_units() -> None:
    options: dict[str, Value] = {"ordinary_cards": True, "no_randomness": True}
    p = Position(options, units={"SEV": "ru_ground", "KYO": "ua_ground"})
    p.open_turn(ua="1 1 2", ru="9 1 2", combat="ua ru").to_operations()
    assert (p.state.segments, p.rp[1]) == (2, 9)
