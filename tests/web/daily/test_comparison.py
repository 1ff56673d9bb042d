"""Players are compared where their side saw the same position."""

from __future__ import annotations

from collections.abc import Callable

from brinkmanship.engine import commit_reveal
from brinkmanship.engine.match import Match
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.web.daily.comparison import MAX_FORKS, PlayedDeal, as_json, forks, from_json

KEY = bytes(32)


def played(name: str, choose: Callable[[int, int], int], decisions: int = 3) -> PlayedDeal:
    """A game of the same deal in which side 0 takes the choice with a number, and side 1 always the first one."""
    match, own = Match(load_game("13-days")), 0
    commit_reveal.advance(match, KEY)
    while own < decisions:
        side = min(match.pending)
        legal = match.legal(side)
        match.push(legal[choose(own, len(legal)) if side == 0 else 0].action, side=side)
        own += side == 0
        commit_reveal.advance(match, KEY)
    return PlayedDeal(name, Perspective(match, 0))


def first(_: int, __: int) -> int:
    return 0


def other(_: int, count: int) -> int:
    return count - 1


def test_the_decision_at_which_players_parted_is_reported_with_counts() -> None:
    found = forks([played("a", first), played("b", first), played("c", other)])
    assert found[0].table == "a"
    assert [pick.players for pick in found[0].picks] == [2, 1]
    assert found[0].players == 3
    assert len(found) <= MAX_FORKS
    assert from_json(as_json(found)) == found


def test_the_most_disputed_decision_comes_first() -> None:
    def late(own: int, count: int) -> int:
        return count - 1 if own == 1 else 0

    found = forks(
        [played(name, choose) for name, choose in zip("abcde", (first, first, late, late, other), strict=True)]
    )
    assert [[pick.players for pick in fork.picks] for fork in found] == [[2, 2], [4, 1]]


def test_players_who_agree_or_never_meet_have_no_forks() -> None:
    assert forks([played("a", first), played("b", first)]) == []
    assert forks([]) == []
    assert forks([played("a", first)]) == []
