"""Figures for Prometheus: they count, they tell of nobody, and the dashboard asks for none that there is not."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import generate_latest
from starlette.testclient import TestClient

from brinkmanship.web.server.app import create_app
from brinkmanship.web.server.metrics import Metrics
from brinkmanship.web.support.logs import JsonFormatter
from brinkmanship.web.support.settings import SettingError, Settings, from_environment
from support.patience import wait_until
from support.server_process import free_port

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana-dashboard.json"


def shown(client: TestClient) -> str:
    app: Any = client.app
    return generate_latest(app.metrics.registry).decode()


def value(text: str, name: str) -> float:
    return float(re.findall(rf"(?m)^{re.escape(name)} (.*)$", text)[0])


def test_requests_are_counted_by_page_and_nobody_is_named(client: TestClient) -> None:
    for _ in range(3):
        client.get("/health")
    client.get("/t/secret-of-anna")
    client.get("/anna/anywhere")
    client.request("ANNA", "/anna/anywhere")
    text = shown(client)
    assert value(text, 'brink_requests_total{method="GET",page="/health",status="200"}') == 3
    assert value(text, 'brink_answer_seconds_count{page="/health"}') == 3
    assert value(text, 'brink_requests_total{method="GET",page="/t/{table_id}",status="404"}') == 1
    assert value(text, 'brink_requests_total{method="other",page="other",status="404"}') == 2
    assert value(text, "brink_running_games") == value(text, "brink_jobs_waiting") == 0
    assert value(text, "brink_database_up") == 1
    assert value(text, 'brink_writes_total{went="well"}') > 0
    assert "anna" not in text.lower()


def test_the_dashboard_asks_for_figures_that_there_are(client: TestClient) -> None:
    client.get("/health")
    app: Any = client.app
    app.metrics.chosen("here", 0.1)
    known = set(re.findall(r"(?m)^([a-z_]+)", shown(client)))
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    names = {name for text in asked for name in re.findall(r"(?:brink|process)_[a-z_]+", text)}
    assert len(names) > 10
    assert names - known == set()


def test_figures_are_shown_at_the_first_port_that_is_free() -> None:
    port = free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        with pytest.raises(OSError, match="no port"):
            Metrics().serve("127.0.0.1", port, 1)
    end = Metrics().serve("127.0.0.1", port, 1)
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        assert b"brink_requests" in line.makefile("rb").read()
    end()


def test_a_port_that_is_no_port_is_said() -> None:
    with pytest.raises(SettingError, match="BRINK_METRICS_PORT"):
        from_environment({"BRINK_METRICS_PORT": "70000"})


def test_every_line_that_a_request_logs_bears_its_number(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(caplog.handler, "emit", lambda record: lines.append(json.loads(JsonFormatter().format(record))))
    caplog.set_level("INFO")
    with TestClient(create_app(replace(settings, log_requests=True)), raise_server_exceptions=False) as client:
        app: Any = client.app
        client.get("/health", headers={"X-Request-Id": "of-the-proxy-1"})
        client.get("/health", headers={"X-Request-Id": "no number at all"})
        monkeypatch.setattr(app.state, "services", replace(app.state.services, health=None))
        failed = client.get("/health")
        wait_until(lambda: sum(line["message"] == "a request was answered" for line in lines) == 3)
    answered = [line for line in lines if line["message"] == "a request was answered"]
    assert [line["status"] for line in answered] == [200, 200, 500]
    assert answered[0] | {"milliseconds": 0, "time": ""} == {
        "time": "",
        "level": "info",
        "from": "brinkmanship.requests",
        "message": "a request was answered",
        "request": "of-the-proxy-1",
        "method": "GET",
        "page": "/health",
        "status": 200,
        "milliseconds": 0,
    }
    assert re.fullmatch("[0-9a-f]{16}", answered[1]["request"])
    (broken,) = [line for line in lines if line["message"] == "a request failed"]
    assert broken["request"] == answered[2]["request"] == failed.headers["X-Request-Id"]
