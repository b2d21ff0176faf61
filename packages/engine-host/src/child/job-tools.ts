import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import type { OnProgress } from '../protocol/engine-job.ts';
import type { SharedImageCache } from './shared-image-cache.ts';

/** Tools with which an engine process does its jobs. */
export interface JobTools {
  readonly engine: Engine;
  /** Holds the image that the items of a batch have in common. */
  readonly sharedImages: SharedImageCache;
}

/** How a job is stopped, and what it tells the process that runs it. */
export interface JobHooks {
  readonly signal: AbortSignal;
  /** Every output carries its credentials. */
  readonly signer: ManifestSigner;
  readonly onProgress: OnProgress;
  /** The result only has to be written: another job may begin. */
  readonly onWriting?: () => void;
  /** See `JobControl`. */
  readonly onSourceAnalysis?: (analysis: SourceAnalysis) => void;
  readonly sourceAnalysis?: Promise<SourceAnalysis | null>;
}
