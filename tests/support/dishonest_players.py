"""Players that an audit has to catch. They are in a module of their own because other processes import them."""

from __future__ import annotations

import gc
from zlib import crc32

from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.engine.observation import Observation
from brinkmanship.players import Candidate, Choice, Player


class MemoryReader(Player):
    """Finds its match in the memory of the process, and plays by the hidden cards."""

    name = "memory-reader"

    def choose(self, seen: Observation) -> Choice:
        view = seen.views[-1]
        states = [each.state for each in gc.get_objects() if type(each) is Match and each.game.id == self.game.id]
        mine = next(each for each in states if self.game.view_of(each, seen.side).tobytes() == view)
        legal, hidden = self.game.legal_actions(seen.view(), seen.side), crc32(mine.tobytes()) % 256
        candidate = Candidate(legal[hidden % len(legal)], float(hidden))
        return Choice(candidate.action, (candidate,), Message("hidden", {"n": hidden}))


class Fickle(Player):
    """Never says the same twice."""

    name = "fickle"
    times = 0

    def choose(self, seen: Observation) -> Choice:
        Fickle.times += 1
        return Choice(self.game.legal_actions(seen.view(), seen.side)[0], (Candidate(0, float(Fickle.times)),))
