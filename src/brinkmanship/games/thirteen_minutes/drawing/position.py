"""The position as drawings need it, read once from a side's view: plain numbers and ids, nothing hidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, NO_BID, REASONS, Area, CardIs, Node, State

_SCORED = (
    Node.TURN_UP_CUBA,
    Node.SCORE_MILITARY,
    Node.AFTERMATH,
    Node.CHECK_WAR,
    Node.COUNT_PRESTIGE,
    Node.OVER,
)
"""Nodes at which battlegrounds have given their Prestige."""

SPHERES: dict[int, int] = {Area.US_SPHERE: 0, Area.USSR_SPHERE: 1}
"""The side to which each sphere belongs."""


@dataclass(frozen=True)
class Battleground:
    """A card on the table."""

    id: str
    """Id of its card, or "cuba"."""
    card: str | None
    """The visible card; None while it lies face down."""
    colour: str | None
    """Its DEFCON type, None while it lies face down."""
    area: int
    cubes: tuple[int, int]
    """Cubes of the US and of the USSR."""
    is_cuba: bool

    @property
    def controller(self) -> int | None:
        """The side with more cubes, else the owner of the sphere it lies in (Q34, Q35)."""
        us, ussr = self.cubes
        if us != ussr:
            return 0 if us > ussr else 1
        return SPHERES.get(self.area)


@dataclass(frozen=True)
class DrawnPosition:
    """A view in plain values. Pairs are (US, USSR)."""

    side: int
    """The viewing side: 0, 1, or `OBSERVER`."""
    grounds: tuple[Battleground, ...]
    """Battlegrounds in the order of the data file, Cuba last."""
    supply: tuple[int, int]
    lost: tuple[int, int]
    hand: tuple[int, int]
    is_bidding: bool
    bid: tuple[int | None, int | None]
    """The bids that the viewer knows: at most their own."""
    first: int | None
    turn: int
    pile: int
    in_play: str | None
    """The card being played."""
    player: int | None
    """The side that plays it."""
    pending: tuple[bool, bool]
    """True for each side that has a decision to make."""
    shown: tuple[str | None, str | None]
    """The last card of each hand, once it is shown."""
    is_scored: bool
    """True once the scoring has begun."""
    score: tuple[tuple[int, int, int], tuple[int, int, int]]
    """Prestige by battlegrounds, the military majority and the aftermath."""
    over: bool
    winner: int
    reason: str

    def lying(self, area: int) -> list[Battleground]:
        """Return the battlegrounds in an area."""
        return [ground for ground in self.grounds if ground.area == area]

    def colours(self, area: int) -> Counter[str]:
        """Return the number of cards of each DEFCON type in an area; face-down Cuba has none (Q28)."""
        return Counter(ground.colour for ground in self.lying(area) if ground.colour is not None)

    def ground(self, id: str) -> Battleground | None:
        """Return the battleground with an id, or None if it is not on the table."""
        return next((ground for ground in self.grounds if ground.id == id), None)


def read(game: ThirteenMinutes, view: State, side: int) -> DrawnPosition:
    """Return the position in a view of `side` (or of the observer)."""
    cards, places = game.data.card, game.data.places
    areas, cubes, where = view.area.tolist(), view.influence.tolist(), view.card.tolist()
    over = int(view.node) == Node.OVER
    pending = 0 if over else int(game.pending(game.rules, view))
    frame = view.stack[0] if int(view.depth) else None
    cuba = cards[int(view.cuba_card)] if int(view.cuba_card) >= 0 else None

    def ground(place: int) -> Battleground:
        card = cuba if place == CUBA else cards[place]
        return Battleground(
            places[place],
            card.id if card else None,
            card.colour if card else None,
            areas[place],
            (cubes[0][place], cubes[1][place]),
            place == CUBA,
        )

    def both(name: str) -> tuple[int, int]:
        us, ussr = view[name].tolist()
        return us, ussr

    def of_side(owner: int) -> tuple[int | None, str | None, tuple[int, int, int]]:
        bid = int(view.bid[owner])
        shown = next((card.id for card, at in zip(cards, where, strict=True) if at == CardIs.SHOWN + owner), None)
        battlegrounds, military, aftermath = view.score[owner].tolist()
        return (bid if bid != NO_BID else None), shown, (battlegrounds, military, aftermath)

    (us_bid, us_shown, us_score), (ussr_bid, ussr_shown, ussr_score) = of_side(0), of_side(1)
    return DrawnPosition(
        side=side,
        grounds=tuple(ground(place) for place, area in enumerate(areas) if area != Area.OFF_TABLE),
        supply=both("supply"),
        lost=both("lost"),
        hand=both("hand"),
        is_bidding=int(view.node) == Node.BID,
        bid=(us_bid, ussr_bid),
        first=int(view.first) if int(view.first) in (0, 1) else None,
        turn=int(view.turn),
        pile=int(view.pile),
        in_play=cards[int(frame.card)].id if frame is not None else None,
        player=int(frame.player) if frame is not None else None,
        pending=(bool(pending & 1), bool(pending & 2)),
        shown=(us_shown, ussr_shown),
        is_scored=int(view.node) in _SCORED,
        score=(us_score, ussr_score),
        over=over,
        winner=int(view.winner),
        reason=REASONS[int(view.reason)],
    )


__all__ = ["SPHERES", "Battleground", "DrawnPosition", "read"]
