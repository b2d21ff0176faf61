import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Guise, type CompletedTask, GuiseError, TaskEndedError, verifyWebhook } from '@guise/client';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import {
  creditsOf,
  files,
  hasVideo,
  newAccount,
  pageFolder,
  pageOrigin,
  receiveWebhooks,
  service,
  startLossyApi,
  webhookSecretOf,
} from './rig.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
/** Largest size of the code, compressed. */
const MAX_BYTES = 12 * 1024;

const account = await newAccount();
const guise = new Guise({ url: service.url, key: account.apiKey });
const [face, scene, pair] = await Promise.all(
  [files.face, files.scene, files.pair].map((file) => openAsBlob(file)),
);

/** Downloads the results, and compares them with what the task says of them. */
async function downloaded({ result }: CompletedTask): Promise<Blob> {
  const blobs = await Promise.all(
    result.outputs.map(async (output) => (await guise.download(output)).blob()),
  );
  for (const [at, blob] of blobs.entries()) {
    const hash = createHash('sha256').update(Buffer.from(await blob.arrayBuffer()));
    assert.equal(hash.digest('hex'), result.outputs[at]!.sha256);
  }
  return blobs[0]!;
}

async function dataUri(blob: Blob): Promise<string> {
  return `data:image/jpeg;base64,${Buffer.from(await blob.arrayBuffer()).toString('base64')}`;
}

test('the client quotes, swaps, waits for, downloads, verifies and deletes a photo', async () => {
  const form = { sourceImage: face!, targetImage: scene!, label: true, consent: 'A drawn face.' };
  assert.equal((await guise.photos.quote(form)).requiredCredits, 3);
  const { taskId } = await guise.photos.swap(form);
  const seen: string[] = [];
  const task = await guise.photos.wait(taskId, { onChange: ({ status }) => seen.push(status) });
  assert.equal(seen.at(-1), 'COMPLETED');
  assert.equal(task.result.receipt.label, true);
  const picture = await downloaded(task);
  const verification = await guise.verify(picture);
  assert.ok(verification.marked && verification.watermark.found && verification.watermark.ownInstallation);
  assert.ok((await guise.verifyPublicly(picture)).marked);
  assert.ok((await guise.list({ limit: 1 })).tasks.some(({ id }) => id === taskId));
  assert.equal((await guise.photos.deleteFiles(taskId)).deletedFiles, 1);
  await assert.rejects(guise.download((await guise.photos.wait(taskId)).result.outputs[0]), { status: 410 });
  assert.ok((await guise.engines()).engines.some(({ kind }) => kind === 'mesh'));
});

test('the client swaps a group, a batch and a saved face', async () => {
  const { faces } = await guise.detectFaces(pair!);
  assert.equal(faces.length, 2);
  const group = await guise.groups.swap({
    sourceImage: pair!,
    faces: [
      { faceBox: faces[0]!, targetFace: scene! },
      { faceBox: faces[1]!, targetFace: face! },
    ],
  });
  const saved = await guise.faces.save({ photos: [face!], name: 'Ada', consent: 'A drawn face.' });
  const batch = await guise.batches.swap({
    mode: 'singleToMulti',
    sourceFaceId: saved.id,
    targetImages: [scene!, pair!],
  });
  assert.equal((await guise.groups.wait(group.taskId)).result.receipt.facesFound, 2);
  const task = await guise.batches.wait(batch.taskId);
  assert.equal(task.result.outputs.length, 2);
  await downloaded(task);
  assert.equal((await guise.faces.withdraw(saved.id)).deletedOutputs, 2);
  assert.ok((await guise.faces.list()).faces[0]!.withdrawnAt);
  await assert.rejects(
    guise.photos.swap({ sourceFaceId: saved.id, targetImage: scene! }),
    (error: GuiseError) =>
      error.status === 400 && error.code === 'FACE_WITHDRAWN' && error.field === 'sourceFaceId',
  );
  await guise.faces.delete(saved.id);
});

test('the client swaps a film of two people and a part of it', { skip: !hasVideo }, async () => {
  const film = await openAsBlob(files.film);
  const { persons } = await guise.detectPersons(film);
  assert.equal(persons.length, 2);
  const { taskId } = await guise.films.swap({
    targetVideo: film,
    faces: persons.map(({ personIndex }) => ({ faceBox: { personIndex }, targetFace: face! })),
    endSeconds: 1,
  });
  const task = await guise.films.wait(taskId);
  assert.equal(task.result.receipt.persons?.length, 2);
  assert.equal((await downloaded(task)).type, 'video/mp4');
});

test('the end of a task that fails is thrown', async () => {
  const text = new Blob(['no picture']);
  await assert.rejects(guise.photos.swap({ sourceImage: text, targetImage: scene! }), {
    status: 400,
    field: 'sourceImage',
  });
  const plain = await sharp({ create: { width: 99, height: 99, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  const { taskId } = await guise.photos.swap({
    sourceImage: face!,
    targetImage: new Blob([Uint8Array.from(plain)]),
  });
  await assert.rejects(
    guise.photos.wait(taskId),
    (error: TaskEndedError) => error.code === 'NO_FACE_DETECTED',
  );
});

test('the client makes a job of /v1 and knows its webhook', async (context) => {
  const receiver = await receiveWebhooks();
  context.after(() => receiver.close());
  const { job_id: job } = await guise.request<{ job_id: string }>('POST', '/v1/batch-swap', {
    body: {
      source_image: await dataUri(face!),
      target_images: [await dataUri(scene!)],
      webhook_url: receiver.url,
    },
  });
  const { headers, body } = await receiver.next;
  const event = await verifyWebhook(await webhookSecretOf(account), headers, body);
  assert.deepEqual([event.event, event.job_id], ['batch_swap.completed', job]);
  await assert.rejects(verifyWebhook(await webhookSecretOf(account), headers, `${body} `), /wrong/);
});

test('an API that is killed with its answer costs nothing twice', async (context) => {
  const api = await startLossyApi();
  context.after(() => api.close());
  const own = await newAccount();
  const client = new Guise({ url: api.url, key: own.apiKey });
  const { taskId } = await client.photos.swap({ sourceImage: face!, targetImage: scene! });
  await api.lost;
  await downloaded(await client.photos.wait(taskId));
  const { tasks } = await client.list();
  assert.deepEqual(
    tasks.map(({ id }) => id),
    [taskId],
  );
  assert.deepEqual(await creditsOf(own), { available: 197, held: 0 });
});

test('the package is small, has types, and works in a page of another origin', async (context) => {
  execFileSync(process.execPath, [
    path.join(ROOT, 'launch.cjs'),
    path.join(ROOT, 'scripts/pack-client.ts'),
    pageFolder,
  ]);
  const packed = (await readdir(pageFolder)).find((file) => /^guise-client-.*\.tgz$/.test(file))!;
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], {
    cwd: pageFolder,
  });
  const library = path.join(pageFolder, 'node_modules/@guise/client/lib');
  const scripts = (await readdir(library)).filter((file) => file.endsWith('.js'));
  const code = await Promise.all(scripts.map((file) => readFile(path.join(library, file))));
  const bytes = gzipSync(Buffer.concat(code)).length;
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);

  const use = `import { Guise, type Outcome } from '@guise/client';
    const guise = new Guise({ key: 'k' });
    export const outcome: Outcome = (await guise.films.wait('t')).result;
    // @ts-expect-error: a photo needs a target
    void guise.photos.swap({ sourceImage: new Blob() });\n`;
  await writeFile(path.join(pageFolder, 'use.mts'), use);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', 'use.mts'];
  execFileSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', ...options],
    {
      cwd: pageFolder,
      stdio: 'inherit',
    },
  );

  if (CHROMIUM === undefined) return context.diagnostic('there is no Chromium');
  await cp(library, path.join(pageFolder, 'lib'), { recursive: true });
  await writeFile(path.join(pageFolder, 'page.html'), '<!doctype html><title>shop</title>');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  context.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${pageOrigin}/page.html`);
  const made = await page.evaluate(
    async ([url, key]) => {
      const { Guise } = (await import('/lib/index.js' as string)) as typeof import('@guise/client');
      const shop = new Guise({ url: url!, key: key! });
      const [sourceImage, targetImage] = await Promise.all(
        ['/face.jpg', '/scene.jpg'].map(async (file) => (await fetch(file)).blob()),
      );
      const form = { sourceImage: sourceImage!, targetImage: targetImage! };
      const { taskId } = await shop.photos.swap(form);
      const { result } = await shop.photos.wait(taskId);
      const refused = await shop.photos
        .swap({ ...form, sourceImage: new Blob(['x']) })
        .catch((error: Error) => error);
      return [
        (await (await shop.download(result.outputs[0])).blob()).size,
        (refused as GuiseError).requestId,
      ];
    },
    [service.url, account.apiKey],
  );
  assert.ok(Number(made[0]) > 1000);
  assert.match(String(made[1]), /^[0-9a-f-]{36}$/);
});
