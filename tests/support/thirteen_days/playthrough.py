"""The play-through of the rulebook as actions of the engine.

`data/13-days-playthrough.toml` records decisions step by step; `playthrough_entries` writes them as the texts the
engine takes, so that a test replays them and a journal can be made of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from brinkmanship.games.cuban.data import AnyEffect, Choose, Command, Place, Relocate, Remove, Shift, TakeCard
from brinkmanship.games.thirteen_days.rules.loading import load

FILE = Path(__file__).parents[2] / "data" / "13-days-playthrough.toml"

Step = dict[str, Any]


class Entry(NamedTuple):
    """One action of the record."""

    actor: str
    """"us", "ussr", "chance" (a card is dealt or drawn) or "rules" (a step the rules take themselves)."""
    text: str
    """As the engine writes and reads it."""
    reaches: int | None
    """Index of the last step of the file that is reached with this action, None in the midst of a step."""


@cache
def playthrough() -> dict[str, Any]:
    """The file as it stands."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def playthrough_entries() -> list[Entry]:
    """Every action of the play-through, in order.

    Step 0 of the file is the set-up, reached before the first action. A step that asks nothing and changes nothing
    (a bonus that nobody gets) has no action: it is reached together with the step before it.
    """
    entries: list[Entry] = []
    letter = playthrough()["step"][0]["expect"]["letter"]
    for index, step in enumerate(playthrough()["step"]):
        if step["kind"] == "united_nations" and step["leader"] not in ("none", letter):
            entries.append(Entry("rules", "letter_moves", None))
        entries += (Entry(actor, text, None) for actor, text in _ACTIONS_OF[step["kind"]](step))
        if entries:
            entries[-1] = entries[-1]._replace(reaches=index)
        letter = step["expect"]["letter"]
    return entries


_Actions = Iterator[tuple[str, str]]


def _nothing(step: Step) -> _Actions:  # noqa: ARG001 - all steps take one
    yield from ()


def _by_the_rules(text: str) -> Callable[[Step], _Actions]:
    return lambda _step: iter([("rules", text)])


def _deal_agendas(step: Step) -> _Actions:
    for side in ("us", "ussr"):
        yield from (("chance", f"deal {agenda}") for agenda in step[side])


def _choose_agendas(step: Step) -> _Actions:
    yield "us", f"keep {step['us']}"
    yield "ussr", f"keep {step['ussr']}"


def _deal_strategy(step: Step) -> _Actions:
    for side in ("us", "ussr"):
        yield from (("chance", f"draw {card}") for card in step[side])


def _initiative(step: Step) -> _Actions:
    yield step["chooser"], f"first {step['first']}"


def _play(step: Step) -> _Actions:
    player, card = step["player"], step["card"]
    if step["mode"] == "event":
        yield player, f"event {card}"
        yield from _event(step, player)
        return
    yield player, f"command {card} letter" if step["letter"] else f"command {card}"
    if "trigger" in step:
        opponent = "ussr" if player == "us" else "us"
        yield opponent, "trigger" if step["trigger"] else "decline"
        if step["trigger"]:
            yield from _event(step, opponent)
    yield player, _command(step["command"])


def _event(step: Step, actor: str) -> _Actions:
    effects = next(card.effects for card in load().card if card.id == step["card"])
    for effect, decided in zip(effects, step["event"], strict=True):
        yield from _effect(effect, decided, actor)


def _effect(effect: AnyEffect, decided: Step, actor: str) -> _Actions:
    """The choices within one effect, as far as effects of the cards in the record need it."""
    # Fifty-Fifty is the one card of the leader on Television; in the record its player is the leader.
    chooser = getattr(effect, "by", "actor")
    chooser = chooser if chooser in ("us", "ussr") else actor
    match effect:
        case Choose():
            yield chooser, f"choose {decided['choose'] + 1}"
            for inner, choices in zip(effect.options[decided["choose"]].effects, decided["effects"], strict=True):
                yield from _effect(inner, choices, actor)
        case Place():
            yield from ((chooser, f"place {cubes} {place}") for place, cubes in decided["place"].items())
            if sum(decided["place"].values()) != effect.max:
                yield chooser, "done"
        case Remove():
            yield from ((chooser, f"remove {cubes} {place}") for place, cubes in decided["remove"].items())
        case Relocate():
            yield from ((chooser, f"remove {cubes} {place}") for place, cubes in decided["from"].items())
            yield from ((chooser, f"place {cubes} {place}") for place, cubes in decided["to"].items())
        case Shift():
            yield from ((chooser, f"shift {track} {steps:+d}") for track, steps in decided["shift"].items())
        case Command():
            yield chooser, _command(decided["command"])
        case TakeCard():
            yield "chance", f"take {decided['take']}"
            yield chooser, decided["then"]
            yield "chance", f"draw {decided['replacement']}"


def _command(command: Step) -> str:
    cubes = command["n"]
    if cubes == 0:
        return "done"
    return f"place {cubes} {command['bg']}" if cubes > 0 else f"remove {-cubes} {command['bg']}"


def _television(step: Step) -> _Actions:
    if step["leader"] != "none":
        yield step["leader"], f"shift {step['track']} {step['steps']:+d}" if step.get("steps") else "done"


def _alliances(step: Step) -> _Actions:
    if step["leader"] != "none":
        yield step["leader"], "draw"
        yield "chance", f"draw {step['draw']}"
        yield step["leader"], step["to"]


_ACTIONS_OF: dict[str, Callable[[Step], _Actions]] = {
    "setup": _nothing,
    "escalate_all": _by_the_rules("escalate"),
    "deal_agendas": _deal_agendas,
    "choose_agendas": _choose_agendas,
    "deal_strategy": _deal_strategy,
    "initiative": _initiative,
    "play": _play,
    "aftermath": _by_the_rules("save_cards"),
    "television": _television,
    "united_nations": _nothing,  # but see `playthrough_entries`
    "alliances": _alliances,
    "resolve_agendas": _by_the_rules("resolve_agendas"),
    "war_check": _by_the_rules("check_war"),
    "advance_round": _by_the_rules("advance"),
    "final": _by_the_rules("count_aftermath"),
}
