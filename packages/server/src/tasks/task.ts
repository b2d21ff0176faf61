import type { VideoFormat } from '@guise/contract/formats.ts';
import { secondsOfPart } from '@guise/contract/clip-part.ts';
import type {
  ClipOptions,
  DetectedFace,
  FrameProgress,
  MappedBox,
  PersonFace,
  RestoreOptions,
  StillOptions,
} from '@guise/contract/work.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { FailureCode } from '@guise/contract/errors.ts';
import type { HiddenTaskType, Lane, TaskStatus, TaskType } from '@guise/contract/task.ts';

/** A checked upload at rest in storage. */
export interface StoredInput {
  /** The form field it came in; of a repeated one with its number: `targetImages[2]`. */
  readonly field: string;
  readonly objectKey: string;
  /** The client's name for it: shown back, never used as a path. */
  readonly fileName: string;
  /** Media type by content, not by the name that the client gave. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Pixels of the upright picture. */
  readonly width: number;
  readonly height: number;
  /** Set for a video or GIF only. */
  readonly durationSeconds?: number;
}

/** One photo: the source's face into the target. */
export interface SwapImageOrder extends StillOptions {
  readonly kind: 'swap-image';
  readonly source: StoredInput;
  /** More photos of the source's person. */
  readonly additionalSources?: readonly StoredInput[];
  readonly target: StoredInput;
}

/** A picture that the worker fetches by itself: a target of a v1 batch. */
export interface RemoteInput {
  /** Name in messages: `target_images[3]`. */
  readonly field: string;
  readonly url: string;
}

/**
 * Order for a batch, with one output an item at the same index. All items have the source or the
 * target in common.
 */
export interface SwapBatchOrder extends StillOptions {
  readonly kind: 'swap-batch';
  readonly items: readonly { readonly source: StoredInput; readonly target: StoredInput | RemoteInput }[];
}

/** Several faces of one photo. */
export interface SwapGroupOrder {
  readonly kind: 'swap-group';
  readonly target: StoredInput;
  readonly replacements: readonly {
    readonly source: StoredInput;
    /** Box in pixels. */
    readonly box: MappedBox;
  }[];
  readonly restore: RestoreOptions;
}

export interface SwapVideoOrder extends ClipOptions {
  readonly kind: 'swap-video';
  readonly source: StoredInput;
  /** More photos of the source's person. */
  readonly additionalSources?: readonly StoredInput[];
  readonly target: StoredInput;
  /** Absent: WebM for a WebM target, else MP4 (docs/spec/details#output-type). */
  readonly container?: VideoFormat;
}

export interface SwapGifOrder extends ClipOptions {
  readonly kind: 'swap-gif';
  readonly source: StoredInput;
  /** A GIF or a film. */
  readonly target: StoredInput;
}

/** A person of a clip and who replaces it. */
export interface MappedSource {
  /** Number of the mapping. */
  readonly index: number;
  /** Name of the mapping in messages: `faceBox1`. */
  readonly name: string;
  readonly source: StoredInput;
  readonly face: PersonFace;
}

/** Several people of a video or GIF, each with a face of its own. */
export interface SwapPersonsOrder extends ClipOptions {
  readonly kind: 'swap-persons';
  readonly as: 'video' | 'gif';
  readonly target: StoredInput;
  readonly mappings: readonly MappedSource[];
  /** Absent: WebM for a WebM target, else MP4; not of a GIF. */
  readonly container?: VideoFormat;
}

/** Whose faces a clip gets: one for its main person, or one for each of some people. */
export type ClipFaces = { readonly source: StoredInput } | { readonly mappings: readonly MappedSource[] };

export interface DetectFacesOrder {
  readonly kind: 'detect-faces';
  readonly images: readonly StoredInput[];
}

/** Looks at a clip, in slices, to tell who is in it. */
export interface LookAtClipOrder {
  readonly kind: 'look-at-clip';
  readonly clip: StoredInput;
  /** Time after the first slice's start from which what was seen is the answer. */
  readonly maxMs: number;
}

/** What looks at a clip have told so far. */
export interface ClipLook {
  /** Start of the first slice, by its worker's clock. */
  readonly startedAtMs: number;
  readonly outcome: LookOutcome;
  /** What the next slice goes on from, encrypted: it tells faces apart. Absent after the last. */
  readonly sealed?: string;
}

/** People of a clip. */
export interface LookOutcome {
  readonly framesLooked: number;
  readonly isComplete: boolean;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly persons: readonly {
    readonly personIndex: number;
    readonly share: number;
    readonly appearances: readonly (readonly [number, number])[];
    readonly atSeconds: number;
    readonly face: DetectedFace;
  }[];
}

/** Work of a task: everything the worker needs, nothing it must look up. */
export type WorkSpec =
  | SwapImageOrder
  | SwapBatchOrder
  | SwapGroupOrder
  | SwapVideoOrder
  | SwapGifOrder
  | SwapPersonsOrder
  | DetectFacesOrder
  | LookAtClipOrder;

/** Length from which a video is cut into segments, seconds (docs/decisions/0017). */
export const MIN_FILM_SECONDS = 60;

/**
 * Returns whether a task is a film: a video long enough to be cut into segments. That depends on
 * the order alone, and never on how many workers there are, so that the same order gives the same
 * file.
 */
export function isFilm(work: WorkSpec): work is SwapVideoOrder {
  return work.kind === 'swap-video' && clipSeconds(work) >= MIN_FILM_SECONDS;
}

/** Returns whether a task is a video of that length, in one piece or in segments. */
export function isLongClip(work: WorkSpec): boolean {
  return isFilm(work) || (work.kind === 'swap-persons' && clipSeconds(work) >= MIN_FILM_SECONDS);
}

/** Returns the length of the wanted part of a clip, in seconds. */
export function clipSeconds({ target, part }: SwapVideoOrder | SwapGifOrder | SwapPersonsOrder): number {
  return secondsOfPart(part, target.durationSeconds ?? 0);
}

/** A delivered file at rest in storage. */
export interface StoredOutput {
  readonly index: number;
  readonly objectKey: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly durationSeconds?: number;
  readonly sha256: string;
  /** ISO 8601; the link and the file end here. */
  readonly expiresAt: string;
  /** Moment at which its owner had the file deleted, ISO 8601. */
  readonly deletedAt?: string;
}

export interface ItemFailure {
  readonly index: number;
  readonly code: FailureCode;
  readonly message: string;
}

/** The engine's account of its own work (docs/spec/details#quality-receipt). */
export interface Receipt {
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    readonly swapped: number;
    /** Frames that were swapped while the face was not seen for a moment; of videos only. */
    readonly bridged?: number;
    readonly passedThrough: number;
  };
  readonly longestGapFrames: number;
  readonly engine: { readonly name: string; readonly version: string };
  /**
   * Likeness of the swapped face to the source, 0..1, of several the lowest; null if none could
   * be measured.
   */
  readonly identitySimilarity: number | null;
  /** What was done to each mapped person of a clip; only if people were mapped. */
  readonly persons?: readonly {
    readonly index: number;
    readonly framesSwapped: number;
    readonly longestGapFrames: number;
    readonly identitySimilarity: number | null;
  }[];
  /** Share of the face by form field of its photo, 1 in all; only if there were several. */
  readonly sourceShares?: Readonly<Record<string, number>>;
  /** Warnings about the faces; left out if there are none. */
  readonly warnings?: readonly Warning[];
  /** Credits the task cost in the end. */
  readonly credits: number;
}

export interface DetectedImage {
  readonly field: string;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
}

/** Result so far, or in the end; the `result` column. */
export interface TaskResult {
  readonly outputs: readonly StoredOutput[];
  readonly failures: readonly ItemFailure[];
  readonly receipt?: Receipt;
  /** Set for a `detect-faces` task only. */
  readonly images?: readonly DetectedImage[];
  /** Set for a `look-at-clip` task only. */
  readonly clipLook?: ClipLook;
  /** Set for a video that is being worked on. */
  readonly progressFrames?: FrameProgress;
}

export type TaskInterface = 'ai-tasks' | 'v1';

/** A task to create; both interfaces build the same. */
export interface NewTask {
  readonly accountId: string;
  readonly interface: TaskInterface;
  readonly type: TaskType | HiddenTaskType;
  readonly lane: Lane;
  /** Parameters of the request, as the client is shown them. */
  readonly parameters: Record<string, unknown>;
  readonly work: WorkSpec;
  readonly costCredits: number;
  /** URL that the task's end is sent to; checked by `checkPublicUrl`. */
  readonly webhookUrl?: string;
  /**
   * Most unfinished tasks of this interface and type that the account may have, this one included.
   */
  readonly maxUnfinished?: number;
}

/** A task as it stands; both interfaces render the same. */
export interface Task {
  readonly id: string;
  readonly accountId: string;
  readonly interface: TaskInterface;
  readonly type: TaskType | HiddenTaskType;
  readonly status: TaskStatus;
  readonly costCredits: number;
  readonly parameters: Record<string, unknown>;
  /** Result; null until there is something to show. */
  readonly result: TaskResult | null;
  /** Failure of a FAILED task. */
  readonly error: { readonly code: FailureCode; readonly message: string } | null;
  /** Progress, 0..1, never decreasing. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}
