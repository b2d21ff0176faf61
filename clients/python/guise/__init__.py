"""Client of guise, a face-swap service that runs on your own machine."""

from . import types
from ._client import AsyncGuise, Guise
from ._errors import GuiseError, TaskEndedError
from ._events import AsyncEvents, Events, TaskEvent
from ._sender import File
from ._webhook import verify_webhook

__all__ = [
    "AsyncEvents",
    "AsyncGuise",
    "Events",
    "File",
    "Guise",
    "GuiseError",
    "TaskEndedError",
    "TaskEvent",
    "types",
    "verify_webhook",
]
