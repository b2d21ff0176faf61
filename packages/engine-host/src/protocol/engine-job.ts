import type { FailureCode } from '@guise/contract/errors.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { SwapVideoReceipt } from '@guise/engine/pipeline/swap-video.ts';
import type { ManifestRequest } from '@guise/media/provenance/manifest-signer.ts';
import type {
  DetectedFace,
  FrameProgress,
  MappedBox,
  RestoreOptions,
  VideoSize,
} from '@guise/contract/work.ts';

/**
 * What crosses between a worker and its engine process: local files and plain values, nothing of
 * the server.
 */
export type OutputFormat = 'png' | 'jpeg' | 'webp';

/** One more photo of the source's person. */
export interface AdditionalSourceFile {
  /** For sentences. */
  readonly name: string;
  readonly path: string;
}

export interface SwapImageJob {
  readonly kind: 'swap-image';
  readonly sourcePath: string;
  readonly additionalSources?: readonly AdditionalSourceFile[];
  readonly targetPath: string;
  readonly outputPath: string;
  /**
   * Absent: the target's format if it is JPEG or WebP, else PNG (docs/decisions/0009#output-type).
   */
  readonly outputFormat?: OutputFormat;
  /** Pixels; a larger target is reduced before the swap, none is enlarged. */
  readonly maxLongSide?: number;
  readonly restore: RestoreOptions;
  /** Which face of the target; absent: the largest. */
  readonly faceIndex?: number;
  /**
   * Jobs of the same batch have this file in common: what was decoded and found in it is kept for
   * the next one.
   */
  readonly shared?: 'source' | 'target';
  /** Names the content of the shared file; absent: its path does. */
  readonly sharedName?: string;
  readonly maxPixels: number;
}

export interface SwapGroupJob {
  readonly kind: 'swap-group';
  readonly targetPath: string;
  readonly outputPath: string;
  readonly replacements: readonly {
    /** For sentences. */
    readonly name: string;
    readonly sourcePath: string;
    readonly box: MappedBox;
  }[];
  readonly restore: RestoreOptions;
  readonly maxPixels: number;
}

export interface DetectFacesJob {
  readonly kind: 'detect-faces';
  readonly images: readonly { readonly name: string; readonly path: string }[];
  readonly maxPixels: number;
}

export type VideoOutput = 'mp4' | 'webm' | 'mov' | 'gif';

export interface SwapVideoJob {
  readonly kind: 'swap-video';
  readonly sourcePath: string;
  readonly additionalSources?: readonly AdditionalSourceFile[];
  /** A film, or a GIF where the output is one. */
  readonly targetPath: string;
  /** While it is written it is called `<outputPath>.part`. */
  readonly outputPath: string;
  readonly container: VideoOutput;
  readonly restore: RestoreOptions;
  /** Never enlarged. */
  readonly size: VideoSize;
  /** Of the source images. */
  readonly maxPixels: number;
}

export type EngineJob = SwapImageJob | SwapGroupJob | SwapVideoJob | DetectFacesJob;

/** A picture that was written. */
export interface StillOutcome {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** In the target. */
  readonly facesFound: number;
  /** 0..1, of several faces the lowest; null where it could not be measured. */
  readonly identitySimilarity: number | null;
}

export interface SwapImageOutcome extends StillOutcome {
  readonly swappedFaceIndex: number;
  /** Of the source and each additional one in the texture of the face; together 1. */
  readonly sourceShares: readonly number[];
  /** Milliseconds of each step, in the order they ran. */
  readonly timingsMs: Readonly<Record<string, number>>;
}

export interface SwapVideoOutcome extends SwapVideoReceipt {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly audio: 'copied' | 'encoded' | 'none';
}

export interface DetectFacesOutcome {
  readonly images: readonly {
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly faces: readonly DetectedFace[];
  }[];
}

/** The outcome that belongs to a job. */
export type EngineOutcome<J extends EngineJob> = J extends SwapImageJob
  ? SwapImageOutcome
  : J extends SwapGroupJob
    ? StillOutcome
    : J extends SwapVideoJob
      ? SwapVideoOutcome
      : DetectFacesOutcome;

/** Of whatever job. */
export type AnyOutcome = SwapImageOutcome | StillOutcome | SwapVideoOutcome | DetectFacesOutcome;

export interface EngineInfo {
  readonly name: string;
  readonly version: string;
}

/** @param progress 0..1, never decreasing. @param frames of a video. */
export type OnProgress = (progress: number, frames?: FrameProgress) => void;

/** `abort` asks to stop a job, and whoever cannot is killed. */
export type MessageToEngine =
  | {
      readonly type: 'job';
      readonly jobId: number;
      readonly job: EngineJob;
      /** Whether another engine analyses the source: `source-analysis` then follows. */
      readonly expectsSourceAnalysis: boolean;
      /** Length of the manifest that a `sign` of this job is answered with. */
      readonly manifestBytes: number;
    }
  /** The answer to the job's `sign`. */
  | { readonly type: 'signed'; readonly jobId: number; readonly manifest: Uint8Array }
  /** Carries another engine's analysis of the job's source; null if there is none. */
  | { readonly type: 'source-analysis'; readonly jobId: number; readonly analysis: SourceAnalysis | null }
  | { readonly type: 'abort'; readonly jobId: number };

export type MessageFromEngine =
  | { readonly type: 'ready'; readonly engine: EngineInfo }
  | {
      readonly type: 'progress';
      readonly jobId: number;
      readonly progress: number;
      /** Of a video. */
      readonly frames?: FrameProgress;
    }
  /** Carries the analysis of the source that the job shares with others. */
  | { readonly type: 'source-analysis'; readonly jobId: number; readonly analysis: SourceAnalysis }
  /** Asks for the manifest of what the job made: once a job. */
  | { readonly type: 'sign'; readonly jobId: number; readonly request: ManifestRequest }
  /** Its result only has to be written: another job may come. */
  | { readonly type: 'writing'; readonly jobId: number }
  | {
      readonly type: 'done';
      readonly jobId: number;
      readonly outcome: AnyOutcome;
    }
  | {
      readonly type: 'failed';
      readonly jobId: number;
      readonly code: FailureCode;
      /** Public sentence. */
      readonly message: string;
      /** For the log only. */
      readonly detail: string;
    };
