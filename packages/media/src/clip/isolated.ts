import { askChild, type IsolationLimits } from '../isolation/isolated-child.ts';
import type { VideoLimits, VideoProbe } from '../video/video-types.ts';

export interface ProbeRequest {
  filePath: string;
  limits: Partial<VideoLimits>;
}

const PROBE_ISOLATION: IsolationLimits = { timeoutMs: 20_000, maxMemoryBytes: 1024 * 1024 * 1024 };
const CHILD = new URL('./probe-child.ts', import.meta.url);

/**
 * `probeVideo` in a child of its own: whatever the file does to the decoder, this process only gets
 * an error.
 * @throws MediaError as `probeVideo`, and as `askChild`.
 */
export function probeVideoIsolated(
  filePath: string,
  options: Partial<VideoLimits> & { isolation?: Partial<IsolationLimits>; signal?: AbortSignal } = {},
): Promise<VideoProbe> {
  const { isolation, signal, ...limits } = options;
  const request: ProbeRequest = { filePath, limits };
  const words = { file: 'The video', work: 'Reading the video' };
  return askChild(CHILD, request, { ...PROBE_ISOLATION, ...isolation }, words, signal);
}
