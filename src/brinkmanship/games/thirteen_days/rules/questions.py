"""What people are asked in a game of 13 Days, and what they may answer, as messages.

`prompt` is the question of the moment: for the side that is asked in the imperative, for everybody else as what the
game is waiting for. `describe` is one legal answer, with what it would do to DEFCON markers and Prestige. Both know
only a reader's view.
"""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, Argument, Message, Ref
from brinkmanship.games.cuban import data as d
from brinkmanship.games.cuban.frame import US, USSR, TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import RULES_STEPS, SIDES
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, MAX_CUBES_PER_BATTLEGROUND, TRACKS
from brinkmanship.games.thirteen_days.rules.phrases import (
    area_entered,
    cube_changes,
    cubes,
    effect_of,
    ending,
    frame_of,
    marker,
    marker_changes,
    prestige_changes,
    the_agenda,
    the_card,
    the_place,
    the_side,
    value_of_command,
    value_of_play,
)
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import LAST_STEP_OF_RULES, N_TRACKS, NOT_CHOSEN, CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award

_CUBA = {"cuba_military", "cuba_political"}


def prompt(game: ThirteenDaysRuleset, view: State, side: int) -> Message:
    """See `Narrator.prompt`."""
    if view.mover == OVER:
        return Message("ask.over", {"what": ending(view)})
    if view.mover == CHANCE:
        return _chance(view)
    if view.node == Node.AGENDA:
        return _choice_of_agendas(view, side)
    question = _question(game, view)
    if view.mover == side:
        return question
    return Message("wait", {"who": the_side(view.mover), "what": question})


# Chance and the rules.


def _chance(view: State) -> Message:
    if view.node <= LAST_STEP_OF_RULES:
        return Message(f"ask.step.{RULES_STEPS[view.node]}")
    if view.node == Node.DEAL_AGENDA:
        return Message("ask.deal", {"who": the_side(view.drawer)})
    if view.node == Node.RANDOM_CARD:
        owner = frame_of(view).owner
        return Message("ask.random_card", {"who": the_side(1 - owner), "of": the_side(owner)})
    return Message("ask.draw", {"who": the_side(view.drawer)})


# The decisions, in the order of section 2.6.


def _choice_of_agendas(view: State, side: int) -> Message:
    """D1: both choose at once, and nobody is told who has done so already."""
    question = Message("ask.agenda", {"round": int(view.round_number)})
    if side not in (US, USSR):
        return Message("ask.agendas")
    if view.chosen[side] == NOT_CHOSEN:
        return question
    return Message("wait", {"who": the_side(1 - side), "what": question})


def _question(game: ThirteenDaysRuleset, view: State) -> Message:
    node = Node(view.node)
    if node == Node.FIRST:
        return (
            Message("ask.first.behind") if view.prestige else Message("ask.first.tied", {"who": the_side(view.mover)})
        )
    if node == Node.PLAY:
        numbers = {"round": int(view.round_number), "number": int(view.turn) // 2 + 1}
        return Message("ask.play", {**numbers, "count": game.data.limits.turns_per_round})
    if node == Node.TELEVISION:
        return Message("ask.television", {"where": _bonus_place(game, "defcon")})
    if node == Node.ALLIANCES:
        return Message("ask.alliances", {"where": _bonus_place(game, "draw")})
    if node == Node.ALLIANCES_CARD:
        return _drawn_card(game, view)
    frame = frame_of(view)
    card = the_card(game, frame.card)
    if node == Node.TRIGGER:
        who: dict[str, Argument] = {"who": the_side(frame.player), "card": card}
        return Message(
            "ask.trigger", {**who, "value": value_of_play(game, view, frame.player, frame.card, frame.letter)}
        )
    if node == Node.TAKEN_CARD:
        return _taken_card(game, view)
    if node == Node.COMMAND and frame.step == TurnStep.COMMAND:
        return Message("ask.command", {"card": card, "n": value_of_command(game, view)})
    return Message("ask.event", {"card": card, "what": _effect(game, view)})


def _drawn_card(game: ThirteenDaysRuleset, view: State) -> Message:
    """D10: only who has drawn the card knows it."""
    drawn = [card for card in range(len(game.data.card)) if view.card[card] == CardIs.DRAWN + view.mover]
    return Message("ask.drawn_card", {"card": the_card(game, drawn[0]) if drawn else ""})


def _taken_card(game: ThirteenDaysRuleset, view: State) -> Message:
    """D7: both sides have seen the card, an onlooker has not (R35)."""
    card = frame_of(view).taken_card
    return Message("ask.taken_card", {"card": the_card(game, card) if card >= 0 else ""})


def _bonus_place(game: ThirteenDaysRuleset, bonus: str) -> Ref:
    return next(Ref("battleground", place.id) for place in game.data.battleground if place.bonus == bonus)


# D5 and the Commands of events: the effect in progress, in the imperative.


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
    """Whether the number is a sum over several battlegrounds, which a reader could take for so many on each."""
    return effect.sites != 1 and not _is_one_place(effect.where)


def _amount(owner: int, left: int, *, exactly: bool, together: bool = False) -> Message:
    without_limit = left > MAX_CUBES_PER_BATTLEGROUND  # else a number of the data file, where none is higher
    key = "any" if without_limit else "exactly" if exactly else "up_to_one" if left == 1 else "up_to"
    amount = Message(f"amount.{key}", {"cubes": cubes(owner, left), "min": 0})
    return Message("amount.together", {"amount": amount}) if together and left > 1 and key != "any" else amount


def _is_one_place(where: Sequence[str]) -> bool:
    return len(where) == 1 and where[0] in BATTLEGROUNDS


def _where(kind: str, where: Sequence[str]) -> Argument:
    """The battlegrounds of an effect, as the data names them: a group, or one after the other."""
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


def aim(game: ThirteenDaysRuleset, view: State, side: int) -> Message | None:
    """See `Narrator.aim`: the agenda a side has chosen."""
    chosen = int(view.chosen[side]) if side in (US, USSR) else NOT_CHOSEN
    return _worth(game, view, chosen) if chosen >= 0 else None


# The answers.


def describe(game: ThirteenDaysRuleset, view: State, side: int, action: int) -> Message:
    """See `Narrator.describe`."""
    parts = game.action_parts(action)
    match parts.kind:
        case "step":
            return Message(f"ask.step.{RULES_STEPS[view.node]}")
        case "deal":
            return Message("choice.deal", {"agenda": _agenda(game, parts)})
        case "draw" | "take":
            return Message("choice.card", {"card": Ref("card", parts.card or "")})
        case "keep":
            return _keep(game, view, parts)
        case "first":
            yourself = SIDES.index(parts.side or "") == side
            return Message(
                "choice.first.self" if yourself else "choice.first.other", {"who": Ref("side", parts.side or "")}
            )
        case "event" | "command" | "command_letter":
            return _play(game, view, side, action)
        case "trigger":
            return Message("choice.trigger", {"result": _result(game, view, action)})
        case "decline":
            return Message("choice.decline" if view.node == Node.TRIGGER else "choice.no_draw")
        case "done":
            return _done(game, view)
        case "letter":
            after = _after(game, view, action)
            return Message("choice.letter", {"value": value_of_command(game, after)})
        case "place" | "remove":
            return _move_cubes(game, view, side, action)
        case "shift":
            return _move_marker(game, view, side, parts)
        case "choose":
            _, number = effect_of(game, view)
            card_id = game.data.card[frame_of(view).card].id
            return Message("choice.branch", {"what": Ref("branch", f"{card_id}.{number}.{parts.count}")})
        case "draw_top":
            return Message("choice.draw")
        case "aftermath":
            return Message("choice.aftermath")
    return _discard(game, view, parts)


def _agenda(game: ThirteenDaysRuleset, parts: ActionParts) -> Ref:
    return the_agenda(game, [agenda.id for agenda in game.data.agenda].index(parts.agenda or ""))


def _keep(game: ThirteenDaysRuleset, view: State, parts: ActionParts) -> Message:
    return _worth(game, view, [agenda.id for agenda in game.data.agenda].index(parts.agenda or ""))


def _worth(game: ThirteenDaysRuleset, view: State, index: int) -> Message:
    """An agenda, with what it would be worth as things stand."""
    points = int(award(game.rules, view, index))
    if points == 0:
        return Message("choice.agenda.nothing", {"agenda": the_agenda(game, index)})
    gain: dict[str, Argument] = {"who": the_side(US if points > 0 else USSR), "n": abs(points)}
    return Message("choice.agenda", {"agenda": the_agenda(game, index), **gain})


def _play(game: ThirteenDaysRuleset, view: State, side: int, action: int) -> Message:
    parts = game.action_parts(action)
    card = Ref("card", parts.card or "")
    if parts.kind == "event":
        return Message("choice.play.event", {"card": card, "result": _result(game, view, action)})
    value = value_of_play(game, view, side, game.data.card_index(card.id), parts.kind == "command_letter")
    return Message(f"choice.play.{parts.kind}", {"card": card, "value": value})


def _done(game: ThirteenDaysRuleset, view: State) -> Message:
    """The wording of "done" says of what."""
    if view.node == Node.TELEVISION:
        return Message("choice.no_shift")
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


def _move_cubes(game: ThirteenDaysRuleset, view: State, side: int, action: int) -> Message:
    parts = game.action_parts(action)
    place = BATTLEGROUNDS.index(parts.place or "")
    owner = side if view.node == Node.COMMAND else frame_of(view).owner
    result = _result(game, view, action, cubes_told=(owner, place))
    where: dict[str, Argument] = {"where": the_place(place), "result": result}
    if owner == side:
        return Message(f"choice.{parts.kind}", {"n": parts.count or 0, **where})
    return Message(f"choice.{parts.kind}_of", {"cubes": cubes(owner, parts.count or 0), **where})


def _move_marker(game: ThirteenDaysRuleset, view: State, side: int, parts: ActionParts) -> Message:
    track, steps = TRACKS.index(parts.track or ""), parts.count or 0
    owner = side if view.node == Node.TELEVISION else frame_of(view).owner
    before = int(view.defcon[owner, track])
    after = min(max(before + steps, 1), game.data.limits.defcon_max)
    return Message(
        "choice.shift",
        {
            "marker": marker(owner, track),
            "steps": Message("steps.exactly", {"n": abs(steps)}),
            "dir": Message("dir.up" if steps > 0 else "dir.down"),
            "before": before,
            "after": after,
            "area": area_entered(game, before, after),
        },
    )


def _discard(game: ThirteenDaysRuleset, view: State, parts: ActionParts) -> Message:
    if parts.card is not None:
        return Message("choice.discard", {"card": Ref("card", parts.card)})
    if view.node == Node.TAKEN_CARD:
        return Message("choice.discard", {"card": the_card(game, frame_of(view).taken_card)})
    return Message("choice.discard_drawn")


# What an answer would lead to at once.


def _after(game: ThirteenDaysRuleset, view: State, action: int) -> State:
    """The view as it would be; no decision reads a card that the view hides."""
    after = game.copy(view)
    game.apply(game.rules, after, action)
    return after


def _result(game: ThirteenDaysRuleset, view: State, action: int, cubes_told: tuple[int, int] = (-1, -1)) -> Argument:
    """What would change at once on the board, apart from the cubes (side, place) spoken of; "" if nothing."""
    after = _after(game, view, action)
    changes = cube_changes(view, after, [cubes_told])
    changes += marker_changes(game, view, after)
    changes += prestige_changes(view, after)
    return Message("choice.result", {"what": tuple(changes)}) if changes else ""
