/** `/api/ai-tasks/batch-face-swap`: what is refused, and what hostile files do among good ones. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { BATCH, batch, batchClient, newBatchClient, two } from './batch-setup.ts';
import { assertError, type Fields } from './client.ts';
import { MIB, face, newClient, noFace, padded, service, target } from './photo-setup.ts';

const without = (name: string): Fields => two.filter(([field]) => field !== name);

const many = (count: number): Buffer[] => Array.from({ length: count }, () => noFace);

describe('400', () => {
  for (const name of ['mode', 'sourceImages', 'targetImages']) {
    test(`${name} is required`, async () => {
      assertError(await batchClient.post(without(name)), 400, new RegExp(`^${name} is missing`));
    });
  }

  test('mode is one of two words, sent once, as text', async () => {
    for (const mode of ['', 'single', 'SINGLETOMULTI', 'singleToMulti ', 'multiToMulti']) {
      const answer = await batchClient.post(batch(mode, [face], [target]));
      assertError(answer, 400, /^mode must be singleToMulti or multiToSingle/);
    }
    assertError(await batchClient.post([...two, ['mode', 'singleToMulti']]), 400, /^mode was sent twice/);
    assertError(await batchClient.post([...without('mode'), ['mode', { bytes: face }]]), 400, /must be text/);
  });

  test('each mode has exactly one image on its one side', async () => {
    assertError(
      await batchClient.post(batch('singleToMulti', [face, face], [target])),
      400,
      /^sourceImages must hold exactly one image where mode is singleToMulti/,
      { limit: 1 },
    );
    assertError(
      await batchClient.post(batch('multiToSingle', [face], [target, target])),
      400,
      /^targetImages must hold exactly one image where mode is multiToSingle/,
      { limit: 1 },
    );
  });

  test('20 files of a field, and 21 in all, are too many', async () => {
    assertError(
      await batchClient.post(batch('singleToMulti', [face], many(20))),
      400,
      /^targetImages has more than 19 files/,
      { limit: 19 },
    );
    assertError(
      await batchClient.post(batch('multiToSingle', many(20), [face])),
      400,
      /^sourceImages has more than 19 files/,
      { limit: 19 },
    );
    assertError(
      await batchClient.post(batch('singleToMulti', many(2), many(19))),
      400,
      /^The form has more than 20 files/,
      { limit: 20 },
    );
  });

  test('one byte more than 30 MiB in a file is refused, and the file named', async () => {
    const answer = await batchClient.post(batch('singleToMulti', [face], [target, padded(30 * MIB + 1)]));
    assertError(answer, 400, /^targetImages\[1\] is larger than 31457280 bytes/, {
      code: 'IMAGE_TOO_LARGE',
      limit: 31_457_280,
    });
  });

  test('one byte more than 95 MiB in all files is refused', async () => {
    const targets = [padded(30 * MIB), padded(30 * MIB), padded(30 * MIB)];
    const answer = await batchClient.post(batch('singleToMulti', [padded(5 * MIB + 1)], targets));
    assertError(answer, 400, /^All files together are larger than 99614720 bytes/, { limit: 99_614_720 });
  });

  test('a file of another type is refused by its content, and named', async () => {
    for (const content of [
      await sharp(face).gif().toBuffer(),
      Buffer.from('BM and no bitmap'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('hello'),
    ]) {
      assertError(
        await batchClient.post(batch('singleToMulti', [face], [target, content])),
        400,
        /^targetImages\[1\] must be a JPEG, PNG, WebP, AVIF or HEIC\/HEIF image/,
      );
      assertError(
        await batchClient.post(batch('multiToSingle', [content], [target])),
        400,
        /^sourceImages\[0\] must be a JPEG/,
      );
    }
    const empty = new Uint8Array();
    assertError(
      await batchClient.post(batch('singleToMulti', [face], [empty])),
      400,
      /^targetImages\[0\] is an empty file/,
    );
  });

  test('texts where files belong, and fields of other workflows, are refused', async () => {
    assertError(await batchClient.post([...two, ['targetImages', 'x']]), 400, /^targetImages must be a file/);
    for (const name of ['sourceImage', 'targetImage', 'targetImages[]', 'targetImages[0]', 'faceBox0']) {
      const answer = await batchClient.post([...two, [name, { bytes: face }]]);
      assertError(answer, 400, /^Unknown field/);
    }
  });

  test('restoration fields outside of 0 to 1 are refused', async () => {
    for (const name of ['faceRestoreVisibility', 'restoreVisibility']) {
      const answer = await batchClient.post([...two, [name, '1.01']]);
      assertError(answer, 400, new RegExp(`^${name} must be a number from 0 to 1`));
    }
  });

  test('a malformed taskId is refused', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await batchClient.call(method, BATCH, { query: '?taskId=1' });
      assertError(answer, 400, /taskId must be one UUID/);
    }
  });
});

describe('401, 402, 403', () => {
  test('without a key', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await fetch(service.url + BATCH, { method })).status, 401);
    }
  });

  test('one credit short of all outputs: what they cost together, and nothing is held', async () => {
    const poor = await newBatchClient({ credits: 5 });
    for (let times = 0; times < 2; times += 1) {
      assertError(await poor.post(two), 402, /costs 6 credits/, { required: 6, available: 5 });
    }
  });

  test('an unverified email', async () => {
    const unverified = (await newClient({ unverified: true })).at(BATCH);
    assertError(await unverified.post(two), 403, /not verified/);
  });
});

describe('odd and hostile files among good ones', () => {
  if (skipWithoutFixtures) {
    test('fail alone', { skip: skipWithoutFixtures });
    return;
  }
  for (const folder of ['odd', 'hostile', 'noface']) {
    for (const file of readdirSync(fixture(folder))) {
      test(`${folder}/${file} is refused and named, or fails alone, or is swapped`, async () => {
        const bytes = await readFile(fixture(path.join(folder, file)));
        const { status, body } = await batchClient.post(
          batch('singleToMulti', [face], [face, bytes, target]),
        );
        if (status === 400) {
          assert.match(body.error, /^targetImages\[1\] /);
          return;
        }
        assert.equal(status, 200, JSON.stringify(body));
        const task = await batchClient.untilTerminal(body.taskId);
        assert.equal(task.status, 'COMPLETED');
        const { outputs, failures } = task.result;
        assert.equal(outputs.length + failures.length, 3);
        assert.deepEqual([outputs[0].index, outputs.at(-1).index], [0, 2]);
        assert.equal(task.costCredits, 3 * outputs.length);
        for (const failure of failures) {
          assert.equal(failure.index, 1);
          assert.match(failure.code, /^(DECODE_FAILED|RESOURCE_LIMIT|NO_FACE_DETECTED)$/);
        }
        if (folder === 'noface') assert.equal(failures[0]?.code, 'NO_FACE_DETECTED');
      });
    }
  }
});
