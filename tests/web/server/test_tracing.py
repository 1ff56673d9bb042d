"""Traces: a span for each request and each statement, in which nobody is named."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import partial

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from starlette.testclient import TestClient

from brinkmanship.web.server import app as web_app
from brinkmanship.web.server.tracing import Traces
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from support.visitors import Visitor

COLLECTOR = "http://127.0.0.1:4318"


def test_requests_and_statements_are_spans_in_which_nobody_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = InMemorySpanExporter()
    monkeypatch.setattr(web_app, "Traces", partial(Traces, exporter=spans))
    trace = "0af7651916cd43dd8448eb211c80319c"
    with TestClient(web_app.create_app(replace(settings, traces=COLLECTOR))) as client:
        anna = Visitor(client)
        anna.begin("same")
        client.get("/t/secret-of-annamaria", headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        client.request("ANNAMARIA", "/annamaria")
        engine = client.app.state.services.engine  # type: ignore[attr-defined]
        with pytest.raises(SQLAlchemyError), engine.connect() as connection:
            connection.execute(text("SELECT annas FROM people WHERE name = :name"), {"name": "Annamaria"})
    found = {span.name: span for span in spans.get_finished_spans()}
    page = found["GET /t/{table_id}"]
    assert page.attributes is not None
    assert page.attributes["http.response.status_code"] == 404
    assert re.fullmatch("[0-9a-f]{16}", str(page.attributes["brink.request"]))
    assert page.context is not None
    assert f"{page.context.trace_id:032x}" == trace
    assert "other other" in found
    by_id = {span.context.span_id: span.name for span in spans.get_finished_spans() if span.context}
    parents = {(by_id.get(span.parent.span_id), span.name) for span in spans.get_finished_spans() if span.parent}
    assert ("POST /tables", "INSERT") in parents
    assert [span.name for span in spans.get_finished_spans() if span.status.status_code == StatusCode.ERROR] == [
        "SELECT"
    ]
    told = " ".join(f"{span.name} {dict(span.attributes or {})} {span.events}" for span in spans.get_finished_spans())
    assert "INSERT" in told
    assert "annamaria" not in told.lower()
    assert "'Anna'" not in told


def test_where_the_libraries_are_missing_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(SettingError, match=r"brinkmanship\[traces\]"):
        Traces(COLLECTOR)


def test_the_collector_is_an_address() -> None:
    assert from_environment({"BRINK_TRACES": f"{COLLECTOR}/"}).traces == COLLECTOR
    with pytest.raises(
        SettingError, match=r"BRINK_TRACES must be an address like http://localhost:4318, not 'collector'"
    ):
        from_environment({"BRINK_TRACES": "collector"})
