"""Starting the server: what is wrong is said in one line, before anything is done."""

from __future__ import annotations

import os
import socket
import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from brinkmanship.store.database import open_database, reserved
from brinkmanship.web.server.processes import DEAF_SECONDS, AddressError, _bound, check_address
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from support.cli_runner import run


def test_an_address_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = Settings(port=other.getsockname()[1], database=f"sqlite:///{tmp_path}/table.sqlite3")
        with pytest.raises(AddressError, match="already in use; choose another address with --host and --port"):
            check_address(settings)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(AddressError, match=r"cannot listen on 192\.0\.2\.1:8013"):
        check_address(Settings(host="192.0.2.1"))


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_a_reader_whose_line_is_dead_does_not_stay_for_ever() -> None:
    with _bound(Settings(port=0), shared=False) as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * DEAF_SECONDS


@pytest.mark.parametrize("workers", ["0", "65", "many", "-1", ""])
def test_a_number_of_workers_that_cannot_be_is_refused(workers: str) -> None:
    with pytest.raises(SettingError, match="BRINK_WORKERS must be a number"):
        from_environment({"BRINK_WORKERS": workers})


def test_settings_come_from_the_environment() -> None:
    assert from_environment({"BRINK_WORKERS": "3", "BRINK_PORT": "80"}) == Settings(workers=3, port=80)


def _refused(url: str) -> str:
    """What `brink serve` says in one line when it does not start with a database."""
    result = run("serve", "--database", url, "--port", "1")
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    return result.err


def test_a_database_newer_than_the_program_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/table.sqlite3"
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    said = _refused(url)
    assert "was written by a newer Brinkmanship (schema 9999;" in said
    assert "update the program" in said


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Mr. Chairman, " * 100)
    assert "letter.txt cannot be opened: file is not a database" in _refused(f"sqlite:///{tmp_path}/letter.txt")


def test_a_folder_or_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.sqlite3")
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    said = _refused(f"sqlite:///{tmp_path}/other.sqlite3")
    assert "is not a Brinkmanship database: it contains the table 'bookmarks' of another program" in said
    (tmp_path / "folder").mkdir()
    assert "cannot be opened: unable to open database file" in _refused(f"sqlite:///{tmp_path}/folder")
    assert "cannot be opened: there is no folder" in _refused(f"sqlite:///{tmp_path}/no/such/folder/file")


def test_two_servers_on_one_file_are_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/table.sqlite3"
    with reserved(url):
        assert "is served by another brink serve; stop that one first" in _refused(url)
        (tmp_path / "link.sqlite3").symlink_to(tmp_path / "table.sqlite3")
        assert "is served by another brink serve" in _refused(f"sqlite:///{tmp_path}/link.sqlite3")
    with reserved(url):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the locks of other systems are seen by SQLite")
def test_a_hard_link_lets_no_second_server_in(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/table.sqlite3"
    (tmp_path / "other").mkdir()
    with reserved(url):
        open_database(url).dispose()
        (tmp_path / "other" / "link.sqlite3").hardlink_to(tmp_path / "table.sqlite3")
        assert "is served by another brink serve" in _refused(f"sqlite:///{tmp_path}/other/link.sqlite3")
        engine = open_database(url)  # SQLite's own locks are others
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
        engine.dispose()
    with reserved(f"sqlite:///{tmp_path}/other/link.sqlite3"):
        pass


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("is_older", [False, True])
def test_only_the_server_reads_its_database(tmp_path: Path, is_older: bool) -> None:
    file, before = tmp_path / "table.sqlite3", os.umask(0o022)
    try:
        if is_older:  # as an earlier version made it, with what a killed server left
            made = sqlite3.connect(file)
            made.execute("PRAGMA journal_mode=WAL")
            made.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
            made.execute("DROP TABLE alembic_version")
            made.commit()
            assert file.stat().st_mode & 0o077
        engine = open_database(f"sqlite:///{file}")
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            found = sorted(tmp_path.glob("table.sqlite3*"))
            modes = {each.name: each.stat().st_mode & 0o777 for each in found}
        engine.dispose()
    finally:
        os.umask(before)
    assert modes == {f"table.sqlite3{end}": 0o600 for end in ("", "-shm", "-wal")}


def test_a_file_that_is_not_ours_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Mr. Chairman, " * 100)
    mode = (tmp_path / "letter.txt").stat().st_mode
    _refused(f"sqlite:///{tmp_path}/letter.txt")
    assert (tmp_path / "letter.txt").stat().st_mode == mode
