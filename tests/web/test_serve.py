"""Starting the server: what is wrong is said in one line, before anything is done."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from brinkmanship.web.processes import AddressError, check_address
from brinkmanship.web.settings import SettingError, Settings, from_environment


def test_an_address_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = Settings(port=other.getsockname()[1], database=f"sqlite:///{tmp_path}/table.sqlite3")
        with pytest.raises(AddressError, match="already in use; choose with --host and --port"):
            check_address(settings)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(AddressError, match=r"cannot listen on 192\.0\.2\.1:8013"):
        check_address(Settings(host="192.0.2.1"))


@pytest.mark.parametrize("workers", ["0", "65", "many", "-1", ""])
def test_a_number_of_workers_that_cannot_be_is_refused(workers: str) -> None:
    with pytest.raises(SettingError, match="BRINK_WORKERS is a number"):
        from_environment({"BRINK_WORKERS": workers})


def test_settings_come_from_the_environment() -> None:
    assert from_environment({"BRINK_WORKERS": "3", "BRINK_PORT": "80"}) == Settings(workers=3, port=80)
