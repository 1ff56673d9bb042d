"""Parser of actions: from the texts in journals, programs and terminals to the numbers of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brinkmanship.engine.errors import MalformedActionError
from brinkmanship.engine.message import Message

NO_SIDE = -1
"""The owner of an action whose text is not shared by the sides."""


class ActionParser:
    """The actions of a ruleset by their texts.

    Args:
        game: its name, for errors.
        texts: texts of all actions, by number.
        owner: returns the side of an action whose text both sides share, such as a secret choice; otherwise `NO_SIDE`.
        examples: examples of actions, for errors.
    """

    def __init__(self, game: str, texts: Mapping[int, str], owner: Callable[[int], int], examples: str) -> None:
        self._game = game
        self._examples = examples
        self._numbers = {(text, owner(action)): action for action, text in texts.items()}

    def number(self, text: str, side: int) -> int:
        """Return the action with this text, by this side (0, 1; other for chance and the rules).

        Raises:
            MalformedActionError: no action of this ruleset has this text.
        """
        wanted = " ".join(text.split())
        action = self._numbers.get((wanted, NO_SIDE), self._numbers.get((wanted, side)))
        if action is None:
            known = {"action": text, "title": self._game, "examples": self._examples}
            raise MalformedActionError(Message("fault.action.unknown", known))
        return action
