"""Combat: exact distributions, hits that are forced or chosen, groups and their limits (section 7)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from brinkmanship.games.ukrainian_crisis.rules import state as s
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import MAX_DICE
from brinkmanship.games.ukrainian_crisis.rules.flow import apply, outcomes
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from support.ukrainian_crisis.builders import Position


def battle(units: str, *texts: str, side: str = "ru", options: dict[str, str | bool] | None = None) -> Position:
    return Position(options, units={"DON": units}).open_half(side, 0).play("zone DON", *texts)


def probabilities(p: Position) -> dict[str, Fraction]:
    distribution = p.game.distribution(p.state)
    total = sum(distribution.values())
    return {p.texts[action]: Fraction(weight, total) for action, weight in distribution.items()}


def test_the_hits_of_a_group_are_binomial_with_a_third() -> None:
    p = battle("ru_ground ru_ground ua_ground", "unit ru_ground DON", "unit ru_ground DON", "unit ua_ground DON")
    p.play("fight 1 kinetic")
    expected = {f"hits {n}": Fraction(comb(8, n) * 2 ** (8 - n), 3**8) for n in range(9)}
    assert probabilities(p) == expected


def test_more_dice_than_are_rolled_at_once_are_rolled_in_several_handfuls() -> None:
    units = "ru_ground " * 9 + "ua_ground"
    p = battle(units, *["unit ru_ground DON"] * 9, "unit ua_ground DON", "fight 1 symbolic")
    assert len(p.legal()) == MAX_DICE + 1
    p.play("hits 30")
    assert len(p.legal()) == 7
    p.play("hits 6")
    assert p.state.drawer == UA


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_the_dice_of_an_attempt_have_the_distribution_of_their_sum(rank: int) -> None:
    country = {1: "RO", 2: "GB", 3: "US"}[rank]
    p = Position(boxes={country: "neutrality"}).open_area("diplomatic", ua="maximum maximum maximum")
    p.play("roll 4 6", "roll 1", "first ua", f"up {country}", "rp 9", "prestige 0")
    ways = [sum(faces) for faces in product(range(1, 7), repeat=rank)]
    assert probabilities(p) == {f"sum {n}": Fraction(ways.count(n), 6**rank) for n in set(ways)}


def test_the_two_dice_of_a_maximum_are_fair() -> None:
    p = Position().open_area("military", ua="maximum maximum maximum")
    found = probabilities(p)
    assert len(found) == 21
    assert all(chance == Fraction(1 if t.split()[1] == t.split()[2] else 2, 36) for t, chance in found.items())


def effects_of_kinetic_combat() -> dict[tuple[int, int, str], Fraction]:
    """One full RU Regular (4 dice) against one full UA Regular (2 dice), from section 7 and nothing else."""
    found: dict[tuple[int, int, str], Fraction] = {}
    for attack, defence in product(range(5), range(3)):
        chance = Fraction(comb(4, attack) * 2 ** (4 - attack), 3**4)
        chance *= Fraction(comb(2, defence) * 2 ** (2 - defence), 3**2)
        lost = {"ua": 0, "ru": 0}
        left = []
        for hits, owner, scorer in ((attack, "ua", "ru"), (defence, "ru", "ua")):
            if hits >= 2:
                lost["ua"] += 1
                lost["ru"] += 1
            lost[scorer] += max(hits - 2, 0)
            left += [f"{owner}_ground", f"{owner}_ground*", ""][min(hits, 2)].split()
        key = (16 - lost["ua"], 32 - lost["ru"], " ".join(sorted(left)))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def test_the_whole_of_a_kinetic_combat_has_its_exact_distribution() -> None:
    p = battle("ru_ground ua_ground", "unit ru_ground DON", "unit ua_ground DON", "fight 1 kinetic")
    found: dict[tuple[int, int, str], Fraction] = {}
    game, rules = p.game, p.rules
    out, weights = np.empty(game.max_legal, np.int16), np.empty(game.max_legal, np.int64)
    waiting = [(p.state, Fraction(1))]
    while waiting:
        state, chance = waiting.pop()
        if state.node != s.Node.HITS:
            p.state = state
            key = (*p.prestige, p.units("DON"))
            found[key] = found.get(key, Fraction(0)) + chance
            continue
        n = outcomes(rules, state, out, weights)
        for action, weight in list(zip(out[:n].tolist(), weights[:n].tolist(), strict=True)):
            after = game.copy(state)
            apply(rules, after, action)
            waiting.append((after, chance * Fraction(weight, int(weights[:n].sum()))))
    assert found == effects_of_kinetic_combat()


def test_the_scorer_chooses_the_units_hit_where_there_is_a_choice() -> None:
    p = battle("ru_ground ua_ground ua_airborne", "unit ru_ground DON", "unit ua_ground DON", "unit ua_airborne DON")
    p.play("fight 1 kinetic", "hits 2", "hits 0")
    assert p.actor == RU
    assert p.legal() == {"unit ua_ground DON", "unit ua_airborne DON"}
    p.play("unit ua_ground DON")
    assert p.legal() == {"unit ua_ground neutralised DON", "unit ua_airborne DON"}
    p.play("unit ua_ground neutralised DON")
    assert (p.units("DON"), p.prestige) == ("ru_ground ua_airborne", (15, 31))


def test_by_option_the_owner_chooses_his_losses() -> None:
    options: dict[str, str | bool] = {"casualty_choice": "owner"}
    p = battle(
        "ru_ground ua_ground ua_airborne",
        "unit ru_ground DON",
        "unit ua_ground DON",
        "unit ua_airborne DON",
        "fight 1 kinetic",
        "hits 1",
        "hits 0",
        options=options,
    )
    assert p.actor == UA


def test_every_hit_that_can_be_absorbed_must_be_used() -> None:
    p = battle("ru_ground ua_ground ua_ground*", "unit ru_ground DON", "unit ua_ground DON")
    p.play("unit ua_ground neutralised DON", "fight 1 kinetic", "hits 4", "hits 0")
    assert (p.units("DON"), p.prestige) == ("ru_ground", (14, 29))


def test_regulars_hits_in_asymmetric_combat_never_eliminate() -> None:
    p = battle("ru_ground ua_militia ua_militia*", "unit ru_ground DON", "unit ua_militia DON")
    p.play("unit ua_militia neutralised DON", "fight 1 asymmetric", "hits 3", "hits 2")
    assert (p.units("DON"), p.prestige) == ("ru_ground ua_militia* ua_militia*", (16, 32 - 2 - 2))


def test_irregular_attackers_take_prestige_without_a_cap() -> None:
    p = battle("ru_militia ru_militia ua_ground", "unit ru_militia DON", "unit ru_militia DON", "unit ua_ground DON")
    p.play("fight 1 asymmetric", "hits 2", "hits 1")
    assert (p.prestige, p.units("DON")) == ((14, 32), "ru_militia ru_militia* ua_ground")


def test_a_zone_may_see_several_combats_all_named_before_the_first_die() -> None:
    p = battle("ru_ground ru_airborne ua_ground ua_militia", "unit ru_ground DON", "done", "unit ua_ground DON", "done")
    assert p.legal() == {"unit ru_airborne DON", "done"}
    p.play("unit ru_airborne DON", "unit ua_militia DON")
    assert p.legal() == {"fight 1 symbolic", "fight 1 kinetic", "fight 2 symbolic", "fight 2 asymmetric"}
    p.play("fight 2 symbolic", "hits 0", "hits 0")
    assert p.legal() == {"fight 1 symbolic", "fight 1 kinetic"}
    p.play("fight 1 symbolic", "hits 0", "hits 0")
    assert not p.state.zones_attacked


def test_a_zone_is_attacked_once_in_a_half_and_again_in_the_next() -> None:
    p = Position(units={"DON": "ru_ground ru_ground ua_ground"})
    p.open_half("ru", 0, ru="medium small small").play("zone DON", "unit ru_ground DON", "done", "unit ua_ground DON")
    p.play("fight 1 symbolic", "hits 0", "hits 0")
    assert p.state.drawer == UA
    p.play("roll 1", "done", "done", "roll 1", "done")
    assert "zone DON" in p.legal()


def test_special_forces_neither_fight_nor_are_targets() -> None:
    p = Position(units={"DON": "ru_special ua_ground"}).open_half("ua", 0, ua="small small small")
    assert p.state.node != s.Node.ATTACK
    p = battle("ru_ground ru_special ua_ground")
    assert p.legal() == {"unit ru_ground DON"}


def test_neutralised_units_defend_with_their_bracketed_value_and_do_not_attack() -> None:
    p = battle("ru_ground ru_ground* ua_ground*", "unit ru_ground DON", "unit ua_ground neutralised DON")
    p.play("fight 1 kinetic", "hits 0")
    assert len(p.legal()) == 3


def test_symbolic_losses_of_both_sides_are_simultaneous() -> None:
    p = Position(prestige=(1, 32), units={"DON": "ru_ground ru_ground ua_ground ua_ground"}).open_half("ru", 0)
    p.play("zone DON", *["unit ru_ground DON"] * 2, *["unit ua_ground DON"] * 2, "fight 1 symbolic", "hits 5", "hits 1")
    assert p.prestige == (0, 32)
