"""What python-client.test.ts runs: `python3 python_client.py SCENARIO`, with its arguments as JSON."""

import asyncio
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path

from guise import AsyncGuise, Guise, GuiseError, TaskEndedError, verify_webhook


def downloaded(guise, task):
    """Downloads the results in both ways, and compares them with what the task says of them."""
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for output in task["result"]["outputs"]:
            guise.download(output, Path(folder) / "file")
            contents.append(guise.download(output))
            for content in [contents[-1], (Path(folder) / "file").read_bytes()]:
                assert hashlib.sha256(content).hexdigest() == output["sha256"]
    return contents


def raised(kind, function, *args, **named):
    try:
        function(*args, **named)
    except kind as error:
        return error
    raise AssertionError("nothing was raised")


def photo(guise, face, scene, **_):
    form = {"source_image": face, "target_image": Path(scene), "label": True, "consent": "A drawn face."}
    assert guise.photos.quote(**form)["requiredCredits"] == 3
    task_id = guise.photos.swap(**form)["taskId"]
    seen = []
    task = guise.photos.wait(task_id, on_change=lambda task: seen.append(task["status"]), timeout=300)
    assert seen[-1] == "COMPLETED"
    assert task["result"]["receipt"]["label"]
    (picture,) = downloaded(guise, task)
    verification = guise.verify(picture)
    assert verification["marked"] and verification["watermark"]["ownInstallation"]
    assert guise.verify_publicly(picture)["marked"]
    assert any(each["id"] == task_id for each in guise.list(limit=1)["tasks"])
    assert guise.photos.delete_files(task_id)["deletedFiles"] == 1
    (output,) = guise.photos.wait(task_id)["result"]["outputs"]
    assert raised(GuiseError, guise.download, output).status == 410
    assert any(each["kind"] == "mesh" for each in guise.engines()["engines"])


def group(guise, face, scene, pair, **_):
    with open(pair, "rb") as file:
        first, second = guise.detect_faces(file)["faces"]
    made = guise.groups.swap(
        source_image=pair,
        faces=[{"faceBox": first, "targetFace": scene}, {"faceBox": second, "targetFace": face}],
    )
    saved = guise.faces.save(photos=[face], name="Ada", consent="A drawn face.")
    batch = guise.batches.swap(
        mode="singleToMulti", source_face_id=saved["id"], target_images=[scene, Path(pair).read_bytes()]
    )
    assert guise.groups.wait(made["taskId"])["result"]["receipt"]["facesFound"] == 2
    assert len(downloaded(guise, guise.batches.wait(batch["taskId"]))) == 2
    assert guise.faces.withdraw(saved["id"])["deletedOutputs"] == 2
    assert guise.faces.list()["faces"][0]["withdrawnAt"]
    error = raised(GuiseError, guise.photos.swap, source_face_id=saved["id"], target_image=scene)
    assert (error.status, error.code, error.field) == (400, "FACE_WITHDRAWN", "sourceFaceId")
    guise.faces.delete(saved["id"])


def film(guise, face, film, **_):
    persons = guise.detect_persons(film)["persons"]
    assert len(persons) == 2
    faces = [{"faceBox": {"personIndex": each["personIndex"]}, "targetFace": face} for each in persons]
    task = guise.films.wait(guise.films.swap(target_video=film, faces=faces, end_seconds=1)["taskId"])
    assert len(task["result"]["receipt"]["persons"]) == 2
    downloaded(guise, task)


def failures(guise, face, plain, **_):
    error = raised(GuiseError, guise.photos.swap, source_image=b"no picture", target_image=face)
    assert (error.status, error.field) == (400, "sourceImage") and error.request_id
    task_id = guise.photos.swap(source_image=face, target_image=plain)["taskId"]
    assert raised(TaskEndedError, guise.photos.wait, task_id).code == "NO_FACE_DETECTED"


def job(guise, body, **_):
    print(json.dumps(guise.request("POST", "/v1/batch-swap", body)))


def webhook(secret, headers, body, **_):
    print(json.dumps(verify_webhook(secret, headers, body)))
    assert "wrong" in str(raised(ValueError, verify_webhook, secret, headers, body + " "))
    assert "wrong" in str(raised(ValueError, verify_webhook, "whsec_Zm9yZ2Vk", headers, body))


def lost(guise, face, scene, **_):
    task_id = guise.photos.swap(source_image=face, target_image=scene)["taskId"]
    downloaded(guise, guise.photos.wait(task_id))
    assert [each["id"] for each in guise.list()["tasks"]] == [task_id]


async def in_async(guise, face, scene, film, **_):
    form = {"source_image": face, "target_image": scene}
    assert (await guise.photos.quote(**form))["requiredCredits"] == 3
    seen = []
    task_id = (await guise.photos.swap(**form))["taskId"]
    task = await guise.photos.wait(task_id, on_change=lambda task: seen.append(task["status"]))
    assert seen[-1] == "COMPLETED"
    (output,) = task["result"]["outputs"]
    assert hashlib.sha256(await guise.download(output)).hexdigest() == output["sha256"]
    # A wait that is cancelled ends at once, and leaves the task alone.
    task_id = (await guise.photos.swap(**form))["taskId"]
    waiting = asyncio.ensure_future(guise.photos.wait(task_id))
    await asyncio.sleep(0)
    began = time.monotonic()
    waiting.cancel()
    assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], asyncio.CancelledError)
    assert time.monotonic() - began < 1
    assert (await guise.photos.wait(task_id))["status"] == "COMPLETED"


name = sys.argv[1]
given = json.load(sys.stdin)
client = AsyncGuise if name == "in_async" else Guise
given["guise"] = client(url=given["url"], key=given["key"])
answer = globals()[name](**{each: value for each, value in given.items() if each not in ("url", "key")})
if asyncio.iscoroutine(answer):
    asyncio.run(answer)
