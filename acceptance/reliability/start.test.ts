import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { createAccount } from '@guise/server/accounts/create-account.ts';
import { createApiKey } from '@guise/server/accounts/api-keys.ts';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import { findListenPort } from '@guise/server/main/listen-port.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { until } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const main = (name: string): string[] => [
  path.join(ROOT, 'launch.cjs'),
  path.join(ROOT, `packages/server/src/main/${name}.ts`),
];

/** Runs one of the main scripts to its end. */
function runToEnd(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, main(name), { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('without a terminal the first start prints one ready line and how to make a key, never a key', async () => {
  const service = await startService();
  try {
    await until('the account is named', () => service.output().includes('owner@localhost'));
    assert.equal(service.output().match(/guise ready/g)?.length, 1);
    assert.match(service.output(), /npx guise account key --email owner@localhost/);
    const { apiKey } = JSON.parse(
      await service.guise('account', 'key', '--email', 'owner@localhost', '--json'),
    );
    const answer = await fetch(`${service.url}/api/ai-tasks?taskId=${crypto.randomUUID()}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    assert.equal(answer.status, 404);
    const links = [
      await service.guise('account', 'link', '--email', 'owner@localhost', '--json'),
      await service.guise('account', 'invite', '--json'),
    ].map((json) => (JSON.parse(json) as { link: string }).link);
    for (const link of links) assert.equal(new URL(link).origin, service.url, 'where the service serves');
    assert.equal(await service.stop(), 0);
    assert.doesNotMatch(service.output(), /gsk_/);
  } finally {
    await service.stop();
    await removeDataDir(service.dataDir);
  }
});

test('a taken port is refused in one sentence, and nothing stays behind or open to other users', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const dataDir = await makeDataDir();
  const folders = ['locks', 'media', 'signing', 'outbox'].map((name) => path.join(dataDir, name));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o755 });
  try {
    const { code, stdout, stderr } = await runToEnd('all-in-one', {
      PORT: String(port),
      GUISE_DATA_DIR: dataDir,
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^guise: Port \d+ on 127\.0\.0\.1 is taken by another program; set PORT to a free one\.\n$/,
    );
    for (const folder of folders) assert.equal((await stat(folder)).mode & 0o777, 0o700, folder);
  } finally {
    blocker.close();
    await removeDataDir(dataDir);
  }
});

test('a setting that cannot be is refused in one sentence that names it', async () => {
  const { code, stderr } = await runToEnd('all-in-one', { PORT: 'eighty' });
  assert.equal(code, 1);
  assert.match(stderr, /^guise: PORT must be a whole number from 0 to 65535, not "eighty"\n$/);
});

test('a database that cannot be reached or used is refused in one sentence, without its password', async () => {
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  const noSuch = new URL(database.url);
  noSuch.pathname = '/nowhere';
  noSuch.password = 'hunter2';
  const port = await findListenPort('127.0.0.1', 0);
  try {
    for (const [url, reason] of [
      [`postgres://me:hunter2@127.0.0.1:${port}/guise`, `connect ECONNREFUSED 127\\.0\\.0\\.1:${port}`],
      ['postgres://me:hunter/2@host/guise', 'Invalid URL'],
      [noSuch.href, 'database "nowhere" does not exist'],
    ] as const) {
      for (const name of ['all-in-one', 'server', 'migrate']) {
        const ended = await runToEnd(name, { DATABASE_URL: url, GUISE_DATA_DIR: dataDir, PORT: '0' });
        assert.deepEqual([ended.code, ended.stdout], [1, ''], name);
        assert.match(ended.stderr, new RegExp(`^guise: DATABASE_URL cannot be used: ${reason}\\.\n$`), name);
      }
    }
    const { stderr } = await runToEnd('all-in-one', { DATABASE_URL: 'mysql://me:hunter2@host', PORT: '0' });
    assert.equal(stderr, 'guise: DATABASE_URL must be a postgres:// URL\n');
  } finally {
    await database.close();
    await removeDataDir(dataDir);
  }
});

test('what only one of the processes finds out at the start is one sentence, too', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const taken = (blocker.address() as AddressInfo).port;
  const free = await findListenPort('127.0.0.1', 0);
  const dataDir = await makeDataDir();
  const bucket = {
    GUISE_S3_BUCKET: 'media',
    GUISE_S3_ENDPOINT: `http://127.0.0.1:${free}`,
    GUISE_S3_ACCESS_KEY_ID: 'key',
    GUISE_S3_SECRET_ACCESS_KEY: 'hunter2',
  };
  try {
    for (const [env, sentence] of [
      [
        { GUISE_WORKER_METRICS_PORT: String(taken) },
        /^guise: Port \d+ on 127\.0\.0\.1 is taken by another program; set GUISE_WORKER_METRICS_PORT to a free one\.\n$/,
      ],
      [
        bucket,
        /^guise: The bucket media at http:\S+ cannot be used: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/,
      ],
    ] as const) {
      const ended = await runToEnd('all-in-one', { ...env, GUISE_DATA_DIR: dataDir, PORT: '0' });
      assert.equal(ended.code, 1);
      // The API may have said by then that it listens.
      assert.doesNotMatch(ended.stdout, /guise ready|"level":"(warn|error|fatal)"/);
      assert.match(ended.stderr, sentence);
    }
  } finally {
    blocker.close();
    await removeDataDir(dataDir);
  }
});

test("an operator's certificate that cannot be used is refused in one sentence that names its variable", async () => {
  const dataDir = await makeDataDir();
  const env = {
    GUISE_SIGNING_CERTIFICATE: 'absent.pem',
    GUISE_SIGNING_KEY: 'absent.pem',
    GUISE_DATA_DIR: dataDir,
  };
  try {
    for (const name of ['all-in-one', 'worker']) {
      const { code, stderr } = await runToEnd(name, { ...env, PORT: '0' });
      assert.equal(code, 1, name);
      assert.match(
        stderr,
        /^guise: GUISE_SIGNING_CERTIFICATE cannot be used: .*absent\.pem cannot be read\.\n$/,
      );
    }
  } finally {
    await removeDataDir(dataDir);
  }
});

test('a process started alone asks for the database it would share', async () => {
  for (const name of ['server', 'worker', 'migrate']) {
    const { code, stderr } = await runToEnd(name, { DATABASE_URL: '', PORT: '0' });
    assert.equal(code, 1, name);
    assert.match(stderr, /^guise: DATABASE_URL must name the PostgreSQL .+\n$/);
  }
});

test('an API and a worker started alone on one database serve together', async () => {
  const database = await createTestDatabase();
  const dir = await mkdtemp(path.join(tmpdir(), 'guise-alone-'));
  const port = await findListenPort('127.0.0.1', 0);
  const env = {
    DATABASE_URL: database.url,
    GUISE_DATA_DIR: dir,
    PORT: String(port),
    GUISE_LOG_LEVEL: 'warn',
  };
  assert.deepEqual(await runToEnd('migrate', env), {
    code: 0,
    stdout: 'The schema is up to date.\n',
    stderr: '',
  });
  const processes = ['server', 'worker'].map((name) =>
    spawn(process.execPath, main(name), { env: { ...process.env, ...env }, stdio: 'ignore' }),
  );
  after(() => {
    for (const each of processes) each.kill('SIGKILL');
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    await until('the API answers', () =>
      fetch(`${base}/livez`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
    const account = await createAccount(database.db, {
      email: 'alone@example.com',
      plan: 'enterprise',
      emailVerified: true,
      startingCredits: 30,
    });
    const { secret } = await createApiKey(database.db.pool, account.id, 'test');
    const headers = { authorization: `Bearer ${secret}` };
    const { face, body } = await readSampleFaces();
    const form = new FormData();
    form.set('sourceImage', new Blob([Uint8Array.from(face)]), 'face.jpg');
    form.set('targetImage', new Blob([Uint8Array.from(body)]), 'body.jpg');
    const posted = await fetch(`${base}/api/ai-tasks`, { method: 'POST', headers, body: form });
    const { taskId } = (await posted.json()) as { taskId: string };
    await until('the task is completed', async () => {
      const polled = await fetch(`${base}/api/ai-tasks?taskId=${taskId}`, { headers });
      return ((await polled.json()) as { status: string }).status === 'COMPLETED';
    });
    const exits = processes.map((each) => once(each, 'exit'));
    for (const each of processes) each.kill('SIGTERM');
    assert.deepEqual(await Promise.all(exits), [
      [0, null],
      [0, null],
    ]);
  } finally {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
});
