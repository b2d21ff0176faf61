from __future__ import annotations

import os
from typing import Any, Awaitable, Callable, Collection, Optional, Union, cast, overload
from urllib.parse import quote

from ._body import JsonBody, Multipart
from ._call import Call, in_loop, in_thread
from ._errors import GuiseError
from ._events import AsyncEvents, Events
from ._forms import BatchForm, FaceForm, GifForm, GroupForm, PhotoForm, VideoForm
from ._http import TEMPORARY, Answer, Http, Key, OnWait, random_key
from ._sender import Coro, File, Form
from ._workflow import AsyncWorkflow, Workflow, open_events
from .types import (
    DeletedFace,
    DetectedFaces,
    DetectedPersons,
    Engines,
    FaceList,
    Output,
    Quote,
    SavedFace,
    TaskAccepted,
    TaskList,
    Verification,
    Withdrawal,
)

AsyncKey = Union[str, Callable[[bool], Union[str, Awaitable[str]]], None]
Path = Union[str, "os.PathLike[str]"]
_DEFAULT_URL = "http://127.0.0.1:3000"
_TASKS = "/api/ai-tasks"


class Photos(Workflow, PhotoForm[TaskAccepted, Quote]):
    """Photos: one face on one photo."""


class Batches(Workflow, BatchForm[TaskAccepted, Quote]):
    """Batches: one face on many photos, or many faces on one."""


class Groups(Workflow, GroupForm[TaskAccepted, Quote]):
    """Group photos: each face gets a face of its own."""


class Films(Workflow, VideoForm[TaskAccepted, Quote]):
    """Films: the main person, or each of `faces` by its number or place."""


class Gifs(Workflow, GifForm[TaskAccepted, Quote]):
    """GIFs: the main person, or each of `faces` by its number or place."""


class Faces(FaceForm[SavedFace, None]):
    """Saved faces, which all workflows take as `source_face_id`."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def _make(self, form: Form, idempotency_key: Optional[str]) -> SavedFace:
        key = idempotency_key or random_key()
        answer = self._http.json("POST", "/api/faces", body=Multipart(form), idempotency_key=key)
        return cast(SavedFace, answer)

    def list(self) -> FaceList:
        return cast(FaceList, self._http.json("GET", "/api/faces"))

    def get(self, face_id: str) -> SavedFace:
        return cast(SavedFace, self._http.json("GET", _face_path(face_id)))

    def delete(self, face_id: str) -> DeletedFace:
        return cast(DeletedFace, self._http.json("DELETE", _face_path(face_id)))

    def withdraw(self, face_id: str) -> Withdrawal:
        """Ends the consent: tasks with the face end, and their results are deleted."""
        return cast(Withdrawal, self._http.json("POST", f"{_face_path(face_id)}/withdraw"))


class Guise:
    """
    A client of guise. Its methods take the fields of the HTTP interface as keyword arguments. A file is a
    path, bytes, or a file that is open for reading bytes.

        guise = Guise(key=key)
        task_id = guise.photos.swap(source_image="face.jpg", target_image="scene.jpg")["taskId"]
        result = guise.photos.wait(task_id)["result"]
        guise.download(result["outputs"][0], "out.jpg")
    """

    def __init__(
        self,
        *,
        url: str = _DEFAULT_URL,
        key: Key = None,
        retry_on: Collection[int] = TEMPORARY,
        patience: float = 600,
        on_wait: Optional[OnWait] = None,
    ) -> None:
        """
        url: address of the service
        key: the API key, or a function that returns a token. If the service refuses the token (401), it is
            called once more, with True.
        retry_on: statuses of failures after which a request is sent again; 0 means no connection
        patience: time in seconds for which a request is sent again before its error is raised
        on_wait: called with the time of the next attempt while a request waits, and then with None
        """
        self._http = http = Http(url, key, retry_on, patience, on_wait)
        self.photos = Photos(http, _TASKS)
        self.batches = Batches(http, f"{_TASKS}/batch-face-swap")
        self.groups = Groups(http, f"{_TASKS}/multi-face-swap")
        self.films = Films(http, f"{_TASKS}/video")
        self.gifs = Gifs(http, f"{_TASKS}/gif")
        self.faces = Faces(http)

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[str] = None,
        task_type: Optional[str] = None,
    ) -> TaskList:
        """Lists tasks, newest first, without links to their results. Raises GuiseError."""
        query = {"limit": limit, "cursor": cursor, "status": status, "taskType": task_type}
        return cast(TaskList, self._http.json("GET", f"{_TASKS}/list", query=query))

    def events(self, *, task_id: Optional[str] = None, last_event_id: Optional[str] = None) -> Events:
        """
        Opens the stream of changes of all tasks, or of one. It ends with its connection; then open it again
        with the last `id`. Raises GuiseError.
        """
        return open_events(self._http, task_id, last_event_id)

    def detect_faces(self, image: File, *, preview: Optional[bool] = None) -> DetectedFaces:
        """Finds the faces of a picture. It costs nothing. Raises GuiseError."""
        return cast(DetectedFaces, self._detect({"image": image, "preview": preview}))

    def detect_persons(self, video: File, *, preview: Optional[bool] = None) -> DetectedPersons:
        """Finds the people of a video or GIF. It costs nothing. Raises GuiseError."""
        return cast(DetectedPersons, self._detect({"video": video, "preview": preview}))

    def _detect(self, form: Form) -> Any:
        return self._http.json("POST", f"{_TASKS}/detect-faces", body=Multipart(form))

    def verify(self, file: File) -> Verification:
        """Says what a file tells of its origin: credentials, mark and watermark. Raises GuiseError."""
        answer = self._http.json("POST", f"{_TASKS}/verify", body=Multipart({"file": file}))
        return cast(Verification, answer)

    def verify_publicly(self, file: File) -> Verification:
        """Verifies without a key: a few files an hour, of at most 30 MB each. Raises GuiseError."""
        return cast(Verification, self._http.json("POST", "/verify", body=Multipart({"file": file})))

    def engines(self) -> Engines:
        """Lists what can draw faces. Raises GuiseError."""
        return cast(Engines, self._http.json("GET", f"{_TASKS}/engines"))

    @overload
    def download(self, output: Output) -> bytes: ...
    @overload
    def download(self, output: Output, path: Path) -> None: ...
    def download(self, output: Output, path: Optional[Path] = None) -> Optional[bytes]:
        """
        Returns the content of a result, or writes it to a file while it arrives. Raises GuiseError if the
        link has expired, or the file was deleted.
        """
        if "url" not in output:
            raise GuiseError(410, {"error": "The result was deleted."})

        def read(answer: Answer) -> Optional[bytes]:
            if path is None:
                return b"".join(answer.pieces())
            with open(path, "wb") as file:
                for piece in answer.pieces():
                    file.write(piece)
            return None

        return self._http.read(read, "GET", output["url"])

    def request(
        self, method: str, path: str, body: Optional[object] = None, *, idempotency_key: Optional[str] = None
    ) -> Any:
        """Sends any other request, such as `/v1/batch-swap` with a JSON body. Raises GuiseError."""
        sent = None if body is None else JsonBody(body)
        return self._http.json(method, path, body=sent, idempotency_key=idempotency_key)


def _face_path(face_id: str) -> str:
    return f"/api/faces/{quote(face_id, safe='')}"


class AsyncPhotos(AsyncWorkflow, PhotoForm[Coro[TaskAccepted], Coro[Quote]]):
    """Photos: one face on one photo."""


class AsyncBatches(AsyncWorkflow, BatchForm[Coro[TaskAccepted], Coro[Quote]]):
    """Batches: one face on many photos, or many faces on one."""


class AsyncGroups(AsyncWorkflow, GroupForm[Coro[TaskAccepted], Coro[Quote]]):
    """Group photos: each face gets a face of its own."""


class AsyncFilms(AsyncWorkflow, VideoForm[Coro[TaskAccepted], Coro[Quote]]):
    """Films: the main person, or each of `faces` by its number or place."""


class AsyncGifs(AsyncWorkflow, GifForm[Coro[TaskAccepted], Coro[Quote]]):
    """GIFs: the main person, or each of `faces` by its number or place."""


class AsyncFaces(FaceForm[Coro[SavedFace], None]):
    """Saved faces, which all workflows take as `source_face_id`."""

    def __init__(self, http: Http) -> None:
        self._sync = Faces(http)

    def _make(self, form: Form, idempotency_key: Optional[str]) -> Coro[SavedFace]:
        return in_thread(self._sync._make, form, idempotency_key)

    async def list(self) -> FaceList:
        return await in_thread(self._sync.list)

    async def get(self, face_id: str) -> SavedFace:
        return await in_thread(self._sync.get, face_id)

    async def delete(self, face_id: str) -> DeletedFace:
        return await in_thread(self._sync.delete, face_id)

    async def withdraw(self, face_id: str) -> Withdrawal:
        """Ends the consent: tasks with the face end, and their results are deleted."""
        return await in_thread(self._sync.withdraw, face_id)


class AsyncGuise:
    """
    A client of guise for asyncio, with the methods of `Guise`. Each call works in a thread of its own. If its
    task is cancelled, its connection is closed. Functions that you give it are called in the loop.
    """

    def __init__(
        self,
        *,
        url: str = _DEFAULT_URL,
        key: AsyncKey = None,
        retry_on: Collection[int] = TEMPORARY,
        patience: float = 600,
        on_wait: Optional[OnWait] = None,
    ) -> None:
        """The arguments are those of `Guise`; the function `key` may be a coroutine function."""
        self._sync = Guise(
            url=url, key=in_loop(key), retry_on=retry_on, patience=patience, on_wait=in_loop(on_wait)
        )
        http = self._sync._http
        self.photos = AsyncPhotos(http, _TASKS)
        self.batches = AsyncBatches(http, f"{_TASKS}/batch-face-swap")
        self.groups = AsyncGroups(http, f"{_TASKS}/multi-face-swap")
        self.films = AsyncFilms(http, f"{_TASKS}/video")
        self.gifs = AsyncGifs(http, f"{_TASKS}/gif")
        self.faces = AsyncFaces(http)

    async def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[str] = None,
        task_type: Optional[str] = None,
    ) -> TaskList:
        """Lists tasks, newest first, without links to their results. Raises GuiseError."""
        return await in_thread(
            self._sync.list, limit=limit, cursor=cursor, status=status, task_type=task_type
        )

    async def events(
        self, *, task_id: Optional[str] = None, last_event_id: Optional[str] = None
    ) -> AsyncEvents:
        """
        Opens the stream of changes of all tasks, or of one. It ends with its connection; then open it again
        with the last `id`. Raises GuiseError.
        """
        call = Call()
        return AsyncEvents(
            await in_thread(self._sync.events, task_id=task_id, last_event_id=last_event_id, call=call), call
        )

    async def detect_faces(self, image: File, *, preview: Optional[bool] = None) -> DetectedFaces:
        """Finds the faces of a picture. It costs nothing. Raises GuiseError."""
        return await in_thread(self._sync.detect_faces, image, preview=preview)

    async def detect_persons(self, video: File, *, preview: Optional[bool] = None) -> DetectedPersons:
        """Finds the people of a video or GIF. It costs nothing. Raises GuiseError."""
        return await in_thread(self._sync.detect_persons, video, preview=preview)

    async def verify(self, file: File) -> Verification:
        """Says what a file tells of its origin: credentials, mark and watermark. Raises GuiseError."""
        return await in_thread(self._sync.verify, file)

    async def verify_publicly(self, file: File) -> Verification:
        """Verifies without a key: a few files an hour, of at most 30 MB each. Raises GuiseError."""
        return await in_thread(self._sync.verify_publicly, file)

    async def engines(self) -> Engines:
        """Lists what can draw faces. Raises GuiseError."""
        return await in_thread(self._sync.engines)

    @overload
    async def download(self, output: Output) -> bytes: ...
    @overload
    async def download(self, output: Output, path: Path) -> None: ...
    async def download(self, output: Output, path: Optional[Path] = None) -> Optional[bytes]:
        """
        Returns the content of a result, or writes it to a file while it arrives. Raises GuiseError if the
        link has expired, or the file was deleted.
        """
        download: Callable[..., Optional[bytes]] = self._sync.download
        return await in_thread(download, output, path)

    async def request(
        self, method: str, path: str, body: Optional[object] = None, *, idempotency_key: Optional[str] = None
    ) -> Any:
        """Sends any other request, such as `/v1/batch-swap` with a JSON body. Raises GuiseError."""
        return await in_thread(self._sync.request, method, path, body, idempotency_key=idempotency_key)
