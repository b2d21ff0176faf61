from __future__ import annotations

import io
import json
import os
import uuid
from contextlib import nullcontext
from typing import IO, Any, Callable, ContextManager, Iterator, List, Mapping, Tuple, Union

from ._forms import FILE_FIELDS

_PIECE_BYTES = 64 * 1024
# Opens a file, and tells its length.
_Source = Tuple[Callable[[], ContextManager[IO[bytes]]], int]


class Body:
    """What a request sends, in pieces."""

    content_type: str
    length: int

    def __iter__(self) -> Iterator[bytes]:
        raise NotImplementedError


class JsonBody(Body):
    content_type = "application/json"

    def __init__(self, value: object) -> None:
        self._text = json.dumps(value).encode()
        self.length = len(self._text)

    def __iter__(self) -> Iterator[bytes]:
        yield self._text


class Multipart(Body):
    """
    A form as the service reads it: files as they are, lists as one field many times, objects as JSON, and
    the members of `faces` with their number (`faceBox0`, ...). It leaves out what is None. Files are read
    while they are sent.
    """

    def __init__(self, form: Mapping[str, Any]) -> None:
        self._boundary = uuid.uuid4().hex
        self._parts: List[Union[bytes, _Source]] = []
        for field, value in form.items():
            if field == "faces":
                for index, face in enumerate(value or ()):
                    for member, each in face.items():
                        self._add(member, each, str(index))
            else:
                for each in value if isinstance(value, (list, tuple)) else [value]:
                    self._add(field, each)
        self._parts.append(f"--{self._boundary}--\r\n".encode())
        self.length = sum(len(part) if isinstance(part, bytes) else part[1] for part in self._parts)
        self.content_type = f"multipart/form-data; boundary={self._boundary}"

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
                continue
            open_file, left = part
            with open_file() as file:
                while left > 0:
                    piece = file.read(min(left, _PIECE_BYTES))
                    if not piece:
                        raise ValueError("A file became shorter while it was sent.")
                    left -= len(piece)
                    yield piece

    def _add(self, field: str, value: Any, number: str = "") -> None:
        if value is None:
            return
        head = f'--{self._boundary}\r\nContent-Disposition: form-data; name="{field}{number}"'
        if field in FILE_FIELDS:
            name, source = _source_of(value)
            head += f'; filename="{name}"\r\nContent-Type: application/octet-stream'
            self._parts += [f"{head}\r\n\r\n".encode("utf-8", "replace"), source, b"\r\n"]
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            self._parts.append(f"{head}\r\n\r\n{text}\r\n".encode())


def _source_of(file: Any) -> Tuple[str, _Source]:
    """Returns the name of a file, and how to read it, more than once if need be."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        return _name_of(path), (lambda: open(path, "rb"), os.stat(path).st_size)
    if not isinstance(file, (bytes, bytearray, memoryview)) and file.seekable():
        start = file.tell()
        length = file.seek(0, io.SEEK_END) - start

        def rewound() -> ContextManager[IO[bytes]]:
            file.seek(start)
            return nullcontext(file)

        return _name_of(getattr(file, "name", None)), (rewound, length)
    content = bytes(file if isinstance(file, (bytes, bytearray, memoryview)) else file.read())
    return "file", (lambda: io.BytesIO(content), len(content))


def _name_of(path: object) -> str:
    name = os.path.basename(path) if isinstance(path, str) else "file"
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
