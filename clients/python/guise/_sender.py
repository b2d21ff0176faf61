from __future__ import annotations

import os
from typing import IO, Any, Coroutine, Dict, Generic, Optional, TypeVar, Union

# A file to send: its path, its content, or a file that is open for reading bytes.
File = Union[str, "os.PathLike[str]", bytes, IO[bytes]]
Form = Dict[str, Any]
Made = TypeVar("Made")
Quoted = TypeVar("Quoted")
T = TypeVar("T")
Coro = Coroutine[Any, Any, T]


class Sender(Generic[Made, Quoted]):
    """Sends forms. An async sender returns coroutines."""

    def _make(self, form: Form, idempotency_key: Optional[str]) -> Made:
        raise NotImplementedError

    def _quote(self, form: Form) -> Quoted:
        raise NotImplementedError
