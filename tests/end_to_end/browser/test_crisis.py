"""A game of Ukrainian Crisis clicked in a browser: cards chosen area by area, zones told, several units at once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest

from brinkmanship.engine.game import CHANCE, FULL_INFORMATION
from brinkmanship.engine.match import Match, dealer
from brinkmanship.engine.perspective import Perspective
from brinkmanship.games.registry import load_game
from brinkmanship.games.ukrainian_crisis.rules.state import Node
from brinkmanship.text import words_for
from brinkmanship.web.presentation.action_previews import previews_of
from brinkmanship.web.presentation.choice_groups import choices_of
from brinkmanship.web.presentation.multi_select import Selection, selections_of
from brinkmanship.web.presentation.page_words import page_words
from brinkmanship.web.presentation.repeat_action import repeatable
from brinkmanship.web.presentation.replay import ReplayCache, ReplaySource, rounds_of
from brinkmanship.web.tables.live_table import LiveTable
from support.browsing import (
    CHOICES,
    DO,
    PHONE,
    Person,
    Visit,
    act,
    confirm,
    live,
    picture,
    set_up,
    version,
    view,
    wait_for_change,
    way_to,
)
from support.serving import Server

STEPS = "#choices [data-steps]"


def begin(visit: Visit, server: Server, side: int, **options: Any) -> Any:
    """A table against the computer, which the page then shows."""
    page = visit("/account", **options)
    token = re.search(r'<meta name="csrf" content="(\w*)"', page.content())
    assert token
    fields = {"csrf": token[1], "name": "Anna", "game": "ukrainian-crisis", "mode": "computer", "side": str(side)}
    answer = page.context.request.post(f"{server.url}/tables", form={**fields, "player": "random"})
    assert answer.ok, answer.text()
    page.context.add_cookies([{"name": "language", "value": options.get("locale", "en")[:2], "url": server.url}])
    page.goto(answer.url)
    page.wait_for_selector("#state")
    return page


def choose(page: Any, dice: random.Random) -> None:
    """Answer the question of the moment, whatever it is."""
    if not page.locator(STEPS).count():
        act(page, dice.randrange(1000))
        return
    before = view(page)
    for row in page.locator(f"{STEPS} fieldset").all():
        possible = row.locator("input:not([disabled])")
        possible.nth(dice.randrange(possible.count())).check()
    confirm(page)
    wait_for_change(page, before)


@pytest.mark.parametrize(
    ("side", "seed", "locale"), [pytest.param(0, 1, "en-GB", marks=pytest.mark.long), (1, 2, "pl-PL")]
)
def test_a_whole_game_of_ukrainian_crisis_is_clicked_to_its_end(
    visit: Visit, server: Server, side: int, seed: int, locale: str
) -> None:
    page = begin(visit, server, side, reduced_motion="reduce", locale=locale)
    dice = random.Random(seed)
    for number in range(400):
        page.wait_for_selector(f"{CHOICES}, {STEPS}, .ending")
        if page.locator(".ending").count():
            break
        if number % 20 == 0:
            picture(page, f"crisis-{locale}-{number}")
        choose(page, dice)
    assert page.locator(".ending").count()
    picture(page, f"crisis-{locale}-end")
    assert live(server, page).match.is_over
    page.goto(page.url.split("?")[0] + "/finished")
    assert page.locator("svg.course").count()


def test_the_cards_of_a_turn_are_chosen_area_by_area(visit: Visit, server: Server) -> None:
    page = begin(visit, server, 0, **PHONE)
    page.wait_for_selector(f"{CHOICES}, {STEPS}", state="attached")
    while not page.locator(STEPS).count():  # an Event Card may be asked about first
        act(page, 0)
        page.wait_for_selector(f"{CHOICES}, {STEPS}", state="attached")
    picture(page, "crisis-phone")
    titles = page.locator(f"{STEPS} legend").all_inner_texts()
    assert titles == ["Military", "Diplomatic", "Information"]
    assert not page.locator(f"{STEPS} input:checked").count()
    for row, card in enumerate(("maximum", "small", "medium")):
        assert page.locator("#do").is_disabled()
        page.locator(f"{STEPS} fieldset").nth(row).locator(f"input[value={card}]").check()
    confirm(page)
    page.wait_for_selector(f"{CHOICES}, .thinking", state="attached")
    assert live(server, page).match.state.matrix[0].tolist() == [3, 1, 2]


def test_a_tap_tells_what_stands_in_a_zone(visit: Visit, server: Server) -> None:
    page = begin(visit, server, 1, **PHONE)
    page.locator(".rows [data-row$='-DON']").first.tap()
    page.wait_for_selector("#card-view .tell")
    assert "Donetsk" in page.locator("#card-view .tell").inner_text()
    page.keyboard.press("Escape")
    page.locator("#tab-board").tap()
    page.locator("#zone-DON").tap()
    page.wait_for_selector("#card-view .tell")
    assert "Donetsk" in page.locator("#card-view .tell").inner_text()
    picture(page, "crisis-zone-phone", whole=False)
    page.keyboard.press("Escape")
    assert page.locator("#card-view").is_hidden()


def test_a_zone_tells_what_stands_there_where_one_points_and_is_chosen_by_the_click(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", reduced_motion="reduce")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_unit_is_on_its_way, 600, "ukrainian-crisis"))
    (side,) = table.match.pending
    page = anna.look(f"/t/{table.id}?seat={side}")
    told, lines = page.locator("#card-view"), page.locator("#card-view .tell li")
    full = page.locator("#board .zone-things:not(.can)[data-tell*='Combat Value']").first
    full.hover()
    lines.first.wait_for()
    assert lines.all_text_contents() == (full.get_attribute("data-tell") or "").split("\n")
    assert not overlap(page, "#card-view", f"#board [data-place={full.get_attribute('data-place')}]")
    assert not overlap(page, "#card-view", "#dock")
    picture(page, "crisis-zone-hover", whole=False)
    page.mouse.move(0, 0)
    assert told.is_hidden()

    full.click()  # stays until the next one
    page.mouse.move(0, 0)
    assert told.is_visible()
    page.keyboard.press("Escape")
    assert told.is_hidden()

    page.locator("#board [data-place][tabindex]").first.focus()
    page.keyboard.press("Tab")
    reached = page.evaluate("document.activeElement.dataset.tell")
    lines.first.wait_for()
    assert lines.all_text_contents() == reached.split("\n")
    page.locator("#prompt").focus()
    assert told.is_hidden()

    goal = page.locator("#board .zone-things.can").first
    goal.hover()
    lines.first.wait_for()
    goal.click()
    assert told.is_hidden()
    assert page.locator(f"#choices .chosen[data-place={goal.get_attribute('data-place')}]").count() == 1
    context.close()


def overlap(page: Any, one: str, others: str) -> bool:
    """Whether something lies over one of others."""
    a = page.locator(one).bounding_box()
    boxes = [other.bounding_box() for other in page.locator(others).all()]
    return any(
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
        for b in boxes
        if b
    )


def test_several_units_are_mobilised_with_two_clicks(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = way_to(_may_repeat_its_last_action_twice, 400, "ukrainian-crisis")
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", reduced_motion="reduce")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way)
    (side,) = table.match.pending
    count = len(table.records)
    page = anna.look(f"/t/{table.id}?seat={side}")
    before = view(page)
    page.locator("#again button[value='2']").click()
    confirm(page)
    wait_for_change(page, before)
    done = [record.value for record in table.records[count:] if record.actor == side]
    length = len(done) // 2
    last = [action for decider, action in way.decisions if decider == side][-length:]
    assert done == last * 2
    picture(page, "crisis-again")
    context.close()


def _may_repeat_its_last_action_twice(match: Match) -> bool:
    if len(match.pending) != 1:
        return False
    (side,) = match.pending
    again = repeatable(Perspective(match, side), words_for(match.game, "en"))
    return again is not None and again.times > 1


# ---- Motion


def _a_roll_follows(match: Match) -> bool:
    """One side is asked for something else than cards, and the first that it may do is followed by a resource roll."""
    if len(match.pending) != 1 or match.game.action_parts(match.legal()[0].action).steps:
        return False
    after = match.copy()
    after.push(match.legal()[0].action)
    return after.actor == CHANCE and int(after.state.node) == Node.ROLL


def at_the_roll(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
    """A page on which dice have just been thrown, at a moment at which they still roll; its clock stands still."""
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "pl-PL", **options})
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_roll_follows, 400, "ukrainian-crisis"))
    (side,) = table.match.pending
    context.add_cookies([{"name": "language", "value": "pl", "url": server.url}])
    anna.page.clock.install()
    page = anna.look(f"/t/{table.id}?seat={side}")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    before = view(page)
    page.locator(f"{CHOICES}[value='{table.match.legal(side)[0].action}']").click()
    confirm(page)
    wait_for_change(page, before)
    return page


def faces(page: Any, where: str) -> list[str]:
    """What dice show."""
    return [
        str(face)
        for face in page.eval_on_selector_all(f"{where} .a-die", "all => all.map(d => d.getAttribute('href'))")
    ]


def test_dice_roll_to_what_was_recorded_and_a_key_skips_it(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = at_the_roll(chromium, server, monkeypatch)
    fallen = faces(page, "#throws")
    assert fallen
    assert page.locator("#tray .turning").count() == len(fallen)
    assert page.locator("#tray .came-to").first.is_hidden()  # nobody reads the end before it has come
    assert not overlap(page, "#tray", "#board, #dock, .cards")
    picture(page, "crisis-dice-rolling", whole=False)
    page.keyboard.press("Escape")
    assert faces(page, "#tray") == fallen == faces(page, "#throws")
    assert page.locator("#tray .turning").count() == 0
    number = page.locator("#tray text.came-to").last.text_content()
    match = live(server, page).match
    roll = [entry for entry in match.entries if entry.text.startswith("roll")][-1]
    assert number == f"= {sum(map(int, roll.text.split()[1:]))}"
    picture(page, "crisis-dice", whole=False)
    page.keyboard.press("Escape")
    assert page.locator("#tray").is_hidden()
    page.context.close()


def test_dice_come_to_rest_by_themselves_and_go(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    page = at_the_roll(chromium, server, monkeypatch, **PHONE)
    assert not overlap(page, "#tray", "#dock")
    picture(page, "crisis-dice-phone", whole=False)
    page.clock.run_for(2000)
    assert faces(page, "#tray") == faces(page, "#throws")
    assert page.locator("#tray .turning").count() == 0
    page.clock.run_for(3000)
    assert page.locator("#tray").is_hidden()
    page.context.close()


def test_where_motion_is_not_wanted_dice_are_told_and_not_shown_rolling(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = at_the_roll(chromium, server, monkeypatch, reduced_motion="reduce")
    assert faces(page, "#throws")
    assert page.locator("#tray").is_hidden()
    told = page.locator("#throws p.came-to").all_text_contents()
    heard = page.locator("#live").inner_text()
    assert told
    assert all(heard.count(one) == 1 for one in told)
    page.context.close()


def _a_unit_is_on_its_way(match: Match) -> bool:
    return len(match.pending) == 1 and int(match.state.node) == Node.MOVE_TO


def test_a_unit_slides_to_the_zone_it_moves_to(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en-GB")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_a_unit_is_on_its_way, 600, "ukrainian-crisis"))
    (side,) = table.match.pending
    page = anna.look(f"/t/{table.id}?seat={side}")
    page.evaluate(
        "new MutationObserver(all => { for (const one of all) for (const node of one.addedNodes)"
        " if (node.classList?.contains('traveller')) window.travelled = node.outerHTML; })"
        ".observe(document, { childList: true, subtree: true })"
    )
    page.locator("#tab-board").click()
    before = table.game.public_state(table.match.state)["units"]
    act(page, 0)
    after = table.game.public_state(table.match.state)["units"]
    assert before != after
    assert "counter" in page.evaluate("window.travelled ?? ''")
    page.wait_for_selector(".traveller", state="detached")
    context.close()


# ---- Several pieces at once


def _picks(match: Match) -> dict[int, Selection]:
    if len(match.pending) != 1:
        return {}
    (side,) = match.pending
    return selections_of(match.game, side, previews_of(match.game, match.view(side), match.legal()))


def _two_sorts_may_go_to_one_zone(match: Match) -> bool:
    sorts = [pick for pick in _picks(match).values() if pick.goals]
    return len(sorts) > 1 and bool(set(sorts[0].goals) & set(sorts[1].goals)) and int(match.state.rp.max()) > 2


class Sending(NamedTuple):
    """A page on which two sorts of units may be sent to one zone."""

    page: Any
    table: LiveTable
    side: int
    actions: list[int]
    """The choices of the two sorts."""
    goal: int


@pytest.fixture
def sending(chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sending]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.add_cookies([{"name": "language", "value": "pl", "url": server.url}])
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_two_sorts_may_go_to_one_zone, 600, "ukrainian-crisis"))
    (side,) = table.match.pending
    picks = {action: pick for action, pick in _picks(table.match).items() if pick.goals}
    actions = list(picks)[:2]
    goal = next(goal for goal in picks[actions[0]].goals if goal in picks[actions[1]].goals)
    yield Sending(anna.look(f"/t/{table.id}?seat={side}"), table, side, actions, goal)
    context.close()


def sent(table: LiveTable, since: int) -> list[int]:
    """The decisions taken since there were so many records."""
    return [record.value for record in table.records[since:]]


def tick_one_of_each(sending: Sending) -> None:
    page = sending.page
    for action in sending.actions:
        page.locator(f"input[name=pick][value='{action}']").check()
        many = page.locator(f"select[name=many-{action}]")
        if many.count():
            many.select_option("1")


def test_units_of_two_sorts_are_ticked_and_sent_to_a_zone_of_the_map(sending: Sending) -> None:
    page, table = sending.page, sending.table
    count, before, at_first = len(table.records), view(page), int(version(page))
    tick_one_of_each(sending)
    assert page.locator("#several-count").inner_text() == "2"
    zone = table.game.action_parts(sending.goal).place
    assert page.locator(f".zone-ground.goal[data-place='{zone}']").count()
    picture(page, "crisis-several", whole=False)
    page.locator(f"#zone-{zone}").dispatch_event("click")
    confirm(page)
    wait_for_change(page, before)
    assert sent(table, count) == [sending.actions[0], sending.goal, sending.actions[1], sending.goal]
    page.locator("#restart").click()
    page.wait_for_selector(f"#state[data-version='{at_first + 5}']")
    assert table.records[-1].kind == "undo"


def test_the_map_shows_where_ticked_units_will_be(sending: Sending) -> None:
    page = sending.page
    tick_one_of_each(sending)
    page.locator("#several-goal").select_option(str(sending.goal))
    page.wait_for_selector("#board .ghosts")
    picture(page, "crisis-several-ghosts", whole=False)
    page.keyboard.press("Escape")
    page.wait_for_selector("#board .ghosts", state="detached")
    # What cannot be sent has no picture: a unit without its target, more than there are.
    asked = f"{page.url.partition('?')[0]}/preview/several?version={version(page)}&seat={sending.side}"
    first = f"pick={sending.actions[0]}&many-{sending.actions[0]}"
    assert page.request.get(f"{asked}&{first}=1&goal={sending.goal}").status == 200
    assert page.request.get(f"{asked}&{first}=1").status == 204
    assert page.request.get(f"{asked}&{first}=24&goal={sending.goal}").status == 204
    assert page.request.get(f"{asked}&{first}=25&goal={sending.goal}").status == 422


def test_units_are_added_on_the_map_with_the_shift_key(sending: Sending) -> None:
    page = sending.page
    parts = sending.table.game.action_parts(sending.actions[0])
    counter = page.locator(f"[data-place='{parts.place}'] [data-unit='{parts.card}']").first
    pick = page.locator(f"input[name=pick][value='{sending.actions[0]}']")
    counter.click(modifiers=["Shift"])
    assert pick.is_checked()
    assert page.locator("#several-count").inner_text() == "1"
    assert "picked" in counter.get_attribute("class").split()
    page.keyboard.press("Escape")
    assert not pick.is_checked()
    assert page.locator("#several").is_hidden()
    counter.click(modifiers=["Control"])
    most = page.locator(f"select[name=many-{sending.actions[0]}] option").count() or 1
    assert page.locator("#several-count").inner_text() == str(most)
    drawn_anew(page)
    assert page.locator("#several-count").inner_text() == str(most)
    # One more than the points allow cannot be sent.
    page.evaluate("document.querySelector('input[name=pick]:checked').dataset.ends = 0; table.multiSelect.ticked()")
    assert page.locator("#several-count").inner_text() == f"{most} / 0"
    assert page.locator("#do").is_disabled()


def test_a_unit_is_dragged_to_a_zone(sending: Sending) -> None:
    page, table = sending.page, sending.table
    parts = table.game.action_parts(sending.actions[0])
    zone = table.game.action_parts(sending.goal).place
    count, before = len(table.records), view(page)
    source = page.locator(f"[data-place='{parts.place}'] [data-unit='{parts.card}']").first.bounding_box()
    goal = page.locator(f"#zone-{zone}").bounding_box()
    page.mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    assert page.locator(f"#board .drop.over[data-place='{zone}']").count()
    page.mouse.up()
    assert len(table.records) == count
    page.wait_for_selector(f"{DO}:enabled")
    page.keyboard.press("Enter")
    wait_for_change(page, before)
    assert sent(table, count) == [sending.actions[0], sending.goal]


def test_what_is_no_longer_legal_ends_the_sending_and_is_told(sending: Sending) -> None:
    page, table = sending.page, sending.table
    count, before = len(table.records), view(page)
    # More than there are points for, as a page could ask for whose viewer ticks everything.
    page.locator(f"input[name=pick][value='{sending.actions[0]}']").check()
    page.evaluate(
        "name => { const box = document.querySelector(`[name=${name}]`); const field = document.createElement('input');"
        " field.name = name; field.value = 24; field.setAttribute('form', 'several'); box?.remove();"
        " document.body.append(field); }",
        f"many-{sending.actions[0]}",
    )
    page.locator("#several-goal").select_option(str(sending.goal))
    confirm(page)
    wait_for_change(page, before)
    done = len(sent(table, count)) // 2
    assert 0 < done < 24
    assert sent(table, count) == [sending.actions[0], sending.goal] * done
    assert f"Wykonano: {done} z 24." in page.locator(".problem").inner_text()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"csrf": "wrong"}, 403),
        ({"version": 0}, 409),
        ({"goal": ""}, 422),
        ({"goal": 0}, 422),
        ({"pick": 0}, 422),
        ({"pick": "many"}, 400),
        ({"side": None}, 403),
    ],
)
def test_a_forged_sending_changes_nothing(sending: Sending, change: dict[str, object], status: int) -> None:
    page, table = sending.page, sending.table
    fields: dict[str, object] = {
        "csrf": page.get_attribute("meta[name=csrf]", "content"),
        "side": sending.side,
        "version": table.version(sending.side),
        "pick": sending.actions[0],
        "goal": sending.goal,
        **change,
    }
    if change == {"side": None}:  # somebody else's seat
        fields["side"] = 1 - sending.side
        table.seats[1 - sending.side].person_id = "somebody"
    before = len(table.records)
    answer = page.context.request.post(
        f"{page.url.partition('?')[0]}/several", form=fields, headers={"X-Fragment": "1", "Accept": "text/html"}
    )
    assert answer.status == status
    assert len(table.records) == before


def test_units_that_can_go_nowhere_together_are_not_sent(
    chromium: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = chromium.new_context(**PHONE, reduced_motion="reduce", locale="en-GB")
    anna = Person(context, server, "Anna")
    table = set_up(monkeypatch, anna, anna, way_to(_two_sorts_have_no_common_zone, 900, "ukrainian-crisis"))
    (side,) = table.match.pending
    page = anna.look(f"/t/{table.id}?seat={side}")
    for action in [action for action, pick in _picks(table.match).items() if pick.goals]:
        pick = page.locator(f"input[name=pick][value='{action}']")
        pick.evaluate("box => box.click()")  # its list is in sight while the row of its zone is open
        assert pick.is_checked()
    drawn_anew(page)
    assert page.locator("input[name=pick]:checked").count() > 1
    assert page.locator("#several-none").is_visible()
    assert page.locator("#several button").is_disabled()
    assert page.locator("#board .goal").count() == 0
    context.close()


def drawn_anew(page: Any) -> None:
    """The same position is fetched once more, as when a phone is turned."""
    page.evaluate("() => { document.querySelector('#state').dataset.old = '1'; table.relayout(); }")
    page.wait_for_selector("#state:not([data-old])")


def _two_sorts_have_no_common_zone(match: Match) -> bool:
    goals = [set(pick.goals) for pick in _picks(match).values() if pick.goals]
    return len(goals) > 1 and not set.intersection(*goals)


def test_the_answers_of_all_questions_stand_in_one_order() -> None:
    game = load_game("ukrainian-crisis", options={"ordinary_cards": True})
    match = Match(game)
    match.advance(dealer(7))
    while not game.action_parts(match.legal()[0].action).steps:
        match.push(match.legal()[-1].action, side=min(match.pending))
        match.advance(dealer(7))
    side = min(match.pending)
    words = words_for(game, "en")
    (group,) = choices_of(game, match.view(side), side, match.legal(side), words, page_words("en"))
    cards = [list(question.answers) for question in group.questions]
    assert all(numbers == sorted(numbers) and len(numbers) > 4 for numbers in cards)


def test_a_finished_game_is_told_turn_by_turn() -> None:
    game = load_game("ukrainian-crisis", options={"ordinary_cards": True})
    match, choose = Match(game), random.Random(4)
    while not match.is_over:
        match.advance(dealer(choose.randrange(1000)))
        if not match.is_over:
            match.push(choose.choice(match.legal(min(match.pending))).action, side=min(match.pending))
    replay = ReplayCache().replay(
        ReplaySource(game, partial(Perspective, match), ("Anna", "Boris"), "/t/x"),
        FULL_INFORMATION,
        words_for(game, "en"),
    )
    turns = rounds_of(replay)
    assert [each.number for each in turns] == list(range(1, int(match.state.turn) + 1))
    assert {each.span for each in turns} == {"turn"}
    # Cards that are only numbers lead nowhere: any number in the line would be taken for them.
    assert not any("card-name" in line.shown for line in replay.lines)
