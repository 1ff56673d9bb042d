"""Several machines share one PostgreSQL: a game goes on over all of them, whatever happens to one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from sqlalchemy import Engine, create_engine, func, select, text, update

from benchmarks.load import Load, Machine, measure_on
from brinkmanship.store.schema import jobs, records, tables
from brinkmanship.store.schema import workers as worker_rows
from brinkmanship.web.jobs.queue import Jobs
from brinkmanship.web.tables.record_kinds import ACTION
from brinkmanship.web.tables.statuses import FINISHED
from support.databases import fresh_database
from support.loops import in_thread
from support.patience import wait_until
from support.server_process import ServerProcess

MOVES = 8
"""In each part of the story."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    with fresh_database("postgresql", tmp_path) as url:
        yield url


@pytest.fixture
def machines(database: str, tmp_path: Path) -> Iterator[list[ServerProcess]]:
    """Two servers that start at the same time on an empty database."""
    command = ["-m", "brinkmanship", "serve", "--database", database]
    servers = [ServerProcess(command, tmp_path / f"log-{name}") for name in ("one", "two")]
    for server in servers:
        server.wait_until_it_answers()
    yield servers
    for server in servers:
        if server.process.poll() is None:
            server.stop()


@dataclass
class Place:
    """Where game after game is played on the same terms."""

    terms: dict[str, Any]
    table: str = ""
    """Where the present game is played."""


class Players:
    """Anna and Boris, who ask now this machine and now that one, as a proxy sends them."""

    def __init__(self, machines: list[ServerProcess]) -> None:
        self.machines = machines
        self._dice = random.Random(13)
        self.tokens = [self.ask("/tokens", body={"name": name})["token"] for name in ("Anna", "Boris")]
        self.acknowledged: dict[str, list[str]] = {}

    def ask(self, path: str, token: str = "", body: object = None) -> Any:
        """Ask until it is answered; 409 where it may have been done already."""
        answers: list[Any] = []

        def is_answered() -> bool:
            try:
                answers.append(self._dice.choice(self.machines).ask(path, token, body))
            except HTTPError as error:
                if error.code == 409:
                    answers.append(error.code)
                elif error.code != 503:
                    raise
            except OSError:
                pass
            return bool(answers)

        wait_until(is_answered)
        return answers[0]

    def set_table(self, *seats: str, game: str = "13-days", **more: object) -> Place:
        place = Place({"game": game, "seats": seats, **more})
        self.begin(place)
        return place

    def begin(self, place: Place) -> None:
        """Begin its next game."""
        begun = self.ask("/tables", self.tokens[0], place.terms)
        for invitation in begun["invitations"].values():
            self.ask(f"/tables/{begun['id']}/join", self.tokens[1], {"invitation": invitation})
        self.acknowledged[begun["id"]] = []
        place.table = str(begun["id"])

    def play(self, place: Place, moves: int = MOVES) -> None:
        """Whoever is asked takes an action; what was acknowledged is shown by every machine from then on."""
        done = 0
        while done < moves:
            for token in self.tokens:
                table = place.table
                view = self.ask(f"/tables/{table}", token)
                if view["status"] == FINISHED:  # the server deals by chance, so any game may end early by a war
                    self.begin(place)
                    break
                if not view["legal"]:
                    continue
                side, action = view["as_side"], self._dice.choice(view["legal"])
                body = {"side": side, "version": view["version"], "action": action}
                answer = self.ask(f"/tables/{table}/actions", token, body)
                if answer == 409:  # the line was cut in the moment of the commit, and it is done
                    continue
                self.acknowledged[table].append(action)
                for machine in self.machines:
                    with suppress(HTTPError):  # 503
                        shown = machine.ask(f"/tables/{table}?side={side}", token)
                        assert shown["version"] >= answer["version"]
                done += 1

    def play_to_the_end(self, table: str, before_each: Callable[[int], None]) -> int:
        """Play until the game is over; returns in how many actions. Before each its number is told."""
        done = 0
        while True:
            for token in self.tokens:
                view = self.ask(f"/tables/{table}", token)
                if view["status"] == FINISHED:
                    return done
                if view["legal"]:
                    before_each(done)
                    body = {
                        "side": view["as_side"],
                        "version": view["version"],
                        "action": self._dice.choice(view["legal"]),
                    }
                    if self.ask(f"/tables/{table}/actions", token, body) != 409:
                        done += 1


def kept(engine: Engine, table: str, wanted: Any) -> Any:
    with engine.connect() as connection:
        return connection.execute(select(wanted).where(tables.c.id == table)).scalar_one()


def cut_all_lines(engine: Engine) -> None:
    """All connections to the database but this one: the machines' pools and buses."""
    ours = "datname = current_database() AND pid <> pg_backend_pid()"
    with engine.begin() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}"))


@pytest.fixture
def workers(database: str, tmp_path: Path) -> Iterator[list[ServerProcess]]:
    """Two machines for computer players."""
    command = ["-m", "brinkmanship", "server", "worker", "--database", database, "--processes", "1"]
    workers = [ServerProcess(command, tmp_path / f"log-{name}", has_port=False) for name in ("three", "four")]
    yield workers
    for worker in workers:
        if worker.process.poll() is None:
            worker.stop()


def test_games_go_on_over_several_machines_cut_lines_and_the_death_of_one_after_the_other(
    workers: list[ServerProcess], machines: list[ServerProcess], database: str
) -> None:
    engine = create_engine(database)
    queue = Jobs(engine)
    machine, other = machines
    worker, other_worker = workers
    wait_until(lambda: len(queue.all_workers()) == 2)

    def a_move_is_heard_of_at_the_other_machine() -> bool:
        load = Load(games=2, seconds_between_decisions=0.1, seconds=1.0, hears=True)
        measured = in_thread(partial(measure_on, load, *(Machine(each.port, each.process.pid) for each in machines)))
        assert measured.errors == 0
        return bool(measured.heard)

    wait_until(a_move_is_heard_of_at_the_other_machine)

    def thought() -> int:
        return sum(row.done for row in queue.all_workers())

    players = Players(machines)
    together = players.set_table("me", "friend")
    players.machines = [machine]
    against = players.set_table("me", "computer:random")
    clocked = players.set_table("me", "friend", clock={"kind": "live", "minutes": 10})
    players.play(clocked, 2)  # from now on its clock runs
    players.play(against, 2)
    dead = kept(engine, against.table, tables.c.home)
    assert f"-{machine.process.pid}-" in dead
    # Where both workers were late to say that they live, the server thinks itself; then they are asked again.
    wait_until(lambda: thought() > 0, lambda: players.play(against, 1))
    players.machines = machines
    players.play(together)
    worker.kill()
    players.play(against, 2)
    cut_all_lines(engine)
    players.play(together)
    machine.kill()
    players.machines = [other]
    before = thought()
    players.play(against)  # the computer is asked from another home
    wait_until(lambda: thought() > before, lambda: players.play(against, 1))
    players.play(together)
    with engine.begin() as connection:  # the dead machine watched this clock, and now it runs out
        connection.execute(update(records).where(records.c.table_id == clocked.table).values(at=records.c.at - 1000))
        out = {"clock_ends_at": 1, "dealt_at": tables.c.dealt_at - 1000, "home": dead}
        connection.execute(update(tables).where(tables.c.id == clocked.table).values(**out))
    wait_until(lambda: kept(engine, clocked.table, tables.c.status) == FINISHED)
    other_worker.kill()
    with engine.begin() as connection:  # as its lease is over after a while
        connection.execute(update(worker_rows).values(expires_at=1))
    players.play(against, 2)  # nobody is left but the server itself
    with engine.connect() as connection:
        for table, actions in players.acknowledged.items():
            wanted = select(func.count()).where(records.c.table_id == table, records.c.kind == ACTION)
            assert connection.execute(wanted).scalar_one() >= len(actions)
        assert connection.execute(select(jobs.c.id).where(jobs.c.answer.is_not(None))).all() == []
    engine.dispose()


@pytest.mark.long
@pytest.mark.parametrize("game", ["13-days", "13-minutes", "ukrainian-crisis"])
def test_a_game_of_each_kind_goes_to_its_end_while_one_server_is_killed_twice(
    game: str, workers: list[ServerProcess], machines: list[ServerProcess], database: str
) -> None:
    engine = create_engine(database)
    wait_until(lambda: len(Jobs(engine).all_workers()) == len(workers))
    players = Players(machines)
    table = players.set_table("me", "friend", game=game).table
    against = players.set_table("me", "computer:random", game=game)
    killed: list[int] = []

    def kill_now_and_then(done: int) -> None:
        machine = machines[0]
        if done in (6, 18) and done not in killed:
            killed.append(done)
            machine.kill()
            players.machines = machines[1:]
            players.play(against, 2)  # the computer goes on, wherever it was asked
            players.machines = machines
        elif done in (9, 21):
            cut_all_lines(engine)
        elif done in (12, 24) and machine.process.poll() is not None:
            machine.start()
            machine.wait_until_it_answers()

    actions = players.play_to_the_end(table, kill_now_and_then)
    assert killed == [6, 18]
    with engine.connect() as connection:
        wanted = select(func.count()).where(records.c.table_id == table, records.c.kind == ACTION)
        assert connection.execute(wanted).scalar_one() >= actions
    assert kept(engine, table, tables.c.status) == FINISHED
    engine.dispose()
