"""The log of a game of 13 Minutes: what one action did, told to a reader from the reader's two views.

First comes the deed, then what followed from it on the table, one message each. Nothing here sees the state: whoever
may not know a card has it blanked in both views, and is told that it was "a card". Sentences are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from brinkmanship.engine.message import Argument, Line, Message, Ref
from brinkmanship.games.events.frame import (
    CARD,
    COUNT,
    MOVES,
    N_CHOOSE,
    N_COMMAND,
    N_REMOVE,
    N_TAKE_CUBES,
    NOBODY,
    OWNER,
    STAGE,
    US,
    USSR,
)
from brinkmanship.games.thirteen_minutes.actions import BID, DONE, FIRST, N_BIDS, USE_EVENT, USE_OFFER
from brinkmanship.games.thirteen_minutes.board import (
    aftermath_sum,
    battlegrounds_in,
    cards_of_colour,
    military_controlled,
    triggers_war,
)
from brinkmanship.games.thirteen_minutes.speech import (
    area_changes,
    both,
    cube_changes,
    cubes,
    effect_of,
    ending,
    frame_of,
    the_area,
    the_card,
    the_place,
    the_side,
    value_of_card,
)
from brinkmanship.games.thirteen_minutes.state import (
    BY_AFTERMATH,
    BY_BATTLEGROUNDS,
    BY_MILITARY,
    BY_TIEBREAK,
    COLOURS,
    DRAW,
    IN_HAND,
    LAST_STEP_OF_RULES,
    N_AFTERMATH,
    N_BID,
    N_CHECK_WAR,
    N_COIN,
    N_COUNT_PRESTIGE,
    N_DRAW_CARD,
    N_FIRST,
    N_MOVE,
    N_OFFER,
    N_PLAY,
    N_REVEAL_BIDS,
    N_SCORE_BATTLEGROUNDS,
    N_SCORE_MILITARY,
    N_SET_CUBA,
    N_TURN_UP_CUBA,
    N_USE,
    NOT_OVER,
    OFF_TABLE,
    SHOWN,
    US_SPHERE,
    USSR_SPHERE,
    State,
)

if TYPE_CHECKING:
    from brinkmanship.games.thirteen_minutes.game import ThirteenMinutes

BOTH = (US, USSR)
SPHERES = (US_SPHERE, USSR_SPHERE)


def narrate(game: ThirteenMinutes, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
    """See `Game.narrate`."""
    if before.node <= LAST_STEP_OF_RULES:
        return _Step(game, before, after).lines()
    return _Deed(game, before, action, after, reader).lines()


# Chance and decisions.


class _Deed:
    """What a side did, or a card it drew."""

    def __init__(self, game: ThirteenMinutes, before: State, action: int, after: State, reader: int) -> None:
        self.game, self.before, self.action, self.after, self.reader = game, before, action, after, reader
        self.side = int(before.mover)
        self.frame = frame_of(before) if before.depth > 0 else ()
        self.cubes_told: list[tuple[int, int]] = []
        self.moves_told: list[int] = []

    def lines(self) -> Iterator[Line]:
        """The deed, then what followed."""
        yield from self._deed()
        for change in cube_changes(self.game, self.before, self.after, self.cubes_told):
            yield Line(change)
        for change in area_changes(self.game, self.before, self.after, self.moves_told):
            yield Line(change)

    def _deed(self) -> Iterator[Line]:
        node = int(self.before.node)
        if node == N_BID:
            yield from self._bid()
        elif node == N_DRAW_CARD:
            yield self._draw()
        elif node == N_COIN:
            yield self._coin()
        elif node == N_TURN_UP_CUBA:
            yield self._turn_up()
        elif node == N_FIRST:
            yield self._line("log.decide.first", first=the_side(self.action - FIRST))
        elif node == N_PLAY:
            parts = self.game.action_parts(self.action)
            card = Ref("card", parts.card or "")
            message = Message(
                "log.play", {"who": the_side(self.side), "card": card, "area": Ref("area", parts.area or "")}
            )
            yield Line(message, self.side, card.id)
        elif node == N_USE:
            key = "event" if self.action == USE_EVENT else "command"
            value = value_of_card(self.game, self.frame[CARD])
            yield self._line(f"log.use.{key}", card=the_card(self.game, self.frame[CARD]), value=value)
        elif node == N_OFFER:
            key = "use" if self.action == USE_OFFER else "decline"
            yield self._line(f"log.offer.{key}", card=the_card(self.game, self.frame[CARD]))
        elif self.action == DONE:
            yield from self._done()
        elif node == N_CHOOSE:
            _, number = effect_of(self.game, self.before)
            branch = self.game.action_parts(self.action).count
            card_id = self.game.data.card[self.frame[CARD]].id
            yield self._line("log.decide.branch", what=Ref("branch", f"{card_id}.{number}.{branch}"))
        elif node == N_MOVE:
            yield self._move()
        else:
            yield self._cubes()

    def _line(self, key: str, **args: Argument) -> Line:
        card = self.game.data.card[self.frame[CARD]].id if self.frame else None
        return Line(Message(key, {"who": the_side(self.side), **args}), self.side, card)

    def _bid(self) -> Iterator[Line]:
        """Each reads its own bid, and that both have bid when they have."""
        if BID <= self.action < FIRST:
            side, n = divmod(self.action - BID, N_BIDS)
            if side == self.reader:
                yield Line(Message("log.decide.bid", {"who": the_side(side), "n": n}), side)
        if self.after.node != N_BID:
            yield Line(Message("log.decide.bids"))

    def _draw(self) -> Line:
        drawer = int(self.before.drawer)
        who: dict[str, Argument] = {"who": the_side(drawer)}
        for card in range(len(self.game.data.card)):
            if self.after.card[card] == IN_HAND + drawer != self.before.card[card]:
                found = the_card(self.game, card)
                return Line(Message("log.card.draw", {**who, "card": found}), drawer, found.id)
        return Line(Message("log.card.draw_hidden", who), drawer)

    def _coin(self) -> Line:
        if self.after.bidder == NOBODY:
            return Line(Message("log.coin.first", {"who": the_side(int(self.after.first))}))
        return Line(Message("log.coin.bidder", {"who": the_side(int(self.after.bidder))}))

    def _turn_up(self) -> Line:
        card = self.game.data.card[int(self.after.cuba_card)]
        return Line(
            Message("log.turn_up", {"card": Ref("card", card.id), "colour": Ref("colour", card.colour)}), card=card.id
        )

    def _move(self) -> Line:
        parts = self.game.action_parts(self.action)
        self.moves_told.append(self.game.data.places.index(parts.place or ""))
        return self._line("log.move", where=Ref("battleground", parts.place or ""), area=Ref("area", parts.area or ""))

    def _cubes(self) -> Line:
        parts = self.game.action_parts(self.action)
        place = self.game.data.places.index(parts.place or "")
        owner = self.side if self.before.node == N_COMMAND else self.frame[OWNER]
        self.cubes_told.append((owner, place))
        count = parts.count or 0
        before = int(self.before.influence[owner, place])
        after = before + (count if parts.kind == "place" else -count)
        numbers: dict[str, Argument] = {"where": the_place(self.game, place), "before": before, "after": after}
        if owner == self.side:
            return self._line(f"log.cubes.{parts.kind}", n=count, **numbers)
        return self._line(f"log.cubes.{parts.kind}_of", cubes=cubes(owner, count), **numbers)

    def _done(self) -> Iterator[Line]:
        """Nothing at all is worth a line, the end of something is not."""
        node = int(self.before.node)
        if node == N_COMMAND:
            yield self._line("log.decide.no_command")
        elif self.frame[STAGE] == MOVES:
            yield self._line("log.decide.no_move")
        elif self.frame[COUNT] == 0:
            names = {N_REMOVE: "removal", N_TAKE_CUBES: "relocation", N_MOVE: "move"}
            yield self._line(f"log.decide.no_{names.get(node, 'place')}")


# Steps of the rules.


class _Step:
    """A step the rules took themselves."""

    def __init__(self, game: ThirteenMinutes, before: State, after: State) -> None:
        self.game, self.before, self.after = game, before, after

    def lines(self) -> Iterator[Line]:
        """What happened in the step."""
        steps = {
            N_SET_CUBA: self._cuba,
            N_REVEAL_BIDS: self._bids,
            N_SCORE_BATTLEGROUNDS: self._battlegrounds,
            N_SCORE_MILITARY: self._military,
            N_AFTERMATH: self._aftermath,
            N_CHECK_WAR: self._war,
            N_COUNT_PRESTIGE: self._prestige,
        }
        return steps[int(self.before.node)]()

    def _cuba(self) -> Iterator[Line]:
        yield Line(Message("log.step.cuba"))

    def _bids(self) -> Iterator[Line]:
        yield Line(Message("log.bids", both(self.before.bid.tolist(), "_bid")))
        if self.after.node == N_BID:
            yield Line(Message("log.bids.tie"))
        elif self.after.bidder == NOBODY:
            yield Line(Message("log.bids.cap"))
        else:
            bidder = int(self.after.bidder)
            yield Line(Message("log.bids.higher", {"who": the_side(bidder)}), bidder)

    # The scoring, in its order.

    def _gains(self, column: int) -> Iterator[Line]:
        for side in BOTH:
            n = int(self.after.score[side, column]) - int(self.before.score[side, column])
            if n:
                points = Message("prestige", {"n": n})
                yield Line(Message("change.score", {"who": the_side(side), "points": points}), side)

    def _battlegrounds(self) -> Iterator[Line]:
        for side in BOTH:
            points = Message("prestige", {"n": int(self.after.score[side, BY_BATTLEGROUNDS])})
            yield Line(Message("log.score.battlegrounds", {"who": the_side(side), "points": points}), side)

    def _military(self) -> Iterator[Line]:
        counts = [int(military_controlled(self.game.rules, self.before, side)) for side in BOTH]
        yield Line(Message("log.score.military", both(counts)))
        yield from self._gains(BY_MILITARY)

    def _aftermath(self) -> Iterator[Line]:
        shown = {
            side: card for card, place in enumerate(self.after.card.tolist()) for side in BOTH if place == SHOWN + side
        }
        for side, card in sorted(shown.items()):
            ref = the_card(self.game, card)
            yield Line(Message("log.aftermath.shown", {"who": the_side(side), "card": ref}), side, ref.id)
        sums = [int(aftermath_sum(self.game.rules, self.after, side)) for side in BOTH]
        yield Line(Message("log.aftermath.sums", both(sums)))
        yield from self._gains(BY_AFTERMATH)
        joined = [card for _, card in sorted(shown.items()) if self.after.area[card] != OFF_TABLE]
        for card in joined:
            ref, area = the_card(self.game, card), the_area(int(self.after.area[card]))
            yield Line(Message("log.aftermath.joined", {"card": ref, "area": area}), card=ref.id)
        if not joined:
            yield Line(Message("log.aftermath.aside"))

    def _war(self) -> Iterator[Line]:
        for side in BOTH:
            if not triggers_war(self.game.rules, self.before, side):
                continue
            for colour, name in enumerate(COLOURS):
                n = int(cards_of_colour(self.game.rules, self.before, SPHERES[side], colour))
                if n >= self.game.data.scoring.war_cards:
                    args: dict[str, Argument] = {"who": the_side(side), "colour": Ref("colour", name), "n": n}
                    yield Line(Message("log.war", {**args, "area": the_area(SPHERES[side])}), side)
        if self.after.reason == NOT_OVER:
            yield Line(Message("log.no_war"))
        else:
            yield self._ending()

    def _prestige(self) -> Iterator[Line]:
        yield Line(Message("log.total", both(self.after.score.sum(axis=1).tolist())))
        if self.after.reason in (BY_TIEBREAK, DRAW):
            spheres = [int(battlegrounds_in(self.after, area)) for area in SPHERES]
            yield Line(Message("log.spheres", both(spheres)))
        yield self._ending()

    def _ending(self) -> Line:
        winner = int(self.after.winner)
        return Line(ending(self.after), winner if winner != NOBODY else None)
