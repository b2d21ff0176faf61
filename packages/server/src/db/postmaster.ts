import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { RunAs } from './unprivileged-user.ts';

/** One running PostgreSQL server. */
export interface Postmaster {
  readonly pid: number;
  readonly url: string;
  /** Resolves when the server has ended, for any reason. */
  readonly exited: Promise<void>;
}

/** File in the cluster folder with which PostgreSQL claims the folder. */
const PID_FILE = 'postmaster.pid';

/** Pause between two checks whether the server answers. */
const POLL_MS = 10;

/** Pause between two checks whether a server that is not our child is still running. */
const WATCH_MS = 500;
/** Longest wait for a start. Recovery of a large database after a crash takes long. */
const START_TIMEOUT_MS = 120_000;

/** Longest wait for a server to stop. */
const STOP_TIMEOUT_MS = 30_000;

/** Size at which the old log is discarded at a start. */
const LOG_LIMIT_BYTES = 10_000_000;

/** Settings of the embedded server that differ from PostgreSQL's defaults. */
const SETTINGS: Record<string, string> = {
  // Only a Unix socket, in a folder that no other user can enter.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // There is no replication, so less WAL is enough.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // All statements are short, so compiling them costs more than it saves. The library may also fail
  // to load on some machines.
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

function socketUrl(socketDir: string, database = 'postgres'): string {
  return `postgres://guise@localhost/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** Returns the environment for PostgreSQL, with a locale that exists on every machine. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: 'C', LANG: 'C' };
}

/**
 * Finds the server that is running on this cluster, and waits until it answers, also during
 * recovery; null if there is none.
 * @throws if a server holds the cluster but does not answer in time.
 */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const endsAt = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const claim = readPidFile(clusterDir);
    if (claim === null) return null;
    if (!(await isPostmasterOf(claim.pid, clusterDir))) {
      if (signal(claim.pid, 0)) disownPidFile(clusterDir);
      return null;
    }
    if (claim.socketDir !== '' && (await answers(socketUrl(claim.socketDir)))) {
      return { pid: claim.pid, url: socketUrl(claim.socketDir), exited: watch(claim.pid) };
    }
    if (performance.now() > endsAt) throw new Error(`PostgreSQL (process ${claim.pid}) does not answer`);
    await delay(POLL_MS);
  }
}

/**
 * Starts the server. It survives if this process is killed; then `findPostmaster` finds it.
 * @param socketDir folder for this cluster's socket only.
 * @param settings in addition to ours.
 * @throws an error with the end of the server's log if the server does not start.
 */
export async function startPostmaster(
  binary: string,
  clusterDir: string,
  socketDir: string,
  user: RunAs,
  settings: Readonly<Record<string, string>>,
): Promise<Postmaster> {
  const endsAt = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    // The socket lock of a dead server contains a process id, which may now belong to another
    // program.
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      rmSync(path.join(socketDir, name), { force: true });
    const started = await tryStart(binary, clusterDir, socketDir, user, settings, endsAt);
    if (!('said' in started)) return started;
    // If a server was killed just before, its backends end a moment later.
    if (!/shared memory block .* still in use/.test(started.said) || performance.now() > endsAt) {
      throw new Error(`PostgreSQL did not start: ${started.said || 'it said nothing'}`);
    }
    await delay(POLL_MS * 10);
  }
}

async function tryStart(
  binary: string,
  clusterDir: string,
  socketDir: string,
  user: RunAs,
  settings: Readonly<Record<string, string>>,
  endsAt: number,
): Promise<Postmaster | { readonly said: string }> {
  const logFile = `${clusterDir}.log`;
  const log = openSync(logFile, 'a', 0o600);
  if (statSync(logFile).size > LOG_LIMIT_BYTES) truncateSync(logFile);
  const logStart = statSync(logFile).size;
  const all = { ...SETTINGS, ...settings, unix_socket_directories: socketDir };
  const [file, args] = user.command(binary, [
    '-D',
    clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(file, args, {
    ...user.credentials,
    // The server has its own process group, so that Ctrl-C reaches only us, and we stop the server
    // properly.
    detached: true,
    // The log goes to a file, so that the server can continue to write when this process has ended.
    stdio: ['ignore', log, log],
    env: postgresEnvironment(),
    cwd: clusterDir,
  });
  closeSync(log);
  const gone = new AbortController();
  const exited = new Promise<void>((resolve) => {
    const onGone = (): void => {
      gone.abort();
      resolve();
    };
    child.once('exit', onGone);
    child.once('error', onGone);
  });
  const url = socketUrl(socketDir);
  while (!gone.signal.aborted && performance.now() < endsAt) {
    if (await answers(url)) {
      child.unref();
      return { pid: child.pid as number, url, exited };
    }
    await delay(POLL_MS);
  }
  if (!gone.signal.aborted) child.kill('SIGINT');
  await exited;
  return { said: readFileSync(logFile).subarray(logStart).toString('utf8').slice(-2000).trim() };
}

/**
 * Stops the server by a fast shutdown: open transactions are rolled back, and committed data is on
 * the disk.
 */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const { pid } = postmaster;
  signal(pid, 'SIGINT');
  // Polls, because a server that was already running is not our child.
  for (const endsAt = performance.now() + STOP_TIMEOUT_MS; signal(pid, 0); await delay(POLL_MS)) {
    // Ends the server at once. The next start recovers all committed data.
    if (performance.now() > endsAt) signal(pid, 'SIGQUIT');
  }
}

/**
 * Replaces the process id in the pid file by one that cannot exist. The old one now belongs to
 * another program (containers start counting again), and PostgreSQL would refuse to start. The file
 * is not deleted, because it also lets PostgreSQL check for surviving backends of the dead server.
 */
function disownPidFile(clusterDir: string): void {
  const file = path.join(clusterDir, PID_FILE);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, '99999999'));
}

/**
 * Reads the pid file. Its lines: process id, data directory, start time, port, socket directory and
 * more.
 */
function readPidFile(clusterDir: string): { pid: number; socketDir: string } | null {
  let text: string;
  try {
    text = readFileSync(path.join(clusterDir, PID_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  return { pid: Number.isNaN(pid) ? 0 : pid, socketDir: lines[4] ?? '' };
}

/** Returns whether a process is a PostgreSQL server that was started on this cluster. */
async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (pid <= 1 && process.platform !== 'linux') return false;
  const command = await commandOf(pid);
  return command !== null && /\bpostgres\b/.test(command) && command.includes(clusterDir);
}

async function commandOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      // The file is empty for a zombie, whose files are closed.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return null;
    }
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout;
  } catch {
    return null;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits until a server that is not our child has ended. */
async function watch(pid: number): Promise<void> {
  while (signal(pid, 0)) await delay(WATCH_MS, undefined, { ref: false });
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
