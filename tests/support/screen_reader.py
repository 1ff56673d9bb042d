"""A player who hears the page and has a keyboard: roles, names, live regions, the focus; no picture and no mouse.

Nothing here looks for markup. What is heard is collected as a screen reader does: each change of a live region.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from support.browsing import wait_until

LISTEN = """
  window.heardTexts = [];
  const note = (node) => {
    const element = node.nodeType === 1 ? node : node.parentElement;
    const region = element?.closest("[aria-live]");
    if (region) heardTexts.push(region.textContent.trim());
  };
  new MutationObserver((changes) => changes.forEach((change) => note(change.target)))
    .observe(document, { subtree: true, childList: true, characterData: true });
"""
FOCUS = "document.activeElement === document.body ? '' : document.activeElement.id || document.activeElement.tagName"


@dataclass
class Listener:
    """A player at a page that was opened with `LISTEN`."""

    page: Any
    keys: list[int] = field(default_factory=list)
    """Number of keys pressed for each decision, without those that ask for the list of choices."""
    pressed: int = 0
    heard: list[str] = field(default_factory=list)

    @property
    def question(self) -> str:
        """The heading of the page: the question, or the result."""
        return str(self.page.get_by_role("heading", level=1).inner_text()).strip()

    @property
    def is_over(self) -> bool:
        return bool(self.page.get_by_role("button", name="Rematch").count())

    @property
    def is_asked(self) -> bool:
        return bool(self.page.get_by_role("form", name="Your choices").count())

    def wait_for_question(self) -> None:
        """Wait until this side is to decide, or the game is over."""
        wait_until(self.page, lambda: self.is_asked or self.is_over)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def listen(self) -> list[str]:
        """Return what has been told since the last time."""
        fresh = [text for text in self.page.evaluate("heardTexts.splice(0)") if text]
        self.heard += fresh
        return fresh

    def ask(self, key: str) -> str:
        """Press a key that answers by telling something."""
        self.listen()
        self.page.keyboard.press(key)
        (told,) = self.listen()
        return told

    def choices(self) -> list[tuple[str, str]]:
        """Return all choices with their keys, from the list behind "?"."""
        self.page.keyboard.press("?")
        box = self.page.get_by_role("region", name="Choices and their keys")
        box.wait_for()
        keys, texts = box.get_by_role("term").all_inner_texts(), box.get_by_role("definition").all_inner_texts()
        self.page.keyboard.press("Escape")
        box.wait_for(state="hidden")
        return list(zip(keys, texts, strict=True))

    def focus(self) -> str:
        """Return the element that has the focus, "" if none has it."""
        return str(self.page.evaluate(FOCUS))

    def decide(self, choose: random.Random) -> None:
        """Take a decision, and hear what comes of it."""
        question, choices = self.question, self.choices()
        assert choices, question
        self.pressed = 0
        self.listen()
        self._type(choices, choose)
        self.press("Enter")
        told: list[str] = []

        def is_told() -> bool:
            told.extend(self.listen())
            return (self.is_asked or self.is_over) and any(self.question.rstrip(".") in text for text in told)

        wait_until(self.page, is_told)
        self.keys.append(self.pressed)
        assert self.focus(), question

    def _type(self, choices: list[tuple[str, str]], choose: random.Random) -> None:
        asked = list(dict.fromkeys(text.partition(": ")[0] for keys, text in choices if keys == "1"))
        if len(asked) > 1:  # questions side by side, each with answers from 1
            for _ in asked:
                self._answer(choose)
            return
        keys, text = choose.choice(choices)
        if keys == "↓":
            self.press(*["ArrowDown"] * (1 + [text for _, text in choices].index(text)), "Enter")
        else:
            self.press(*keys.lower().split())

    def _answer(self, choose: random.Random) -> None:
        """Answer the next of several questions with any answer that is still possible."""
        before = self.focus(), self.page.get_by_role("radio", checked=True).count()
        for digit in choose.sample("123456789", 9):
            self.press(digit)
            if (self.focus(), self.page.get_by_role("radio", checked=True).count()) != before:
                return
            self.pressed -= 1  # that answer was not possible
