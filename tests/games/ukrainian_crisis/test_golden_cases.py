"""The golden cases of ``docs/rules/ukrainian-crisis.md``, section 14, in their order."""

from __future__ import annotations

import numpy as np
import pytest

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.prestige import leader
from brinkmanship.games.ukrainian_crisis.rules.victory import victory_points
from brinkmanship.testing import walk
from brinkmanship.text import words_for
from support.ukrainian_crisis.builders import SMALL, Position, game

MAXIMUM = "maximum maximum maximum"


@pytest.mark.parametrize(("card", "points"), [("small", (1, 2, 2, 3, 3, 4)), ("medium", (2, 3, 3, 4, 4, 5))])
def test_g1_results_of_small_and_medium_cards(card: str, points: tuple[int, ...]) -> None:
    for face, expected in enumerate(points, 1):
        p = Position().open_area("military", ua=f"{card} small small").play(f"roll {face}")
        assert p.rp[0] == expected


def test_g2_a_maximum_brings_the_sum_of_two_dice() -> None:
    p = Position().open_area("military", ua=MAXIMUM).play("roll 3 5")
    assert p.rp[0] == 8
    p = Position().open_area("military", ua=MAXIMUM).play("roll 4 4", "roll 1")
    assert (p.rp[0], p.prestige) == (8, (16, 32))


def test_g3_a_pack_is_used_up_after_eight_turns() -> None:
    pack = game().rules.pack[:3]
    results = game().rules.results
    expected = pack[0] * results[0].mean() + pack[1] * results[1].mean() + pack[2] * 7
    assert (pack.sum(), expected) == (24, 86)
    longest = max(
        (list(walk(game({"prestige_ua": "99", "prestige_ru": "99"}), number, 1))[-1] for number in range(40)),
        key=lambda last: last.state.turn,
    )
    assert longest.state.turn == 8
    assert longest.state.pack.sum() == 0


def test_g4_an_attempt_succeeds_at_the_points_paid() -> None:
    p = Position(boxes={"GB": "support"}).open_area("diplomatic").play("roll 5", "roll 1", "first ua")
    p.play("up GB", "prestige 4", "sum 5")
    assert (p.box("GB"), p.prestige[0], p.rp[0]) == ("intervention", 12, 0)


def test_g5_an_attempt_fails_above_the_points_paid_and_they_are_lost() -> None:
    p = Position(boxes={"GB": "support"}).open_area("diplomatic").play("roll 5", "roll 1", "first ua")
    p.play("up GB", "prestige 4", "sum 8")
    assert (p.box("GB"), p.prestige[0], p.rp[0]) == ("support", 12, 0)


def test_g6_prestige_cannot_pay_for_the_target_box() -> None:
    p = Position(prestige=(10, 32), boxes={"GB": "support"}).open_area("diplomatic")
    p.play("roll 2", "roll 1", "first ua")
    assert p.rp[0] == 2
    with pytest.raises(IllegalActionError):
        p.play("up GB")


def test_g7_downward_there_is_no_payment_for_the_rank() -> None:
    p = Position().open_area("diplomatic", ru=MAXIMUM).play("roll 1", "roll 2 4", "first ru", "down US")
    assert "rp 1" in p.legal()
    p.play("rp 6", "prestige 0", "sum 6")
    assert (p.box("US"), p.prestige[1]) == ("neutrality", 32)


def test_g8_a_won_ceasefire_makes_the_turn_strategic_and_moves_no_marker() -> None:
    p = Position(turn=3).open_turn(ua="small medium small", ru="small medium small", combat="ru")
    assert p.actor == UA
    p.play("ceasefire", "roll 4", "roll 2")
    assert p.state.turn_type == s.TurnType.STRATEGIC
    assert p.legal() == {"area military", "area information"}


@pytest.mark.parametrize(("declarer", "turn_type"), [("ru", s.TurnType.COMBAT), ("ua", s.TurnType.STRATEGIC)])
def test_g9_russia_wins_a_tied_ceasefire(declarer: str, turn_type: int) -> None:
    p = Position().open_turn(ua="small medium small", ru="small medium small", combat=declarer)
    p.play("ceasefire", "roll 2", "roll 3")
    assert p.state.turn_type == turn_type


def test_g10_two_declarations_leave_no_ceasefire_and_turn_1_has_none() -> None:
    p = Position(turn=4).open_turn(combat="ua ru")
    assert (p.state.node, p.state.turn_type) == (s.Node.ORDER, s.TurnType.COMBAT)
    p = Position(turn=1).draw().place(SMALL, SMALL)
    assert (p.state.node, p.state.turn_type) == (s.Node.ORDER, s.TurnType.STRATEGIC)


def test_g11_russia_leads_on_a_tie() -> None:
    p = Position(prestige=(20, 20)).open_turn()
    assert leader(p.state) == RU
    assert (p.state.node, p.actor) == (s.Node.ORDER, RU)


def test_g12_the_strongest_military_card_gives_both_sides_their_segments() -> None:
    p = Position(units={}).open_turn(ua=SMALL, ru="medium small small", combat="ua ru").to_operations()
    rolls = []
    for _ in range(4):
        rolls.append(p.state.drawer)
        assert p.state.segments == 2
        p.play("roll 6")
    assert rolls == [RU, UA, RU, UA]
    assert p.state.node == s.Node.DRAW_EVENT


def test_g12_each_side_rolls_on_its_own_card() -> None:
    p = Position(units={"KYC": "ua_ground", "SEV": "ru_ground"})
    p.open_turn(ua=SMALL, ru="medium small small", combat="ua ru").to_operations().play("roll 1")
    assert p.rp[1] == 2
    p.play("done", "roll 1")
    assert p.rp[0] == 1


def test_g13_countries_in_intervention_give_resource_points_for_one_area() -> None:
    p = Position(boxes={"GB": "intervention"}).open_area("diplomatic")
    assert p.state.ally_rp == 2
    p.play("roll 1", "roll 1", "first ua", "allies 2")
    assert p.rp[0] == 3
    p.play("done", "done")
    assert p.state.ally_rp == 0


def test_g14_allies_give_prestige_in_strategic_turns_and_take_it_from_russia_in_combat_turns() -> None:
    p = Position(units={}).open_turn()
    p.state.step, p.state.node = s.Step.FINAL_CHECK, s.Node.CHECK
    p.state.mover = 2
    p.pass_on()
    assert p.prestige == (20, 32)
    p = Position(units={}).open_turn(combat="ua ru").to_operations().play("roll 1", "roll 1")
    assert p.prestige == (16, 28)
    p = Position(units={}, turn=8).open_turn(combat="ua ru").to_operations().play("roll 1", "roll 1")
    assert (p.is_over, p.prestige) == (True, (16, 32))


def test_g15_a_die_up_to_the_threshold_neutralises() -> None:
    p = Position(units={"DON": "ua_ground", "LUH": "ua_ground"})
    p.open_area("information", ru="small small medium").play("first ru", "neutralise", "roll 4")
    p.play("unit ua_ground DON", "unit ua_ground LUH", "roll 4", "roll 5")
    assert (p.units("DON"), p.units("LUH")) == ("ua_ground*", "ua_ground")


@pytest.mark.parametrize("rolls", [("roll 5", "roll 2"), ("roll 2", "roll 5")])
def test_g16_reduce_costs_the_opponent_the_higher_and_the_actor_the_lower_result(rolls: tuple[str, str]) -> None:
    p = Position(prestige=(16, 30)).open_area("information").play("first ru", "reduce", *rolls)
    assert p.prestige == (13, 28)


def test_g17_what_a_side_cannot_lose_the_opponent_gains() -> None:
    p = Position(prestige=(2, 20)).draw(ua="svoboda_shakeup").play("roll 5")
    assert p.prestige == (0, 23)


def test_g18_at_zero_a_common_loss_comes_back_to_the_opponent() -> None:
    p = Position(prestige=(0, 10), units={"DON": "ru_ground ua_ground*"}).open_half("ru", 0)
    p.play("zone DON", "unit ru_ground DON", "unit ua_ground neutralised DON", "fight 1 kinetic", "hits 1", "hits 0")
    assert p.prestige == (0, 10)
    assert "ua_ground" not in p.units("DON")


def test_g19_a_regular_cannot_be_deployed_without_prestige() -> None:
    p = Position(prestige=(0, 9), units={"mobilisation": "ua_ground ua_militia"}).open_area("military")
    p.play("roll 3", "roll 1", "first ua")
    assert "unit ua_militia mobilisation" in p.legal()
    assert "unit ua_ground mobilisation" not in p.legal()


def test_g20_a_regular_may_be_mobilised_and_deployed_in_one_turn() -> None:
    p = Position().open_area("military").play("roll 1", "roll 3", "first ru")
    p.play("unit ru_ground reserve", "unit ru_ground mobilisation", "zone SEV")
    assert (p.units("SEV"), p.rp[1], p.prestige[1]) == ("ru_ground", 0, 31)


def test_g21_russian_irregulars_need_special_forces_in_a_red_or_orange_zone() -> None:
    p = Position(units={"mobilisation": "ru_militia", "DON": "ru_special", "KYC": "ru_special", "SUM": "ru_special"})
    p.open_area("military").play("roll 1", "roll 3", "first ru", "unit ru_militia mobilisation")
    assert p.legal() == {"zone DON", "zone KYC"}


def test_g22_an_enemy_irregular_bars_a_regular_and_special_forces_do_not() -> None:
    p = Position(units={"mobilisation": "ua_ground", "DON": "ru_militia", "LUH": "ru_special"})
    p.open_area("military").play("roll 3", "roll 1", "first ua", "unit ua_ground mobilisation")
    assert "zone LUH" in p.legal()
    assert "zone DON" not in p.legal()


def test_g23_a_relocated_unit_stays_away_for_the_turn_and_stays_neutralised() -> None:
    p = Position(units={"DON": "ua_ground*"}).open_area("military").play("roll 3", "roll 1", "first ua")
    p.play("unit ua_ground neutralised DON")
    assert (p.units("mobilisation"), p.rp[0]) == ("ua_ground*", 2)
    assert "unit ua_ground neutralised mobilisation" not in p.legal()
    p.state.turn_type = s.TurnType.STRATEGIC
    p.play("done", "done")
    while p.state.turn == 2:
        p.play(min(p.legal()) if p.actor == 2 else "first ua" if p.state.node == s.Node.WHO_FIRST else "done")
    p.draw("runaway_guns", "isis_crisis").place(SMALL, SMALL)
    p.play("ua: declare strategic", "ru: declare strategic", "area military", "area diplomatic")
    p.play("roll 3", "roll 1", "first ua")
    assert "unit ua_ground neutralised mobilisation" in p.legal()


def fight(units: str, *texts: str, side: str = "ru", prestige: tuple[int, int] = (16, 32)) -> Position:
    """A combat in DON, with the groups and what follows."""
    return Position(units={"DON": units}, prestige=prestige).open_half(side, 0).play("zone DON", *texts)


EXAMPLE = "ru_ground ru_ground ua_militia ua_militia* ua_ground"
EXAMPLE_GROUPS = (
    "unit ru_ground DON",
    "unit ru_ground DON",
    "unit ua_militia DON",
    "unit ua_militia neutralised DON",
    "unit ua_ground DON",
)


def test_g24_a_regular_group_against_an_irregular_one_fights_no_kinetic_combat() -> None:
    p = fight(EXAMPLE, *EXAMPLE_GROUPS)
    assert p.legal() == {"fight 1 symbolic", "fight 1 asymmetric"}


def test_g25_the_asymmetric_combat_of_the_example() -> None:
    p = fight(EXAMPLE, *EXAMPLE_GROUPS, "fight 1 asymmetric")
    assert len(p.legal()) == 9
    p.play("hits 3")
    assert len(p.legal()) == 5
    p.play("hits 1")
    assert p.units("DON") == "ru_ground ru_ground ua_ground* ua_militia* ua_militia*"
    assert p.prestige == (16, 30)


def test_g26_a_group_half_of_which_is_regular_is_regular() -> None:
    p = fight("ru_ground ru_militia ua_ground", "unit ru_ground DON", "unit ru_militia DON", "unit ua_ground DON")
    assert p.legal() == {"fight 1 symbolic", "fight 1 kinetic"}


def test_g27_symbolic_hits_count_up_to_the_units_of_the_opposing_group() -> None:
    p = fight("ru_ground ua_ground", "unit ru_ground DON", "unit ua_ground DON", "fight 1 symbolic", "hits 4", "hits 0")
    assert (p.prestige, p.units("DON")) == ((15, 32), "ru_ground ua_ground")


def test_g28_kinetic_hits_neutralise_then_eliminate_and_the_surplus_costs_the_scorer() -> None:
    p = fight("ru_ground ua_ground", "unit ru_ground DON", "unit ua_ground DON", "fight 1 kinetic", "hits 3", "hits 0")
    assert (p.prestige, p.units("DON")) == ((15, 30), "ru_ground")
    assert "ua_ground*" not in p.units("reserve")


def test_g29_a_neutralised_unit_may_move_or_recover_and_attacks_after_recovery() -> None:
    p = Position(units={"DON": "ua_ground* ru_militia"}).open_half("ua", 2)
    assert p.legal() == {"unit ua_ground neutralised DON", "recover ua_ground DON", "done"}
    p.play("recover ua_ground DON")
    assert "zone DON" in p.legal()
    p = Position(units={"DON": "ua_ground* ru_militia"}).open_half("ua", 2)
    with pytest.raises(IllegalActionError):
        p.play("done", "zone DON")


def test_g30_airborne_and_amphibious_moves() -> None:
    p = Position(units={"RUS": "ru_airborne", "SEV": "ru_ground"}).open_half("ru", 2)
    airborne = Position(units={"RUS": "ru_airborne"}).open_half("ru", 2).play("unit ru_airborne RUS").legal()
    amphibious = p.play("unit ru_ground SEV").legal()
    assert "zone KYC" in airborne
    assert "zone ODE" in amphibious
    assert "zone KYC" not in amphibious
    assert "zone ROU" not in airborne | amphibious


def test_g31_a_ukrainian_unit_cannot_enter_sevastopol() -> None:
    p = Position(units={"CRI": "ua_militia ua_ground"}).open_half("ua", 2).play("unit ua_ground CRI")
    assert "zone SEV" not in p.legal()
    assert "zone KHE" in p.legal()


def test_g32_sanctions_cost_russia_the_rank_of_the_us_times_its_box() -> None:
    p = Position().open_area("military", ua=MAXIMUM).play("roll 2 2", "roll 1")
    assert (p.prestige, p.rp[0]) == ((16, 26), 4)


def test_g33_detente_ends_the_turn_at_once() -> None:
    p = Position(units={"SEV": "ru_ground"}).open_turn(ru=MAXIMUM, combat="ua ru").to_operations().play("roll 1 1")
    assert (p.state.turn, p.state.combat_turns) == (3, 1)
    assert (p.prestige, p.units("SEV")) == ((16, 28), "ru_ground")


def test_g34_union_eliminates_bars_and_scores() -> None:
    p = Position(units={"DON": "ua_ground ua_militia", "mobilisation": "ua_militia"})
    p.open_area("military", ru=MAXIMUM).play("roll 6", "roll 6 6")
    assert p.actor == RU
    p.play("zone DON")
    assert (p.units("DON"), p.prestige) == ("", (16, 32))
    p.play("first ua", "unit ua_militia mobilisation")
    assert "zone DON" not in p.legal()
    assert victory_points(p.rules, p.state, RU) == 32 + 6
    assert victory_points(p.rules, p.state, UA) == 16


@pytest.mark.parametrize(("die", "is_open"), [(1, True), (2, False)])
def test_g35_belarus_in_intervention_adds_two_to_the_die(die: int, is_open: bool) -> None:
    p = Position(boxes={"BY": "intervention"}).draw(ua="belarus").play(f"roll {die}")
    assert p.box("BY") is None
    assert (p.game.public_state(p.state)["opened"] == ["BLR"]) is is_open


def test_g36_moldova() -> None:
    p = Position().draw(ru="moldova").play("roll 2")
    assert (p.prestige, p.state.opened) == ((16, 29), 0)
    p = Position().draw(ru="moldova").play("roll 5", "unit ru_ground reserve")
    assert (p.units("MDA"), p.prestige) == ("ru_ground", (16, 32))
    assert p.game.public_state(p.state)["opened"] == ["MDA"]


def test_g37_f_eu_moves_every_eu_country_down_and_pays_ukraine() -> None:
    p = Position(boxes={"DE": "intervention"}).draw(ua="f_eu").play("play f_eu")
    assert (p.box("DE"), p.box("PL"), p.box("US"), p.prestige) == ("support", "neutrality", "support", (22, 32))


def test_g38_screwed_thumbs() -> None:
    p = Position(boxes={"GB": "support"}).draw(ru="screwed_thumbs").play("play screwed_thumbs")
    assert p.legal() == {"country GB", "country PL"}
    p.play("country GB")
    assert (p.box("GB"), p.prestige) == ("neutrality", (16, 30))


def test_g39_a_terrible_resolve_bars_the_ceasefire() -> None:
    p = Position(turn=5).draw(ru="a_terrible_resolve").open_turn(combat="ru")
    assert (p.state.turn_type, p.state.node) == (s.TurnType.COMBAT, s.Node.ORDER)
    assert p.legal() == {"area military", "area information"}


def ended(**setup: object) -> Position:
    """The end of Turn 8."""
    p = Position(turn=8, **setup)  # type: ignore[arg-type]
    p.open_turn()
    p.state.step, p.state.node, p.state.mover = s.Step.FINAL_CHECK, s.Node.CHECK, 2
    p.pass_on()
    return p


def test_the_end_says_what_both_sums_come_from() -> None:
    p = Position(turn=8, prestige=(15, 10), units={"DNI": "ua_ground"}, combat_turns=1).open_turn()
    p.state.step, p.state.node, p.state.mover = s.Step.FINAL_CHECK, s.Node.CHECK, CHANCE
    before, step = p.game.copy(p.state), next(iter(p.game.distribution(p.state)))
    p.game.apply(p.rules, p.state, step)
    told = [line.message for line in p.game.narrator.narrate(before, step, p.state, OBSERVER)][-3:]
    assert [message.key for message in told] == ["log.end.inconclusive", "log.score.halved", "log.score.halved"]
    words = words_for(p.game, "en")
    assert [words.sentence(message) for message in told[1:]] == [
        "Ukraine: 11 VP – half of Prestige 15: 8, zones 3",
        "Russia: 5 VP – half of Prestige 10: 5, zones 0",
    ]


def test_g40_without_combat_turns_prestige_decides() -> None:
    p = ended(prestige=(20, 12), units={})
    assert p.state.vp.tolist() == [20, 12]
    assert p.game.outcome(p.state)[0] == "inconclusive"
    assert p.game.outcome(p.state)[1].tolist() == [1, -1]


def test_g41_after_a_combat_turn_prestige_is_halved_and_zones_count() -> None:
    p = ended(prestige=(15, 10), units={"DNI": "ua_ground"}, combat_turns=1)
    assert p.state.vp.tolist() == [11, 5]


def test_g42_control() -> None:
    p = ended(
        prestige=(10, 10),
        units={"DON": "ru_militia ua_ground*", "KHA": "ru_ground ua_ground", "LUH": "ru_special"},
        combat_turns=1,
    )
    assert p.state.vp.tolist() == [5, 5 + 6]


def test_g43_the_end_check_comes_before_the_allies_prestige() -> None:
    p = Position(turn=5, prestige=(16, 3), units={}).open_turn(combat="ua ru").to_operations().play("roll 1", "roll 1")
    assert (p.prestige, p.state.turn, p.is_over) == ((17, 0), 6, False)


ORDINARY = {"ordinary_cards": True}
WITHOUT_CHANCE = {"ordinary_cards": True, "no_randomness": True}


def test_g44_with_number_cards_the_two_information_cards_decide_a_reduce() -> None:
    p = Position(ORDINARY).open_area("information", ua="1 1 7", ru="1 1 3").play("first ua", "reduce")
    assert p.prestige == (13, 25)


@pytest.mark.parametrize(("points", "box"), [(8, "support"), (7, "neutrality")])
def test_g45_without_chance_twice_rank_plus_box_succeeds(points: int, box: str) -> None:
    p = Position(WITHOUT_CHANCE).open_area("diplomatic", ua="1 4 1", ru="1 1 2").play("first ua", "up GB")
    p.play("rp 2", f"prestige {points - 2}")
    assert p.box("GB") == box


@pytest.mark.parametrize(
    ("attackers", "defenders", "attacker_suffers", "defender_suffers"),
    [
        ("ru_militia ru_militia", "ua_ground ua_ground", 2, 1),
        ("ru_ground", "ua_ground ua_ground", 1, 0),
        ("ru_ground ru_militia", "ua_ground ua_ground", 1, 1),
        ("ru_ground ru_ground", "ua_ground ua_ground", 1, 2),
    ],
)
def test_g46_the_ratio_of_combat_values_decides_without_chance(
    attackers: str, defenders: str, attacker_suffers: int, defender_suffers: int
) -> None:
    p = Position(WITHOUT_CHANCE, units={"DON": f"{attackers} {defenders}"})
    p.open_turn(ua="1 1 2", ru="1 1 2", combat="ua ru").to_operations()
    if p.state.node == s.Node.OPERATE:
        p.play("done")
    p.play("zone DON")
    p.play(*(f"unit {unit} DON" for unit in (*attackers.split(), *defenders.split())))
    p.play("fight 1 symbolic")
    assert p.prestige == (16 - defender_suffers, 32 - attacker_suffers)
    assert np.all(p.state.unit >= s.Place.NOWHERE)
