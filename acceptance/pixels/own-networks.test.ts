/** Networks that an operator adds while the service runs, in every workflow of both interfaces. */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { addTint } from '../own-networks.ts';
import { V1Client } from '../v1/client.ts';
import { batch, BATCH } from '../ai-tasks/batch-setup.ts';
import { type Answer, assertError, Client, type Fields, photo } from '../ai-tasks/client.ts';
import { pairClip } from '../ai-tasks/clip-persons-setup.ts';
import {
  animation,
  download,
  faceClip,
  GIF,
  skipWithoutVideo,
  swapGif,
  swapVideo,
  VIDEO,
} from '../ai-tasks/clip-setup.ts';
import { boxes, group, GROUP, three } from '../ai-tasks/group-setup.ts';
import { body, face, newAccount, service, target } from '../ai-tasks/photo-setup.ts';

const LIST_LIMIT_MS = 60_000;
const USE_TINT: Fields = [['engine', 'tint']];

const account = await newAccount({ credits: 1000 });
const client = new Client(service.url, account);
const v1 = new V1Client(service.url, account);

async function engineIds(): Promise<string[]> {
  const { body } = await client.call('GET', '/api/ai-tasks/engines');
  return body.engines.map(({ id }: { id: string }) => id);
}

async function untilListed(isListed: boolean): Promise<void> {
  const deadline = performance.now() + LIST_LIMIT_MS;
  while ((await engineIds()).includes('tint') !== isListed) {
    assert.ok(performance.now() < deadline, 'the list of engines did not follow');
    await delay(200);
  }
}

/** Runs a workflow, which must end well and name its engine. */
async function run(at: string, fields: Fields): Promise<Answer['body']> {
  const task = await client.at(at).run([...fields, ...USE_TINT]);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task));
  const { engine } = task.result.receipt;
  assert.equal(engine.name, 'tint');
  assert.match(engine.version, /\+\d+\.[0-9a-f]{12}$/);
  assert.equal(task.parameters.engine, 'tint');
  return task;
}

/** Mean difference of two pictures of one size, in levels. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((each) => sharp(each).removeAlpha().raw().toBuffer()));
  return a!.reduce((sum, value, at) => sum + Math.abs(value - b![at]!), 0) / a!.length;
}

test('before the operator adds it, an engine is unavailable', async () => {
  assert.deepEqual(await engineIds(), ['mesh']);
  const answer = await client.post(photo(body, target, USE_TINT));
  assertError(answer, 400, /^engine must be mesh: no worker has tint\.$/);
  assert.equal(answer.body.code, 'ENGINE_UNAVAILABLE');
  const image = { source_image: body.toString('base64'), target_image: target.toString('base64') };
  const { status, body: refusal } = await v1.post('image-swap', { ...image, engine: 'tint' });
  assert.deepEqual([status, refusal.error], [400, 'ENGINE_UNAVAILABLE'], JSON.stringify(refusal));
  await addTint(service);
  await untilListed(true);
});

test('it then draws the faces of photos, also of several people, and of batches', async () => {
  const quote = await client.post(photo(body, target, USE_TINT), { query: '?dryRun=true' });
  assert.equal(quote.body.requiredCredits, 3);
  const task = await run('/api/ai-tasks', photo(body, target, [['restoreVisibility', '0']]));
  const tinted = await download(task.result.outputs[0].url);
  assert.ok((await difference(tinted, target)) > 5, 'the network did not tint the face');
  await run(GROUP, group(three, [[body, boxes[1]!]]));
  const several = await run(BATCH, batch('singleToMulti', [body], [target, face]));
  assert.equal(several.result.outputs.length, 2, JSON.stringify(several.result));
});

test('and the faces of videos and GIFs', { skip: skipWithoutVideo }, async () => {
  const clip = await faceClip({ frames: 6, framesPerSecond: 6 });
  const task = await run(VIDEO, swapVideo(clip));
  assert.deepEqual(task.result.receipt.frames.swapped, 6);
  await run(GIF, swapGif(await animation(4, 200)));
  const pair = await pairClip(5);
  const box = JSON.stringify({ personIndex: 1 });
  await run(VIDEO, [
    ['targetVideo', pair],
    ['targetFace0', { bytes: face, name: 'face.jpg' }],
    ['faceBox0', box],
  ]);
});

test('/v1 takes the same engines', async () => {
  const image = { source_image: body.toString('base64'), target_image: target.toString('base64') };
  const drawn = await v1.post('image-swap', { ...image, engine: 'tint' });
  assert.equal(drawn.status, 200, JSON.stringify(drawn.body));
  const plain = await v1.post('image-swap', image);
  const [tinted, mesh] = [await download(drawn.body.output_url), await download(plain.body.output_url)];
  // Here the target's tone is restored, so that this network's tint is gone and its face unchanged.
  const changes = [await difference(tinted, target), await difference(mesh, target)] as const;
  assert.ok(changes[0] < changes[1] / 2, changes.join());
  const { source_image } = image;
  const job = await v1.post('batch-swap', {
    source_image,
    target_images: [image.target_image],
    engine: 'tint',
  });
  assert.equal(job.status, 202, JSON.stringify(job.body));
  const [end] = await v1.poll(job.body.job_id);
  assert.equal(end.status, 'completed', JSON.stringify(end));
});

test('once removed, it is unavailable again; another file of that name draws otherwise', async () => {
  await service.guise('models', 'remove', 'tint');
  await service.guise('models', 'remove', 'arcface');
  await untilListed(false);
  assertError(await client.post(photo(body, target, USE_TINT)), 400, /no worker has tint/);
  await addTint(service, 'identity');
  await untilListed(true);
  const task = await run('/api/ai-tasks', photo(body, target, [['restoreVisibility', '0']]));
  assert.ok((await difference(await download(task.result.outputs[0].url), target)) < 1);
});
