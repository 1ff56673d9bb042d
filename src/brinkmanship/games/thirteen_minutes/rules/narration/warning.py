"""The warning shown to a side before one of its actions that could trigger war (section 5.5)."""

from __future__ import annotations

from brinkmanship.engine.message import Message, Ref
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import COLOURS, CUBA, Area, State

SPHERES = (Area.US_SPHERE, Area.USSR_SPHERE)
"""The sphere of each side."""


def warning(game: ThirteenMinutesRuleset, before: State, after: State, side: int) -> Message | None:
    """Return a warning if one more card of a colour lies in the side's own sphere and there are enough for war."""
    war = game.data.scoring.war_cards
    was, now = _colours_in(game, before, SPHERES[side]), _colours_in(game, after, SPHERES[side])
    for colour in COLOURS:
        some = now.count(colour)
        if some >= war and some > was.count(colour):
            return Message("warning.war", {"kind": Ref("colour", colour), "some": some, "war": war})
    return None


def _colours_in(game: ThirteenMinutesRuleset, view: State, area: int) -> list[str]:
    """Return the colour of each card that lies face up in an area."""
    areas = view.area.tolist()
    found: list[str] = [card.colour for card, there in zip(game.data.card, areas, strict=False) if there == area]
    if areas[CUBA] == area and view.cuba_card >= 0:
        found.append(game.data.card[view.cuba_card].colour)
    return found
