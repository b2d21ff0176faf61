import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setInterval } from 'node:timers';
import { MediaError, type MediaErrorCode } from '../media-error.ts';
import { childEnvironment } from './child-environment.ts';
import { giveUpRights, type Preload, preferToDie } from './give-up-rights.ts';
import { lendFile, makePassage } from './lend.ts';
import { residentBytes } from './process-usage.ts';
import { ifPossible, READER_USER, type UnprivilegedUser } from './unprivileged-user.ts';

/** Limits of a child process. */
export interface IsolationLimits {
  /**
   * Limit of CPU time, which is measured on Linux only. The limit of elapsed time is three times as
   * long.
   */
  timeoutMs: number;
  /** Limit of resident memory. */
  maxMemoryBytes: number;
  /**
   * Whether the file belongs to this service. If so, it need not be copied for a child that runs as
   * another user.
   */
  isOurFile?: boolean;
  /**
   * Folder for the copy of a file that does not belong to this service. Default: the temporary
   * folder.
   */
  parentFolder?: string;
}

/** Reply of a child, which sends exactly one: an answer or an error. */
export type ChildReply<Answer> =
  | { answer: Answer }
  | { error: { code: MediaErrorCode | null; message: string; limit: number | null } };

/**
 * Names of the file and the work in error messages, such as `The video` and `Reading the video`.
 */
export interface ChildWords {
  file: string;
  work: string;
}

/** Pause between two measurements of a child's CPU time and memory. */
const USE_CHECK_INTERVAL_MS = 100;
/**
 * Factor by which the limit of elapsed time is longer than that of CPU time, so that a busy machine
 * does not cause the refusal of a good file.
 */
const CLOCK_TIME_FACTOR = 3;
/** Length of the unit of CPU time in /proc, which is the same on every Linux (USER_HZ). */
const CPU_TICK_MS = 10;

/**
 * Score with which the kernel ends a child before all other processes if memory runs out. The
 * parent then only reports that a file cannot be read.
 */
const OOM_SCORE = 1000;

/**
 * Asks a child process, which runs `answerParent`, one question about one file. The child has ended
 * when the promise settles. A hostile file can harm only the child: if this process is root, the
 * child runs as a user without rights, who can read this file and no other file of the service.
 * @param question its `filePath` is replaced by the child's own path to the file
 * @throws MediaError as the child's code throws it, TIMEOUT, RESOURCE_LIMIT (memory), or UNREADABLE
 * if the child died; the signal's reason if aborted
 */
export async function askChild<Answer>(
  program: URL,
  question: { readonly filePath: string },
  limits: IsolationLimits,
  words: ChildWords,
  signal?: AbortSignal,
): Promise<Answer> {
  const user = ifPossible(READER_USER);
  const filePath = path.resolve(question.filePath);
  if (user === null)
    return await askIn(tmpdir(), null, program, { ...question, filePath }, limits, words, signal);
  const name = `guise-read-${randomUUID()}`;
  const folder = limits.isOurFile ? `${filePath}.${name}` : path.join(limits.parentFolder ?? tmpdir(), name);
  try {
    makePassage(user, folder);
    await lendFile(user, filePath, path.join(folder, 'file'), { isOurs: limits.isOurFile === true });
    return await askIn(folder, user, program, { ...question, filePath: 'file' }, limits, words, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Starts a child in `folder`, and asks it the question.
 * @param folder working folder of the child; the question's path may be relative to it
 */
async function askIn<Answer>(
  folder: string,
  user: UnprivilegedUser | null,
  program: URL,
  question: object,
  { timeoutMs, maxMemoryBytes }: IsolationLimits,
  words: ChildWords,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const child: ChildProcess = fork(program, [JSON.stringify(user)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning', '--disable-sigusr1'],
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
    if ((await residentBytes(child.pid ?? 0)) <= maxMemoryBytes) return;
    answer.reject(new MediaError('RESOURCE_LIMIT', `${words.work} took too much memory.`));
  };
  const timer = setTimeout(isLate, timeoutMs * CLOCK_TIME_FACTOR);
  const poll = setInterval(() => {
    void checkUse();
  }, USE_CHECK_INTERVAL_MS);
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

/**
 * Answers the one question of `askChild`. The parent then ends this process.
 * @param preloads functions that load the code that `work` needs; called first if the code cannot
 * be read later
 */
export async function answerParent<Question, Answer>(
  work: (question: Question) => Promise<Answer>,
  preloads: readonly Preload[] = [],
): Promise<void> {
  preferToDie(OOM_SCORE);
  // Without the parent, nobody waits for the answer and nobody would end this process.
  process.once('disconnect', () => process.exit(1));
  const asked = new Promise<Question>((resolve) => {
    process.once('message', (message) => resolve(message as Question));
  });
  await giveUpRights(JSON.parse(process.argv[2]!) as UnprivilegedUser | null, preloads);
  try {
    reply({ answer: await work(await asked) });
  } catch (error) {
    const known = error instanceof MediaError;
    const message = error instanceof Error ? error.message : String(error);
    reply({ error: { code: known ? error.code : null, message, limit: known ? error.limit : null } });
  }
}

function reply(message: ChildReply<unknown>): void {
  process.send?.(message);
}

/** Returns the CPU time of a process and all its threads, or 0 on systems other than Linux. */
async function cpuMs(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Field 2, the program's name, may hold any character, so the text is split after it, from
    // field 3 on. Fields 14 and 15 are the CPU time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_MS;
  } catch {
    return 0;
  }
}
