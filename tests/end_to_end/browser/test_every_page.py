"""Every page, as it is shown: accessible (axe-core), never wider than a phone, in every language; pictures of all.

The pages are looked at in both themes and on both kinds of screen; the table also in the middle of what one does there.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, NamedTuple

import msgspec
import pytest
from sqlalchemy import Engine, update

from brinkmanship.analysis.pipeline import analyse
from brinkmanship.engine.match import Match
from brinkmanship.engine.open_record import OpenRecord
from brinkmanship.games.cuban.frame import EventNode
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules.state import Node
from brinkmanship.store import game_results, moderation, schema, tournaments
from brinkmanship.store.game_results import Group, Length
from brinkmanship.tournament.arbiter import Begin, PairUp, next_steps
from brinkmanship.web.accounts.account_service import recovery_token
from brinkmanship.web.cluster.table_record import TableRecord
from brinkmanship.web.pages.lobby import showcase
from brinkmanship.web.pages.people import profile
from brinkmanship.web.profiles import counting
from brinkmanship.web.profiles.ratings import PersonRating, RatingPoint
from brinkmanship.web.profiles.statistics import statistics_of
from brinkmanship.web.support import time_control
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.support.time_control import DAYS, LIVE, Clock
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.record_kinds import RESIGN
from brinkmanship.web.tournaments.terms import TournamentSettings, checked
from support.browsing import PHONE, Person, picture, set_up, way_to
from support.patience import HANGS_SECONDS
from support.reference_pictures import MAX_CHANGED_SHARE, assert_looks_the_same, changed_share
from support.serving import Server
from support.tournament_hall import accounts

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
LOOKS = {
    "desktop-light": {**DESKTOP, "color_scheme": "light"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark"},
    "phone-light": {**PHONE, "color_scheme": "light"},
    "phone-dark": {**PHONE, "color_scheme": "dark"},
}
LANGUAGES = ("ru", "de", "pl")
"""Those that are looked at besides English."""


class View(NamedTuple):
    """A page, who looks, and what he does there first."""

    path: str
    is_guest: bool = True
    do: Callable[[Any], object] = lambda _page: None
    moderates: bool = False
    is_sheet: bool = False
    """A page of paper, which has its own width."""


def open_menu(page: Any) -> None:
    """Click a place on the board where several numbers are possible; who confirms nothing is asked which."""
    switch = "document.querySelector('[data-setting=confirm]').click()"
    page.evaluate(switch)
    page.locator("#board [data-place].can").first.dispatch_event("click")  # on a phone it is under another tab
    page.wait_for_selector("#menu:not([hidden]) button")
    page.evaluate(switch)


def show_all(page: Any) -> None:
    """Unfold what is folded, show the keys, choose something."""
    for box in page.locator("details").all():
        box.evaluate("box => { box.open = true; }")
    page.locator("[data-keys]").dispatch_event("click")
    page.locator("#choices button[name=action]").first.dispatch_event("click")
    page.wait_for_selector("#do:enabled")


def unfold(page: Any) -> None:
    """Unfold the groups of options, and the numbers of a custom clock."""
    for box in page.locator("details").all():
        box.evaluate("box => { box.open = true; }")
    page.locator("input[name=clock][value=own]").check(force=True)


def open_details(page: Any) -> None:
    """Unfold what is folded."""
    for box in page.locator("main details").all():
        box.evaluate("box => { box.open = true; }")


def open_all(page: Any) -> None:
    """Unfold what is folded."""
    for box in page.locator("details").all():
        box.evaluate("box => { box.open = true; }")


def arm(page: Any) -> None:
    """Choose what cannot be taken back."""
    page.locator("#choices button[data-final]").first.click()
    page.wait_for_selector("#do.final:enabled")


def wrong_move(page: Any) -> None:
    """Send a choice that is not possible."""
    page.evaluate("document.querySelector('#choices button[name=action]').value = 99999")
    page.locator("#choices button[name=action]").first.dispatch_event("click")  # on a phone a row stands for it
    page.locator("#do").click()
    page.wait_for_selector(".problem")


def solve(page: Any) -> None:
    """Answer the puzzle of the day."""
    page.locator("#choices button").first.dispatch_event("click")
    page.locator("#do").click()
    page.wait_for_selector(".verdict")


def decide_again(page: Any) -> None:
    """Press a choice at each costly decision of an analysis: its solution opens."""
    for question in page.locator(".question").all():
        question.locator(".picks button").first.click()
        question.locator(".solution[open] .explained").first.wait_for()
        assert question.locator(".told").inner_text()


def open_box(page: Any, box: str) -> None:
    """Unfold one box."""
    page.locator(box).evaluate("box => { box.open = true; }")


def mistype(page: Any) -> None:
    """Change a card in the workshop, wrongly."""
    page.locator("#work textarea").fill("[[card]]\nid = 3\n")
    page.wait_for_selector("#shown .problem")


class Places:
    """Games in all stages for the pages to show; {name} in an address stands for one of them."""

    def __init__(self, server: Server, contexts: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        self.anna, self.boris = (
            Person(context, server, name) for context, name in zip(contexts, ("Anna", "Борис"), strict=True)
        )

        def at(is_there: Callable[[Match], bool]) -> LiveTable:
            return set_up(monkeypatch, self.anna, self.boris, way_to(is_there))

        self.tables = {
            "agenda": at(lambda match: len(match.pending) == 2),
            "play": at(lambda match: match.state.node == Node.PLAY and match.pending == {0}),
            "command": at(
                lambda match: match.state.node == EventNode.COMMAND and match.pending == {0} and match.state.turn > 3
            ),
            "over": at(lambda match: match.is_over and int(match.state.round_number) == 3),
            "cover": set_up(monkeypatch, self.anna, self.anna, way_to(lambda match: match.state.node == Node.TRIGGER)),
            "shown": at(lambda match: match.state.node == Node.PLAY and int(match.state.round_number) == 2),
        }
        self._show_hands(self.tables["shown"])
        waiting = self.anna.set_table("friend")
        link = re.search(r'value="http://[^/"]+(/join/[^"]+)"', self.anna.get(f"/t/{waiting}"))
        assert link
        sought = self.anna.post("/seek", want="13-minutes:1", clock="days 3", pace="days").url.rpartition("/")[2]
        named = {"waiting": waiting, "join": link[1], "seek": sought}
        self.names = {name: table.id for name, table in self.tables.items()} | named
        self.anna.post(f"/t/{self.names['play']}/chat", text="Good luck!")
        people, engine = server.app.state.services.users, server.app.state.services.engine
        keep_analysis(server, self.tables["over"])
        yesterday = server.app.state.services.daily.today() - 1
        self.names["yesterday"] = date.fromordinal(yesterday).isoformat()
        self.names["today"] = date.fromordinal(yesterday + 1).isoformat()
        self.names["tournament"] = begun_tournament(server.app.state.services.engine)
        self.names |= keep_matches(server)
        self.names["seats"] = organised_round(server, str(self.tables["over"].seats[0].person_id))
        forgetful, _ = people.add_guest("Clara", "en")
        with engine.begin() as connection:
            connection.execute(
                update(schema.people).where(schema.people.c.id == forgetful.id).values(login=f"clara-{forgetful.id}")
            )
            self.names["link"] = recovery_token(connection, forgetful.id)
        self.names["person"] = fill_profile(server, self.tables["over"], monkeypatch)
        for name, steps in (("record", 24), ("dealing", 9)):
            self.names[name] = begun_record(server, self.names["person"], steps)
        campaign = self.anna.set_table("same", game="13-minutes", series="true")
        self.names["series"] = campaign
        finish_daily(server, self.names["person"])
        self.stored = self.anna.context.storage_state()
        self.moderator = self._moderated(server, forgetful.id)

    def _show_hands(self, table: LiveTable) -> None:
        """Both players agree to show spectators their hands, all of the game so far."""
        path = f"/t/{table.id}/watch"
        self.anna.post(f"{path}/propose", side=0, delay="minutes", sure="true")
        self.boris.post(f"{path}/answer", side=1, delay="minutes", accept="true")
        table.state.entry_times = [0.0] * table.length

    def _moderated(self, server: Server, moderator_id: str) -> dict[str, Any]:
        """A report and an appeal wait for a moderator; return what the moderator's browser has stored."""
        services = server.app.state.services
        (loud, _), session = services.users.add_guest("Loud", "en"), services.users.open_session(moderator_id)
        chats = {"table_id": self.names["over"], "person_id": loud.id, "name": "Loud", "text": "A rude word", "at": 1.0}
        with services.engine.begin() as connection:
            moderation.set_role(connection, moderator_id, True, 1.0)
            connection.execute(schema.chats.insert().values(chats))
            moderation.impose(connection, moderation.OPERATOR, loud.id, "mute", "Insults", "A rude word", None, 1.0)
            (muted,) = moderation.measures_of(connection, loud.id)
            moderation.add_appeal(connection, muted.id, muted.key, "It was a joke", 2.0)
            about = (moderator_id, loud.id, self.names["over"], "abuse", "Insults in the chat", 3.0)
            self.names |= {"report": moderation.add_report(connection, *about), "appeal": muted.id}
        cookie = {"name": "session", "value": session, "url": server.url}
        with closing(self.anna.context.browser.new_context()) as context:
            context.add_cookies([cookie])
            state: dict[str, Any] = context.storage_state()
        return state


def keep_matches(server: Server) -> dict[str, str]:
    """A finished match with its analyses, one between its games, and duplicate rounds: the names of their pages."""
    services = server.app.state.services
    users = [services.users.add_guest(name, "en")[0] for name in ("Anna", "Борис", "Clara", "Dora")]
    seated = [(user.id, user.name) for user in users]
    live = Terms(Clock(LIVE, 600, 5))

    async def resign(table: LiveTable, side: int) -> None:
        await services.actions.resign(table.id, table.seats[side].person_id, side)

    async def play() -> dict[str, str]:
        over = await services.matches.create("13-days", seated[:2], Terms(), simultaneous=True)
        for game in over.games:
            await resign(game.table, 1)
            keep_analysis(server, game.table, game.table.result)
        between = await services.matches.create("13-days", seated[:2], live)
        await resign(between.first, 0)
        pairs = [seated[:2], seated[2:]]
        running = await services.duplicates.create("13-days", pairs, live)
        compared = await services.duplicates.create("13-days", pairs, live)
        for side, table in enumerate(compared.tables):
            await resign(table, side)
        await services.duplicates.tick()
        return {
            "match": over.id,
            "break": between.first.id,
            "duplicate": running.kept.id,
            "compared": compared.kept.id,
        }

    return asyncio.run_coroutine_threadsafe(play(), server.loop).result(HANGS_SECONDS)


def begun_record(server: Server, person_id: str, steps: int) -> str:
    """A record of a game on a real table, in progress."""
    records, game = server.app.state.services.open_records, load_game("13-days")
    record_id: str = records.begin(person_id, game, ("Anna", "Борис"))

    def enter(record: OpenRecord) -> None:
        for _ in range(steps):
            record.enter((record.outcomes() or record.choices())[0].action)

    records.change(records.open(record_id, person_id, lambda _: game), 0, enter)
    return record_id


def finish_daily(server: Server, person_id: str) -> None:
    """The person, a user with an account and a guest have finished the deal of the day."""
    services, games = server.app.state.services, schema.daily_games
    people = [person_id, *(services.users.add_guest(name, "en")[0].id for name in ("Dora", "Emil"))]

    async def play() -> None:
        for number, each in enumerate(people):
            table = await services.tables.table(await services.daily.begin("13-days", each, "Anna"))
            side = table.seat_of(each)[0]
            await services.event_log.do(table, partial(_resignation, 1 - side if number else side))

    asyncio.run_coroutine_threadsafe(play(), server.loop).result(HANGS_SECONDS)
    with services.engine.begin() as connection:
        is_dora = schema.people.c.id == people[1]
        connection.execute(update(schema.people).where(is_dora).values(login=f"dora-{people[1]}"))
        for number, each in enumerate(people):
            values = {"score": 1 if number else -1, "luck_adjusted": 0.43 + 0.1 * number}
            connection.execute(update(games).where(games.c.person_id == each).values(values))


def _resignation(side: int) -> TableRecord:
    return TableRecord(RESIGN, side, 0, time_control.now())


def organised_round(server: Server, organiser: str) -> str:
    """A duplicate round whose seats a user gives away."""
    clock = Terms(Clock(DAYS, 3 * 24 * 3600.0))
    opening = server.app.state.services.duplicates.open("13-days", 2, clock, 2e9, organiser)
    new: str = asyncio.run_coroutine_threadsafe(opening, server.loop).result(HANGS_SECONDS).kept.id
    return new


def fill_profile(server: Server, table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> str:
    """Count the finished games, give the first player of one a rating, and the site statistics; return the player."""
    services = server.app.state.services
    counting.count_now(services.engine, services.tables, 100)
    points = [RatingPoint(1e9 + 1e6 * n, 1500 + 40 * (n % 7), 110 - n) for n in range(40)]
    monkeypatch.setattr(profile, "ratings_of", lambda *_: [PersonRating("13-days", 1620.0, 71.0, 40, points)])
    kinds = [("points", 1, 31), ("points", -1, 28), ("war", 1, 12), ("resignation", -1, 9), ("time", -1, 3)]
    groups = [
        Group("13-days", None, player, rated, ending, score, games)
        for player in (None, "level:1", "level:4")
        for rated in (False, True)
        for ending, score, games in kinds
    ]
    paces = ("live", "days", "none")
    lengths = [Length("13-days", 40 + 7 * n % 53, 600.0 * n, paces[n % 3]) for n in range(1, 200)]
    report = msgspec.json.encode(statistics_of(groups, lengths))
    game_results.keep_statistics(services.engine, report)
    monkeypatch.setattr(game_results, "statistics_due", lambda *_: False)  # until the server ends
    return str(table.seats[0].person_id)


def keep_analysis(server: Server, table: LiveTable, result: str | None = None) -> None:
    """As if a rough analysis of a finished table had been asked for."""
    subject, _ = server.app.state.services.analyses.of_table(table)
    report = zlib.compress(analyse(table.match, playouts=8, result=result).to_json())
    with server.app.state.services.engine.begin() as connection:
        kept = {"about": subject.about, "table_id": table.id, "report": report}
        connection.execute(schema.analyses.insert().values(kept))


FAR = 1e8
"""Seconds to a time before which the server does nothing with a tournament."""


def begun_tournament(engine: Engine) -> str:
    """A cup whose rounds have been paired."""
    people = accounts(engine, 4)
    now = time_control.now() + FAR
    plan = TournamentSettings(
        "cup", "Spring cup", "13-days", Clock("days", 3 * 86_400.0), 4, "First prize: a cake.", round_days=30
    )
    new = checked(plan, people[0].id, now)
    tournaments.create(engine, new, now)
    for number, person in enumerate(people):
        assert tournaments.enter(engine, new._replace(changes=number), person.id, False, now)
    for _ in range(2):
        record = tournaments.read(engine, new.id)
        assert record is not None
        for step in next_steps(record.event, now):
            if isinstance(step, Begin):
                assert tournaments.begin(engine, record.tournament, step.divisions, now)
            if isinstance(step, PairUp):
                assert tournaments.add_matches(engine, record.tournament, step.matches, now)
    return new.id


VIEWS = {
    "home": View("/", is_guest=False),
    "home-guest": View("/"),
    "new": View("/new/13-minutes", is_guest=False),
    "new-all": View("/new/ukrainian-crisis", do=unfold),
    "lobby": View("/lobby"),
    "seek-form": View("/seek", is_guest=False),
    "seek": View("/seek/{seek}"),
    "seek-answer": View("/seek/{seek}", is_guest=False),
    "challenges": View("/challenges"),
    "account": View("/account", is_guest=False),
    "account-guest": View("/account"),
    "account-delete": View("/account/delete"),
    "account-recover": View("/account/recover", is_guest=False),
    "account-recover-link": View("/account/recover/{link}", is_guest=False),
    "report": View("/t/{over}/report"),
    "moderation": View("/moderation", moderates=True),
    "moderation-report": View("/moderation/report/{report}", moderates=True),
    "moderation-appeal": View("/moderation/appeal/{appeal}", moderates=True),
    "moderation-log": View("/moderation/log", moderates=True),
    "join": View("{join}", is_guest=False),
    "table-waiting": View("/t/{waiting}"),
    "table-agenda": View("/t/{agenda}"),
    "table-play": View("/t/{play}"),
    "table-play-all": View("/t/{play}", do=show_all),
    "table-armed": View("/t/{agenda}", do=arm),
    "table-command": View("/t/{command}"),
    "table-menu": View("/t/{command}", do=open_menu),
    "table-problem": View("/t/{command}", do=wrong_move),
    "table-watching": View("/t/{command}", is_guest=False),
    "table-cover": View("/t/{cover}"),
    "table-over": View("/t/{over}"),
    "replay": View("/t/{over}/replay/60"),
    "replay-running": View("/t/{command}/replay"),
    "replay-share": View("/t/{over}/replay/60", do=lambda page: open_box(page, "#share")),
    "animation": View("/t/{over}/replay.webp"),
    "embed": View("/t/{over}/embed?at=60&as=us", is_guest=False),
    "branches": View("/t/{over}/branches/60"),
    "play-on": View("/t/{over}/play-on/60"),
    "finished": View("/t/{over}/finished"),
    "match": View("/match/{match}"),
    "match-break": View("/t/{break}"),
    "duplicate": View("/duplicate/{duplicate}", is_guest=False),
    "duplicate-over": View("/duplicate/{compared}", is_guest=False),
    "duplicate-seats": View("/duplicate/{seats}"),
    "duplicate-new": View("/duplicate/new", moderates=True),
    "analysis": View("/t/{over}/analysis", do=decide_again),
    "ratings": View("/ratings", is_guest=False),
    "library": View("/library", is_guest=False),
    "rules": View("/rules/13-days", is_guest=False),
    "cards": View("/cards/13-days", is_guest=False),
    "days": View("/cards/13-days/days", is_guest=False),
    "rulings": View("/rulings/13-days", is_guest=False),
    "course": View("/learn/13-days", is_guest=False),
    "lesson": View("/learn/13-days/first/2", is_guest=False),
    "lesson-ask": View("/learn/13-days/first/3", is_guest=False),
    "lesson-wrong": View("/learn/13-days/first/3?answer=place+3+italy", is_guest=False),
    "lesson-end": View("/learn/13-days/first/14", is_guest=False),
    "workshop": View("/workshop/13-days", is_guest=False, do=mistype),
    "puzzles": View("/puzzles/13-days"),
    "puzzle": View("/puzzles/13-days/1", is_guest=False),
    "puzzle-answered": View("/puzzles/13-minutes/today", do=solve),
    "verify": View("/verify", is_guest=False),
    "verify-table": View("/verify?table={over}", is_guest=False),
    "upload": View("/replay/upload", is_guest=False),
    "profile": View("/people/{person}", do=open_details),
    "history": View("/people/{person}/games"),
    "history-empty": View("/people/{person}/games?result=drawn&ending=time"),
    "statistics": View("/statistics", is_guest=False),
    "tournaments": View("/tournaments", is_guest=False),
    "tournament": View("/tournaments/{tournament}", is_guest=False, do=open_all),
    "tournament-new": View("/tournaments/new"),
    "watch": View("/t/{shown}/watch", is_guest=False),
    "watch-box": View("/t/{shown}", do=lambda page: open_box(page, "#watch-box")),
    "record-own": View("/record"),
    "record-new": View("/record/new/ukrainian-crisis", do=open_details),
    "record-dealing": View("/record/{dealing}"),
    "record": View("/record/{record}", do=open_details),
    "record-correct": View("/record/{record}/at/12"),
    "series": View("/series/{series}"),
    "daily": View("/daily"),
    "daily-results": View("/daily/13-days/{today}"),
    "daily-deal": View("/daily/13-days/{yesterday}", is_guest=False),
    "solo": View("/solo"),
    "solo-diary": View("/solo/13-days/0"),
    "print": View("/print/13-days", is_guest=False),
    "overlay": View("/t/{shown}/overlay", is_guest=False, is_sheet=True),
    "print-cards": View("/print/13-days/cards", is_guest=False, is_sheet=True),
    "print-board": View("/print/13-days/board", is_guest=False, is_sheet=True),
    "print-score-sheet": View("/print/13-days/score-sheet", is_guest=False, is_sheet=True),
    "print-counters": View("/print/13-days/counters", is_guest=False, is_sheet=True),
    "print-player-aid": View("/print/13-days/player-aid", is_guest=False, is_sheet=True),
    "nowhere": View("/nowhere", is_guest=False),
    "offline": View("/offline", is_guest=False),
}
IN_ALL_LANGUAGES = (
    "home",
    "new",
    "lobby",
    "seek-form",
    "seek",
    "challenges",
    "account-guest",
    "account-delete",
    "account-recover",
    "report",
    "moderation-report",
    "table-agenda",
    "table-play",
    "table-command",
    "table-over",
    "replay",
    "finished",
    "match",
    "duplicate-over",
    "duplicate-seats",
    "analysis",
    "ratings",
    "library",
    "lesson-ask",
    "puzzle",
    "verify",
    "rules",
    "tournaments",
    "tournament",
    "profile",
    "history",
    "statistics",
)


PICTURED = (
    *("home", "home-guest", "join", "account-guest"),
    *("table-agenda", "table-play", "table-command", "table-menu", "table-watching", "table-over"),
    *("replay", "finished", "analysis", "library", "rules", "cards"),
    *("lesson", "lesson-ask", "puzzles", "puzzle"),
)
"""Pages of which there are reference pictures, on a wide screen and a phone."""


@pytest.fixture(scope="module")
def places(chromium: Any, server: Server) -> Iterator[Places]:
    contexts = [chromium.new_context() for _ in range(2)]
    with pytest.MonkeyPatch.context() as monkeypatch:
        state, services = server.app.state, server.app.state.services
        # So that there are pages that speak of mails and devices. Undoing it, monkeypatch would delete what is no plain
        # attribute.
        told = {"smtp_host": "mail.example.org", "push_contact": "mailto:ops@example.org", "public_url": server.url}
        settings = replace(services.settings, **told)
        state.services = replace(services, settings=settings)
        monkeypatch.setattr(showcase, "day_of", lambda _: 0)  # the home page shows the puzzle of one day, not of today
        yield Places(server, contexts, monkeypatch)
        state.services = services
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def browsers(chromium: Any, places: Places) -> Iterator[Callable[..., Any]]:
    """A page for each kind of screen and visitor, kept open from test to test."""
    pages: dict[tuple[str, str], Any] = {}
    stored = {"anna": places.stored, "moderator": places.moderator, "stranger": None}

    def page_for(look: str, who: str) -> Any:
        if (look, who) not in pages:
            context = chromium.new_context(
                **LOOKS[look],
                locale="en-GB",
                reduced_motion="reduce",
                bypass_csp=True,  # axe-core is put into the page by the test; the server's policy would refuse it
                storage_state=stored[who],
            )
            pages[look, who] = context.new_page()
        return pages[look, who]

    yield page_for
    for page in pages.values():
        page.context.close()


def show(browsers: Callable[..., Any], places: Places, name: str, look: str, language: str) -> Any:
    """A page as somebody sees it."""
    view = VIEWS[name]
    page = browsers(look, "moderator" if view.moderates else "anna" if view.is_guest else "stranger")
    # The layout too: a picture of a whole page is a high window for a moment, and a table notes what it fits.
    for cookie, value in (("language", language), ("layout", "narrow" if look.startswith("phone") else "wide")):
        page.context.add_cookies([{"name": cookie, "value": value, "url": places.anna.server.url}])
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")  # what the page before has left unfolded
    page.goto(places.anna.server.url + view.path.format(**places.names))
    view.do(page)
    return page


@pytest.mark.parametrize("look", ["desktop-light", "phone-dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_a_page_is_accessible(browsers: Callable[..., Any], places: Places, name: str, look: str) -> None:
    page = show(browsers, places, name, look, "en")
    picture(page, f"{name}-{look}-en")
    assert_accessible(page)
    if not VIEWS[name].is_sheet:
        assert_fits(page)
    if name in PICTURED:
        assert_looks_the_same(page, f"{name}-{look}")


@pytest.mark.parametrize("look", ["desktop-dark", pytest.param("phone-light", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["home", "table-command", "table-play-all", "replay", "finished", "rules"])
def test_a_page_is_accessible_in_the_other_theme_too(
    browsers: Callable[..., Any], places: Places, name: str, look: str
) -> None:
    page = show(browsers, places, name, look, "en")
    picture(page, f"{name}-{look}-en")
    assert_accessible(page)
    assert_fits(page)


def test_a_reference_picture_notices_that_a_button_is_missing(browsers: Callable[..., Any], places: Places) -> None:
    page = show(browsers, places, "table-play", "desktop-light", "en")
    page.locator("#choices button").first.evaluate("button => { button.style.visibility = 'hidden'; }")
    assert changed_share(page, "table-play-desktop-light") > MAX_CHANGED_SHARE


def test_a_lesson_has_its_board_beside_its_text_and_its_cards_below(
    browsers: Callable[..., Any], places: Places
) -> None:
    page = show(browsers, places, "lesson-ask", "desktop-light", "en")
    board, teacher, card = (
        page.locator(part).first.bounding_box() for part in (".board-box svg", ".teacher", ".lesson-hand .face")
    )
    assert abs(board["y"] - teacher["y"]) < 10
    assert board["x"] + board["width"] < teacher["x"]
    assert card["width"] > 100


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", IN_ALL_LANGUAGES)
def test_a_page_fits_the_screen_in_every_language(
    browsers: Callable[..., Any], places: Places, name: str, language: str
) -> None:
    for look in ("phone-light", "desktop-light"):
        page = show(browsers, places, name, look, language)
        assert page.get_attribute("html", "lang") == language
        picture(page, f"{name}-{look}-{language}")
        assert_fits(page)


def assert_accessible(page: Any) -> None:
    results = axe.Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def assert_fits(page: Any) -> None:
    """Nothing has to be scrolled sideways."""
    width = page.viewport_size["width"]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        wide = page.evaluate(
            "width => [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > width + 1)"
            ".slice(0, 5).map(e => e.outerHTML.slice(0, 160))",
            width,
        )
        pytest.fail(f"wider than {width}: {wide}")
