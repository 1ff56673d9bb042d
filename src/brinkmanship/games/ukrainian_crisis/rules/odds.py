"""What a payment for a diplomatic attempt can hope for (5.2): exact chances, and what is more than could help."""

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
    """The chance that so many dice come to no more than a number."""
    if most < dice:
        return Fraction(0)
    if dice == 0:
        return Fraction(1)
    return sum((chance_of_at_most(dice - 1, most - pips) for pips in range(1, PIPS + 1)), Fraction(0)) / PIPS


class Payment(NamedTuple):
    """An answer that pays for the attempt in progress."""

    points: int
    """What it pays."""
    least: int
    """The least that it may pay."""
    still: int
    """Prestige that has to be added to Resource Points, at least."""
    total: int
    """All that is paid then."""
    chance: Fraction
    """That the attempt succeeds for so much."""
    enough: int
    """The total from which it is certain."""

    @property
    def overpays(self) -> bool:
        """Whether a point less would be legal and just as certain to succeed."""
        return self.points > self.least and self.total > self.enough


def payment(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Payment:
    """What an answer at the nodes PAY_RP and PAY_PRESTIGE pays, and what that can hope for."""
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
    """The chances of attacker and target in a combat to hit at least once; without dice (10.2) the hits they score."""
    rules = game.rules
    ours, theirs = (int(group_value(rules, view, who, group)) for who in (side, 1 - side))
    if rules.options.no_randomness:
        attacker_suffers, target_suffers = suffered(rules, ours, theirs, group_size(rules, view, 1 - side, group))
        return Fraction(int(target_suffers)), Fraction(int(attacker_suffers))
    miss = Fraction(HIT_FROM - 1, PIPS)
    return 1 - miss**ours, 1 - miss**theirs


def overpays(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> bool:
    """See `Narrator.overpays`: more than six times the Rank never helps, though the rules allow it (5.2, step 3)."""
    return view.node in (Node.PAY_RP, Node.PAY_PRESTIGE) and payment(game, view, side, action).overpays
