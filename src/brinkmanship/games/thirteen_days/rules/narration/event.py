"""Texts during an event or a Command: cubes, markers, alternatives, cards exchanged (section 2.3, 2.4).

The rules of each choice are in `effects` and in the interpreter of `games.cuban`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import TurnStep
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, MAX_CUBES_PER_BATTLEGROUND, TRACKS
from brinkmanship.games.thirteen_days.rules.narration.log_lines import (
    actor_line,
    card_line,
    cards_moved_to,
    consequences,
    marker_moved,
)
from brinkmanship.games.thirteen_days.rules.phrases import (
    after_action,
    cubes,
    effect_of,
    frame_of,
    marker,
    move_of_marker,
    result_of,
    the_card,
    the_place,
    the_side,
    value_of_command,
)
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import N_TRACKS, CardIs, Node, State

NODES = (
    *(Node.PLACE, Node.REMOVE, Node.TAKE_CUBES, Node.PUT_CUBES, Node.SHIFT, Node.CHOOSE, Node.EXCHANGE),
    Node.COMMAND,
)

_CUBA = {"cuba_military", "cuba_political"}


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `DecisionTexts.prompt`."""
    frame = frame_of(view)
    card = the_card(game, frame.card)
    if view.node == Node.COMMAND and frame.step == TurnStep.COMMAND:
        return Message("ask.command", {"card": card, "n": value_of_command(game, view)})
    return Message("ask.event", {"card": card, "what": _effect(game, view)})


def _effect(game: ThirteenDaysRuleset, view: State) -> Message:
    frame = frame_of(view)
    owner, left, count = frame.owner, frame.left, frame.count
    match effect_of(game, view)[0]:
        case d.Place() as effect:
            return _place(effect, owner, left, count)
        case d.Remove(amount="half_up") as effect:
            where = _where("one_battleground" if effect.sites == 1 else "battlegrounds", effect.where)
            return Message("event.half.do", {"then": "", "cubes": cubes(owner), "where": where})
        case d.Remove() as effect:
            return _remove(effect, owner, left, count)
        case d.Relocate():
            if view.node == Node.PUT_CUBES:
                return Message("ask.put_cubes", {"cubes": cubes(owner, left)})
            return Message("ask.take_cubes.more" if count else "ask.take_cubes", {"cubes": cubes(owner, left)})
        case d.Shift() as effect:
            return _shift(effect, view)
        case d.Command() as effect:
            return _command(effect, left)
        case d.ExchangeHand():
            return Message("ask.exchange", {"n": count})
    return Message("event.choose.do", {"then": ""})


def _place(effect: d.Place, owner: int, left: int, count: int) -> Message:
    free = effect.exactly is None and effect.min == 0
    if count and free:
        return Message("ask.place_more", {"amount": _amount(owner, left, exactly=left == 1)})
    where = "" if effect.filter else _where("battlegrounds", effect.where)
    amount = _amount(owner, left, exactly=not free, together=_is_sum(effect))
    message = Message("event.place.do", {"then": "", "amount": amount, "where": where})
    if effect.each is not None and effect.each < left and not _is_one_place(effect.where):
        kind = "group" if isinstance(where, Ref) else "list"
        return Message(f"event.each.{kind}", {"what": message, "n": effect.each})
    return message


def _remove(effect: d.Remove, owner: int, left: int, count: int) -> Message:
    free = effect.exactly is None and effect.min == 0
    if count and free:
        return Message("ask.remove_more", {"amount": _amount(owner, left, exactly=left == 1)})
    where = _where("one_battleground" if effect.sites == 1 else "battlegrounds", effect.where)
    amount = _amount(owner, left, exactly=not free, together=_is_sum(effect))
    return Message("event.remove.do", {"then": "", "amount": amount, "where": where})


def _is_sum(effect: d.Place | d.Remove) -> bool:
    """Return True if the number is a sum over several battlegrounds, not that many on each, as a viewer could think."""
    return effect.sites != 1 and not _is_one_place(effect.where)


def _amount(owner: int, left: int, *, exactly: bool, together: bool = False) -> Message:
    without_limit = left > MAX_CUBES_PER_BATTLEGROUND  # else a number of the data file, where none is higher
    key = "any" if without_limit else "exactly" if exactly else "up_to_one" if left == 1 else "up_to"
    amount = Message(f"amount.{key}", {"cubes": cubes(owner, left), "min": 0})
    return Message("amount.together", {"amount": amount}) if together and left > 1 and key != "any" else amount


def _is_one_place(where: Sequence[str]) -> bool:
    return len(where) == 1 and where[0] in BATTLEGROUNDS


def _where(kind: str, where: Sequence[str]) -> Argument:
    """Return the battlegrounds of an effect, as in the data: a group, or one after the other."""
    if not where or "all" in where:
        return Ref(kind, "all")
    if set(where) == _CUBA:
        return Ref(kind, "cuba")
    if len(where) == 1 and where[0] in TRACKS:
        return Ref(kind, where[0])
    if any(name in TRACKS for name in where) or (kind == "one_battleground" and len(where) > 1):
        return ""
    return tuple(Ref("battleground", name) for name in where)


def _shift(effect: d.Shift, view: State) -> Message:
    frame = frame_of(view)
    owner, open_tracks = frame.owner, [track for track in range(N_TRACKS) if frame.qualified >> track & 1]
    if len(open_tracks) == 1:
        markers = marker(owner, open_tracks[0])
    elif effect.pick == "up_to_two":
        markers = Message("marker.other.side" if frame.count else "marker.two.side", {"owner": the_side(owner)})
    elif effect.pick == "highest":
        markers = Message("marker.highest.side", {"owner": the_side(owner), "among": ""})
    else:
        other = effect.steps is not None and len(open_tracks) < N_TRACKS
        markers = Message("marker.other.side" if other else "marker.any.side", {"owner": the_side(owner)})
    if effect.steps is not None:
        steps = Message("steps.exactly", {"n": frame.left})
    elif effect.exactly is not None:
        steps = Message("steps.exactly", {"n": effect.exactly})
    elif effect.max is None:
        steps = Message("steps.any")
    else:
        steps = Message("steps.range" if effect.min else "steps.up_to", {"n": effect.max, "min": effect.min})
    way = Message(f"dir.{effect.dir}")
    return Message("event.shift.do", {"then": "", "markers": markers, "steps": steps, "dir": way})


def _command(effect: d.Command, value: int) -> Message:
    if effect.where:
        where = _where("one_battleground", effect.where)
        message = Message("event.command_at.do", {"then": "", "n": value, "where": where})
    else:
        message = Message("event.command.do", {"then": "", "n": value})
    return Message("event.place_only", {"what": message}) if effect.place_only else message


def describe(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    match parts.kind:
        case "done":
            return _done(game, view)
        case "letter":
            return Message("choice.letter", {"value": value_of_command(game, after_action(game, view, action))})
        case "shift":
            return move_of_marker(game, view, frame_of(view).owner, parts)
        case "choose":
            return Message("choice.branch", {"what": _branch(game, view, parts)})
        case "discard":
            return Message("choice.discard", {"card": Ref("card", parts.card or "")})
    return _move_cubes(game, view, side, action, parts)


def _branch(game: ThirteenDaysRuleset, view: State, parts: ActionParts) -> Ref:
    _, number = effect_of(game, view)
    return Ref("branch", f"{game.data.card[frame_of(view).card].id}.{number}.{parts.count}")


def _done(game: ThirteenDaysRuleset, view: State) -> Message:
    """Return the text of "done", which names the effect that ends."""
    if view.node == Node.COMMAND:
        return Message("choice.no_command")
    begun = frame_of(view).count > 0
    if view.node == Node.REMOVE and isinstance(effect := effect_of(game, view)[0], d.Remove) and effect.amount:
        return Message("choice.empty_place")
    what = {
        Node.PLACE: "place",
        Node.REMOVE: "removal",
        Node.TAKE_CUBES: "relocation",
        Node.SHIFT: "shift",
        Node.EXCHANGE: "discard",
    }[Node(view.node)]
    return Message(f"choice.no_more_{what}" if begun else f"choice.no_{what}")


def _move_cubes(game: ThirteenDaysRuleset, view: State, side: int, action: int, parts: ActionParts) -> Message:
    place = BATTLEGROUNDS.index(parts.place or "")
    owner = side if view.node == Node.COMMAND else frame_of(view).owner
    result = result_of(game, view, action, cubes_told=(owner, place))
    where: dict[str, Argument] = {"where": the_place(place), "result": result}
    if owner == side:
        return Message(f"choice.{parts.kind}", {"n": parts.count or 0, **where})
    return Message(f"choice.{parts.kind}_of", {"cubes": cubes(owner, parts.count or 0), **where})


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001
    """Implement `StepTexts.narrate`."""
    parts = game.action_parts(action)
    match parts.kind:
        case "done":
            yield from _end(game, before)
        case "letter":
            yield actor_line(game, before, "log.decide.letter", value=value_of_command(game, after))
        case "discard":
            discarded = cards_moved_to(game, before, after, CardIs.DISCARDED)[0]
            yield card_line(game, "log.card.discard", int(before.mover), discarded)
        case "choose":
            yield actor_line(game, before, "log.decide.branch", what=_branch(game, before, parts))
        case "shift":
            owner, track = frame_of(before).owner, TRACKS.index(parts.track or "")
            yield marker_moved(game, before, after, owner, track)
            yield from consequences(game, before, after, markers_told=[(owner, track)])
            return
        case _:
            place = BATTLEGROUNDS.index(parts.place or "")
            owner = int(before.mover) if before.node == Node.COMMAND else frame_of(before).owner
            yield _moved_cubes(game, before, parts, owner, place)
            yield from consequences(game, before, after, cubes_told=[(owner, place)])
            return
    yield from consequences(game, before, after)


def _moved_cubes(game: ThirteenDaysRuleset, before: State, parts: ActionParts, owner: int, place: int) -> LogLine:
    count = parts.count or 0
    was = int(before.influence[owner, place])
    now = was + (count if parts.kind == "place" else -count)
    numbers: dict[str, Argument] = {"where": the_place(place), "before": was, "after": now}
    if owner == before.mover:
        return actor_line(game, before, f"log.cubes.{parts.kind}", n=count, **numbers)
    return actor_line(game, before, f"log.cubes.{parts.kind}_of", cubes=cubes(owner, count), **numbers)


def _end(game: ThirteenDaysRuleset, before: State) -> Iterator[LogLine]:
    """Yield a line if nothing at all was done; the end of an effect that did something needs none."""
    node = Node(before.node)
    if node == Node.COMMAND:
        yield actor_line(game, before, "log.decide.no_command")
    elif frame_of(before).count == 0:
        names = {
            Node.REMOVE: "removal",
            Node.TAKE_CUBES: "relocation",
            Node.SHIFT: "shift",
            Node.EXCHANGE: "discard",
        }
        yield actor_line(game, before, f"log.decide.no_{names.get(node, 'place')}")
