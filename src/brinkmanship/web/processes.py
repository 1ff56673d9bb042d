"""The processes of a server: one that serves by itself, or a parent that keeps several workers running.

Workers listen on the same port, each on a socket of its own (`SO_REUSEPORT`), so that the kernel spreads connections
evenly; they find one another in a folder (see `channel`).
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import signal
import socket
import sys
import tempfile
import threading
from dataclasses import replace
from multiprocessing.process import BaseProcess

import uvicorn

from brinkmanship.engine.errors import BrinkError
from brinkmanship.web import logs
from brinkmanship.web.app import create_app
from brinkmanship.web.settings import Settings

log = logging.getLogger("brinkmanship.web")

GRACE_SECONDS = 3
"""How long open requests are waited for when the server stops."""
LOOK_SECONDS = 0.5
"""How often the parent looks after its workers."""


class AddressError(BrinkError):
    """The address cannot be listened on."""


def serve(settings: Settings) -> None:
    """Serve until the process is told to stop."""
    logs.set_up()
    if settings.workers == 1:
        _run(settings, None)
    else:
        _keep_workers(settings)


def check_address(settings: Settings) -> None:
    """Find out whether the address is free, before anything else is done.

    Raises:
        AddressError: the address is in use, or none of this machine's.
    """
    try:
        with _bound(settings, shared=False):
            pass
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise AddressError(f"cannot listen on {where}: {error.strerror}; choose with --host and --port") from error


def _bound(settings: Settings, shared: bool) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def _run(settings: Settings, own: socket.socket | None) -> None:
    # Threads (the writer, the computer's thinking) hand over quickly: the usual 5 ms would be most of an answer's time.
    sys.setswitchinterval(0.0005)
    # A table holds thousands of small tuples that live long: the collector need not look at them all the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=75,
        access_log=False,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=None if own is None else [own])


def _keep_workers(settings: Settings) -> None:
    if not hasattr(socket, "SO_REUSEPORT") or not hasattr(socket, "AF_UNIX"):
        raise AddressError("this system cannot share a port between workers; serve with --workers 1")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    # Holds the port; it does not listen.
    with _bound(settings, shared=True) as holder, tempfile.TemporaryDirectory(prefix="brink-") as folder:
        settings = replace(settings, channel=folder, port=holder.getsockname()[1])
        workers = [_start(settings) for _ in range(settings.workers)]
        while not stop.wait(LOOK_SECONDS):
            for place, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("a worker has died and is replaced", extra={"exit_code": worker.exitcode})
                    workers[place] = _start(settings)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(2 * GRACE_SECONDS)


def _start(settings: Settings) -> BaseProcess:
    worker = multiprocessing.get_context("spawn").Process(target=_work, args=(settings,))
    worker.start()
    return worker


def _work(settings: Settings) -> None:
    logs.set_up()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent tells us
    _run(settings, _bound(settings, shared=True))
