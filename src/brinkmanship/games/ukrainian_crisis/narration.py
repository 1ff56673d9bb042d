"""The log of a game of Ukrainian Crisis: what one action did, told to a reader from the reader's two views.

First comes the deed, then what followed from it. Nothing here sees the state: whoever may not know a card has it
blanked in both views, and is told that it was "a card". Sentences are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from brinkmanship.engine.message import Argument, Dice, Line, Message
from brinkmanship.games.ukrainian_crisis.actions import (
    ALLIES,
    AREA,
    COMBATS,
    COUNTRY,
    DEAL_CARD,
    DECLARE,
    DICE_SUM,
    DIE,
    DONE,
    DRAW_EVENT,
    FIGHT,
    FIRST,
    HITS,
    INFORM,
    INFORMS,
    PAY_PRESTIGE,
    PAY_RP,
    PLACE_CARDS,
    PLAY_EVENT,
    RECOVER,
    REQUEST,
    TWO_DICE,
    UNIT,
    UP,
    ZONE,
    higher_die,
    lower_die,
    place_in,
    placed_rank,
)
from brinkmanship.games.ukrainian_crisis.data import EVENTS
from brinkmanship.games.ukrainian_crisis.questions import dice_at_once
from brinkmanship.games.ukrainian_crisis.speech import (
    box_changes,
    ending,
    prestige_changes,
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
from brinkmanship.games.ukrainian_crisis.state import (
    COMBAT,
    DIPLOMATIC,
    EMPTY,
    MILITARY,
    MOBILISATION,
    N_ADD_ALLIES,
    N_ALLY_RP,
    N_ANY_ZONE,
    N_AREAS,
    N_ATTACK,
    N_ATTACKERS,
    N_CEASEFIRE,
    N_CHECK,
    N_COMPARE,
    N_CRITICAL_ZONE,
    N_DEAL_CARD,
    N_DECLARE,
    N_DEFENDERS,
    N_DEPLOY_TO,
    N_DICE_SUM,
    N_DIE,
    N_DIPLOMATIC,
    N_DRAW_EVENT,
    N_EVENT_COUNTRY,
    N_EVENT_UNIT,
    N_EVENT_ZONE,
    N_FIGHT,
    N_HIT,
    N_HITS,
    N_INCOME,
    N_INFORMATION,
    N_MILITARY,
    N_MOVE_TO,
    N_OPERATE,
    N_ORDER,
    N_PAY_PRESTIGE,
    N_PAY_RP,
    N_PLACE,
    N_RESHUFFLE,
    N_REVEAL,
    N_ROLL,
    N_TARGETS,
    N_TYPE,
    N_WHO_FIRST,
    N_WINDOW,
    NOT_OVER,
    RESERVE,
    RU,
    T_CEASEFIRE,
    TASK,
    UA,
    A,
    B,
    C,
    D,
    State,
)
from brinkmanship.games.ukrainian_crisis.tables import NO_CRITICAL_IN_SEGMENTS

if TYPE_CHECKING:
    from brinkmanship.games.ukrainian_crisis.game import UkrainianCrisis

_UNITS_CHANGE = {N_DIE, N_HITS, N_HIT, N_FIGHT, N_TARGETS, N_CRITICAL_ZONE, N_ANY_ZONE}
"""After these units may have been neutralised or eliminated; elsewhere the deed itself tells what became of them."""


def narrate(game: UkrainianCrisis, before: State, action: int, after: State, reader: int) -> Iterator[Line]:
    """See `Game.narrate`."""
    return _Log(game, before, action, after, reader).lines()


def dice(game: UkrainianCrisis, before: State, action: int) -> Dice | None:
    """See `Game.dice`: of diplomatic attempts only the sum is recorded, of combat dice only how many hit."""
    if DIE <= action < TWO_DICE:
        return Dice(1, (action - DIE + 1,))
    if TWO_DICE <= action < DICE_SUM:
        return Dice(2, (lower_die(action), higher_die(action)))
    if DICE_SUM <= action < HITS:
        return Dice(int(game.rules.rank[before.stack[before.depth - 1, A]]), total=action - DICE_SUM)
    if HITS <= action < PLACE_CARDS:
        return Dice(dice_at_once(before), hits=action - HITS)
    return None


class _Log:
    """One action, told from the two views of a reader."""

    def __init__(self, game: UkrainianCrisis, before: State, action: int, after: State, reader: int) -> None:
        self.game = game
        self.before = before
        self.action = action
        self.after = after
        self.reader = reader
        self.side = int(before.mover)

    def lines(self) -> Iterator[Line]:
        yield self.deed()
        for change in self.changes():
            yield Line(change)
        if self.after.level != NOT_OVER and self.before.level == NOT_OVER:
            yield Line(ending(self.after))

    def changes(self) -> Iterator[Message]:
        node = int(self.before.node)
        if node == N_ROLL:
            yield from self.criticals()
        yield from prestige_changes(self.before, self.after)
        yield from box_changes(self.before, self.after)
        yield from zone_changes(self.game, self.before, self.after)
        if node in _UNITS_CHANGE:
            yield from unit_changes(self.game, self.before, self.after)

    def criticals(self) -> Iterator[Message]:
        in_segment = self.before.area == MILITARY and self.before.turn_type == COMBAT
        if self.action < TWO_DICE or (in_segment and self.game.rules.options[NO_CRITICAL_IN_SEGMENTS]):
            return
        if lower_die(self.action) == higher_die(self.action):
            yield Message("change.critical", {"event": the_critical(lower_die(self.action))})

    def frame(self, column: int) -> int:
        """A column of the task that was innermost before the action."""
        return int(self.before.stack[self.before.depth - 1, column])

    def line(self, key: str, side: int | None = None, card: str | None = None, **args: Argument) -> Line:
        """A line of the log; `side` did it."""
        who: dict[str, Argument] = {} if side is None else {"who": the_side(side)}
        return Line(Message(f"log.{key}", {**who, **args}), side, card)

    def deed(self) -> Line:
        return _DEEDS[int(self.before.node)](self)

    # Steps of the rules.

    def reshuffle(self) -> Line:
        return self.line("reshuffle")

    def ally_rp(self) -> Line:
        return self.line("ally_rp", n=int(self.after.ally_rp))

    def reveal(self) -> Line:
        area = DIPLOMATIC if self.frame(TASK) == T_CEASEFIRE else self.frame(A)
        return self.line("reveal", None, None, area=the_area(area), **self.both_cards(area))

    def both_cards(self, area: int) -> dict[str, Argument]:
        cards = [the_card(self.game, rank) for rank in self.after.matrix[:, area].tolist()]
        return dict(zip(self.game.sides, cards, strict=True))

    def compare(self) -> Line:
        points: dict[str, Argument] = {"ua": int(self.before.rp[UA]) + self.frame(D), "ru": int(self.before.rp[RU])}
        key = "ceasefire.fails" if self.after.turn_type == COMBAT else "ceasefire.holds"
        return self.line(key, None, None, **points)

    def turn_type(self) -> Line:
        if self.after.turn_type != COMBAT:
            return self.line("type.strategic", turn=int(self.after.turn))
        if self.after.matrix[UA, DIPLOMATIC] > EMPTY and not self.before.ceasefire:
            return self.line("type.combat_shown", None, None, turn=int(self.after.turn), **self.both_cards(DIPLOMATIC))
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
        event = self.action - DRAW_EVENT
        key = "draw_immediate" if EVENTS[event].immediate else "draw"
        return self.line(key, side, EVENTS[event].id, event=the_event(event))

    def deal_card(self) -> Line:
        side = int(self.before.drawer)
        if self.action < 0:
            return self.line("deal_hidden", side)
        return self.line("deal", side, card_name=the_card(self.game, self.action - DEAL_CARD + 1))

    def roll(self) -> Line:
        side = int(self.before.drawer)
        if self.action >= TWO_DICE:
            low, high = lower_die(self.action), higher_die(self.action)
            return self.line("roll_two", side, low=low, high=high, n=low + high)
        card = int(self.before.matrix[side, self.before.area])
        points = int(self.game.rules.results[int(self.game.rules.class_of[card - 1]), self.action - DIE])
        return self.line("roll", side, pips=self.action - DIE + 1, n=points)

    def die(self) -> Line:
        return self.line("die", pips=self.action - DIE + 1)

    def dice_sum(self) -> Line:
        rolled, paid = self.action - DICE_SUM, self.frame(C) + self.frame(D)
        country = the_country(self.frame(A))
        key = "attempt.succeeds" if rolled <= paid else "attempt.fails"
        return self.line(key, country=country, rolled=rolled, paid=paid)

    def hits(self) -> Line:
        return self.line("hits", int(self.before.drawer), n=self.action - HITS, dice=dice_at_once(self.before))

    def any_zone(self) -> Line:
        return self.line("any_zone", zone=self.zone(), event=the_critical(self.frame(A)))

    def zone(self) -> Argument:
        return the_zone(self.game, self.action - ZONE)

    # Decisions.

    def place(self) -> Line:
        side = self.secret_side()
        if self.action < 0:
            return self.line("place_hidden", side)
        cards = [the_card(self.game, placed_rank(self.action, area)) for area in range(N_AREAS)]
        names = dict(zip(("military", "diplomatic", "information"), cards, strict=True))
        return self.line("place", side, None, **names)

    def secret_side(self) -> int:
        """Who has answered where both do so at once: a reader who may not know the answer sees the other side act."""
        if self.action < 0:
            return 1 - self.reader if self.reader in (UA, RU) else int(self.before.mover)
        parts = self.game.action_parts(self.action)
        return self.game.sides.index(parts.side or "")

    def declare(self) -> Line:
        side = self.secret_side()
        if self.action < 0:
            return self.line("declare_hidden", side)
        return self.line("declare.combat" if (self.action - DECLARE) % 2 else "declare.strategic", side)

    def ceasefire(self) -> Line:
        return self.line("ceasefire.request" if self.action == REQUEST else "ceasefire.accept", self.side)

    def window(self) -> Line:
        if self.action == DONE:
            return self.line("pass", self.side)
        event = self.action - PLAY_EVENT
        return self.line("play", self.side, EVENTS[event].id, event=the_event(event))

    def order(self) -> Line:
        return self.line("order", self.side, area=the_area(self.action - AREA))

    def who_first(self) -> Line:
        return self.line("first", self.side, area=the_area(int(self.before.area)), first=the_side(self.action - FIRST))

    def military(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        if self.action < UNIT:
            return self.line("allies", self.side, n=self.action - ALLIES)
        stack = self.action - UNIT
        place = place_in(stack)
        key = {RESERVE: "mobilise", MOBILISATION: "picks"}.get(place, "relocate")
        return self.unit_line(key, stack)

    def unit_line(self, key: str, stack: int, **args: Argument) -> Line:
        place = the_place(self.game, place_in(stack))
        return self.line(key, self.side, None, unit=the_unit(self.game, stack), place=place, **args)

    def deploy_to(self) -> Line:
        return self.unit_line("deploy", self.frame(A), zone=self.zone())

    def diplomatic(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        if self.action < COUNTRY:
            return self.line("allies", self.side, n=self.action - ALLIES)
        country, direction = divmod(self.action - COUNTRY, 3)
        box = int(self.before.box[country]) + (1 if direction == UP else -1)
        return self.line("attempt.begins", self.side, None, country=the_country(country), box=the_box(box))

    def pay_rp(self) -> Line:
        return self.line("pay_rp", self.side, n=self.action - PAY_RP)

    def pay_prestige(self) -> Line:
        return self.line("pay_prestige", self.side, n=self.action - PAY_PRESTIGE)

    def information(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        return self.line(INFORMS[self.action - INFORM], self.side)

    def add_allies(self) -> Line:
        if self.action == DONE:
            return self.line("no_allies", self.side)
        return self.line("allies", self.side, n=self.action - ALLIES)

    def targets(self) -> Line:
        return self.line("done", self.side) if self.action == DONE else self.unit_line("target", self.action - UNIT)

    def operate(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        if self.action >= RECOVER:
            return self.unit_line("recover", 2 * (self.action - RECOVER))
        return self.unit_line("picks", self.action - UNIT)

    def move_to(self) -> Line:
        return self.unit_line("move", self.frame(A), zone=self.zone())

    def attack(self) -> Line:
        if self.action == DONE:
            return self.line("no_attack", self.side)
        return self.line("attack", self.side, zone=self.zone())

    def attackers(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        return self.unit_line("attacker", self.action - UNIT, number=self.frame(B) + 1)

    def defenders(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        return self.unit_line("defender", self.action - UNIT, number=self.frame(B) + 1)

    def fight(self) -> Line:
        group, combat = divmod(self.action - FIGHT, len(COMBATS))
        return self.line(f"fight.{COMBATS[combat]}", self.side, number=group + 1)

    def hit(self) -> Line:
        return self.unit_line("hit", self.action - UNIT)

    def event_zone(self) -> Line:
        return self.line("event_zone", self.side, event=the_event(self.frame(A)), zone=self.zone())

    def event_country(self) -> Line:
        country = the_country((self.action - COUNTRY) // 3)
        return self.line("event_country", self.side, event=the_event(self.frame(A)), country=country)

    def event_unit(self) -> Line:
        if self.action == DONE:
            return self.line("done", self.side)
        return self.unit_line("event_unit", self.action - UNIT, event=the_event(self.frame(A)))

    def critical_zone(self) -> Line:
        return self.line("critical_zone", self.side, event=the_critical(self.frame(A)), zone=self.zone())


_DEEDS = {
    N_RESHUFFLE: _Log.reshuffle,
    N_ALLY_RP: _Log.ally_rp,
    N_REVEAL: _Log.reveal,
    N_COMPARE: _Log.compare,
    N_TYPE: _Log.turn_type,
    N_CHECK: _Log.check,
    N_INCOME: _Log.income,
    N_DRAW_EVENT: _Log.draw_event,
    N_DEAL_CARD: _Log.deal_card,
    N_ROLL: _Log.roll,
    N_DIE: _Log.die,
    N_DICE_SUM: _Log.dice_sum,
    N_HITS: _Log.hits,
    N_ANY_ZONE: _Log.any_zone,
    N_PLACE: _Log.place,
    N_DECLARE: _Log.declare,
    N_CEASEFIRE: _Log.ceasefire,
    N_WINDOW: _Log.window,
    N_ORDER: _Log.order,
    N_WHO_FIRST: _Log.who_first,
    N_MILITARY: _Log.military,
    N_DEPLOY_TO: _Log.deploy_to,
    N_DIPLOMATIC: _Log.diplomatic,
    N_PAY_RP: _Log.pay_rp,
    N_PAY_PRESTIGE: _Log.pay_prestige,
    N_INFORMATION: _Log.information,
    N_ADD_ALLIES: _Log.add_allies,
    N_TARGETS: _Log.targets,
    N_OPERATE: _Log.operate,
    N_MOVE_TO: _Log.move_to,
    N_ATTACK: _Log.attack,
    N_ATTACKERS: _Log.attackers,
    N_DEFENDERS: _Log.defenders,
    N_FIGHT: _Log.fight,
    N_HIT: _Log.hit,
    N_EVENT_ZONE: _Log.event_zone,
    N_EVENT_COUNTRY: _Log.event_country,
    N_EVENT_UNIT: _Log.event_unit,
    N_CRITICAL_ZONE: _Log.critical_zone,
}
"""Who tells what happened at each node."""
