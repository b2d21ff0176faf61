import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** A PgBouncer in transaction mode on loopback. */
export interface PgBouncer {
  /** URL through PgBouncer to the database for which it was started. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Folders of programs that may be missing in a user's PATH. */
const PROGRAM_PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;

/** Longest wait until PgBouncer answers. */
const START_LIMIT_MS = 30_000;

/** Pause between two checks whether PgBouncer answers. */
const POLL_MS = 20;

/** Connections to the server, far fewer than those of clients, so that transactions share them. */
const SERVER_CONNECTIONS = 4;

/** Reason to skip tests that need PgBouncer; false if it is installed. */
export const NO_PGBOUNCER =
  spawnSync('pgbouncer', ['--version'], { env: { PATH: PROGRAM_PATH } }).status === 0
    ? false
    : 'pgbouncer is not installed';

/**
 * Starts PgBouncer in front of a PostgreSQL server.
 * @param serverUrl URL of a database on that server. Its other databases can be reached, too.
 * @throws an error with PgBouncer's log if it does not start.
 */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const host = server.searchParams.get('host') ?? server.hostname;
  const folder = mkdtempSync(path.join(tmpdir(), 'guise-pgbouncer-'));
  const port = await freePort();
  const password = server.password ? ` password=${decodeURIComponent(server.password)}` : '';
  const settings = path.join(folder, 'pgbouncer.ini');
  const logFile = path.join(folder, 'log');
  writeFileSync(
    settings,
    `[databases]
* = host=${host} port=${server.port || 5432} user=${server.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
logfile = ${logFile}
`,
    { mode: 0o600 },
  );
  const user = ownerOf(host);
  for (const each of [folder, settings]) if (user !== null) chownSync(each, user.uid, user.gid);
  const child = spawn('pgbouncer', ['--quiet', settings], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: PROGRAM_PATH },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgres://${server.username}@127.0.0.1:${port}${server.pathname}`;
  const endsAt = performance.now() + START_LIMIT_MS;
  while (!(await answers(url))) {
    if (child.exitCode === null && performance.now() < endsAt) {
      await delay(POLL_MS);
      continue;
    }
    const log = readFileSync(logFile, { encoding: 'utf8', flag: 'a+' });
    await stop();
    throw new Error(`PgBouncer did not start: ${log}`);
  }
  return { url, stop };
}

/**
 * Returns the user to run PgBouncer as if we are root, which it refuses. Only the owner may be able
 * to enter the folder of the socket.
 */
function ownerOf(host: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  if (host.startsWith('/')) {
    const { uid, gid } = lstatSync(host);
    if (uid !== 0) return { uid, gid };
  }
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
