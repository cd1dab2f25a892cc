"""Serves the pages of one game to one person on this machine.

It listens on 127.0.0.1 only. Its address holds a secret that only the terminal shows, so nobody else on the machine can
play; the ``Host`` has to be this machine's, so no page elsewhere can reach it under another name (DNS rebinding); an
answer from a page of another origin is refused, and no other origin may read anything. Pages run no script, except the
replay of a finished game, which allows its own by its hash.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final
from urllib.parse import parse_qs

from experiments.play.browser.desk import Desk
from experiments.play.browser.page import page
from experiments.play.settings import PlayError
from experiments.replay import Replay

HOST: Final = "127.0.0.1"
_MOST_BYTES: Final = 1000
_PATIENCE: Final = 20.0
"""Seconds that an answer waits for what the others do, before a page says that they think."""
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Server(ThreadingHTTPServer):
    """The server of one desk.

    Attributes:
        desk: The desk.
        secret: The part of the address that has to be known.
    """

    daemon_threads = False  # the last page is sent before the server ends
    allow_reuse_address = True

    def __init__(self, desk: Desk, port: int = 0) -> None:
        """Listen.

        Args:
            desk: The desk.
            port: Where; 0 for any that is free.

        Raises:
            OSError: If the port is taken.
        """
        super().__init__((HOST, port), _Handler)
        self.desk = desk
        self.secret = secrets.token_urlsafe(16)

    @property
    def origin(self) -> str:
        """Where it is, without the secret."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"{self.origin}/{self.secret}/"


@contextmanager
def serving(desk: Desk, port: int = 0) -> Iterator[Server]:
    """Serve a desk in other threads as long as the context lasts; then it is closed.

    Raises:
        PlayError: If the port is taken.
    """
    try:
        server = Server(desk, port)
    except OSError as error:
        raise PlayError(f"port: found {port} ({error.strerror or error}), expected one that is free") from None
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1})
    thread.start()
    try:
        yield server
    finally:
        desk.close()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    timeout = 5  # of a connection on which nothing comes

    def do_GET(self) -> None:
        """Send a page."""
        name = self._asked_for()
        if name == "":
            self._send(page(self.server.desk.sight()))
        elif name == "replay":
            self._send_replay()
        elif name is not None:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Take an answer, and lead to the page that follows."""
        name = self._asked_for()
        if name is None:
            return
        origin = self.headers.get("Origin")
        size = self.headers.get("Content-Length", "")
        if name != "answer" or origin not in {None, self.server.origin}:
            self.send_error(HTTPStatus.FORBIDDEN)
        elif not (size.isascii() and size.isdigit() and len(size) < 10 and int(size) <= _MOST_BYTES):
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            self._take(parse_qs(self.rfile.read(int(size)).decode("ascii", "replace")))

    def _take(self, form: dict[str, list[str]]) -> None:
        """Take the answer of a form."""
        desk = self.server.desk
        step, line = form.get("step", [""])[0], form.get("line", [""])[0]
        if step.isascii() and step.isdigit() and len(step) < 10 and line.isprintable():
            desk.answer(int(step), line)
        desk.wait(_PATIENCE)
        if desk.sight().kind == "closed":  # nothing is served any more when the browser would ask
            self._send(page(desk.sight()))
            return
        self.send_response(HTTPStatus.SEE_OTHER)
        self._end_headers(0, "", Location="./")

    def _asked_for(self) -> str | None:
        """Return the name of a page, the path behind the secret; refuse who does not know it."""
        known = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        if self.headers.get("Host") not in known:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return None
        _, _, rest = self.path.partition("/")
        secret, _, name = rest.partition("/")
        if not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return name

    def _send_replay(self) -> None:
        """Send the replay of the game that has ended; its page brings its own policy."""
        sight = self.server.desk.sight()
        if sight.over is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._send(Replay(sight.over, names=sight.names).html(), policy="frame-ancestors 'none'")

    def _send(self, text: str, policy: str = _POLICY) -> None:
        body = text.encode()
        self.send_response(HTTPStatus.OK)
        self._end_headers(len(body), policy)
        self.wfile.write(body)

    def _end_headers(self, size: int, policy: str, **more: str) -> None:
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(size),
            "Cache-Control": "no-store",
            "Content-Security-Policy": policy or _POLICY,
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        for name, value in (headers | more).items():
            self.send_header(name, value)
        self.end_headers()

    def version_string(self) -> str:
        """Return what the server calls itself."""
        return "red7"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name is fixed
        """Write nothing: the terminal is for the person."""
