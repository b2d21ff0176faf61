from __future__ import annotations

import json
import socket
import time
import uuid
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Callable, Collection, Dict, Iterator, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from ._body import Body
from ._call import current_call
from ._errors import GuiseError

T = TypeVar("T")
Key = Union[str, Callable[[bool], str], None]
OnWait = Callable[[Optional[datetime]], object]

# Statuses of failures that pass: no connection (0), too many requests, and a service that is away.
TEMPORARY = (0, 429, 502, 503, 504)
# First pause in seconds before something is tried again, and the longest; it doubles.
FIRST_PAUSE, MAX_PAUSE = 1.0, 30.0
# Longest time in seconds without a byte, while connecting and later.
_CONNECT_TIMEOUT, _TIMEOUT = 10, 300
_PIECE_BYTES = 64 * 1024


class Answer:
    """An answer of the service, not yet read. It must be closed."""

    def __init__(self, response: HTTPResponse, close: Callable[[], None]) -> None:
        self.response = response
        self.close = close

    def pieces(self) -> Iterator[bytes]:
        """Reads the answer as it arrives. Raises GuiseError if the connection is lost."""
        response = self.response
        while True:
            with reaching():
                # Only `read` counts what is left, and only `read1` returns an event as soon as it has come.
                has_length = response.length is not None
                piece = response.read(_PIECE_BYTES) if has_length else response.read1(_PIECE_BYTES)
                if not piece and response.length:
                    raise HTTPException("The answer is too short.")
            if not piece:
                return current_call().check()
            yield piece

    def json(self) -> Any:
        text = b"".join(self.pieces())
        with reaching():
            return json.loads(text)


class Http:
    """Sends requests, and sends them again after failures that pass."""

    def __init__(
        self, url: str, key: Key, retry_on: Collection[int], patience: float, on_wait: Optional[OnWait]
    ) -> None:
        self._url = url[:-1] if url.endswith("/") else url
        self._key = key
        self._retry_on = retry_on
        self._patience = patience
        self._on_wait: OnWait = on_wait or (lambda until: None)

    def json(self, method: str, path: str, **sent: Any) -> Any:
        """Sends a request, and reads its JSON answer. Takes what `_send` takes."""
        return self.read(Answer.json, method, path, **sent)

    def read(self, read: Callable[[Answer], T], method: str, path: str, **sent: Any) -> T:
        def attempt() -> T:
            answer = self.open(method, path, **sent)
            try:
                return read(answer)
            finally:
                answer.close()

        return self._repeatedly(attempt)

    def _repeatedly(self, attempt: Callable[[], T]) -> T:
        give_up_at = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            try:
                return attempt()
            except GuiseError as error:
                wait = float(error.body.get("resetSeconds", pause))
                if error.status not in self._retry_on or time.monotonic() + wait > give_up_at:
                    raise
            self._on_wait(datetime.now(timezone.utc) + timedelta(seconds=wait))
            current_call().pause(wait)
            self._on_wait(None)
            pause = min(2 * pause, MAX_PAUSE)

    def open(self, method: str, path: str, **sent: Any) -> Answer:
        """Sends a request without repeating it, and returns its answer, which is to be closed."""
        # A link to a result is whole, needs no key, and may lead to somebody else's bucket.
        key = self._key if path.startswith("/") else None
        if not callable(key):
            return self._send(method, path, key, **sent)
        try:
            return self._send(method, path, key(False), **sent)
        except GuiseError as error:
            if error.status != 401:
                raise
        return self._send(method, path, key(True), **sent)

    def _send(
        self,
        method: str,
        path: str,
        key: Optional[str],
        *,
        query: Mapping[str, object] = {},
        body: Optional[Body] = None,
        headers: Mapping[str, str] = {},
        idempotency_key: Optional[str] = None,
        timeout: float = _TIMEOUT,
    ) -> Answer:
        """Sends a request once. Raises GuiseError for an error answer or a lost connection."""
        all_headers: Dict[str, str] = dict(headers)
        if key is not None:
            all_headers["Authorization"] = f"Bearer {key}"
        if idempotency_key is not None:
            all_headers["Idempotency-Key"] = idempotency_key
        if body is not None:
            all_headers["Content-Type"] = body.content_type
        if method != "GET":
            all_headers["Content-Length"] = str(0 if body is None else body.length)
        call = current_call()
        call.check()
        known = {name: value for name, value in query.items() if value is not None}
        search = urlencode(known, quote_via=quote)
        whole = urlsplit((self._url + path if path.startswith("/") else path) + (search and f"?{search}"))
        connect = HTTPSConnection if whole.scheme == "https" else HTTPConnection
        connection = connect(whole.netloc, timeout=_CONNECT_TIMEOUT)
        stack = ExitStack()
        try:
            stack.callback(connection.close)
            with reaching():
                connection.connect()
            connected: socket.socket = connection.sock
            connected.settimeout(timeout)
            call.add(connected)
            stack.callback(call.remove, connected)
            with reaching():
                connection.putrequest(method, (whole.path or "/") + (whole.query and f"?{whole.query}"))
                for name, value in all_headers.items():
                    connection.putheader(name, value)
                connection.endheaders()
            for piece in body or ():
                with reaching():
                    try:
                        connection.send(piece)
                    except (BrokenPipeError, ConnectionResetError):
                        break  # The service may have answered before it had read everything.
            with reaching():
                response = connection.getresponse()
            stack.callback(response.close)
            if not 200 <= response.status < 300:
                raise _error_of(Answer(response, stack.close))
            return Answer(response, stack.close)
        except BaseException:
            stack.close()
            raise


@contextmanager
def reaching() -> Iterator[None]:
    """Turns errors of the connection into a GuiseError."""
    try:
        yield
    except (OSError, HTTPException, json.JSONDecodeError, UnicodeDecodeError) as error:
        current_call().check()
        message = "The service cannot be reached. Check your connection and try again."
        raise GuiseError(0, {"error": message}) from error


def _error_of(answer: Answer) -> GuiseError:
    try:
        body = answer.json()
    except GuiseError:
        body = {}
    headers = answer.response.headers
    body = body if isinstance(body, dict) else {}
    try:
        body.setdefault("resetSeconds", max(0.0, float(headers["retry-after"])))
    except (TypeError, ValueError):
        pass  # The service names no time, or a date.
    return GuiseError(answer.response.status, body, headers["x-request-id"])


def random_key() -> str:
    return str(uuid.uuid4())
