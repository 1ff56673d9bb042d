"""An event as sentences: one method per effect of `games.cuban.data`, in the order of that file.

The *viewer* is the one the text addresses in the imperative: the actor, and inside the alternatives of a choice the
chooser. On a UN card the actor may be either side; there it is "the player", and its cubes are "own cubes".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatchmethod
from typing import Literal

from brinkmanship.engine.message import Argument, Message, Ref
from brinkmanship.games.cuban.data import (
    AnyEffect,
    Choose,
    Command,
    Condition,
    DeflationBan,
    Effect,
    ExchangeHand,
    Modifier,
    Move,
    Party,
    Place,
    PlaceUntil,
    Prestige,
    Relocate,
    Remove,
    Shift,
    TakeCard,
)
from brinkmanship.games.cuban.words.places import Board, Places
from brinkmanship.text.words import Either, Words

_TRACKS = ("military", "political", "world_opinion")

Who = Literal["us", "ussr", "player", "opponent", "tv_leader"]


@dataclass(frozen=True)
class EventText:
    """Writer of events of a card of `side`."""

    board: Board
    side: Literal["us", "ussr", "un"]
    words: Words
    viewer: Who | None = None
    then: Argument = ""
    before: Effect | None = None

    def text(self, effects: Sequence[AnyEffect], requires: Condition | None = None, indent: str = "") -> str:
        """Return the sentences of a list of effects; `requires` opens the first of them."""
        if not effects:
            return self._sentence(self._required(Message("event.none"), requires))
        text = ""
        for index, effect in enumerate(effects):
            before = effects[index - 1] if index else None
            then = Message("event.then") if before and not effect.condition else ""
            writer = replace(self, then=then, before=before)
            message = writer._conditional(effect, writer.effect(effect), first=before is None)
            if before is None:
                message = self._required(message, requires)
            if isinstance(effect, Choose):
                text += (f"\n{indent}" if text else "") + writer._alternatives(effect, message, indent)
            else:
                text += (f"\n{indent}" if "\n" in text else " " if text else "") + self._sentence(message)
        return text

    def branches(self, effect: Choose) -> list[str]:
        """Return the alternatives of a choice, each addressed to the chooser."""
        writer = replace(self, viewer=self._who(effect.by))
        return [writer.text(branch.effects) for branch in effect.options]

    # ---- the effects

    @singledispatchmethod
    def effect(self, effect: Effect) -> Message:
        """Return the message of an effect, a sentence without capital letter and full stop."""
        raise TypeError(f"no words for {type(effect).__name__}")

    @effect.register
    def _place(self, effect: Place) -> Message:
        places = Places(self.board, effect.where, self.words)
        who = self._decider(effect.by, decision=effect.exactly is None or len(places) > 1)
        total, each = effect.exactly if effect.exactly is not None else effect.max, effect.each
        if each is not None:
            total = each * len(places) if total is None else min(total, each * len(places))
        sites = effect.sites if effect.sites is not None and effect.sites < len(places) else None
        if sites is not None and each is not None and total is not None:
            total = min(total, each * sites)
        everywhere = (
            sites is None and each is not None and total == each * len(places) and len(places) > 1 and places.group
        )
        if everywhere and effect.min == 0:
            where, lot = places.each(), self._amount(effect.of, who, each, 0, exactly=effect.exactly is not None)
        else:
            where = places.at_most(sites)
            together = len(places) > 1 and sites != 1
            exactly = effect.exactly is not None
            lot = self._amount(effect.of, who, total, effect.min, exactly=exactly, together=together)
        message = self._verb("place", effect.by, who, free=self._free(effect), amount=lot, where=where)
        message = self._narrowed(effect, message, places, who)
        if each is not None and not everywhere and len(places) > 1 and sites != 1 and (total is None or each < total):
            message = Message(f"event.each.{'group' if places.groups_only else 'list'}", {"what": message, "n": each})
        if sites is not None and sites > 1 and not places.everywhere:
            message = Message("event.place_sites", {"what": message, "n": sites})
        return self._with_movement(effect, message)

    def _narrowed(self, effect: Place | Remove | Move, message: Message, places: Places, who: Who | None) -> Message:
        """Add the conditions on cubes and area that battlegrounds must meet."""
        filters = [effect.filter] if isinstance(effect.filter, str) else effect.filter or []
        for one in filters:
            whose, has = one.split("_", 1)
            kind = "one" if len(places) == 1 else "group" if places.groups_only else "list"
            key = f"event.filter.{kind}.of_{has}"
            owner = effect.of if whose == "of" else self._other(effect.of)
            message = Message(key, {"what": message, "cubes": self._cubes(owner, who)})
        if effect.area:
            areas = Either(Message(f"own_area.{area}") for area in effect.area)
            message = Message("event.area", {"what": message, "areas": areas})
        return message

    def _with_movement(self, effect: Place | Remove, message: Message) -> Message:
        return (
            message if effect.movement == "normal" else Message(f"event.movement.{effect.movement}", {"what": message})
        )

    def _other(self, party: Party) -> Party:
        """Return the other party."""
        others: dict[Party, Party] = {"us": "ussr", "ussr": "us", "actor": "opponent", "opponent": "actor"}
        return others.get(party, party)

    @effect.register
    def _place_until(self, effect: PlaceUntil) -> Message:
        stops = effect.stop or ["battleground_full"]
        owner = Ref("side", self._who(effect.of))
        full = self.board.cubes_per_battleground
        return Message(
            "event.place_until",
            {
                "then": self.then,
                "cubes": self._cubes(effect.of, None),
                "where": Places(self.board, effect.where, self.words).spread(),
                "stop": Either(Message(f"event.stop.{stop}", {"who": owner, "n": full}) for stop in stops),
            },
        )

    @effect.register
    def _remove(self, effect: Remove) -> Message:
        places = Places(self.board, effect.where, self.words)
        sites = effect.sites if effect.sites is not None and effect.sites < len(places) else None
        if effect.amount == "half_up":
            where = places.one() if sites == 1 else places.spread()
            who = self._decider(effect.by, decision=sites is not None)
            if sites is None and places.group and len(places) > 1:
                where = places.each()
            message = self._verb("half", effect.by, who, cubes=self._cubes(effect.of, who), where=where)
            if sites is not None and sites > 1:
                message = Message("event.sites.exactly", {"what": message, "n": sites})
            return Message("event.half_each", {"what": message}) if len(places) > 1 and sites != 1 else message
        who = self._decider(effect.by, decision=effect.exactly is None or len(places) > 1)
        total = effect.exactly if effect.exactly is not None else None if effect.max == "all" else effect.max
        where, exactly, together = places.at_most(sites), effect.exactly is not None, len(places) > 1 and sites != 1
        lot = self._amount(effect.of, who, total, effect.min, exactly=exactly, together=together)
        message = self._verb("remove", effect.by, who, free=self._free(effect), amount=lot, where=where)
        message = self._narrowed(effect, message, places, who)
        if sites is not None and sites > 1 and not places.everywhere:
            message = Message("event.sites.at_most", {"what": message, "n": sites})
        return self._with_movement(effect, message)

    @effect.register
    def _relocate(self, effect: Relocate) -> Message:
        who = self._decider(effect.by)
        return self._verb(
            "relocate", effect.by, who, free=True, amount=self._amount(effect.of, who, effect.max, 0, together=True)
        )

    @effect.register
    def _move(self, effect: Move) -> Message:
        places = Places(self.board, effect.where, self.words)
        sites = effect.sites if effect.sites is not None and effect.sites < len(places) else None
        several = sites is not None and sites > 1 and places.everywhere  # the phrase itself implies that it may be none
        who = self._decider(effect.by, effect.optional or (effect.exactly is None and not several))
        steps = (
            Message("steps.up_to", {"n": effect.max or 0})
            if effect.exactly is None
            else Message("steps.exactly", {"n": effect.exactly})
        )
        way = Message(f"way.{effect.dir}", {"steps": steps, "who": Ref("side", self._who(effect.of))})
        where = places.at_most(sites)
        message = self._verb("move", effect.by, who, free=effect.exactly is None, where=where, way=way)
        message = self._narrowed(effect, message, places, who)
        is_plain = sites is None or sites == 1 or places.everywhere
        return message if is_plain else Message("event.move_sites", {"what": message, "n": sites or 0})

    @effect.register
    def _shift(self, effect: Shift) -> Message:
        fixed = (effect.exactly is not None or effect.steps is not None) and effect.dir != "either"
        whole = effect.pick == "all" or len(effect.tracks) == 1
        who = self._decider(effect.by, effect.optional, decision=not (fixed and whole))
        steps, several = self._steps(effect), effect.pick in ("all", "up_to_two") and len(effect.tracks) > 1
        if several and not (fixed and effect.pick == "all"):
            steps = Message("steps.each", {"steps": steps})
        free = self._free(effect) or effect.optional or effect.pick == "up_to_two"
        markers, way = self._markers(effect, who), Message(f"dir.{effect.dir}")
        return self._verb("shift", effect.by, who, free=free, markers=markers, steps=steps, dir=way)

    @effect.register
    def _command(self, effect: Command) -> Message:
        who = self._decider(effect.by, effect.optional)
        if effect.where:
            where = Places(self.board, effect.where, self.words).one()
            message = self._verb("command_at", effect.by, who, free=True, n=effect.n, where=where)
        else:
            message = self._verb("command", effect.by, who, free=True, n=effect.n)
        return Message("event.place_only", {"what": message}) if effect.place_only else message

    @effect.register
    def _prestige(self, effect: Prestige) -> Message:
        who = Ref("side", self._who(effect.of))
        return Message("event.prestige", {"then": self.then, "who": who, "n": effect.exactly})

    @effect.register
    def _modifier(self, effect: Modifier) -> Message:
        commands = self._owned("commands", effect.of, None)
        change = "more" if effect.delta >= 0 else "less"
        message = Message(f"event.modifier.{change}", {"commands": commands, "n": abs(effect.delta)})
        return message if effect.floor is None else Message("event.floor", {"what": message, "n": effect.floor})

    @effect.register
    def _deflation_ban(self, effect: DeflationBan) -> Message:
        who = self._who(effect.of)
        kind = "side" if who in ("us", "ussr") else "party"
        return Message(f"event.deflation_ban.{kind}", {"who": Ref("side", who)})

    @effect.register
    def _exchange_hand(self, effect: ExchangeHand) -> Message:
        return self._verb("exchange_hand", effect.by, self._decider(effect.by), free=True)

    @effect.register
    def _take_card(self, effect: TakeCard) -> Message:
        return self._verb("take_card", effect.by, self._decider(effect.by), of=Ref("side", self._who(effect.of)))

    @effect.register
    def _choose(self, effect: Choose) -> Message:
        chooser = self._who(effect.by)
        if chooser == self._viewer:
            return Message("event.choose.do", {"then": self.then})
        return Message("event.choose.by", {"then": self.then, "who": Ref("side", chooser)})

    def _alternatives(self, effect: Choose, intro: Message, indent: str) -> str:
        writer = replace(self, viewer=self._who(effect.by), then="", before=None)
        lines = [self.words.sentence(intro) + ":"]
        lines += [f"{indent}• {writer.text(o.effects, o.requires, indent + '  ')}" for o in effect.options]
        return "\n".join(lines)

    # ---- conditions

    def _required(self, what: Message, requires: Condition | None) -> Message:
        if requires is None:
            return what
        return Message("event.only_if", {"condition": self._condition(requires), "what": what})

    def _conditional(self, effect: Effect, what: Message, *, first: bool) -> Message:
        """Return the effect after its condition; "the side that leads on Television" implies that condition."""
        condition = effect.condition
        if condition is None:
            return what
        if condition.leader_on == "television" and getattr(effect, "by", None) == "tv_leader":
            return what
        key = "event.if" if first else "event.if_at_start"
        return Message(key, {"condition": self._condition(condition), "what": what})

    def _condition(self, condition: Condition) -> Message:
        if condition.leader_on is not None:
            return Message("condition.leader_on", {"place": Ref("battleground", condition.leader_on)})
        if condition.marker is not None:
            area = Ref("area", condition.area or "")
            return Message("condition.marker", {"marker": self._marker(condition.marker, condition), "area": area})
        if condition.higher is not None:
            than = Ref("side", condition.than or "")
            return Message("condition.higher", {"marker": self._marker(condition.higher, condition), "than": than})
        who, place = Ref("side", condition.cubes_of or ""), Ref("battleground", condition.at or "")
        return Message("condition.cubes", {"who": who, "n": condition.at_least or 0, "place": place})

    def _marker(self, side: str, condition: Condition) -> Message:
        return Message("marker.one.side", {"owner": Ref("side", side), "track": Ref("track", condition.track or "")})

    # ---- who does it

    @property
    def _viewer(self) -> Who:
        return self.viewer or self._who("actor")

    def _who(self, party: Party) -> Who:
        if party == "actor":
            return "player" if self.side == "un" else self.side
        return party

    def _decider(self, by: Party, optional: bool = False, decision: bool = True) -> Who | None:
        """Return the decider if the text must name one; None if the text may simply address its viewer."""
        who = self._who(by)
        return who if optional or (decision and who != self._viewer) else None

    def _verb(self, verb: str, by: Party, who: Who | None, *, free: bool = False, **args: Argument) -> Message:
        if who is None:
            return Message(f"event.{verb}.do", {"then": self.then, **args})
        subject = Message("event.may" if free else "event.must", {"who": Ref("side", self._who(by))})
        return Message(f"event.{verb}.by", {"then": self.then, "who": subject, **args})

    def _free(self, effect: Place | Remove | Shift) -> bool:
        if isinstance(effect, Shift) and effect.steps is not None:
            return False
        return effect.exactly is None and effect.min == 0

    # ---- cubes, markers, steps

    def _owned(self, key: str, of: Party, subject: Who | None, **args: Argument) -> Message:
        """Return a thing of a party: a side, the viewer ("your"), another actor ("their"), or a third party."""
        owner = self._who(of)
        if owner in ("us", "ussr"):
            kind = "side"
        elif owner != (subject or self._viewer):
            kind = "party"
        else:
            kind = "own" if subject is None else "their"
        return Message(f"{key}.{kind}", {"owner": Ref("side", owner), **args})

    def _cubes(self, of: Party, subject: Who | None, n: int = 0) -> Message:
        return self._owned("cubes", of, subject, n=n)

    def _amount(
        self,
        of: Party,
        subject: Who | None,
        most: int | None,
        least: int,
        *,
        exactly: bool = False,
        together: bool = False,
    ) -> Argument:
        """Return a number of cubes; `together` if it is the sum over several battlegrounds, not the number on each."""
        if most is None:
            key = "at_least" if least else "any"
        else:
            key = "exactly" if exactly or least == most else "range" if least else "up_to" if most > 1 else "up_to_one"
        cubes = self._cubes(of, subject, least if most is None else most)
        message = Message(f"amount.{key}", {"cubes": cubes, "min": least})
        return (
            Message("amount.together", {"amount": message}) if together and most is not None and most > 1 else message
        )

    def _steps(self, effect: Shift) -> Message:
        if effect.steps is not None:
            return Message(f"steps.{effect.steps}")
        if effect.exactly is not None:
            return Message("steps.exactly", {"n": effect.exactly})
        if effect.max is None:
            return Message("steps.at_least", {"n": effect.min}) if effect.min else Message("steps.any")
        key = "exactly" if effect.min == effect.max else "range" if effect.min else "up_to"
        return Message(f"steps.{key}", {"n": effect.max, "min": effect.min})

    def _markers(self, effect: Shift, subject: Who | None) -> Argument:
        tracks = tuple(Ref("track", track) for track in _TRACKS if track in effect.tracks)
        owned: Callable[..., Message] = self._owned
        if len(tracks) == 1:
            return owned("marker.one", effect.of, subject, track=tracks[0])
        if self._is_another(effect):
            return owned("marker.other", effect.of, subject)
        everywhere = len(tracks) == len(_TRACKS)
        if effect.pick in ("one", "all") and not everywhere:
            markers = (owned("marker.one", effect.of, subject, track=track) for track in tracks)
            return Either(markers) if effect.pick == "one" else tuple(markers)
        among: Argument = "" if everywhere else Message("marker.among", {"tracks": tracks})
        name = {"one": "any", "up_to_two": "two"}.get(effect.pick, effect.pick)
        return owned(f"marker.{name}", effect.of, subject, among=among)

    def _is_another(self, effect: Shift) -> bool:
        """Return True if the markers to choose from are all but the one that the previous shift moved."""
        moved = self.before
        return (
            isinstance(moved, Shift)
            and effect.pick == "one"
            and moved.of == effect.of
            and len(moved.tracks) == 1
            and {*moved.tracks, *effect.tracks} == set(_TRACKS)
            and moved.tracks[0] not in effect.tracks
        )

    def _sentence(self, message: Message) -> str:
        return self.words.sentence(Message("full_stop", {"what": message}))
