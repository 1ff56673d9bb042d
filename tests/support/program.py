"""A program that uses the HTTP API."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient


class Program:
    """A program with its token."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client = client
        self.token = client.post("/api/v1/tokens", json={"name": name}).json()["token"]

    def ask(self, path: str, body: object = None, status: int = 200) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"/api/v1{path}"
        method = "GET" if body is None else "POST"
        answer = self.client.request(method, url, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        if status >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["status"] == status
        return answer.json() if "json" in answer.headers["content-type"] else answer.text
