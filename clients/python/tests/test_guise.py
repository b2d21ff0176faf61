"""Tests of the client against a server of the test. Run: python3 -m unittest discover -s tests"""

import asyncio
import base64
import hashlib
import hmac
import inspect
import io
import json
import os
import re
import socket
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
import zipfile
from email.message import Message
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

PYTHON = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PYTHON))

from build_wheel import build_wheel  # noqa: E402
from guise import AsyncGuise, Guise, GuiseError, TaskEndedError, verify_webhook  # noqa: E402
from guise._body import Multipart  # noqa: E402

TASK = {
    "id": "a task",
    "taskType": "IMAGE_SWAP",
    "status": "PENDING",
    "costCredits": 0,
    "parameters": {},
    "result": None,
    "createdAt": "2026-08-14T00:00:00.000Z",
    "startedAt": None,
    "completedAt": None,
}
PHOTO = {"target_image": b"target", "source_image": b"source"}


class Request:
    def __init__(self, handler):
        self.method, self.url, self.headers = handler.command, handler.path, handler.headers
        self.body = handler.rfile.read(int(handler.headers["content-length"] or 0))
        self.handler = handler

    def answer(self, status, body, headers={}):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        for name, value in {"content-length": len(text), **headers}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(text)

    def begin_stream(self):
        self.handler.send_response(200)
        self.handler.send_header("transfer-encoding", "chunked")
        self.handler.end_headers()

    def send(self, text):
        self.handler.wfile.write(b"%x\r\n%s\r\n" % (len(text), text.encode()))

    def lose(self):
        self.handler.connection.shutdown(socket.SHUT_RDWR)
        self.handler.close_connection = True


class Server:
    """A server that answers as `answer(request, count)` says."""

    def __init__(self, case, answer):
        self.requests = []
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                requests.append(Request(self))
                answer(requests[-1], len(requests))

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        case.addCleanup(server.server_close)
        case.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/"


def refuse(request, _):
    request.answer(429, {"error": "Too many.", "resetSeconds": 3600})


def event_of(task):
    return f": still here\n\nid: 7\nevent: task\ndata: {json.dumps(task)}\n\n"


def completed():
    return {**TASK, "status": "COMPLETED", "result": {"outputs": [], "failures": [], "receipt": None}}


def fields_of(multipart):
    head = f"Content-Type: {multipart.content_type}\r\n\r\n".encode()
    content = b"".join(multipart)
    assert len(content) == multipart.length
    parts = BytesParser().parsebytes(head + content).get_payload()
    return [
        (each.get_param("name", header="content-disposition"), each.get_filename(), each.get_payload(decode=True))
        for each in parts
    ]


class Case(unittest.TestCase):
    def setUp(self):
        for module in ["_http", "_workflow"]:
            quick = mock.patch(f"guise.{module}.FIRST_PAUSE", 0.01)
            quick.start()
            self.addCleanup(quick.stop)

    def serve(self, answer, **options):
        server = Server(self, answer)
        return Guise(**{"url": server.url, "key": "a key", **options}), server

    def fails(self, function, *args, **named):
        with self.assertRaises(GuiseError) as raised:
            function(*args, **named)
        return raised.exception


class Operations(Case):
    FORMS = {
        "photos": PHOTO,
        "batches": {"mode": "singleToMulti", "target_images": [b"x"]},
        "groups": {"source_image": b"x", "faces": []},
        "films": {"target_video": b"x"},
        "gifs": {"target_gif": b"x"},
    }

    async def call_all(self, client, settled):
        for name, form in self.FORMS.items():
            workflow = getattr(client, name)
            await settled(workflow.swap(**form))
            await settled(workflow.quote(**form))
            await settled(workflow.get("t"))
            await settled(workflow.cancel("t"))
            await settled(workflow.delete_files("t"))
        await settled(client.list(limit=5, cursor="c", status="FAILED", task_type="IMAGE_SWAP"))
        events = await settled(client.events(task_id="t", last_event_id="1"))
        await settled(events.aclose() if hasattr(events, "aclose") else events.close())
        await settled(client.detect_faces(b"x", preview=True))
        await settled(client.detect_persons(b"x"))
        await settled(client.verify(b"x"))
        await settled(client.verify_publicly(b"x"))
        await settled(client.engines())
        await settled(client.faces.save(photos=[b"x"], name="Ada", consent="She agreed."))
        await settled(client.faces.list())
        await settled(client.faces.get("{id}"))
        await settled(client.faces.delete("{id}"))
        await settled(client.faces.withdraw("{id}"))

    def check(self, requests):
        interface = json.loads((PYTHON.parents[1] / "docs/openapi.json").read_text())
        for url, methods in interface["paths"].items():
            if url.endswith("/openapi.json"):
                continue
            for method, operation in methods.items():
                sent = [
                    each.url
                    for each in requests
                    if each.method == method.upper() and unquote(each.url.split("?")[0]) == url
                ]
                self.assertTrue(sent, f"no method sends {method} {url}")
                for parameter in operation.get("parameters", []):
                    # `dryRun` of forms without a price tells nothing.
                    if parameter["in"] == "query" and parameter["name"] != "dryRun":
                        self.assertTrue(any(f"{parameter['name']}=" in each for each in sent), parameter)
        keys = [each.headers["idempotency-key"] for each in requests]
        self.assertEqual(len({each for each in keys if each is not None}), 6)
        self.assertTrue(all(each.headers["authorization"] == "Bearer a key" for each in requests))

    def test_every_operation_has_its_method(self):
        guise, server = self.serve(lambda request, _: request.answer(200, TASK))

        async def as_it_is(answer):
            return answer

        asyncio.run(self.call_all(guise, as_it_is))
        self.check(server.requests)

    def test_every_operation_has_its_async_method(self):
        _, server = self.serve(lambda request, _: request.answer(200, TASK))

        async def awaited(answer):
            return await answer

        asyncio.run(self.call_all(AsyncGuise(url=server.url, key="a key"), awaited))
        self.check(server.requests)

    def test_both_clients_have_the_same_methods(self):
        def signatures(client):
            parts = [client, *(getattr(client, name) for name in (*self.FORMS, "faces"))]
            return [
                (name, [each for each in inspect.signature(getattr(part, name)).parameters if each != "timeout"])
                for part in parts
                for name in dir(part)
                if not name.startswith("_") and callable(getattr(part, name))
            ]

        self.assertEqual(signatures(Guise()), signatures(AsyncGuise()))


class Forms(Case):
    def test_a_form_is_written_as_the_service_reads_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'a "film".mp4'
            path.write_bytes(b"film")
            opened = io.BytesIO(b"not this: 2")
            opened.seek(10)
            reader, writer = os.pipe()
            os.write(writer, b"pipe")
            os.close(writer)
            with open(reader, "rb") as pipe:
                form = Multipart(
                    {
                        "targetVideo": path,
                        "startSeconds": 1.5,
                        "label": True,
                        "engine": None,
                        "sourceFaceId": "Zoë",
                        "sourceImages": [b"1", opened, pipe],
                        "faces": [
                            {"targetFace": str(path), "faceBox": {"personIndex": 1}},
                            {"sourceFaceId": "f", "faceBox": {"personIndex": 0}},
                        ],
                    }
                )
            expected = [
                ("targetVideo", "a %22film%22.mp4", b"film"),
                ("startSeconds", None, b"1.5"),
                ("label", None, b"true"),
                ("sourceFaceId", None, "Zoë".encode()),
                ("sourceImages", "file", b"1"),
                ("sourceImages", "file", b"2"),
                ("sourceImages", "file", b"pipe"),
                ("targetFace0", "a %22film%22.mp4", b"film"),
                ("faceBox0", None, b'{"personIndex": 1}'),
                ("sourceFaceId1", None, b"f"),
                ("faceBox1", None, b'{"personIndex": 0}'),
            ]
            self.assertEqual(fields_of(form), expected)
            self.assertEqual(fields_of(form), expected)  # It can be sent again.

    def test_a_large_file_is_not_read_into_memory(self):
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(50_000_000)
            form = Multipart({"targetVideo": file.name})
            tracemalloc.start()
            self.assertEqual(sum(map(len, form)), form.length)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertLess(peak, 1_000_000)

    def test_a_file_that_is_missing_or_shrinks_is_the_callers_error(self):
        guise, server = self.serve(lambda request, _: request.answer(200, {}))
        with self.assertRaises(FileNotFoundError):
            guise.photos.swap(target_image="/missing.jpg")
        self.assertEqual(server.requests, [])
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(10)
            form = Multipart({"targetVideo": file.name})
            file.truncate(5)
            with self.assertRaisesRegex(ValueError, "shorter"):
                list(form)


class Failures(Case):
    def test_a_failure_that_passes_is_met_again_with_the_same_key(self):
        def answer(request, count):
            if count == 1:
                request.answer(503, {}, {"retry-after": "0"})
            elif count == 2:
                request.lose()
            elif count == 3:
                request.answer(429, {"error": "Too many.", "resetSeconds": 0})
            elif count == 4:
                request.answer(200, {"taskId": "t"})
            else:
                body = {"error": "targetImage is missing.", "code": "INVALID_REQUEST", "field": "targetImage"}
                request.answer(400, body, {"x-request-id": "r"})

        waits = []
        guise, server = self.serve(answer, on_wait=lambda until: waits.append(until is not None))
        self.assertEqual(guise.photos.swap(**PHOTO), {"taskId": "t"})
        self.assertEqual(len(server.requests), 4)
        self.assertEqual(len({each.headers["idempotency-key"] for each in server.requests}), 1)
        self.assertEqual(len({re.sub(rb"[0-9a-f]{32}", b"", each.body) for each in server.requests}), 1)
        self.assertEqual(waits, [True, False] * 3)
        error = self.fails(guise.photos.swap, **PHOTO, idempotency_key="mine")
        self.assertEqual(
            (error.status, error.code, error.field, error.request_id, str(error)),
            (400, "INVALID_REQUEST", "targetImage", "r", "targetImage is missing."),
        )
        self.assertEqual([each.headers["idempotency-key"] for each in server.requests[4:]], ["mine"])

    def test_pauses_double_until_patience_ends(self):
        guise, server = self.serve(lambda request, _: request.answer(503, b"<html>"), patience=1e9)
        pauses = []

        def pause(_, seconds):
            pauses.append(seconds)
            if len(pauses) == 7:
                raise KeyboardInterrupt

        mock.patch.stopall()
        with mock.patch("guise._call.Call.pause", pause), self.assertRaises(KeyboardInterrupt):
            guise.engines()
        self.assertEqual(pauses, [1, 2, 4, 8, 16, 30, 30])

    def test_patience_ends_and_a_caller_chooses_what_is_met_again(self):
        guise, server = self.serve(refuse)
        error = self.fails(guise.engines)
        self.assertEqual((error.status, error.message, error.body["resetSeconds"]), (429, "Too many.", 3600))
        self.assertEqual(len(server.requests), 1)
        error = self.fails(Guise(url="http://127.0.0.1:1", retry_on=[]).engines)
        self.assertEqual(error.status, 0)
        self.assertIsNotNone(error.__cause__)

    def test_a_refused_token_is_asked_for_again_once(self):
        def answer(request, _):
            request.answer(200 if request.headers["authorization"] == "Bearer new" else 401, {})

        guise, server = self.serve(answer, key=lambda was_refused: "new" if was_refused else "old")
        guise.engines()
        self.assertEqual(len(server.requests), 2)

        async def key(was_refused):
            return "new" if was_refused else "old"

        asyncio.run(AsyncGuise(url=server.url, key=key).engines())
        self.assertEqual(len(server.requests), 4)
        guise, server = self.serve(answer, key=lambda _: "x")
        self.assertEqual(self.fails(guise.engines).status, 401)
        self.assertEqual(len(server.requests), 2)

    def test_an_answer_before_the_end_of_the_form_is_read(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def refuse_early():
            connection, _ = listener.accept()
            connection.recv(1000)
            connection.sendall(b"HTTP/1.1 402 No\r\ncontent-length: 22\r\n\r\n" + b'{"code":"NO_CREDITS!"}')
            connection.shutdown(socket.SHUT_WR)
            time.sleep(0.2)
            while connection.recv(100_000):
                pass
            connection.close()

        threading.Thread(target=refuse_early, daemon=True).start()
        guise = Guise(url=f"http://127.0.0.1:{listener.getsockname()[1]}", retry_on=[])
        error = self.fails(guise.photos.swap, target_image=bytes(5_000_000))
        self.assertEqual((error.status, error.code), (402, "NO_CREDITS!"))


class Waiting(Case):
    STATES = [
        TASK,
        {**TASK, "status": "PROCESSING", "result": {"progress": 0.5, "outputs": []}},
        completed(),
    ]

    def test_wait_follows_events_over_a_broken_stream_and_without_any(self):
        for kind in ["streams", "breaks", "refuses"]:
            reads = []

            def answer(request, _):
                if "/events" not in request.url:
                    reads.append(1)
                    return request.answer(200, self.STATES[0 if kind == "streams" else min(len(reads), 3) - 1])
                if kind == "refuses":
                    return request.answer(429, {})
                request.begin_stream()
                states = self.STATES[len(reads) : 2] if kind == "breaks" else self.STATES
                text = "".join(map(event_of, states))
                request.send(text[:100])  # An event may come in pieces.
                time.sleep(0.02)
                request.send(text[100:])
                if kind == "breaks":
                    request.lose()
                else:
                    time.sleep(60)

            guise, server = self.serve(answer)
            seen = []
            task = guise.photos.wait("a task", on_change=lambda task: seen.append(task["status"]))
            self.assertEqual(task["status"], "COMPLETED")
            self.assertEqual(seen, ["PENDING", "PROCESSING", "COMPLETED"], kind)
            self.assertTrue(any("events?taskId=a%20task" in each.url for each in server.requests))

    def test_a_silent_stream_counts_as_lost(self):
        reads = []

        def answer(request, _):
            if "/events" not in request.url:
                reads.append(1)
                return request.answer(200, self.STATES[0 if len(reads) == 1 else 2])
            request.begin_stream()
            time.sleep(60)

        guise, _ = self.serve(answer)
        with mock.patch("guise._workflow.SILENCE", 0.1):
            self.assertEqual(guise.photos.wait("t")["status"], "COMPLETED")

    def test_wait_raises_what_ended_the_task_and_its_timeout(self):
        failed = {"error": {"code": "NO_FACE_DETECTED", "message": "No face."}}
        answers = [{**TASK, "status": "FAILED", "result": failed}, {**TASK, "status": "CANCELLED"}]

        def answer(request, _):
            if "/events" in request.url:
                return request.answer(503, {})
            request.answer(200, answers.pop(0) if answers else TASK)

        guise, _ = self.serve(answer)
        with self.assertRaises(TaskEndedError) as raised:
            guise.films.wait("t")
        error = raised.exception
        self.assertEqual(
            (error.code, str(error), error.task["status"]), ("NO_FACE_DETECTED", "No face.", "FAILED")
        )
        with self.assertRaises(TaskEndedError) as raised:
            guise.films.wait("t")
        self.assertEqual(raised.exception.code, "CANCELLED")
        with self.assertRaises(TimeoutError):
            guise.films.wait("t", timeout=0.05)

    def test_a_timeout_ends_a_request_that_is_not_answered(self):
        guise, _ = self.serve(lambda request, _: time.sleep(60))
        began = time.monotonic()
        with self.assertRaises(TimeoutError):
            guise.photos.wait("t", timeout=0.2)
        self.assertLess(time.monotonic() - began, 5)


class Asynchronous(Case):
    def test_cancelling_closes_the_connection_and_ends_at_once(self):
        closed, streaming = threading.Event(), threading.Event()

        def answer(request, _):
            if "/events" not in request.url:
                return request.answer(200, TASK)
            request.begin_stream()
            request.send(event_of(Waiting.STATES[1]))
            streaming.set()
            request.handler.connection.recv(1)  # Returns when the client closes.
            closed.set()
            request.lose()

        _, server = self.serve(answer)
        client = AsyncGuise(url=server.url)
        seen = []

        async def main():
            loop_thread = threading.get_ident()
            waiting = asyncio.ensure_future(
                client.photos.wait("t", on_change=lambda task: seen.append(threading.get_ident() == loop_thread))
            )
            while len(seen) < 2:
                await asyncio.sleep(0.01)
            began = time.monotonic()
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting
            self.assertLess(time.monotonic() - began, 1)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.photos.wait("t"), 0.2)

        asyncio.run(main())
        self.assertEqual(seen, [True, True])
        self.assertTrue(closed.wait(5))

    def test_what_a_function_of_the_user_raises_ends_the_wait(self):
        _, server = self.serve(lambda request, _: request.answer(200, TASK))

        def refuse_all(task):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            asyncio.run(AsyncGuise(url=server.url).photos.wait("t", on_change=refuse_all))

    def test_many_calls_wait_at_the_same_time(self):
        started = threading.Semaphore(0)
        go = threading.Event()

        def answer(request, _):
            started.release()
            go.wait(30)
            request.answer(200, TASK)

        _, server = self.serve(answer)

        async def main():
            calls = [asyncio.ensure_future(AsyncGuise(url=server.url).photos.get("t")) for _ in range(40)]
            while started._value < 40:
                await asyncio.sleep(0.01)
            go.set()
            self.assertEqual(await asyncio.gather(*calls), [TASK] * 40)

        asyncio.run(asyncio.wait_for(main(), 30))

    def test_events_are_iterated_and_closed(self):
        def answer(request, _):
            request.begin_stream()
            request.send(event_of(TASK) + event_of(completed()))
            if request.headers["last-event-id"] == "7":
                request.send("")
            else:
                time.sleep(60)

        guise, server = self.serve(answer)
        self.assertEqual([event.id for event in guise.events(last_event_id="7")], ["7", "7"])
        with guise.events() as events:
            self.assertEqual(next(events).task, TASK)

        async def main():
            client = AsyncGuise(url=server.url)
            statuses = [event.task["status"] async for event in await client.events(last_event_id="7")]
            self.assertEqual(statuses, ["PENDING", "COMPLETED"])
            async with await client.events() as events:
                async for event in events:
                    if event.task["status"] == "COMPLETED":
                        break
                waiting = asyncio.ensure_future(events.__anext__())
                await asyncio.sleep(0.05)
                await events.aclose()
                with self.assertRaises(StopAsyncIteration):
                    await waiting

        asyncio.run(asyncio.wait_for(main(), 30))


class Downloads(Case):
    OUTPUT = {"index": 0, "contentType": "image/png", "width": 1, "height": 1, "bytes": 7, "sha256": ""}

    def test_a_download_sends_no_key_and_a_deleted_result_says_so(self):
        def answer(request, count):
            if "gone" in request.url:
                return request.answer(410, {"error": "The link has expired."})
            if count == 1:  # The connection is lost in the middle.
                request.answer(200, b"pic", {"content-length": 7})
                return request.lose()
            request.answer(200, b"picture")

        guise, server = self.serve(answer)
        output = {**self.OUTPUT, "url": f"{server.url}made?signature=a%2Fb"}
        self.assertEqual(guise.download(output), b"picture")
        self.assertEqual([each.url for each in server.requests], ["/made?signature=a%2Fb"] * 2)
        self.assertTrue(all(each.headers["authorization"] is None for each in server.requests))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.png"
            self.assertIsNone(guise.download(output, path))
            self.assertEqual(path.read_bytes(), b"picture")
            asyncio.run(AsyncGuise(url=server.url).download(output, str(path)))
            self.assertEqual(self.fails(guise.download, {**output, "url": f"{server.url}gone"}, path).status, 410)
            self.assertEqual(path.read_bytes(), b"picture")
        self.assertEqual(self.fails(guise.download, self.OUTPUT).status, 410)

    def test_a_request_sends_json(self):
        guise, server = self.serve(lambda request, _: request.answer(200, {"job_id": "j"}))
        self.assertEqual(guise.request("POST", "/v1/batch-swap", {"target_images": []}), {"job_id": "j"})
        sent = server.requests[0]
        self.assertEqual((sent.headers["content-type"], sent.body), ("application/json", b'{"target_images": []}'))


class Webhooks(unittest.TestCase):
    def test_a_webhook_is_genuine_only_with_its_signature_its_body_and_its_time(self):
        key = bytes([7] * 32)
        secret = "whsec_" + base64.b64encode(key).decode()
        body = '{"event":"video_swap.failed","job_id":"job_1"}'
        timestamp = str(int(time.time()))

        def sign(when):
            return base64.b64encode(hmac.new(key, f"evt_1.{when}.{body}".encode(), hashlib.sha256).digest()).decode()

        headers = {
            "webhook-id": "evt_1",
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1a,x v1,!! v1,{sign(timestamp)}",
        }
        event = {"event": "video_swap.failed", "job_id": "job_1"}
        self.assertEqual(verify_webhook(secret, headers, body), event)
        message = Message()
        for name, value in headers.items():
            message[name.title()] = value
        self.assertEqual(verify_webhook(secret, message, body.encode()), event)
        old = str(int(timestamp) - 400)
        for changed, text in [
            (headers, body + " "),
            ({**headers, "webhook-id": "evt_2"}, body),
            ({**headers, "webhook-timestamp": old, "webhook-signature": f"v1,{sign(old)}"}, body),
            ({**headers, "webhook-timestamp": ""}, body),
            ({**headers, "webhook-timestamp": "nan"}, body),
            ({}, body),
        ]:
            with self.assertRaisesRegex(ValueError, "webhook"):
                verify_webhook(secret, changed, text)


class Package(unittest.TestCase):
    def test_the_package_has_all_files_and_the_version_of_guise(self):
        version = json.loads((PYTHON.parents[1] / "package.json").read_text())["version"]
        with tempfile.TemporaryDirectory() as folder:
            name = build_wheel(folder)
            with zipfile.ZipFile(Path(folder) / name) as wheel:
                names = set(wheel.namelist())
        self.assertEqual(name, f"guise_client-{version}-py3-none-any.whl")
        self.assertLessEqual({"guise/__init__.py", "guise/types.py", "guise/py.typed"}, names)


if __name__ == "__main__":
    unittest.main()
