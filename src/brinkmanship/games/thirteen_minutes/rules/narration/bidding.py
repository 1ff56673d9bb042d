"""BID: texts of the bids, their reveal, the coin and the choice (section 4, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import ActionParts, LogLine, Message, Ref
from brinkmanship.games.cuban.frame import NOBODY, US, USSR
from brinkmanship.games.thirteen_minutes.rules.action_numbers import N_BIDS, SIDES, Action
from brinkmanship.games.thirteen_minutes.rules.phrases import both, the_side
from brinkmanship.games.thirteen_minutes.rules.ruleset import ThirteenMinutesRuleset
from brinkmanship.games.thirteen_minutes.rules.state import NO_BID, Node, State

NODES = (Node.BID, Node.REVEAL_BIDS, Node.COIN, Node.FIRST)


def prompt(game: ThirteenMinutesRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Return the prompt; both sides bid at once, and neither learns whether the other has bid (Q6)."""
    if view.node == Node.COIN:
        return Message("ask.coin")
    if view.node == Node.FIRST:
        return Message("ask.first")
    if side not in (US, USSR):
        return Message("ask.bids")
    if view.bid[side] == NO_BID:
        return Message("ask.bid")
    return Message("wait", {"who": the_side(1 - side), "what": Message("ask.bid")})


def describe(game: ThirteenMinutesRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:  # noqa: ARG001
    """Implement `StepTexts.describe`."""
    if parts.kind == "bid":
        return Message("choice.bid", {"n": parts.count or 0})
    who = Ref("side", parts.side or "")
    if parts.kind == "coin":
        return Message("choice.coin", {"who": who})
    return Message("choice.first.self" if SIDES.index(who.id) == side else "choice.first.other", {"who": who})


def narrate(game: ThirteenMinutesRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    match before.node:
        case Node.BID:
            return _bid(action, after, viewer)
        case Node.REVEAL_BIDS:
            return _reveal(before, after)
        case Node.COIN:
            return _coin(after)
    side = int(before.mover)
    args = {"who": the_side(side), "first": the_side(action - Action.FIRST)}
    return iter([LogLine(Message("log.decide.first", args), side)])


def _bid(action: int, after: State, viewer: int) -> Iterator[LogLine]:
    """Yield a viewer's own bid, and the fact that both sides have bid once they have."""
    if Action.BID <= action < Action.FIRST:
        side, n = divmod(action - Action.BID, N_BIDS)
        if side == viewer:
            yield LogLine(Message("log.decide.bid", {"who": the_side(side), "n": n}), side)
    if after.node != Node.BID:
        yield LogLine(Message("log.decide.bids"))


def _reveal(before: State, after: State) -> Iterator[LogLine]:
    yield LogLine(Message("log.bids", both(before.bid.tolist(), "_bid")))
    if after.node == Node.BID:
        yield LogLine(Message("log.bids.tie"))
    elif after.bidder == NOBODY:
        yield LogLine(Message("log.bids.cap"))
    else:
        bidder = int(after.bidder)
        yield LogLine(Message("log.bids.higher", {"who": the_side(bidder)}), bidder)


def _coin(after: State) -> Iterator[LogLine]:
    if after.bidder == NOBODY:
        yield LogLine(Message("log.coin.first", {"who": the_side(int(after.first))}))
    else:
        yield LogLine(Message("log.coin.bidder", {"who": the_side(int(after.bidder))}))
