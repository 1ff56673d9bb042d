"""`brink print`: sheets to cut out, as HTML or PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from brinkmanship.cli.commands import print as command
from support.cli_runner import run


def test_a_sheet_becomes_one_html_file(tmp_path: Path) -> None:
    file = tmp_path / "aid.html"
    done = run("print", "13-minutes", "--sheet", "player-aid", "--lang", "de", "-o", str(file))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert '<html lang="de"' in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sheet", "poster"], "--sheet takes"),
        (["--paper", "a3"], "--paper takes a4 or letter, not 'a3'"),
        (["--pages", "3"], "--pages takes 1 or 4, not '3'"),
        (["-o", "cards.png"], "-o takes .html or .pdf, not '.png'"),
        (["-o", "nowhere/cards.html"], "nowhere"),
        (["--option", "x=y"], "x"),
    ],
    ids=["sheet", "paper", "pages", "ending", "folder", "option"],
)
def test_wrong_options_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run("print", "13-days", "-o", "cards.html", *arguments)
    assert refused.code == 2
    assert said in refused.err
    assert [*tmp_path.iterdir()] == []


def test_a_pdf_needs_a_browser_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cards.pdf"
    monkeypatch.setattr(command.shutil, "which", lambda _: None)
    refused = run("print", "13-days", "-o", str(file))
    assert refused.code == 2
    assert "PDF needs a browser" in refused.err
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(command.shutil, "which", lambda _: str(broken))
    refused = run("print", "13-days", "-o", str(file))
    assert refused.code == 2
    assert "could not make the PDF" in refused.err
    assert not file.exists()


def test_a_pdf_is_what_the_browser_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "chromium"
    browser.write_text(
        '#!/bin/sh\nfor one in "$@"; do case $one in --print-to-pdf=*) echo PDF > "${one#*=}";; esac; done\n'
    )
    browser.chmod(0o755)
    monkeypatch.setattr(command.shutil, "which", lambda _: str(browser))
    file = tmp_path / "aid.pdf"
    assert run("print", "13-days", "--sheet", "player-aid", "-o", str(file)).code == 0
    assert file.read_text() == "PDF\n"
