"""What mypy must accept and refuse: python-client.test.ts compares its errors with the marks."""

from pathlib import Path
from typing import List

from guise import AsyncGuise, Guise, GuiseError, TaskEndedError, verify_webhook
from guise.types import CompletedTask, Outcome, Quote, TaskAccepted, VideoFace

guise = Guise(key="k", url="http://127.0.0.1:3000", patience=5)
accepted: TaskAccepted = guise.photos.swap(source_image="face.jpg", target_image=Path("scene.jpg"))
task: CompletedTask = guise.photos.wait(accepted["taskId"], timeout=5)
outcome: Outcome = task["result"]
content: bytes = guise.download(outcome["outputs"][0])
guise.download(outcome["outputs"][0], "out.jpg")
quote: Quote = guise.films.quote(target_video=b"film", end_seconds=2)
found = guise.detect_faces(open("pair.png", "rb"))["faces"]
guise.groups.swap(source_image="pair.png", faces=[{"faceBox": found[0], "targetFace": "face.jpg"}])
guise.groups.swap(
    source_image="pair.png", faces=[{"faceBox": {"x": 1, "y": 1, "width": 9, "height": 9}, "sourceFaceId": "f"}]
)
people: List[VideoFace] = [
    {"faceBox": {"personIndex": each["personIndex"]}, "targetFace": "face.jpg"}
    for each in guise.detect_persons("film.mp4")["persons"]
]
guise.films.swap(target_video="film.mp4", faces=people)
guise.batches.swap(mode="singleToMulti", source_face_id="f", target_images=["a.jpg", b"b"])
Guise(key=lambda was_refused: "token")
for event in guise.events():
    print(event.id, event.task["status"])
print(GuiseError(0, {}).request_id, TaskEndedError.code)
if verify_webhook("whsec_", {"webhook-id": "1"}, b"")["event"] == "video_swap.completed":
    print("done")

guise.photos.swap(source_image="face.jpg")  # error: call-arg
guise.photos.swap(source_image=1, target_image="scene.jpg")  # error: arg-type
guise.photos.swap(sourceImage="face.jpg", target_image="scene.jpg")  # error: call-arg
guise.photos.quote(source_image="face.jpg")  # error: call-arg
guise.batches.swap(mode="all", target_images=["a.jpg"])  # error: arg-type
guise.films.swap(target_video="film.mp4", faces=[{"targetFace": "face.jpg"}])  # error: typeddict-item
guise.photos.wait(accepted)  # error: arg-type
guise.download(outcome)  # error: arg-type
print(accepted["task_id"])  # error: typeddict-item
print(accepted["requiredCredits"] + "1")  # error: operator


async def use() -> None:
    shop = AsyncGuise(key="k")
    made: TaskAccepted = await shop.photos.swap(source_image=b"face", target_image=b"scene")
    done: CompletedTask = await shop.photos.wait(made["taskId"], on_change=print)
    picture: bytes = await shop.download(done["result"]["outputs"][0])
    await shop.download(done["result"]["outputs"][0], "out.jpg")
    async for event in await shop.events(task_id=made["taskId"]):
        print(event.task["result"], picture)
    await shop.photos.swap(source_image=b"face")  # error: call-arg
    shop.photos.swap(target_image=b"scene")["taskId"]  # error: index
