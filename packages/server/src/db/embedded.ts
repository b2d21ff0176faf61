import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { locatePostgres, type PostgresBinaries } from './postgres-binaries.ts';
import {
  findPostmaster,
  postgresEnvironment,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { makeDataDir } from './private-folder.ts';
import { type ProcessLock, tryLock, waitForLock } from './process-lock.ts';
import { chooseMaker, chooseUser, giveTo, type RunAs } from './unprivileged-user.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Whether this process started the server. Otherwise the server was already running. */
  readonly ownsServer: boolean;
  /** Stops using the server. The last user stops the server. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /**
   * `service`: only one at a time for a data folder. `visitor`: a command that runs together with
   * it or alone.
   */
  readonly role: 'service' | 'visitor';
  /**
   * Called when the server died and could not be started again. Other deaths are repaired silently,
   * and the URL stays the same.
   */
  readonly onLost?: (error: Error) => void;
  /** PostgreSQL settings in addition to ours, used if this process starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Error for a second service that was started on the same data folder. */
export class ServiceRunningError extends Error {
  override readonly name = 'ServiceRunningError';

  constructor(dataDir: string) {
    super(
      `Another guise service is already running on ${dataDir}. Stop it, or set GUISE_DATA_DIR to another folder.`,
    );
  }
}

/** Longest wait for a lock that another process may hold during its initdb or crash recovery. */
const LOCK_TIMEOUT_MS = 180_000;

/** Longest wait for the lock of the service, which another running service never releases. */
const SERVICE_LOCK_TIMEOUT_MS = 300;

/**
 * Longest path of a folder for a Unix socket. The full path may have 103 bytes on macOS and 107 on
 * Linux, and PostgreSQL's file name takes 14.
 */
const MAX_SOCKET_DIR_BYTES = 89;

/**
 * Largest number of restarts of PostgreSQL within the window. After one more, the server counts as
 * lost.
 */
const MAX_RESTARTS_IN_WINDOW = 5;

/** Window in which restarts of PostgreSQL are counted. */
const RESTART_WINDOW_MS = 60_000;

/**
 * Opens PostgreSQL in `dataDir`/postgres: finds it running, or starts it. Three kernel locks in
 * `dataDir`/locks coordinate the processes: `door` is held while a process decides, `users` is
 * shared by all users of the server, `service` is held by the one service. The locks end with their
 * process. So a killed process leaves at most a running server, which the next process takes over.
 * @throws ServiceRunningError, or an Error that explains why PostgreSQL cannot run here.
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  makeDataDir(dataDir);
  const home = realpathSync(dataDir);
  const lockFile = (name: string): string => path.join(home, 'locks', name);
  const held: ProcessLock[] = [];
  const releaseAll = (): void => {
    for (const lock of held.splice(0).toReversed()) lock.release();
  };
  try {
    if (options.role === 'service') {
      // If two processes try at the same instant, both may fail, so each retries for a short time.
      const service = await waitForLock(lockFile('service'), 'exclusive', SERVICE_LOCK_TIMEOUT_MS);
      if (service === null) throw new ServiceRunningError(home);
      held.push(service);
    }
    const server = await behindDoor(lockFile('door'), async () => {
      held.push(await insist(lockFile('users'), 'shared'));
      return openServer(home, options.settings ?? {});
    });
    const supervision = supervise(server.postmaster, options.onLost, (isEnded) =>
      behindDoor(lockFile('door'), async () =>
        isEnded() ? null : (await openServer(home, options.settings ?? {})).postmaster,
      ),
    );
    return {
      url: server.postmaster.url,
      ownsServer: server.started,
      async stop() {
        if (held.length === 0) return;
        await behindDoor(lockFile('door'), async () => {
          const postmaster = supervision.end();
          releaseAll();
          const alone = tryLock(lockFile('users'), 'exclusive');
          if (alone === null) return;
          await stopPostmaster(postmaster);
          alone.release();
        });
      },
    };
  } catch (error) {
    releaseAll();
    throw error;
  }
}

async function behindDoor<T>(file: string, decide: () => Promise<T>): Promise<T> {
  const door = await insist(file, 'exclusive');
  try {
    return await decide();
  } finally {
    door.release();
  }
}

async function insist(file: string, mode: 'shared' | 'exclusive'): Promise<ProcessLock> {
  const lock = await waitForLock(file, mode, LOCK_TIMEOUT_MS);
  if (lock === null) throw new Error(`another process holds ${file} for too long`);
  return lock;
}

/**
 * Finds the running server, or starts one; makes a new cluster if there is none. The caller holds
 * the `door` lock.
 */
async function openServer(
  home: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ postmaster: Postmaster; started: boolean }> {
  const clusterDir = path.join(home, 'postgres');
  const running = existsSync(clusterDir) ? await findPostmaster(clusterDir) : null;
  if (running !== null) return { postmaster: running, started: false };
  const binaries = locatePostgres();
  const user = chooseUser(binaries.postgres, home, clusterDir);
  if (!existsSync(clusterDir)) await makeCluster(binaries, home, clusterDir, user, settings.fsync !== 'off');
  giveTo(user, clusterDir);
  const socketDir = makeSocketDir(home, user);
  return {
    postmaster: await startPostmaster(binaries.postgres, clusterDir, socketDir, user, settings),
    started: true,
  };
}

/**
 * Makes a cluster under another name and renames it when it is complete, so that an interrupted
 * initdb is never taken for a cluster.
 */
async function makeCluster(
  binaries: PostgresBinaries,
  home: string,
  clusterDir: string,
  user: RunAs,
  durable: boolean,
): Promise<void> {
  const halfMade = path.join(home, 'postgres.new');
  rmSync(halfMade, { recursive: true, force: true });
  mkdirSync(halfMade, { mode: 0o700 });
  const maker = chooseMaker(user, binaries.initdb, home);
  giveTo(maker, halfMade);
  const [file, args] = maker.command(binaries.initdb, [
    `--pgdata=${halfMade}`,
    '--username=guise',
    '--auth=trust',
    '--encoding=UTF8',
    // Bytewise sorting and Unicode upper and lower case, which are the same on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  try {
    await promisify(execFile)(file, args, {
      ...maker.credentials,
      cwd: halfMade,
      env: postgresEnvironment(),
    });
  } catch (cause) {
    throw new Error(`initdb failed: ${(cause as { stderr?: string }).stderr ?? String(cause)}`, { cause });
  }
  renameSync(halfMade, clusterDir);
}

/**
 * Makes the folder of the socket, which only PostgreSQL's user may enter. It is in the data folder,
 * unless the socket's path would be too long for the kernel.
 */
function makeSocketDir(home: string, user: RunAs): string {
  let dir = path.join(home, 'socket');
  if (Buffer.byteLength(dir) > MAX_SOCKET_DIR_BYTES) {
    const name = createHash('sha256').update(home).digest('hex').slice(0, 12);
    dir = path.join(realpathSync(tmpdir()), `guise-${name}`);
    if (Buffer.byteLength(dir) > MAX_SOCKET_DIR_BYTES) dir = path.join('/tmp', `guise-${name}`);
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const found = lstatSync(dir);
  // In the shared temporary folder, another user may have made this folder.
  const ours = process.getuid?.() === 0 || found.uid === user.ownerUid;
  if (!found.isDirectory() || !ours)
    throw new Error(`${dir} belongs to another user. Remove it, or set TMPDIR to another folder.`);
  if (found.uid !== user.ownerUid) {
    const isInHome = path.dirname(dir) === home;
    if (!isInHome && found.uid !== 0 && readdirSync(dir).length > 0) {
      throw new Error(`${dir} belongs to another user. Remove it, or set TMPDIR to another folder.`);
    }
    giveTo(user, dir);
  }
  chmodSync(dir, 0o700);
  return dir;
}

/**
 * Starts the server again whenever it dies, until `end` is called. `end` returns the current
 * server.
 */
function supervise(
  first: Postmaster,
  onLost: ((error: Error) => void) | undefined,
  reopen: (isEnded: () => boolean) => Promise<Postmaster | null>,
): { end(): Postmaster } {
  let current = first;
  let ended = false;
  const run = async (): Promise<void> => {
    const restarts: number[] = [];
    for (;;) {
      await current.exited;
      if (ended) return;
      const now = performance.now();
      restarts.push(now);
      if (restarts.filter((at) => at > now - RESTART_WINDOW_MS).length > MAX_RESTARTS_IN_WINDOW) {
        throw new Error(`PostgreSQL died ${MAX_RESTARTS_IN_WINDOW + 1} times within a minute`);
      }
      const reopened = await reopen(() => ended);
      if (reopened === null) return;
      current = reopened;
      // A server that dies at once must not keep a processor busy.
      await delay(100, undefined, { ref: false });
    }
  };
  run().catch((error: Error) => {
    if (!ended) onLost?.(error);
  });
  return {
    end() {
      ended = true;
      return current;
    },
  };
}
