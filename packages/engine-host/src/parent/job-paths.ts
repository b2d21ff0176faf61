import type { EngineJob, SourceFiles } from '../protocol/engine-job.ts';

/** Lists the files that a job reads. */
export function inputsOf(job: EngineJob): string[] {
  const inputs: string[] = [];
  const note = (input: string): string => {
    inputs.push(input);
    return input;
  };
  withPaths(job, note, '');
  return inputs;
}

/** Returns the job with other paths: each input as `lent` returns it, and the given output. */
export function withPaths(job: EngineJob, lent: (input: string) => string, outputPath: string): EngineJob {
  const withLent = <T extends { readonly path: string }>(files: readonly T[]): T[] =>
    files.map((file) => ({ ...file, path: lent(file.path) }));
  const sourcesWithLent = (sources: readonly SourceFiles[]): SourceFiles[] =>
    sources.map(({ name, path, additional = [] }) => ({
      name,
      path: lent(path),
      additional: withLent(additional),
    }));
  switch (job.kind) {
    case 'swap-image':
    case 'swap-video':
      return {
        ...job,
        ...(job.kind === 'swap-image' && job.shared && { sharedName: job[`${job.shared}Path`] }),
        sourcePath: lent(job.sourcePath),
        targetPath: lent(job.targetPath),
        ...(job.additionalSources && { additionalSources: withLent(job.additionalSources) }),
        outputPath,
      };
    case 'swap-group':
      return {
        ...job,
        targetPath: lent(job.targetPath),
        replacements: job.replacements.map((each) => ({
          ...each,
          sourcePath: lent(each.sourcePath),
          ...(each.additionalSources && { additionalSources: withLent(each.additionalSources) }),
        })),
        outputPath,
      };
    case 'swap-persons':
    case 'cut-film':
      return {
        ...job,
        targetPath: lent(job.targetPath),
        sources: sourcesWithLent(job.sources),
        outputPath,
      };
    case 'look-at-clip':
      return { ...job, targetPath: lent(job.targetPath) };
    case 'try-providers':
    case 'try-video-hardware':
      return job;
    case 'inspect-network':
      return { ...job, networkPath: lent(job.networkPath) };
    case 'detect-faces':
      return { ...job, images: withLent(job.images) };
    case 'check-face':
      return { ...job, photos: withLent(job.photos) };
    case 'identify-faces':
      return { ...job, photos: withLent(job.photos) };
    case 'study-segment':
      return { ...job, targetPath: lent(job.targetPath), cutPath: lent(job.cutPath), outputPath };
    case 'choose-faces':
      return { ...job, cutPath: lent(job.cutPath), studyPaths: job.studyPaths.map(lent), outputPath };
    case 'draw-segment':
      return {
        ...job,
        targetPath: lent(job.targetPath),
        planPath: lent(job.planPath),
        sources: sourcesWithLent(job.sources),
        outputPath,
      };
    case 'join-film':
      return {
        ...job,
        targetPath: lent(job.targetPath),
        planPath: lent(job.planPath),
        segmentPaths: job.segmentPaths.map(lent),
        outputPath,
      };
  }
}
