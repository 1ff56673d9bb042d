"""`python -m benchmarks soak`: what it counts and prints, and a short run of it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import endurance
from benchmarks.__main__ import app, main
from benchmarks.endurance import FAULTS, LOSSES, Endurance, LiveGame, Loss, Report, Seat, Server
from brinkmanship.engine.errors import OptionError
from support.loops import in_thread, run_in_thread

RUNNER = CliRunner()

REPORT = Report(
    60.0, 2, "sqlite", 9, [], [], [], 1, {"worker_killed": 1}, {}, [(0.0, 50.0), (40.0, 100.0), (50.0, 110.0)]
)


def test_memory_is_compared_between_the_halves() -> None:
    assert REPORT.most == (50.0, 110.0)
    assert json.loads(endurance.as_json(REPORT))["most_mib"] == [50.0, 110.0]
    assert REPORT._replace(memory=[(0.0, 1.0)]).most == (1.0, 0.0)


def test_the_plot_has_a_point_for_each_sample() -> None:
    drawn = endurance.plot(REPORT, "Memory & time")
    assert drawn.count(",") >= len(REPORT.memory)
    assert "<polyline" in drawn
    assert "<title>Memory &amp; time</title>" in drawn


def test_a_position_that_goes_back_is_noticed() -> None:
    books = Endurance.__new__(Endurance)
    books.lost = []
    game, seat = LiveGame("13-days", [], "t"), Seat("us", "")
    books._see(game, seat, {"version": 5})
    books._see(game, seat, {"version": 5})
    assert books.lost == []
    books._see(game, seat, {"version": 4})
    assert books.lost == [{"what": "went_back", "table": "t", "side": "us", "before": 5, "after": 4}]


async def _told(*_: object) -> str:
    return "\n".join((" 1. us     keep italy {us}", " 2. ussr   keep turkey", " 3. us     event scramble"))


@pytest.mark.parametrize(
    ("acknowledged", "lost"),
    [(["keep italy", "event scramble"], 0), (["event scramble", "keep italy"], 1), (["command scramble"], 1)],
)
def test_an_action_that_is_not_in_the_journal_is_noticed(
    monkeypatch: pytest.MonkeyPatch, acknowledged: list[str], lost: int
) -> None:
    monkeypatch.setattr(Endurance, "_insist", _told)
    books = Endurance.__new__(Endurance)
    books.lost = []
    run_in_thread(books._compare(LiveGame("13-days", [Seat("us", "", 0, acknowledged)], "t")))
    assert len(books.lost) == lost


def test_every_fault_has_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "start", lambda _: None)
    servers = (Server(1, "sqlite:///game.sqlite3", Path()), Server(1, "postgresql://localhost/empty", None))
    assert {name for server in servers for name, _ in server.faults} | {"line_cut"} == set(FAULTS)


def test_the_report_tells_what_was_lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lost: Loss = {"what": "missing", "table": "t", "side": "us", "action": "event scramble"}
    report = REPORT._replace(lost=[lost], faults={"worker_killed": 4}, refused={"503": 2})
    monkeypatch.setattr(endurance, "endure", lambda *_: report)
    shown = RUNNER.invoke(app, ["soak", "--plot", str(tmp_path / "memory.svg")])
    assert shown.exit_code == 1
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert lines[0] == "2 games for 60.0 minutes on sqlite"
    assert {"a worker process killed 4", "not answered: 503 2", f"! {LOSSES['missing'].format(**lost)}"} <= {*lines}
    assert "Resident memory" in (tmp_path / "memory.svg").read_text("utf-8")
    assert json.loads(RUNNER.invoke(app, ["soak", "--json"]).stdout)["lost"] == [lost]


def test_wrong_input_is_refused(tmp_path: Path) -> None:
    assert RUNNER.invoke(app, ["soak", "--minutes", "0"]).exit_code == 2
    nowhere = tmp_path / "nowhere" / "memory.svg"
    with pytest.raises(OptionError, match="there is no folder"):
        RUNNER.invoke(app, ["soak", "--plot", str(nowhere)], catch_exceptions=False)


def test_a_mistake_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "machines", "2"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err.startswith("benchmarks: several servers need PostgreSQL")


@pytest.mark.long
def test_half_a_minute_of_it(tmp_path: Path) -> None:
    plot = tmp_path / "memory.svg"
    soak = partial(RUNNER.invoke, app, ["soak", "--minutes", "0.5", "--games", "6", "--plot", str(plot), "--json"])
    done = in_thread(soak)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["acknowledged"] > 0
    assert plot.exists()
