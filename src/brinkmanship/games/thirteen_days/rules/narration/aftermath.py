"""S4 and S9: texts for cards saved for the aftermath, and for its count at the end (section 2.9)."""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import LogLine, Message, Ref
from brinkmanship.games.cuban.frame import NOBODY, UN, US, USSR
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS
from brinkmanship.games.thirteen_days.rules.narration.log_lines import card_line, cards_moved_to, ending_line
from brinkmanship.games.thirteen_days.rules.phrases import BOTH, prestige_changes, the_card, the_place, the_side
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import CardIs, Node, State

NODES = (Node.SAVE_AFTERMATH, Node.COUNT_AFTERMATH)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, viewer: int) -> Iterator[LogLine]:  # noqa: ARG001 - the signature of `StepTexts`
    """Implement `StepTexts.narrate`."""
    if before.node == Node.SAVE_AFTERMATH:
        yield from _saved_cards(game, before, after)
        yield from _bonuses_without_effect(game, after)
    else:
        yield from _count(game, before, after)


def _saved_cards(game: ThirteenDaysRuleset, before: State, after: State) -> Iterator[LogLine]:
    for side in BOTH:
        saved = cards_moved_to(game, before, after, CardIs.IN_AFTERMATH + side)
        for card in saved:
            yield card_line(game, "log.card.aftermath", side, card)
        count = int(after.aftermath[side]) - int(before.aftermath[side])
        if count and not saved:
            yield card_line(game, "log.card.aftermath", side, None, n=count)


def _bonuses_without_effect(game: ThirteenDaysRuleset, after: State) -> Iterator[LogLine]:
    """Yield lines for bonuses that ask neither side and move nothing: no step of the rules will narrate them."""
    holder = int(after.letter)
    places = {place.bonus: BATTLEGROUNDS.index(place.id) for place in game.data.battleground}
    for bonus in ("defcon", "letter", "draw"):
        if bonus not in places:
            continue
        us, ussr = (int(cubes) for cubes in after.influence[:, places[bonus]])
        first = US if us > ussr else USSR if ussr > us else NOBODY
        where = the_place(places[bonus])
        if bonus == "letter" and holder != NOBODY and first in (holder, NOBODY):
            key = "log.step.letter_stays" if first == NOBODY else "log.step.letter_kept"
            yield LogLine(Message(key, {"who": the_side(holder), "where": where}), holder)
        elif first == NOBODY:
            yield LogLine(Message("log.step.no_bonus", {"where": where}))


def _count(game: ThirteenDaysRuleset, before: State, after: State) -> Iterator[LogLine]:
    stack = [card for card in range(len(game.data.card)) if after.card[card] == CardIs.REVEALED]
    for side in (US, USSR, UN):
        cards = [card for card in stack if game.rules.cards[card].side == side]
        owner = Ref("side", "un") if side == UN else the_side(side)
        if not cards and side != UN:
            yield LogLine(Message("log.aftermath.none", {"who": owner}))
        elif cards:
            values = [int(game.rules.cards[card].cubes) for card in cards]
            names = tuple(
                Message("aftermath.card", {"card": the_card(game, card), "cubes": value})
                for card, value in zip(cards, values, strict=True)
            )
            key = "log.aftermath.un" if side == UN else "log.aftermath.cards"
            yield LogLine(Message(key, {"who": owner, "cards": names, "n": sum(values)}))
    for change in prestige_changes(before, after):
        yield LogLine(change)
    yield ending_line(after)
