import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { openDatabase } from './database.ts';
import { type EmbeddedPostgres, openEmbedded, ServiceRunningError } from './embedded.ts';
import { untilLockWait } from './testing/until-lock-wait.ts';

/** A data folder with a cluster ready made, because initdb waits for the disk a thousand times. */
let seed: string;
let home: string;
let open: EmbeddedPostgres[];
let children: ChildProcess[];

before(async () => {
  seed = newDataDir();
  await (await openEmbedded(seed, { role: 'service' })).stop();
});
after(() => rmSync(seed, { recursive: true, force: true }));

beforeEach(() => {
  home = newDataDir();
  execFileSync('cp', ['-a', path.join(seed, 'postgres'), home]);
  open = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of open) await server.stop();
  // Whatever a killed process left running.
  if (existsSync(path.join(home, 'postgres'))) await (await openEmbedded(home, { role: 'visitor' })).stop();
  rmSync(home, { recursive: true, force: true });
});

function newDataDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'guise-embedded-'));
  chmodSync(dir, 0o711);
  return dir;
}

async function start(role: 'service' | 'visitor'): Promise<EmbeddedPostgres> {
  const server = await openEmbedded(home, { role });
  open.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Asks until the server answers, for the time between its death and its return. */
async function queryPatiently(url: string, text: string): Promise<Record<string, unknown>[]> {
  for (const endsAt = performance.now() + 60_000; ; await delay(20)) {
    try {
      return await query(url, text);
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
  }
}

function postmasterPid(): number {
  return Number(readFileSync(path.join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

interface Committer {
  readonly child: ChildProcess;
  readonly url: string;
  /** The last commit that PostgreSQL acknowledged. */
  acknowledged(): number;
}

async function startCommitter(role: 'service' | 'visitor'): Promise<Committer> {
  const script = path.join(import.meta.dirname, 'testing/embedded-process.ts');
  const child = spawn(process.execPath, [script, home, role], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let last = 0;
  const url = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('url ')) url.resolve(line.slice(4));
    else last = Number(line);
  });
  child.once('exit', (code) => url.reject(new Error(`exited with ${code}`)));
  return { child, url: await url.promise, acknowledged: () => last };
}

async function until(condition: () => boolean): Promise<void> {
  for (const endsAt = performance.now() + 60_000; !condition(); await delay(5)) {
    assert(performance.now() < endsAt, 'waited a minute');
  }
}

test('the first start makes a durable private database, and the next one finds it again', async () => {
  rmSync(path.join(home, 'postgres'), { recursive: true });
  // What an initdb that was cut off leaves behind.
  mkdirSync(path.join(home, 'postgres.new/base'), { recursive: true });
  const first = await start('service');
  assert.equal(first.ownsServer, true);
  const settings = await query(
    first.url,
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'listen_addresses',
       'server_encoding', 'synchronous_commit') order by name`,
  );
  assert.deepEqual(
    settings.map(({ name, setting }) => `${name}=${setting}`),
    ['fsync=on', 'full_page_writes=on', 'listen_addresses=', 'server_encoding=UTF8', 'synchronous_commit=on'],
  );
  const socketDir = new URL(first.url).searchParams.get('host') ?? '';
  assert.equal(statSync(socketDir).mode & 0o777, 0o700);
  await query(first.url, 'create table kept as select 42 as n');
  await first.stop();
  await assert.rejects(query(first.url, 'select 1'));
  const second = await start('service');
  assert.equal(second.url, first.url);
  assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 42 }]);
  await second.stop();
  await second.stop();
});

test('a second service on the same folder is refused and harms nothing; a command beside it just connects', async () => {
  const service = await start('service');
  await assert.rejects(openEmbedded(home, { role: 'service' }), (error: Error) => {
    assert(error instanceof ServiceRunningError);
    assert.match(error.message, /already running on .*GUISE_DATA_DIR/);
    return true;
  });
  const visitor = await start('visitor');
  assert.equal(visitor.ownsServer, false);
  assert.equal(visitor.url, service.url);
  await visitor.stop();
  assert.deepEqual(await query(service.url, 'select 1 as n'), [{ n: 1 }]);
});

test('a command that started the server leaves it to the service that came meanwhile', async () => {
  const visitor = await start('visitor');
  assert.equal(visitor.ownsServer, true);
  const service = await start('service');
  assert.equal(service.ownsServer, false);
  await visitor.stop();
  assert.deepEqual(await query(service.url, 'select 1 as n'), [{ n: 1 }]);
  await service.stop();
  await assert.rejects(query(service.url, 'select 1'));
});

test('processes that start at once on an empty folder share one server', async () => {
  rmSync(path.join(home, 'postgres'), { recursive: true });
  const committers = await Promise.all([startCommitter('visitor'), startCommitter('service')]);
  assert.equal(committers[0]?.url, committers[1]?.url);
});

test('a process whose table another one is just making waits, and uses that', async () => {
  const { url } = await start('service');
  const other = openDatabase(url, { poolSize: 2 });
  const client = await other.pool.connect();
  try {
    await client.query("begin; select pg_advisory_xact_lock(hashtext('commits'))");
    await client.query('create table commits (n bigint primary key)');
    const starting = startCommitter('visitor');
    await Promise.race([untilLockWait(other.pool), starting]);
    await client.query('commit');
    assert.equal((await starting).url, url);
  } finally {
    client.release();
    await other.close();
  }
});

test('a service killed at any moment loses no acknowledged commit, and the next one takes its server over', async () => {
  const killed = await startCommitter('service');
  await until(() => killed.acknowledged() > 20);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const next = await start('service');
  assert.equal(next.ownsServer, false);
  const [row] = await query(next.url, 'select max(n)::int as last, count(*)::int as rows from commits');
  assert.equal(row?.last, row?.rows);
  assert((row?.last as number) >= killed.acknowledged());
  await next.stop();
  await assert.rejects(query(next.url, 'select 1'));
});

test('service and PostgreSQL killed together: nothing acknowledged is lost', async () => {
  for (let round = 0; round < 3; round++) {
    const killed = await startCommitter('service');
    const before = killed.acknowledged();
    await until(() => killed.acknowledged() > before + 20);
    process.kill(postmasterPid(), 'SIGKILL');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    const next = await openEmbedded(home, { role: 'service' });
    const [row] = await query(next.url, 'select max(n)::int as last, count(*)::int as rows from commits');
    assert.equal(row?.last, row?.rows);
    assert((row?.last as number) >= killed.acknowledged(), `${row?.last} of ${killed.acknowledged()}`);
    await next.stop();
  }
});

test('PostgreSQL killed under a running service comes back at the same url', async () => {
  const service = await start('service');
  await query(service.url, 'create table kept as select 42 as n');
  const pid = postmasterPid();
  process.kill(pid, 'SIGKILL');
  assert.deepEqual(await queryPatiently(service.url, 'select n from kept'), [{ n: 42 }]);
  assert.notEqual(postmasterPid(), pid);
});

test('a stop that meets a dead PostgreSQL leaves none behind', async () => {
  const service = await start('service');
  process.kill(postmasterPid(), 'SIGKILL');
  await service.stop();
  await assert.rejects(query(service.url, 'select 1'));
});

test('a pid file that names another program by now does not keep the database from starting', async () => {
  const first = await start('service');
  const pidFile = path.join(home, 'postgres/postmaster.pid');
  const content = readFileSync(pidFile, 'utf8');
  await query(first.url, 'create table kept as select 42 as n');
  await first.stop();
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(bystander);
  writeFileSync(pidFile, content.replace(/^\d+/, String(bystander.pid)));
  const socketDir = new URL(first.url).searchParams.get('host') ?? '';
  writeFileSync(path.join(socketDir, '.s.PGSQL.5432.lock'), `${bystander.pid}\n`);
  const second = await start('service');
  assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 42 }]);
  assert.equal(bystander.exitCode, null);
});

test('a data folder whose path is too long for a socket, below one that other users cannot enter', async () => {
  const outer = home;
  chmodSync(outer, 0o700);
  home = path.join(outer, 'x'.repeat(120), 'data');
  try {
    const service = await start('service');
    assert.deepEqual(await query(service.url, 'select 1 as n'), [{ n: 1 }]);
    await service.stop();
    rmSync(new URL(service.url).searchParams.get('host') ?? '', { recursive: true });
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
});

const isRoot = process.getuid?.() === 0;

/** Returns the error code of a connection to the socket as another user; null if it was let in. */
function connectAs(uid: number, url: string): string | null {
  const file = path.join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const script = `require('node:net').connect(process.argv[1])
    .on('connect', () => process.exit()).on('error', (error) => { console.log(error.code); process.exit(); })`;
  const said = execFileSync(process.execPath, ['-e', script, file], {
    uid,
    gid: uid,
    cwd: '/',
    encoding: 'utf8',
  });
  return said.trim() || null;
}

/** Returns the uid that the server runs as. */
function serverUid(): number {
  return statSync(`/proc/${postmasterPid()}`).uid;
}

test(
  'where guise is root, PostgreSQL is a user of its own, and nobody else reaches it',
  {
    skip: isRoot && process.platform === 'linux' ? false : 'only root may change users',
  },
  async () => {
    const service = await start('service');
    assert.equal(serverUid(), 65_520);
    assert.equal(statSync(path.join(home, 'postgres')).uid, 65_520);
    // nobody, an engine, and somebody.
    for (const uid of [65_534, 65_521, 12_345]) assert.equal(connectAs(uid, service.url), 'EACCES');
    assert.equal(connectAs(65_520, service.url), null);
  },
);

test(
  'a cluster that belonged to nobody becomes PostgreSQL’s own, its socket too',
  {
    skip: isRoot && process.platform === 'linux' ? false : 'only root may change users',
  },
  async () => {
    const first = await start('service');
    await query(first.url, 'create table kept as select 42 as n');
    const socketDir = new URL(first.url).searchParams.get('host') ?? '';
    await first.stop();
    // As the version before left it, killed.
    writeFileSync(path.join(socketDir, '.s.PGSQL.5432.lock'), '99999999\n');
    execFileSync('chown', ['-R', '65534:65534', path.join(home, 'postgres'), socketDir]);
    const second = await start('service');
    assert.equal(serverUid(), 65_520);
    assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 42 }]);
    assert.equal(connectAs(65_534, second.url), 'EACCES');
  },
);
