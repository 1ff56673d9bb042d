"""JSON serialisation of messages, for a database or another process."""

from __future__ import annotations

from typing import Any

from brinkmanship.engine.message import Argument, Message, Ref


def as_json(said: Message) -> dict[str, Any]:
    """Return a message as plain JSON data."""
    return {"key": said.key, "args": {name: _plain(value) for name, value in said.args.items()}}


def message_of(data: dict[str, Any]) -> Message:
    """Return the message for the data of `as_json`."""
    return Message(data["key"], {name: _argument(value) for name, value in data["args"].items()})


def _plain(value: Argument) -> object:
    if isinstance(value, Message):
        return as_json(value)
    if isinstance(value, Ref):
        return {"kind": value.kind, "id": value.id}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str) else int(value)  # also a number of NumPy


def _argument(data: Any) -> Any:
    if isinstance(data, dict):
        return message_of(data) if "key" in data else Ref(data["kind"], data["id"])
    return tuple(map(_argument, data)) if isinstance(data, list) else data
