"""S12: texts of the Diplomatic area of a Strategic Turn (section 5.2)."""

from __future__ import annotations

from brinkmanship.engine.message import Argument, LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action, Direction
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.odds import payment
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_box, the_chance, the_country
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.DIPLOMATIC, Node.PAY_RP, Node.PAY_PRESTIGE, Node.DICE_SUM)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.DIPLOMATIC:
        return Message("ask.diplomatic", {"n": int(view.rp[view.mover])})
    frame = frame_of(view)
    country = int(frame.country)
    if view.node == Node.DICE_SUM:
        return Message("ask.dice_sum", {"n": int(game.rules.rank[country]), "country": the_country(country)})
    key = "ask.pay_rp" if view.node == Node.PAY_RP else "ask.pay_prestige"
    return Message(key, {"country": the_country(country), "box": the_box(int(frame.box)), "paid": int(frame.rp)})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if view.node != Node.DIPLOMATIC:
        return _payment(game, view, side, action)
    if action == Action.DONE:
        return Message("choose.done")
    if action < Action.COUNTRY:
        return Message("choose.allies", {"n": action - Action.ALLIES})
    country, box = _target(view, action)
    return Message(
        "choose.up" if box > view.box[country] else "choose.down",
        {"country": the_country(country), "box": the_box(box)},
    )


def _target(view: State, action: int) -> tuple[int, int]:
    """Return the country of an attempt and the box to which its marker is to move."""
    country, direction = divmod(action - Action.COUNTRY, 3)
    return country, int(view.box[country]) + (1 if direction == Direction.UP else -1)


def _payment(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Return a payment with its chance to succeed; for Resource Points with the Prestige that must be added."""
    paid = payment(game, view, side, action)
    amount: dict[str, Argument] = {"n": paid.points, "chance": the_chance(paid.chance)}
    if view.node == Node.PAY_PRESTIGE:
        return Message("choose.prestige", amount)
    if paid.still:
        return Message("choose.rp.with", amount | {"prestige": paid.still})
    return Message("choose.rp", amount)


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    frame = log.frame
    if log.before.node == Node.PAY_RP:
        return _attempt(log, "pays_rp", int(frame.country), int(frame.box), rp=log.action - Action.PAY_RP)
    if log.before.node == Node.PAY_PRESTIGE:
        points = log.action - Action.PAY_PRESTIGE
        return _attempt(log, "pays_both", int(frame.country), int(frame.box), rp=int(frame.rp), prestige=points)
    if log.before.node == Node.DICE_SUM:
        rolled, paid = log.action - Action.DICE_SUM, int(frame.rp) + int(frame.prestige)
        key = "attempt.succeeds" if rolled <= paid else "attempt.fails"
        return log.line(key, country=the_country(int(frame.country)), rolled=rolled, paid=paid)
    if log.action == Action.DONE:
        return log.done()
    if log.action < Action.COUNTRY:
        return log.line("allies", log.side, n=log.action - Action.ALLIES)
    return _attempt(log, "begins", *_target(log.before, log.action))


def _attempt(log: Log, key: str, country: int, box: int, **args: Argument) -> LogLine:
    return log.line(f"attempt.{key}", log.side, None, country=the_country(country), box=the_box(box), **args)
