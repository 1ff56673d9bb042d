"""Play a whole game over the HTTP API, here at random against the computer.

brink serve &
python examples/bot.py http://127.0.0.1:8013
"""

import json
import random
import secrets
import sys
import urllib.request

server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8013"
token = ""


def ask(path, body=None):
    """Send a GET request, or a POST request with a JSON body; return the response's JSON."""
    request = urllib.request.Request(f"{server}/api/v1{path}", json.dumps(body).encode() if body is not None else None)
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def versions(table):
    """Yield the table's version as the server sends it: at once and after every change."""
    request = urllib.request.Request(f"{server}/api/v1/tables/{table}/stream")
    request.add_header("Authorization", f"Bearer {token}")
    for line in urllib.request.urlopen(request):
        if line.startswith(b"data: "):
            yield int(line[6:])


token = ask("/tokens", {"name": "Random bot"})["token"]
table = ask("/tables", {"game": "13-days", "seats": ["me", "computer:greedy"], "contributes": True})["id"]
# Contribute random bytes, so that neither side controls the deal; then the game starts (docs/develop/formats.md).
ask(f"/tables/{table}/deal", {"side": "us", "contribution": secrets.token_hex(32)})
for _ in versions(table):
    view = ask(f"/tables/{table}")
    while view["legal"]:
        action = {"side": "us", "version": view["version"], "action": random.choice(view["legal"])}
        view = ask(f"/tables/{table}/actions", action)
    if view["status"] == "over":
        print(f"{server}/t/{table}: {view['result']}")
        break
