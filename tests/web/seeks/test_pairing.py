"""Who is paired with whom, as a function of open seeks, time and chances."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from brinkmanship.store.seeks import DAYS, LIVE, OPEN, Seek, Want
from brinkmanship.web.seeks.pairing import Chance, pairings, spread

BOTH = (Want("13-days", 0), Want("13-days", 1))
MINUTE, DAY = 60.0, 24 * 3600.0


def seek(
    who: str,
    at: float = 0.0,
    wants: tuple[Want, ...] = BOTH,
    clocks: tuple[str, ...] = ("live 10 5",),
    pace: str = LIVE,
    rated: bool = False,
) -> Seek:
    return Seek(f"seek-{who}-{at}", who, who, wants, clocks, pace, rated, at, 1e12, OPEN, None)


def unknown(*_: object) -> None:
    return None


def pairs(seeks: list[Seek], now: float = 0.0, chance: Chance = unknown) -> list[set[str]]:
    found = pairings(seeks, now, chance, lambda a, b: a != b)
    return [{pairing.first.person_id, pairing.second.person_id} for pairing in found]


def test_two_who_accept_each_other_are_paired() -> None:
    assert pairs([seek("anna"), seek("boris")]) == [{"anna", "boris"}]


def test_games_sides_clocks_paces_and_rating_must_fit() -> None:
    us = (Want("13-days", 0),)
    assert pairs([seek("anna", wants=us), seek("boris", wants=us)]) == []
    assert pairs([seek("anna", wants=us), seek("boris", wants=(Want("13-minutes", 1),))]) == []
    assert pairs([seek("anna"), seek("boris", clocks=("live 20 10",))]) == []
    assert pairs([seek("anna"), seek("boris", rated=True)]) == []
    assert pairs([seek("anna"), seek("boris", clocks=("days 3",), pace=DAYS)]) == []
    assert pairs([seek("anna"), seek("anna", 1.0)]) == []


def test_each_gets_a_side_that_they_accept() -> None:
    first, second = seek("anna", wants=(Want("13-days", 1),)), seek("boris", 1.0)
    (found,) = pairings([first, second], 0.0, unknown, lambda *_: True)
    assert found.people == ("boris", "anna")


def test_the_longest_waiting_comes_first_and_gets_the_evenest_game() -> None:
    wins = {"boris": 0.6, "clara": 0.52, "dana": 0.52}
    seeks = [seek("dana", 4.0), seek("clara", 3.0), seek("boris", 2.0), seek("anna", 1.0)]

    def chance(_game: str, _side: int, first: str, second: str) -> float:
        return wins[second] if first == "anna" else 0.5

    assert pairs(seeks, 5.0, chance) == [{"anna", "clara"}, {"boris", "dana"}]


def test_the_range_of_chances_widens_with_waiting() -> None:
    def chance(*_: object) -> float:
        return 0.75

    strong = [seek("anna"), seek("boris")]
    assert pairs(strong, 4.9 * MINUTE, chance) == []
    assert pairs(strong, 5.1 * MINUTE, chance) == [{"anna", "boris"}]
    by_days = [seek(who, clocks=("days 3",), pace=DAYS) for who in ("anna", "boris")]
    assert pairs(by_days, 1.9 * DAY, chance) == []
    assert pairs(by_days, 2.1 * DAY, chance) == [{"anna", "boris"}]
    fresh = [seek("anna"), seek("boris", 5.0 * MINUTE)]
    assert pairs(fresh, 6.0 * MINUTE, chance) == []  # both have to accept


def test_who_may_not_meet_is_passed_over() -> None:
    seeks = [seek("anna"), seek("boris", 1.0), seek("clara", 2.0)]
    found = pairings(seeks, 3.0, unknown, lambda a, b: {a, b} != {"anna", "boris"})
    assert [{one.first.person_id, one.second.person_id} for one in found] == [{"anna", "clara"}]


WANTS = st.sets(st.sampled_from([*BOTH, Want("13-minutes", 0), Want("13-minutes", 1)]), min_size=1)
CLOCKS = st.sets(st.sampled_from(["live 10 5", "live 20 10"]), min_size=1)
SEEKS = st.lists(
    st.builds(
        lambda who, at, wants, clocks, rated: seek(who, at, tuple(wants), tuple(clocks), rated=rated),
        st.sampled_from("abcdef"),
        st.floats(0, 1000, allow_nan=False),
        WANTS,
        CLOCKS,
        st.booleans(),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


@given(SEEKS, st.randoms(use_true_random=False), st.floats(0, 1))
def test_pairs_are_disjoint_acceptable_and_independent_of_the_order(
    seeks: list[Seek], order: random.Random, even: float
) -> None:
    def chance(*_: object) -> float:
        return even

    found = list(pairings(seeks, 1000.0, chance, lambda a, b: a != b))
    used = [one.id for pairing in found for one in (pairing.first, pairing.second)]
    assert len(used) == len(set(used))
    for first, second, want, clock in found:
        assert first.person_id != second.person_id
        assert first.rated == second.rated
        assert want in first.wants
        assert Want(want.game, 1 - want.side) in second.wants
        assert clock in first.clocks
        assert clock in second.clocks
        assert abs(even - 0.5) <= min(spread(first, 1000.0), spread(second, 1000.0))
    shuffled = list(seeks)
    order.shuffle(shuffled)
    assert list(pairings(shuffled, 1000.0, chance, lambda a, b: a != b)) == found
