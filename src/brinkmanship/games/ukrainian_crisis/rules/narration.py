"""The log of a game of Ukrainian Crisis: what one action did, told to a reader from the reader's two views.

First comes the deed, then what followed from it. Nothing here sees the state: whoever may not know a card has it
blanked in both views, and is told that it was "a card". Sentences are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brinkmanship.engine.message import Argument, Dice, Line, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import (
    Action,
    Direction,
    higher_die,
    lower_die,
    place_in,
    placed_rank,
    stack_of,
)
from brinkmanship.games.ukrainian_crisis.rules.data import COMBATS, EVENTS, INFORMS
from brinkmanship.games.ukrainian_crisis.rules.names import N_AREAS, RU, UA, Area, Event, Inform
from brinkmanship.games.ukrainian_crisis.rules.phrases import (
    box_changes,
    ending,
    prestige_changes,
    score,
    the_area,
    the_box,
    the_card,
    the_country,
    the_critical,
    the_event,
    the_place,
    the_side,
    the_unit,
    the_zone,
    unit_changes,
    zone_changes,
)
from brinkmanship.games.ukrainian_crisis.rules.questions import dice_at_once
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import (
    GROUP,
    PLACE,
    Level,
    Mark,
    Node,
    Place,
    Square,
    State,
    Task,
    TurnType,
)

_GOES_ON = {Node.DEPLOY_TO, Node.MOVE_TO, Node.PAY_RP, Node.PAY_PRESTIGE}
"""What these ask belongs to the deed that led to them; the answer's line tells all of it."""
_FROM: dict[int, str] = {Place.RESERVE: "mobilise", Place.MOBILISATION: "picks"}
_UNITS_CHANGE = {Node.DIE, Node.HITS, Node.HIT, Node.FIGHT, Node.TARGETS, Node.CRITICAL_ZONE, Node.ANY_ZONE}
"""After these units may have been neutralised or eliminated; elsewhere the deed itself tells what became of them."""


_HALVES: dict[int, str] = {Event.RALLY_FOR_THE_MOTHERLAND: "die.points", Event.UNIT_NOT_READY: "die.units"}
"""Events whose die is halved for something that no change tells."""


def narrate(game: UkrainianCrisisRuleset, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
    """See `Narrator.narrate`."""
    return _Log(game, before, action, after, reader).lines()


def dice(game: UkrainianCrisisRuleset, before: State, action: int) -> Dice | None:
    """See `Narrator.dice`: of diplomatic attempts only the sum is recorded, of combat dice only how many hit."""
    if Action.DIE <= action < Action.TWO_DICE:
        return Dice(1, (action - Action.DIE + 1,))
    if Action.TWO_DICE <= action < Action.DICE_SUM:
        return Dice(2, (lower_die(action), higher_die(action)))
    if Action.DICE_SUM <= action < Action.HITS:
        return Dice(int(game.rules.rank[before.stack[before.depth - 1].country]), total=action - Action.DICE_SUM)
    if Action.HITS <= action < Action.PLACE:
        return Dice(dice_at_once(before), hits=action - Action.HITS)
    return None


def rolls_critically(game: UkrainianCrisisRuleset, before: State, action: int) -> bool:
    """Whether the action is a roll of doubles that bring a critical event (4.2, R18)."""
    if before.node != Node.ROLL or action < Action.TWO_DICE:
        return False
    if before.area == Area.MILITARY and before.turn_type == TurnType.COMBAT:
        return lower_die(action) == higher_die(action) and not game.rules.options.no_critical_in_segments
    return lower_die(action) == higher_die(action)


class _Log:
    """One action, told from the two views of a reader."""

    def __init__(self, game: UkrainianCrisisRuleset, before: State, action: int, after: State, reader: int) -> None:
        self.game = game
        self.before = before
        self.action = action
        self.after = after
        self.reader = reader
        self.side = int(before.mover)

    def lines(self) -> Iterator[Line]:
        yield self.deed()._replace(begins=Node(self.after.node) in _GOES_ON or self.aims())
        for change in self.changes():
            yield Line(change)
        if self.after.level != Level.NOT_OVER and self.before.level == Level.NOT_OVER:
            yield Line(ending(self.after))
            for side in (UA, RU):
                yield Line(score(self.game, self.after, side))

    def changes(self) -> Iterator[Message]:
        node = Node(self.before.node)
        yield from self.criticals()
        yield from prestige_changes(self.before, self.after)
        yield from box_changes(self.before, self.after)
        yield from zone_changes(self.game, self.before, self.after)
        if node in _UNITS_CHANGE and not self.is_attempt():
            yield from unit_changes(self.game, self.before, self.after)

    def criticals(self) -> Iterator[Message]:
        if rolls_critically(self.game, self.before, self.action):
            yield Message("change.critical", {"event": the_critical(lower_die(self.action))})

    def aims(self) -> bool:
        """Whether an attempt to neutralise units begins or goes on: the die of each tells what at."""
        node, then = Node(self.before.node), Node(self.after.node)
        if node == Node.INFORMATION:
            return self.action == Action.INFORM + Inform.NEUTRALISE and then in (Node.ROLL, Node.TARGETS)
        return node == Node.TARGETS and then in (Node.TARGETS, Node.DIE)

    def is_attempt(self) -> bool:
        """Whether this is the die of an attempt to neutralise a unit (5.34)."""
        return self.before.node == Node.DIE and self.frame.task == Task.INFORMATION

    @property
    def frame(self) -> Any:
        """The task that was innermost before the action."""
        return self.before.stack[self.before.depth - 1]

    def line(self, key: str, side: int | None = None, card: str | None = None, **args: Argument) -> Line:
        """A line of the log; `side` did it."""
        who: dict[str, Argument] = {} if side is None else {"who": the_side(side)}
        return Line(Message(f"log.{key}", {**who, **args}), side, card)

    def deed(self) -> Line:
        return _DEEDS[Node(self.before.node)](self)

    # Steps of the rules.

    def reshuffle(self) -> Line:
        return self.line("reshuffle")

    def ally_rp(self) -> Line:
        return self.line("ally_rp", n=int(self.after.ally_rp))

    def reveal(self) -> Line:
        area = int(self.before.area)
        return self.line("reveal", None, None, area=the_area(area), **self.both_cards(area))

    def both_cards(self, area: int) -> dict[str, Argument]:
        cards = [the_card(self.game, rank) for rank in self.after.matrix[:, area].tolist()]
        return dict(zip(self.game.sides, cards, strict=True))

    def compare(self) -> Line:
        points: dict[str, Argument] = {
            "ua": int(self.before.rp[UA]) + int(self.frame.allies),
            "ru": int(self.before.rp[RU]),
        }
        key = "ceasefire.fails" if self.after.turn_type == TurnType.COMBAT else "ceasefire.holds"
        return self.line(key, None, None, **points)

    def turn_type(self) -> Line:
        if self.after.turn_type != TurnType.COMBAT:
            return self.line("type.strategic", turn=int(self.after.turn))
        if self.after.matrix[UA, Area.DIPLOMATIC] > Square.EMPTY and not self.before.ceasefire:
            return self.line(
                "type.combat_shown", None, None, turn=int(self.after.turn), **self.both_cards(Area.DIPLOMATIC)
            )
        return self.line("type.combat", turn=int(self.after.turn))

    def check(self) -> Line:
        return self.line("check", turn=int(self.before.turn))

    def income(self) -> Line:
        return self.line("income", turn=int(self.before.turn))

    # Chance.

    def draw_event(self) -> Line:
        side = int(self.before.drawer)
        if self.action < 0:
            return self.line("draw_hidden", side)
        event = self.action - Action.DRAW_EVENT
        key = "draw_immediate" if EVENTS[event].immediate else "draw"
        return self.line(key, side, EVENTS[event].id, event=the_event(event))

    def deal_card(self) -> Line:
        side = int(self.before.drawer)
        if self.action < 0:
            return self.line("deal_hidden", side)
        return self.line("deal", side, card_name=the_card(self.game, self.action - Action.DEAL_CARD + 1))

    def roll(self) -> Line:
        side = int(self.before.drawer)
        if self.action >= Action.TWO_DICE:
            low, high = lower_die(self.action), higher_die(self.action)
            return self.line("roll_two", side, low=low, high=high, n=low + high)
        card = int(self.before.matrix[side, self.before.area])
        points = int(self.game.rules.results[int(self.game.rules.class_of[card - 1]), self.action - Action.DIE])
        return self.line("roll", side, pips=self.action - Action.DIE + 1, n=points)

    def die(self) -> Line:
        pips = self.action - Action.DIE + 1
        if self.is_attempt():
            return self.attempt_at(pips)
        if self.frame.task == Task.CRITICAL:
            return self.line("die", what=the_critical(int(self.frame.doubles)), pips=pips)
        event = int(self.frame.event) if self.frame.task == Task.EVENT else Event.RALLY_FOR_THE_MOTHERLAND
        if event in _HALVES:  # rounded up (R35)
            return self.line(_HALVES[event], what=the_event(event), pips=pips, n=(pips + 1) // 2)
        return self.line("die", what=the_event(event), pips=pips)

    def attempt_at(self, pips: int) -> Line:
        frame, mark = self.frame, GROUP << int(self.frame.attempts)
        most = int(frame.results[0]) + int(frame.allies)
        unit, entry = next((unit, entry) for unit, entry in enumerate(self.before.unit.tolist()) if entry & mark)
        stack = stack_of(int(self.game.rules.type_of[unit]), entry & Mark.NEUTRALISED, entry // PLACE)
        target = {"unit": the_unit(self.game, stack), "place": the_place(self.game, place_in(stack))}
        key = "neutralise.succeeds" if pips <= most else "neutralise.fails"
        return self.line(key, int(frame.side), None, **target, pips=pips, n=most)

    def dice_sum(self) -> Line:
        rolled, paid = self.action - Action.DICE_SUM, int(self.frame.rp) + int(self.frame.prestige)
        country = the_country(int(self.frame.country))
        key = "attempt.succeeds" if rolled <= paid else "attempt.fails"
        return self.line(key, country=country, rolled=rolled, paid=paid)

    def hits(self) -> Line:
        return self.line("hits", int(self.before.drawer), n=self.action - Action.HITS, dice=dice_at_once(self.before))

    def any_zone(self) -> Line:
        return self.line("any_zone", zone=self.zone(), event=the_critical(int(self.frame.doubles)))

    def zone(self) -> Argument:
        return the_zone(self.game, self.action - Action.ZONE)

    # Decisions.

    def place(self) -> Line:
        side = self.secret_side()
        if self.action < 0:
            return self.line("place_hidden", side)
        cards = [the_card(self.game, placed_rank(self.action, area)) for area in range(N_AREAS)]
        names = dict(zip(("military", "diplomatic", "information"), cards, strict=True))
        return self.line("place", side, None, **names)

    def secret_side(self) -> int:
        """Who has answered where both do so at once: a reader who may not know the answer sees the other side act, and
        an onlooker first Ukraine and then Russia, which ends it: so they are recorded."""
        if self.action < 0:
            if self.reader in (UA, RU):
                return 1 - self.reader
            return UA if self.after.node == self.before.node else RU
        parts = self.game.action_parts(self.action)
        return self.game.sides.index(parts.side or "")

    def declare(self) -> Line:
        side = self.secret_side()
        if self.action < 0:
            return self.line("declare_hidden", side)
        return self.line("declare.combat" if (self.action - Action.DECLARE) % 2 else "declare.strategic", side)

    def ceasefire(self) -> Line:
        return self.line("ceasefire.request" if self.action == Action.REQUEST else "ceasefire.accept", self.side)

    def window(self) -> Line:
        if self.action == Action.DONE:
            return self.line("pass", self.side)
        event = self.action - Action.PLAY_EVENT
        return self.line("play", self.side, EVENTS[event].id, event=the_event(event))

    def order(self) -> Line:
        return self.line("order", self.side, area=the_area(self.action - Action.AREA))

    def who_first(self) -> Line:
        return self.line(
            "first", self.side, area=the_area(int(self.before.area)), first=the_side(self.action - Action.FIRST)
        )

    def military(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        if self.action < Action.UNIT:
            return self.line("allies", self.side, n=self.action - Action.ALLIES)
        stack = self.action - Action.UNIT
        place = place_in(stack)
        return self.unit_line(_FROM.get(place, "relocate"), stack)

    def unit_line(self, key: str, stack: int, **args: Argument) -> Line:
        place = the_place(self.game, place_in(stack))
        return self.line(key, self.side, None, unit=the_unit(self.game, stack), place=place, **args)

    def deploy_to(self) -> Line:
        return self.unit_line("deploy", int(self.frame.picked), zone=self.zone())

    def diplomatic(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        if self.action < Action.COUNTRY:
            return self.line("allies", self.side, n=self.action - Action.ALLIES)
        country, direction = divmod(self.action - Action.COUNTRY, 3)
        box = int(self.before.box[country]) + (1 if direction == Direction.UP else -1)
        return self.attempt("begins", country, box)

    def attempt(self, key: str, country: int, box: int, **args: Argument) -> Line:
        return self.line(f"attempt.{key}", self.side, None, country=the_country(country), box=the_box(box), **args)

    def pay_rp(self) -> Line:
        frame, points = self.frame, self.action - Action.PAY_RP
        return self.attempt("pays_rp", int(frame.country), int(frame.box), rp=points)

    def pay_prestige(self) -> Line:
        frame, points = self.frame, self.action - Action.PAY_PRESTIGE
        return self.attempt("pays_both", int(frame.country), int(frame.box), rp=int(frame.rp), prestige=points)

    def information(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        return self.line(INFORMS[self.action - Action.INFORM], self.side)

    def add_allies(self) -> Line:
        if self.action == Action.DONE:
            return self.line("no_allies", self.side)
        return self.line("allies", self.side, n=self.action - Action.ALLIES)

    def targets(self) -> Line:
        return (
            self.line("done", self.side)
            if self.action == Action.DONE
            else self.unit_line("target", self.action - Action.UNIT)
        )

    def operate(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        if self.action >= Action.RECOVER:
            return self.unit_line("recover", 2 * (self.action - Action.RECOVER))
        return self.unit_line("picks", self.action - Action.UNIT)

    def move_to(self) -> Line:
        return self.unit_line("move", int(self.frame.picked), zone=self.zone())

    def attack(self) -> Line:
        if self.action == Action.DONE:
            return self.line("no_attack", self.side)
        return self.line("attack", self.side, zone=self.zone())

    def attackers(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        return self.unit_line("attacker", self.action - Action.UNIT, number=int(self.frame.group) + 1)

    def defenders(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        return self.unit_line("defender", self.action - Action.UNIT, number=int(self.frame.group) + 1)

    def fight(self) -> Line:
        group, combat = divmod(self.action - Action.FIGHT, len(COMBATS))
        return self.line(f"fight.{COMBATS[combat]}", self.side, number=group + 1)

    def hit(self) -> Line:
        return self.unit_line("hit", self.action - Action.UNIT)

    def event_zone(self) -> Line:
        return self.line("event_zone", self.side, event=the_event(int(self.frame.event)), zone=self.zone())

    def event_country(self) -> Line:
        country = the_country((self.action - Action.COUNTRY) // 3)
        return self.line("event_country", self.side, event=the_event(int(self.frame.event)), country=country)

    def event_unit(self) -> Line:
        if self.action == Action.DONE:
            return self.line("done", self.side)
        return self.unit_line("event_unit", self.action - Action.UNIT, event=the_event(int(self.frame.event)))

    def critical_zone(self) -> Line:
        return self.line("critical_zone", self.side, event=the_critical(int(self.frame.doubles)), zone=self.zone())


_DEEDS = {
    Node.RESHUFFLE: _Log.reshuffle,
    Node.ALLY_RP: _Log.ally_rp,
    Node.REVEAL: _Log.reveal,
    Node.COMPARE: _Log.compare,
    Node.TYPE: _Log.turn_type,
    Node.CHECK: _Log.check,
    Node.INCOME: _Log.income,
    Node.DRAW_EVENT: _Log.draw_event,
    Node.DEAL_CARD: _Log.deal_card,
    Node.ROLL: _Log.roll,
    Node.DIE: _Log.die,
    Node.DICE_SUM: _Log.dice_sum,
    Node.HITS: _Log.hits,
    Node.ANY_ZONE: _Log.any_zone,
    Node.PLACE: _Log.place,
    Node.DECLARE: _Log.declare,
    Node.CEASEFIRE: _Log.ceasefire,
    Node.WINDOW: _Log.window,
    Node.ORDER: _Log.order,
    Node.WHO_FIRST: _Log.who_first,
    Node.MILITARY: _Log.military,
    Node.DEPLOY_TO: _Log.deploy_to,
    Node.DIPLOMATIC: _Log.diplomatic,
    Node.PAY_RP: _Log.pay_rp,
    Node.PAY_PRESTIGE: _Log.pay_prestige,
    Node.INFORMATION: _Log.information,
    Node.ADD_ALLIES: _Log.add_allies,
    Node.TARGETS: _Log.targets,
    Node.OPERATE: _Log.operate,
    Node.MOVE_TO: _Log.move_to,
    Node.ATTACK: _Log.attack,
    Node.ATTACKERS: _Log.attackers,
    Node.DEFENDERS: _Log.defenders,
    Node.FIGHT: _Log.fight,
    Node.HIT: _Log.hit,
    Node.EVENT_ZONE: _Log.event_zone,
    Node.EVENT_COUNTRY: _Log.event_country,
    Node.EVENT_UNIT: _Log.event_unit,
    Node.CRITICAL_ZONE: _Log.critical_zone,
}
"""Who tells what happened at each node."""
