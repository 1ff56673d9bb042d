"""Texts of the groups of a battle, and the types of its combats (section 7)."""

from __future__ import annotations

from brinkmanship.engine.message import LogLine, Message
from brinkmanship.games.ukrainian_crisis.rules.action_numbers import Action
from brinkmanship.games.ukrainian_crisis.rules.data import COMBATS
from brinkmanship.games.ukrainian_crisis.rules.narration.log import Log
from brinkmanship.games.ukrainian_crisis.rules.odds import fight_odds
from brinkmanship.games.ukrainian_crisis.rules.phrases import frame_of, the_chance, the_stack, the_zone
from brinkmanship.games.ukrainian_crisis.rules.ruleset import UkrainianCrisisRuleset
from brinkmanship.games.ukrainian_crisis.rules.state import Node, State

NODES = (Node.ATTACKERS, Node.DEFENDERS, Node.FIGHT)


def prompt(game: UkrainianCrisisRuleset, view: State) -> Message:
    """Implement `StepTexts.prompt`."""
    if view.node == Node.FIGHT:
        return Message("ask.fight")
    key = "ask.attackers" if view.node == Node.ATTACKERS else "ask.defenders"
    frame = frame_of(view)
    return Message(key, {"zone": the_zone(game, int(frame.zone)), "number": int(frame.group) + 1})


def describe(game: UkrainianCrisisRuleset, view: State, side: int, action: int) -> Message:
    """Implement `DecisionTexts.describe`."""
    if action == Action.DONE:
        return Message("choose.group_complete")
    if view.node != Node.FIGHT:
        key = "choose.attacker" if view.node == Node.ATTACKERS else "choose.defender"
        return Message(key, the_stack(game, action - Action.UNIT))
    group, combat = divmod(action - Action.FIGHT, len(COMBATS))
    return Message(f"choose.fight.{COMBATS[combat]}", {"number": group + 1, "odds": _odds(game, view, side, group + 1)})


def _odds(game: UkrainianCrisisRuleset, view: State, side: int, group: int) -> Message:
    """Return the odds of a combat of the attacking side: the chances to hit, or without dice the hits themselves."""
    ours, theirs = fight_odds(game, view, side, group)
    if game.rules.options.no_randomness:
        return Message("fight.hits", {"hit": int(ours), "back": int(theirs)})
    return Message("fight.chances", {"hit": the_chance(ours), "back": the_chance(theirs)})


def narrate(log: Log) -> LogLine:
    """Implement `StepTexts.narrate`."""
    if log.action == Action.DONE:
        return log.done()
    if log.before.node == Node.FIGHT:
        group, combat = divmod(log.action - Action.FIGHT, len(COMBATS))
        return log.line(f"fight.{COMBATS[combat]}", log.side, number=group + 1)
    key = "attacker" if log.before.node == Node.ATTACKERS else "defender"
    return log.unit_line(key, log.action - Action.UNIT, number=int(log.frame.group) + 1)
