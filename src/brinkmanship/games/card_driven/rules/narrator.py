"""Questions, choices and the log of card-driven games. Their texts are in ``text/catalogues/card_driven.*.po``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brinkmanship.engine.message import LogLine, Message, Ref
from brinkmanship.engine.narrator import Narrator
from brinkmanship.games.card_driven.rules.state import NOTHING, Node, State


class CardDrivenNarrator(Narrator[Any]):
    """Texts of a card-driven game for people; see `Narrator`."""

    span = "round"

    def prompt(self, view: State, side: int) -> Message:
        if side not in self.game.to_move(view):
            return super().prompt(view, side)
        if view.node == Node.PLAY:
            return Message("ask.play")
        card = Ref("card", self.game.card_in_play(view) or "")
        if view.node == Node.OFFER:
            return Message("ask.offer", {"card": card})
        kind = "ops" if view.node == Node.OPS else self._effect(view)
        return Message(f"ask.{kind}", {"card": card, "n": int(view.left)})

    def _effect(self, view: State) -> str:
        card, effect = self.game.data.card[view.played], view.effect - self.game.rules.first_effect[view.played]
        return card.event[effect].do

    def describe(self, view: State, side: int, action: int) -> Message:  # noqa: ARG002 - the contract's signature
        return self._told("choice", action)

    def narrate(self, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG002
        """Yield the action, then what its event changed beside it: the tracks that moved."""
        if action < 0:
            yield LogLine(Message("log.draw_hidden"))
            return
        parts = self.game.action_parts(action)
        side = None if before.mover == NOTHING else int(before.mover)
        yield LogLine(self._told("log", action), side, parts.card)
        if parts.kind != "push":
            for number, track in enumerate(self.game.data.track):
                if before.track[number] != after.track[number]:
                    yield LogLine(
                        Message("change.track", {"track": Ref("track", track.id), "to": int(after.track[number])})
                    )

    def _told(self, form: str, action: int) -> Message:
        parts = self.game.action_parts(action)
        named = {"card": parts.card, "place": parts.place, "track": parts.track, "side": parts.side}
        known = {kind: Ref(kind, id) for kind, id in named.items() if id is not None}
        kind = f"push_{'up' if (parts.count or 0) > 0 else 'down'}" if parts.kind == "push" else parts.kind
        return Message(f"{form}.{kind}", known)
