"""Open records: any game can be entered, unseen steps agree with what is seen later, steps can be corrected."""

from __future__ import annotations

import random

import pytest

from brinkmanship.engine import journal
from brinkmanship.engine.entry import Entry
from brinkmanship.engine.errors import IllegalActionError, JournalError, MalformedActionError
from brinkmanship.engine.game import CHANCE
from brinkmanship.engine.match import Match
from brinkmanship.engine.open_record import (
    NOT_SEEN,
    ContradictionError,
    OpenRecord,
    RecordStep,
    resumed,
)
from brinkmanship.games.registry import BUILT_IN, load_game

LONG = 20
"""Seeds of the long run."""
SEEDS = [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, LONG))]


def played(game_id: str, seed: int) -> Match:
    """A finished game of random choices and random chance."""
    chance, match = random.Random(seed), Match(load_game(game_id))
    match.advance(chance.randrange)
    while not match.is_over:
        side = min(match.pending)
        match.push(chance.choice(match.legal(side)).action, side=side)
        match.advance(chance.randrange)
    return match


def steps_of(match: Match) -> list[Entry]:
    return [entry for entry in match.entries if not entry.by_rules]


def recorded(match: Match, viewer: int | None = None) -> OpenRecord:
    """The game entered as a side saw it (None: with all cards open); at last what the rules revealed."""
    record, truth = OpenRecord(match.game), [entry.action for entry in steps_of(match)]
    for entry in steps_of(match):
        if viewer is None or entry.is_known_to(viewer) or entry.actor != CHANCE:
            record.enter(entry.action)
        else:
            record.enter_unseen()
    while gap := next((one for one in record.unseen() if one.is_shown), None):
        seen, (at,) = {step.action for step in record.steps if step.is_seen}, gap.steps
        drawn = {step.action for step in record.steps if not step.is_seen}
        left = [truth[at], *(one for one in truth if one not in drawn)]
        record.reveal(at, next(one for one in left if one not in seen))
    return record


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_any_finished_game_can_be_entered_and_is_the_same_game(game_id: str, seed: int) -> None:
    match = played(game_id, seed)
    record = recorded(match)
    assert record.match.entries == match.entries
    assert record.match.state.tobytes() == match.state.tobytes()
    assert record.journal().text() == journal.of_match(match).text()
    assert record.is_over
    assert not record.rest


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_cards_of_the_other_side_may_stay_unseen_until_they_are_played(game_id: str, seed: int) -> None:
    match = played(game_id, seed)
    record = recorded(match, 0)
    pairs = list(zip(steps_of(match), record.steps, strict=True))
    assert all((entry.actor, entry.action) == step[:2] for entry, step in pairs if entry.is_known_to(0))
    assert all(entry.actor == step.actor for entry, step in pairs)
    assert match.game.view_of(record.match.state, 0).tobytes() == match.game.view_of(match.state, 0).tobytes()
    assert record.match.outcome() == match.outcome()


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_record_is_resumed_from_its_draft(game_id: str) -> None:
    record = recorded(played(game_id, 1), 0)
    again = resumed(journal.parse(record.draft({"us": "Anna"}).text()), record.game)
    assert again.steps == record.steps
    assert again.match.entries == record.match.entries


def test_a_hand_is_dealt_at_once_and_only_to_one_side() -> None:
    record = OpenRecord(load_game("13-days"))
    assert record.draws_in_a_row == 3  # the agendas of the first side
    for _ in range(6):
        record.enter(record.outcomes()[0].action)
    assert record.draws_in_a_row == 0
    for _ in range(2):
        record.enter(record.choices()[0].action)
    assert record.draws_in_a_row == 5
    assert record.may_be_unseen


def dealt(unseen: int = 5) -> OpenRecord:
    """13 Days after the first deal, in which this many cards of the USSR were not seen; the USSR plays first."""
    record = OpenRecord(load_game("13-days"))
    for _ in range(6):
        record.enter(record.outcomes()[0].action)
    for _ in range(2):
        record.enter(record.choices()[0].action)
    for number in range(10):
        if number >= 10 - unseen:
            record.enter_unseen()
        else:
            record.enter(record.outcomes()[0].action)
    record.enter("first ussr")
    return record


def test_unseen_cards_are_never_offered_nor_taken_from_what_chance_may_bring() -> None:
    record = dealt()
    assert record.side == 1
    assert not [one for one in record.choices() if record.game.action_parts(one.action).card]
    (gap,) = record.unseen()
    assert (gap.side, gap.kind, len(gap.steps), gap.is_shown) == (1, "draw", 5, False)
    assert len(gap.possible) == 39 - 5


def test_a_card_that_is_played_is_revealed_and_the_others_are_chosen_again() -> None:
    record = dealt()
    held = record.hidden_cards
    names = [record.game.action_parts(one.action).card for one in record.unseen()[0].possible]
    card = next(name for name in names if name not in held)
    record.enter(f"command {card}")
    assert card not in record.hidden_cards
    assert len(record.hidden_cards) == 4


def test_a_card_that_is_shown_is_revealed_before_it_is_played() -> None:
    record = dealt()
    gap = record.unseen()[0]
    shown = gap.possible[7]
    record.reveal(gap.steps[0], shown.action)
    card = record.game.action_parts(shown.action).card
    assert {record.game.action_parts(one.action).card for one in record.choices()} - {None} == {card}


def test_all_unseen_cards_are_chosen_differently_when_chance_brings_them_elsewhere() -> None:
    record = dealt(unseen=5).at(8)  # the first card of the US
    before = OpenRecord(record.game, record.steps)
    before.enter_unseen()
    guessed = before.game.action_text(before.steps[-1].action)
    before.enter(guessed)
    assert before.steps[-2].action != before.steps[-1].action
    assert [step.is_seen for step in before.steps[-2:]] == [False, True]


def test_a_secret_choice_must_be_known_once_the_rules_reveal_it() -> None:
    match = played("13-days", 0)
    record = OpenRecord(match.game)
    shown = False
    for entry in steps_of(match):
        if entry.actor == 1 and record.game.action_parts(entry.action).kind == "keep" and not shown:
            record.enter_unseen()
            right, at = entry.action, len(record.steps) - 1
        else:
            record.enter(entry.action)
        gaps = [one for one in record.unseen() if one.is_shown] if len(record.steps) > at_least else []
        if gaps and not shown:
            shown = True
            assert gaps[0].steps == (at,)
            assert right in [one.action for one in gaps[0].possible]
            record.reveal(at, right)
            assert record.unseen() == []
    assert shown
    assert record.match.entries == match.entries


at_least = 30
"""Steps before which no round of 13 Days ends, so that the test need not look."""


def test_a_corrected_step_keeps_the_later_ones_as_far_as_they_are_legal() -> None:
    match = played("13-days", 1)
    record = recorded(match)
    first = next(n for n, step in enumerate(record.steps) if match.game.action_text(step.action).startswith("first"))
    other = next(one for one in record.at(first).choices() if one.action != record.steps[first].action)
    changed = record.at(first)
    changed.enter(other.text)
    assert changed.steps[first].action == other.action
    assert changed.rest
    assert [*changed.steps, *changed.rest][first + 1 :] == list(record.steps[first + 1 :])
    back = changed.at(first)
    back.enter(record.steps[first].action)
    assert back.steps == record.steps
    assert back.rest == ()


def test_a_step_that_does_not_fit_can_be_replaced_removed_or_put_after_a_forgotten_one() -> None:
    match = played("13-minutes", 1)
    steps = [RecordStep(entry.actor, entry.action) for entry in steps_of(match)]
    forgot = OpenRecord(match.game, [*steps[:20], *steps[21:]])
    assert len(forgot.steps) >= 20
    kept = forgot.at(20).inserting() if len(forgot.steps) > 20 else forgot.inserting()
    kept.enter(steps[20].action)
    assert kept.match.entries == match.entries
    twice = OpenRecord(match.game, [*steps[:20], steps[19], *steps[20:]])
    if twice.rest:
        twice.skip()
        assert twice.match.entries == match.entries
    cut = OpenRecord(match.game, [*steps[:20], steps[0], *steps[20:]])
    cut.drop_rest()
    assert (len(cut.steps), cut.rest) == (20, ())
    cut.undo()
    assert len(cut.steps) == 19


def test_the_sides_of_a_secret_choice_may_be_listed_in_any_order() -> None:
    match = played("13-days", 1)
    steps = [RecordStep(entry.actor, entry.action) for entry in steps_of(match)]
    at = next(n for n, step in enumerate(steps) if step.actor != CHANCE)
    steps[at : at + 2] = reversed(steps[at : at + 2])
    record = OpenRecord(match.game, steps)
    assert record.match.entries == match.entries
    assert [(one.actor, one.action) for one in record.steps] == [(e.actor, e.action) for e in steps_of(match)]


def test_the_journal_marks_what_was_not_seen() -> None:
    record = dealt(unseen=2)
    entries = record.journal().entries
    marked = [entry for entry in entries if entry.comment == NOT_SEEN]
    assert [(entry.actor, entry.text.split()[0]) for entry in marked] == [("chance", "draw")] * 2
    assert journal.play(record.journal(), record.game).entries == record.match.entries


def test_wrong_input_changes_nothing() -> None:
    record = dealt(unseen=1)
    before = record.steps
    with pytest.raises(MalformedActionError):
        record.enter("drink tea")
    with pytest.raises(IllegalActionError):
        record.enter("first us")
    with pytest.raises(ContradictionError):
        record.enter_unseen()
    with pytest.raises(ContradictionError):
        record.reveal(0, record.steps[0].action)
    seen = next(step for step in before if record.game.action_parts(step.action).kind == "draw")
    with pytest.raises(ContradictionError):
        record.reveal(record.unseen()[0].steps[0], seen.action)
    with pytest.raises(IndexError):
        record.at(len(before))
    with pytest.raises(IllegalActionError):
        recorded(played("13-days", 1)).enter(0)
    with pytest.raises(JournalError):
        resumed(journal.Journal("13-days", 1, entries=[journal.JournalEntry("uncle", "pass")]), record.game)
    assert record.steps == before
