"""The data file of 13 Days: the package's own is sound, and each kind of fault is reported in one clear line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import pytest

from brinkmanship.engine.errors import DataFileError
from brinkmanship.games.thirteen_days.rules.loading import load
from support.thirteen_days.card_faults import ORIGINAL, Fault, changed, fault_in, faults

MANUAL = Path(__file__).parents[3] / "docs" / "design" / "cards.md"


def test_the_file_of_the_package_loads() -> None:
    data = load()
    assert (len(data.card), len(data.agenda), len(data.battleground), len(data.track)) == (39, 10, 9, 3)
    assert data.file == ""
    assert data.sha256 == hashlib.sha256(ORIGINAL.encode()).hexdigest()


def test_a_copy_with_another_number_loads_and_has_its_own_fingerprint(tmp_path: Path) -> None:
    path = changed(tmp_path, 'where = ["atlantic"], max = 2, each = 2', 'where = ["atlantic"], max = 4, each = 3')
    data = load(path)
    effect = data.card[data.card_index("quarantine")].effects[0]
    assert (effect.max, effect.each) == (4, 3)  # type: ignore[union-attr]
    assert data.file == str(path)
    assert data.sha256 == hashlib.sha256(path.read_bytes()).hexdigest() != load().sha256


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('default = "total", other = ["before_letter"]', 'default = "before_letter", other = ["total"]'),
        ("defcon_3 = [1, 2, 3]\ndefcon_2 = [4, 5, 6]", "defcon_3 = [1, 2]\ndefcon_2 = [3, 4, 5, 6]"),
        ("rounds = 3", "rounds = 2"),
        ('\nid = "quarantine"\nside = "us"', '\nid = "quarantine"\nside = "un"'),
        ('en = "Quarantine", ru = "Карантин", de = "Quarantäne", pl = "Kwarantanna"', 'en = "Blockade"'),
        ("[limits]", "# Файл дизайнера\r\n[limits]"),
        ('{ requires = { cubes_of = "us", at = "alliances", at_least = 2 }, effects', "{ effects"),
    ],
    ids=["option", "areas", "fewer rounds", "side", "only English", "Windows lines", "no requires"],
)
def test_what_a_designer_may_change_loads(tmp_path: Path, old: str, new: str) -> None:
    load(changed(tmp_path, old, new))


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(ORIGINAL, encoding="utf-8-sig")
    load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert str(fault_in(tmp_path / "no.toml")) == f"{tmp_path / 'no.toml'}: there is no such file"


def test_a_folder_is_no_data_file(tmp_path: Path) -> None:
    assert str(fault_in(tmp_path)) == f"{tmp_path}: this is a folder, not a data file (TOML)"


def test_other_encodings_are_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b"schema = 1\nname = '" + "Куба".encode("cp1251") + b"'\n")
    assert str(fault_in(path)) == f"{path}:2: this is not UTF-8 text; save the file in UTF-8 encoding"


def first_changed_line(path: Path) -> int:
    pairs = zip(ORIGINAL.splitlines(), path.read_text(encoding="utf-8").splitlines(), strict=False)
    return next(number for number, (before, after) in enumerate(pairs, 1) if before != after)


@pytest.mark.parametrize("fault", list(faults()), ids=lambda fault: fault.message[:60])
def test_a_fault_is_reported_with_file_line_card_and_field(fault: Fault, tmp_path: Path) -> None:
    path = changed(tmp_path, fault.old, fault.new)
    error = fault_in(path)
    place = f"{path}:{error.line}: " if error.line else f"{path}: "
    assert re.fullmatch(re.escape(place) + fault.pattern, str(error)), str(error)
    if fault.stands_on == "nowhere":
        assert error.line is None
    elif fault.stands_on:
        assert error.line is not None
        assert fault.stands_on in path.read_text(encoding="utf-8").splitlines()[error.line - 1]
    else:
        assert error.line == first_changed_line(path)


def with_cards(tmp_path: Path, cards: Iterable[str]) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(ORIGINAL + "\n" + "\n".join(cards), encoding="utf-8")
    return path


def new_card(card_id: str, effects: str) -> str:
    return (
        f'[[card]]\nid = "{card_id}"\nside = "un"\ncubes = 1\ndefcon_icon = false\n'
        f'names = {{ en = "Mine" }}\n{effects}\n'
    )


def commands(count: int) -> str:
    return "[" + ", ".join(['{ op = "command", n = 1 }'] * count) + "]"


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line)


def test_there_is_room_for_48_cards(tmp_path: Path) -> None:
    cards = [new_card(f"mine_{n}", f"effects = {commands(1)}") for n in range(40, 50)]
    load(with_cards(tmp_path, cards[:9]))
    path = with_cards(tmp_path, cards)
    expected = f'{path}:{line_of(path, "mine_49")}: card "mine_49": there can be at most 48 strategy cards, not 49'
    assert str(fault_in(path)) == expected


def test_there_is_room_for_12_agendas(tmp_path: Path) -> None:
    agenda = '[[agenda]]\nid = "mine_{}"\ncopies = 1\nkind = "track"\ntrack = "military"\ndefcon_icon = false\n'
    agendas = [agenda.format(number) + 'flag = "military"\n' for number in (11, 12, 13)]
    load(with_cards(tmp_path, agendas[:2]))
    path = with_cards(tmp_path, agendas)
    assert f'{path}:{line_of(path, "mine_13")}: agenda "mine_13": there can be at most 12 agendas' in str(
        fault_in(path)
    )


def test_at_most_three_cards_take_cards(tmp_path: Path) -> None:
    cards = [new_card(f"mine_{n}", 'effects = [{ op = "take_card" }]') for n in (2, 3, 4)]
    load(with_cards(tmp_path, cards[:2]))
    message = str(fault_in(with_cards(tmp_path, cards)))
    assert 'card "mine_4", effects: at most 3 cards can have op = "take_card"; this is number 4' in message


def test_a_card_has_at_most_12_effects_counting_those_inside_choose(tmp_path: Path) -> None:
    either = 'effects = [{{ op = "choose", options = [{{ effects = {} }}, {{ effects = {} }}] }}]'
    load(with_cards(tmp_path, [new_card("mine", f"effects = {commands(12)}")]))
    load(with_cards(tmp_path, [new_card("mine", either.format(commands(5), commands(6)))]))
    for effects in (f"effects = {commands(13)}", either.format(commands(6), commands(6))):
        message = str(fault_in(with_cards(tmp_path, [new_card("mine", effects)])))
        assert 'card "mine", effects: a card can have at most 12 effects' in message


def test_who_may_still_have_a_full_hand_can_exchange_all_of_it(tmp_path: Path) -> None:
    load(changed(tmp_path, '[{ op = "exchange_hand" }]', '[{ op = "exchange_hand", by = "opponent" }]'))  # 39 of 39
    cards = [new_card("mine", 'effects = [{ op = "exchange_hand", by = "opponent" }]')]
    assert "a game can draw 43" in str(fault_in(with_cards(tmp_path, cards)))


def test_the_line_is_found_in_effects_written_as_tables_of_their_own(tmp_path: Path) -> None:
    effects = '[[card.effects]]\nop = "prestige"\nexactly = 1\n[[card.effects]]\nop = "command"\nn = """\n1"""\n'
    path = with_cards(tmp_path, [new_card("mine", effects)])
    line = line_of(path, 'n = """')
    expected = f'{path}:{line}: card "mine", effects[1].n: must be a whole number from 0 to 9, not "1"'
    assert str(fault_in(path)) == expected


OF_THIS_GAME = MANUAL.read_text(encoding="utf-8").split("\n## The deck of 13 Minutes\n")[0]
EXAMPLES = re.findall(r"^```toml\n(effects = .*?)^```", OF_THIS_GAME, re.MULTILINE | re.DOTALL)


def test_the_manual_has_examples() -> None:
    assert len(EXAMPLES) >= 16


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[10:60].strip())
def test_an_example_of_the_manual_is_a_card_that_loads(example: str, tmp_path: Path) -> None:
    load(changed(tmp_path, 'effects = [{ op = "exchange_hand" }]', example))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('en = "Quarantine", ru', f'en = "{"Q" * 81}", ru', 'card "quarantine", names.en: the text has 81 characters'),
        ('en = "Quarantine", ru', f'{"q" * 81} = "Q", en = "Quarantine", ru', "the text has 81 characters; at most 80"),
        ('\nid = "quarantine"', f'\nid = "{"q" * 1_000}"', "the text has 1,000 characters; at most 80"),
    ],
)
def test_names_have_a_length_that_a_page_can_show(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in str(fault_in(changed(tmp_path, old, new)))


@pytest.mark.parametrize("key", ["a.b", "a.b.c", "card.0.id", '"a.b".c', '"".x', "'[...]'.y", '"[1]"'])
def test_a_key_with_dots_is_a_fault_of_its_own(key: str) -> None:
    from brinkmanship.engine.data_file import DataFile
    from brinkmanship.games.registry import load_game

    package = files("brinkmanship.games.thirteen_minutes")
    lines = package.joinpath("cards.toml").read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("["):
            continue
        text = "\n".join([*lines[: number + 1], f"{key} = 1", *lines[number + 1 :]])
        with pytest.raises(DataFileError):
            load_game("13-minutes", DataFile("my.toml", text.encode()))
