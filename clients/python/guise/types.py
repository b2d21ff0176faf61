"""Types of guise's answers, and of the faces and boxes that forms have."""

# Made from docs/openapi*.json by `npm run client-types`.

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union

from ._sender import File


class _TaskAccepted(TypedDict):
    taskId: str
    status: Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "CANCELLED"]
    """COMPLETED, FAILED and CANCELLED are final."""


class TaskAccepted(_TaskAccepted, total=False):
    requiredCredits: int
    estimatedCredits: int
    """Price of a GIF. All other workflows answer requiredCredits."""
    quality: Literal["720p", "1080p"]


class _Output(TypedDict):
    index: int
    contentType: str
    width: int
    height: int
    bytes: int
    sha256: str
    """Lower-case hex."""


class Output(_Output, total=False):
    url: str
    """A signed link, valid without a key until expiresAt. Absent if the file was deleted."""
    durationSeconds: float
    """Length of a video or GIF."""
    expiresAt: str
    deletedAt: str
    """Time at which the owner deleted the file."""


class Progress(TypedDict):
    progress: float
    outputs: List[Output]


class ItemFailure(TypedDict):
    index: int
    code: Literal["NO_FACE_DETECTED", "FACE_NOT_FOUND", "FACE_BOX_MISMATCH", "FACE_BOX_CONFLICT", "FACE_MISMATCH", "DECODE_FAILED", "MEDIA_UNREACHABLE", "IMAGE_TOO_LARGE", "INVALID_FORMAT", "RESOURCE_LIMIT", "ENGINE_UNAVAILABLE", "FACE_BLOCKED", "FACE_WITHDRAWN", "MODERATION_REFUSED", "DEADLINE_EXCEEDED", "WORKER_LOST", "INTERNAL_ERROR"]
    message: str


class _ReceiptFrames(TypedDict):
    total: int
    swapped: int
    passedThrough: int
    """Frames without a swapped face."""


class ReceiptFrames(_ReceiptFrames, total=False):
    bridged: int
    """
    Swapped frames in which the face was not found, but interpolated from the frames around; videos and GIFs
    only.
    """


class ReceiptEngine(TypedDict):
    name: str
    version: str


class ReceiptPerson(TypedDict):
    index: int
    """Number of the mapping: N of targetFaceN."""
    framesSwapped: int
    longestGapFrames: int
    identitySimilarity: Union[float, None]


class _Warning(TypedDict):
    field: str
    """The form field that the warning is about."""
    code: Literal["NO_FACE", "SEVERAL_FACES", "OCCLUDED_FACE", "GLASSES", "PROFILE_FACE", "SMALL_FACE", "BLURRED_FACE", "HALF_SHUT_EYES", "BLACK_AND_WHITE", "FACE_NOT_FOUND", "FACE_BOX_MISMATCH", "FACE_BOX_CONFLICT"]
    message: str
    """One sentence that says what is wrong with the photo and what to do."""


class Warning(_Warning, total=False):
    role: Literal["source", "target"]
    """Role of the face in a swap: the source's face is used, the target's face is replaced."""


class _Receipt(TypedDict):
    facesFound: int
    """Faces in the target; for a batch, in all its targets."""
    frames: ReceiptFrames
    longestGapFrames: int
    """Longest run of frames without a swapped face."""
    engine: ReceiptEngine
    identitySimilarity: Union[float, None]
    """Likeness of the swapped face to its source. If several faces were swapped, the lowest."""
    credits: int


class Receipt(_Receipt, total=False):
    """Report of the engine about its work."""
    sourceShares: Dict[str, float]
    """
    How much of the face came from which photo, by form field; they add up to 1. Present if
    additionalSourceImages were sent.
    """
    persons: List[ReceiptPerson]
    """Each mapped person; only of a video or GIF whose people were mapped."""
    label: Literal[True]
    """Present if the visible label is on the results."""
    watermark: Literal[True]
    """
    Present if the results have the invisible watermark. In pictures with fewer than 256 pixels on a side it
    may be unreadable.
    """
    warnings: List[Warning]
    """Warnings about the faces, at most one for each face. Left out if there are none."""


class Outcome(TypedDict):
    outputs: List[Output]
    failures: List[ItemFailure]
    """Items of a batch that failed; index as in outputs."""
    receipt: Receipt
    """Report of the engine about its work."""


class FailureError(TypedDict):
    code: Literal["NO_FACE_DETECTED", "FACE_NOT_FOUND", "FACE_BOX_MISMATCH", "FACE_BOX_CONFLICT", "FACE_MISMATCH", "DECODE_FAILED", "MEDIA_UNREACHABLE", "IMAGE_TOO_LARGE", "INVALID_FORMAT", "RESOURCE_LIMIT", "ENGINE_UNAVAILABLE", "FACE_BLOCKED", "FACE_WITHDRAWN", "MODERATION_REFUSED", "DEADLINE_EXCEEDED", "WORKER_LOST", "INTERNAL_ERROR"]
    message: str


class _Failure(TypedDict):
    error: FailureError


class Failure(_Failure, total=False):
    failures: List[ItemFailure]
    """Items of a batch that failed; index as in outputs."""


class Task(TypedDict):
    id: str
    taskType: Literal["IMAGE_SWAP", "BATCH_FACE_SWAP", "MULTI_FACE_SWAP", "VIDEO_SWAP", "GIF_FACE_SWAP"]
    status: Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "CANCELLED"]
    """COMPLETED, FAILED and CANCELLED are final."""
    costCredits: int
    parameters: Dict[str, Any]
    result: Union[None, Progress, Outcome, Failure]
    createdAt: str
    startedAt: Union[str, None]
    completedAt: Union[str, None]


class CompletedTask(TypedDict):
    """A task that was done."""
    id: str
    taskType: Literal["IMAGE_SWAP", "BATCH_FACE_SWAP", "MULTI_FACE_SWAP", "VIDEO_SWAP", "GIF_FACE_SWAP"]
    status: Literal["COMPLETED"]
    """COMPLETED, FAILED and CANCELLED are final."""
    costCredits: int
    parameters: Dict[str, Any]
    result: Outcome
    createdAt: str
    startedAt: Union[str, None]
    completedAt: Union[str, None]


class DetectedFace(TypedDict):
    faceIndex: int
    """Counted from left to right by box centre; at equal centres, from top to bottom."""
    x: float
    """The box's left edge in pixels of the upright image. A box never reaches beyond the image."""
    y: float
    """The box's top edge in pixels of the upright image."""
    width: float
    height: float
    score: float
    yaw: float
    """Degrees; above 0: turned to the image's right."""
    pitch: float
    """Degrees; above 0: looking down."""
    roll: float
    """Degrees; above 0: clockwise."""


class _Quote(TypedDict):
    dryRun: Literal[True]
    faces: Dict[str, List[DetectedFace]]
    """The faces of each image, by form field; videos and GIFs are not searched for a quote."""
    warnings: List[Warning]


class Quote(_Quote, total=False):
    requiredCredits: int
    estimatedCredits: int


class TaskList(TypedDict):
    tasks: List[Task]
    """Newest first, each as GET returns it, but without the links of outputs."""
    nextCursor: Union[str, None]
    """Cursor of the next page; null on the last."""


class Engine(TypedDict):
    id: str
    kind: Union[Literal["mesh"], Literal["network"]]
    resolution: int
    """Largest side of a face that it draws, in pixels."""
    providers: List[str]
    """What it computes on, such as cpu."""
    priceFactor: float
    """Factor of a task's price."""


class Engines(TypedDict):
    default: str
    """The engine of requests that name none."""
    engines: List[Engine]


class DeletedFiles(TypedDict):
    id: str
    deletedFiles: int
    """Number of outputs that this request deleted."""


class _SavedFace(TypedDict):
    id: str
    """What every workflow takes as sourceFaceId."""
    name: str
    consent: str
    """Who agreed to the use of the face, and how."""
    photos: int
    """Number of stored photos; 0 once the consent was withdrawn."""
    createdAt: str
    withdrawnAt: Union[str, None]
    """Time at which the consent was withdrawn. The face cannot be used any more."""
    withdrawalUrl: str
    """
    A page on which the person can withdraw the consent, without an account. Give it to the person whose face
    it is, and to nobody else.
    """


class SavedFace(_SavedFace, total=False):
    preview: str
    """A small picture of the face."""


class FaceList(TypedDict):
    faces: List[SavedFace]
    """Newest first."""


class DeletedFace(TypedDict):
    id: str
    deletedPhotos: int


class Withdrawal(TypedDict):
    withdrawnAt: str
    endedTasks: int
    """Number of unfinished tasks that failed with FACE_WITHDRAWN."""
    deletedOutputs: int
    """Number of results that were deleted."""


class DetectedFacesWarning(TypedDict):
    faceIndex: int
    code: Literal["OCCLUDED_FACE", "GLASSES", "PROFILE_FACE", "SMALL_FACE", "BLURRED_FACE", "HALF_SHUT_EYES", "BLACK_AND_WHITE"]
    role: Literal["source", "target"]
    """Role of the face in a swap: the source's face is used, the target's face is replaced."""
    message: str
    """One sentence that says what is wrong with the face and what to do."""


class _DetectedFaces(TypedDict):
    width: int
    height: int
    faces: List[DetectedFace]


class DetectedFaces(_DetectedFaces, total=False):
    preview: str
    """The upright image, at most 960 pixels wide and high; only if `preview` was sent."""
    warnings: List[DetectedFacesWarning]
    """Warnings about each face, at most one as a source and one as a target. Left out if there are none."""


class DetectedPersonFaceBox(TypedDict):
    """The face at that moment, in pixels of the upright picture."""
    x: float
    y: float
    width: float
    height: float


class DetectedPersonWarning(TypedDict):
    code: Literal["OCCLUDED_FACE", "GLASSES", "PROFILE_FACE", "SMALL_FACE", "BLURRED_FACE", "HALF_SHUT_EYES", "BLACK_AND_WHITE"]
    role: Literal["source", "target"]
    """Role of the face in a swap: the source's face is used, the target's face is replaced."""
    message: str


class _DetectedPerson(TypedDict):
    personIndex: int
    """
    People are numbered by the area of the face times the time on camera, largest first: 0 is the person whom
    a swap without a mapping replaces. The number is the same for the same file within a version of the
    engine.
    """
    share: float
    """Share of the searched pictures that show the person."""
    appearances: List[Tuple[float, float]]
    """
    Start and end of each appearance, in seconds. Each can be wrong by up to the time between two searched
    pictures.
    """
    atSeconds: float
    """Moment that shows the person best."""
    faceBox: DetectedPersonFaceBox
    """The face at that moment, in pixels of the upright picture."""
    warnings: List[DetectedPersonWarning]
    """Warnings about the face of this person as a target, at most one."""


class DetectedPerson(_DetectedPerson, total=False):
    preview: str
    """
    The face at that moment, 128 x 128 pixels; only if `preview` was sent. May be missing if `complete` is
    false.
    """


class _DetectedPersons(TypedDict):
    durationSeconds: float
    width: int
    """Width of the upright picture."""
    height: int
    framesLooked: int
    """Number of pictures that were searched, spread over the clip."""
    complete: bool
    """False if the search ended after 20 seconds; the list then has only the people found so far."""
    persons: List[DetectedPerson]


class DetectedPersons(_DetectedPersons, total=False):
    preview: str
    """
    The clip at the best moment of person 0, at most 960 pixels wide and high; only if `preview` was sent. May
    be missing if `complete` is false.
    """


class VerificationFile(TypedDict):
    name: str
    contentType: str
    """Detected from the content."""
    bytes: int
    sha256: str
    """Lower-case hex."""


class VerificationXmp(TypedDict):
    digitalSourceType: str
    creatorTool: Union[str, None]
    """The program that wrote it."""


class VerificationCredentialsAction(TypedDict):
    action: str
    """C2PA's name, such as c2pa.created."""
    digitalSourceType: Union[str, None]
    """A URI of IPTC's digital source types."""
    softwareAgent: Union[str, None]
    """The program that did it."""
    when: Union[str, None]
    """Time of the action, as written in the file."""


class VerificationCredentials(TypedDict):
    valid: bool
    """The signature is valid, and nothing in the file has changed since."""
    trusted: bool
    """Valid, and signed by this installation's certificate or another one of the same authority."""
    signer: Union[str, None]
    """The name in the signer's certificate; it proves nothing if trusted is false."""
    issuer: Union[str, None]
    """The organisation in the signer's certificate."""
    signedAt: Union[str, None]
    """When a time stamp authority saw the signature."""
    generator: Union[str, None]
    """The program that made the file, according to the credentials."""
    digitalSourceType: Union[str, None]
    """A URI of IPTC's digital source types."""
    actions: List[VerificationCredentialsAction]
    """Actions that the signer declares, in order."""
    problems: List[str]
    """
    C2PA codes of the faults, such as assertion.dataHash.mismatch; credentials.unreadable if the credentials
    are damaged, file.unreadable if the file is too damaged to search it.
    """


class _VerificationWatermark(TypedDict):
    found: bool
    """
    The picture has the invisible watermark with which guise marks what it makes. Without one it may still be
    AI-made: marks can be removed, and also copied to other pictures.
    """
    confidence: float
    """How clearly it is read: 1 as it was put in, 0 if none was found."""


class VerificationWatermark(_VerificationWatermark, total=False):
    id: str
    """Number that tells something only to the installation that put it in."""
    ownInstallation: bool
    """The number is in the records of this installation."""


class Verification(TypedDict):
    file: VerificationFile
    marked: bool
    """
    The file says, signed or not, that a trained algorithm made it or a part of it. If there is no mark, the
    file may still be AI-made, because marks can be removed.
    """
    digitalSourceType: Union[str, None]
    """
    How the file says it was made, as a URI of IPTC's digital source types: from its credentials if they are
    valid, otherwise from its XMP, otherwise from its invalid credentials.
    """
    xmp: Union[VerificationXmp, None]
    """The XMP mark; it is not signed, so anyone can write it."""
    credentials: Union[VerificationCredentials, None]
    """C2PA content credentials; null if the file contains none, or if its type cannot contain any."""
    watermark: VerificationWatermark
    ownSignature: bool
    """Valid, and signed by this installation's own certificate."""


class _FaceBox(TypedDict):
    x: float
    """The box's left edge."""
    y: float
    """The box's top edge."""
    width: float
    height: float


class FaceBox(_FaceBox, total=False):
    """
    The box is in pixels of the upright image, from the top left. If all four numbers are at most 1, they are
    fractions of the image's width and height. The box must lie inside the image. It selects the detected face
    that it overlaps most: their intersection over union must be at least 0.3, or the centre of the box must
    lie in the box of the face. A face of the answer of detect-faces can be sent as it is.
    """
    faceIndex: int
    """If given, the box must match the face to which detect-faces gives this number."""
    score: float
    """Ignored."""
    yaw: float
    """Ignored."""
    pitch: float
    """Ignored."""
    roll: float
    """Ignored."""


class PersonNumber(TypedDict):
    personIndex: int
    """Number of the person in the answer of detect-faces."""


class FaceAtMoment(TypedDict):
    atSeconds: float
    """A moment at which the face is visible."""
    x: float
    """The box's left edge."""
    y: float
    """The box's top edge."""
    width: float
    height: float


# A person as detect-faces numbers them, or the face inside a box at a moment. The box is in pixels of the
# upright picture, from the top left. If all four numbers are at most 1, they are fractions of the picture's
# width and height. A box at a moment means the same face after an upgrade of the engine, too.
PersonBox = Union["PersonNumber", "FaceAtMoment"]


class _Error(TypedDict):
    error: str
    """One plain sentence naming the field and the limit."""
    code: Literal["INVALID_REQUEST", "NO_FACE_DETECTED", "FACE_INDEX_OUT_OF_RANGE", "IMAGE_TOO_LARGE", "VIDEO_TOO_LARGE", "VIDEO_TOO_LONG", "RESOLUTION_TOO_HIGH", "INVALID_FORMAT", "BATCH_TOO_LARGE", "MEDIA_UNREACHABLE", "INVALID_WEBHOOK_URL", "ENGINE_UNAVAILABLE", "CONSENT_REQUIRED", "FACE_BLOCKED", "FACE_WITHDRAWN", "MODERATION_REFUSED", "INVALID_API_KEY", "INSUFFICIENT_CREDITS", "IP_NOT_ALLOWED", "JOB_NOT_FOUND", "IDEMPOTENCY_CONFLICT", "JOB_FINISHED", "RATE_LIMITED", "CONCURRENT_BATCH_LIMIT", "INTERNAL_ERROR", "BUSY", "EMAIL_NOT_VERIFIED", "JOB_UNFINISHED", "NOT_FOUND"]


class Error(_Error, total=False):
    field: str
    """
    Name of the field, query parameter or header that the error is about. One of several files has its index,
    such as targetImages[2].
    """
    required: int
    """Number of credits that the request costs. Only with status 402."""
    available: int
    """Number of credits that the account can spend. Only with status 402."""
    limit: int
    """
    The limit that was exceeded: bytes, seconds, a count, or (429) requests in the window, uploads, waiting
    tasks or bytes.
    """
    resetSeconds: int
    """Seconds after which the request can be sent again (429)."""


class _GroupFace(TypedDict):
    faceBox: Union[FaceBox, DetectedFace]


class GroupFace(_GroupFace, total=False):
    targetFace: File
    sourceFaceId: str


class _VideoFace(TypedDict):
    faceBox: PersonBox


class VideoFace(_VideoFace, total=False):
    targetFace: File
    sourceFaceId: str


class VideoCompleted(TypedDict):
    event: Literal["video_swap.completed"]
    job_id: str
    status: Literal["completed"]
    output_url: str
    """A signed link, valid without a key for 24 hours."""
    duration: float
    """Seconds."""
    resolution: str
    """<width>x<height> in pixels."""
    processing_time: int
    """Milliseconds."""
    credits_used: int
    """Credits."""


class SwappedItem(TypedDict):
    index: int
    success: Literal[True]
    output_url: str
    """A signed link, valid without a key for 24 hours."""


class FailedItem(TypedDict):
    index: int
    success: Literal[False]
    error: Literal["NO_FACE_DETECTED", "FACE_INDEX_OUT_OF_RANGE", "FACE_NOT_FOUND", "FACE_BOX_CONFLICT", "DECODE_FAILED", "MEDIA_UNREACHABLE", "IMAGE_TOO_LARGE", "INVALID_FORMAT", "RESOURCE_LIMIT", "ENGINE_UNAVAILABLE", "FACE_BLOCKED", "FACE_WITHDRAWN", "MODERATION_REFUSED", "DEADLINE_EXCEEDED", "WORKER_LOST", "INTERNAL_ERROR", "CANCELLED"]


class BatchCompleted(TypedDict):
    event: Literal["batch_swap.completed"]
    success: bool
    job_id: str
    status: Literal["completed"]
    total_images: int
    completed: int
    failed: int
    credits_used: int
    """Credits."""
    results: List[Union[SwappedItem, FailedItem]]


class SwapFailed(TypedDict):
    event: Literal["video_swap.failed", "batch_swap.failed"]
    job_id: str
    status: Literal["failed"]
    error: Literal["NO_FACE_DETECTED", "FACE_INDEX_OUT_OF_RANGE", "FACE_NOT_FOUND", "FACE_BOX_CONFLICT", "DECODE_FAILED", "MEDIA_UNREACHABLE", "IMAGE_TOO_LARGE", "INVALID_FORMAT", "RESOURCE_LIMIT", "ENGINE_UNAVAILABLE", "FACE_BLOCKED", "FACE_WITHDRAWN", "MODERATION_REFUSED", "DEADLINE_EXCEEDED", "WORKER_LOST", "INTERNAL_ERROR", "CANCELLED"]
    message: str


WebhookEvent = Union["VideoCompleted", "BatchCompleted", "SwapFailed"]
