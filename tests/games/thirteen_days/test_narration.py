"""What people read: questions, choices and log lines of whole games, for every viewer in four languages.

The log of one game stands in ``tests/golden/log_13_days.txt`` so that a reviewer reads it in a diff. After a change:

    PYTHONPATH=tests python tests/games/thirteen_days/test_narration.py
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import CHANCE, OVER
from brinkmanship.engine.message import ActionParts, Argument, LogLine, Message, Ref
from brinkmanship.games.thirteen_days.rules import action_numbers as act
from brinkmanship.games.thirteen_days.rules.action_numbers import Action
from brinkmanship.games.thirteen_days.rules.data import BATTLEGROUNDS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.narration import DECISION_STEPS, STEPS
from brinkmanship.games.thirteen_days.rules.state import (
    FIRST_DECISION,
    LAST_STEP_OF_RULES,
    REASONS,
    CardIs,
    Node,
    State,
)
from brinkmanship.games.thirteen_days.rules.tables import OPTION_VALUES, apply_options, build
from brinkmanship.text import LANGUAGES, Words, agendas_of, card_text_for, cards_of, words_for
from brinkmanship.text.words import load_catalogue
from support.thirteen_days.builders import Position, base, before_initiative, deal_agendas, new_game, the_game

GOLDEN = Path(__file__).parents[2] / "golden" / "log_13_days.txt"
GOLDEN_SEED = 38
VIEWERS = (0, 1, 2)
GAMES = 30
OTHER_WAYS = {name: values[1] for name, values in OPTION_VALUES.items()}
"""Every option at its other value."""


@cache
def spoken(language: str) -> Words:
    return words_for(the_game(), language)


def english(message: Message) -> str:
    return spoken("en").sentence(message)


# ---- games to tell of


class Moment:
    """A position in a random game and the action taken there."""

    def __init__(self, game: ThirteenDays, before: State, action: int, after: State) -> None:
        self.game = game
        self.before = before
        self.action = action
        self.after = after

    def known_action(self, viewer: int) -> int:
        return self.action if self.game.audience(self.game.rules, self.before, self.action) >> viewer & 1 else -1

    def lines(self, viewer: int, action: int | None = None) -> list[LogLine]:
        views = (self.game.view_of(self.before, viewer), self.game.view_of(self.after, viewer))
        return list(
            self.game.narrator.narrate(
                views[0], self.known_action(viewer) if action is None else action, views[1], viewer
            )
        )


def a_game(game: ThirteenDays, seed: int) -> Iterator[Moment]:
    """A random game of two sides that shun DEFCON 1, so that most games come to an end in the aftermath."""
    choice, chance = random.Random(seed), generator(seed)
    state = game.new_state()
    while (actor := game.actor(game.rules, state)) != OVER:
        before = game.copy(state)
        if actor == CHANCE:
            action = game.sample(game.rules, state, chance)
        else:
            pending = [side for side in (0, 1) if game.pending(game.rules, state) >> side & 1]
            side = choice.choice(pending)
            action = _cautious(game, state, side, choice)
        game.apply(game.rules, state, action)
        yield Moment(game, before, action, game.copy(state))


def _cautious(game: ThirteenDays, state: State, side: int, choice: random.Random) -> int:
    def danger(action: int) -> int:
        after = game.copy(state)
        game.apply(game.rules, after, action)
        return int(after.defcon[side].max()) * 2 + int(after.defcon[side].sum())

    return min(choice.choices(game.legal_actions(state, side), k=3), key=danger)


@cache
def games() -> tuple[tuple[Moment, ...], ...]:
    """Games by the default rules, and every third by all the other ways."""
    return tuple(tuple(a_game(the_game(OTHER_WAYS if seed % 3 == 2 else {}), seed)) for seed in range(GAMES))


def moments(count: int = GAMES) -> Iterator[Moment]:
    return chain.from_iterable(games()[:count])


def asked_sides(moment: Moment) -> list[int]:
    pending = moment.game.pending(moment.game.rules, moment.before)
    return [side for side in (0, 1) if pending >> side & 1]


def choices(moment: Moment) -> Iterator[Message]:
    for side in asked_sides(moment):
        view = moment.game.view_of(moment.before, side)
        for action in moment.game.legal_actions(moment.before, side):
            yield moment.game.narrator.describe(view, side, action)


@cache
def everything_said() -> tuple[Message, ...]:
    """Every prompt, choice and log line of the games, each once."""
    found: dict[str, Message] = {}
    for moment in moments():
        for viewer in VIEWERS:
            for state in (moment.before, moment.after):
                message = moment.game.narrator.prompt(moment.game.view_of(state, viewer), viewer)
                found.setdefault(repr(message), message)
            for line in moment.lines(viewer):
                found.setdefault(repr(line.message), line.message)
        for message in choices(moment):
            found.setdefault(repr(message), message)
    return tuple(found.values())


# ---- the words are there, and complete


def test_every_node_is_of_one_step_and_has_a_question_unless_the_rules_take_it() -> None:
    assert sorted(node for step in STEPS for node in step.NODES) == sorted(set(Node) - {Node.OVER})
    asked = {node for step in DECISION_STEPS for node in step.NODES}
    assert asked - {Node.UNITED_NATIONS} == {node for node in Node if LAST_STEP_OF_RULES < node < Node.OVER}


def test_the_games_reach_every_question_and_every_ending() -> None:
    nodes = {int(moment.before.node) for moment in moments()}
    assert set(range(FIRST_DECISION)) | set(range(FIRST_DECISION, Node.OVER)) == nodes
    assert {REASONS[game[-1].after.reason] for game in games()} >= {"prestige", "nuclear_war", "mutual_nuclear_war"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_said_can_be_read(language: str) -> None:
    for message in everything_said():
        said = spoken(language).sentence(message)
        assert said, message
        assert not re.search(r"[{}|_\x1f]|  |\s[,.:;)]|\(\s|\.\.|None|- ", said), said
        assert said[0].isupper() or not said[0].isalpha(), said
        assert not said.endswith((".", " ", ":")), said


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_lines_fit_into_76_columns(language: str) -> None:
    lengths = [len(spoken(language).sentence(line.message)) for moment in moments(9) for line in moment.lines(0)]
    assert sum(length > 76 for length in lengths) < len(lengths) / 25
    assert max(lengths) < 170


NOT_IN_THESE_GAMES = {
    "choice.card",  # chance is not asked
    "choice.deal",
    "choice.place_of",  # no card lets a side place the other's cubes
    "log.cubes.place_of",
    "log.aftermath.none",  # seldom
    "log.end.personal_letter",
}


def test_no_text_about_the_game_has_been_forgotten() -> None:
    said = {message.key for outer in everything_said() for message in _inside(outer)}
    known = {key.partition("\x04")[0] for key in _keys() if re.match(r"(ask|choice|log|change|wait)\b[^|]*$", key)}
    assert known - said == NOT_IN_THESE_GAMES - said


def _keys() -> Iterator[str]:
    for key in load_catalogue("13-days", "en")._catalog:  # type: ignore[attr-defined]
        yield key if isinstance(key, str) else key[0]


def _inside(message: Message) -> Iterator[Message]:
    yield message
    for value in message.args.values():
        for inner in value if isinstance(value, tuple) and not isinstance(value, Message | Ref) else (value,):
            if isinstance(inner, Message):
                yield from _inside(inner)


# ---- nothing hidden is told


def test_nobody_reads_of_a_card_that_is_hidden_from_the_reader() -> None:
    for moment in moments(9):
        for viewer in VIEWERS:
            view, later = moment.game.view_of(moment.before, viewer), moment.game.view_of(moment.after, viewer)
            lines = moment.lines(viewer)
            messages = [line.message for line in lines] + [moment.game.narrator.prompt(view, viewer)]
            named = {card for message in messages for card in _cards_in(message)}
            named |= {line.card for line in lines if line.card}
            for card in (moment.game.data.card_index(name) for name in named):
                assert CardIs.UNKNOWN not in (view.card[card], later.card[card]) or view.card[card] != later.card[card]


def _cards_in(value: Argument) -> Iterator[str]:
    if isinstance(value, Message):
        for inner in value.args.values():
            yield from _cards_in(inner)
    elif isinstance(value, Ref):
        if value.kind == "card":
            yield value.id
    elif isinstance(value, tuple):
        for inner in value:
            yield from _cards_in(inner)


def test_a_line_is_the_same_whether_or_not_its_reader_is_given_a_hidden_action() -> None:
    for moment in moments(9):
        for viewer in VIEWERS:
            if moment.known_action(viewer) == -1:
                assert moment.lines(viewer, moment.action) == moment.lines(viewer, -1)


def test_what_is_said_does_not_depend_on_what_is_hidden() -> None:
    for number, moment in enumerate(moments(12)):
        game, viewer = moment.game, number % 3
        view = game.view_of(moment.before, viewer)
        other = game.new_state()
        game.redeal(game.rules, view, viewer, generator(7, number), other)
        again = game.view_of(other, viewer)
        assert game.narrator.prompt(again, viewer) == game.narrator.prompt(view, viewer)
        if viewer in asked_sides(moment):
            for action in game.legal_actions(moment.before, viewer):
                assert game.narrator.describe(again, viewer, action) == game.narrator.describe(view, viewer, action)
        if viewer < CHANCE and moment.before.mover == viewer and moment.before.node != Node.AGENDA:
            after = game.copy(other)
            game.apply(game.rules, after, moment.action)
            assert Moment(game, other, moment.action, after).lines(viewer) == moment.lines(viewer)


def test_an_onlooker_is_never_told_who_still_has_to_choose_an_agenda() -> None:
    position = deal_agendas(new_game().play("escalate"))
    for side, wait in (("us", "ussr"), ("ussr", "us")):
        chosen = position.copy()
        before = chosen.game.copy(chosen.state)
        action = chosen.game.parse_action(f"keep {'italy' if side == 'us' else 'atlantic'}", 0 if side == "us" else 1)
        chosen.game.apply(chosen.game.rules, chosen.state, action)
        moment = Moment(chosen.game, before, action, chosen.state)
        assert [len(moment.lines(viewer)) for viewer in VIEWERS] == [side == "us", side == "ussr", 0]
        assert prompt(chosen, 2) == "Both sides choose their agendas in secret"
        assert prompt(chosen, 0 if wait == "us" else 1) == "Choose your agenda for round 1 in secret"


# ---- single questions, choices and lines


def prompt(position: Position, viewer: int) -> str:
    return english(position.game.narrator.prompt(position.game.view_of(position.state, viewer), viewer))


def choice_texts(position: Position) -> dict[str, str]:
    side = int(position.state.mover)
    view = position.game.view_of(position.state, side)
    legal = position.game.legal_actions(position.state, side)
    return {
        position.game.action_text(action): english(position.game.narrator.describe(view, side, action))
        for action in legal
    }


def told(position: Position, text: str, viewer: int = 0) -> list[str]:
    """Play an action and read its log lines."""
    before = position.game.copy(position.state)
    action = position.game.parse_action(text, int(position.state.mover))
    position.act(text)
    return [english(line.message) for line in Moment(position.game, before, action, position.state).lines(viewer)]


def test_a_command_tells_its_value_and_what_it_does_to_the_marker() -> None:
    b = base().hand_over("us", "fidel_castro")
    assert choice_texts(b)["command fidel_castro"] == "Play Fidel Castro as a Command (3)"
    assert (
        choice_texts(b)["command fidel_castro letter"] == "Play Fidel Castro as a Command with the Personal Letter (4)"
    )
    assert told(b, "command fidel_castro letter") == [
        "The US plays Fidel Castro as a Command with the Personal Letter (4)"
    ]
    assert prompt(b, 1) == "The US plays your card Fidel Castro as a Command (4): trigger its Event?"
    assert prompt(b, 0) == "Waiting for the USSR to decide on the Event of Fidel Castro"
    assert told(b, "decline") == ["The USSR declines the Event"]
    assert prompt(b, 0) == "Fidel Castro: carry out its Command of up to 4 cubes on one battleground"
    assert choice_texts(b)["place 3 berlin"] == "Place 3 cubes in Berlin (US military: 2 → 4, DEFCON 2)"
    assert choice_texts(b)["done"] == "No Command"
    assert told(b, "place 3 berlin") == [
        "The US places 3 cubes in Berlin: 0 → 3",
        "US military: 2 → 4, DEFCON 2",
        "The Personal Letter goes to the USSR",
    ]


def test_an_event_without_effect_says_so() -> None:
    b = base().hand_over("us", "fifty_fifty")
    assert told(b, "event fifty_fifty") == ["The US plays Fifty-Fifty as an Event", "Nothing changes"]


def test_what_happens_by_itself_is_foreseen_in_the_choice() -> None:
    b = base().hand_over("us", "u_thant", "suez_hungary")
    assert (
        choice_texts(b)["event u_thant"] == "Play U Thant as an Event "
        "(US military: 2 → 1, US political: 3 → 2 and US world opinion: 2 → 1)"
    )
    b.play("command suez_hungary")
    assert choice_texts(b)["trigger"] == "Trigger the Event (USSR cubes in Italy: 0 → 2)"


def test_alternatives_are_the_sentences_of_the_card() -> None:
    b = base(alliances="2-0", to_play="ussr").play("event bay_of_pigs")
    assert choice_texts(b) == {
        "choose 1": "Remove 2 US cubes from Alliances",
        "choose 2": "Until the end of the round, Events of cards played by the US do not move US markers down",
    }
    assert told(b, "choose 1") == [
        "The US chooses: “Remove 2 US cubes from Alliances”",
        "US cubes in Alliances: 2 → 0",
    ]


def test_a_question_about_several_battlegrounds_says_that_the_number_is_their_sum() -> None:
    spread = base().play("event close_allies")
    assert prompt(spread, 0) == "Close Allies: place up to 2 US cubes in total on the political battlegrounds"
    assert prompt(spread.play("place 1 italy"), 0) == "Close Allies: you may still place 1 US cube"


def test_done_says_of_what() -> None:
    b = base().play("event nuclear_submarines")
    assert choice_texts(b)["done"] == "Place nothing"
    b.play("place 1 berlin")
    assert prompt(b, 0) == "Nuclear Submarines: you may still place 1 US cube"
    assert choice_texts(b)["done"] == "Place nothing more"


def test_the_first_player_is_chosen_with_the_reason() -> None:
    assert prompt(before_initiative(), 1) == "Prestige is tied, so the USSR decides: choose who plays first"
    behind = before_initiative(prestige=-1)
    assert prompt(behind, 0) == "You are behind on Prestige: choose who plays first"
    assert list(choice_texts(behind).values()) == ["Play first yourself", "Let the USSR play first"]


def test_agendas_are_offered_with_their_present_worth() -> None:
    position = deal_agendas(new_game().play("escalate"))
    assert list(choice_texts(position).values()) == [
        "World opinion track – now no Prestige",
        "Turkey – now US +2 Prestige",
        "Italy – now US +2 Prestige",
    ]


def test_scoring_tells_who_leads_by_how_much() -> None:
    position = deal_agendas(new_game().play("escalate"))
    position.play("us: keep italy", "ussr: keep personal_letter").set(italy="4-1")
    before = position.game.copy(position.state)
    before.node, before.mover = act.RULES_STEPS.index("resolve_agendas"), CHANCE
    after = position.game.copy(before)
    position.game.apply(position.game.rules, after, before.node)
    for viewer in VIEWERS:  # the flags tell the onlooker whose agenda is whose
        lines = Moment(position.game, before, int(before.node), after).lines(viewer)
        assert [english(line.message) for line in lines] == [
            "US agenda: Italy – the US leads by 3, +4 Prestige",
            "USSR agenda: Personal Letter. Held by the US, Prestige +2",
            "Prestige: 0 → US +5",
        ]


def test_an_onlooker_who_cannot_tell_whose_agenda_it_was_is_not_told() -> None:
    position = new_game().play("escalate")
    for side in ("us", "ussr"):
        position.play("deal military_track", "deal political_track", f"deal {'italy' if side == 'us' else 'berlin'}")
    position.play("us: keep military_track", "ussr: keep political_track")
    before = position.game.copy(position.state)
    before.node, before.mover = act.RULES_STEPS.index("resolve_agendas"), CHANCE
    after = position.game.copy(before)
    position.game.apply(position.game.rules, after, before.node)
    moment = Moment(position.game, before, int(before.node), after)
    assert english(moment.lines(1)[0].message).startswith("US agenda: military track")
    assert english(moment.lines(2)[0].message).startswith("Agenda: military track")


# ---- parts of actions


def test_the_parts_of_an_action_name_all_of_it() -> None:
    game = the_game()
    assert game.action_parts(game.parse_action("command scramble letter", 0)) == ActionParts(
        "command_letter", card="scramble"
    )
    assert game.action_parts(game.parse_action("place 2 berlin", 0)) == ActionParts("place", place="berlin", count=2)
    assert game.action_parts(game.parse_action("shift military -1", 0)) == ActionParts(
        "shift", track="military", count=-1
    )
    assert game.action_parts(game.parse_action("keep turkey", 1)) == ActionParts("keep", agenda="turkey", side="ussr")
    assert game.action_parts(game.parse_action("draw", 0)).kind == "draw_top"
    actions = [action for action in game.action_texts if action >= Action.DEAL_AGENDA]
    parts = [game.action_parts(action) for action in actions]
    assert len(parts) - len(set(parts)) == 0
    assert {part.place for part in parts if part.place} == set(BATTLEGROUNDS)


# ---- generic words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_agenda_can_be_listed(language: str) -> None:
    game, words = the_game(), spoken(language)
    cards = cards_of(game, words)
    assert [card.id for card in cards] == [card.id for card in game.data.card]
    assert all(card.name and card.text and card.notes and card.side_name for card in cards)
    assert all(agenda.name and agenda.text for agenda in agendas_of(game, words))


@pytest.mark.parametrize(
    ("option", "value", "card", "before", "after"),
    [
        ("moscow_filter", "has_no_cubes", "moscow_is_our_brain", "with USSR cubes", "with no USSR cubes"),
        ("command_onto", "place_or_remove", "national_liberation", "(placing only)", "battleground."),
        ("bay_of_pigs_short", "as_many_as_possible", "bay_of_pigs", "Only if", "• Remove 2 US cubes"),
    ],
)
def test_a_card_reads_as_the_options_make_it(option: str, value: str, card: str, before: str, after: str) -> None:
    plain, changed = (the_game(options) for options in ({}, {option: value}))
    assert before in card_text_for(plain, card, words_for(plain, "en")).text
    text = card_text_for(changed, card, words_for(changed, "en")).text
    assert after in text
    assert before not in text


def test_the_options_are_applied_to_the_data_once() -> None:
    game = the_game(OTHER_WAYS)
    assert apply_options(game.data, game.options) == game.data
    assert np.array_equal(build(game.data, game.options).tobytes(), build(the_game().data, game.options).tobytes())


# ---- one game to read


def whole_log() -> str:
    """The log of a game as the US reads it, in every language."""
    blocks = []
    for language in LANGUAGES:
        lines = [f"==== {language}"]
        for moment in a_game(the_game(), GOLDEN_SEED):
            for line in moment.lines(0):
                indent = "    " if line.message.key.startswith("change.") else ""
                lines.append(indent + spoken(language).sentence(line.message))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def test_the_log_of_a_game_reads_as_it_did() -> None:
    assert whole_log() == GOLDEN.read_text("utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(whole_log(), "utf-8")
