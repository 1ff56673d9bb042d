"""Standing orders: given beforehand, answered like any other decision, seen by nobody else; and the next game."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from brinkmanship.engine.chance import generator
from brinkmanship.engine.game import OBSERVER
from brinkmanship.engine.standing_orders import ALONE
from brinkmanship.games.registry import BUILT_IN, load_game
from brinkmanship.store import schema
from brinkmanship.testing import pending, walk
from brinkmanship.text import LANGUAGES, words_for
from brinkmanship.web.support.errors import ForbiddenError, IllegalError
from brinkmanship.web.tables.live_table import LiveTable
from brinkmanship.web.tables.statuses import RUNNING
from support.bare_services import bare_services
from support.house import House, run
from support.patience import until
from support.visitors import Visitor, invited, live


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_an_order_answers_with_a_legal_action_or_says_nothing(game_id: str) -> None:
    game = load_game(game_id)
    answered: set[str] = set()
    for number in range(3):
        for step in walk(game, number, seed=4):
            for side in pending(game, step.state):
                view = game.view_of(step.state, side)
                for order in game.orders(side):
                    action = game.ordered_action({order.text}, view, side)
                    if action is not None:
                        assert action in game.legal_actions(view, side)
                        assert action == game.ordered_action({order.text}, step.state, side)
                        answered.add(order.text.split()[0])
            for side in range(2):
                if side not in pending(game, step.state):
                    texts = {order.text for order in game.orders(side)}
                    assert game.ordered_action(texts, game.view_of(step.state, side), side) is None
    assert answered == {order.text.split()[0] for order in game.orders(0)}


def test_what_ends_by_itself_has_no_other_answer_for_all_that_the_other_side_can_know() -> None:
    game = load_game("13-minutes")
    given = 0
    for number in range(4):
        for step in walk(game, number, seed=4):
            for side in pending(game, step.state):
                if game.ordered_action({ALONE.text}, game.view_of(step.state, side), side) is None:
                    continue
                given += 1
                assert pending(game, step.state) == [side]
                for other in (1 - side, OBSERVER):
                    view = game.view_of(step.state, other)
                    for seed in range(8):
                        possible = game.new_state()
                        game.redeal(game.rules, view, other, generator(seed, other), possible)
                        assert game.ordered_action({ALONE.text}, possible, side) is not None
    assert given > 1


def test_an_order_about_a_card_counts_before_one_about_all() -> None:
    game = load_game("13-days")
    step = next(step for step in walk(game, 0, seed=4) if "trigger" in legal_texts(game, step.state, step.actor))
    card = game.data.card[step.state.stack[step.state.depth - 1].card].id  # type: ignore[attr-defined]
    for orders, text in (({"decline"}, "decline"), ({"decline", f"trigger {card}"}, "trigger"), ({"decline x"}, None)):
        action = game.ordered_action(orders, step.state, step.actor)
        assert (None if action is None else game.action_text(action)) == text


def legal_texts(game, state, side: int) -> set[str]:  # type: ignore[no-untyped-def]
    return {game.action_text(action) for action in game.legal_actions(state, side)} if side < 2 else set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_order_can_be_read(game_id: str, language: str) -> None:
    game = load_game(game_id)
    words = words_for(game, language)
    said = [words.sentence(order.message) for order in game.orders(0)]
    assert len(set(said)) == len(said) > 1


def declined(table: LiveTable, side: int) -> list[int]:
    return [n for n, entry in enumerate(table.match.entries) if entry.actor == side and entry.text == "decline"]


def test_an_order_is_carried_out_and_kept_and_can_be_revoked(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        orders = house.services.standing_orders
        for side in range(2):
            await orders.give(table.id, house.who(side), side, "decline")
        again = await bare_services(house.engine, house.writer).tables.table(table.id)
        assert again.state.orders == {0: {"decline"}, 1: {"decline"}}
        version = table.version(1)
        await orders.give(table.id, house.anna.id, 0, "trigger excomm")
        assert table.version(1) == version
        await orders.revoke(table.id, house.anna.id, 0, "trigger excomm")

        def offered(table: LiveTable) -> bool:
            return table.state.ordered is not None

        await house.play(table, 6, offered)
        assert table.status == RUNNING
        side, action = table.state.ordered or (0, 0)
        await until(lambda: bool(declined(table, side)))
        assert table.match.entries[declined(table, side)[0]].action == action
        await orders.revoke(table.id, house.who(side), side, "decline")
        assert side not in table.state.orders

    run(database, test)


def test_only_who_sits_there_orders_what_the_game_knows(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table()
        with pytest.raises(ForbiddenError):
            await house.services.standing_orders.give(table.id, house.anna.id, 1, "decline")
        with pytest.raises(IllegalError, match="available: decline"):
            await house.services.standing_orders.give(table.id, house.anna.id, 0, "win")

    run(database, test)


def test_orders_are_seen_by_who_gave_them_and_given_by_two_steps(
    anna: Visitor, boris: Visitor, client: TestClient
) -> None:
    table = invited(anna, boris)
    order = {"side": 0, "order": "decline", "csrf": anna.csrf}
    assert anna.post(f"{table}/orders", **order).status_code == 422
    assert live(client, table).state.orders == {}
    assert anna.post(f"{table}/orders", **order, sure="true").status_code == 303
    assert "Standing orders (1)" in anna.get(table)
    assert "Standing orders (" not in boris.get(table)
    assert "Standing orders" not in boris.get(boris.begin("same"))
    assert anna.post(f"{table}/orders/revoke", **order).status_code == 303
    assert live(client, table).state.orders == {}


def test_the_next_game_is_the_one_that_has_waited_longest(anna: Visitor, client: TestClient) -> None:
    def after(table: str) -> str:
        return str(anna.ask("GET", f"/next?after={table.removeprefix('/t/')}").headers["location"])

    assert "No other game is waiting for you." in anna.get(after(""))
    assert "No other game" not in anna.get("/")
    tables = [anna.begin("same") for _ in range(3)]
    with client.app.state.services.engine.begin() as connection:  # type: ignore[attr-defined]
        for table, at in zip(tables, (300.0, 100.0, 200.0), strict=True):
            connection.execute(
                update(schema.tables).where(schema.tables.c.id == table.removeprefix("/t/")).values(created_at=at)
            )
    assert after("") == tables[1]
    assert after(tables[1]) == tables[2]
    link = re.search(r'href="(/next\?after=[^"]+)"', anna.get(anna.begin("computer")))
    assert link
    assert anna.ask("GET", link[1]).headers["location"] == tables[1]
