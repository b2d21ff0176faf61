from __future__ import annotations

from typing import Any, Dict, Optional

from .types import Task


class GuiseError(Exception):
    """An error answer of the service, or a lost connection. The message is written for users."""

    status: int
    """HTTP status; 0 if the service cannot be reached."""
    code: str
    """Code of the error, such as `INSUFFICIENT_CREDITS`; empty if the answer has none."""
    field: Optional[str]
    """The form field that the error is about, if the service names one."""
    message: str
    body: Dict[str, Any]
    """What else the answer says, such as `required` and `available` credits."""
    request_id: Optional[str]
    """`X-Request-Id` of the answer, by which an operator finds the request in the log."""

    def __init__(self, status: int, body: Dict[str, Any], request_id: Optional[str] = None) -> None:
        self.status = status
        self.code = body.get("code", "")
        self.field = body.get("field")
        self.message = body.get("error", f"The service answered {status}.")
        self.body = body
        self.request_id = request_id
        super().__init__(self.message)


class TaskEndedError(Exception):
    """Raised by `wait` for a task that failed or was cancelled. Nothing was charged for what failed."""

    code: str
    """Why it failed, such as `NO_FACE_DETECTED`; `CANCELLED` if it was cancelled."""
    message: str
    task: Task
    """The task. A cancelled batch still has its finished outputs."""

    def __init__(self, task: Task) -> None:
        result: Any = task["result"] or {}
        error = result.get("error", {"code": task["status"], "message": "The task was cancelled."})
        self.code = error["code"]
        self.message = error["message"]
        self.task = task
        super().__init__(self.message)
