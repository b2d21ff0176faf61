/** `/account/operator/blocklist`: an owner adds, lists and removes people by HTTP. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { DEMO_FACES, readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { type Answer, Client, type Fields, photo, toForm } from './client.ts';

const LIST = '/account/operator/blocklist';
const { face } = await readSampleFaces();
const [source, target] = await Promise.all([readFile(DEMO_FACES.source), readFile(DEMO_FACES.target)]);
const dataDir = await makeDataDir();
const service = await startService({ dataDir });
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
});
const client = new Client(service.url, await service.createAccount({ email: 'user@example.com' }));
const owner = await signIn('owner@localhost');

/** Sends a request of the dashboard with a session. */
type Send = (method: string, path: string, fields?: Fields) => Promise<Answer>;

async function signIn(email: string): Promise<Send> {
  const { link } = JSON.parse(await service.guise('account', 'link', '--email', email, '--json'));
  const origin = { origin: service.url, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${service.url}/account/auth/sign-in-link`, {
    method: 'POST',
    headers: { ...origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.replace('#token=', '') }),
  });
  assert.equal(answer.status, 200, await answer.text());
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]!);
  return async (method, to, fields) => {
    const headers = { ...origin, cookie: cookie.join('; ') };
    const sent = await fetch(service.url + to, { method, headers, ...(fields && { body: toForm(fields) }) });
    return { status: sent.status, headers: sent.headers, body: await sent.json() };
  };
}

const person = (bytes: Uint8Array, more: Fields = [['why', 'She asked us.']]): Fields => [
  ['photo', { bytes }],
  ['name', 'Ada'],
  ...more,
];

/** What is stored of uploads. */
const storedInputs = async (): Promise<unknown> =>
  (await owner('GET', '/account/operator/overview')).body.storage.inputs;

test('a person is added, refused as a source, listed, and welcome again when removed', async () => {
  const before = await storedInputs();
  const added = await owner('POST', LIST, person(face));
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const { id, createdAt, ...rest } = added.body;
  assert.deepEqual(rest, { name: 'Ada', why: 'She asked us.' });
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000);
  assert.deepEqual(await storedInputs(), before, 'the photo is deleted');
  assert.deepEqual((await owner('GET', LIST)).body, { people: [added.body], next: null });
  // The command line sees the same list.
  assert.deepEqual(JSON.parse(await service.guise('blocklist', 'list', '--json')), [added.body]);

  const refused = await client.run(photo(face, target));
  assert.deepEqual([refused.status, refused.result.error.code], ['FAILED', 'FACE_BLOCKED']);
  assert.equal((await client.run(photo(source, target))).status, 'COMPLETED');

  // Another photo of a person who is on the list is welcome there.
  const mirrored = await owner('POST', LIST, person(await sharp(face).flop().toBuffer()));
  assert.equal(mirrored.status, 201, JSON.stringify(mirrored.body));
  for (const { body } of [added, mirrored]) {
    const removed = await owner('DELETE', `${LIST}/${body.id}`);
    assert.deepEqual([removed.status, removed.body], [200, { done: true }]);
  }
  assert.equal((await owner('DELETE', `${LIST}/${id}`)).status, 404);
  assert.equal((await client.run(photo(face, target))).status, 'COMPLETED');
  const { entries } = (await owner('GET', '/account/operator/audit')).body;
  const ofList = entries.filter(({ action }: { action: string }) => action.startsWith('blocklist.'));
  assert.deepEqual(
    ofList.map((each: Record<string, unknown>) => [each.operatorEmail, each.action, each.details]),
    [
      ['owner@localhost', 'blocklist.remove', { id: mirrored.body.id }],
      ['owner@localhost', 'blocklist.remove', { id }],
      ['owner@localhost', 'blocklist.add', { id: mirrored.body.id }],
      ['owner@localhost', 'blocklist.add', { id }],
    ],
  );
});

test('what cannot be added is refused by the name of its field, and its photo is deleted', async () => {
  const before = await storedInputs();
  const ground = sharp({ create: { width: 640, height: 320, channels: 3, background: '#567' } });
  const nobody = await ground.clone().png().toBuffer();
  const input = await sharp(face).resize(256).toBuffer();
  const two = await ground
    .composite([32, 352].map((left) => ({ input, left, top: 32 })))
    .png()
    .toBuffer();
  for (const [fields, code, field, error] of [
    [person(nobody), 'NO_FACE_DETECTED', 'photo', 'No face was found in photo.'],
    [person(two), 'INVALID_REQUEST', 'photo', 'photo shows several faces. It must show one person alone.'],
    [person(face).slice(1), 'INVALID_REQUEST', 'photo', 'photo is missing.'],
    [person(face, []), 'INVALID_REQUEST', 'why', 'why is missing.'],
  ] as const) {
    const { status, body } = await owner('POST', LIST, fields);
    assert.deepEqual([status, body], [400, { error, code, field }]);
  }
  assert.equal((await owner('POST', LIST)).status, 400);
  assert.deepEqual((await owner('GET', LIST)).body.people, []);
  assert.deepEqual(await storedInputs(), before);
});

test('who is no owner finds nothing there', async () => {
  const user = await signIn('user@example.com');
  for (const [method, to, fields] of [
    ['GET', LIST],
    ['POST', LIST, person(face)],
    ['DELETE', `${LIST}/${crypto.randomUUID()}`],
  ] as const) {
    const { status, body } = await user(method, to, fields);
    assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], method);
  }
});
