import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type S3Service, skipWithoutS3, startS3Service } from '../../storage/testing/s3-service.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { newStorageKey } from '../../storage/storage.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('media in a bucket', { skip: skipWithoutS3 }, () => {
  let bucket: S3Service;
  let t: TestApp;
  before(async () => {
    bucket = await startS3Service();
    const { endpoint, region, bucket: name, credentials } = bucket.config;
    t = await startTestApp({
      GUISE_S3_ENDPOINT: endpoint,
      GUISE_S3_REGION: region,
      GUISE_S3_BUCKET: name,
      GUISE_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
      GUISE_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    });
  });
  after(async () => {
    await t.close();
    await bucket.stop();
  });

  async function post(names: string[]): Promise<Response> {
    const { apiKey } = await t.newKey();
    const body = new FormData();
    for (const name of names) body.set(name, new Blob([PIXEL]), 'a.png');
    return fetch(`${t.url}/api/ai-tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body,
    });
  }

  test('a link gives a file of the bucket, whole and in ranges, until it is gone', async () => {
    const { storage, links } = t.deps;
    const key = newStorageKey('output', 'png');
    const scratch = storage.scratch.newPath('png');
    await writeFile(scratch, '0123456789');
    await storage.put(key, scratch);
    const { pathname, search } = new URL(links.sign(key, new Date(Date.now() + 60_000)));
    const link = t.url + pathname + search;
    const whole = await fetch(link);
    assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'image/png']);
    assert.equal(await whole.text(), '0123456789');
    const part = await fetch(link, { headers: { range: 'bytes=-3' } });
    assert.deepEqual([part.status, await part.text()], [206, '789']);
    assert.equal((await fetch(`${t.url}${pathname}`)).status, 403, 'the signature is ours as ever');
    await storage.delete(key);
    assert.equal((await fetch(link)).status, 410);
  });

  test('uploads of a task rest in the bucket, those of a refused request do not', async () => {
    assert.equal((await post(['sourceImage'])).status, 400);
    assert.equal((await bucket.objects()).size, 0);
    assert.equal((await post(['sourceImage', 'targetImage'])).status, 200);
    assert.deepEqual(
      Array.from(await bucket.objects(), ([key, bytes]) => [key.slice(0, 3), bytes.equals(PIXEL)]),
      [
        ['in/', true],
        ['in/', true],
      ],
    );
    assert.deepEqual(await t.deps.storage.scratch.files(), []);
  });

  test('a bucket that fails is a 500 of ours, which says nothing of it', async () => {
    bucket.answerNext(403);
    const answer = await post(['sourceImage', 'targetImage']);
    assert.deepEqual(
      [answer.status, await answer.json()],
      [500, { error: 'The service failed to handle this request.', code: 'INTERNAL_ERROR' }],
    );
    assert.deepEqual(await t.deps.storage.scratch.files(), []);
  });
});
