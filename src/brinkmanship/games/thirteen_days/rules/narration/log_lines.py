"""Log lines of several steps: a side's action, about a card or a marker, and its consequences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brinkmanship.engine.message import Argument, LogLine, Message
from brinkmanship.games.cuban.frame import NOBODY
from brinkmanship.games.thirteen_days.rules.phrases import (
    BOTH,
    area_entered,
    cube_changes,
    ending,
    frame_of,
    marker,
    marker_changes,
    prestige_changes,
    the_card,
    the_side,
    the_track,
)
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import Node, State


def actor_line(game: ThirteenDaysRuleset, before: State, key: str, /, **args: Argument) -> LogLine:
    """Return the line about the action of the side to move, about the card in play if there is one."""
    side = int(before.mover)
    return LogLine(Message(key, {"who": the_side(side), **args}), side, _card_in_play(game, before))


def _card_in_play(game: ThirteenDaysRuleset, before: State) -> str | None:
    return game.data.card[frame_of(before).card].id if before.depth > 0 else None


def card_line(game: ThirteenDaysRuleset, key: str, side: int, card: int | None, /, **args: Argument) -> LogLine:
    """Return a line about a card: which one, or `key` with "_hidden" where the viewer may not know (None)."""
    who: dict[str, Argument] = {"who": the_side(side), **args}
    if card is None:
        return LogLine(Message(f"{key}_hidden", who), side)
    ref = the_card(game, card)
    return LogLine(Message(key, {**who, "card": ref}), side, ref.id)


def cards_moved_to(game: ThirteenDaysRuleset, before: State, after: State, place: int) -> list[int]:
    """Return the cards that the viewer sees in a place where they were not before."""
    was, is_now = before.card.tolist(), after.card.tolist()
    return [card for card in range(len(game.data.card)) if is_now[card] == place != was[card]]


def marker_moved(game: ThirteenDaysRuleset, before: State, after: State, owner: int, track: int) -> LogLine:
    """Return the line about the marker that the side to move has moved."""
    was, now = int(before.defcon[owner, track]), int(after.defcon[owner, track])
    steps: dict[str, Argument] = {"before": was, "after": now, "area": area_entered(game, was, now)}
    if owner == before.mover:
        return actor_line(game, before, "log.marker.own", track=the_track(track), **steps)
    return actor_line(game, before, "log.marker.other", marker=marker(owner, track), **steps)


def consequences(
    game: ThirteenDaysRuleset,
    before: State,
    after: State,
    cubes_told: Iterable[tuple[int, int]] = (),
    markers_told: Iterable[tuple[int, int]] = (),
    card: str | None = None,
) -> Iterator[LogLine]:
    """Yield lines for the consequences of an action on the board, without those already in the line of the action.

    Args:
        game: the ruleset.
        before: the viewer's view before the action.
        after: the viewer's view after it.
        cubes_told: each (side, place) whose cubes have been mentioned.
        markers_told: each (side, track) whose marker has been mentioned.
        card: the card that the lines are about; None: the one in play.
    """
    found = cube_changes(before, after, cubes_told)
    found += marker_changes(game, before, after, markers_told)
    found += prestige_changes(before, after)
    if before.node != Node.CHOOSE:  # else the alternative has mentioned it
        found += _rules_of_the_round(before, after)
    if before.letter != after.letter:
        found.append(Message("change.letter", {"who": the_side(after.letter)}))
    for message in found:
        yield LogLine(message, None, card or _card_in_play(game, before))


def _rules_of_the_round(before: State, after: State) -> Iterator[Message]:
    """Yield Command modifiers and bans, in the words of the cards that set them."""
    for side in BOTH:
        delta = int(after.modifier[side]) - int(before.modifier[side])
        owner: dict[str, Argument] = {"owner": the_side(side)}
        if delta:
            change = "event.modifier.more" if delta > 0 else "event.modifier.less"
            what = Message(change, {"commands": Message("commands.side", owner), "n": abs(delta)})
            if delta < 0 and after.least[side] > 0:
                what = Message("event.floor", {"what": what, "n": int(after.least[side])})
            yield Message("change.rule", {"what": what})
        if after.ban[side] and not before.ban[side]:
            yield Message("change.rule", {"what": Message("event.deflation_ban.side", {"who": the_side(side)})})


def ending_line(after: State) -> LogLine:
    """Return the line about the end of the game."""
    winner = int(after.winner)
    return LogLine(ending(after), winner if winner != NOBODY else None)
