"""The log of a game of 13 Days: what one action did, told to a reader from the reader's two views.

First comes the deed, then what followed from it on the board, one message each. Nothing here sees the state: whoever
may not know a card has it blanked in both views, and is told that it was "a card". Sentences are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator

from brinkmanship.engine.message import Argument, Line, Message, Ref
from brinkmanship.games.cuban.frame import NOBODY, UN, US, USSR, TurnStep
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS, MAX_AGENDAS, TRACKS
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
    the_area,
    the_card,
    the_place,
    the_side,
    the_track,
    value_of_command,
    value_of_play,
)
from brinkmanship.games.thirteen_days.rules.ruleset import ThirteenDaysRuleset
from brinkmanship.games.thirteen_days.rules.state import LAST_STEP_OF_RULES, N_TRACKS, CardIs, Node, Reason, State
from brinkmanship.games.thirteen_days.rules.steps.agenda_scoring import award
from brinkmanship.games.thirteen_days.rules.tables import AgendaKind, IconOrder

BOTH = (US, USSR)


def narrate(game: ThirteenDaysRuleset, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
    """See `Narrator.narrate`."""
    if before.node <= LAST_STEP_OF_RULES:
        return _Step(game, before, after, reader).lines()
    return _Deed(game, before, action, after, reader).lines()


def position_scored(game: ThirteenDaysRuleset, before: State, after: State) -> State:
    """The position from which agendas are scored, in the step that resolves them (R1)."""
    position = game.copy(before)
    if game.rules.options.agenda_icon_order == IconOrder.ESCALATE_THEN_SCORE:  # only icons move markers in this step
        position.defcon[:] = after.defcon
    return position


class _Log:
    """What both kinds of log need: the two views and who reads them."""

    def __init__(self, game: ThirteenDaysRuleset, before: State, after: State, reader: int) -> None:
        self.game = game
        self.before = before
        self.after = after
        self.reader = reader

    def moved_to(self, place: int) -> list[int]:
        """The cards that the reader sees in a place where they were not before."""
        was, is_now = self.before.card.tolist(), self.after.card.tolist()
        return [card for card in range(len(self.game.data.card)) if is_now[card] == place != was[card]]

    def card_line(self, key: str, side: int, card: int | None, **args: Argument) -> Line:
        """A line about a card: which one, or `key` with "_hidden" where the reader may not know."""
        who: dict[str, Argument] = {"who": the_side(side), **args}
        if card is None:
            return Line(Message(f"{key}_hidden", who), side)
        return Line(Message(key, {**who, "card": the_card(self.game, card)}), side, self.game.data.card[card].id)


# Chance and decisions.


class _Deed(_Log):
    """What a side did, or a card it drew."""

    def __init__(self, game: ThirteenDaysRuleset, before: State, action: int, after: State, reader: int) -> None:
        super().__init__(game, before, after, reader)
        self.action = action
        self.side = int(before.mover)
        self.in_play = bool(before.depth > 0)
        self.frame = frame_of(before)
        self.cubes_told: list[tuple[int, int]] = []
        self.markers_told: list[tuple[int, int]] = []

    def lines(self) -> Iterator[Line]:
        """The deed and what followed."""
        followed = False
        yield from self._deed()
        for message in self._changes():
            followed = True
            yield Line(message, None, self._card_in_play())
        if not followed and self._was_empty_event():
            yield Line(Message("change.nothing"), None, self._card_in_play())

    def _deed(self) -> Iterator[Line]:
        node = Node(self.before.node)
        if node == Node.DEAL_AGENDA:
            yield from self._flags()
        elif node == Node.AGENDA:
            yield from self._agenda()
        elif node in (Node.DRAW_CARD, Node.DRAW_FOR_ALLIANCES):
            yield self._draw()
        elif node == Node.RANDOM_CARD:
            yield self._take()
        elif node == Node.FIRST:
            first = the_side(self.action - Action.FIRST)
            yield self._line("log.decide.first", first=first)
        elif self.action == Action.DONE:
            yield from self._done()
        elif node in (Node.PLAY, Node.TAKEN_CARD) and self.action != Action.TO_DISCARD:
            yield self._play()
        elif node == Node.TRIGGER:
            yield self._trigger()
        elif self.action == Action.LETTER_ADDED:
            yield self._line("log.decide.letter", value=value_of_command(self.game, self.after))
        elif node == Node.ALLIANCES:
            if self.action == Action.DECLINE:
                yield self._line("log.decide.no_draw")
        elif node in (Node.TAKEN_CARD, Node.EXCHANGE, Node.ALLIANCES_CARD):
            yield self._put_away()
        elif node == Node.CHOOSE:
            yield self._branch()
        else:
            yield self._move()

    def _line(self, key: str, **args: Argument) -> Line:
        return Line(Message(key, {"who": the_side(self.side), **args}), self.side, self._card_in_play())

    def _card_in_play(self) -> str | None:
        if self.in_play:
            return self.game.data.card[self.frame.card].id
        return self.game.action_parts(self.action).card if self.before.node == Node.PLAY else None

    # Dealing and drawing.

    def _flags(self) -> Iterator[Line]:
        """S2b: the flags go on the board when all agendas are dealt."""
        if self.after.node == Node.DEAL_AGENDA:
            return
        for side in BOTH:
            flags: list[Ref | Message] = []
            for agenda in range(len(self.game.data.agenda)):
                times, ref = int(self.after.agenda_dealt[side, agenda]), the_agenda(self.game, agenda)
                if times:
                    flags.append(ref if times == 1 else Message("agenda.times", {"agenda": ref, "times": times}))
            yield Line(Message("log.step.flags", {"who": the_side(side), "agendas": tuple(flags)}), side)

    def _agenda(self) -> Iterator[Line]:
        """D1: each reads its own choice, and that both have chosen when they have."""
        if Action.KEEP_AGENDA <= self.action < Action.FIRST:
            side, agenda = divmod(self.action - Action.KEEP_AGENDA, MAX_AGENDAS)
            if side == self.reader:
                message = Message("log.decide.agenda", {"who": the_side(side), "agenda": the_agenda(self.game, agenda)})
                yield Line(message, side)
        if self.after.node != Node.AGENDA:
            yield Line(Message("log.decide.agendas"))

    def _draw(self) -> Line:
        drawer = int(self.before.drawer)
        place = CardIs.IN_HAND + drawer if self.before.node == Node.DRAW_CARD else CardIs.DRAWN + drawer
        return self.card_line("log.card.draw", drawer, next(iter(self.moved_to(place)), None))

    def _take(self) -> Line:
        owner = self.frame.owner
        card = next(iter(self.moved_to(CardIs.TAKEN)), None)
        return self.card_line("log.card.take", 1 - owner, card, of=the_side(owner))

    # Cards.

    def _play(self) -> Line:
        parts = self.game.action_parts(self.action)
        kind, card = parts.kind, Ref("card", parts.card or "")
        who: dict[str, Argument] = {"who": the_side(self.side), "card": card}
        if kind == "event":
            return Line(Message("log.play.event", who), self.side, card.id)
        index = self.game.data.card_index(card.id)
        value = value_of_play(self.game, self.before, self.side, index, kind == "command_letter")
        return Line(Message(f"log.play.{kind}", {**who, "value": value}), self.side, card.id)

    def _trigger(self) -> Line:
        card = the_card(self.game, self.frame.card)
        return self._line("log.decide.trigger" if self.action == Action.TRIGGER else "log.decide.decline", card=card)

    def _put_away(self) -> Line:
        """A card discarded or put on the aftermath stack."""
        if self.action == Action.TO_AFTERMATH:
            saved = next(iter(self.moved_to(CardIs.IN_AFTERMATH + self.side)), None)
            return self.card_line("log.card.aftermath", self.side, saved, n=1)
        return self.card_line("log.card.discard", self.side, self.moved_to(CardIs.DISCARDED)[0])

    # Choices of events, Commands and Television.

    def _branch(self) -> Line:
        _, number = effect_of(self.game, self.before)
        branch = self.game.action_parts(self.action).count
        card = self.game.data.card[self.frame.card].id
        return self._line("log.decide.branch", what=Ref("branch", f"{card}.{number}.{branch}"))

    def _move(self) -> Line:
        parts = self.game.action_parts(self.action)
        if parts.kind == "shift":
            return self._shift(TRACKS.index(parts.track or ""))
        place = BATTLEGROUNDS.index(parts.place or "")
        owner = self.side if self.before.node == Node.COMMAND else self.frame.owner
        self.cubes_told.append((owner, place))
        count = parts.count or 0
        before = int(self.before.influence[owner, place])
        after = before + (count if parts.kind == "place" else -count)
        numbers: dict[str, Argument] = {"where": the_place(place), "before": before, "after": after}
        if owner == self.side:
            return self._line(f"log.cubes.{parts.kind}", n=count, **numbers)
        return self._line(f"log.cubes.{parts.kind}_of", cubes=cubes(owner, count), **numbers)

    def _shift(self, track: int) -> Line:
        owner = self.side if self.before.node == Node.TELEVISION else self.frame.owner
        self.markers_told.append((owner, track))
        before, after = int(self.before.defcon[owner, track]), int(self.after.defcon[owner, track])
        steps: dict[str, Argument] = {"before": before, "after": after, "area": area_entered(self.game, before, after)}
        if owner == self.side:
            return self._line("log.marker.own", track=the_track(track), **steps)
        return self._line("log.marker.other", marker=marker(owner, track), **steps)

    def _done(self) -> Iterator[Line]:
        """Nothing at all is worth a line, the end of something is not."""
        node = Node(self.before.node)
        if node == Node.TELEVISION:
            yield self._line("log.decide.no_shift")
        elif node == Node.COMMAND:
            yield self._line("log.decide.no_command")
        elif not self._begun():
            names = {
                Node.REMOVE: "removal",
                Node.TAKE_CUBES: "relocation",
                Node.SHIFT: "shift",
                Node.EXCHANGE: "discard",
            }
            yield self._line(f"log.decide.no_{names.get(node, 'place')}")

    def _begun(self) -> bool:
        return self.frame.count > 0

    # What followed.

    def _changes(self) -> Iterator[Message]:
        yield from cube_changes(self.before, self.after, self.cubes_told)
        yield from marker_changes(self.game, self.before, self.after, self.markers_told)
        yield from prestige_changes(self.before, self.after)
        if self.before.node != Node.CHOOSE:  # else the alternative has said it
            yield from self._rules_of_the_round()
        if self.before.letter != self.after.letter:
            yield Message("change.letter", {"who": the_side(self.after.letter)})

    def _rules_of_the_round(self) -> Iterator[Message]:
        """Command modifiers and bans, in the words of the cards that set them."""
        for side in BOTH:
            delta = int(self.after.modifier[side]) - int(self.before.modifier[side])
            owner: dict[str, Argument] = {"owner": the_side(side)}
            if delta:
                change = "event.modifier.more" if delta > 0 else "event.modifier.less"
                what = Message(change, {"commands": Message("commands.side", owner), "n": abs(delta)})
                if delta < 0 and self.after.least[side] > 0:
                    what = Message("event.floor", {"what": what, "n": int(self.after.least[side])})
                yield Message("change.rule", {"what": what})
            if self.after.ban[side] and not self.before.ban[side]:
                yield Message("change.rule", {"what": Message("event.deflation_ban.side", {"who": the_side(side)})})

    def _was_empty_event(self) -> bool:
        """Whether an event has been begun that is over already."""
        if self.action == Action.TRIGGER:
            return not (self.after.depth == self.before.depth and frame_of(self.after).step == TurnStep.EVENT)
        if self.before.node not in (Node.PLAY, Node.TAKEN_CARD):
            return False
        return bool(self.game.action_parts(self.action).kind == "event" and self.after.depth == self.before.depth)


# Steps of the rules.


class _Step(_Log):
    """A step the rules took themselves."""

    def lines(self) -> Iterator[Line]:
        """What happened in the step."""
        steps = {
            Node.ESCALATE: self._escalation,
            Node.SAVE_AFTERMATH: self._saved_cards,
            Node.UNITED_NATIONS: self._letter_moves,
            Node.RESOLVE_AGENDAS: self._agendas,
            Node.CHECK_WAR: self._war,
            Node.ADVANCE: self._end_of_round,
            Node.COUNT_AFTERMATH: self._aftermath,
        }
        return steps[Node(self.before.node)]()

    def _escalation(self) -> Iterator[Line]:
        yield Line(Message("log.step.round", {"round": int(self.before.round_number)}))
        for side in BOTH:
            steps = [int(step) for step in self.after.defcon[side]]
            markers = [
                Message("marker.step", {"track": the_track(track), "step": steps[track]}) for track in range(N_TRACKS)
            ]
            yield Line(Message("log.step.markers", {"who": the_side(side), "markers": tuple(markers)}))

    def _saved_cards(self) -> Iterator[Line]:
        for side in BOTH:
            for card in self.moved_to(CardIs.IN_AFTERMATH + side):
                yield self.card_line("log.card.aftermath", side, card)
            count = int(self.after.aftermath[side]) - int(self.before.aftermath[side])
            if count and not self.moved_to(CardIs.IN_AFTERMATH + side):
                yield self.card_line("log.card.aftermath", side, None, n=count)
        yield from self._bonuses_without_effect()

    def _bonuses_without_effect(self) -> Iterator[Line]:
        """The bonuses that ask nobody and move nothing: no step of the rules will tell of them."""
        holder = int(self.after.letter)
        places = {place.bonus: BATTLEGROUNDS.index(place.id) for place in self.game.data.battleground}
        for bonus in ("defcon", "letter", "draw"):
            if bonus not in places:
                continue
            us, ussr = (int(cubes) for cubes in self.after.influence[:, places[bonus]])
            first = US if us > ussr else USSR if ussr > us else NOBODY
            where = the_place(places[bonus])
            if bonus == "letter" and holder != NOBODY and first in (holder, NOBODY):
                key = "log.step.letter_stays" if first == NOBODY else "log.step.letter_kept"
                yield Line(Message(key, {"who": the_side(holder), "where": where}), holder)
            elif first == NOBODY:
                yield Line(Message("log.step.no_bonus", {"where": where}))

    def _letter_moves(self) -> Iterator[Line]:
        where = next(Ref("battleground", place.id) for place in self.game.data.battleground if place.bonus == "letter")
        side = int(self.after.letter)
        yield Line(Message("log.step.letter", {"who": the_side(side), "where": where}), side)

    # S6: agendas.

    def _agendas(self) -> Iterator[Line]:
        for side, agenda in self._revealed():
            yield self._scored(side, agenda)
        for change in marker_changes(self.game, self.before, self.after):
            yield Line(Message("log.agenda.icon", {"what": change}))
        for change in prestige_changes(self.before, self.after):
            yield Line(change)

    def _revealed(self) -> list[tuple[int, int]]:
        """Who had chosen which agenda. An onlooker who cannot tell from the flags is told NOBODY's."""
        used = self.after.agenda_used - self.before.agenda_used
        cards = [agenda for agenda in range(MAX_AGENDAS) for _ in range(int(used[agenda]))]
        ways = {(cards[0], cards[1]), (cards[1], cards[0])}
        possible = [way for way in ways if all(self._may_be(side, way[side]) for side in BOTH)]
        if len(possible) == 1:
            return list(zip(BOTH, possible[0], strict=True))
        return [(NOBODY, agenda) for agenda in cards]

    def _may_be(self, side: int, agenda: int) -> bool:
        if self.before.chosen[side] >= 0:
            return bool(self.before.chosen[side] == agenda)
        return bool(self.before.agenda_dealt[side, agenda] > 0)

    def _scored(self, side: int, agenda: int) -> Line:
        position = position_scored(self.game, self.before, self.after)
        points = int(award(self.game.rules, position, agenda))
        whose = Message("agenda.nobody") if side == NOBODY else Message("agenda.of", {"who": the_side(side)})
        args: dict[str, Argument] = {"whose": whose, "agenda": the_agenda(self.game, agenda)}
        chooser = side if side != NOBODY else None
        if points == 0:
            return Line(Message("log.agenda.nothing", args), chooser)
        leader = US if points > 0 else USSR
        args |= {"who": the_side(leader), "n": abs(points)}
        row = self.game.rules.agendas[agenda]
        kind, track, place = int(row.kind), int(row.track), int(row.place)
        if kind == AgendaKind.LETTER:
            return Line(Message("log.agenda.letter", args), chooser)
        sides = position.defcon[:, track] if kind == AgendaKind.TRACK else position.influence[:, place]
        lead = abs(int(sides[US]) - int(sides[USSR]))
        return Line(Message("log.agenda.lead", {**args, "lead": lead}), chooser)

    # S7 to S9.

    def _war(self) -> Iterator[Line]:
        if self.after.reason == Reason.NOT_OVER:
            if any(len(self._tracks_in(side, 2)) == N_TRACKS - 1 for side in BOTH):
                yield Line(Message("log.step.no_war"))
            return
        for side in BOTH:
            if self.after.winner == side:
                continue
            for track in self._tracks_in(side, 1):
                yield Line(Message("log.war.marker", {"marker": marker(side, track), "area": the_area(1)}), side)
            if len(self._tracks_in(side, 2)) == N_TRACKS:
                yield Line(Message("log.war.all", {"who": the_side(side), "area": the_area(2)}), side)
        yield self._ending()

    def _tracks_in(self, side: int, area: int) -> list[int]:
        areas = self.game.rules.area[self.before.defcon[side]]
        return [track for track in range(N_TRACKS) if areas[track] == area]

    def _end_of_round(self) -> Iterator[Line]:
        yield Line(Message("log.step.round_over", {"round": int(self.before.round_number)}))
        if any(self.before.modifier) or any(self.before.ban):
            yield Line(Message("log.step.effects_over"))

    def _aftermath(self) -> Iterator[Line]:
        stack = [card for card in range(len(self.game.data.card)) if self.after.card[card] == CardIs.REVEALED]
        for side in (US, USSR, UN):
            cards = [card for card in stack if self.game.rules.cards[card].side == side]
            owner = Ref("side", "un") if side == UN else the_side(side)
            if not cards and side != UN:
                yield Line(Message("log.aftermath.none", {"who": owner}))
            elif cards:
                values = [int(self.game.rules.cards[card].cubes) for card in cards]
                names = tuple(
                    Message("aftermath.card", {"card": the_card(self.game, card), "cubes": value})
                    for card, value in zip(cards, values, strict=True)
                )
                key = "log.aftermath.un" if side == UN else "log.aftermath.cards"
                yield Line(Message(key, {"who": owner, "cards": names, "n": sum(values)}))
        for change in prestige_changes(self.before, self.after):
            yield Line(change)
        yield self._ending()

    def _ending(self) -> Line:
        winner = int(self.after.winner)
        return Line(ending(self.after), winner if winner != NOBODY else None)
