"""13 Minutes in words: the turn, the battlegrounds of each area, both sides."""

from __future__ import annotations

from brinkmanship.drawing.board_text import EMPTY, TextSection, TextTable, cell
from brinkmanship.drawing.phrases import capital
from brinkmanship.games.thirteen_minutes.drawing.clock import heading, result_words
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground, DrawnPosition, read
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS, State
from brinkmanship.text import Words


def board_text(game: ThirteenMinutes, view: State, side: int, words: Words) -> list[TextSection]:
    """Return the position in words; see `Drawing.board_text`."""
    labels, position = labels_for(words, game.data), read(game, view, side)
    return [
        TextSection(labels.sentence("text.state"), tuple(_state(labels, position))),
        *(_area(labels, position, area) for area in range(N_AREAS)),
        TextSection(labels.sentence("text.sides"), tables=(_sides(labels, position),)),
    ]


def _state(labels: Labels, position: DrawnPosition) -> list[str]:
    turns = max(labels.data.limits.turns - position.turn, 0)
    facts = [result_words(labels, position)] if position.over else [heading(labels, position)]
    facts += [labels.sentence("to_midnight", n=turns)] if turns and position.first is not None else []
    facts += [labels.sentence("began", side=labels.sides[position.first])] if position.first is not None else []
    if position.in_play and position.player is not None:
        facts.append(f"{labels.sides[position.player]}: {labels.card(position.in_play)}")
    return facts


def _area(labels: Labels, position: DrawnPosition, area: int) -> TextSection:
    there = position.lying(area)
    tallies = tuple(capital(labels.tally(position, area, colour)) for colour in COLOURS) if area in SPHERES else ()
    count = labels.sentence("lying", n=len(there))
    columns = tuple(labels.sentence(f"text.{key}") for key in ("place.minutes", "type"))
    columns += (*labels.sides, labels.sentence("text.control.minutes"), labels.sentence("text.worth"))
    table = TextTable("", columns, tuple(_battleground(labels, ground) for ground in there))
    return TextSection(capital(labels.area_name(area)), (count, *tallies), (table,) if there else ())


def _battleground(labels: Labels, ground: Battleground) -> tuple[str, ...]:
    scoring = labels.data.scoring
    colour = labels.kind(ground.colour) if ground.colour else labels.say("face_down")
    worth = labels.say("prestige_worth", n=scoring.cuba if ground.is_cuba else scoring.battleground)
    us, ussr = map(str, ground.cubes)
    control = EMPTY if ground.controller is None else labels.sides[ground.controller]
    return labels.place(ground), colour, us, ussr, control, worth


def _sides(labels: Labels, position: DrawnPosition) -> TextTable:
    keys = ("side", "supply.minutes", "hand", "out", "prestige", "cards")
    columns = tuple(labels.sentence(f"text.{key}") for key in keys)
    return TextTable("", columns, tuple(_side(labels, position, side) for side in range(2)))


def _side(labels: Labels, position: DrawnPosition, side: int) -> tuple[str, ...]:
    parts = position.score[side]
    worth = labels.say("worth_now", count=labels.worth(position, side))
    prestige = f"{sum(parts)} ({' + '.join(map(str, parts))})" if position.is_scored else worth
    facts = [str(count[side]) for count in (position.supply, position.hand, position.lost)]
    return (labels.sides[side], *facts, prestige, cell(_cards(labels, position, side)))


def _cards(labels: Labels, position: DrawnPosition, side: int) -> list[str]:
    """Return a bid as far as it is known, and the last card of a hand once it is shown."""
    bid, shown = position.bid[side], position.shown[side]
    found = [labels.say("bid_known", count=bid)] if position.is_bidding and bid is not None else []
    return [*found, labels.card(shown)] if shown else found
