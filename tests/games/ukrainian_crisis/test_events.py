"""Every Event Card and every critical event (sections 4.2 and 11)."""

from __future__ import annotations

import pytest

from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.data import EVENTS
from brinkmanship.games.ukrainian_crisis.rules.names import NOBODY, RU, UA
from support.ukrainian_crisis.builders import SMALL, Position

MAXIMUM = "maximum maximum maximum"
WITHOUT_CHANCE = {"ordinary_cards": True, "no_randomness": True}


def played(ua: str, *texts: str, **setup: object) -> Position:
    """Ukraine holds this card and plays it in the first window."""
    return Position(**setup).draw(ua=ua).play(f"play {ua}", *texts)  # type: ignore[arg-type]


@pytest.mark.parametrize("event", [card.id for card in EVENTS if not card.immediate])
def test_a_held_card_may_be_passed_in_every_window_and_is_then_discarded(event: str) -> None:
    ru = "flight_370" if event != "flight_370" else "united_for_ukraine"
    p = Position(units={}).draw(ua=event, ru=ru).open_turn(combat="ua ru").to_operations()
    p.play("roll 1", "roll 1")
    assert p.state.turn == 3
    assert p.event_is_discarded(event)
    assert p.prestige == (16, 28)


@pytest.mark.parametrize("event", ["united_for_ukraine", "flight_370"])
def test_two_cards_do_nothing(event: str) -> None:
    p = Position().draw(ua=event, ru="isis_crisis").play(f"play {event}")
    assert (p.prestige, p.event_is_discarded(event)) == ((16, 32), True)


def test_runaway_guns_cost_each_side_its_irregulars_in_the_zone() -> None:
    units = {"DON": "ua_militia ua_militia* ru_militia ua_ground", "LUH": "ua_militia", "KHA": "ru_militia"}
    p = Position(units=units).draw(ua="runaway_guns").play("play runaway_guns")
    assert p.legal() == {"zone DON"}
    assert p.play("zone DON").prestige == (14, 31)


def test_runaway_guns_without_such_a_zone_do_nothing() -> None:
    assert played("runaway_guns", units={"DON": "ua_militia"}).prestige == (16, 32)


def test_isis_crisis_in_the_first_window_takes_points_and_prestige_of_three_allies() -> None:
    p = played("isis_crisis", boxes={"GB": "intervention", "DE": "intervention"}).place(SMALL, SMALL)
    assert p.state.ally_rp == 2
    p = Position(boxes={"GB": "intervention"}, units={}).draw(ru="isis_crisis").play("play isis_crisis")
    p.open_turn(combat="ua ru").to_operations().play("roll 1", "roll 1")
    assert p.prestige == (16, 31)


def test_isis_crisis_later_takes_unspent_points_of_those_who_gave_some() -> None:
    p = Position(boxes={"GB": "intervention", "DE": "intervention"}).draw(ru="isis_crisis").place(SMALL, SMALL)
    p.play("ua: declare strategic", "ru: declare strategic", "play isis_crisis", stop_at_windows=True)
    assert p.state.ally_rp == 2


def test_svoboda_shakeup_hits_ukraine_whoever_drew_it() -> None:
    assert Position().draw(ru="svoboda_shakeup").play("roll 4").prestige == (12, 32)


@pytest.mark.parametrize(("die", "loss"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_paid_demonstrators_cost_the_enemy_half_a_die(die: int, loss: int) -> None:
    assert played("paid_demonstrators", f"roll {die}").prestige == (16, 32 - loss)


def test_moldova_opens_even_when_no_regular_is_in_reserve() -> None:
    p = Position(units={"SEV": "ru_ground " * 10 + "ru_airborne " * 4 + "ru_naval ru_naval"})
    p.draw(ua="moldova").play("roll 6")
    assert p.game.public_state(p.state)["opened"] == ["MDA"]
    assert p.units("MDA") == ""


def test_regulars_move_into_open_moldova_and_are_never_deployed_there() -> None:
    p = Position(opened="MDA", units={"mobilisation": "ru_ground ru_special"})
    p.open_area("military").play("roll 1", "roll 3", "first ru", "unit ru_ground mobilisation")
    assert "zone MDA" not in p.legal()
    p.play("zone SEV", "unit ru_special mobilisation")
    assert "zone MDA" in p.legal()
    p = Position(opened="MDA", units={"ODE": "ru_ground"}).open_half("ru", 1).play("unit ru_ground ODE")
    assert "zone MDA" in p.legal()
    p = Position(units={"ODE": "ru_ground ru_special"}).open_half("ru", 1).play("unit ru_ground ODE")
    assert "zone MDA" not in p.legal()


@pytest.mark.parametrize(
    ("box", "die", "opens"),
    [("neutrality", 3, True), ("neutrality", 4, False), ("support", 2, True), ("support", 3, False)],
)
def test_belarus_opens_on_a_low_die(box: str, die: int, opens: bool) -> None:
    p = Position(boxes={"BY": box}).draw(ru="belarus").play(f"roll {die}")
    assert (int(p.state.opened) > 0, p.box("BY")) == (opens, None)


def test_open_belarus_takes_regulars_and_special_forces() -> None:
    p = Position(opened="BLR", units={"mobilisation": "ru_ground ru_special ru_militia", "BLR": "ru_special"})
    p.open_area("military").play("roll 1", "roll 6", "first ru", "unit ru_ground mobilisation")
    assert "zone BLR" in p.legal()
    p.play("zone BLR", "unit ru_special mobilisation")
    assert "zone BLR" in p.legal()
    p.play("zone DON", "unit ru_militia mobilisation")
    assert p.legal() == {"zone DON"}


def test_economic_sanctions_cost_russia_all_ranks_in_support_and_intervention() -> None:
    assert played("economic_sanctions", boxes={"DE": "intervention"}).prestige == (16, 32 - 3 - 1 - 2)


def test_screwed_thumbs_without_an_eligible_country_do_nothing() -> None:
    p = played("screwed_thumbs", boxes={"PL": "neutrality"})
    assert p.prestige == (16, 32)
    assert p.box("US") == "support"


def test_f_eu_leaves_countries_in_neutrality_and_outside_the_eu_alone() -> None:
    p = played("f_eu", boxes={"US": "intervention", "BY": "support"})
    assert (p.box("US"), p.box("BY"), p.box("FR"), p.box("PL")) == (
        "intervention",
        "support",
        "neutrality",
        "neutrality",
    )
    assert p.prestige == (16 + 9, 32)


def test_a_terrible_resolve_is_discarded_in_turn_1() -> None:
    p = Position(turn=1).draw(ua="a_terrible_resolve")
    p.pass_on()
    assert (p.state.resolve, p.event_is_discarded("a_terrible_resolve")) == (NOBODY, True)


def test_a_terrible_resolve_that_is_not_used_changes_nothing() -> None:
    p = Position().draw(ua="a_terrible_resolve").open_turn(combat="ru")
    assert (p.state.node, p.actor) == (s.Node.CEASEFIRE, UA)


@pytest.mark.parametrize("card", ["spades", "clubs"])
def test_spontaneous_mobilization_puts_an_irregular_on_an_own_colour(card: str) -> None:
    event = f"spontaneous_mobilization_{card}"
    p = Position(units={"mobilisation": "ua_militia"}).draw(ua=event).play(f"play {event}")
    assert p.legal() == {"unit ua_militia reserve", "unit ua_militia mobilisation"}
    p.play("unit ua_militia mobilisation")
    assert {"zone KYC", "zone SUM"} <= p.legal()
    assert "zone DON" not in p.legal()
    assert p.play("zone SUM").units("SUM") == "ua_militia"
    assert p.prestige == (16, 32)
    p = Position().draw(ru=event).play(f"play {event}", "unit ru_militia mobilisation", "zone DON")
    assert p.units("DON") == "ru_militia"


def test_rally_gives_points_for_deploying_but_not_for_mobilising() -> None:
    p = played("rally_for_the_motherland", "roll 4", units={"mobilisation": "ua_militia ua_militia ua_militia"})
    assert p.state.bonus[0] == 2
    p.place(SMALL, SMALL).play("ua: declare strategic", "ru: declare strategic", "area military", "area diplomatic")
    p.play("roll 1", "roll 1", "first ua", "unit ua_militia mobilisation", "zone SUM")
    assert (p.rp[0], p.state.bonus[0]) == (1, 1)
    p.play("unit ua_ground reserve")
    assert (p.rp[0], p.state.bonus[0]) == (0, 1)
    assert "unit ua_ground reserve" not in p.legal()
    assert "unit ua_ground mobilisation" in p.legal()


def test_rally_serves_for_moves_and_recoveries_over_all_segments_of_the_turn() -> None:
    p = played("rally_for_the_motherland", "roll 6", units={"KYO": "ua_ground ua_militia*"})
    p.open_turn(combat="ua ru", ua="medium small small").to_operations()
    while p.state.drawer != UA:
        p.play("roll 1")
    p.play("roll 1", "unit ua_ground KYO", "zone CHK", "recover ua_militia KYO")
    assert (p.rp[0], p.state.bonus[0]) == (0, 3)
    p.play("roll 1", "roll 1", "unit ua_ground CHK", "zone KIR")
    assert (p.units("KIR"), p.state.turn) == ("ua_ground", 3)


def test_unit_not_ready_sends_enemy_units_back_to_reserve() -> None:
    p = Position(units={"mobilisation": "ru_ground* ru_special ru_militia"}).draw(ua="unit_not_ready")
    p.play("play unit_not_ready", "roll 3", "unit ru_ground neutralised mobilisation")
    assert "ru_ground*" in p.units("reserve")
    p.play("done")
    assert p.units("mobilisation") == "ru_militia ru_special"
    p = Position(units={"mobilisation": "ru_special"}).draw(ua="unit_not_ready")
    p.play("play unit_not_ready", "roll 6", "unit ru_special mobilisation")
    assert p.state.node == s.Node.PLACE


def test_immediate_cards_are_resolved_leader_first() -> None:
    p = Position(prestige=(5, 4)).draw(ua="svoboda_shakeup", ru="moldova")
    assert p.state.stack[p.state.depth - 1].side == UA
    p.play("roll 6")
    assert p.prestige == (0, 5)
    p.play("roll 1")
    assert p.prestige == (0, 2)


def test_without_chance_belarus_and_moldova_wait_for_the_diplomatic_cards() -> None:
    p = Position(WITHOUT_CHANCE).draw(ua="belarus", ru="svoboda_shakeup")
    p.pass_on()
    assert (p.prestige[0], p.box("BY")) == (13, "neutrality")
    p.open_turn(ua="1 5 1", ru="2 5 2").play("area diplomatic", "area military")
    assert p.game.public_state(p.state)["opened"] == ["BLR"]
    p = Position(WITHOUT_CHANCE).draw(ua="moldova", ru="flight_370").open_turn(ua="1 6 1", ru="2 5 2", combat="ua ru")
    assert (p.prestige, p.state.opened) == ((16, 29), 0)


# Critical events.


def doubles(number: int, *texts: str, options: dict[str, str | bool] | None = None, **setup: object) -> Position:
    """Ukraine rolls doubles in the Military area of a Strategic Turn, Russia a 1."""
    p = Position(options, **setup).open_area("military", ua=MAXIMUM)  # type: ignore[arg-type]
    return p.play(f"roll {number} {number}", "roll 1", *texts)


def test_detente_loses_everything_unresolved() -> None:
    p = doubles(1)
    assert (p.state.turn, p.rp, p.prestige) == (3, (0, 0), (20, 32))


def test_gas_turned_off_costs_ukraine_a_die() -> None:
    p = doubles(3, "roll 5")
    assert (p.prestige, p.rp[0]) == ((11, 32), 6)


def test_nato_activity_does_nothing() -> None:
    p = doubles(4)
    assert (p.prestige, p.rp[0]) == ((16, 32), 8)


def test_secession_neutralises_the_ukrainian_irregulars_of_a_border_zone() -> None:
    units = {"DON": "ua_militia ua_militia* ua_ground ru_militia"}
    p = doubles(5, units=units)
    assert p.actor == RU
    assert p.legal() == {"zone CHN", "zone SUM", "zone CRI", "zone KHA", "zone DON", "zone LUH"}
    p.play("zone DON")
    assert p.units("DON") == "ru_militia ua_ground ua_militia* ua_militia*"
    assert (p.state.union, p.rp[0]) == (0, 10)


def test_union_takes_zone_after_zone_until_none_is_left() -> None:
    p = doubles(6, "zone SUM")
    assert p.state.node == s.Node.WHO_FIRST
    p.state.union = p.rules.border
    p = doubles(6)
    p.state.union = p.rules.border & ~(1 << p.game.data.zone_index("SUM"))
    assert p.legal() == {"zone SUM"}
    p.play("zone SUM")
    assert p.state.union == p.rules.border


def test_the_leaders_critical_event_comes_first_and_detente_last() -> None:
    p = Position().open_area("military", ua=MAXIMUM, ru=MAXIMUM).play("roll 2 2", "roll 5 5")
    assert (p.prestige, p.actor) == ((16, 32), RU)
    p.play("zone DON")
    assert p.prestige == (16, 26)
    p = Position().open_area("military", ua=MAXIMUM, ru=MAXIMUM).play("roll 2 2", "roll 1 1")
    assert (p.state.turn, p.prestige) == (3, (20, 26))


def test_in_a_reduce_the_first_rolls_event_is_resolved_before_the_second_roll() -> None:
    p = Position().open_area("information", ru=MAXIMUM).play("first ru", "reduce", "roll 2 2")
    assert (p.prestige, p.state.node) == ((16, 26), s.Node.ROLL)
    p.play("roll 1 2")
    assert p.prestige == (16 - 4, 26 - 3)


@pytest.mark.parametrize(
    ("numbers", "turn_type"), [(("roll 1 1", "roll 1 4"), s.TurnType.COMBAT), (("roll 1 1", "roll 1"), 0)]
)
def test_detente_in_a_ceasefire_comes_after_the_comparison(numbers: tuple[str, str], turn_type: int) -> None:
    ru = MAXIMUM if numbers[1] == "roll 1 4" else SMALL
    p = Position(units={}).open_turn(ua=MAXIMUM, ru=ru, combat="ru").play("ceasefire", *numbers)
    assert p.state.turn == 3
    assert p.state.combat_turns == turn_type
    assert p.prestige == ((16, 28) if turn_type else (20, 32))
