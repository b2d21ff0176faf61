/**
 * Two API processes and a worker on one database, whose keys are rotated beside them: what was
 * given out before stays good on both for its time, and no process starts again.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { createTestDatabase, type TestDatabase } from '@guise/server/db/test-database.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, type Service, startService, type TestAccount } from '../service.ts';
import { until } from './processes.ts';
import { type ApiProcess, startApi } from './api-process.ts';

const { face, body } = await readSampleFaces();

let database: TestDatabase;
let dataDir: string;
let service: Service;
let second: ApiProcess;
let account: TestAccount;
let urls: readonly [string, string];
before(async () => {
  database = await createTestDatabase();
  dataDir = await makeDataDir();
  const env = { DATABASE_URL: database.url, GUISE_DATA_DIR: dataDir };
  service = await startService({ dataDir, env });
  account = await service.createAccount({ email: 'rotated@example.com' });
  second = await startApi(env);
  urls = [service.url, second.url];
});
after(async () => {
  await second?.stop();
  await service?.stop();
  await removeDataDir(dataDir);
  await database.close();
});

/** Lets the time come that a rotation announced, or the one until which former keys are good. */
async function bringForward(what: 'start' | 'end'): Promise<void> {
  await database.db.pool.query(
    what === 'start'
      ? 'update installation_secrets set signs_from = now() where signs_from > now()'
      : 'update former_secrets set checks_until = now()',
  );
  await database.db.pool.query(`select pg_notify('guise_secrets', '')`);
}

/** Signs in at one of the two. @returns the session's cookie. */
async function signIn(url: string): Promise<string> {
  const { link } = JSON.parse(
    await service.guise('account', 'link', '--email', 'rotated@example.com', '--json'),
  );
  const answer = await fetch(`${url}/account/auth/sign-in-link`, {
    method: 'POST',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.replace('#token=', '') }),
  });
  assert.equal(answer.status, 200, await answer.text());
  const cookie = answer.headers.getSetCookie().find((each) => each.includes('session_token'));
  return cookie!.split(';')[0]!;
}

const sessionStatus = async (url: string, cookie: string): Promise<number> =>
  (await fetch(`${url}/account/me`, { headers: { cookie } })).status;

/** Fetches a link at one of the two, whichever gave it. */
async function linkStatus(url: string, link: string): Promise<number> {
  const { pathname, search } = new URL(link);
  const answer = await fetch(url + pathname + search);
  await answer.arrayBuffer();
  return answer.status;
}

const onBoth = (ask: (url: string) => Promise<number>): Promise<number[]> => Promise.all(urls.map(ask));

async function linkOf(url: string, taskId: string): Promise<string> {
  const { body: task } = await new Client(url, account).get(taskId);
  return task.result.outputs[0].url;
}

const signatureOf = (link: string): string => new URL(link).searchParams.get('signature')!;

/** Returns the signer of a result, which both know for their installation's own. */
async function ownSignerOf(file: ArrayBuffer): Promise<string> {
  const fields = [['file', { bytes: new Uint8Array(file), name: 'a.png' }]] as const;
  const [first, other] = await Promise.all(
    urls.map(async (url) => {
      const answer = await new Client(url, account).post(fields, { path: '/api/ai-tasks/verify' });
      assert.equal(answer.body.ownSignature, true, JSON.stringify(answer.body));
      return answer.body.credentials.signer;
    }),
  );
  assert.equal(other, first);
  return first;
}

const fetchFile = async (link: string): Promise<ArrayBuffer> => (await fetch(link)).arrayBuffer();

test('links, sessions and signatures outlive a rotation on every process, and new ones work at once', async () => {
  const client = new Client(service.url, account);
  const done = await client.run(photo(face, body));
  assert.equal(done.status, 'COMPLETED');
  const oldLink: string = done.result.outputs[0].url;
  const oldFile = await fetchFile(oldLink);
  const oldSession = await signIn(second.url);

  for (const name of ['file-links', 'sign-in', 'known-places']) await service.guise('keys', 'rotate', name);
  await service.guise('signing', 'rotate');
  assert.deepEqual(await onBoth((url) => linkStatus(url, oldLink)), [200, 200]);
  assert.deepEqual(await onBoth((url) => sessionStatus(url, oldSession)), [200, 200]);

  await bringForward('start');
  for (const url of urls) {
    await until(
      'it signs with the new key',
      async () => signatureOf(await linkOf(url, done.id)) !== signatureOf(oldLink),
    );
  }
  const newLink = await linkOf(second.url, done.id);
  assert.equal(signatureOf(newLink), signatureOf(await linkOf(service.url, done.id)));
  const newSession = await signIn(service.url);
  for (const link of [oldLink, newLink])
    assert.deepEqual(await onBoth((url) => linkStatus(url, link)), [200, 200]);
  for (const session of [oldSession, newSession])
    assert.deepEqual(await onBoth((url) => sessionStatus(url, session)), [200, 200]);
  const oldSigner = await ownSignerOf(oldFile);

  await bringForward('end');
  await until('both refuse the old link', async () =>
    (await onBoth((url) => linkStatus(url, oldLink))).every((status) => status === 403),
  );
  assert.deepEqual(await onBoth((url) => sessionStatus(url, oldSession)), [401, 401]);
  assert.deepEqual(await onBoth((url) => linkStatus(url, newLink)), [200, 200]);
  assert.deepEqual(await onBoth((url) => sessionStatus(url, newSession)), [200, 200]);

  // The worker has not started again either, and signs with the new certificate.
  const again = await client.run(photo(face, body));
  const newFile = await fetchFile(again.result.outputs[0].url);
  assert.notEqual(await ownSignerOf(newFile), oldSigner);
  assert.equal(await ownSignerOf(oldFile), oldSigner);
});
