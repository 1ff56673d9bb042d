"""What is wrong with a data file is said in the viewer's language, of every game and of every kind of fault."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from brinkmanship.engine import data_file, journal
from brinkmanship.engine.data_file import KINDS, NAMED, TOML_SENTENCES
from brinkmanship.engine.errors import DataFileError, JournalError, OptionError
from brinkmanship.games.registry import load_game
from brinkmanship.games.thirteen_days.rules import loading as days
from brinkmanship.games.thirteen_minutes.rules import loading as minutes
from brinkmanship.games.ukrainian_crisis.rules import loading as crisis
from brinkmanship.text import LANGUAGES
from brinkmanship.text.errors import DOMAIN, error_text, reason
from brinkmanship.text.words import catalogue_file
from support.thirteen_days.card_faults import changed, fault_in, faults

JOURNAL = "brinkmanship-journal: 1\ngame: 13-days\nrules: 1\nresult: unfinished\n\nend\n"
SOURCES = files("brinkmanship")
GAMES: dict[str, tuple[str, str, Callable[[Path], Any]]] = {
    "13-days": ("thirteen_days", "cards.toml", days.load),
    "13-minutes": ("thirteen_minutes", "cards.toml", minutes.load),
    "ukrainian-crisis": ("ukrainian_crisis", "scenario.toml", crisis.load),
}
SAID = [
    (
        "13-days",
        "rounds = 3",
        "rounds = 10",
        {
            "en": "limits.rounds: must be a whole number from 1 to 9, not 10",
            "ru": "limits.rounds: ожидается целое число от 1 до 9, а не 10",
            "de": "limits.rounds: muss eine ganze Zahl von 1 bis 9 sein, nicht 10",
            "pl": "limits.rounds: ma tu być liczba całkowita od 1 do 9, a nie 10",
        },
    ),
    (
        "13-days",
        '\nid = "quarantine"\nside = "us"',
        '\nid = "quarantine"\nside = "usa"',
        {
            "en": 'card "quarantine", side: must be "un", "us" or "ussr", not "usa"; did you mean "us"?',
            "ru": 'карта "quarantine", side: ожидается "un", "us" или "ussr", а не "usa"; может быть, "us"?',
            "de": 'Karte "quarantine", side: muss "un", "us" oder "ussr" sein, nicht "usa"; gemeint ist ',
            "pl": 'karta "quarantine", side: ma tu być "un", "us" lub "ussr", a nie "usa"; może chodzi o "us"?',
        },
    ),
    (
        "13-days",
        "cubes_us = { italy",
        "cubes_us = { italia",
        {
            "en": 'start.cubes_us.italia: there is no battleground "italia"; did you mean "italy"? Known: ',
            "ru": 'start.cubes_us.italia: нет поля битвы "italia"; может быть, "italy"? Известны: cuba_military, ',
            "de": 'start.cubes_us.italia: ein Gebiet "italia" gibt es nicht; gemeint ist vielleicht "italy"? ',
            "pl": 'start.cubes_us.italia: nie ma pola "italia"; może chodzi o "italy"? Znane: cuba_military, ',
        },
    ),
    (
        "13-days",
        "rounds = 3",
        "rounds =",
        {
            "en": "not valid TOML: the value is missing or cannot be read (column 9)",
            "ru": "это не TOML: значение отсутствует или не читается (столбец 9)",
            "de": "kein gültiges TOML: ungültiger Wert (Spalte 9)",
            "pl": "to nie jest poprawny TOML: wartości brakuje albo nie da się jej odczytać (kolumna 9)",
        },
    ),
    (
        "13-minutes",
        'id = "excomm"',
        'id = "cuba"',
        {
            "en": 'card "cuba", id: "cuba" has a meaning in `where`; choose another id',
            "ru": 'карта "cuba", id: "cuba" имеет особое значение в `where`; возьмите другой id',
            "de": 'Karte "cuba", id: "cuba" hat in `where` eine Bedeutung; wähle eine andere id',
            "pl": 'karta "cuba", id: "cuba" ma znaczenie w `where`; wybierz inne id',
        },
    ),
    (
        "ukrainian-crisis",
        "vp = 6",
        "vp = 7",
        {
            "en": "formula.vp_totals.red: is 20, but the zones add up to 21; correct the zones or this sum",
            "ru": "formula.vp_totals.red: здесь 20, а у зон в сумме 21; исправьте зоны или эту сумму",
            "de": "formula.vp_totals.red: hier steht 20, aber die Zonen ergeben 21; berichtige die Zonen",
            "pl": "formula.vp_totals.red: tu jest 20, a strefy dają w sumie 21; popraw strefy albo tę sumę",
        },
    ),
]


def fault_of(game: str, old: str, new: str, folder: Path) -> DataFileError:
    package, name, load = GAMES[game]
    text = (SOURCES / "games" / package / name).read_text("utf-8")
    assert old in text
    path = folder / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        load(path)
    return caught.value


def keys() -> set[str]:
    with catalogue_file(DOMAIN, "en").open("rb") as file:
        return {str(entry.id) for entry in read_po(file) if entry.id}


@pytest.mark.parametrize(("game", "old", "new", "said"), SAID, ids=lambda value: str(value)[:24])
def test_a_fault_is_said_in_each_language(game: str, old: str, new: str, said: dict[str, str], tmp_path: Path) -> None:
    error = fault_of(game, old, new, tmp_path)
    assert str(error) == error_text(error, "en")
    for language in LANGUAGES:
        assert reason(error, language).startswith(said[language])
        assert error_text(error, language) == f"{error.file}:{error.line}: {reason(error, language)}"


def test_every_fault_of_the_cards_of_13_days_has_words_of_its_own_in_each_language(tmp_path: Path) -> None:
    for fault in faults():
        error = fault_in(changed(tmp_path, fault.old, fault.new))
        said = {language: reason(error, language) for language in LANGUAGES}
        assert len(set(said.values())) == len(LANGUAGES), said


def test_every_message_of_the_catalogue_is_used_and_every_one_used_is_there() -> None:
    used = {f"fault.toml.{key}" for key in TOML_SENTENCES.values()} | {f"fault.kind.{kind}" for kind in KINDS}
    used |= {f"fault.unknown.{what.replace(' ', '_')}" for what in NAMED}
    for source in Path(str(SOURCES)).rglob("*.py"):
        text = source.read_text("utf-8")
        own = "journal." if source.name == "journal.py" else ""
        for node in ast.walk(ast.parse(text)) if "fault" in text else ():
            match node:
                case ast.Constant(value=str(key)) if re.fullmatch(r"fault(\.\w+)+", key):
                    used.add(key)
                case (
                    ast.Call(func=ast.Name(id="fault"), args=[_, ast.Constant(value=str(key)), *_])
                    | ast.Call(func=ast.Name(id="_message"), args=[ast.Constant(value=str(key)), *_])
                ):
                    used.add(f"fault.{own}{key}")
    assert used == keys()


def test_no_error_that_is_told_to_people_is_raised_with_an_english_sentence() -> None:
    trees = {
        source: ast.parse(source.read_text("utf-8"))
        for source in Path(str(SOURCES)).rglob("*.py")
        if "Error" in source.read_text("utf-8")
    }
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    told_to_people: set[str] = set()
    more = {"LocalizedError"}
    while more > told_to_people:
        told_to_people = more
        below = {node.name for node in classes for base in node.bases if ast.unparse(base) in more}
        more = told_to_people | below
    assert {"OptionError", "UnfairDealError", "AnalysisError", "DatabaseError", "SettingError"} < told_to_people
    for source, tree in trees.items():
        for node in ast.walk(tree):
            match node:
                case ast.Raise(
                    exc=ast.Call(func=ast.Name(id=name), args=[*_, ast.JoinedStr() | ast.Constant(value=str())])
                ):
                    assert name not in told_to_people, f"{source}:{node.lineno}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "hello\n",
            {"en": "is not a header line", "ru": "не строка", "de": "keine Kopfzeile", "pl": "wiersz nagłówka"},
        ),
        (
            JOURNAL.replace("end\n", ""),
            {"en": '"end" is missing', "ru": "обрезан", "de": "abgeschnitten", "pl": "ucięty"},
        ),
        (
            JOURNAL.replace("end\n", "1. us castle\nend\n"),
            {"en": "chance is to act", "ru": "сейчас действует chance", "de": "Am Zug ist", "pl": "teraz działa"},
        ),
        (
            JOURNAL.replace("end\n", "1. chance castle\nend\n"),
            {"en": "is not an action of", "ru": "такого действия", "de": "keine Aktion", "pl": "takiej akcji"},
        ),
    ],
    ids=lambda value: str(value)[-20:],
)
def test_what_is_wrong_with_a_journal_is_said_in_each_language(text: str, said: dict[str, str]) -> None:
    with pytest.raises(JournalError) as caught:
        journal.play(journal.parse(text), load_game("13-days"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == error_text(caught.value, "en")
    for language in LANGUAGES:
        assert said[language] in error_text(caught.value, language)


def test_an_option_that_is_none_is_said_in_each_language() -> None:
    with pytest.raises(OptionError) as caught:
        load_game("13-days", options={"moscow_filter": "maybe"})
    assert reason(caught.value, "de") == "die Option moscow_filter erwartet has_cubes oder has_no_cubes, nicht 'maybe'"
    assert len({error_text(caught.value, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_the_name_of_a_stranger_is_said_as_it_stands_in_the_file(tmp_path: Path) -> None:
    error = fault_of("13-days", "cubes_us = { italy", 'cubes_us = { "{n}|<b>"', tmp_path)
    for language in LANGUAGES:
        assert '"{n}|<b>"' in reason(error, language)


def test_a_sentence_of_the_toml_reader_that_nobody_knows_is_not_shown() -> None:
    assert data_file._of_toml("Something new").key == "fault.toml.other"
