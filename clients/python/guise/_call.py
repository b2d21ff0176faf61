"""One call of a method: it can be ended from another thread, and knows the loop that waits for it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import socket
import threading
from typing import Any, Callable, Optional, Set, TypeVar

T = TypeVar("T")


class CallEnded(BaseException):
    """The call was ended from another thread."""


class Call:
    loop: Optional[asyncio.AbstractEventLoop] = None
    """The loop that waits for the call, if one does."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._sockets: Set[socket.socket] = set()

    def end(self) -> None:
        """Ends the call at once: its connections are shut, and its pauses end."""
        with self._lock:
            self._ended.set()
            for each in self._sockets:
                try:
                    # A TLS socket's own method would take the state away that another thread reads with.
                    socket.socket.shutdown(each, socket.SHUT_RDWR)
                except OSError:
                    pass

    def check(self) -> None:
        if self._ended.is_set():
            raise CallEnded

    def pause(self, seconds: float) -> None:
        if self._ended.wait(seconds):
            raise CallEnded

    def add(self, connected: socket.socket) -> None:
        with self._lock:
            self.check()
            self._sockets.add(connected)

    def remove(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.discard(connected)


_current: contextvars.ContextVar[Optional[Call]] = contextvars.ContextVar("call", default=None)


def current_call() -> Call:
    """Returns the call of this thread. By default it is one that nothing ends."""
    return _current.get() or Call()


def call_until(seconds: Optional[float], function: Callable[[], T]) -> T:
    """Calls a function that is ended after some time. Raises TimeoutError."""
    if seconds is None:
        return function()
    call = Call()
    timer = threading.Timer(seconds, call.end)
    timer.daemon = True
    timer.start()
    token = _current.set(call)
    try:
        return function()
    except CallEnded:
        raise TimeoutError(f"The task has not ended within {seconds} seconds.") from None
    finally:
        timer.cancel()
        _current.reset(token)


async def in_thread(function: Callable[..., T], *args: Any, call: Optional[Call] = None, **named: Any) -> T:
    """Calls a function in a thread of its own. If the caller is cancelled, the call is ended."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    own = call or Call()
    own.loop = loop

    def tell(set_value: Callable[[Any], None], value: Any) -> None:
        try:
            loop.call_soon_threadsafe(lambda: None if future.done() else set_value(value))
        except RuntimeError:  # The loop was closed: nobody waits any more.
            pass

    def run() -> None:
        _current.set(own)
        try:
            tell(future.set_result, function(*args, **named))
        except BaseException as error:
            tell(future.set_exception, error)

    threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True).start()
    try:
        return await future
    except asyncio.CancelledError:
        own.end()
        raise


def in_loop(function: Any) -> Any:
    """Makes a function or coroutine function of a user one that a thread can call: it runs in the loop."""

    def ask(*args: Any) -> Any:
        async def run() -> Any:
            answer = function(*args)
            return await answer if inspect.isawaitable(answer) else answer

        call = current_call()
        call.check()
        assert call.loop is not None
        return asyncio.run_coroutine_threadsafe(run(), call.loop).result()

    return ask if callable(function) else function
