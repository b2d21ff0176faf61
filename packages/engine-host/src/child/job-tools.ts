import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import type { OnProgress } from '../protocol/engine-job.ts';
import { FilmSources } from './film-sources.ts';
import { SharedImageCache } from './shared-image-cache.ts';

/** Tools with which an engine process does its jobs. */
export interface JobTools {
  readonly engine: Engine;
  /** Holds the image that the items of a batch share. */
  readonly sharedImages: SharedImageCache;
  /** Holds the source that the segments of a film share. */
  readonly filmSources: FilmSources;
}

/** Returns the tools of a new process. */
export function createJobTools(engine: Engine): JobTools {
  return { engine, sharedImages: new SharedImageCache(), filmSources: new FilmSources(engine) };
}

/** Hooks that stop a job, report its progress and sign its output. */
export interface JobHooks {
  readonly signal: AbortSignal;
  /** Signer of the output, because every output carries credentials. */
  readonly signer: ManifestSigner;
  readonly onProgress: OnProgress;
  /** Called when only encoding is left, so that another job may begin; see `JobControl`. */
  readonly onWriting?: () => void;
  /** Called with the analysis of a source that the job shares; see `JobControl`. */
  readonly onSourceAnalysis?: (analysis: SourceAnalysis) => void;
  /** Another engine's analysis of the source; see `JobControl`. */
  readonly sourceAnalysis?: Promise<SourceAnalysis | null>;
}
