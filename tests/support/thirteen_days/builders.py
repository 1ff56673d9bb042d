"""Positions of 13 Days for tests, in the notation of the rules: cubes "US-USSR", markers "military/political/world".

A test builds a `base` position, plays actions as texts and looks at the board:

    b = base(cuba_political="3-0")
    b.play("command u2_downed", "ussr: trigger", "place 2 turkey", "remove 2 cuba_political", "us: done")
    assert b.cubes("cuba_political") == "1-0"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from typing import Any

import msgspec

from brinkmanship.engine.game import CHANCE
from brinkmanship.games.cuban.data import AnyEffect
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.action_numbers import RULES_STEPS
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.loading import load
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node
from brinkmanship.games.thirteen_days.rules.tables import choose_options
from support.card_games import SIDES, CardGame

CUBES_PER_SIDE = 17

Options = Mapping[str, str | bool]

AGENDAS = {"us": ("turkey", "italy", "world_opinion_track"), "ussr": ("atlantic", "personal_letter", "political_track")}
HANDS = {
    "us": ("close_allies", "summit_meeting", "the_guns_of_august", "speech_to_the_nation", "nuclear_submarines"),
    "ussr": ("to_the_brink", "containment", "sops", "a_face_saver", "fifty_fifty"),
}
"""What the base position was dealt: UN cards, which `Position.hand_over` replaces by those a test is about."""


@cache
def _game(options: tuple[tuple[str, str | bool], ...]) -> ThirteenDays:
    game = load_game("13-days", options=dict(options))
    assert isinstance(game, ThirteenDays)
    return game


def the_game(options: Options | None = None) -> ThirteenDays:
    """The ruleset with these options, loaded once for all tests."""
    return _game(tuple(sorted((options or {}).items())))


def with_event(card_id: str, *effects: AnyEffect) -> ThirteenDays:
    """A ruleset of a designer: one card of the game has another event."""
    data = load()
    cards = [msgspec.structs.replace(card, effects=list(effects)) if card.id == card_id else card for card in data.card]
    return ThirteenDays(msgspec.structs.replace(data, card=cards), choose_options(data, {}))


def other(side: str) -> str:
    """The opponent of a side."""
    return "ussr" if side == "us" else "us"


IDLE = ("done", "decline", "command")
"""What a side does that wants to do nothing, in order of preference."""


def _eagerness(text: str) -> int:
    kind = text.split()[0]
    return IDLE.index(kind) if kind in IDLE else len(IDLE)


class Position(CardGame):
    """A game in progress: what tests do to it and ask of it, in texts."""

    n_play = Node.PLAY
    play_verbs = ("event", "command")
    in_hand = CardIs.IN_HAND

    # Playing.

    def idle_until(self, step: str) -> Position:
        """Both sides do as little as they can, up to the next time that the rules take this step."""
        while self.to_move() == "chance" and step in self.legal():
            self.act(step)
        while step not in self.legal():
            self.act(min(self.legal(), key=_eagerness))
        return self

    def idle_one_turn(self) -> Position:
        """Whose turn it is plays a card and does nothing with it."""
        turn = self.state.turn
        while self.state.turn == turn:
            self.act(min(self.legal(), key=_eagerness))
        return self

    def most(self, verb: str) -> dict[str, int]:
        """The most cubes that may be placed or removed ("place", "remove") on each battleground."""
        found: dict[str, int] = {}
        for kind, number, place in (text.split() for text in self.legal() if text.startswith(f"{verb} ")):
            assert kind == verb
            found[place] = max(found.get(place, 0), int(number))
        return found

    def turn_is_over(self) -> bool:
        """Whether no card is in play any more."""
        return bool(self.state.depth == 0)

    # Looking.

    def cubes(self, place: str) -> str:
        """Cubes on a battleground, "US-USSR"."""
        us, ussr = self.state.influence[:, BATTLEGROUNDS.index(place)]
        return f"{us}-{ussr}"

    def markers(self, side: str) -> str:
        """The markers of a side, "military/political/world opinion"."""
        return "/".join(str(step) for step in self.state.defcon[SIDES.index(side)])

    def supply(self, side: str) -> int:
        """Cubes of a side that are not on the board."""
        return CUBES_PER_SIDE - int(self.state.influence[SIDES.index(side)].sum())

    @property
    def prestige(self) -> int:
        """Prestige: the US leads by so many, or the USSR where it is negative."""
        return int(self.state.prestige)

    @property
    def letter(self) -> str:
        """Who holds the Personal Letter."""
        return SIDES[self.state.letter]

    def board(self) -> dict[str, Any]:
        """Everything on the board: cubes, markers, Prestige, letter, round."""
        public = self.game.public_state(self.state)
        return {name: public[name] for name in ("influence", "defcon", "prestige", "letter", "round")}

    def cards_in(self, place: int) -> set[str]:
        """The strategy cards that are in a place, IN_DECK .. ABSENT."""
        return {card.id for card in self.game.data.card if self.where(card.id) == place}

    # Setting up.

    def set(
        self,
        *,
        us: str = "",
        ussr: str = "",
        prestige: int | None = None,
        letter: str = "",
        sops: str = "",
        brink: str = "",
        ban: str = "",
        **cubes: str,
    ) -> Position:
        """Change the position: markers of a side, cubes by battleground, and who is under SOPs, To the Brink, a ban."""
        for side, markers in (("us", us), ("ussr", ussr)):
            if markers:
                self.state.defcon[SIDES.index(side)] = [int(step) for step in markers.split("/")]
        for place, both in cubes.items():
            self.state.influence[:, BATTLEGROUNDS.index(place)] = [int(number) for number in both.split("-")]
        if prestige is not None:
            self.state.prestige = prestige
        if letter:
            self.state.letter = SIDES.index(letter)
        if sops:
            self.state.modifier[SIDES.index(sops)] += 1
        if brink:
            self.state.modifier[SIDES.index(brink)] -= 1
            self.state.least[SIDES.index(brink)] = 1
        if ban:
            self.state.ban[SIDES.index(ban)] = 1
        return self

    def hand_over(self, side: str, *cards: str) -> Position:
        """See that a side holds these cards: each changes places with another card of its hand."""
        for card in cards:
            place = CardIs.IN_HAND + SIDES.index(side)
            if self.where(card) == place:
                continue
            if self.where(card) == CardIs.DISCARDED:
                raise ValueError(f"{card} has been discarded")
            spare = next(held for held in sorted(self.hand(side)) if held not in cards)
            self.state.card[self.game.data.card_index(spare)] = self.where(card)
            self.state.card[self.game.data.card_index(card)] = place
        return self

    def at_rules_step(self, step: str) -> Position:
        """Go straight to a step the rules take themselves, "save_cards", "resolve_agendas" ..., and take it."""
        self.state.node = RULES_STEPS.index(step)
        self.state.mover = CHANCE
        return self.play(step)

    def save_cards(self) -> Position:
        """S4: hands of one card each, and those saved; what step 5 then asks is pending."""
        for side in SIDES:
            for card in sorted(self.hand(side))[1:]:
                self.state.card[self.game.data.card_index(card)] = CardIs.DISCARDED
                self.state.hand[SIDES.index(side)] -= 1
                self.state.discard += 1
        return self.at_rules_step("save_cards")

    def resolve(self, us: str = "", ussr: str = "") -> Position:
        """S6 with these agendas; a side without one has chosen a battleground where nobody leads."""
        for side, agenda in enumerate((us, ussr)):
            self.state.chosen[side] = self._agenda(agenda or self._tied_battleground({us, ussr}))
        return self.at_rules_step("resolve_agendas")

    def _agenda(self, agenda_id: str) -> int:
        return [agenda.id for agenda in self.game.data.agenda].index(agenda_id)

    def _tied_battleground(self, taken: Iterable[str]) -> str:
        for agenda in self.game.data.agenda:
            if agenda.battleground and agenda.id not in taken and len(set(self.cubes(agenda.id).split("-"))) == 1:
                return agenda.id
        raise ValueError("name both agendas: somebody leads on every battleground")

    def count_aftermath(self, *cards: str) -> Position:
        """S9 with these cards in the aftermath stack."""
        for number, card in enumerate(cards):
            self.state.card[self.game.data.card_index(card)] = CardIs.IN_AFTERMATH + number % 2
            self.state.aftermath[number % 2] += 1
        return self.at_rules_step("count_aftermath")


def new_game(options: Options | None = None) -> Position:
    """The position after set-up, before the first step of round 1."""
    game = the_game(options)
    return Position(game, game.new_state())


def deal_agendas(position: Position) -> Position:
    """S2 with the agendas of `AGENDAS`, before they are chosen."""
    return position.play(*(f"deal {agenda}" for agenda in chain(AGENDAS["us"], AGENDAS["ussr"])))


def deal_hands(position: Position) -> Position:
    """S3a with the hands of `HANDS`."""
    return position.play(*(f"draw {card}" for card in chain(HANDS["us"], HANDS["ussr"])))


def before_initiative(prestige: int = 0, options: Options | None = None) -> Position:
    """Round 1 up to the choice of the first player (S3b)."""
    position = deal_agendas(new_game(options).play("escalate"))
    position.set(prestige=prestige).play("us: keep italy", "ussr: keep personal_letter")
    if the_game(options).options["initiative_chosen"] == "after_draw":
        deal_hands(position)
    return position


@cache
def _base(options: tuple[tuple[str, str | bool], ...], to_play: str) -> Position:
    position = before_initiative(options=dict(options)).play(f"ussr: first {to_play}")
    return position if position.hand("us") else deal_hands(position)


def base(to_play: str = "us", options: Options | None = None, **changes: Any) -> Position:
    """Base state B of the golden cases, the named side to play, with changes as in `Position.set`."""
    return _base(tuple(sorted((options or {}).items())), to_play).copy().set(**changes)
