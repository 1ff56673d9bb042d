"""Numbered choices, in two steps if there are many: e.g. which battleground, then how many.

An input may be a number of the menu, the label behind it, the action in journal form ("place 2 berlin"), or any words
that match only one choice ("berlin 2"). Words that match several choices open a menu of those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.text import Text

from brinkmanship.engine.game import Game
from brinkmanship.engine.message import ActionParts, Message, Ref
from brinkmanship.engine.record import State
from brinkmanship.terminal.protocol import Table
from brinkmanship.terminal.style import QUIET, fit, wrapped
from brinkmanship.text import Words

FEW = 9
"""Maximum choices offered in one step."""
REFUSALS = ("decline", "done")
"""Kinds of actions that the input "no" selects."""


class Item(NamedTuple):
    """A menu line: its key, its label, and the actions behind it."""

    key: str
    label: Text
    actions: tuple[int, ...]
    below: tuple[Text, ...] = ()
    """Further lines: the text of a card."""


class Menu:
    """The choices of a side in a position, or a part of them."""

    def __init__(
        self, game: Game, words: Words, table: Table, view: State, side: int, actions: Sequence[int], width: int
    ) -> None:
        self.game = game
        self.words = words
        self.table = table
        self.view = view
        self.side = side
        self.width = width
        self.actions = tuple(actions)
        self.is_part = False
        self.items = list(self._items())
        self.heading = self._heading()
        """The card that all choices are about, with its text; empty if they are about several things."""

    @property
    def shows_hand(self) -> bool:
        """True if its lines are the cards in hand, so that the hand need not be shown as well."""
        return any(item.below and self.game.action_parts(item.actions[0]).card is not None for item in self.items)

    def narrowed(self, actions: Sequence[int]) -> Menu:
        """Return the menu of some of its actions."""
        menu = Menu(self.game, self.words, self.table, self.view, self.side, actions, self.width)
        menu.is_part = True
        return menu

    def answer(self, text: str) -> int | Menu | None:
        """Return the action that an input selects, a smaller menu if several match, or None."""
        tokens = _tokens(text)
        if not tokens:
            return None
        for action in self.actions:  # keys of all parts in one input: "3 5 9"
            if [step.key for step in self.table.steps(action)] == tokens:
                return action
        said = self._yes_or_no(text)
        if said is not None:
            return self._picked(said)
        for item in self.items:
            if item.key == tokens[0]:
                rest = " ".join(tokens[1:])
                if not rest:
                    return self._picked(item.actions)
                if len(item.actions) > 1 and (answer := self.narrowed(item.actions).answer(rest)) is not None:
                    return answer
        wanted = " ".join(text.split())
        for action in self.actions:
            if self.game.action_text(action) == wanted:
                return action
        for item in self.items:
            if " ".join(item.label.plain.split()).casefold() == wanted.casefold():
                return self._picked(item.actions)
        return self._picked([action for action in self.actions if self._fits(action, tokens)])

    def lines(self) -> Iterator[Text]:
        """Yield the menu as printed lines."""
        for line in self.heading:
            yield Text("  ") + line
        items = self.offered
        single = [self._line(item) for item in items]
        half = (self.width - 1) // 2
        short = all(line.cell_len < half and not item.below for line, item in zip(single, items, strict=True))
        if short and len(single) > FEW:
            rows = (len(single) + 1) // 2
            for left, right in zip(single[:rows], [*single[rows:], Text()], strict=False):
                yield fit(left, half) + right
        else:
            yield from self._long(items)
        if beyond := [item for item in self.items if self._is_beyond(item)]:
            numbers = {"least": items[-1].key, "most": beyond[-1].key}
            yield Text(" " + self.words.sentence(Message("play.beyond", numbers)), QUIET)

    def _long(self, items: Sequence[Item]) -> Iterator[Text]:
        for item in items:
            first, *more = wrapped(item.label.plain, self.width - 8)
            yield Text(f" {item.key:>2}  ", "bold") + (Text("\n      ".join([first, *more])) if more else item.label)
            for line in item.below:
                yield Text("      ") + line

    @property
    def offered(self) -> list[Item]:
        """The items, except those beyond what can be useful, which may still be typed."""
        return [item for item in self.items if not self._is_beyond(item)]

    def _is_beyond(self, item: Item) -> bool:
        """Return True if it only pays more than can be useful: it may be typed, but is not offered."""
        return all(self.game.narrator.overpays(self.view, self.side, action) for action in item.actions)

    def _line(self, item: Item) -> Text:
        return Text(f" {item.key:>2}", "bold") + Text("  ") + item.label

    def _picked(self, actions: Sequence[int]) -> int | Menu | None:
        if len(actions) > 1:
            return self.narrowed(actions)
        return actions[0] if actions else None

    def _yes_or_no(self, text: str) -> list[int] | None:
        """Return the actions meant by "yes" or "no", in English or the user's language, None for any other input.

        The list is empty if no choice is a refusal.
        """
        said = text.strip().casefold()
        for key in ("yes", "no"):
            if said in (key, self.words.text(Message(key))):
                refusing = [action for action in self.actions if self.game.action_parts(action).kind in REFUSALS]
                return refusing if key == "no" else [each for each in self.actions if refusing and each not in refusing]
        return None

    # ---- the lines

    def _heading(self) -> tuple[Text, ...]:
        cards = {self.game.action_parts(action).card for action in self.actions}
        card = cards.pop()
        if cards or card is None or len(self.actions) < 2 or any(item.below for item in self.items):
            return ()
        lines = self._card_lines(card)
        return tuple(lines) if len(lines) > 1 else ()

    def _card_lines(self, card: str) -> list[Text]:
        """Return a card as the table shows it; empty for an action that names several things at once."""
        return self.table.card_line(card, self.width - 8) if self.table.card(card) is not None else []

    def _items(self) -> Iterator[Item]:
        groups = self._groups()
        if len(groups) == 1:
            groups = {action: [action] for action in self.actions}
        if (step := self._step()) is not None:
            for actions in groups.values():
                part = self.table.steps(actions[0])[step]
                yield Item(part.key, part.label, tuple(actions))
            return
        number = 0
        by_count = self._differ_by_count()
        is_grouped = len(groups) < len(self.actions)
        for actions in groups.values():
            number += 1
            key = str(number)
            if len(actions) == 1 and self.table.is_nothing(actions[0]):
                key, number = "0", number - 1
            elif by_count:
                key = str(self.game.action_parts(actions[0]).count)
            yield self._item(key, actions, is_grouped)

    def _differ_by_count(self) -> bool:
        """Return True if the choices differ only by a number, which is then the key to type.

        A whole menu qualifies only for plain amounts such as a payment or a bid, which may be zero.
        """
        all_parts = [self.game.action_parts(action) for action in self.actions]
        counts = [parts.count for parts in all_parts if parts.count is not None]
        kinds = {replace(parts, count=None, side=None) for parts in all_parts}
        if len(kinds) != 1 or len(counts) < len(self.actions):
            return False
        return min(counts) > 0 if self.is_part else kinds == {ActionParts(all_parts[0].kind)}

    def _groups(self) -> dict[object, list[int]]:
        """Return actions that belong together: those of a card and, if many differ by a number, of a place or track."""
        groups: dict[object, list[int]] = {}
        if (step := self._step()) is not None:
            for action in self.actions:
                groups.setdefault(self.table.steps(action)[step].key, []).append(action)
            return groups
        for action in self.actions:
            parts = self.game.action_parts(action)
            key: object = action
            if parts.card is not None:
                key = parts.card
            elif len(self.actions) > FEW and parts.count is not None and parts.place is not None:
                key = (parts.kind, parts.place)
            elif len(self.actions) > FEW and parts.count is not None and parts.track is not None:
                key = (parts.kind, parts.track)
            groups.setdefault(key, []).append(action)
        return groups

    def _step(self) -> int | None:
        """Return the first part by which actions chosen part by part differ (`Table.steps`), or None."""
        all_steps = [self.table.steps(action) for action in self.actions]
        if not all(all_steps):
            return None
        for number, parts in enumerate(zip(*all_steps, strict=True)):
            if len({part.key for part in parts}) > 1:
                return number
        return None

    def _item(self, key: str, actions: Sequence[int], is_grouped: bool) -> Item:
        parts = self.game.action_parts(actions[0])
        is_counted = parts.count is not None and (parts.place is not None or parts.track is not None)
        in_group = len(actions) > 1 or (is_grouped and is_counted)
        if not in_group:
            below = self.table.note(actions[0], self.width - 8)
            if not below and parts.card is not None and self._is_about_cards:
                below = self._card_lines(parts.card)[1:]
            return Item(key, Text(self._description(actions[0])), tuple(actions), tuple(below))
        if parts.card is not None:
            first, *more = self.table.card_line(parts.card, self.width - 8)
            return Item(key, first, tuple(actions), tuple(more))
        return Item(key, Text(self._group_label(parts, actions)), tuple(actions))

    @property
    def _is_about_cards(self) -> bool:
        """True if the choice is between several cards, so that the user needs the text of each."""
        return len({self.game.action_parts(action).card for action in self.actions}) > 1

    def _group_label(self, parts: ActionParts, actions: Sequence[int]) -> str:
        counts = [count for action in actions if (count := self.game.action_parts(action).count) is not None]
        if parts.place is not None:
            amount = str(counts[0]) if len(counts) == 1 else f"{min(counts)}–{max(counts)}"
            place = self.table.place(parts.place)
            return self.words.text(Message(f"menu.{parts.kind}", {"place": place, "amount": amount}))
        steps = ", ".join(self.words.signed(count) for count in counts)
        return self.words.text(Message("menu.shift", {"track": self.table.track(parts.track or ""), "steps": steps}))

    def _description(self, action: int) -> str:
        sentence = self.words.sentence(self.game.narrator.describe(self.view, self.side, action))
        warning = self.game.narrator.warning(self.view, self._after(action), self.side)
        return f"{sentence} – ⚠ {self.words.sentence(warning)}" if warning else sentence

    def _after(self, action: int) -> State:
        after = self.game.copy(self.view)
        self.game.apply(self.game.rules, after, action)
        return after

    # ---- typed input

    def _fits(self, action: int, tokens: Sequence[str]) -> bool:
        exact = _tokens(self.game.action_text(action).replace("_", " "))
        said = [*exact, *_tokens(self._names(action)), *_tokens(self._description(action))]
        return all(
            any(_number(word) == _number(token) for word in exact)
            if _number(token) is not None
            else any(word.startswith(token) for word in said)
            for token in tokens
        )

    def _names(self, action: int) -> str:
        """Return the catalogue names of the things an action concerns."""
        parts = self.game.action_parts(action)
        things = (
            parts.card and self.table.card(parts.card),
            parts.place and self.table.place(parts.place),
            parts.track and self.table.track(parts.track),
            parts.side and Ref("side", parts.side),
        )
        return " ".join(self.words.name(thing.kind, thing.id) for thing in things if isinstance(thing, Ref))


def _tokens(text: str) -> list[str]:
    """Return the words and numbers of a text, in lower case and with ASCII signs."""
    plain = text.casefold().replace("\u2212", "-").replace("ё", "е").replace("_", " ")
    return re.findall(r"(?<!\w)[+-]\d+|\d+|[^\W\d]+", plain)


def _number(token: str) -> int | None:
    # No choice has a longer number; Python rejects integers with some thousands of digits.
    return int(token) if re.fullmatch(r"[+-]?\d{1,9}", token) else None
