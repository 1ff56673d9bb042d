"""The player `rules` of Ukrainian Crisis: what it may know, what it never does, and that it says why."""

from __future__ import annotations

import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.observation import Observation
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.odds import overpays
from brinkmanship.games.ukrainian_crisis.rules.state import Node, Step
from brinkmanship.lab.matches.match import paired_match
from brinkmanship.players import Choice, Player, load_player
from brinkmanship.text import words_for
from brinkmanship.text.words import LANGUAGES
from support.computer_games import reached
from support.ukrainian_crisis.builders import SIDES, SMALL, Options, Position, game

RULESETS: tuple[Options, ...] = (
    {},
    {"scenario": "balanced"},
    {"ordinary_cards": True, "no_randomness": True},
    {"resource_selection": "random_draw", "rally_mode": "per_unit", "information_roll": "at_reveal"},
)


def rules(ruleset: UkrainianCrisis) -> Player:
    return load_player("rules", ruleset, 1)


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_it_judges_every_legal_action_never_overpays_and_its_policy_agrees(options: Options) -> None:
    ruleset = game(options)
    player = rules(ruleset)
    assert player.policy is not None
    for number, (view, side, _) in enumerate(reached(ruleset, player, 4, 2)):
        choice = player.fresh(number).choose(Observation.at(ruleset, view, side))
        assert sorted(c.action for c in choice.candidates) == sorted(ruleset.legal_actions(view, side))
        assert player.policy(ruleset.rules, view, side, generator(number)) == choice.action
        assert not overpays(ruleset, view, side, choice.action)


@pytest.mark.parametrize("options", RULESETS, ids=lambda options: " ".join(options) or "standard")
def test_it_cannot_tell_apart_what_its_side_cannot(options: Options) -> None:
    ruleset = game(options)
    player = rules(ruleset)
    for number, (view, side, _) in enumerate(reached(ruleset, player, 4, 4)):
        expected = player.fresh(number).choose(Observation.at(ruleset, view, side))
        other = ruleset.new_states(1)[0]
        ruleset.redeal(ruleset.rules, view, side, generator(number), other)
        again = Observation.at(ruleset, ruleset.view_of(other, side), side)
        assert player.fresh(number).choose(again) == expected


def test_it_gives_a_reason_in_every_language_for_all_it_does() -> None:
    said = set()
    spoken = [words_for(game(), language).with_domain("players") for language in LANGUAGES]
    for _, _, choice in reached(game(), rules(game()), 6, 3):
        assert choice.reason is not None
        if choice.reason.key not in said:
            said.add(choice.reason.key)
            sentences = {words.sentence(choice.reason) for words in spoken}
            assert len(sentences) == len(LANGUAGES)
            assert all(sentence.endswith(".") for sentence in sentences)
    assert len(said) >= 30


def chosen(p: Position, side: int) -> str:
    """What it chooses in a position, as text."""
    return p.game.action_text(choice(p, side).action)


def choice(p: Position, side: int) -> Choice:
    return rules(p.game).choose(Observation.at(p.game, p.game.view_of(p.state, side), side))


STRONG = {"DON": "{0}_ground {0}_ground {0}_ground", "KHA": "{0}_ground {0}_ground {0}_ground", "ODE": "{0}_ground"}


@pytest.mark.parametrize("side", [0, 1])
def test_it_never_asks_for_a_ceasefire_that_would_take_a_won_war_from_it(side: int) -> None:
    us, them = ("ua", "ru") if side == 0 else ("ru", "ua")
    units = {zone: stack.format(us) for zone, stack in STRONG.items()}
    p = Position(prestige=(10, 60) if side == 0 else (60, 10), units=units, turn=8)
    p.draw().place(SMALL, SMALL).play(f"{us}: declare strategic", f"{them}: declare combat")
    assert chosen(p, side) == "done"


@pytest.mark.parametrize("side", [0, 1])
def test_it_asks_for_a_ceasefire_where_a_war_would_lose_what_peace_has_won(side: int) -> None:
    us, them = ("ua", "ru") if side == 0 else ("ru", "ua")
    units = {zone: stack.format(them) for zone, stack in STRONG.items()}
    p = Position(prestige=(60, 10) if side == 0 else (10, 60), units=units, turn=8)
    p.draw().place(SMALL, SMALL).play(f"{us}: declare strategic", f"{them}: declare combat")
    assert chosen(p, side) == "ceasefire"


def test_it_gives_no_prestige_for_a_marker_in_the_last_turn() -> None:
    p = Position(turn=8)
    p.open_area("diplomatic").play("roll 6", "roll 6", "first ua")
    assert chosen(p, 0) == "done"


def test_it_does_not_attack_where_it_is_far_weaker() -> None:
    units = {"DON": "ru_ground ru_ground ua_militia"}
    assert chosen(Position(units=units, combat_turns=1).open_half("ua", 0), 0) == "done"


def test_economic_sanctions_wait_for_the_last_window_and_are_played_there() -> None:
    p = Position().draw(ua="economic_sanctions").place(SMALL, SMALL)
    p.play("ua: declare strategic", "ru: declare strategic", stop_at_windows=True)
    windows: list[str] = []
    while not p.event_is_discarded("economic_sanctions"):
        text = "done" if "done" in p.legal() else min(p.legal())
        if p.actor == 0 and p.state.node == Node.WINDOW:
            text = chosen(p, 0)
            windows.append(text)
        p.game.apply(p.rules, p.state, p.game.parse_action(text, p.actor))
    assert len(windows) > 2
    assert windows == ["done"] * (len(windows) - 1) + ["play economic_sanctions"]
    assert p.state.step == Step.FINAL_CHECK


def test_it_beats_greedy() -> None:
    ruleset = game()
    result = paired_match(ruleset, rules(ruleset), load_player("greedy", ruleset, 1), 60, seed=3)
    assert result.total.score > 0.55


@pytest.mark.parametrize(("holder", "expected"), [("ua", "play f_eu"), ("ru", "done")])
def test_a_marker_that_ukraine_brings_back_is_not_worth_six_prestige(holder: str, expected: str) -> None:
    """In Turn 1 "F**k EU" gives Ukraine 6 Prestige and takes Poland from her: Russia lost 6 to 7 games of 100 by it."""
    position = Position(turn=1).draw(**{"ua": "runaway_guns", "ru": "unit_not_ready", holder: "f_eu"})
    assert position.box("US") == "support"
    while SIDES[position.actor] != holder:
        passing = position.game.parse_action("done", position.actor)
        position.game.apply(position.rules, position.state, passing)
    assert "play f_eu" in position.legal()
    seen = Observation.at(position.game, position.game.view_of(position.state, position.actor), position.actor)
    assert position.game.action_text(rules(position.game).choose(seen).action) == expected
