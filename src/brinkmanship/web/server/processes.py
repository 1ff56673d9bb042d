"""Processes of a server: a single serving process, or a parent that keeps several workers running.

Workers listen on the same port, each on its own socket (`SO_REUSEPORT`), so that the kernel spreads connections
evenly. They exchange notifications by `pubsub`; in a shared folder each shows the parent that it is up.

If the games still have to be compiled, a worker that interprets them serves at once, and a compiled one takes over when
it is ready. Both listen on one socket held by the parent, so connections made in between wait in its backlog. Tables
and streams move from one to the other as when one of several workers ends.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import uvicorn

from brinkmanship.engine.errors import LocalizedError
from brinkmanship.engine.jit.cache import INTERPRET
from brinkmanship.engine.message import Message
from brinkmanship.engine.parent_watch import end_with_parent
from brinkmanship.web.server.connections import limits_of_server, protocol
from brinkmanship.web.support import logs
from brinkmanship.web.support.settings import JUST_STARTED, Settings, sign_of_life

log = logging.getLogger("brinkmanship.web")

GRACE_SECONDS = 10
"""Time (s) that open requests get to finish at shutdown."""
BACKLOG = 2048
"""Maximum connections waiting to be accepted, such as while one worker takes over from another."""
DEAF_SECONDS = 20
"""Timeout (s) for acknowledgements of sent data; a connection whose client is gone is then closed."""
POLL_INTERVAL = 0.5
"""Interval (s) at which the parent checks its workers."""
START_SECONDS = 300.0
"""Timeout (s) for a compiled worker to come up; it is then replaced. Meanwhile the interpreted one serves."""
END_SECONDS = 3.0 * GRACE_SECONDS
"""Timeout (s) for a worker to end after a request to do so; it is then killed."""


class AddressError(LocalizedError):
    """The server cannot listen on the address."""


def serve(settings: Settings) -> None:
    """Serve until the process is asked to stop."""
    logs.set_up()
    if settings.workers == 1:
        _run(settings, _bound(settings, shared=False))
    else:
        _keep_workers(settings)


CAN_HAND_OVER = hasattr(socket, "AF_UNIX")
"""True if one worker can take over from another on this system."""


def serve_while(settings: Settings, compile_games: Callable[[], BaseProcess], tell: Callable[[bool], None]) -> None:
    """Serve until asked to stop, at first with a worker that interprets the games, then with a compiled one.

    Args:
        settings: Settings of the server.
        compile_games: Starts the process that compiles the games; called once the first worker is up.
        tell: Called when the server is up (False), and when a compiled worker has taken over (True).
    """
    logs.set_up()
    stop = _told_to_stop()
    with _bound(settings, shared=False) as listener, tempfile.TemporaryDirectory(prefix="brink-") as folder:
        listener.listen(BACKLOG)
        settings = replace(settings, channel=folder, port=listener.getsockname()[1])
        (Path(folder) / JUST_STARTED).touch()
        team = _Handover(settings, listener, compile_games, tell)
        try:
            while not stop.wait(POLL_INTERVAL):
                team.look()
        finally:
            team.stop()


class _Handover:
    """The serving worker, the compiling process, and the worker that takes over."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        compile_games: Callable[[], BaseProcess],
        tell: Callable[[bool], None],
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._compile_games = compile_games
        self._tell = tell
        self._is_interpreted = True
        self._worker = _start(settings, listener, interpreted=True)
        self._next: BaseProcess | None = None
        self._last: BaseProcess | None = None
        self._compiling: BaseProcess | None = None
        self._is_open = False
        self._since = time.monotonic()
        """Monotonic time (s) at which the next worker was started, and later the last one was asked to end."""

    def look(self) -> None:
        """Check the processes and do the next step."""
        if not self._worker.is_alive():
            log.error("a worker has died and will be replaced", extra={"exit_code": self._worker.exitcode})
            self._worker = _start(self._settings, self._listener, self._is_interpreted)
        if not self._is_open and self._is_up(self._worker):
            self._is_open = True
            self._tell(False)
            self._compiling = self._compile_games()
        if self._last is not None and not self._last.is_alive():  # `is_alive` also reaps the process
            self._last = None
        elif self._last is not None and self._has_waited(END_SECONDS):
            _end(self._last, "a worker does not shut down")
        if self._compiling is not None and not self._compiling.is_alive():
            if self._compiling.exitcode == 0:
                self._begin_next()
            else:
                log.error("the games could not be compiled", extra={"exit_code": self._compiling.exitcode})
            self._compiling = None
        if self._next is not None and (self._is_up(self._next) or not self._next.is_alive()):
            self._worker.terminate()  # it finishes open requests; its clients reconnect to the other worker
            self._last, self._worker, self._next = self._worker, self._next, None
            self._since = time.monotonic()
            self._is_interpreted = False
            self._tell(True)
        elif self._next is not None and self._has_waited(START_SECONDS):
            _end(self._next, "a worker does not start up")
            self._begin_next()

    def _has_waited(self, seconds: float) -> bool:
        return time.monotonic() - self._since > seconds

    def _begin_next(self) -> None:
        self._next = _start(self._settings, self._listener, interpreted=False)
        self._since = time.monotonic()

    def _is_up(self, worker: BaseProcess) -> bool:
        return sign_of_life(Path(self._settings.channel), worker.pid or 0).exists()

    def stop(self) -> None:
        """End all processes."""
        processes = [one for one in (self._compiling, self._next, self._worker, self._last) if one is not None]
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(2 * GRACE_SECONDS)


def _end(worker: BaseProcess, why: str) -> None:
    """Abort a worker that hangs; it dumps the stacks of its threads to standard error."""
    log.error(why, extra={"worker": worker.pid})
    if worker.pid is not None:
        os.kill(worker.pid, signal.SIGABRT)
    worker.join()


def check_address(settings: Settings) -> None:
    """Check that the address is free, before anything else is done.

    Raises:
        AddressError: The address is in use, or does not belong to this machine.
    """
    try:
        with _bound(settings, shared=False):
            pass
    except OSError as error:
        where = {"address": f"{settings.host}:{settings.port}", "why": error.strerror or str(error)}
        raise AddressError(Message("fault.listen", where)) from error


def _bound(settings: Settings, shared: bool) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * DEAF_SECONDS)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def _run(settings: Settings, own: socket.socket) -> None:
    # Imported late: it loads the rules, and whether to interpret them is decided only now; a parent needs none.
    from brinkmanship.web.server.app import create_app
    from brinkmanship.web.services import services_in
    from brinkmanship.web.tables.event_stream import close_all

    app = create_app(settings)
    limits = limits_of_server(settings.connections_of_address, settings.trusted_proxies)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            limits.is_ending = services_in({"app": app}).streams.is_ending = True
            close_all()
            await super().shutdown(sockets)

    # Let threads (the writer, the bots' requests) run soon: the default 5 ms would be most of a response's time.
    sys.setswitchinterval(0.0005)
    # Tables hold thousands of small long-lived tuples: keep the garbage collector from scanning them all the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=75,
        access_log=False,
        http=protocol(limits),
        ws="none",
        proxy_headers=False,  # the application handles them, by BRINK_TRUSTED_PROXIES
        server_header=False,
    )
    Server(config).run(sockets=[own])


def _keep_workers(settings: Settings) -> None:
    if not hasattr(socket, "SO_REUSEPORT") or not hasattr(socket, "AF_UNIX"):
        raise AddressError(Message("fault.shared_port"))
    stop = _told_to_stop()
    # Reserves the port; it does not listen.
    with _bound(settings, shared=True) as holder, tempfile.TemporaryDirectory(prefix="brink-") as folder:
        settings = replace(settings, channel=folder, port=holder.getsockname()[1])
        (Path(folder) / JUST_STARTED).touch()
        workers = [_start(settings) for _ in range(settings.workers)]
        while not stop.wait(POLL_INTERVAL):
            for place, worker in enumerate(workers):
                if not worker.is_alive():
                    log.error("a worker has died and will be replaced", extra={"exit_code": worker.exitcode})
                    workers[place] = _start(settings)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(2 * GRACE_SECONDS)


def _told_to_stop() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _start(settings: Settings, listener: socket.socket | None = None, interpreted: bool = False) -> BaseProcess:
    """Start a worker, on its own socket or on the given one."""
    worker = multiprocessing.get_context("spawn").Process(target=_work, args=(settings, listener))
    with _environment(INTERPRET, "1" if interpreted else os.environ.get(INTERPRET, "0")):
        worker.start()
    return worker


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set an environment variable for processes started within the context."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _work(settings: Settings, listener: socket.socket | None) -> None:
    logs.set_up()
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent ends the workers
    end_with_parent()
    _run(settings, listener or _bound(settings, shared=True))
