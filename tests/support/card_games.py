"""A game of strategy cards in progress, played and asked in texts: what the builders of both Cuban games share."""

from __future__ import annotations

from typing import Any, Self

from brinkmanship.engine.errors import IllegalActionError
from brinkmanship.engine.game import CHANCE, OVER

SIDES = ("us", "ussr")
ACTORS = {0: "us", 1: "ussr", CHANCE: "chance", OVER: "over"}


class CardGame:
    """A game in progress: what tests do to it and ask of it, in texts."""

    n_play: int
    """The node at which a card is played."""
    play_verbs: tuple[str, ...]
    """What an action there begins with, before the card."""
    in_hand: int
    """The place of the cards in the hand of the US; that of the USSR is the next."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game = game
        self.state = state

    def copy(self) -> Self:
        """An independent copy, to try something else from the same position."""
        return type(self)(self.game, self.game.copy(self.state))

    def hand_over(self, side: str, card: str) -> object:
        """Give a side a card, in exchange for one it holds."""
        raise NotImplementedError

    # Playing.

    def play(self, *texts: str) -> Self:
        """Carry out these actions, each by whoever is asked; "us: done" says who that must be.

        A card that is to be played is first put into the hand of the side that plays it.

        Raises:
            IllegalActionError: an action is not legal, or somebody else is asked.
        """
        for text in texts:
            verb, *card = text.rpartition(": ")[2].split()
            if self.state.node == self.n_play and verb in self.play_verbs:
                self.hand_over(self.to_move(), card[0])
            self.act(text)
        return self

    def act(self, text: str) -> None:
        """Carry out one action as it is, without putting cards into hands first.

        Raises:
            IllegalActionError: the action is not legal, or somebody else is asked.
        """
        who, _, action_text = text.rpartition(": ")
        asked = who if who in self.all_asked() else self.to_move()
        if who and who != asked:
            raise IllegalActionError(f"{text!r}, but {asked} is asked")
        side = SIDES.index(asked) if asked in SIDES else CHANCE
        action = self.game.parse_action(action_text, side)
        if self.game.action_text(action) not in self.legal(asked):
            raise IllegalActionError(f"{text!r} is not legal; {asked} may: {', '.join(self.legal(asked))}")
        self.game.apply(self.game.rules, self.state, action)

    def let_chance(self) -> Self:
        """Let chance and the rules go on, the first outcome each time, until a side is asked or the game is over."""
        while self.to_move() == "chance":
            self.act(self.legal()[0])
        return self

    def to_move(self) -> str:
        """Who acts: us, ussr, chance (the rules too), over."""
        return ACTORS[self.game.actor(self.game.rules, self.state)]

    def all_asked(self) -> set[str]:
        """The sides that may act."""
        bits = self.game.pending(self.game.rules, self.state)
        return {side for number, side in enumerate(SIDES) if bits >> number & 1}

    def legal(self, who: str = "") -> list[str]:
        """The texts of what a side (else whoever is asked) may do."""
        who = who or self.to_move()
        if who == "chance":
            actions = list(self.game.distribution(self.state))
        else:
            actions = self.game.legal_actions(self.state, SIDES.index(who)) if who in SIDES else []
        return [self.game.action_text(action) for action in actions]

    # Looking.

    def where(self, card: str) -> int:
        """The place of a strategy card."""
        return int(self.state.card[self.game.data.card_index(card)])

    def hand(self, side: str) -> set[str]:
        """The strategy cards a side holds."""
        place = self.in_hand + SIDES.index(side)
        return {card.id for card in self.game.data.card if self.where(card.id) == place}

    def outcome(self) -> tuple[str, str]:
        """Why the game ended, and who won: us, ussr, nobody."""
        reason, utility = self.game.outcome(self.state)
        winners = [side for side, value in zip(SIDES, utility, strict=True) if value > 0]
        return reason, winners[0] if winners else "nobody"

    def utility(self) -> list[float]:
        """What the end is worth to the US and to the USSR; nobody has won a draw, and nobody has lost it."""
        found: list[float] = self.game.outcome(self.state)[1].tolist()
        return found
