"""The lessons: what they offer is legal, what they say is true by the rules, and all is said in four languages."""

from __future__ import annotations

from functools import cache

import pytest
from babel.messages.pofile import read_po

from brinkmanship.drawing import BoardRequest, drawing_of
from brinkmanship.engine import journal
from brinkmanship.engine.game import CHANCE, OBSERVER
from brinkmanship.engine.match import Match
from brinkmanship.engine.message import Message
from brinkmanship.games.registry import BUILT_IN, kit_of, load_game
from brinkmanship.games.ukrainian_crisis.rules.victory import victory_points
from brinkmanship.lessons import FIRST, Lesson, LessonStep, course_of, lesson_of
from brinkmanship.lessons.names import EVERY, pieces_of
from brinkmanship.text import LANGUAGES, cards_of, words_for
from brinkmanship.text.words import catalogue_file

ALL = [(game_id, lesson_id) for game_id in BUILT_IN for lesson_id in course_of(game_id)]
every_lesson = pytest.mark.parametrize(("game_id", "lesson_id"), ALL)


def lesson(game_id: str, lesson_id: str) -> Lesson:
    return lesson_of(load_game(game_id), lesson_id)


@cache
def match_of(game_id: str, lesson_id: str) -> Match:
    """The whole game of a lesson."""
    file = next((kit_of(game_id).folder / "lessons").glob(f"*-{lesson_id}.brink"))  # type: ignore[attr-defined]
    return journal.play(journal.parse(file.read_text("utf-8")), load_game(game_id))


def step(game_id: str, lesson_id: str, name: str) -> LessonStep:
    return next(one for one in lesson(game_id, lesson_id).steps if one.name == name)


def at(game_id: str, lesson_id: str, name: str) -> Match:
    """The game of a lesson where the step asks."""
    return match_of(game_id, lesson_id).until(step(game_id, lesson_id, name).place)


def shown(match: Match) -> dict[str, dict]:  # type: ignore[type-arg]
    """What everybody sees of a position."""
    return match.game.public_state(match.game.view_of(match.state, OBSERVER))


# ---- what holds of every lesson


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_has_its_words_and_no_word_is_left_over(game_id: str, lesson_id: str, language: str) -> None:
    wanted = [f"{lesson_id}.title", f"{lesson_id}.line"]
    for one in lesson(game_id, lesson_id).steps:
        parts = ["title"] if lesson_id == FIRST else []
        parts += ["text", "ask", "right", "wrong"] if one.answers else ["text"]
        wanted += [f"{lesson_id}.{one.name}.{part}" for part in parts]
    with catalogue_file(f"{game_id}-lessons", language).open("rb") as file:
        written = [entry.id for entry in read_po(file) if entry.id]
    assert [key for key in written if key.split(".")[0] == lesson_id] == wanted  # type: ignore[union-attr]
    assert {key.split(".")[0] for key in written} == {*course_of(game_id), "learned"}  # type: ignore[union-attr]


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_text_names_is_on_the_board_or_a_card_of_the_game(game_id: str, lesson_id: str, language: str) -> None:
    of = lesson(game_id, lesson_id)
    game, words = of.seen.game, words_for(of.seen.game, language)
    spoken, cards = words.with_domain(f"{game_id}-lessons"), {card.id: card.id for card in cards_of(game, words)}
    for one in of.steps:
        drawn = drawing_of(game).board(game, of.seen.view(one.place), of.side, words, BoardRequest())
        for part in ("text", "ask", "right", "wrong") if one.answers else ("text",):
            for piece in pieces_of(spoken.sentence(Message(f"{lesson_id}.{one.name}.{part}", cards))):
                assert "](" not in piece.text
                for kind, id in (target.split(":") for target in piece.targets):
                    hook = f' data-{kind}="' if id == EVERY else f' data-{kind}="{id}"'
                    assert hook in drawn, (one.name, part, piece)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_the_same_things_light_up_in_every_language(game_id: str) -> None:
    def named(language: str) -> dict[str, list[str]]:
        with catalogue_file(f"{game_id}-lessons", language).open("rb") as file:
            texts = {str(entry.id): str(entry.string) for entry in read_po(file) if entry.id}
        return {
            key: sorted(target for piece in pieces_of(text) for target in piece.targets) for key, text in texts.items()
        }

    for language in LANGUAGES[1:]:
        assert named(language) == named(LANGUAGES[0]), language


@every_lesson
def test_what_a_lesson_offers_is_legal_and_the_game_goes_on_with_a_right_answer(game_id: str, lesson_id: str) -> None:
    of = lesson(game_id, lesson_id)
    for one in of.steps:
        if one.answers:
            game, view = of.seen.game, of.seen.view(one.place)
            legal = {game.action_text(action) for action in game.legal_actions(view, of.side)}
            assert {answer.text for answer in one.answers} <= legal, one.name
            right = [answer.text for answer in one.answers if answer.is_right]
            assert of.seen.entries[one.place].text in right, one.name
            assert 0 < len(right) < len(one.answers), one.name


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_after_the_guided_game_come_five_short_lessons_of_three_to_six_steps(game_id: str) -> None:
    first, *short = course_of(game_id)
    assert first == FIRST
    assert len(short) == 5
    assert all(3 <= len(lesson(game_id, one).steps) <= 6 for one in short)


def after(match: Match, *actions: str) -> Match:
    """The game with these actions, whoever is asked, and the steps of the rules that follow."""
    tried = match.copy()
    for action in (*actions, ""):
        while tried.actor == CHANCE and tried.game.is_rules_step(tried.state):
            tried.push_chance(lambda _: 0)
        if action:
            tried.push(action)
    return tried


def result(match: Match) -> tuple[int | None, str] | None:
    """Who has won, and by what."""
    outcome = match.outcome()
    return (outcome.winner, outcome.reason) if outcome else None


# ---- 13 Days

DAYS = "13-days"
US, USSR = 0, 1


def markers(match: Match) -> list[int]:
    """Where the US markers stand: military, political, world opinion."""
    return list(shown(match)["defcon"]["us"].values())


def cubes(match: Match, place: str) -> tuple[int, int]:
    found = shown(match)["influence"]
    return found["us"][place], found["ussr"][place]


def test_an_agenda_of_a_track_starts_the_war_that_one_counts_to() -> None:
    asked = at(DAYS, "brink", "own")
    assert markers(asked) == [2, 5, 2]
    others = ("shift political +1", "decline")
    assert result(after(asked, "place 2 italy", *others)) == (USSR, "nuclear_war")
    assert result(after(asked, "place 3 berlin", *others)) is None
    assert result(after(asked, "remove 3 turkey", *others)) is None
    assert shown(at(DAYS, "brink", "seven"))["prestige"] == 3
    assert markers(at(DAYS, "brink", "seven")) == [5, 7, 3]
    assert markers(after(at(DAYS, "brink", "seven"), "place 3 atlantic")) == [7, 7, 3]
    last = at(DAYS, "brink", "ahead")
    assert markers(last) == [6, 5, 3]
    assert markers(after(last, "event u_thant")) == [5, 4, 2]


def test_what_is_said_of_flags_is_so() -> None:
    decoy, whom, count = (at(DAYS, "flags", name) for name in ("decoy", "whom", "count"))
    assert shown(decoy)["prestige"] == -2
    assert cubes(decoy, "berlin") == (1, 5)
    assert cubes(whom, "cuba_political") == (0, 2)
    assert markers(after(whom, "place 2 television")) == [5, 4, 4]
    assert [cubes(count, place) for place in ("atlantic", "cuba_political", "cuba_military")] == [
        (1, 2),
        (2, 3),
        (3, 2),
    ]
    assert markers(count) == [5, 5, 3]
    assert result(after(count, "place 2 united_nations", "shift military -1")) == (USSR, "nuclear_war")
    for television in ("shift military -1", "shift political -1", "done"):
        assert result(after(count, "place 2 atlantic", television)) == (US, "prestige")


def test_an_event_without_effect_is_free_and_a_gift_may_be_a_trap() -> None:
    harmless, repair, gift = (at(DAYS, "price", name) for name in ("harmless", "repair", "gift"))
    assert cubes(harmless, "italy") == (1, 2)
    assert shown(after(harmless, "command suez_hungary", "trigger"))["influence"] == shown(harmless)["influence"]
    assert cubes(repair, "cuba_military") == (1, 4)
    assert markers(after(repair, "place 3 cuba_military")) == [5, 4, 3]
    assert markers(gift) == [5, 4, 3]
    trap = after(gift, "trigger", "shift world_opinion +1", "done", "done")
    assert result(trap) == (USSR, "nuclear_war")
    assert result(after(gift, "decline", "done", "done")) == (US, "prestige")


def test_world_opinion_averts_the_war_and_wins() -> None:
    asked = at(DAYS, "opinion", "majority")
    assert (markers(asked), shown(asked)["prestige"], cubes(asked, "turkey")) == ([4, 4, 4], -2, (2, 1))
    assert result(after(asked, "place 1 turkey", "decline")) == (USSR, "nuclear_war")
    step_down = at(DAYS, "opinion", "step")
    assert result(after(step_down, "done", "decline")) == (USSR, "nuclear_war")
    card = at(DAYS, "opinion", "card")
    assert result(after(card, "discard")) == (US, "personal_letter")
    assert result(after(card, "aftermath")) == (USSR, "prestige")


def test_cubes_come_back_into_an_empty_supply() -> None:
    back, again, free = (at(DAYS, "supply", name) for name in ("back", "again", "free"))
    assert sum(shown(back)["influence"]["us"].values()) == 17
    assert not any(text.startswith("place") for text in back.legal_texts(US))
    assert markers(after(back, "remove 3 berlin")) == [3, 2, 5]
    assert cubes(again, "turkey") == (2, 3)
    assert cubes(after(again, "place 3 turkey"), "turkey") == (5, 3)
    assert (markers(free), cubes(free, "cuba_political")) == ([3, 4, 5], (1, 2))


# ---- 13 Minutes

MINUTES = "13-minutes"


def winner(match: Match, *actions: str) -> int | None:
    """Who wins after these actions of the last turn; what Cuba is follows from the other cards."""
    played = after(match, *actions)
    played.push_chance(lambda _: 0)
    outcome = after(played).outcome()
    assert outcome is not None
    return outcome.winner


def test_the_last_cube_is_reckoned_whatever_cuba_is() -> None:
    last = at(MINUTES, "bid", "last")  # Cuba is purple
    assert winner(last, "place 1 excomm") == US
    assert winner(last, "place 1 strategic_balance") == USSR
    assert winner(last, "place 1 cuba") == USSR


def test_the_last_card_may_be_the_third_of_its_colour() -> None:
    ten = at(MINUTES, "colours", "ten")  # the other last card is purple
    rest = ("command", "place 1 excomm")
    assert winner(ten, "play u2_photographs neutral", *rest) == US
    assert winner(ten, "play quarantine neutral", *rest) == USSR
    assert winner(ten, "play quarantine us", *rest) == USSR


def test_cuba_counts_for_the_sphere_in_which_it_lies() -> None:
    target, step_ = at(MINUTES, "cuba", "target"), at(MINUTES, "cuba", "step")  # Cuba is purple
    assert winner(step_, "move cuba neutral") == US
    assert winner(step_, "done") != US
    assert winner(target, "place 1 scramble", "move scramble us") != US


def test_an_event_of_the_opponent_may_cost_nothing() -> None:
    harmless, empty, last = (at(MINUTES, "events", name) for name in ("harmless", "empty", "last"))
    assert shown(after(harmless, "play fidel_castro us", "use")) == shown(after(harmless, "play fidel_castro us"))
    assert shown(empty)["supply"]["ussr"] == 0
    for area in ("us", "neutral"):
        assert shown(after(empty, f"play moscow_is_our_brain {area}", "use"))["supply"]["ussr"] == 0
    in_own_sphere = [card for card, lies in shown(empty)["battlegrounds"].items() if lies["area"] == "us"]
    assert in_own_sphere == ["u_thant", "public_protests", "fidel_castro", "cuba"]
    assert shown(last)["battlegrounds"]["cuba"] == {"area": "us", "us": 4, "ussr": 2}
    given = after(last, "play u2_downed us", "use", "place 1 excomm")
    assert shown(given)["battlegrounds"]["cuba"] == {"area": "us", "us": 2, "ussr": 2}


def endings(match: Match, played: tuple[str, ...] = ()) -> dict[tuple[str, ...], int | None]:
    """Who wins after each way to play what is left."""
    match = after(match)
    while match.actor == CHANCE:
        match.push_chance(lambda _: 0)
        match = after(match)
    outcome = match.outcome()
    if outcome is not None:
        return {played: outcome.winner}
    assert match.actor == US
    found: dict[tuple[str, ...], int | None] = {}
    for action in match.legal_texts(US):
        tried = match.copy()
        tried.push(action)
        found |= endings(tried, (*played, action))
    return found


def test_only_two_pushes_by_one_event_win_whatever_cuba_is() -> None:
    last = at(MINUTES, "push", "last")
    assert shown(last)["battlegrounds"]["strategic_balance"]["area"] == "ussr"
    file = next((kit_of(MINUTES).folder / "lessons").glob("*-push.brink"))  # type: ignore[attr-defined]
    swapped = file.read_text("utf-8").replace("draw wave_and_smile", "draw moscow_is_our_brain")
    other = journal.play(journal.parse(swapped), last.game).until(len(last.entries))
    green, purple = endings(last), endings(other)  # what Cuba is; the other one is in the opponent's hand
    event = ("play public_protests neutral", "event")
    pushes = ("remove 1 mrbms_irbms", "remove 1 nuclear_submarines")
    assert len(green) == 227
    winning = {line for line in green if green[line] == purple[line] == US}
    assert winning == {(*event, *pushes), (*event, *pushes[::-1])}
    assert not any(US in (green[line], purple[line]) for line in green if line[0] == "play u_thant neutral")
    assert not any(US in (green[line], purple[line]) for line in green if line[:2] == (event[0], "command"))
    own = ("play public_protests us", "event", *pushes)
    assert (green[own], purple[own]) == (US, None)


# ---- Ukrainian Crisis

CRISIS = "ukrainian-crisis"
UA, RU = 0, 1


def prestige(match: Match) -> tuple[int, int]:
    both = shown(match)["prestige"]
    return both["ua"], both["ru"]


def crisis_result(match: Match, *wanted: str) -> tuple[int | None, int]:
    """Who wins, and by how many Victory Points, if the game ends with these and everybody passes otherwise."""
    tried = after(match)
    left = list(wanted)
    while tried.outcome() is None:
        if tried.actor == CHANCE or (left and tried.actor == UA and left[0] in tried.legal_texts(UA)):
            tried.push(left.pop(0))
        else:
            tried.push("done")
        tried = after(tried)
    assert not left
    outcome = tried.outcome()
    assert outcome is not None
    points = shown(tried)["victory_points"]
    return outcome.winner, points["ua"] - points["ru"]


def scored(match: Match) -> tuple[int, int]:
    """The Victory Points of both sides if the game ended as it stands."""
    ua, ru = (int(victory_points(match.game.rules, match.state, side)) for side in (UA, RU))
    return ua, ru


def ends_after_reducing(match: Match, first: int, other: int) -> bool:
    """Whether reducing with these two rolls takes the last Prestige of Ukraine."""
    return after(match, "reduce", f"roll {first}", f"roll {other}").outcome() is not None


def share(match: Match, low: int, high: int) -> float:
    """How often the dice that are due show from `low` to `high`."""
    weights = {match.game.action_text(dice): weight for dice, weight in match.game.distribution(match.state).items()}
    hit = sum(weight for dice, weight in weights.items() if low <= int(dice.split()[1]) <= high)
    return hit / sum(weights.values())


def test_six_for_each_rank_are_certain() -> None:
    add, which, sure = (at(CRISIS, "payment", name) for name in ("add", "which", "sure"))
    assert (shown(add)["turn"], shown(add)["combat_turns"]) == (7, 0)
    assert share(after(add, "prestige 0"), 2, 9) == pytest.approx(5 / 6)
    assert share(after(add, "prestige 3"), 2, 12) == 1
    assert (prestige(which), shown(which)["resource_points"]["ua"]) == ((32, 35), 7)
    assert {shown(which)["countries"][country] for country in ("RO", "DE", "FR")} == {"neutrality"}
    card = "play economic_sanctions"
    for country in ("DE", "FR"):
        tried = after(which, f"up {country}", "rp 7", "prestige 0")
        assert share(tried, 2, 7) == pytest.approx(21 / 36)
    assert crisis_result(which, card) == (None, 0)
    assert crisis_result(sure, "rp 6", "prestige 0", "sum 6", card) == (UA, 1)
    missed = after(sure, "rp 3", "prestige 0", "sum 4", "up RO", "rp 4", "prestige 0")
    assert share(after(sure, "rp 3", "prestige 0"), 4, 6) * share(missed, 5, 6) == pytest.approx(1 / 6)


def test_one_hit_on_the_irregular_takes_the_zone() -> None:
    where, group, kind = (at(CRISIS, "combat", name) for name in ("where", "group", "type"))
    assert prestige(where) == (19, 25)
    assert crisis_result(where) == (RU, -3)
    assert crisis_result(kind, "fight 1 asymmetric", "hits 1", "hits 0") == (UA, 3)
    for surplus in range(2, 6):
        assert crisis_result(kind, "fight 1 asymmetric", f"hits {surplus}", "hits 0")[0] == UA
    assert crisis_result(kind, "fight 1 symbolic", "hits 3", "hits 0")[0] == RU
    assert share(after(kind, "fight 1 asymmetric"), 0, 0) == pytest.approx((2 / 3) ** 5)
    four = after(group, "done", "unit ru_militia DON", "fight 1 asymmetric")
    assert share(four, 0, 0) == pytest.approx((2 / 3) ** 4)


def test_only_full_regulars_and_irregulars_hold_a_zone() -> None:
    unit, goal, second = (at(CRISIS, "zones", name) for name in ("unit", "goal", "second"))
    assert (prestige(unit), shown(unit)["resource_points"]["ua"]) == ((20, 35), 2)
    recover = "recover ua_militia LUH"
    assert crisis_result(unit) == (RU, -6)
    assert crisis_result(unit, "unit ua_ground DNI", "zone DON", recover) == (None, 0)
    assert crisis_result(goal, "zone KHE", recover)[0] == RU
    assert crisis_result(goal, "zone DNI", recover)[0] == RU
    assert crisis_result(second) == (RU, -2)
    assert crisis_result(second, recover) == (UA, 1)
    assert crisis_result(second, "unit ua_ground DNI", "zone ZAP")[0] == RU


def test_the_first_combat_turn_is_worth_a_ceasefire_to_whom_it_would_harm() -> None:
    ask, tie, accept = (at(CRISIS, "ceasefire", name) for name in ("ask", "tie", "accept"))
    for asked, both in ((ask, (39, 29)), (accept, (38, 40))):
        assert (shown(asked)["combat_turns"], prestige(asked)) == (0, both)
    assert scored(after(ask, "done")) == (20, 24)
    assert [shown(after(tie, answer))["turn_type"] for answer in ("allies 1", "done")] == ["strategic", "combat"]
    assert scored(after(accept, "done")) == (33, 29)
    assert match_of(CRISIS, "ceasefire").outcome() == (UA, "inconclusive")
    assert scored(after(accept, "ceasefire", "roll 6", "roll 1", "done")) == (38, 40)
    units = {zone: units for zone, units in shown(accept)["units"].items() if zone not in ("reserve", "mobilisation")}
    assert {unit for of_zone in units.values() for unit in of_zone} == {"ua_militia", "ru_militia", "ru_special"}


def test_who_leads_may_end_the_game_without_prestige() -> None:
    where, second, finish = (at(CRISIS, "prestige", name) for name in ("where", "second", "finish"))
    assert (scored(where), prestige(where)) == ((17, 9), (4, 18))
    assert [scored(after(where, f"zone {zone}")) for zone in ("ZAP", "KYC", "DNI")] == [(19, 9), (17, 9), (17, 9)]
    assert prestige(second)[UA] == 3
    saved = after(second, "done", "first ru", "done")
    assert share(after(saved, "reduce"), 2, 6) ** 2 == pytest.approx(25 / 36)
    assert [ends_after_reducing(saved, *rolls) for rolls in ((1, 6), (6, 1), (2, 2), (2, 6))] == [
        False,
        False,
        True,
        True,
    ]
    assert (scored(finish), prestige(finish)) == ((19, 10), (2, 20))
    for first in range(1, 7):
        for other in range(1, 7):
            rolled = after(finish, "reduce", f"roll {first}", f"roll {other}")
            assert (prestige(rolled)[UA], result(rolled)) == (0, (UA, "inconclusive"))
    ended = match_of(CRISIS, "prestige")
    assert (prestige(ended), scored(ended)) == ((0, 17), (18, 9))
