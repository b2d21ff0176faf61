import type { VideoFormat } from '@guise/contract/formats.ts';
import { secondsOfPart } from '@guise/contract/clip-part.ts';
import type {
  ClipOptions,
  DetectedFace,
  FrameProgress,
  LabelOption,
  MappedBox,
  PersonFace,
  RestoreOptions,
  StillOptions,
} from '@guise/contract/work.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { FailureCode } from '@guise/contract/errors.ts';
import type { HiddenTaskType, Lane, TaskStatus, TaskType } from '@guise/contract/task.ts';
import type { NeededNetworks } from '../networks/network-key.ts';

/** A checked upload in storage. */
export interface StoredInput {
  /**
   * Name of its form field. For a field with several files it includes the number:
   * `targetImages[2]`.
   */
  readonly field: string;
  readonly objectKey: string;
  /** The client's name for the file. It is only displayed and never used as a path. */
  readonly fileName: string;
  /** Media type, determined by content. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file, in lower-case hex. */
  readonly sha256: string;
  /** Width of the upright picture in pixels. */
  readonly width: number;
  readonly height: number;
  /** Length of a video or GIF; absent for other files. */
  readonly durationSeconds?: number;
}

/** Order whose faces may be drawn by networks of the operator. */
interface DrawnOrder {
  /** If absent: none. */
  readonly networks?: NeededNetworks;
}

/** Photos of the person whose face is used. */
export interface SourcePhotos {
  readonly source: StoredInput;
  /** More photos of the same person. */
  readonly additionalSources?: readonly StoredInput[] | undefined;
}

/** Order for one photo: put the source's face into the target. */
export interface SwapImageOrder extends StillOptions, DrawnOrder, SourcePhotos {
  readonly kind: 'swap-image';
  readonly target: StoredInput;
}

/** A picture that the worker downloads: a target of a v1 batch. */
export interface RemoteInput {
  /** Name in messages, such as `target_images[3]`. */
  readonly field: string;
  readonly url: string;
}

/**
 * Order for a batch. Each item has one output with the same index. All items share the source or
 * the target.
 */
export interface SwapBatchOrder extends StillOptions, DrawnOrder {
  readonly kind: 'swap-batch';
  readonly items: readonly (SourcePhotos & { readonly target: StoredInput | RemoteInput })[];
}

/** Order for several faces in one photo. */
export interface SwapGroupOrder extends LabelOption, DrawnOrder {
  readonly kind: 'swap-group';
  readonly target: StoredInput;
  readonly replacements: readonly (SourcePhotos & {
    /** Box in pixels. */
    readonly box: MappedBox;
  })[];
  readonly restore: RestoreOptions;
}

export interface SwapVideoOrder extends ClipOptions, DrawnOrder, SourcePhotos {
  readonly kind: 'swap-video';
  readonly target: StoredInput;
  /** If absent: WebM for a WebM target, otherwise MP4 (docs/spec/details#output-type). */
  readonly container?: VideoFormat;
}

export interface SwapGifOrder extends ClipOptions, DrawnOrder, SourcePhotos {
  readonly kind: 'swap-gif';
  /** A GIF or a video. */
  readonly target: StoredInput;
}

/** A person of a clip and the source that replaces the person's face. */
export interface MappedSource extends SourcePhotos {
  /** Number of the mapping. */
  readonly index: number;
  /** Name of the mapping in messages, such as `faceBox1`. */
  readonly name: string;
  readonly face: PersonFace;
}

/** Order for several people in a video or GIF, each with a new face. */
export interface SwapPersonsOrder extends ClipOptions, DrawnOrder {
  readonly kind: 'swap-persons';
  readonly as: 'video' | 'gif';
  readonly target: StoredInput;
  readonly mappings: readonly MappedSource[];
  /** If absent: WebM for a WebM target, otherwise MP4. Not used for a GIF. */
  readonly container?: VideoFormat;
}

/** Sources of a clip: one for its main person, or one for each mapped person. */
export type ClipFaces = SourcePhotos | { readonly mappings: readonly MappedSource[] };

export interface DetectFacesOrder {
  readonly kind: 'detect-faces';
  readonly images: readonly StoredInput[];
  readonly withPreviews?: boolean;
}

/** Order to check that photos show one person, before the face is saved. */
export interface CheckFaceOrder {
  readonly kind: 'check-face';
  readonly photos: readonly StoredInput[];
  /** Whether the face, alone in one photo, is for the blocklist and not to be saved. */
  readonly forBlocklist?: true;
}

/** Order to find out who is in a clip. The work is done in slices. */
export interface LookAtClipOrder {
  readonly kind: 'look-at-clip';
  readonly clip: StoredInput;
  /** Time after the start of the first slice at which the result so far becomes the answer. */
  readonly maxMs: number;
  readonly withPreviews?: boolean;
}

/** Result of the looks at a clip so far. */
export interface ClipLook {
  /** Start of the first slice, by its worker's clock. */
  readonly startedAtMs: number;
  readonly outcome: LookOutcome;
  /**
   * State for the next slice. It is encrypted, because it can tell faces apart. Absent after the
   * last slice.
   */
  readonly sealed?: string;
}

/** People found in a clip. */
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
    readonly preview?: string;
  }[];
  /** The clip at the best moment of person 0, a WebP in base64; only if it was asked for. */
  readonly preview?: string;
}

/** Work of a task. It contains everything that the worker needs. */
export type WorkSpec =
  | SwapImageOrder
  | SwapBatchOrder
  | SwapGroupOrder
  | SwapVideoOrder
  | SwapGifOrder
  | SwapPersonsOrder
  | DetectFacesOrder
  | CheckFaceOrder
  | LookAtClipOrder;

/** Returns the networks that a task needs; undefined if it needs none. */
export function networksOf(work: WorkSpec): NeededNetworks | undefined {
  return 'networks' in work ? work.networks : undefined;
}

/** Order for a video, which becomes a film if it is long enough. */
export type FilmOrder = SwapVideoOrder | SwapPersonsOrder;

/** Length in seconds from which a video is cut into segments (docs/decisions/0017). */
export const MIN_FILM_SECONDS = 60;

/**
 * Returns whether a task is a film: a video that is long enough to be cut into segments. This
 * depends only on the order and not on the number of workers, so that the same order gives the same
 * file.
 */
export function isFilm(work: WorkSpec): work is FilmOrder {
  const isVideo = work.kind === 'swap-video' || (work.kind === 'swap-persons' && work.as === 'video');
  return isVideo && clipSeconds(work) >= MIN_FILM_SECONDS;
}

/** Returns the length of the wanted part of a clip, in seconds. */
export function clipSeconds({ target, part }: SwapVideoOrder | SwapGifOrder | SwapPersonsOrder): number {
  return secondsOfPart(part, target.durationSeconds ?? 0);
}

/** Returns the container of a video's result (docs/spec/details#output-type). */
export function videoContainer({
  container,
  target,
}: Pick<SwapVideoOrder, 'container' | 'target'>): VideoFormat {
  return container ?? (target.contentType === 'video/webm' ? 'webm' : 'mp4');
}

/** A delivered file in storage. */
export interface StoredOutput {
  readonly index: number;
  readonly objectKey: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly durationSeconds?: number;
  readonly sha256: string;
  /** Key of a small WebP of the output, which is deleted together with it. */
  readonly thumbnailKey?: string;
  /** Time when the link and the file expire, ISO 8601. */
  readonly expiresAt: string;
  /** Time when the owner deleted the file, ISO 8601. */
  readonly deletedAt?: string;
}

export interface ItemFailure {
  readonly index: number;
  readonly code: FailureCode;
  readonly message: string;
}

/** The engine's report on its work (docs/spec/details#quality-receipt). */
export interface Receipt {
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    readonly swapped: number;
    /** Frames that were swapped although the face was not visible for a moment; only for videos. */
    readonly bridged?: number;
    readonly passedThrough: number;
  };
  readonly longestGapFrames: number;
  readonly engine: { readonly name: string; readonly version: string };
  /**
   * Similarity of the swapped face to the source, 0 to 1; the lowest of several. null if none could
   * be measured.
   */
  readonly identitySimilarity: number | null;
  /** Results for each mapped person of a clip; only if people were mapped. */
  readonly persons?: readonly {
    readonly index: number;
    readonly framesSwapped: number;
    readonly longestGapFrames: number;
    readonly identitySimilarity: number | null;
  }[];
  /**
   * Share of each source photo in the face, by form field; the sum is 1. Only if there were several
   * photos.
   */
  readonly sourceShares?: Readonly<Record<string, number>>;
  /** Present if the visible label is on the results. */
  readonly label?: true;
  /** Present if the results have the invisible watermark. */
  readonly watermark?: true;
  /** Warnings about the faces; absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** Credits that the task cost in the end. */
  readonly credits: number;
}

export interface DetectedImage {
  readonly field: string;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
  /** The upright image, a WebP in base64; only if it was asked for. */
  readonly preview?: string;
}

/** Result so far or final result; stored in the `result` column. */
export interface TaskResult {
  readonly outputs: readonly StoredOutput[];
  readonly failures: readonly ItemFailure[];
  readonly receipt?: Receipt;
  /** Only for a `detect-faces` task. */
  readonly images?: readonly DetectedImage[];
  /** Only for a `check-face` task: a small WebP of the face in base64, if it could be made. */
  readonly faceThumbnail?: string;
  /** Only for a `check-face` task for the blocklist: what `sealEmbedding` made, in base64. */
  readonly sealedEmbedding?: string;
  /** Only for a `look-at-clip` task. */
  readonly clipLook?: ClipLook;
  /** Only for a video in progress. */
  readonly progressFrames?: FrameProgress;
}

export type TaskInterface = 'ai-tasks' | 'v1';

/** A task to create, in the same form for both interfaces. */
export interface NewTask {
  readonly accountId: string;
  readonly interface: TaskInterface;
  readonly type: TaskType | HiddenTaskType;
  readonly lane: Lane;
  /** Parameters of the request, as shown to the client. */
  readonly parameters: Record<string, unknown>;
  readonly work: WorkSpec;
  readonly costCredits: number;
  /** Saved faces that the task uses, and the fields that name them. Default: none. */
  readonly faces?: readonly { readonly field: string; readonly id: string }[];
  /** URL to which the end of the task is sent; checked by `checkPublicUrl`. */
  readonly webhookUrl?: string;
  /**
   * Largest number of unfinished tasks of this interface and type that the account may have,
   * including this one.
   */
  readonly maxUnfinished?: number;
}

/** The current state of a task, in the same form for both interfaces. */
export interface Task {
  readonly id: string;
  readonly accountId: string;
  readonly interface: TaskInterface;
  readonly type: TaskType | HiddenTaskType;
  readonly status: TaskStatus;
  readonly costCredits: number;
  readonly parameters: Record<string, unknown>;
  /** Result; null until there is one. */
  readonly result: TaskResult | null;
  /** Error of a FAILED task. */
  readonly error: { readonly code: FailureCode; readonly message: string } | null;
  /** Progress, 0 to 1, never decreasing. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}
