"""The database: its schema, its migrations, and how it is opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import bindparam, create_engine, event, func, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from brinkmanship.store import database
from brinkmanship.store.database import MIGRATIONS, DatabaseError, migrate, open_database
from brinkmanship.store.schema import metadata, people, records, tables
from brinkmanship.store.writer import Statement, Writer, as_the_driver_takes_it
from support.databases import KINDS, fresh_database
from support.loops import run_in_thread


@pytest.mark.parametrize("kind", KINDS)
def test_the_migrations_lead_to_the_schema(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        engine.dispose()
        open_database(url).dispose()  # a second start finds nothing to do


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "is not a database; give sqlite:///PATH or postgresql://"),
        ("mysql://root@localhost/test", "mysql is not supported"),
        ("sqlite:////no/such/folder/table.sqlite3", "cannot be opened"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named(url: str, said: str) -> None:
    with pytest.raises(DatabaseError, match=said):
        open_database(url)


@pytest.mark.parametrize("kind", KINDS)
def test_no_migration_loses_what_was_played(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with engine.begin() as connection:
            for name in reversed(metadata.sorted_tables):
                connection.execute(text(f"DROP TABLE {name.name}"))
            connection.execute(text("DROP TABLE alembic_version"))
            config.attributes["connection"] = connection
            command.upgrade(config, "0001")
            connection.exec_driver_sql(
                "INSERT INTO tables (id, game, rules_version, options, secret, commitment, is_open, created_at, status,"
                " result, asked) VALUES ('old', '13-days', 1, '{}', '', '', FALSE, 1, 'running', '', ''), ('even',"
                " 'ukrainian-crisis', 1, '{\"scenario\": \"balanced\"}', '', '', FALSE, 1, 'running', '', '')"
            )
            connection.exec_driver_sql("INSERT INTO records VALUES ('old', 1, 'action', 0, 5, 1.0)")
        migrate(engine)
        with engine.begin() as connection:
            assert connection.exec_driver_sql("SELECT value FROM records").scalars().all() == [5]
            assert connection.exec_driver_sql("SELECT home FROM tables").scalars().all() == [None, None]
            begun = connection.execute(select(tables.c.options).where(tables.c.id == "even")).scalar_one()
            assert begun == {"scenario": "balanced", "prestige_ru": 38}, "what a game began with stays"
            connection.execute(tables.delete())  # and what refers to a table still goes with it
            assert connection.exec_driver_sql("SELECT value FROM records").scalars().all() == []
        engine.dispose()


@pytest.mark.parametrize("kind", KINDS)
def test_tables_without_a_clock_have_none(kind: str, tmp_path: Path) -> None:
    """JSON's null counted as a clock once, and every running table was read at the start."""
    with fresh_database(kind, tmp_path) as url:
        engine = create_engine(url)
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "0006")
            for table_id, clock, status in (
                ("none", "null", "running"),
                ("live", '{"kind": "live", "minutes": 5}', "running"),
                ("over", '{"kind": "live", "minutes": 5}', "over"),
            ):
                connection.execute(
                    text(
                        "INSERT INTO tables (id, game, rules_version, options, secret, commitment, is_open, clock,"
                        " created_at, status, result, asked) VALUES (:id, '13-days', 1, '{}', :secret, '', false,"
                        " :clock, 0, :status, '', '')"
                    ),
                    {"id": table_id, "clock": clock, "status": status, "secret": b""},
                )
        migrate(engine)
        with engine.begin() as connection:
            without = select(tables.c.id).where(tables.c.clock.is_(None))
            assert list(connection.execute(without).scalars()) == ["none"]
            due = select(tables.c.id).where(tables.c.clock_ends_at.is_not(None))
            assert list(connection.execute(due).scalars()) == ["live"]
            connection.execute(tables.update().values(clock=None))
            assert len(connection.execute(without).all()) == 3
        engine.dispose()


def person(number: int) -> Statement:
    row = {"id": f"p{number}", "name": "Anna", "login": None, "password_hash": None}
    return Statement(_insert_person, {**row, "language": "en", "created_at": 0.0})


_insert_person = insert(people)


@pytest.mark.parametrize("kind", KINDS)
def test_what_fails_in_a_batch_fails_alone(kind: str, tmp_path: Path) -> None:
    async def write_together(writer: Writer) -> list[object]:
        jobs = [writer.write(person(number)) for number in (1, 2, 1, 3)]
        return await asyncio.gather(*jobs, return_exceptions=True)

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        writer = Writer(engine)
        done = run_in_thread(write_together(writer))
        writer.close()
        assert [type(result) for result in done] == [type(None), type(None), IntegrityError, type(None)]
        with engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(people)).scalar() == 3
        engine.dispose()


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_in_turn_after_turn_goes_into_one_transaction(kind: str, tmp_path: Path) -> None:
    together: list[int] = []

    async def write_in_turns(writer: Writer) -> None:
        jobs = []
        for number in range(5):
            jobs.append(asyncio.create_task(writer.write(person(number))))
            await asyncio.sleep(0)
        await asyncio.gather(*jobs)

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        writer = Writer(engine, observe=lambda jobs, *_: together.append(jobs))
        run_in_thread(write_in_turns(writer))
        writer.close()
        engine.dispose()
    assert together == [5]


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_is_answered_before_the_writes_of_its_batch(kind: str, tmp_path: Path) -> None:
    async def ask_and_write(writer: Writer) -> tuple[object, ...]:
        name = select(people.c.name).where(people.c.id == bindparam("who"))
        await writer.write(person(1))
        before, missing, failed, *_, written = await asyncio.gather(
            writer.first(name, {"who": "p1"}),
            writer.first(name, {"who": "p2"}),
            writer.first(text("SELECT nothing FROM nowhere"), {}),
            writer.write(Statement(_rename_person, {"who": "p1", "new_name": "Eva"}, must_change=True)),
            writer.write(Statement(_rename_person, {"who": "p2", "new_name": "Eva"}, must_change=True)),
            writer.write(person(3)),
            return_exceptions=True,
        )
        after = await writer.first(name, {"who": "p1"})
        return before, missing, type(failed), written, after

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        writer = Writer(engine)
        before, missing, failed, written, after = run_in_thread(ask_and_write(writer))
        writer.close()
        engine.dispose()
    assert (before, missing, written, after) == (("Anna",), None, None, ("Eva",))
    assert isinstance(failed, type)
    assert issubclass(failed, DBAPIError)


def test_queries_wait_for_an_unreachable_database_once() -> None:
    attempts: list[object] = []

    async def ask(writer: Writer) -> list[object]:
        return await asyncio.gather(*(writer.first(select(1), {}) for _ in range(3)), return_exceptions=True)

    engine = create_engine("sqlite:////no/such/folder/table.sqlite3")
    event.listen(engine, "do_connect", lambda *_: attempts.append(None))
    writer = Writer(engine)
    answers = run_in_thread(ask(writer))
    writer.close()
    assert [type(answer) for answer in answers] == [OperationalError] * 3
    assert len(attempts) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_move_writes_is_handed_to_the_driver_with_what_the_driver_takes(kind: str, tmp_path: Path) -> None:
    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        written = as_the_driver_takes_it(insert(records), engine.dialect, tuple(records.c.keys()))
        engine.dispose()
    row = {"table_id": "t1", "number": 1, "kind": "action", "actor": 0, "value": 7, "at": 1}
    assert written is not None
    (given,) = written.all([row])
    assert list(given.values() if isinstance(given, dict) else given) == ["t1", 1, "action", 0, 7, 1.0]
    assert row["at"] == 1  # who gave it may look at it again


@pytest.mark.parametrize("kind", KINDS)
def test_of_what_is_written_together_nothing_is_kept_where_a_part_fails(kind: str, tmp_path: Path) -> None:
    async def write(writer: Writer) -> None:
        await writer.write(person(1))
        with pytest.raises(IntegrityError):
            await writer.write(person(2), Statement(_rename_person, {"who": "p1", "new_name": "Eva"}), person(1))
        await writer.write(person(3), Statement(_rename_person, {"who": "p3", "new_name": "Eva"}))

    with fresh_database(kind, tmp_path) as url:
        engine = open_database(url)
        writer = Writer(engine)
        run_in_thread(write(writer))
        writer.close()
        with engine.connect() as connection:
            kept = connection.execute(select(people.c.id, people.c.name).order_by(people.c.id)).all()
        assert kept == [("p1", "Anna"), ("p3", "Eva")]
        engine.dispose()


_rename_person = people.update().where(people.c.id == bindparam("who")).values(name=bindparam("new_name"))


def test_connections_that_were_cut_while_they_lay_idle_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_database("postgresql", tmp_path) as url:
        engine = open_database(url)
        with engine.connect() as one, engine.connect() as two:
            lines = [connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() for connection in (one, two)]
        other_engine = open_database(url)
        with other_engine.connect() as other:
            for line in lines:
                other.exec_driver_sql("SELECT pg_terminate_backend(%s)", (line,))
        other_engine.dispose()
        monkeypatch.setattr(database, "TRUSTED_SECONDS", 0.0)
        for _ in range(2):
            with engine.connect() as connection:
                assert connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() not in lines
        engine.dispose()
