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
  /** Resolves when the server is gone, for any reason. */
  readonly exited: Promise<void>;
}

/** File in the data folder by which PostgreSQL claims it. */
const PID_FILE = 'postmaster.pid';

/** Pause between two looks at whether the server answers. */
const POLL_MS = 10;

/** Pause between two looks at whether a server that is not our child still runs. */
const WATCH_MS = 500;
/** Recovery of a big database after a crash takes its time. */
const START_TIMEOUT_MS = 120_000;

/** Longest wait for a server to stop. */
const STOP_TIMEOUT_MS = 30_000;

/** Size at which the log of an earlier run is discarded. */
const LOG_LIMIT_BYTES = 10_000_000;

/** Settings of the embedded server that differ from those of PostgreSQL. */
const SETTINGS: Record<string, string> = {
  // Unix socket only, in a folder that nobody else can enter.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // Nobody replicates from here: less WAL to write.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Short statements only; compiling them costs more than it saves, and the library may not load
  // everywhere.
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

function socketUrl(socketDir: string, database = 'postgres'): string {
  return `postgres://guise@localhost/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

/** PostgreSQL picks messages and encodings by locale; one that exists everywhere. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: 'C', LANG: 'C' };
}

/**
 * The server that runs on this cluster, if one does, as soon as it answers. A server in recovery is
 * waited for.
 * @throws when a server holds the cluster but does not answer in time.
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
 * Starts the server, which outlives this process if that is killed; `findPostmaster` finds it
 * again.
 * @param socketDir this cluster's own.
 * @param settings on top of ours.
 * @throws with the end of its log when it does not come up.
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
    // A dead server's socket lock names a process id too, which another program may have by now.
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      rmSync(path.join(socketDir, name), { force: true });
    const started = await tryStart(binary, clusterDir, socketDir, user, settings, endsAt);
    if (!('said' in started)) return started;
    // A server killed a moment ago: its backends notice within a moment more.
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
    // A group of its own: Ctrl-C in our terminal is for us, and we stop the server in good order.
    detached: true,
    // To a file and not to us, so that it can go on writing when we are gone.
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

/** Fast shutdown: open transactions roll back, everything committed is on the disk. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const { pid } = postmaster;
  signal(pid, 'SIGINT');
  // Polled, because a server that we found running is not our child.
  for (const endsAt = performance.now() + STOP_TIMEOUT_MS; signal(pid, 0); await delay(POLL_MS)) {
    // At once; what was committed is recovered at the next start.
    if (performance.now() > endsAt) signal(pid, 'SIGQUIT');
  }
}

/**
 * The process id in the pid file belongs to another program by now (containers start counting
 * again), and PostgreSQL would refuse to start because of it. Deleting the file would also switch
 * off its check for surviving backends of the dead server, so only the process id is replaced, by
 * one that cannot exist.
 */
function disownPidFile(clusterDir: string): void {
  const file = path.join(clusterDir, PID_FILE);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^-?\d+/, '99999999'));
}

/** Lines: process id, data directory, start time, port, socket directory and more. */
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

/** Returns whether a process is a PostgreSQL server that was started on this very cluster. */
async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (pid <= 1 && process.platform !== 'linux') return false;
  const command = await commandOf(pid);
  return command !== null && /\bpostgres\b/.test(command) && command.includes(clusterDir);
}

async function commandOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      // Empty for a zombie, whose files are closed.
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

/** Waits for the end of a server that is not our child. */
async function watch(pid: number): Promise<void> {
  while (signal(pid, 0)) await delay(WATCH_MS, undefined, { ref: false });
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    // EPERM: alive, another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
