"""Odds of a payment for a diplomatic attempt (5.2): exact chances, and the points beyond certain success."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.groups import group_size, group_value
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State
from brinkmanship.games.ukrainian_crisis.rules.steps.combat import HIT_FROM, suffered

PIPS = 6


@cache
def chance_of_at_most(dice: int, most: int) -> Fraction:
    """Return the chance that the sum of `dice` dice is at most `most`."""
    if most < dice:
        return Fraction(0)
    if dice == 0:
        return Fraction(1)
    return sum((chance_of_at_most(dice - 1, most - pips) for pips in range(1, PIPS + 1)), Fraction(0)) / PIPS


class Payment(NamedTuple):
    """A choice that pays for the attempt in progress."""

    points: int
    """Points it pays."""
    least: int
    """Minimum points it may pay."""
    still: int
    """Minimum Prestige that has to be added to Resource Points."""
    total: int
    """Total payment then."""
    chance: Fraction
    """The chance that the attempt succeeds for this total."""
    enough: int
    """The total from which success is certain."""

    @property
    def overpays(self) -> bool:
        """True if a payment of one point less would be legal and just as certain to succeed."""
        return self.points > self.least and self.total > self.enough


def payment(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Payment:
    """Return the payment of a choice at the nodes PAY_RP and PAY_PRESTIGE, with its odds."""
    frame: Any = view.stack[view.depth - 1]
    rank, box = int(game.rules.rank[frame.country]), int(frame.box)
    price = box + rank if box > view.box[frame.country] else box
    if view.node == Node.PAY_RP:
        points = action - Action.PAY_RP
        least = max(box, price - int(view.prestige[side]))
        still = max(price - points, 0)
        total = points + still
    else:
        points, still = action - Action.PAY_PRESTIGE, 0
        least = max(price - int(frame.rp), 0)
        total = int(frame.rp) + points
    if game.rules.options.no_randomness:  # 10.2: R48
        enough = 2 * (rank + box)
        chance = Fraction(total >= enough)
    else:
        enough, chance = PIPS * rank, chance_of_at_most(rank, total)
    return Payment(points, least, still, total, chance, enough)


def fight_odds(game: UkrainianCrisisRuleset, view: State, side: int, group: int) -> tuple[Fraction, Fraction]:
    """Return the chances of attacker and target to hit at least once or, without dice (10.2), the hits they score."""
    rules = game.rules
    ours, theirs = (int(group_value(rules, view, who, group)) for who in (side, 1 - side))
    if rules.options.no_randomness:
        attacker_suffers, target_suffers = suffered(rules, ours, theirs, group_size(rules, view, 1 - side, group))
        return Fraction(int(target_suffers)), Fraction(int(attacker_suffers))
    miss = Fraction(HIT_FROM - 1, PIPS)
    return 1 - miss**ours, 1 - miss**theirs


def overpays(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> bool:
    """Return True for a needless payment: over six times the Rank never helps, though it is legal (5.2, step 3)."""
    return view.node in (Node.PAY_RP, Node.PAY_PRESTIGE) and payment(game, view, side, action).overpays
