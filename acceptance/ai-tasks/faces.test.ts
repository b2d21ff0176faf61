/** `/api/faces`: faces that are saved, used in every workflow, withdrawn and deleted. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { BATCH } from './batch-setup.ts';
import { type Answer, assertError, Client, type Fields } from './client.ts';
import { faceClip, skipWithoutVideo, VIDEO } from './clip-setup.ts';
import { pairClip } from './clip-persons-setup.ts';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import { boxes, GROUP, three } from './group-setup.ts';
import { face, newAccount, newClient, noFace, service, target } from './photo-setup.ts';
import { V1Client } from '../v1/client.ts';

const FACES = '/api/faces';
const CONSENT = 'Ada agreed in writing on 3 May 2026.';
const account = await newAccount({ credits: 3000 });
const client = new Client(service.url, account);
const v1 = new V1Client(service.url, account);

function saving(photos: readonly Uint8Array[] = [face], more: Fields = []): Fields {
  return [
    ...photos.map((bytes, k) => ['photos', { bytes, name: `${k}.jpg` }] as const),
    ['name', 'Ada'],
    ['consent', CONSENT],
    ...more,
  ];
}

async function save(photos?: readonly Uint8Array[], by = client): Promise<Answer['body']> {
  const { status, body } = await by.at(FACES).post(saving(photos));
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Files of the media in storage, but for the locks of processes. */
function storedFiles(): string[] {
  return readdirSync(path.join(service.dataDir, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => entry.name);
}

test('a face is saved, listed, read and deleted, and only its account sees it', async () => {
  const saved = await save([face, face]);
  const { id, createdAt, withdrawalUrl, preview, ...rest } = saved;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { name: 'Ada', consent: CONSENT, photos: 2, withdrawnAt: null });
  assert.ok(Date.now() - Date.parse(createdAt) < 60_000);
  assert.match(withdrawalUrl, new RegExp(`^${service.url}/withdraw#token=[\\w-]{32}$`));
  const { width, format } = await sharp(Buffer.from(preview.split(',')[1], 'base64')).metadata();
  assert.ok(format === 'webp' && width > 40);
  const list = await client.call('GET', FACES);
  assert.deepEqual([list.status, list.body.faces[0]], [200, saved]);
  assert.deepEqual((await client.call('GET', `${FACES}/${id}`)).body, saved);

  const stranger = await newClient();
  assert.deepEqual((await stranger.call('GET', FACES)).body, { faces: [] });
  for (const [method, at] of [
    ['GET', id],
    ['DELETE', id],
    ['POST', `${id}/withdraw`],
    ['GET', 'not-an-id'],
  ] as const)
    assertError(await stranger.call(method, `${FACES}/${at}`), 404, /no such face|nothing with this id/i);
  const theirs = await stranger.post([
    ['targetImage', { bytes: target }],
    ['sourceFaceId', id],
  ]);
  assertError(theirs, 400, /^sourceFaceId must be the id of a saved face of this account/);

  const gone = await client.call('DELETE', `${FACES}/${id}`);
  assert.deepEqual([gone.status, gone.body], [200, { id, deletedPhotos: 2 }]);
  assert.equal((await client.call('DELETE', `${FACES}/${id}`)).status, 404);
  assert.deepEqual((await client.call('GET', FACES)).body.faces, []);
});

test('what cannot be saved is refused by the name of its field', async () => {
  const faces = client.at(FACES);
  const without = (name: string): Fields => saving().filter(([field]) => field !== name);
  for (const name of ['photos', 'name', 'consent'])
    assertError(await faces.post(without(name)), 400, new RegExp(`^${name} is missing`), { field: name });
  const long = await faces.post([...without('consent'), ['consent', 'é'.repeat(501)]]);
  assertError(long, 400, /^consent is longer than 500 characters/, { limit: 500 });
  assertError(
    await faces.post([...without('name'), ['name', ' ']]),
    400,
    /^name must have 1 to 100 characters/,
    { limit: 100 },
  );
  const many = await faces.post(saving(Array.from({ length: 6 }, () => face)));
  assertError(many, 400, /^photos/, { limit: 5 });
  const blank = await faces.post(saving([face, noFace]));
  assert.deepEqual(
    [blank.status, blank.body],
    [400, { error: 'No face was found in photos[1].', code: 'NO_FACE_DETECTED', field: 'photos[1]' }],
  );
  const mixed = await faces.post(saving([face, await readFile(DEMO_FACES.source)]));
  assertError(mixed, 400, /^photos\[1\] shows another person than photos\[0\]/);
  assert.deepEqual((await client.call('GET', FACES)).body.faces, []);
});

test('a dry run shows the faces, and saves nothing', async () => {
  const quote = await client.at(FACES).post(saving([face, noFace]), { query: '?dryRun=true' });
  assert.deepEqual([quote.status, quote.body.dryRun, quote.body.requiredCredits], [200, true, 0]);
  assert.deepEqual([quote.body.faces['photos[0]'].length, quote.body.faces['photos[1]'].length], [1, 0]);
  assert.deepEqual((await client.call('GET', FACES)).body.faces, []);
});

test('the same key saves a face once, and only its id is remembered', async () => {
  const headers = { 'idempotency-key': 'one-face' };
  const [first, second] = await Promise.all([
    client.at(FACES).post(saving(), { headers }),
    client.at(FACES).post(saving(), { headers }),
  ]);
  assert.deepEqual([first.status, second.status, first.body], [201, 201, second.body]);
  assert.equal((await client.call('GET', FACES)).body.faces.length, 1);
  await client.call('DELETE', `${FACES}/${first.body.id}`);
  assert.equal((await client.at(FACES).post(saving(), { headers })).status, 404);
});

describe('every workflow takes a saved face, with its consent', () => {
  test('a photo: all photos of the person are merged', async () => {
    const { id } = await save([face, face]);
    const task = await client.run([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
    ]);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual([task.parameters.sourceFaceId, task.parameters.consent], [id, CONSENT]);
    assert.deepEqual(Object.keys(task.result.receipt.sourceShares), ['sourceFaceId', 'sourceFaceId[1]']);
    const own = await client.run([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
      ['consent', 'For this picture only.'],
    ]);
    assert.equal(own.parameters.consent, 'For this picture only.');
    for (const [more, message] of [
      [['sourceImage', { bytes: face }], /^sourceFaceId was sent beside sourceImage/],
      [['additionalSourceImages', { bytes: face }], /^sourceFaceId was sent beside additionalSourceImages/],
    ] as const) {
      const both = await client.post([['sourceFaceId', id], ['targetImage', { bytes: target }], more]);
      assertError(both, 400, message);
    }
    // The task has copies: it does not need the face any more.
    const waiting = await client.post([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
    ]);
    assert.equal((await client.call('DELETE', `${FACES}/${id}`)).status, 200);
    assert.equal((await client.untilTerminal(waiting.body.taskId)).status, 'COMPLETED');
  });

  test('a batch', async () => {
    const { id } = await save([face, face]);
    const targets: Fields = [
      ['targetImages', { bytes: target }],
      ['targetImages', { bytes: face }],
    ];
    const task = await client.at(BATCH).run([['mode', 'singleToMulti'], ['sourceFaceId', id], ...targets]);
    assert.deepEqual([task.status, task.result.outputs.length], ['COMPLETED', 2]);
    const many = await client.at(BATCH).post([
      ['mode', 'multiToSingle'],
      ['sourceFaceId', id],
      ['targetImages', { bytes: target }],
    ]);
    assertError(many, 400, /^sourceFaceId goes with the mode singleToMulti only/);
  });

  test('a group photo, beside an uploaded face', async () => {
    const { id } = await save([face, face]);
    const task = await client.at(GROUP).run([
      ['sourceImage', { bytes: three }],
      ['sourceFaceId0', id],
      ['faceBox0', JSON.stringify(boxes[0])],
      ['targetFace1', { bytes: face }],
      ['faceBox1', JSON.stringify(boxes[2])],
    ]);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual([task.costCredits, task.parameters.sourceFaceId0], [6, id]);
    const both = await client.at(GROUP).post([
      ['sourceImage', { bytes: three }],
      ['sourceFaceId0', id],
      ['targetFace0', { bytes: face }],
      ['faceBox0', JSON.stringify(boxes[0])],
    ]);
    assertError(both, 400, /^sourceFaceId0 was sent beside targetFace0/);
  });

  test('a video, and a person of one', { skip: skipWithoutVideo }, async () => {
    const { id } = await save([face, face]);
    const whole = await faceClip({ frames: 4, framesPerSecond: 4 });
    const task = await client.at(VIDEO).run([
      ['targetVideo', whole],
      ['sourceFaceId', id],
    ]);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const person = await client.at(VIDEO).run([
      ['targetVideo', await pairClip(4)],
      ['sourceFaceId0', id],
      ['faceBox0', '{"personIndex":1}'],
    ]);
    assert.equal(person.status, 'COMPLETED', JSON.stringify(person.result));
    const both = await client.at(VIDEO).post([
      ['targetVideo', whole],
      ['sourceFaceId', id],
      ['sourceFaceId0', id],
      ['faceBox0', '{"personIndex":0}'],
    ]);
    assertError(both, 400, /^sourceFaceId was sent beside targetFace0/);
  });

  test('/v1', async () => {
    const { id } = await save();
    const image = `data:image/png;base64,${target.toString('base64')}`;
    const swapped = await v1.post('image-swap', { source_face_id: id, target_image: image });
    assert.equal(swapped.status, 200, JSON.stringify(swapped.body));
    const job = await v1.post('batch-swap', { source_face_id: id, target_images: [image], consent: 'Yes.' });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    assert.equal((await v1.poll(job.body.job_id))[0].status, 'completed');
    const none = await v1.post('image-swap', { source_face_id: 'x', target_image: image });
    assert.deepEqual(
      [none.status, none.body.error, none.body.field],
      [400, 'INVALID_REQUEST', 'source_face_id'],
    );
    const both = await v1.post('image-swap', {
      source_face_id: id,
      source_image: image,
      target_image: image,
    });
    assert.match(both.body.message, /^source_face_id was sent beside source_image/);
  });
});

test('consent is kept with a task and shown, and has its limit', async () => {
  const consent = 'Ü'.repeat(500);
  const task = await client.run([
    ['sourceImage', { bytes: face }],
    ['targetImage', { bytes: target }],
    ['consent', ` ${consent}\n`],
  ]);
  assert.equal(task.parameters.consent, consent);
  for (const [text, message] of [
    ['x'.repeat(501), /^consent is longer than 500 characters/],
    ['   ', /^consent must have 1 to 500 characters/],
  ] as const) {
    const refused = await client.post([
      ['sourceImage', { bytes: face }],
      ['targetImage', { bytes: target }],
      ['consent', text],
    ]);
    assertError(refused, 400, message, { limit: 500 });
  }
  const v1Refused = await v1.post('image-swap', { consent: 7, source_image: 'x', target_image: 'x' });
  assert.match(v1Refused.body.message, /^consent must be a string/);
});

describe('a withdrawal', () => {
  test('ends what waits, deletes what was delivered, charges nothing for it, and leaves others alone', async () => {
    const other = await save();
    const { id, withdrawalUrl } = await save([face, face]);
    const done = await client.run([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
    ]);
    const untouched = await client.run([
      ['sourceFaceId', other.id],
      ['targetImage', { bytes: target }],
    ]);
    const [{ url }] = done.result.outputs;
    assert.equal((await fetch(url)).status, 200);
    const before = JSON.parse(await service.guise('account', 'show', '--email', account.email, '--json'));
    const waiting = [];
    for (let k = 0; k < 4; k++) {
      const targets: Fields = Array.from({ length: 15 }, () => ['targetImages', { bytes: target }] as const);
      waiting.push(
        await client.at(BATCH).post([['mode', 'singleToMulti'], ['sourceFaceId', id], ...targets]),
      );
    }

    const token = withdrawalUrl.split('#token=')[1];
    const asked = await withdrawal('/look', token);
    assert.deepEqual([asked.body.name, asked.body.consent, asked.body.withdrawnAt], ['Ada', CONSENT, null]);
    const withdrawn = await withdrawal('', token);
    assert.equal(withdrawn.status, 200, JSON.stringify(withdrawn.body));
    assert.equal(withdrawn.body.endedTasks, 4);
    assert.ok(withdrawn.body.deletedOutputs >= 1);

    for (const {
      body: { taskId },
    } of waiting) {
      const { body: task } = await client.at(BATCH).get(taskId);
      assert.deepEqual([task.status, task.costCredits], ['FAILED', 0]);
      assert.deepEqual(task.result.error, {
        code: 'FACE_WITHDRAWN',
        message: 'The consent to use a face of this task was withdrawn.',
      });
    }
    assert.equal((await fetch(url)).status, 410);
    const [output] = (await client.get(done.id)).body.result.outputs;
    assert.ok(output.deletedAt !== undefined && output.url === undefined);
    assert.equal((await fetch(untouched.result.outputs[0].url)).status, 200);
    const after = JSON.parse(await service.guise('account', 'show', '--email', account.email, '--json'));
    assert.deepEqual(after.credits, { ...before.credits, held: 0 });

    const saved = (await client.call('GET', `${FACES}/${id}`)).body;
    assert.deepEqual(
      [saved.photos, saved.preview, saved.withdrawnAt],
      [0, undefined, withdrawn.body.withdrawnAt],
    );
    const refused = await client.post([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
    ]);
    assert.deepEqual(
      [refused.status, refused.body],
      [
        400,
        {
          error: 'sourceFaceId is a face whose consent was withdrawn.',
          code: 'FACE_WITHDRAWN',
          field: 'sourceFaceId',
        },
      ],
    );
    // Again: nothing is left to do.
    const again = await client.call('POST', `${FACES}/${id}/withdraw`);
    assert.deepEqual(again.body, { ...withdrawn.body, endedTasks: 0, deletedOutputs: 0 });
    assert.equal((await withdrawal('', 'x'.repeat(32))).status, 404);
  });

  test('leaves no file of the person behind', async () => {
    const alone = await newClient({ credits: 100 });
    const before = new Set(storedFiles());
    const { id } = await save([face, face], alone);
    await alone.run([
      ['sourceFaceId', id],
      ['targetImage', { bytes: target }],
    ]);
    assert.ok(storedFiles().some((name) => !before.has(name)));
    const done = JSON.parse(await service.guise('face', 'withdraw', id, '--json'));
    assert.deepEqual(done, { id, endedTasks: 0, deletedOutputs: 1 });
    for (let left = storedFiles(), tries = 0; left.some((name) => !before.has(name)); left = storedFiles()) {
      assert.ok(tries++ < 100, left.filter((name) => !before.has(name)).join());
      await delay(100);
    }
  });
});

/** Asks as the page of a withdrawal does. */
async function withdrawal(path: string, token: string): Promise<{ status: number; body: Answer['body'] }> {
  const response = await fetch(`${service.url}/account/withdrawal${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  return { status: response.status, body: await response.json() };
}
