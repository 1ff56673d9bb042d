"""How many tables, jobs, uploads, mails and chat lines one person and one address may have."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from brinkmanship.store import repository
from brinkmanship.store.background_jobs import JobStore
from brinkmanship.store.background_jobs import Kept as CutOff
from brinkmanship.store.database import open_database
from brinkmanship.store.writer import Writer
from brinkmanship.text import LANGUAGES
from brinkmanship.web.accounts.contacts import ContactService
from brinkmanship.web.accounts.users import UserService
from brinkmanship.web.jobs import background
from brinkmanship.web.jobs.background import BackgroundJobs, JobQuotas
from brinkmanship.web.jobs.job_limit import JobLimit
from brinkmanship.web.jobs.process_pool import JobFailedError
from brinkmanship.web.server.app import create_app
from brinkmanship.web.studies import boards
from brinkmanship.web.support import rate_limit
from brinkmanship.web.support.errors import TooManyError, UnavailableError
from brinkmanship.web.support.settings import Settings, from_environment
from brinkmanship.web.support.supervisor import Supervisor
from brinkmanship.web.support.table_terms import Terms
from brinkmanship.web.tables import hints
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.quotas import MARK_LENGTH, mark_of
from brinkmanship.web.tables.seating import TableSettings
from support.house import House, run
from support.loops import run_in_thread
from support.patience import until
from support.visitors import Visitor, registered

PROXY = "127.0.0.1"


class At(Visitor):
    """A browser at an address."""

    def __init__(self, client: TestClient, address: str) -> None:
        super().__init__(client)
        self.address = address

    def ask(self, *given: Any, **headers: Any):  # type: ignore[no-untyped-def]
        return super().ask(*given, **{**headers, "x_forwarded_for": self.address})

    def refused(self, mode: str, **fields: object) -> str:
        """Ask for a table that is refused; the page that says so."""
        answer = self.post("/tables", game="13-days", mode=mode, side=0, name="Anna", csrf=self.csrf, **fields)
        assert answer.status_code == 429, answer.text
        assert int(answer.headers["retry-after"]) > 0
        return str(answer.text)


Serve = Callable[..., Callable[[str], At]]
ONE, OTHER = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def serve(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start a server with quotas; what is returned makes visitors by their address."""
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    opened: list[TestClient] = []

    def start(**changes: object) -> Callable[[str], At]:
        app = create_app(replace(settings, trusted_proxies=(PROXY,), **changes))  # type: ignore[arg-type]
        opened.append(client := TestClient(app, client=(PROXY, 50_000)))
        client.__enter__()
        return lambda address: At(client, address)

    yield start
    for client in opened:
        client.__exit__(None, None, None)


def test_open_tables_are_counted_by_address(serve: Serve) -> None:
    at = serve(open_tables_of_address=3)
    opened = [(guest := at(ONE), guest.begin("open")) for _ in range(3)]
    another = at(ONE)
    said = set()
    for language in LANGUAGES:
        another.cookies["language"] = language
        said.add(another.refused("open"))
    assert len(said) == len(LANGUAGES)
    another.cookies["language"] = "en"
    assert "Withdraw one first" in another.refused("open")
    another.begin("friend")  # a friend may always be invited
    at(OTHER).begin("open")
    host, table = opened[0]
    assert host.post(f"{table}/withdraw", csrf=host.csrf).status_code == 303
    another.begin("open")


def test_unfinished_tables_are_counted_by_person(serve: Serve) -> None:
    at = serve(tables_of_person=2)
    anna = at(ONE)
    first = anna.begin("same")
    anna.begin("same")
    assert "reached the maximum number of unfinished games" in anna.refused("same")
    at(ONE).begin("same")  # another person at the same address
    anna.post(f"{first}/resign", side=0, sure="true", csrf=anna.csrf)
    anna.begin("same")
    token = anna.client.post("/api/v1/tokens", json={"name": "Program"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    asked = {"game": "13-days", "seats": ["me", "me"]}
    statuses = [anna.client.post("/api/v1/tables", json=asked, headers=headers).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]


def test_unfinished_tables_are_counted_by_address(serve: Serve) -> None:
    at = serve(tables_of_address=3)
    tables = [(guest := at(ONE), guest.begin("same")) for _ in range(3)]
    another = at(ONE)
    assert "network has reached the maximum" in another.refused("same")
    at(OTHER).begin("same")
    guest, table = tables[0]
    guest.post(f"{table}/resign", side=0, sure="true", csrf=guest.csrf)
    another.begin("same")


def test_the_tables_of_a_duplicate_round_count_for_the_address_before_they_are_there(serve: Serve) -> None:
    at = serve(tables_of_address=4)
    round_of = {"game": "13-days", "clock": "days 3", "days": 3}

    def organise(visitor: At, tables: int) -> Any:
        return visitor.post("/duplicate", tables=tables, csrf=visitor.csrf, **round_of)

    anna, boris = at(ONE), at(OTHER)
    for visitor, name in ((anna, "Anna"), (boris, "Boris")):
        registered(visitor, name)  # with a table
    anna.begin("same")
    refused = organise(anna, 3)
    assert (refused.status_code, "network has reached the maximum" in refused.text) == (429, True)
    assert [organise(visitor, tables).status_code for visitor, tables in ((anna, 2), (boris, 3))] == [303, 303]
    assert "network has reached the maximum" in anna.refused("same")


def test_open_seeks_are_counted_by_address(serve: Serve) -> None:
    at = serve(open_tables_of_address=2)

    def seek(visitor: At) -> Any:  # all want the same side, so that none is paired
        wish = {"want": "13-days:0", "clock": "days 3", "pace": "days", "name": "Anna"}
        return visitor.post("/seek", csrf=visitor.csrf, **wish)

    first, another = at(ONE), at(ONE)
    sought = [seek(visitor) for visitor in (first, at(ONE))]
    refused = seek(another)
    assert (refused.status_code, "Too many people on your network" in refused.text) == (429, True)
    sought.append(seek(at(OTHER)))
    assert first.post(f"{sought[0].headers['location']}/withdraw", csrf=first.csrf).status_code == 303
    sought.append(seek(another))
    assert [answer.status_code for answer in sought] == [303] * 4


def test_who_has_too_many_tables_challenges_nobody(serve: Serve) -> None:
    at = serve(tables_of_person=2)
    anna, boris = registered(at(ONE), "Anna"), registered(at(OTHER), "Boris")  # with a table each
    table = anna.begin("same")

    def challenge(visitor: Visitor, to: str) -> Any:
        return visitor.post("/challenges", to=to, play="13-days:0", clock="days 3", csrf=visitor.csrf)

    refused = challenge(anna, "boris")
    assert (refused.status_code, "reached the maximum number of unfinished" in refused.text) == (429, True)
    assert challenge(boris, "anna").status_code == 303
    anna.post(f"{table}/resign", side=0, sure="true", csrf=anna.csrf)
    assert challenge(anna, "boris").status_code == 303


def finished_record(visitor: At) -> bytes:
    """The journal of a game that a visitor has resigned."""
    table = visitor.begin("same")
    visitor.post(f"{table}/resign", side=0, sure="true", csrf=visitor.csrf)
    return visitor.get(f"{table}/journal").encode()


def uploaded(visitor: At, record: bytes) -> str:
    """The id of an upload."""
    answer = visitor.send("/replay/upload", {"file": ("a.brink", record)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/u/")


def test_uploads_push_out_those_of_the_same_address_only(serve: Serve) -> None:
    at = serve(uploads_of_address=2)
    one, other = at(ONE), at(OTHER)
    record = finished_record(one)
    kept = uploaded(other, record)
    own = [uploaded(one, record) for _ in range(4)]
    engine = one.client.app.state.services.engine  # type: ignore[attr-defined]
    assert [repository.upload_of(engine, each) is not None for each in (kept, *own)] == [True, False, False, True, True]


def test_uploads_are_counted_by_person_at_all_addresses(serve: Serve) -> None:
    at = serve(uploads_of_person=2)
    anna, stranger = at(ONE), at(ONE)
    record = finished_record(anna)
    kept = uploaded(stranger, record)
    own = []
    for address in (ONE, OTHER, "192.0.2.3"):
        anna.address = address
        own.append(uploaded(anna, record))
    engine = anna.client.app.state.services.engine  # type: ignore[attr-defined]
    assert [repository.upload_of(engine, each) is not None for each in (kept, *own)] == [True, False, True, True]


def test_of_too_many_uploads_the_oldest_of_those_go_who_have_most(settings: Settings) -> None:
    engine = open_database(settings.database_url)
    sent = ["b", "a", "a", "c", "a", "a", "b", None]
    for number, address_mark in enumerate(sent):
        repository.keep_upload(engine, str(number), "", float(number), 4, repository.Sender(address_mark))
    left = [number for number in range(len(sent)) if repository.upload_of(engine, str(number)) is not None]
    engine.dispose()
    assert [sent[number] for number in left] == ["c", "a", "b", None]


def test_an_upload_may_be_stored_twice(settings: Settings) -> None:
    engine = open_database(settings.database_url)
    for number in range(2):  # both requests have found that there is none
        repository.keep_upload(engine, "id", "the journal", float(number), 4, repository.Sender())
    assert repository.upload_of(engine, "id") == "the journal"
    engine.dispose()


def test_the_database_keeps_no_address() -> None:
    assert mark_of("") is None
    assert mark_of(ONE) != mark_of(OTHER)
    assert len(mark_of(ONE) or "") == MARK_LENGTH


def test_confirmation_mails_are_counted_by_the_address_that_asks(settings: Settings) -> None:
    engine = open_database(settings.database_url)
    people = UserService(engine, lambda _: None)
    service = ContactService(engine, mails_of_address=3)

    def ask(number: int) -> None:
        guest, _ = people.add_guest("Anna", "en")
        service.give_email(guest.id, f"victim{number}@example.org")

    def at(address: str, numbers: range) -> None:
        before = rate_limit.client_address.set(address)
        try:
            for number in numbers:
                ask(number)
        finally:
            rate_limit.client_address.reset(before)

    at(ONE, range(3))
    with pytest.raises(TooManyError):
        at(ONE, range(3, 4))
    at(OTHER, range(4, 7))
    engine.dispose()


def test_onlookers_cannot_fill_the_chat(serve: Serve) -> None:
    at = serve(onlooker_lines_per_minute=8, chat_lines_per_minute=40)
    anna = at(ONE)
    table = anna.begin("same")
    anna.get(table)

    def say(visitor: At) -> int:
        return int(visitor.post(f"{table}/chat", text="hello", csrf=visitor.csrf).status_code)

    guests = [at(OTHER) for _ in range(3)]
    for guest in guests:
        guest.begin("same")
    assert [say(guests[number % 3]) for number in range(4)] == [303, 303, 429, 429]
    assert [say(anna) for _ in range(11)] == [303] * 10 + [429]
    elsewhere = at("192.0.2.3")
    elsewhere.begin("same")
    assert say(elsewhere) == 303


# ---- Jobs.


class Patient:
    """Stands for the process that works: says in what order it was asked, and answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.answers: list[Future[bytes]] = []

    def submit(self, _: str, question: bytes | Callable[[], bytes], *__: object) -> Future[bytes]:
        self.asked.append(question if isinstance(question, bytes) else question())
        self.answers.append(Future())
        return self.answers[-1]


class Kept:
    """Stands for the table in which jobs are kept."""

    def kept(self, _: str) -> CutOff:
        """Every job was begun by a server that has ended."""
        return CutOff(is_at_work=False, progress=None, report=None, fault=None)

    def take(self, *_: object, **__: object) -> bool:
        return True

    def reporting(self, *_: object) -> None:
        return None


class Writing:
    """Stands for the writer."""

    async def write(self, *_: object) -> None:
        return None


def job(name: str) -> Any:
    return SimpleNamespace(about=name, columns={})


def test_addresses_take_turns_and_none_fills_the_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = Patient()
    monkeypatch.setattr(background, "background_pool", lambda: patient)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)
    monkeypatch.setattr(background, "PER_MINUTE", 1_000)
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)

    async def test() -> None:
        tasks = Supervisor()
        store, writer = cast(JobStore, Kept()), cast(Writer, Writing())
        jobs = BackgroundJobs[bytes]("x", store, bytes, "quota.jobs", writer, tasks, JobQuotas(3, 0))

        async def begin(address: str, name: str) -> None:
            rate_limit.client_address.set(address)
            await jobs.begin(job(name), name.encode)

        async def asked(count: int) -> None:
            await until(lambda: len(patient.asked) >= count)

        for number in range(3):
            await begin(ONE, f"one {number}")
        with pytest.raises(TooManyError) as refused:
            await begin(ONE, "one 3")
        assert refused.value.specific_key == "quota.jobs"
        await begin(OTHER, "other 0")
        await asked(2)
        assert patient.asked == [b"one 0", b"other 0"]  # the second one of the first address is not in line before it
        for number in range(4):
            patient.answers[number].set_result(b"")
            await asked(min(4, number + 3 if number != 1 else 3))
        assert patient.asked == [b"one 0", b"other 0", b"one 1", b"one 2"]
        while jobs._progress:
            await asyncio.sleep(0)
        await begin(ONE, "one 4")
        await asked(5)
        assert jobs._clients.total == 1
        patient.answers[4].set_result(b"")
        while jobs._turns:
            await asyncio.sleep(0)
        await tasks.close()

    run_in_thread(test())


def test_jobs_that_were_cut_off_begin_again_in_the_places_of_who_looks_at_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "background_pool", Patient)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)

    async def test() -> None:
        tasks = Supervisor()
        store, writer = cast(JobStore, Kept()), cast(Writer, Writing())
        jobs = BackgroundJobs[bytes]("x", store, bytes, "quota.jobs", writer, tasks, JobQuotas(2, 1))
        clients = ((ONE, "", "a"), (ONE, "", "b"), (ONE, "", "c"), (OTHER, "anna", "d"), ("192.0.2.3", "anna", "e"))
        for address, person_id, name in clients:
            rate_limit.client_address.set(address)
            rate_limit.client_person.set(person_id)
            assert (await jobs.state(job(name), name.encode)).status == "at_work"
        assert [*jobs._progress] == ["a", "b", "d"]
        await tasks.close()

    run_in_thread(test())


def test_jobs_are_counted_by_person_at_all_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = Patient()
    monkeypatch.setattr(background, "background_pool", lambda: patient)
    monkeypatch.setattr(background, "is_interpreting", lambda: False)
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)

    async def test() -> None:
        tasks = Supervisor()
        store, writer = cast(JobStore, Kept()), cast(Writer, Writing())
        jobs = BackgroundJobs[bytes]("x", store, bytes, "quota.jobs", writer, tasks, JobQuotas(3, 2))

        async def begin(address: str, person_id: str, name: str) -> None:
            rate_limit.client_address.set(address)
            rate_limit.client_person.set(person_id)
            await jobs.begin(job(name), name.encode)

        await begin(ONE, "anna", "first")
        await begin(OTHER, "anna", "second")
        with pytest.raises(TooManyError):
            await begin("192.0.2.3", "anna", "third")
        await begin(OTHER, "boris", "of Boris")
        await until(lambda: len(patient.answers) == 2)
        patient.answers[0].set_result(b"")
        await until(lambda: "first" not in jobs._progress)
        await begin("192.0.2.3", "anna", "third")
        assert [*jobs._progress] == ["second", "of Boris", "third"]
        await tasks.close()

    run_in_thread(test())


def test_a_person_has_one_budget_of_hints_at_all_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    limit = JobLimit(8, "hints", "hints.refused.many")  # a burst of two

    async def ask(number: int, person_id: str) -> bool:
        rate_limit.client_address.set(f"192.0.2.{number}")
        rate_limit.client_person.set(person_id)
        try:
            async with limit.place():
                return True
        except TooManyError:
            return False

    async def test() -> None:
        assert [await ask(number, "anna") for number in range(3)] == [True, True, False]
        assert [await ask(number, "") for number in range(3, 6)] == [True, True, True]
        assert [await ask(7, name) for name in ("anna", "anna", "anna", "", "")] == [False, False, False, True, True]

    run_in_thread(test())


@pytest.mark.parametrize("module", [hints, boards])
def test_no_address_takes_all_places_for_hints_or_comparisons(
    database: str, monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    patient = Patient()
    monkeypatch.setattr(module, "process_pool", lambda: patient)
    monkeypatch.setattr(rate_limit, "PAUSE_SECONDS", 0)

    async def test(house: House) -> None:
        plan = TableSettings("13-days", ["me", "me"], terms=Terms(hints=True))
        tables = [(await house.services.seating.create(plan, house.anna.id, "Anna"))[0] for _ in range(4)]

        async def ask(table: LiveTable) -> object:
            if module is hints:
                return await house.services.hints.hint(table.id, house.anna.id, 0, table.version(0))
            return await house.services.boards.compare(table.game, 0, [[table.match.state]])

        async def begin(address: str, number: int) -> asyncio.Task[object]:
            rate_limit.client_address.set(address)
            before, task = len(patient.asked), asyncio.create_task(ask(tables[number]))
            await until(lambda: task.done() or len(patient.asked) > before)
            return task

        failing, other = await begin(ONE, 0), await begin(ONE, 1)
        refused = await begin(ONE, 2)
        assert isinstance(refused.exception(), TooManyError)
        of_another = await begin(OTHER, 2)
        patient.answers[0].set_exception(JobFailedError("the process ended"))
        with pytest.raises(UnavailableError):
            await failing
        later = await begin(ONE, 3)
        assert len(patient.asked) == 4
        for answer in patient.answers[1:]:
            answer.set_result(b"")  # nothing until the rules are compiled
        ends = await asyncio.gather(other, of_another, later, return_exceptions=True)
        assert {type(each) for each in ends} == {UnavailableError}

    run(database, test)


def test_quotas_are_settings() -> None:
    names = (
        *("open_tables_of_address", "tables_of_person", "tables_of_address", "jobs_of_address", "jobs_of_person"),
        *("uploads_of_address", "uploads_of_person"),
        *("mails_of_address", "chat_lines_per_minute", "onlooker_lines_per_minute"),
    )
    read = from_environment({f"BRINK_{name.upper()}": "7" for name in names})
    assert {getattr(read, name) for name in names} == {7}
