"""The battlegrounds that an effect names, as arguments of a message: "military battlegrounds", "Berlin or Italy"."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.games.thirteen_days.data import BATTLEGROUNDS, TRACKS, GameData
from brinkmanship.text.words import Either, Words

_CUBA = ("cuba_military", "cuba_political")


class Places:
    """A set of battlegrounds, however it was written down: groups, single ones, or a mix."""

    def __init__(self, data: GameData, where: Sequence[str], words: Words) -> None:
        members = {track: [b.id for b in data.battleground if b.track == track] for track in TRACKS}
        members["all"] = list(BATTLEGROUNDS)
        ids = dict.fromkeys(id for name in where for id in members.get(name, [name]))  # a set in the order of `where`
        self._count = len(ids)
        every = set(ids) >= set(BATTLEGROUNDS)
        self._groups = ["all"] if every else [t for t in TRACKS if members[t] and set(ids) >= set(members[t])]
        covered = {id for group in self._groups for id in members[group]}
        self._single = [id for id in ids if id not in covered]
        if not self._groups and set(self._single) == set(_CUBA) and self._is_cuba(words):
            self._groups, self._single = ["cuba"], []

    def __len__(self) -> int:
        return self._count

    @property
    def groups_only(self) -> bool:
        """Whether no battleground has to be called by its own name."""
        return not self._single

    @property
    def group(self) -> bool:
        """Whether all of them together have one name, like "the two Cuba battlegrounds"."""
        return self.groups_only and len(self._groups) == 1

    def spread(self) -> Argument:
        """All of them together: cubes may be spread over them."""
        return _only_one_or(tuple(self._refs("battlegrounds")))

    def one(self) -> Argument:
        """One of them."""
        return _only_one_or(Either(self._refs("one_battleground")))

    def each(self) -> Argument:
        """Each of them."""
        return _only_one_or(tuple(self._refs("each_battleground")))

    def _refs(self, kind: str) -> list[Ref]:
        return [Ref(kind, group) for group in self._groups] + [Ref("battleground", id) for id in self._single]

    def _is_cuba(self, words: Words) -> bool:
        """A designer may have renamed the two; then they are no longer "the two Cuba battlegrounds"."""
        return all(words.knows(Ref("battleground", id)) for id in _CUBA)


def _only_one_or(refs: tuple[Ref | Message, ...]) -> Argument:
    return refs[0] if len(refs) == 1 else refs
