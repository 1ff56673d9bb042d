"""Work on the machines of a Ray cluster comes to what it comes to here, even where one of them dies."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from brinkmanship import games
from brinkmanship.games.registry import load_game
from brinkmanship.lab.balance.plan import Piece
from brinkmanship.lab.balance.runner import measured, run_on
from brinkmanship.lab.matches import cluster as clusters
from brinkmanship.lab.matches.cluster import Cluster, ClusterError, portable
from brinkmanship.lab.matches.match import paired_match, play_pairs_on, result_of
from brinkmanship.players import load_player
from support.cli_runner import run

SEED = 5


class TwoNodes:
    """A cluster of a head, to which this program belongs, and of one more machine, one core each."""

    def __init__(self) -> None:
        # Of the processes that Ray starts, all must find these tests and the package.
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        self._all: Any = import_module("ray.cluster_utils").Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1}
        )
        self._second = self._all.add_node(num_cpus=1)
        self.address: str = self._all.address

    def kill_one(self) -> None:
        """Let the second machine die, with whatever it is doing."""
        self._all.remove_node(self._second, allow_graceful=False)

    def end(self) -> None:
        self._all.shutdown()


@pytest.fixture(autouse=True)
def quiet_and_quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    records = logging.getLogRecordFactory()  # Ray has one of its own as soon as it is imported
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")  # else they would stand back behind all other tests
    yield
    logging.setLogRecordFactory(records)


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoNodes]:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", "")
    nodes = TwoNodes()
    yield nodes
    nodes.end()


@pytest.mark.long
def test_a_machine_that_dies_changes_nothing(two_nodes: TwoNodes) -> None:
    game, names = load_game("13-days"), ("search:4n", "rules")
    here = paired_match(game, *(load_player(name, game) for name in names), pairs=4, seed=SEED)
    pieces = [Piece("games", "greedy", first, 20) for first in (0, 20)]
    with Cluster(two_nodes.address) as cluster:
        assert cluster.cores == 2
        coming = play_pairs_on(cluster, game, names, 0, 4, SEED)
        pairs = list(islice(coming, 1))
        two_nodes.kill_one()
        pairs += coming
        found = dict(run_on(cluster, game, SEED, pieces))
    assert result_of(game, pairs) == here
    for piece in pieces:
        due = measured(game, SEED, piece)
        assert (found[piece].tally.moments, found[piece].rows) == (due.tally.moments, due.rows)


@pytest.mark.process
def test_a_match_on_a_local_cluster_is_the_match_of_this_machine() -> None:
    pytest.importorskip("ray")
    command = ("lab", "match", "13-minutes", "--a", "greedy", "--b", "random", "--pairs", "20", "--seed", "3", "--json")
    here, there = (json.loads(run(*command, *more).out) for more in ((), ("--cluster", "local", "--workers", "1")))
    assert {**here, "ms_per_decision": None} == {**there, "ms_per_decision": None}


@pytest.mark.process
def test_a_changed_data_file_goes_over_the_line(tmp_path: Path) -> None:
    game = load_game("13-days")
    file = tmp_path / "mine.toml"
    file.write_bytes(
        (Path(games.__file__).parent / "thirteen_days" / game.own_data)
        .read_bytes()
        .replace(b"max = 2, each = 2", b"max = 2, each = 1")
    )
    mine = portable(load_game("13-days", file))
    file.unlink()
    assert mine.data_sha256 == load_game("13-days", mine.source).data_sha256 != game.data_sha256


@pytest.mark.process
def test_other_sources_are_not_played_by() -> None:
    with pytest.raises(ClusterError, match="another version"):
        clusters._done_there(len, ((),), "0" * 64)
    assert clusters._done_there(len, ((1, 2),), clusters.of_sources()) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--cluster", "127.0.0.1:1"), "no Ray cluster answers at 127.0.0.1:1"),
        (("--cluster", "head"), "no Ray cluster answers at head: HOST:PORT"),
        (("--cluster", "127.0.0.1:1", "--workers", "2"), "--workers is for this machine"),
    ],
)
def test_what_is_no_cluster_is_said(more: tuple[str, ...], said: str) -> None:
    pytest.importorskip("ray")
    told = run("lab", "match", "13-days", "--a", "greedy", "--b", "random", "--pairs", "2", *more)
    assert told.code == 2
    assert said in " ".join(told.err.split())


def test_without_ray_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'brinkmanship\[lab\]'"):
        Cluster("local")
