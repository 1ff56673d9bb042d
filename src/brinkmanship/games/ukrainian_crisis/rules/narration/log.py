"""An action as a viewer may know it, and the log lines that every step words alike."""

from __future__ import annotations

from typing import Any, NamedTuple

from brinkmanship.engine.message import Argument, LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.names import RU, UA
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_card, the_side, the_stack, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import State


class Log(NamedTuple):
    """An action with two views of a viewer; both blank the cards that the viewer may not know."""

    game: UkrainianCrisisRuleset
    before: State
    action: int
    """The action, or -1 if the viewer may not know it."""
    after: State
    viewer: int

    @property
    def side(self) -> int:
        """The side that acted."""
        return int(self.before.mover)

    @property
    def frame(self) -> Any:
        """The innermost task before the action."""
        return frame_of(self.before)

    @property
    def zone(self) -> Argument:
        """The zone that the action names."""
        return the_zone(self.game, self.action - Action.ZONE)

    @property
    def secret_side(self) -> int:
        """The side that has chosen where both choose at once.

        Viewers who may not know the choice see the other side act; observers see first Ukraine and then Russia, which
        ends the step, since they are recorded in this order.
        """
        if self.action < 0:
            if self.viewer in (UA, RU):
                return 1 - self.viewer
            return UA if self.after.node == self.before.node else RU
        parts = self.game.action_parts(self.action)
        return self.game.sides.index(parts.side or "")

    def line(self, key: str, side: int | None = None, card: str | None = None, **args: Argument) -> LogLine:
        """Return a line of the log about an action of `side`."""
        who: dict[str, Argument] = {} if side is None else {"who": the_side(side)}
        return LogLine(Message(f"log.{key}", {**who, **args}), side, card)

    def done(self) -> LogLine:
        """Return the line of a side that is done."""
        return self.line("done", self.side)

    def unit_line(self, key: str, stack: int, **args: Argument) -> LogLine:
        """Return a line about a unit of a stack."""
        return self.line(key, self.side, None, **the_stack(self.game, stack), **args)

    def both_cards(self, area: int) -> dict[str, Argument]:
        """Return both cards of an area by their sides."""
        cards = [the_card(self.game, rank) for rank in self.after.matrix[:, area].tolist()]
        return dict(zip(self.game.sides, cards, strict=True))
