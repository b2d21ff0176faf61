import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import type { ManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import type { OnProgress } from '../protocol/engine-job.ts';
import { FilmSources } from './film-sources.ts';
import { SharedImageCache } from './shared-image-cache.ts';

/** Tools with which an engine process does its jobs. */
export interface JobTools {
  readonly engine: Engine;
  /** Holds the image that the items of a batch have in common. */
  readonly sharedImages: SharedImageCache;
  /** Holds the source that the segments of a film have in common. */
  readonly filmSources: FilmSources;
}

/** Returns the tools of a process that has done no job yet. */
export function createJobTools(engine: Engine): JobTools {
  return { engine, sharedImages: new SharedImageCache(), filmSources: new FilmSources(engine) };
}

/** Hooks by which a job is stopped, reports to its process and gets signed. */
export interface JobHooks {
  readonly signal: AbortSignal;
  /** Signer of the output: every output carries credentials. */
  readonly signer: ManifestSigner;
  readonly onProgress: OnProgress;
  /** Called once only encoding is left, so that another job may begin; see `JobControl`. */
  readonly onWriting?: () => void;
  /** Called with the analysis of a source that the job shares; see `JobControl`. */
  readonly onSourceAnalysis?: (analysis: SourceAnalysis) => void;
  /** Another engine's analysis of the source; see `JobControl`. */
  readonly sourceAnalysis?: Promise<SourceAnalysis | null>;
}
