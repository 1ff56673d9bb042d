"""What the texts around the game read of its data file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from brinkmanship.text.rulings import Option


class Named(Protocol):
    """An area, a colour, or Cuba."""

    @property
    def id(self) -> str: ...

    @property
    def names(self) -> Mapping[str, str]: ...


class Colour(Named, Protocol):
    """A DEFCON type."""

    @property
    def printed(self) -> str: ...


class Card(Named, Protocol):
    """A strategy card."""

    @property
    def side(self) -> str: ...

    @property
    def colour(self) -> str: ...


class RuledOption(Option, Protocol):
    """An option, with the ruling or the section of the rules that it is about."""

    @property
    def rule(self) -> str: ...


class Deck(Protocol):
    """The data file; `limits` and `scoring` are structs of whole numbers."""

    @property
    def limits(self) -> Any: ...

    @property
    def scoring(self) -> Any: ...

    @property
    def options(self) -> Mapping[str, RuledOption]: ...

    @property
    def area(self) -> Sequence[Named]: ...

    @property
    def colour(self) -> Sequence[Colour]: ...

    @property
    def cuba(self) -> Named: ...

    @property
    def card(self) -> Sequence[Card]: ...
