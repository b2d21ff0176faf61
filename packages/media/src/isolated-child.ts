import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers';
import { MediaError, type MediaErrorCode } from './media-error.ts';
import { childEnvironment } from './video/child-environment.ts';

export interface IsolationLimits {
  /** Of CPU time, where the system tells it (Linux); three times as much by the clock. */
  timeoutMs: number;
  maxMemoryBytes: number;
}

/** A child's one answer. */
export type ChildReply<Answer> =
  | { answer: Answer }
  | { error: { code: MediaErrorCode | null; message: string; limit: number | null } };

/** What errors call the file and the work: `The video`, `Reading the video`. */
export interface ChildWords {
  file: string;
  work: string;
}

const POLL_MS = 100;
/** A good file is not refused because the machine has other things to do. */
const CLOCK_FACTOR = 3;
/** What /proc counts CPU time in, on every Linux: USER_HZ. */
const TICK_MS = 10;

/**
 * One question to a child process of its own, which runs `answerParent`: whatever a hostile file does to the code that
 * reads it, this process only gets an error.
 * @throws MediaError as the child's code throws it, TIMEOUT, RESOURCE_LIMIT (memory), or UNREADABLE when the child died;
 *   the signal's reason when aborted. The child is gone by the time the promise settles.
 */
export async function askChild<Answer>(
  program: URL,
  question: object,
  { timeoutMs, maxMemoryBytes }: IsolationLimits,
  words: ChildWords,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const child = fork(program, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning'],
    env: childEnvironment(),
  });
  const exited = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ChildReply<Answer>>();
  child.once('exit', (code, killedBy) => {
    exited.resolve();
    const cause = new Error(`the child ended with ${killedBy ?? code}`);
    const message = `${words.file} cannot be read: it is damaged.`;
    answer.reject(new MediaError('UNREADABLE', message, { cause }));
  });
  child.once('error', (error) => {
    exited.resolve();
    answer.reject(error);
  });
  child.once('message', (reply) => answer.resolve(reply as ChildReply<Answer>));
  const onAbort = () => answer.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const isLate = () => answer.reject(new MediaError('TIMEOUT', `${words.work} took too long.`));
  const checkUse = async () => {
    if ((await cpuMs(child.pid)) > timeoutMs) isLate();
    if ((await residentBytes(child.pid)) <= maxMemoryBytes) return;
    answer.reject(new MediaError('RESOURCE_LIMIT', `${words.work} took too much memory.`));
  };
  const timer = setTimeout(isLate, timeoutMs * CLOCK_FACTOR);
  const poll = setInterval(() => {
    void checkUse();
  }, POLL_MS);
  try {
    child.send(question, () => {});
    const reply = await answer.promise;
    if ('answer' in reply) return reply.answer;
    throw revive(reply.error);
  } finally {
    clearTimeout(timer);
    clearInterval(poll);
    signal?.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await exited.promise;
  }
}

function revive(error: { code: MediaErrorCode | null; message: string; limit: number | null }): Error {
  if (error.code === null) return new Error(error.message);
  return new MediaError(error.code, error.message, error.limit === null ? {} : { limit: error.limit });
}

/** The child's side of `askChild`: one question, one answer; the parent then ends this process. */
export function answerParent<Question, Answer>(work: (question: Question) => Promise<Answer>): void {
  process.once('message', (message) => {
    work(message as Question).then(
      (answer) => reply({ answer }),
      (error: unknown) => {
        const known = error instanceof MediaError;
        const text = error instanceof Error ? error.message : String(error);
        reply({
          error: { code: known ? error.code : null, message: text, limit: known ? error.limit : null },
        });
      },
    );
  });
  // The parent is gone: nobody waits for the answer, and nobody would end us.
  process.once('disconnect', () => process.exit(1));
}

function reply(message: ChildReply<unknown>): void {
  process.send?.(message);
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

/** CPU time that a process has taken, all its threads together; 0 where the system does not tell (only Linux is asked). */
async function cpuMs(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the program's name, which may hold anything: field 3 is the first, 14 and 15 are the time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
