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
import { residentBytes } from './resident-memory.ts';
import { ifPossible, READER_USER, type UnprivilegedUser } from './unprivileged-user.ts';

/** Limits of a child process. */
export interface IsolationLimits {
  /**
   * Limit of CPU time, which only Linux measures; three times as much is the limit by the clock.
   */
  timeoutMs: number;
  /** Limit of the resident size. */
  maxMemoryBytes: number;
  /**
   * Whether the file is this service's own, so that it need not be copied for a child that is
   * another user.
   */
  isOurFile?: boolean;
  /** Folder for the copy of a file that is not our own. Default: the temporary folder. */
  parentFolder?: string;
}

/** Answer of a child, which gives one. */
export type ChildReply<Answer> =
  | { answer: Answer }
  | { error: { code: MediaErrorCode | null; message: string; limit: number | null } };

/** Names of the file and the work in error messages: `The video`, `Reading the video`. */
export interface ChildWords {
  file: string;
  work: string;
}

/** Pause between two measurements of a child's CPU time and memory. */
const USE_CHECK_INTERVAL_MS = 100;
/**
 * Factor from the limit of CPU time to that by the clock, so that a good file is not refused
 * because the machine is busy.
 */
const CLOCK_TIME_FACTOR = 3;
/** Unit of CPU time in /proc on every Linux: USER_HZ. */
const CPU_TICK_MS = 10;

/**
 * Preference by which the kernel ends a child when memory runs out: first of all, since the parent
 * then only reports that a file cannot be read.
 */
const OOM_SCORE = 1000;

/**
 * Asks a child process one question about one file; the child runs `answerParent`. A hostile file
 * can at most harm the child, which is a user without rights if we are root and then reads this
 * file and nothing else of ours. The child is gone when the promise settles.
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
 * Asks a child in a folder of its own.
 * @param folder working folder of the child, to which the question's path refers
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
 * Answers the one question that `askChild` asks; the parent then ends this process.
 * @param preloads code that `work` would load later, if it cannot be read any more by then
 */
export async function answerParent<Question, Answer>(
  work: (question: Question) => Promise<Answer>,
  preloads: readonly Preload[] = [],
): Promise<void> {
  preferToDie(OOM_SCORE);
  // Without its parent nobody waits for the answer, and nobody would end this process.
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

/** Returns the CPU time of a process and all its threads; 0 on systems other than Linux. */
async function cpuMs(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The fields after the program's name, which may hold anything, begin with the third; 14 and 15
    // are the time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_MS;
  } catch {
    return 0;
  }
}
