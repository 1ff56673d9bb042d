"""Sources of the Prestige in a game of 13 Days: agendas round by round, events, the aftermath."""

from __future__ import annotations

from collections.abc import Sequence

from brinkmanship.engine.entry import ViewedEntry
from brinkmanship.engine.message import Argument, Message
from brinkmanship.engine.score import ScorePart, ScoreTable
from brinkmanship.games.cuban.frame import US, USSR
from brinkmanship.games.thirteen_days.rules.narration.agenda_scoring import position_scored
from brinkmanship.games.thirteen_days.rules.phrases import frame_of, standing, the_agenda, the_card, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award


def score(game: ThirteenDaysRuleset, history: Sequence[ViewedEntry]) -> tuple[ScoreTable, ...]:
    """Implement `Narrator.score`. Prestige is one track: a gain of one side moves the marker away from the other."""
    if not history:
        return ()
    start = int(history[0].before.prestige)
    parts = [_part(Message("score.start"), start)] if start else []
    for seen in history:
        parts += _of_entry(game, seen)
    lead = Message("score.standing", {"lead": standing(history[-1].after)})
    return (ScoreTable(Message("score.title"), tuple(parts), (lead,)),)


def _of_entry(game: ThirteenDaysRuleset, seen: ViewedEntry) -> list[ScorePart]:
    node = Node(seen.before.node)
    moved = int(seen.after.prestige) - int(seen.before.prestige)
    if node == Node.RESOLVE_AGENDAS:
        parts = _agendas(game, seen)
    elif node == Node.COUNT_AFTERMATH:
        totals = [_aftermath(game, seen.after, side) for side in (US, USSR)]
        parts = [_part(Message("score.aftermath", {"us": totals[US], "ussr": totals[USSR]}), _award(game, totals))]
    elif moved:
        parts = [_part(Message("score.event", _round(seen) | {"card": the_card(game, _card(game, seen))}), moved)]
    else:
        return []
    beyond = sum(part.points[US] - part.points[USSR] for part in parts) - moved
    if beyond:  # lost to the side that gained it
        parts.append(ScorePart(Message("score.track_end", _round(seen)), (min(-beyond, 0), min(beyond, 0))))
    return parts


def _aftermath(game: ThirteenDaysRuleset, after: State, side: int) -> int:
    """Return the cubes on a side's cards in the aftermath stack, which has been revealed."""
    cards = game.rules.cards
    turned_up = [card for card, place in enumerate(after.card[: len(game.data.card)]) if place == CardIs.REVEALED]
    return sum(int(cards[card].cubes) for card in turned_up if cards[card].side == side)


def _award(game: ThirteenDaysRuleset, totals: Sequence[int]) -> int:
    """Return the Prestige for the aftermath, > 0 to the US."""
    if totals[US] == totals[USSR]:
        return 0
    return int(game.rules.limits.award) * (1 if totals[US] > totals[USSR] else -1)


def _agendas(game: ThirteenDaysRuleset, seen: ViewedEntry) -> list[ScorePart]:
    position = position_scored(game, seen.before, seen.after)
    parts = []
    for side in (US, USSR):
        agenda = int(seen.before.chosen[side])
        whose = Message("agenda.of", {"who": the_side(side)})
        what = _round(seen) | {"whose": whose, "agenda": the_agenda(game, agenda)}
        parts.append(_part(Message("score.agenda", what), int(award(game.rules, position, agenda))))
    return parts


def _card(game: ThirteenDaysRuleset, seen: ViewedEntry) -> int:
    """Return the card whose event moved the marker: the one in play, or the one just played."""
    if seen.before.depth > 0:
        return frame_of(seen.before).card
    return game.data.card_index(game.action_parts(seen.entry.action).card or "")


def _round(seen: ViewedEntry) -> dict[str, Argument]:
    return {"round": int(seen.before.round_number)}


def _part(what: Message, towards_us: int) -> ScorePart:
    """Return a part of the score for the side that the marker moves towards."""
    return ScorePart(what, (max(towards_us, 0), max(-towards_us, 0)))
