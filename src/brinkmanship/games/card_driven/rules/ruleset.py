"""A card-driven game as a `brinkmanship.engine.game.Game`; each game is a subclass with its shape and its hooks."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from brinkmanship.engine.action_parser import NO_SIDE, ActionParser
from brinkmanship.engine.game import Game
from brinkmanship.engine.jit.compile import Records, instantiate
from brinkmanship.engine.message import ActionParts
from brinkmanship.engine.options import OptionValue, choose
from brinkmanship.games.card_driven.rules import flow, knowledge, policy
from brinkmanship.games.card_driven.rules.data import GameData, load
from brinkmanship.games.card_driven.rules.narrator import CardDrivenNarrator
from brinkmanship.games.card_driven.rules.numbers import action_texts, parts
from brinkmanship.games.card_driven.rules.state import NOTHING, REASONS, CardIs, Node, Shape, State, build

LIBRARY = __name__.rpartition(".rules.")[0]
"""The package of the layer."""
_MODULES = (flow, knowledge, policy)
"""The modules of the functions that each game gets; imported so that they are declared."""


def functions_for(records: Records) -> SimpleNamespace:
    """Compile the layer for a game whose hooks are implemented; return its functions by name."""
    return instantiate(records, LIBRARY)


class CardDrivenGame(Game, narrator=CardDrivenNarrator):
    """A ruleset of a card-driven game; see `Game` for its methods.

    A subclass names its shape, its records and the functions of the layer::

        class SaltAndAmber(CardDrivenGame, shape=SHAPE, records=RECORDS, functions=functions_for(RECORDS)):
    """

    shape: ClassVar[Shape]
    functions: ClassVar[SimpleNamespace]
    own_reasons: ClassVar[tuple[str, ...]] = ()
    """Why the game may end early: the results of `hooks.ended`, from 3 on."""
    last_step_of_rules = Node.END_ROUND

    def __init_subclass__(
        cls, shape: Shape | None = None, records: Records | None = None, functions: Any = None, **keywords: Any
    ) -> None:
        super().__init_subclass__(flow=functions, knowledge=functions, **keywords)
        if shape is None or records is None:
            return
        cls.id, cls.shape, cls.functions = shape.game, shape, functions
        cls.reasons = (*REASONS, *cls.own_reasons)
        cls.dtype, cls.rules_type, cls.state_type = records.dtype, records.rules, records.state
        cls.n_actions = shape.numbers.total
        cls.max_legal = max(2 * shape.cards, 2 * shape.places + 2 * shape.tracks + 1)

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.sides = data.side_ids  # type: ignore[misc]  # each ruleset may name them
        super().__init__(data, {}, {})
        self.rules = build(data, self.shape)
        self.action_texts = action_texts(data)
        texts = dict(enumerate(self.action_texts))
        example = f"play {data.card[0].id} ops, put {data.place[0].id}"
        self.action_parser = ActionParser(self.title, texts, lambda _: NO_SIDE, example)

    @classmethod
    def load(cls, data_file: Any = None, options: Mapping[str, OptionValue] | None = None) -> Self:
        choose(cls.title, {}, {}, options or {})
        counts = (cls.shape.cards, cls.shape.places, cls.shape.tracks)
        return cls(load(data_file, cls.__module__.rpartition(".")[0], cls.shape.game, counts))

    def action_parts(self, action: int) -> ActionParts:
        return parts(self.action_text(action))

    def public_state(self, state: State) -> dict[str, Any]:
        """Return the board, the tracks, and the numbers of cards."""
        return {
            "round": int(state.round_number),
            **{
                place.id: {side: int(state.influence[number, at]) for number, side in enumerate(self.sides)}
                for at, place in enumerate(self.data.place)
            },
            **{track.id: int(state.track[number]) for number, track in enumerate(self.data.track)},
            "deck": int(state.deck),
            "hands": {side: int(state.hand[number]) for number, side in enumerate(self.sides)},
        }

    def known_state(self, view: State, side: int) -> dict[str, Any]:
        """Return the public state, and the cards that the viewer knows."""
        piles = {"played": CardIs.PLAYED, "discarded": CardIs.DISCARDED, "removed": CardIs.REMOVED}
        hand = self.cards_in(view, side) if side < len(self.sides) else []
        return {
            **self.public_state(view),
            "cards": {"hand": hand, **{pile: self.cards_in(view, where) for pile, where in piles.items()}},
        }

    def cards_in(self, view: State, where: int) -> list[str]:
        """Return the ids of the cards that a view shows in a place."""
        return [card.id for number, card in enumerate(self.data.card) if view.card[number] == where]

    def card_in_play(self, view: State) -> str | None:
        """Return the id of the card in play, if there is one."""
        return None if view.played == NOTHING else self.data.card[view.played].id
