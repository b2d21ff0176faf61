from __future__ import annotations

from contextlib import ExitStack
from typing import Callable, Iterable, Optional, cast

from ._body import Multipart
from ._call import call_until, current_call, in_loop, in_thread
from ._errors import GuiseError, TaskEndedError
from ._events import SILENCE, Events, TaskEvent
from ._http import FIRST_PAUSE, MAX_PAUSE, Http, random_key
from ._sender import Coro, Form, Sender
from .types import CompletedTask, DeletedFiles, Quote, Task, TaskAccepted

OnChange = Callable[[Task], object]


def open_events(http: Http, task_id: Optional[str], last_event_id: Optional[str] = None) -> Events:
    """Opens the stream of changes of all tasks, or of one."""
    headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
    query = {"taskId": task_id}
    return Events(http.open("GET", "/api/ai-tasks/events", query=query, headers=headers, timeout=SILENCE))


class Workflow(Sender[TaskAccepted, Quote]):
    """The tasks of one kind, such as photos."""

    def __init__(self, http: Http, path: str) -> None:
        self._http = http
        self._path = path

    def _make(self, form: Form, idempotency_key: Optional[str]) -> TaskAccepted:
        key = idempotency_key or random_key()
        answer = self._http.json("POST", self._path, body=Multipart(form), idempotency_key=key)
        return cast(TaskAccepted, answer)

    def _quote(self, form: Form) -> Quote:
        query = {"dryRun": "true"}
        return cast(Quote, self._http.json("POST", self._path, query=query, body=Multipart(form)))

    def get(self, task_id: str) -> Task:
        """Reads a task. Raises GuiseError."""
        return cast(Task, self._http.json("GET", self._path, query={"taskId": task_id}))

    def cancel(self, task_id: str) -> Task:
        """Cancels a task that has not ended. Raises GuiseError `JOB_FINISHED` if it has."""
        return cast(Task, self._http.json("DELETE", self._path, query={"taskId": task_id}))

    def delete_files(self, task_id: str) -> DeletedFiles:
        """Deletes the results of a task that has ended. Raises GuiseError `JOB_UNFINISHED` if it has not."""
        query = {"taskId": task_id, "files": "true"}
        return cast(DeletedFiles, self._http.json("DELETE", self._path, query=query))

    def wait(
        self, task_id: str, *, on_change: Optional[OnChange] = None, timeout: Optional[float] = None
    ) -> CompletedTask:
        """
        Waits for the end of a task: by events, and by reading it again and again where these do not come
        through. Raises TaskEndedError if it failed or was cancelled, GuiseError if it cannot be read, and
        TimeoutError if it has not ended within `timeout` seconds. The task then goes on.

        on_change: called with the task whenever its status or progress has changed
        """
        return call_until(timeout, lambda: self._wait(task_id, on_change))

    def _wait(self, task_id: str, on_change: Optional[OnChange]) -> CompletedTask:
        last: Optional[Task] = None

        def has_ended(task: Task) -> bool:
            nonlocal last
            if task != last and on_change is not None:
                on_change(task)
            last = task
            if task["status"] in ("FAILED", "CANCELLED"):
                raise TaskEndedError(task)
            return task["status"] == "COMPLETED"

        pause = FIRST_PAUSE
        while True:
            # The stream is opened before the task is read, so that no change is missed in between.
            with ExitStack() as stack:
                events: Iterable[TaskEvent] = ()
                try:
                    events = stack.enter_context(open_events(self._http, task_id))
                except GuiseError:
                    pass
                task = self.get(task_id)
                if has_ended(task):
                    return cast(CompletedTask, task)
                for _, task in events:
                    pause = FIRST_PAUSE
                    if has_ended(task):
                        return cast(CompletedTask, task)
            current_call().pause(pause)
            pause = min(2 * pause, MAX_PAUSE)


class AsyncWorkflow(Sender[Coro[TaskAccepted], Coro[Quote]]):
    """The tasks of one kind, such as photos."""

    def __init__(self, http: Http, path: str) -> None:
        self._sync = Workflow(http, path)

    def _make(self, form: Form, idempotency_key: Optional[str]) -> Coro[TaskAccepted]:
        return in_thread(self._sync._make, form, idempotency_key)

    def _quote(self, form: Form) -> Coro[Quote]:
        return in_thread(self._sync._quote, form)

    async def get(self, task_id: str) -> Task:
        """Reads a task. Raises GuiseError."""
        return await in_thread(self._sync.get, task_id)

    async def cancel(self, task_id: str) -> Task:
        """Cancels a task that has not ended. Raises GuiseError `JOB_FINISHED` if it has."""
        return await in_thread(self._sync.cancel, task_id)

    async def delete_files(self, task_id: str) -> DeletedFiles:
        """Deletes the results of a task that has ended. Raises GuiseError `JOB_UNFINISHED` if it has not."""
        return await in_thread(self._sync.delete_files, task_id)

    async def wait(self, task_id: str, *, on_change: Optional[OnChange] = None) -> CompletedTask:
        """
        Waits for the end of a task: by events, and by reading it again and again where these do not come
        through. Raises TaskEndedError if it failed or was cancelled, and GuiseError if it cannot be read.
        `asyncio.wait_for` ends the wait after some time. The task then goes on.

        on_change: called with the task whenever its status or progress has changed
        """
        return await in_thread(self._sync.wait, task_id, on_change=in_loop(on_change))
