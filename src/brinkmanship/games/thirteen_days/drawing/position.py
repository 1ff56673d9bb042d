"""A position for drawing, read once from a side's view: plain numbers and ids, no hidden information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import REASONS, Node, State


@dataclass(frozen=True)
class DrawnPosition:
    """A view in plain values. Pairs are (US, USSR)."""

    side: int
    """The viewer: 0, 1, or `OBSERVER`."""
    cubes: Mapping[str, tuple[int, int]]
    markers: Mapping[str, tuple[int, int]]
    prestige: int
    letter: int
    supply: tuple[int, int]
    hand: tuple[int, int]
    modifier: tuple[int, int]
    ban: tuple[int, int]
    deck: int
    discard: int
    aftermath: int
    round_number: int
    turn: int
    card_in_play: bool
    pending: tuple[bool, bool]
    """For each side, True if it has a decision pending."""
    flags: tuple[Mapping[str, int], Mapping[str, int]]
    """Number of flags each side has for an agenda."""
    chosen: tuple[str | None, str | None]
    """The agenda a side has kept, if the viewer knows it."""
    over: bool
    winner: int
    reason: str

    def lead(self, place: str) -> int:
        """Return the number of cubes by which the US leads there; negative: the USSR."""
        us, ussr = self.cubes[place]
        return us - ussr

    def leader(self, place: str) -> int | None:
        """Return the side with more cubes there, or None."""
        lead = self.lead(place)
        return None if lead == 0 else 0 if lead > 0 else 1


def read(game: ThirteenDays, view: State, side: int) -> DrawnPosition:
    """Read the position from a view of `side` (or of the observer)."""
    agendas = game.data.agenda
    over = int(view.node) == Node.OVER
    pending = 0 if over else int(game.pending(game.rules, view))
    on_board = [sum(int(n) for n in view.influence[owner]) for owner in range(2)]
    chosen = [int(view.chosen[owner]) for owner in range(2)]

    def both(name: str) -> tuple[int, int]:
        pair = view[name]
        return int(pair[0]), int(pair[1])

    def dealt(owner: int) -> dict[str, int]:
        counts = (int(view.agenda_dealt[owner, index]) for index in range(len(agendas)))
        return {agenda.id: count for agenda, count in zip(agendas, counts, strict=True) if count}

    total = game.data.limits.cubes_per_side
    return DrawnPosition(
        side=side,
        cubes={p: (int(view.influence[0, i]), int(view.influence[1, i])) for i, p in enumerate(BATTLEGROUNDS)},
        markers={t: (int(view.defcon[0, i]), int(view.defcon[1, i])) for i, t in enumerate(TRACKS)},
        prestige=int(view.prestige),
        letter=int(view.letter),
        supply=(total - on_board[0], total - on_board[1]),
        hand=both("hand"),
        modifier=both("modifier"),
        ban=both("ban"),
        deck=int(view.deck),
        discard=int(view.discard),
        aftermath=sum(both("aftermath")),
        round_number=int(view.round_number),
        turn=int(view.turn),
        card_in_play=int(view.depth) > 0,
        pending=(bool(pending & 1), bool(pending & 2)),
        flags=(dealt(0), dealt(1)),
        chosen=tuple(agendas[c].id if c >= 0 else None for c in chosen),  # type: ignore[arg-type]
        over=over,
        winner=int(view.winner),
        reason=REASONS[int(view.reason)],
    )


__all__ = ["OBSERVER", "DrawnPosition", "read"]
