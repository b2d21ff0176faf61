import { askChild, type IsolationLimits } from '../isolation/isolated-child.ts';
import type { VideoLimits, VideoProbe } from '../video/video-types.ts';

/** The video that the child probes. */
export interface ProbeRequest {
  filePath: string;
  limits: Partial<VideoLimits>;
}

/** Limits of the child that probes a video. */
const PROBE_ISOLATION: IsolationLimits = { timeoutMs: 20_000, maxMemoryBytes: 1024 * 1024 * 1024 };

/** Program that the child runs. */
const PROBE_CHILD_URL = new URL('./probe-child.ts', import.meta.url);

/**
 * Runs `probeVideo` in a child process, so that a hostile file can only cause an error here.
 * @throws MediaError as `probeVideo` and `askChild` do
 */
export function probeVideoIsolated(
  filePath: string,
  options: Partial<VideoLimits> & { isolation?: Partial<IsolationLimits>; signal?: AbortSignal } = {},
): Promise<VideoProbe> {
  const { isolation, signal, ...limits } = options;
  const request: ProbeRequest = { filePath, limits };
  const words = { file: 'The video', work: 'Reading the video' };
  return askChild(PROBE_CHILD_URL, request, { ...PROBE_ISOLATION, ...isolation }, words, signal);
}
