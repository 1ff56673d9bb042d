"""The battlegrounds of an effect as arguments of a message: "military battlegrounds", "Berlin or Italy"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.text.words import Either, Words


class Board(NamedTuple):
    """The battlegrounds of a game, with the facts that sentences need."""

    places: tuple[str, ...]
    """The ids of all battlegrounds."""
    groups: Mapping[str, tuple[str, ...]]
    """The members of each named group ("military" ...), without "all"."""
    cubes_per_battleground: int
    pair: tuple[str, ...] = ()
    """Battlegrounds that are called "cuba" together."""


class Places:
    """A set of battlegrounds written in any way: groups, single ones, or a mix."""

    def __init__(self, board: Board, where: Sequence[str], words: Words) -> None:
        self._pair = board.pair
        members = {**board.groups, "all": board.places}
        ids = dict.fromkeys(id for name in where for id in members.get(name, (name,)))  # a set in the order of `where`
        self._count = len(ids)
        every = set(ids) >= set(board.places)
        self._groups = ["all"] if every else [g for g in board.groups if members[g] and set(ids) >= set(members[g])]
        covered = {id for group in self._groups for id in members[group]}
        self._single = [id for id in ids if id not in covered]
        if not self._groups and self._pair and set(self._single) == set(self._pair) and self._is_cuba(words):
            self._groups, self._single = ["cuba"], []

    def __len__(self) -> int:
        return self._count

    @property
    def groups_only(self) -> bool:
        """True if no battleground needs to be named individually."""
        return not self._single

    @property
    def group(self) -> bool:
        """True if all of them together have one name, like "the two Cuba battlegrounds"."""
        return self.groups_only and len(self._groups) == 1

    @property
    def everywhere(self) -> bool:
        """True if these are all battlegrounds of the table."""
        return self._groups == ["all"] and not self._single

    def spread(self) -> Argument:
        """Argument for all of them together: cubes may be spread over them."""
        return _only_one_or(tuple(self._refs("battlegrounds")))

    def one(self) -> Argument:
        """Argument for one of them."""
        return _only_one_or(Either(self._refs("one_battleground")))

    def each(self) -> Argument:
        """Argument for each of them."""
        return _only_one_or(tuple(self._refs("each_battleground")))

    def at_most(self, sites: int | None) -> Argument:
        """Return the argument for at most `sites` of them; for a part of the table the sentence adds the limit."""
        if sites == 1:
            return self.one()
        if sites is not None and self.everywhere:
            return Message("some_battlegrounds", {"n": sites})
        return self.spread()

    def _refs(self, kind: str) -> list[Ref]:
        return [Ref(kind, group) for group in self._groups] + [Ref("battleground", id) for id in self._single]

    def _is_cuba(self, words: Words) -> bool:
        """Return True if these are the two Cuba battlegrounds with their original names; a designer may rename them."""
        return all(words.knows(Ref("battleground", id)) for id in self._pair)


def _only_one_or(refs: tuple[Ref | Message, ...]) -> Argument:
    return refs[0] if len(refs) == 1 else refs
