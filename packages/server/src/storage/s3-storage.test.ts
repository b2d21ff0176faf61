import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';

import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Scratch } from './scratch.ts';
import { S3Storage } from './s3-storage.ts';
import { testStorage } from './testing/storage-contract.ts';
import { type S3Service, skipWithoutS3, startS3Service } from './testing/s3-service.ts';
import { newStorageKey } from './storage.ts';

describe('storage in a bucket', { skip: skipWithoutS3 }, () => {
  let root: string;
  let service: S3Service;
  let scratch: Scratch;
  let storage: S3Storage;

  before(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'guise-scratch-'));
    service = await startS3Service();
    scratch = await Scratch.open(path.join(root, 'scratch'));
    storage = await S3Storage.open(service.config, scratch);
  });
  after(async () => {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  });

  testStorage(() => storage);

  async function put(text: string): Promise<string> {
    const key = newStorageKey('output', 'png');
    const file = storage.scratch.newPath('png');
    await writeFile(file, text);
    await storage.put(key, file);
    return key;
  }

  const onScratch = (): Promise<readonly string[]> => storage.scratch.files();

  test('objects lie in the bucket under their keys, and nothing of them on this machine', async () => {
    const key = await put('picture');
    assert.equal(String((await service.objects()).get(key)), 'picture');
    await assert.rejects(
      storage.withLocalFile(key, () => Promise.reject(new Error('the work failed'))),
      /the work failed/,
    );
    assert.deepEqual(await onScratch(), []);
    assert.deepEqual(await readdir(root), ['scratch']);
  });

  test('a store that is busy or fails is asked again, twice at the most', async () => {
    service.answerNext(503, 500);
    const key = await put('at last');
    service.answerNext(503, 500);
    assert.equal((await buffer(await storage.openRead(key))).toString(), 'at last');
    service.answerNext(500, 503, 429);
    await assert.rejects(storage.openRead(key), { name: 'Status429' });
  });

  test('a refusal is final', async () => {
    const before = service.asked();
    service.answerNext(403, 403);
    await assert.rejects(put('x'), { name: 'Status403' });
    await assert.rejects(storage.openRead(newStorageKey('output', 'png')), { name: 'Status403' });
    assert.equal(service.asked(), before + 2);
    // What could not be put is still its owner's.
    assert.equal(await storage.scratch.sweep(new Date(Date.now() + 1000)), 1);
  });

  test('a copy is not swept while the longest task there may be works with it', async () => {
    const key = await put('x');
    await storage.withLocalFile(key, async (copy) => {
      const almostADay = Date.now() + 23 * 3_600_000;
      assert.equal(await storage.scratch.sweep(new Date(almostADay)), 0);
      assert.equal(await readFile(copy, 'utf8'), 'x');
    });
    assert.deepEqual(await onScratch(), []);
  });

  test('a thousand objects are deleted by one request', async () => {
    const stored = await Promise.all([put('a'), put('b')]);
    const absent = Array.from({ length: 1500 }, () => newStorageKey('input', 'png'));
    const before = service.asked();
    assert.deepEqual(await storage.deleteAll([...stored, ...absent]), []);
    assert.equal(service.asked(), before + 2);
    for (const key of stored) assert.equal(await storage.sizeBytes(key), null);
  });

  test('of objects deleted together those that the store keeps are named', async () => {
    const [kept, gone] = await Promise.all([put('kept'), put('gone')]);
    service.answerNextWith(
      200,
      `<DeleteResult><Error><Key>${kept}</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>`,
    );
    const [undeleted, ...others] = await storage.deleteAll([kept, gone]);
    assert.equal(undeleted!.key, kept);
    assert.match(String(undeleted!.cause), /AccessDenied: no/);
    assert.deepEqual(others, []);
  });

  test('objects that a busy store refuses to delete together are deleted one by one', async () => {
    const [gone, busy] = await Promise.all([put('gone'), put('busy')]);
    await storage.delete(gone);
    const before = service.asked();
    service.answerNextWith(
      200,
      `<DeleteResult><Error><Key>${busy}</Key><Code>ServiceUnavailable</Code><Message>later</Message></Error></DeleteResult>`,
    );
    assert.deepEqual(await storage.deleteAll([gone, busy]), []);
    assert.equal(service.asked(), before + 2);
    assert.equal(await storage.sizeBytes(busy), null);
  });

  test('where the store is away all are named', async () => {
    const keys = [await put('a'), await put('b')];
    service.answerNext(403);
    const undeleted = await storage.deleteAll(keys);
    assert.deepEqual(
      undeleted.map(({ key }) => key),
      keys,
    );
  });

  test('a store that deletes one object a request is asked so from then on', async () => {
    const plain = await S3Storage.open(service.config, scratch);
    const keys = [await put('a'), await put('b'), await put('c')];
    const before = service.asked();
    service.answerNext(501);
    assert.deepEqual(await plain.deleteAll(keys), []);
    assert.equal(service.asked(), before + 4);
    for (const key of keys) assert.equal(await storage.sizeBytes(key), null);
    const more = [await put('d'), await put('e')];
    const then = service.asked();
    assert.deepEqual(await plain.deleteAll(more), []);
    assert.equal(service.asked(), then + 2);
  });

  test('what would fail later fails at the start, in a plain sentence', async () => {
    const { config } = service;
    const begin = `The bucket media at ${config.endpoint} cannot be used: `;
    const wrong = { ...config, credentials: { ...config.credentials!, secretAccessKey: 'wrong' } };
    await assert.rejects(S3Storage.open(wrong, scratch), ({ name, message }: Error) => {
      assert.deepEqual([name, message.startsWith(`${begin}SignatureDoesNotMatch: `)], ['ConfigError', true]);
      return true;
    });
    service.answerNext(200, 204, 403);
    await assert.rejects(S3Storage.open(config, scratch), {
      name: 'ConfigError',
      message: `${begin}the key may not list it`,
    });
    assert.deepEqual(await onScratch(), [], 'no probe is left behind');
  });

  test('what a process left on the scratch of this machine long ago is gone with the next start', async () => {
    const [old, young] = [storage.scratch.newPath('upload'), storage.scratch.newPath('upload')];
    for (const file of [old, young]) await writeFile(file, 'x');
    await utimes(old, new Date(0), new Date(0));
    await S3Storage.open(service.config, scratch);
    assert.deepEqual(await onScratch(), [path.basename(young)]);
  });
});
