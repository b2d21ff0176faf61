from __future__ import annotations

import json
import re
import threading
from typing import AsyncIterator, Iterator, NamedTuple, Optional

from ._call import Call, CallEnded, in_thread
from ._errors import GuiseError
from ._http import Answer
from .types import Task

# Silence in seconds after which a stream counts as lost. The service sends a comment every 15 seconds.
SILENCE = 40


class TaskEvent(NamedTuple):
    """A task as it is after a change."""

    id: str
    """Send the last one as `last_event_id` to get what a lost stream has missed."""
    task: Task


class Events(Iterator[TaskEvent]):
    """The events of a stream until it ends or is lost."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._events = self._read()
        # What is being read must not be closed.
        self._lock = threading.RLock()

    def __next__(self) -> TaskEvent:
        with self._lock:
            return next(self._events)

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._answer.close()

    def _read(self) -> Iterator[TaskEvent]:
        text = b""
        try:
            for piece in self._answer.pieces():
                *blocks, text = (text + piece).split(b"\n\n")
                for block in blocks:
                    event_id = re.search(rb"^id: (.*)$", block, re.MULTILINE)
                    data = re.search(rb"^data: (.*)$", block, re.MULTILINE)
                    if event_id and data:
                        yield TaskEvent(event_id[1].decode(), json.loads(data[1]))
        except GuiseError:
            pass  # The stream is lost.
        finally:
            self.close()


class AsyncEvents(AsyncIterator[TaskEvent]):
    """The events of a stream until it ends or is lost."""

    def __init__(self, events: Events, call: Call) -> None:
        self._events = events
        self._call = call

    async def __anext__(self) -> TaskEvent:
        event: Optional[TaskEvent] = None
        try:
            event = await in_thread(next, self._events, None, call=self._call)
        except CallEnded:
            pass  # `aclose` was called.
        if event is None:
            raise StopAsyncIteration
        return event

    async def __aenter__(self) -> AsyncEvents:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        self._call.end()
        await in_thread(self._events.close)
