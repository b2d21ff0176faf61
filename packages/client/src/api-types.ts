// Types of guise's interfaces, made from docs/openapi*.json by `npm run client-types`.

export interface TaskAccepted {
  readonly taskId: string;
  /** COMPLETED, FAILED and CANCELLED are final. */
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly requiredCredits?: number | undefined;
  /** Price of a GIF. All other workflows answer requiredCredits. */
  readonly estimatedCredits?: number | undefined;
  readonly quality?: '720p' | '1080p' | undefined;
}

export interface Output {
  readonly index: number;
  /** A signed link, valid without a key until expiresAt. Absent if the file was deleted. */
  readonly url?: string | undefined;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Length of a video or GIF. */
  readonly durationSeconds?: number | undefined;
  readonly expiresAt?: string | undefined;
  /** Time at which the owner deleted the file. */
  readonly deletedAt?: string | undefined;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface Progress {
  readonly progress: number;
  readonly outputs: readonly Output[];
}

export interface ItemFailure {
  readonly index: number;
  readonly code: 'NO_FACE_DETECTED' | 'FACE_NOT_FOUND' | 'FACE_BOX_MISMATCH' | 'FACE_BOX_CONFLICT' | 'FACE_MISMATCH' | 'DECODE_FAILED' | 'MEDIA_UNREACHABLE' | 'IMAGE_TOO_LARGE' | 'INVALID_FORMAT' | 'RESOURCE_LIMIT' | 'ENGINE_UNAVAILABLE' | 'FACE_BLOCKED' | 'FACE_WITHDRAWN' | 'MODERATION_REFUSED' | 'DEADLINE_EXCEEDED' | 'WORKER_LOST' | 'INTERNAL_ERROR';
  readonly message: string;
}

export interface ReceiptFrames {
  readonly total: number;
  readonly swapped: number;
  /**
   * Swapped frames in which the face was not found, but interpolated from the frames around; videos
   * and GIFs only.
   */
  readonly bridged?: number | undefined;
  /** Frames without a swapped face. */
  readonly passedThrough: number;
}

export interface ReceiptEngine {
  readonly name: string;
  readonly version: string;
}

export interface ReceiptPerson {
  /** Number of the mapping: N of targetFaceN. */
  readonly index: number;
  readonly framesSwapped: number;
  readonly longestGapFrames: number;
  readonly identitySimilarity: number | null;
}

export interface Warning {
  /** The form field that the warning is about. */
  readonly field: string;
  readonly code: 'NO_FACE' | 'SEVERAL_FACES' | 'OCCLUDED_FACE' | 'GLASSES' | 'PROFILE_FACE' | 'SMALL_FACE' | 'BLURRED_FACE' | 'HALF_SHUT_EYES' | 'BLACK_AND_WHITE' | 'FACE_NOT_FOUND' | 'FACE_BOX_MISMATCH' | 'FACE_BOX_CONFLICT';
  /** Role of the face in a swap: the source's face is used, the target's face is replaced. */
  readonly role?: 'source' | 'target' | undefined;
  /** One sentence that says what is wrong with the photo and what to do. */
  readonly message: string;
}

/** Report of the engine about its work. */
export interface Receipt {
  /** Faces in the target; for a batch, in all its targets. */
  readonly facesFound: number;
  readonly frames: ReceiptFrames;
  /** Longest run of frames without a swapped face. */
  readonly longestGapFrames: number;
  readonly engine: ReceiptEngine;
  /** Likeness of the swapped face to its source. If several faces were swapped, the lowest. */
  readonly identitySimilarity: number | null;
  /**
   * How much of the face came from which photo, by form field; they add up to 1. Present if
   * additionalSourceImages were sent.
   */
  readonly sourceShares?: Readonly<Record<string, number>> | undefined;
  /** Each mapped person; only of a video or GIF whose people were mapped. */
  readonly persons?: readonly ReceiptPerson[] | undefined;
  /** Present if the visible label is on the results. */
  readonly label?: true | undefined;
  /**
   * Present if the results have the invisible watermark. In pictures with fewer than 256 pixels on
   * a side it may be unreadable.
   */
  readonly watermark?: true | undefined;
  /** Warnings about the faces, at most one for each face. Left out if there are none. */
  readonly warnings?: readonly Warning[] | undefined;
  readonly credits: number;
}

export interface Outcome {
  readonly outputs: readonly Output[];
  /** Items of a batch that failed; index as in outputs. */
  readonly failures: readonly ItemFailure[];
  /** Report of the engine about its work. */
  readonly receipt: Receipt;
}

export interface FailureError {
  readonly code: 'NO_FACE_DETECTED' | 'FACE_NOT_FOUND' | 'FACE_BOX_MISMATCH' | 'FACE_BOX_CONFLICT' | 'FACE_MISMATCH' | 'DECODE_FAILED' | 'MEDIA_UNREACHABLE' | 'IMAGE_TOO_LARGE' | 'INVALID_FORMAT' | 'RESOURCE_LIMIT' | 'ENGINE_UNAVAILABLE' | 'FACE_BLOCKED' | 'FACE_WITHDRAWN' | 'MODERATION_REFUSED' | 'DEADLINE_EXCEEDED' | 'WORKER_LOST' | 'INTERNAL_ERROR';
  readonly message: string;
}

export interface Failure {
  readonly error: FailureError;
  /** Items of a batch that failed; index as in outputs. */
  readonly failures?: readonly ItemFailure[] | undefined;
}

export interface Task {
  readonly id: string;
  readonly taskType: 'IMAGE_SWAP' | 'BATCH_FACE_SWAP' | 'MULTI_FACE_SWAP' | 'VIDEO_SWAP' | 'GIF_FACE_SWAP';
  /** COMPLETED, FAILED and CANCELLED are final. */
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly costCredits: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly result: null | Progress | Outcome | Failure;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export interface DetectedFace {
  /** Counted from left to right by box centre; at equal centres, from top to bottom. */
  readonly faceIndex: number;
  /** The box's left edge in pixels of the upright image. A box never reaches beyond the image. */
  readonly x: number;
  /** The box's top edge in pixels of the upright image. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly score: number;
  /** Degrees; above 0: turned to the image's right. */
  readonly yaw: number;
  /** Degrees; above 0: looking down. */
  readonly pitch: number;
  /** Degrees; above 0: clockwise. */
  readonly roll: number;
}

export interface Quote {
  readonly dryRun: true;
  readonly requiredCredits?: number | undefined;
  readonly estimatedCredits?: number | undefined;
  /** The faces of each image, by form field; videos and GIFs are not searched for a quote. */
  readonly faces: Readonly<Record<string, readonly DetectedFace[]>>;
  readonly warnings: readonly Warning[];
}

export interface TaskList {
  /** Newest first, each as GET returns it, but without the links of outputs. */
  readonly tasks: readonly Task[];
  /** Cursor of the next page; null on the last. */
  readonly nextCursor: string | null;
}

export interface Engine {
  readonly id: string;
  readonly kind: 'mesh' | 'network';
  /** Largest side of a face that it draws, in pixels. */
  readonly resolution: number;
  /** What it computes on, such as cpu. */
  readonly providers: readonly string[];
  /** Factor of a task's price. */
  readonly priceFactor: number;
}

export interface Engines {
  /** The engine of requests that name none. */
  readonly default: string;
  readonly engines: readonly Engine[];
}

export interface DeletedFiles {
  readonly id: string;
  /** Number of outputs that this request deleted. */
  readonly deletedFiles: number;
}

export interface SavedFace {
  /** What every workflow takes as sourceFaceId. */
  readonly id: string;
  readonly name: string;
  /** Who agreed to the use of the face, and how. */
  readonly consent: string;
  /** Number of stored photos; 0 once the consent was withdrawn. */
  readonly photos: number;
  /** A small picture of the face. */
  readonly preview?: string | undefined;
  readonly createdAt: string;
  /** Time at which the consent was withdrawn. The face cannot be used any more. */
  readonly withdrawnAt: string | null;
  /**
   * A page on which the person can withdraw the consent, without an account. Give it to the person
   * whose face it is, and to nobody else.
   */
  readonly withdrawalUrl: string;
}

export interface FaceList {
  /** Newest first. */
  readonly faces: readonly SavedFace[];
}

export interface DeletedFace {
  readonly id: string;
  readonly deletedPhotos: number;
}

export interface Withdrawal {
  readonly withdrawnAt: string;
  /** Number of unfinished tasks that failed with FACE_WITHDRAWN. */
  readonly endedTasks: number;
  /** Number of results that were deleted. */
  readonly deletedOutputs: number;
}

export interface DetectedFacesWarning {
  readonly faceIndex: number;
  readonly code: 'OCCLUDED_FACE' | 'GLASSES' | 'PROFILE_FACE' | 'SMALL_FACE' | 'BLURRED_FACE' | 'HALF_SHUT_EYES' | 'BLACK_AND_WHITE';
  /** Role of the face in a swap: the source's face is used, the target's face is replaced. */
  readonly role: 'source' | 'target';
  /** One sentence that says what is wrong with the face and what to do. */
  readonly message: string;
}

export interface DetectedFaces {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
  /** The upright image, at most 960 pixels wide and high; only if `preview` was sent. */
  readonly preview?: string | undefined;
  /**
   * Warnings about each face, at most one as a source and one as a target. Left out if there are
   * none.
   */
  readonly warnings?: readonly DetectedFacesWarning[] | undefined;
}

/** The face at that moment, in pixels of the upright picture. */
export interface DetectedPersonFaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DetectedPersonWarning {
  readonly code: 'OCCLUDED_FACE' | 'GLASSES' | 'PROFILE_FACE' | 'SMALL_FACE' | 'BLURRED_FACE' | 'HALF_SHUT_EYES' | 'BLACK_AND_WHITE';
  /** Role of the face in a swap: the source's face is used, the target's face is replaced. */
  readonly role: 'source' | 'target';
  readonly message: string;
}

export interface DetectedPerson {
  /**
   * People are numbered by the area of the face times the time on camera, largest first: 0 is the
   * person whom a swap without a mapping replaces. The number is the same for the same file within
   * a version of the engine.
   */
  readonly personIndex: number;
  /** Share of the searched pictures that show the person. */
  readonly share: number;
  /**
   * Start and end of each appearance, in seconds. Each can be wrong by up to the time between two
   * searched pictures.
   */
  readonly appearances: readonly (readonly [number, number])[];
  /** Moment that shows the person best. */
  readonly atSeconds: number;
  /** The face at that moment, in pixels of the upright picture. */
  readonly faceBox: DetectedPersonFaceBox;
  /**
   * The face at that moment, 128 x 128 pixels; only if `preview` was sent. May be missing if
   * `complete` is false.
   */
  readonly preview?: string | undefined;
  /** Warnings about the face of this person as a target, at most one. */
  readonly warnings: readonly DetectedPersonWarning[];
}

export interface DetectedPersons {
  readonly durationSeconds: number;
  /** Width of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** Number of pictures that were searched, spread over the clip. */
  readonly framesLooked: number;
  /** False if the search ended after 20 seconds; the list then has only the people found so far. */
  readonly complete: boolean;
  /**
   * The clip at the best moment of person 0, at most 960 pixels wide and high; only if `preview`
   * was sent. May be missing if `complete` is false.
   */
  readonly preview?: string | undefined;
  readonly persons: readonly DetectedPerson[];
}

export interface VerificationFile {
  readonly name: string;
  /** Detected from the content. */
  readonly contentType: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface VerificationXmp {
  readonly digitalSourceType: string;
  /** The program that wrote it. */
  readonly creatorTool: string | null;
}

export interface VerificationCredentialsAction {
  /** C2PA's name, such as c2pa.created. */
  readonly action: string;
  /** A URI of IPTC's digital source types. */
  readonly digitalSourceType: string | null;
  /** The program that did it. */
  readonly softwareAgent: string | null;
  /** Time of the action, as written in the file. */
  readonly when: string | null;
}

export interface VerificationCredentials {
  /** The signature is valid, and nothing in the file has changed since. */
  readonly valid: boolean;
  /** Valid, and signed by this installation's certificate or another one of the same authority. */
  readonly trusted: boolean;
  /** The name in the signer's certificate; it proves nothing if trusted is false. */
  readonly signer: string | null;
  /** The organisation in the signer's certificate. */
  readonly issuer: string | null;
  /** When a time stamp authority saw the signature. */
  readonly signedAt: string | null;
  /** The program that made the file, according to the credentials. */
  readonly generator: string | null;
  /** A URI of IPTC's digital source types. */
  readonly digitalSourceType: string | null;
  /** Actions that the signer declares, in order. */
  readonly actions: readonly VerificationCredentialsAction[];
  /**
   * C2PA codes of the faults, such as assertion.dataHash.mismatch; credentials.unreadable if the
   * credentials are damaged, file.unreadable if the file is too damaged to search it.
   */
  readonly problems: readonly string[];
}

export interface VerificationWatermark {
  /**
   * The picture has the invisible watermark with which guise marks what it makes. Without one it
   * may still be AI-made: marks can be removed, and also copied to other pictures.
   */
  readonly found: boolean;
  /** How clearly it is read: 1 as it was put in, 0 if none was found. */
  readonly confidence: number;
  /** Number that tells something only to the installation that put it in. */
  readonly id?: string | undefined;
  /** The number is in the records of this installation. */
  readonly ownInstallation?: boolean | undefined;
}

export interface Verification {
  readonly file: VerificationFile;
  /**
   * The file says, signed or not, that a trained algorithm made it or a part of it. If there is no
   * mark, the file may still be AI-made, because marks can be removed.
   */
  readonly marked: boolean;
  /**
   * How the file says it was made, as a URI of IPTC's digital source types: from its credentials if
   * they are valid, otherwise from its XMP, otherwise from its invalid credentials.
   */
  readonly digitalSourceType: string | null;
  /** The XMP mark; it is not signed, so anyone can write it. */
  readonly xmp: VerificationXmp | null;
  /**
   * C2PA content credentials; null if the file contains none, or if its type cannot contain any.
   */
  readonly credentials: VerificationCredentials | null;
  readonly watermark: VerificationWatermark;
  /** Valid, and signed by this installation's own certificate. */
  readonly ownSignature: boolean;
}

/**
 * The box is in pixels of the upright image, from the top left. If all four numbers are at most 1,
 * they are fractions of the image's width and height. The box must lie inside the image. It selects
 * the detected face that it overlaps most: their intersection over union must be at least 0.3, or
 * the centre of the box must lie in the box of the face. A face of the answer of detect-faces can
 * be sent as it is.
 */
export interface FaceBox {
  /** If given, the box must match the face to which detect-faces gives this number. */
  readonly faceIndex?: number | undefined;
  /** The box's left edge. */
  readonly x: number;
  /** The box's top edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Ignored. */
  readonly score?: number | undefined;
  /** Ignored. */
  readonly yaw?: number | undefined;
  /** Ignored. */
  readonly pitch?: number | undefined;
  /** Ignored. */
  readonly roll?: number | undefined;
}

export interface PersonNumber {
  /** Number of the person in the answer of detect-faces. */
  readonly personIndex: number;
}

export interface FaceAtMoment {
  /** A moment at which the face is visible. */
  readonly atSeconds: number;
  /** The box's left edge. */
  readonly x: number;
  /** The box's top edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A person as detect-faces numbers them, or the face inside a box at a moment. The box is in pixels
 * of the upright picture, from the top left. If all four numbers are at most 1, they are fractions
 * of the picture's width and height. A box at a moment means the same face after an upgrade of the
 * engine, too.
 */
export type PersonBox = PersonNumber | FaceAtMoment;

export interface Error {
  /** One plain sentence naming the field and the limit. */
  readonly error: string;
  readonly code: 'INVALID_REQUEST' | 'NO_FACE_DETECTED' | 'FACE_INDEX_OUT_OF_RANGE' | 'IMAGE_TOO_LARGE' | 'VIDEO_TOO_LARGE' | 'VIDEO_TOO_LONG' | 'RESOLUTION_TOO_HIGH' | 'INVALID_FORMAT' | 'BATCH_TOO_LARGE' | 'MEDIA_UNREACHABLE' | 'INVALID_WEBHOOK_URL' | 'ENGINE_UNAVAILABLE' | 'CONSENT_REQUIRED' | 'FACE_BLOCKED' | 'FACE_WITHDRAWN' | 'MODERATION_REFUSED' | 'INVALID_API_KEY' | 'INSUFFICIENT_CREDITS' | 'IP_NOT_ALLOWED' | 'JOB_NOT_FOUND' | 'IDEMPOTENCY_CONFLICT' | 'JOB_FINISHED' | 'RATE_LIMITED' | 'CONCURRENT_BATCH_LIMIT' | 'INTERNAL_ERROR' | 'BUSY' | 'EMAIL_NOT_VERIFIED' | 'JOB_UNFINISHED' | 'NOT_FOUND';
  /**
   * Name of the field, query parameter or header that the error is about. One of several files has
   * its index, such as targetImages[2].
   */
  readonly field?: string | undefined;
  /** Number of credits that the request costs. Only with status 402. */
  readonly required?: number | undefined;
  /** Number of credits that the account can spend. Only with status 402. */
  readonly available?: number | undefined;
  /**
   * The limit that was exceeded: bytes, seconds, a count, or (429) requests in the window, uploads,
   * waiting tasks or bytes.
   */
  readonly limit?: number | undefined;
  /** Seconds after which the request can be sent again (429). */
  readonly resetSeconds?: number | undefined;
}

/** All files together have at most 99614720 bytes. */
export interface PhotoForm {
  /**
   * The face reference; its largest face is used. Required unless sourceFaceId is sent. JPEG, PNG,
   * WebP, GIF, BMP or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
   */
  readonly sourceImage?: Blob | undefined;
  /**
   * The id of a saved face (POST /api/faces), instead of sourceImage and additionalSourceImages.
   */
  readonly sourceFaceId?: string | undefined;
  /**
   * The target scene; its largest face is replaced. JPEG, PNG, WebP, GIF, BMP or HEIC/HEIF, by
   * content; at most 31457280 bytes and 100000000 pixels.
   */
  readonly targetImage: Blob;
  /**
   * Up to four more photos of the person in sourceImage; the largest face of each is used. If one
   * shows another person, the task fails. JPEG, PNG, WebP, GIF, BMP or HEIC/HEIF, by content; at
   * most 31457280 bytes and 100000000 pixels.
   */
  readonly additionalSourceImages?: readonly Blob[] | undefined;
  /** How much detail is recovered in the swapped face, from 0 (none) to 1. */
  readonly faceRestoreVisibility?: number | undefined;
  /**
   * How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0
   * is off.
   */
  readonly restoreVisibility?: number | undefined;
  /** What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default). */
  readonly engine?: string | undefined;
  /**
   * Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
   * the operator decides.
   */
  readonly label?: boolean | undefined;
  /**
   * Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
   * kept and shown with the task. The operator may require it.
   */
  readonly consent?: string | undefined;
}

/** At most 20 files. All files together have at most 99614720 bytes. */
export interface BatchForm {
  /**
   * singleToMulti: one source image; each target image gives one output. multiToSingle: one target
   * image; each source image gives one output.
   */
  readonly mode: 'singleToMulti' | 'multiToSingle';
  /**
   * A face reference; its largest face is used. Required unless sourceFaceId is sent. JPEG, PNG,
   * WebP, AVIF or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
   */
  readonly sourceImages?: readonly Blob[] | undefined;
  /**
   * The id of a saved face (POST /api/faces), instead of the one image of sourceImages, in the mode
   * singleToMulti.
   */
  readonly sourceFaceId?: string | undefined;
  /**
   * A target scene; its largest face is replaced. JPEG, PNG, WebP, AVIF or HEIC/HEIF, by content;
   * at most 31457280 bytes and 100000000 pixels.
   */
  readonly targetImages: readonly Blob[];
  /** How much detail is recovered in the swapped face, from 0 (none) to 1. */
  readonly faceRestoreVisibility?: number | undefined;
  /**
   * How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0
   * is off.
   */
  readonly restoreVisibility?: number | undefined;
  /** What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default). */
  readonly engine?: string | undefined;
  /**
   * Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
   * the operator decides.
   */
  readonly label?: boolean | undefined;
  /**
   * Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
   * kept and shown with the task. The operator may require it.
   */
  readonly consent?: string | undefined;
}

export interface GroupFace {
  readonly targetFace?: Blob | undefined;
  readonly sourceFaceId?: string | undefined;
  readonly faceBox: FaceBox;
}

/** The whole request has at most 99614720 bytes. */
export interface GroupForm {
  /**
   * The group photo; only the mapped faces change. JPEG, PNG or WebP, by content; at most 31457280
   * bytes and 100000000 pixels.
   */
  readonly sourceImage: Blob;
  /** How much detail is recovered in the swapped face, from 0 (none) to 1. */
  readonly faceRestoreVisibility?: number | undefined;
  /**
   * How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0
   * is off.
   */
  readonly restoreVisibility?: number | undefined;
  /** What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default). */
  readonly engine?: string | undefined;
  /**
   * Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
   * the operator decides.
   */
  readonly label?: boolean | undefined;
  /**
   * Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
   * kept and shown with the task. The operator may require it.
   */
  readonly consent?: string | undefined;
  /**
   * The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
   * saved face (sourceFaceId).
   */
  readonly faces: readonly GroupFace[];
}

export interface VideoFace {
  readonly targetFace?: Blob | undefined;
  readonly sourceFaceId?: string | undefined;
  readonly faceBox: PersonBox;
}

/** All files together have at most 99614720 bytes. */
export interface VideoForm {
  /**
   * The face reference; its largest face is used. Required unless sourceFaceId, targetFace0 or
   * sourceFaceId0 is sent. JPEG, PNG, WebP or HEIC/HEIF, by content; at most 31457280 bytes and
   * 100000000 pixels.
   */
  readonly sourceImage?: Blob | undefined;
  /** The id of a saved face (POST /api/faces), instead of sourceImage. */
  readonly sourceFaceId?: string | undefined;
  /**
   * The video; the face of the person who is most on camera is replaced. MP4, MOV or WebM, by
   * content; at most 99614720 bytes, 300 seconds, 240 frames per second and 9437184 pixels a frame,
   * 4096 on a side.
   */
  readonly targetVideo: Blob;
  /**
   * Largest short side of the video, in pixels; a larger video is scaled down, a smaller one is not
   * enlarged.
   */
  readonly quality?: '720p' | '1080p' | undefined;
  /** Body, clothing, background and framing stay as they are, in any case. */
  readonly preserveScene?: true | undefined;
  /**
   * Up to four more photos of the person in sourceImage; the largest face of each is used. If one
   * shows another person, the task fails. JPEG, PNG, WebP or HEIC/HEIF, by content; at most
   * 31457280 bytes and 100000000 pixels.
   */
  readonly additionalSourceImages?: readonly Blob[] | undefined;
  /**
   * Start of the part of targetVideo to swap, in seconds (default: the beginning). Only that part
   * is returned and charged.
   */
  readonly startSeconds?: number | undefined;
  /**
   * End of the part of targetVideo to swap, in seconds, at least 0.5 seconds after its start
   * (default: the end).
   */
  readonly endSeconds?: number | undefined;
  /** How much detail is recovered in the swapped face, from 0 (none) to 1. */
  readonly faceRestoreVisibility?: number | undefined;
  /**
   * How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0
   * is off.
   */
  readonly restoreVisibility?: number | undefined;
  /** What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default). */
  readonly engine?: string | undefined;
  /**
   * Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
   * the operator decides.
   */
  readonly label?: boolean | undefined;
  /**
   * Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
   * kept and shown with the task. The operator may require it.
   */
  readonly consent?: string | undefined;
  /**
   * The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
   * saved face (sourceFaceId).
   */
  readonly faces?: readonly VideoFace[] | undefined;
}

/** All files together have at most 99614720 bytes. */
export interface GifForm {
  /**
   * The face reference; its largest face is used. Required unless sourceFaceId, targetFace0 or
   * sourceFaceId0 is sent. JPEG, PNG, WebP or HEIC/HEIF, by content; at most 31457280 bytes and
   * 100000000 pixels.
   */
  readonly sourceImage?: Blob | undefined;
  /** The id of a saved face (POST /api/faces), instead of sourceImage. */
  readonly sourceFaceId?: string | undefined;
  /**
   * The animation; the face of the person who is most on camera is replaced. An MP4 or WebM becomes
   * a GIF with a short side of at most 480 pixels and at most 30 pictures per second; all pictures
   * of a GIF together have at most 400000000 pixels. GIF, MP4 or WebM, by content; at most 99614720
   * bytes, 30 seconds, 240 frames per second and 9437184 pixels a frame, 4096 on a side.
   */
  readonly targetGif: Blob;
  /**
   * Start of the part of targetGif to swap, in seconds (default: the beginning). Only that part is
   * returned and charged.
   */
  readonly startSeconds?: number | undefined;
  /**
   * End of the part of targetGif to swap, in seconds, at least 0.5 seconds after its start
   * (default: the end).
   */
  readonly endSeconds?: number | undefined;
  /** How much detail is recovered in the swapped face, from 0 (none) to 1. */
  readonly faceRestoreVisibility?: number | undefined;
  /**
   * How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0
   * is off.
   */
  readonly restoreVisibility?: number | undefined;
  /** What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default). */
  readonly engine?: string | undefined;
  /**
   * Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
   * the operator decides.
   */
  readonly label?: boolean | undefined;
  /**
   * Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
   * kept and shown with the task. The operator may require it.
   */
  readonly consent?: string | undefined;
  /**
   * The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
   * saved face (sourceFaceId).
   */
  readonly faces?: readonly VideoFace[] | undefined;
}

/** All files together have at most 99614720 bytes. */
export interface DetectionForm {
  /**
   * The picture to look for faces in; required unless video is sent. JPEG, PNG, WebP, GIF, BMP or
   * HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
   */
  readonly image?: Blob | undefined;
  /**
   * The video or GIF to look for people in, instead of image: up to 60 of its pictures are looked
   * at, for up to 20 seconds. MP4, MOV, WebM or GIF, by content; at most 99614720 bytes, 300
   * seconds, 240 frames per second and 9437184 pixels a frame, 4096 on a side.
   */
  readonly video?: Blob | undefined;
  /** Whether the answer has a small WebP of the picture, and of each person of a clip. */
  readonly preview?: boolean | undefined;
}

/** All files together have at most 99614720 bytes. */
export interface FaceForm {
  /**
   * A photo of the person; its largest face is used. Several are merged. JPEG, PNG, WebP, GIF, BMP
   * or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
   */
  readonly photos: readonly Blob[];
  /** A name by which you know the face. */
  readonly name: string;
  /** Who agreed to the use of the face, and how: a sentence, or a reference to a document. */
  readonly consent: string;
}

export interface VideoCompleted {
  readonly event: 'video_swap.completed';
  readonly job_id: string;
  readonly status: 'completed';
  /** A signed link, valid without a key for 24 hours. */
  readonly output_url: string;
  /** Seconds. */
  readonly duration: number;
  /** <width>x<height> in pixels. */
  readonly resolution: string;
  /** Milliseconds. */
  readonly processing_time: number;
  /** Credits. */
  readonly credits_used: number;
}

export interface SwappedItem {
  readonly index: number;
  readonly success: true;
  /** A signed link, valid without a key for 24 hours. */
  readonly output_url: string;
}

export interface FailedItem {
  readonly index: number;
  readonly success: false;
  readonly error: 'NO_FACE_DETECTED' | 'FACE_INDEX_OUT_OF_RANGE' | 'FACE_NOT_FOUND' | 'FACE_BOX_CONFLICT' | 'DECODE_FAILED' | 'MEDIA_UNREACHABLE' | 'IMAGE_TOO_LARGE' | 'INVALID_FORMAT' | 'RESOURCE_LIMIT' | 'ENGINE_UNAVAILABLE' | 'FACE_BLOCKED' | 'FACE_WITHDRAWN' | 'MODERATION_REFUSED' | 'DEADLINE_EXCEEDED' | 'WORKER_LOST' | 'INTERNAL_ERROR' | 'CANCELLED';
}

export interface BatchCompleted {
  readonly event: 'batch_swap.completed';
  readonly success: boolean;
  readonly job_id: string;
  readonly status: 'completed';
  readonly total_images: number;
  readonly completed: number;
  readonly failed: number;
  /** Credits. */
  readonly credits_used: number;
  readonly results: readonly (SwappedItem | FailedItem)[];
}

export interface SwapFailed {
  readonly event: 'video_swap.failed' | 'batch_swap.failed';
  readonly job_id: string;
  readonly status: 'failed';
  readonly error: 'NO_FACE_DETECTED' | 'FACE_INDEX_OUT_OF_RANGE' | 'FACE_NOT_FOUND' | 'FACE_BOX_CONFLICT' | 'DECODE_FAILED' | 'MEDIA_UNREACHABLE' | 'IMAGE_TOO_LARGE' | 'INVALID_FORMAT' | 'RESOURCE_LIMIT' | 'ENGINE_UNAVAILABLE' | 'FACE_BLOCKED' | 'FACE_WITHDRAWN' | 'MODERATION_REFUSED' | 'DEADLINE_EXCEEDED' | 'WORKER_LOST' | 'INTERNAL_ERROR' | 'CANCELLED';
  readonly message: string;
}

export type WebhookEvent = VideoCompleted | BatchCompleted | SwapFailed;
