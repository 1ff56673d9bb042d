"""Positions of 13 Minutes for tests, in the notation of the rules: ``cuba@N 3:2`` is Cuba in the neutral area (U the
US sphere, N neutral, S the USSR sphere) with 3 US and 2 USSR cubes.

A test lays out a `table`, plays actions as texts and looks at what lies there:

    t = table("cuba@N 0:0").play("play excomm us", "command", "place 1 cuba")
    assert t.at("cuba") == "U 1:0"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.options import OptionValue
from brinkmanship.games.cuban.data import AnyEffect
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.loading import load
from brinkmanship.games.thirteen_minutes.rules.state import CUBA, Area, CardIs, Node
from brinkmanship.games.thirteen_minutes.rules.tables import choose_options
from support.card_games import SIDES, CardGame

AREAS = "UNS"

Options = Mapping[str, OptionValue]

P = (
    "cuba@N 3:2",
    "quarantine@U 1:1",
    "mrbms_irbms@S 0:0",
    "strategic_balance@N 0:2",
    "nuclear_submarines@N 1:1",
    "moscow_is_our_brain@U 0:2",
    "fidel_castro@S 1:0",
    "public_protests@U 2:0",
    "wave_and_smile@N 2:1",
    "u2_photographs@S 0:0",
    "u2_downed@S 1:3",
)
"""Position P of the golden cases; see `scoring_of_p`."""


@cache
def _game(options: tuple[tuple[str, OptionValue], ...]) -> ThirteenMinutes:
    game = load_game("13-minutes", options=dict(options))
    assert isinstance(game, ThirteenMinutes)
    return game


def the_game(options: Options | None = None) -> ThirteenMinutes:
    """The ruleset with these options, loaded once for all tests."""
    return _game(tuple(sorted((options or {}).items())))


def with_event(card_id: str, *effects: AnyEffect, options: Options | None = None) -> ThirteenMinutes:
    """A ruleset of an owner of other cards: one card of the deck has another event."""
    data = load()
    cards = [msgspec.structs.replace(card, effects=list(effects)) if card.id == card_id else card for card in data.card]
    return ThirteenMinutes(msgspec.structs.replace(data, card=cards), choose_options(data, options or {}))


class Table(CardGame):
    """A game in progress: what tests do to it and ask of it, in texts."""

    n_play = Node.PLAY
    play_verbs = ("play",)
    in_hand = CardIs.IN_HAND

    # Looking.

    def at(self, place: str) -> str:
        """Area and cubes of a battleground, "N 3:2", or "off" the table."""
        index = self.game.data.places.index(place)
        if self.state.area[index] == Area.OFF_TABLE:
            return "off"
        us, ussr = self.state.influence[:, index].tolist()
        return f"{AREAS[self.state.area[index]]} {us}:{ussr}"

    def supply(self, side: str) -> int:
        """Cubes a side can still place."""
        return int(self.state.supply[SIDES.index(side)])

    def prestige(self) -> tuple[int, int]:
        """Of the US and the USSR."""
        us, ussr = self.state.score.sum(axis=1).tolist()
        return us, ussr

    # Setting up.

    def hand_over(self, side: str, card: str) -> None:
        """Give a side a card, in exchange for one it holds."""
        index, place = self.game.data.card_index(card), CardIs.IN_HAND + SIDES.index(side)
        if self.state.card[index] == place:
            return
        given = next(number for number, where in enumerate(self.state.card.tolist()) if where == place)
        self.state.card[given] = self.state.card[index]
        self.state.card[index] = place

    def lay(self, notation: str) -> None:
        """Put a battleground on the table, "cuba@N 3:2"."""
        place, _, rest = notation.partition("@")
        index = self.game.data.places.index(place)
        self.state.area[index] = AREAS.index(rest[0])
        self.state.influence[:, index] = [int(cubes) for cubes in rest[1:].split(":")]
        if index != CUBA:
            self.state.card[index] = CardIs.ON_TABLE


def new_game(options: Options | None = None, game: ThirteenMinutes | None = None) -> Table:
    """A game before the first card is dealt."""
    game = game or the_game(options)
    return Table(game, game.new_state())


def bidding(options: Options | None = None) -> Table:
    """A game after the deal, where both bid."""
    return new_game(options).let_chance()


def table(
    *places: str,
    mover: str = "us",
    turn: int = 0,
    lost: tuple[int, int] = (0, 0),
    options: Options | None = None,
    game: ThirteenMinutes | None = None,
) -> Table:
    """A game in which `mover` is to play a card and so many have been played; Cuba lies neutral unless it is given.

    The cards on the table are only those given.
    """
    found = new_game(options, game)
    state = found.state
    state.area[CUBA] = Area.NEUTRAL
    for notation in places:
        found.lay(notation)
    free = [card for card in range(len(state.card)) if state.card[card] == CardIs.IN_PILE]
    for number, card in enumerate(free[:4]):
        state.card[card] = CardIs.IN_HAND + number % 2
    state.hand[:] = 2
    state.lost[:] = lost
    state.supply[:] = 13 - state.influence.sum(axis=1) - state.lost
    state.pile = max(8 - turn, 0)
    state.turn = turn
    side = SIDES.index(mover)
    state.first = side if turn % 2 == 0 else 1 - side
    state.bidder = state.first
    state.node, state.mover, state.drawer = Node.PLAY, side, -1
    return found


def scoring(
    *places: str,
    us: str = "u_thant",
    ussr: str = "excomm",
    cuba: str = "scramble",
    options: Options | None = None,
) -> Table:
    """A game before the first step of the scoring, with the last card of each hand and what Cuba is."""
    found = table(*places, turn=9, options=options)
    state = found.state
    state.card[:] = CardIs.ON_TABLE
    for card, place in ((us, CardIs.IN_HAND), (ussr, CardIs.IN_HAND + 1), (cuba, CardIs.IN_PILE)):
        state.card[found.game.data.card_index(card)] = place
    state.hand[:] = 1
    state.pile = 0
    state.turn = 10
    state.node, state.mover = Node.SCORE_BATTLEGROUNDS, CHANCE
    return found


def scoring_of_p(*changed: str, options: Options | None = None) -> Table:
    """Position P before the scoring, with some battlegrounds otherwise."""
    return scoring(*P, *changed, options=options)
