import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers';
import { MediaError, type MediaErrorCode } from '../media-error.ts';
import { childEnvironment } from './child-environment.ts';
import type { VideoLimits, VideoProbe } from './video-types.ts';

export interface IsolationLimits {
  timeoutMs: number;
  maxMemoryBytes: number;
}

export interface ProbeRequest {
  filePath: string;
  limits: Partial<VideoLimits>;
}
export type ProbeReply =
  | { probe: VideoProbe }
  | { error: { code: MediaErrorCode | null; message: string; limit: number | null } };

const PROBE_ISOLATION: IsolationLimits = { timeoutMs: 20_000, maxMemoryBytes: 1024 * 1024 * 1024 };
const MEMORY_POLL_MS = 100;
const CHILD = new URL('./probe-child.ts', import.meta.url);
/**
 * `probeVideo` in a child of its own: whatever the file does to the decoder, this process only gets an error.
 * @throws MediaError as `probeVideo`, TIMEOUT, RESOURCE_LIMIT (memory), or UNREADABLE when the child died; the
 *   signal's reason when aborted. The child is gone by the time the promise settles.
 */
export async function probeVideoIsolated(
  filePath: string,
  options: Partial<VideoLimits> & { isolation?: Partial<IsolationLimits>; signal?: AbortSignal } = {},
): Promise<VideoProbe> {
  const { isolation, signal, ...limits } = options;
  const { timeoutMs, maxMemoryBytes } = { ...PROBE_ISOLATION, ...isolation };
  signal?.throwIfAborted();
  const child = fork(CHILD, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning'],
    env: childEnvironment(),
  });
  const exited = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ProbeReply>();
  child.once('exit', (code, killedBy) => {
    exited.resolve();
    const cause = new Error(`the probe ended with ${killedBy ?? code}`);
    answer.reject(new MediaError('UNREADABLE', 'The video cannot be read: it is damaged.', { cause }));
  });
  child.once('error', (error) => {
    exited.resolve();
    answer.reject(error);
  });
  child.once('message', (reply) => answer.resolve(reply as ProbeReply));
  const onAbort = () => answer.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const checkMemory = async () => {
    if ((await residentBytes(child.pid)) <= maxMemoryBytes) return;
    answer.reject(new MediaError('RESOURCE_LIMIT', 'Reading the video took too much memory.'));
  };
  const timer = setTimeout(() => {
    answer.reject(new MediaError('TIMEOUT', 'Reading the video took too long.'));
  }, timeoutMs);
  const memory = setInterval(() => {
    void checkMemory();
  }, MEMORY_POLL_MS);
  try {
    child.send({ filePath, limits } satisfies ProbeRequest, () => {});
    const reply = await answer.promise;
    if ('probe' in reply) return reply.probe;
    throw revive(reply.error);
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    signal?.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await exited.promise;
  }
}

function revive(error: { code: MediaErrorCode | null; message: string; limit: number | null }): Error {
  if (error.code === null) return new Error(error.message);
  return new MediaError(error.code, error.message, error.limit === null ? {} : { limit: error.limit });
}

/** Resident memory of a process; 0 where the system does not tell (only Linux is asked). */
export async function residentBytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
