"""What people are asked in a game of 13 Minutes, and what they may answer, as messages.

`prompt` is the question of the moment: for the side that is asked in the imperative, for everybody else as what the
game is waiting for. `describe` is one legal answer, with what it would do to the table. Both know only a reader's view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, Argument, Message, Ref
from brinkmanship.games.events import data as d
from brinkmanship.games.events.frame import (
    CARD,
    COUNT,
    LEFT,
    MOVES,
    N_COMMAND,
    N_PLACE,
    N_PUT_CUBES,
    N_REMOVE,
    N_TAKE_CUBES,
    OWNER,
    PLAYER,
    STAGE,
    STEP,
    T_COMMAND,
    US,
    USSR,
)
from brinkmanship.games.thirteen_minutes.actions import RULES_STEPS, SIDES
from brinkmanship.games.thirteen_minutes.speech import (
    area_changes,
    cube_changes,
    cubes,
    effect_of,
    ending,
    frame_of,
    the_card,
    the_place,
    the_side,
    value_of_card,
)
from brinkmanship.games.thirteen_minutes.state import (
    COLOURS,
    LAST_STEP_OF_RULES,
    N_BID,
    N_COIN,
    N_FIRST,
    N_MOVE,
    N_OFFER,
    N_PLAY,
    N_TURN_UP_CUBA,
    N_USE,
    NO_BID,
    State,
)

if TYPE_CHECKING:
    from brinkmanship.games.thirteen_minutes.game import ThirteenMinutes


def prompt(game: ThirteenMinutes, view: State, side: int) -> Message:
    """See `Game.prompt`."""
    if view.mover == OVER:
        return Message("ask.over", {"what": ending(view)})
    if view.mover == CHANCE:
        return _chance(view)
    if view.node == N_BID:
        return _bid(view, side)
    question = _question(game, view)
    if view.mover == side:
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


def _chance(view: State) -> Message:
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    if view.node == N_COIN:
        return Message("ask.coin")
    if view.node == N_TURN_UP_CUBA:
        return Message("ask.turn_up")
    return Message("ask.draw", {"who": the_side(view.drawer)})


def _bid(view: State, side: int) -> Message:
    """Both bid at once, and nobody is told who has done so already (Q6)."""
    if side not in (US, USSR):
        return Message("ask.bids")
    if view.bid[side] == NO_BID:
        return Message("ask.bid")
    return Message("wait", {"who": the_side(1 - side), "what": Message("ask.bid")})


def _question(game: ThirteenMinutes, view: State) -> Message:
    node = int(view.node)
    if node == N_FIRST:
        return Message("ask.first")
    if node == N_PLAY:
        return Message("ask.play", {"number": int(view.turn) + 1, "count": game.data.limits.turns})
    frame = frame_of(view)
    card = the_card(game, frame[CARD])
    value = value_of_card(game, frame[CARD])
    if node == N_USE:
        return Message("ask.use", {"card": card, "value": value})
    if node == N_OFFER:
        return Message("ask.offer", {"who": the_side(frame[PLAYER]), "card": card, "value": value})
    if node == N_COMMAND and frame[STEP] == T_COMMAND:
        return Message("ask.command", {"card": card, "n": value})
    return Message("ask.event", {"card": card, "what": _effect(game, view)})


# The effect in progress, in the imperative.


def _effect(game: ThirteenMinutes, view: State) -> Message:
    frame = frame_of(view)
    owner, left, count = frame[OWNER], frame[LEFT], frame[COUNT]
    if frame[STAGE] == MOVES:
        return Message("ask.chosen_move")
    match effect_of(game, view)[0]:
        case d.Place() | d.Remove() as effect:
            return _cubes(effect, owner, left, count)
        case d.Relocate():
            if view.node == N_PUT_CUBES:
                return Message("ask.put_cubes", {"cubes": cubes(owner, left)})
            return Message("ask.take_cubes.more" if count else "ask.take_cubes", {"cubes": cubes(owner, left)})
        case d.Move() as effect:
            steps = (
                Message("steps.up_to", {"n": effect.max or 0})
                if effect.exactly is None
                else Message("steps.exactly", {"n": effect.exactly})
            )
            way = Message(f"way.{effect.dir}", {"steps": steps, "who": the_side(owner)})
            where = _where("one_battleground", effect.where)
            return Message("event.move.do", {"then": "", "where": where, "way": way})
        case d.Command():
            return Message("event.command.do", {"then": "", "n": left})
    return Message("event.choose.do", {"then": ""})


def _cubes(effect: d.Place | d.Remove, owner: int, left: int, count: int) -> Message:
    verb = "place" if isinstance(effect, d.Place) else "remove"
    where = _where("one_battleground" if effect.sites == 1 else "battlegrounds", effect.where)
    if isinstance(effect, d.Remove) and effect.amount:
        return Message("event.half.do", {"then": "", "cubes": cubes(owner), "where": where})
    free = effect.exactly is None and effect.min == 0
    without_limit = left > d.MAX_CUBES  # else a number of the data file, where none is higher
    key = "any" if without_limit else "exactly" if not free else "up_to"
    amount = Message(f"amount.{key}", {"cubes": cubes(owner, left), "min": 0})
    if count and free:
        return Message(f"ask.{verb}_more", {"amount": amount})
    return Message(f"event.{verb}.do", {"then": "", "amount": amount, "where": where})


def _where(kind: str, where: Sequence[str]) -> Argument:
    """The battlegrounds of an effect, as the data names them: a group, or one after the other."""
    if not where or "all" in where:
        return Ref(kind, "all")
    if len(where) == 1 and where[0] in COLOURS:
        return Ref(kind, where[0])
    names = [name for name in where if name not in COLOURS]
    colours = [Ref(kind, name) for name in where if name in COLOURS]
    refs = (*colours, *(Ref("battleground", name) for name in names))
    return refs[0] if len(refs) == 1 else refs


# The answers.


def describe(game: ThirteenMinutes, view: State, side: int, action: int) -> Message:
    """See `Game.describe`."""
    parts = game.action_parts(action)
    match parts.kind:
        case "step":
            return Message(f"ask.step.{RULES_STEPS[view.node]}")
        case "draw" | "turn_up":
            return Message("choice.card", {"card": Ref("card", parts.card or "")})
        case "coin":
            return Message("choice.coin", {"who": Ref("side", parts.side or "")})
        case "bid":
            return Message("choice.bid", {"n": parts.count or 0})
        case "first":
            yourself = SIDES.index(parts.side or "") == side
            return Message(
                "choice.first.self" if yourself else "choice.first.other", {"who": Ref("side", parts.side or "")}
            )
        case "play":
            return Message(
                "choice.play", {"card": Ref("card", parts.card or ""), "area": Ref("area", parts.area or "")}
            )
        case "event" | "use":
            return Message(f"choice.{parts.kind}", {"result": _result(game, view, action)})
        case "command":
            return Message("choice.command", {"value": value_of_card(game, frame_of(view)[CARD])})
        case "decline":
            return Message("choice.decline")
        case "done":
            return _done(game, view)
        case "place" | "remove":
            return _move_cubes(game, view, side, action, parts)
        case "move":
            return Message(
                "choice.move", {"where": Ref("battleground", parts.place or ""), "area": Ref("area", parts.area or "")}
            )
    _, number = effect_of(game, view)
    card_id = game.data.card[frame_of(view)[CARD]].id
    return Message("choice.branch", {"what": Ref("branch", f"{card_id}.{number}.{parts.count}")})


def _done(game: ThirteenMinutes, view: State) -> Message:
    """The wording of "done" says of what."""
    if view.node == N_COMMAND:
        return Message("choice.no_command")
    frame = frame_of(view)
    if frame[STAGE] == MOVES:
        return Message("choice.stay")
    if view.node == N_REMOVE and isinstance(effect := effect_of(game, view)[0], d.Remove) and effect.amount:
        return Message("choice.empty_place")
    what = {N_PLACE: "place", N_REMOVE: "removal", N_TAKE_CUBES: "relocation", N_MOVE: "move"}[int(view.node)]
    return Message(f"choice.no_more_{what}" if frame[COUNT] > 0 else f"choice.no_{what}")


def _move_cubes(game: ThirteenMinutes, view: State, side: int, action: int, parts: ActionParts) -> Message:
    place = game.data.places.index(parts.place or "")
    owner = side if view.node == N_COMMAND else frame_of(view)[OWNER]
    result = _result(game, view, action, cubes_told=(owner, place))
    where: dict[str, Argument] = {"where": the_place(game, place), "result": result}
    if owner == side:
        return Message(f"choice.{parts.kind}", {"n": parts.count or 0, **where})
    return Message(f"choice.{parts.kind}_of", {"cubes": cubes(owner, parts.count or 0), **where})


# What an answer would lead to at once.


def _result(game: ThirteenMinutes, view: State, action: int, cubes_told: tuple[int, int] = (-1, -1)) -> Argument:
    """What would change at once on the table, apart from the cubes (side, place) spoken of; "" if nothing."""
    after = game.copy(view)
    game.apply(game.rules, after, action)  # no decision reads a card that the view hides
    changes = cube_changes(game, view, after, [cubes_told]) + area_changes(game, view, after)
    return Message("choice.result", {"what": tuple(changes)}) if changes else ""
