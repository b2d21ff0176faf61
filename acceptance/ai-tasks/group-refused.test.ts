/** `/api/ai-tasks/multi-face-swap`: what is refused. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { assertError, type Fields } from './client.ts';
import { GROUP, boxes, group, groupClient, mapping, newGroupClient, one, three } from './group-setup.ts';
import { MIB, face, newClient, padded, service } from './photo-setup.ts';

const [left, middle] = [boxes[0]!, boxes[1]!];
const without = (name: string): Fields => one.filter(([field]) => field !== name);
const photo: Fields = [['sourceImage', { bytes: three }]];

describe('400', () => {
  for (const name of ['sourceImage', 'targetFace0', 'faceBox0']) {
    test(`${name} is required, sent once, and of its kind`, async () => {
      assertError(await groupClient.post(without(name)), 400, new RegExp(`^${name} is missing`));
      const [, value] = one.find(([field]) => field === name)!;
      assertError(
        await groupClient.post([...one, [name, value]]),
        400,
        new RegExp(`^${name} was sent twice`),
      );
      const wrong = typeof value === 'string' ? { bytes: face } : 'text';
      assertError(
        await groupClient.post([...without(name), [name, wrong]]),
        400,
        new RegExp(`^${name} must be ${typeof value === 'string' ? 'text' : 'a file'}`),
      );
    });
  }

  test('replacement faces are numbered without a gap', async () => {
    for (const [numbers, message] of [
      [[0, 2], /^targetFace2 was sent without targetFace1/],
      [[0, 1, 9], /^targetFace9 was sent without targetFace2/],
      [[1], /^targetFace0 is missing/],
    ] as const) {
      const fields = [...photo, ...numbers.flatMap((n) => mapping(n, face, left))];
      assertError(await groupClient.post(fields), 400, message);
    }
  });

  test('every replacement face has exactly one box, and every box a face', async () => {
    assertError(
      await groupClient.post([...one, ['targetFace1', { bytes: face }]]),
      400,
      /^faceBox1 is missing: targetFace1 needs it/,
    );
    assertError(
      await groupClient.post([...one, ['faceBox1', JSON.stringify(left)]]),
      400,
      /^faceBox1 was sent without targetFace1/,
    );
  });

  test('an eleventh replacement face is an unknown field', async () => {
    assertError(
      await groupClient.post([...one, ...mapping(10, face, left)]),
      400,
      /^Unknown field "targetFace10"/,
    );
  });

  test('a box is a JSON object with numbers and nothing unknown', async () => {
    for (const [box, message] of [
      ['', /must be a JSON object/],
      ['10,20,30,40', /must be a JSON object/],
      ['[1,2,3,4]', /must be a JSON object/],
      ['null', /must be a JSON object/],
      [JSON.stringify({ ...middle, x: '1' }), /needs a number x/],
      [JSON.stringify({ ...middle, height: undefined }), /needs a number height/],
      [JSON.stringify({ ...middle, width: 0 }), /above 0/],
      [JSON.stringify({ ...middle, height: -1 }), /above 0/],
      [JSON.stringify({ ...middle, faceIndex: -1 }), /faceIndex/],
      [JSON.stringify({ ...middle, faceIndex: 0.5 }), /faceIndex/],
      [JSON.stringify({ ...middle, w: 1 }), /unknown member "w"/],
      [`${JSON.stringify(middle)}${' '.repeat(1024)}`, /longer than 1024 bytes/],
    ] as const) {
      const answer = await groupClient.post(group(three, [[face, box]]));
      assert.equal(answer.status, 400, box);
      assert.match(answer.body.error, message);
      assert.match(answer.body.error, /^faceBox0 /);
    }
  });

  test('a box that leaves the photo on any side is refused, in pixels and in fractions', async () => {
    for (const box of [
      { x: -0.001, y: 0, width: 960, height: 320 },
      { x: 0, y: -1, width: 960, height: 320 },
      { x: 0, y: 0, width: 960.01, height: 320 },
      { x: 0, y: 0, width: 960, height: 320.01 },
      { x: 950, y: 0, width: 11, height: 10 },
      { x: 0.5, y: 0, width: 0.501, height: 0.5 },
      { x: 0, y: 0.9, width: 0.5, height: 0.1001 },
      { x: -0.1, y: 0, width: 0.5, height: 0.5 },
      { x: 5000, y: 0, width: 10, height: 10 },
    ]) {
      assertError(
        await groupClient.post(group(three, [[face, box]])),
        400,
        /^faceBox0 must lie within sourceImage, which is 960 x 320 pixels/,
      );
    }
  });

  test('one byte more than 30 MiB in a file is refused, and the file named', async () => {
    for (const name of ['sourceImage', 'targetFace0']) {
      const answer = await groupClient.post([...without(name), [name, { bytes: padded(30 * MIB + 1) }]]);
      assertError(answer, 400, new RegExp(`^${name} is larger than 31457280 bytes`), {
        code: 'IMAGE_TOO_LARGE',
        limit: 31_457_280,
      });
    }
  });

  test('only JPEG, PNG and WebP, by content', async () => {
    for (const content of [
      await sharp(face).gif().toBuffer(),
      await sharp(face).avif({ effort: 0 }).toBuffer(),
      Buffer.from('BM and no bitmap'),
      Buffer.from('hello'),
    ]) {
      for (const name of ['sourceImage', 'targetFace0']) {
        const answer = await groupClient.post([...without(name), [name, { bytes: content }]]);
        assertError(answer, 400, new RegExp(`^${name} must be a JPEG, PNG or WebP image`));
      }
    }
  });

  test('restoration fields outside of 0 to 1 are refused', async () => {
    const answer = await groupClient.post([...one, ['restoreVisibility', '-0.01']]);
    assertError(answer, 400, /^restoreVisibility must be a number from 0 to 1/);
  });

  test('a refused request leaves nothing to pay and nothing to read', async () => {
    const own = await newGroupClient({ credits: 3 });
    assertError(await own.post([...one, ['faceBox1', JSON.stringify(left)]]), 400, /faceBox1/);
    assert.equal((await own.post(one)).status, 200, 'the credits are still there');
  });
});

describe('401, 402, 403', () => {
  test('without a key', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await fetch(service.url + GROUP, { method })).status, 401);
    }
  });

  test('one credit short of all replacement faces', async () => {
    const poor = await newGroupClient({ credits: 5 });
    const two = group(three, [
      [face, left],
      [face, middle],
    ]);
    assertError(await poor.post(two), 402, /costs 6 credits/, { required: 6, available: 5 });
  });

  test('an unverified email', async () => {
    const unverified = (await newClient({ unverified: true })).at(GROUP);
    assertError(await unverified.post(one), 403, /not verified/);
  });
});

describe('hostile files', () => {
  if (skipWithoutFixtures) {
    test('are refused or fail', { skip: skipWithoutFixtures });
    return;
  }
  for (const file of readdirSync(fixture('hostile'))) {
    test(`${file} is refused, fails plainly, or is a picture after all`, async () => {
      const bytes = await readFile(fixture(path.join('hostile', file)));
      const whole = JSON.stringify({ x: 0, y: 0, width: 1, height: 1 });
      for (const fields of [
        group(bytes, [[face, whole]]),
        group(three, [
          [face, left],
          [bytes, middle],
        ]),
      ]) {
        const { status, body } = await groupClient.post(fields);
        if (status === 400) {
          assert.match(body.error, /^(sourceImage|targetFace1) /);
          continue;
        }
        assert.equal(status, 200, JSON.stringify(body));
        const task = await groupClient.untilTerminal(body.taskId);
        if (task.status === 'COMPLETED') continue;
        assert.match(
          task.result.error.code,
          /^(DECODE_FAILED|RESOURCE_LIMIT|NO_FACE_DETECTED|FACE_NOT_FOUND)$/,
        );
        assert.equal(task.costCredits, 0);
      }
    });
  }
});
