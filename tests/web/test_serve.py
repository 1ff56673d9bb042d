"""Starting the server: what is wrong is said in one line, before anything is done."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from brinkmanship.store.database import open_database, reserved
from brinkmanship.web.server.processes import DEAF_SECONDS, AddressError, _bound, check_address
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from cli_runner import run


def test_an_address_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = Settings(port=other.getsockname()[1], database=f"sqlite:///{tmp_path}/table.sqlite3")
        with pytest.raises(AddressError, match="already in use; choose with --host and --port"):
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
    with pytest.raises(SettingError, match="BRINK_WORKERS is a number"):
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
    assert "was written by a newer Brinkmanship: its schema is 9999" in said
    assert "update the program" in said


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Mr. Chairman, " * 100)
    assert "letter.txt cannot be opened: file is not a database" in _refused(f"sqlite:///{tmp_path}/letter.txt")


def test_a_folder_or_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.sqlite3")
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    said = _refused(f"sqlite:///{tmp_path}/other.sqlite3")
    assert "is no database of Brinkmanship: it has the table 'bookmarks' of another program" in said
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
