/**
 * `/api/ai-tasks/multi-face-swap`: what is answered with 200, every sentence of the spec and the
 * decisions a test.
 */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { assertError } from '../ai-tasks/client.ts';
import {
  type Box,
  boxes,
  facesOf,
  group,
  groupClient,
  groupPhoto,
  mapping,
  newGroupClient,
  one,
  three,
} from '../ai-tasks/group-setup.ts';
import { MIB, UUID, body, client, face, noFace, padded } from '../ai-tasks/photo-setup.ts';

async function pixels(bytes: Uint8Array): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(bytes)
    .rotate()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function outputOf(task: { result: { outputs: { url: string }[] } }): Promise<Buffer> {
  const response = await fetch(task.result.outputs[0]!.url);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

/** How far a beard, or a chin in place of one, may reach below a box, as a share of its height. */
const BEARD_SHARE = 0.12;

/** How many pixels changed in each box; none may have anywhere else. */
async function changes(before: Uint8Array, now: Uint8Array, allowed: readonly Box[]): Promise<number[]> {
  const [was, is] = await Promise.all([pixels(before), pixels(now)]);
  assert.deepEqual([was.width, was.height], [is.width, is.height]);
  const counts = allowed.map(() => 0);
  for (let at = 0; at < was.data.length; at += 3) {
    if (was.data.compare(is.data, at, at + 3, at, at + 3) === 0) continue;
    const [x, y] = [(at / 3) % was.width, Math.floor(at / 3 / was.width)];
    const hit = allowed.findIndex(
      (box) =>
        x >= box.x - 1 &&
        x <= box.x + box.width &&
        y >= box.y - 1 &&
        y <= box.y + (1 + BEARD_SHARE) * box.height,
    );
    assert.notEqual(hit, -1, `pixel ${x},${y} is of no mapped face`);
    counts[hit]! += 1;
  }
  return counts;
}

const file = (type: string, bytes: number, width: number, height: number) => ({
  name: 'image',
  type,
  bytes,
  width,
  height,
});

const [left, middle, right] = boxes as [Box, Box, Box];

describe('200', () => {
  test('only the mapped faces change; every other pixel is the same to the bit', async () => {
    const accepted = await groupClient.post(
      group(three, [
        [body, right],
        [body, left],
      ]),
    );
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.match(accepted.body.taskId, UUID);
    assert.deepEqual(accepted.body, { taskId: accepted.body.taskId, status: 'PENDING', requiredCredits: 6 });
    const task = await groupClient.untilTerminal(accepted.body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.taskType, 'MULTI_FACE_SWAP');
    assert.equal(task.costCredits, 6);
    assert.deepEqual(task.parameters, {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
      faceBox0: right,
      faceBox1: left,
      sourceImage: file('image/png', three.length, 960, 320),
      targetFace0: file('image/jpeg', body.length, 1200, 1200),
      targetFace1: file('image/jpeg', body.length, 1200, 1200),
    });
    const { outputs, failures, receipt } = task.result;
    assert.equal(outputs.length, 1);
    assert.deepEqual(failures, []);
    assert.deepEqual([outputs[0].index, outputs[0].contentType], [0, 'image/png']);
    assert.equal(receipt.facesFound, 3);
    assert.equal(receipt.credits, 6);
    assert.deepEqual(receipt.frames, { total: 1, swapped: 1, passedThrough: 0 });
    assert.ok(receipt.identitySimilarity >= 0 && receipt.identitySimilarity <= 1);
    const counts = await changes(three, await outputOf(task), [left, right]);
    assert.ok(Math.min(...counts) > 1000, String(counts));
  });

  test('a box in fractions is the box in pixels, with and without the faceIndex', async () => {
    const fraction = {
      x: middle.x / 960,
      y: middle.y / 320,
      width: middle.width / 960,
      height: middle.height / 320,
    };
    const results: Buffer[] = [];
    for (const box of [middle, fraction, { ...fraction, faceIndex: 1 }, { ...middle, faceIndex: 1 }]) {
      const task = await groupClient.run(group(three, [[body, box]]));
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
      assert.deepEqual(task.parameters.faceBox0, box);
      results.push((await pixels(await outputOf(task))).data);
    }
    for (const result of results) assert.ok(result.equals(results[0]!), 'other pixels');
  });

  test('a box that fills the photo, in pixels or fractions, lies within it', async () => {
    // Its centre is in the middle face.
    for (const box of [
      { x: 0, y: 0, width: 960, height: 320 },
      { x: 0, y: 0, width: 1, height: 1 },
      { x: 0.1, y: 0.2, width: 0.9, height: 0.8, faceIndex: 1 },
    ]) {
      const task = await groupClient.run(group(three, [[body, box]]));
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    }
  });

  test('a face as detect-faces answers it can be sent as it is, one that the edge cuts through too', async () => {
    const cut = await sharp(three)
      .extract({ left: Math.round(left.x + left.width / 5), top: 0, width: 600, height: 320 })
      .png()
      .toBuffer();
    const { body: found } = await client.post([['image', { bytes: cut }]], {
      path: '/api/ai-tasks/detect-faces',
    });
    assert.equal(found.faces[0].x, 0, 'its box ends where the photo does');
    const task = await groupClient.run(group(cut, [[body, found.faces[0]]]));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const { faceIndex, x, y, width, height } = found.faces[0];
    assert.deepEqual(task.parameters.faceBox0, { faceIndex, x, y, width, height });
  });

  test('boxes are pixels of the upright photo, whatever its EXIF says', async () => {
    const turned = await sharp(three).rotate(90).withMetadata({ orientation: 8 }).png().toBuffer();
    const task = await groupClient.run(group(turned, [[body, { ...right, faceIndex: 2 }]]));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual([task.result.outputs[0].width, task.result.outputs[0].height], [960, 320]);
    await changes(three, await outputOf(task), [right]);
  });

  for (const [type, make] of [
    ['image/jpeg', () => sharp(three).jpeg()],
    ['image/webp', () => sharp(three).webp()],
    ['image/png', () => sharp(three).png()],
  ] as const) {
    test(`${type} comes back as ${type}`, async () => {
      const task = await groupClient.run(group(await make().toBuffer(), [[face, middle]]));
      assert.equal(task.result.outputs[0].contentType, type);
      assert.equal(`image/${(await sharp(await outputOf(task)).metadata()).format}`, type);
    });
  }

  test('ten faces are replaced, for 30 credits', async () => {
    const ten = await groupPhoto(5, 2);
    const all = await facesOf(ten);
    assert.equal(all.length, 10);
    const own = await newGroupClient({ credits: 30 });
    const task = await own.run(
      group(
        ten,
        all.map((box) => [body, box] as const),
      ),
    );
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.costCredits, 30);
    const counts = await changes(ten, await outputOf(task), all);
    assert.ok(Math.min(...counts) > 1000, String(counts));
  });

  test('what a mapping means is found out by the worker: it fails with its code, names the box, costs nothing', async () => {
    const nowhere = { x: 0, y: 0, width: 2, height: 2 };
    for (const [mappings, code, message] of [
      [[[face, nowhere]], 'FACE_NOT_FOUND', /^faceBox0: the group photo has no face in this box/],
      [
        [[face, { ...middle, faceIndex: 3 }]],
        'FACE_NOT_FOUND',
        /^faceBox0: the group photo has no face with faceIndex 3; it has 3/,
      ],
      [
        [
          [face, left],
          [face, { ...middle, faceIndex: 0 }],
        ],
        'FACE_BOX_MISMATCH',
        /^faceBox1 does not match the face with faceIndex 0/,
      ],
      [
        [
          [face, left],
          [face, right],
          [body, left],
        ],
        'FACE_BOX_CONFLICT',
        /^faceBox0 and faceBox2 both select face 0/,
      ],
      [
        [
          [face, left],
          [noFace, right],
        ],
        'NO_FACE_DETECTED',
        /^No face was found in targetFace1/,
      ],
    ] as const) {
      const task = await groupClient.run(group(three, mappings));
      assert.equal(task.status, 'FAILED', code);
      assert.equal(task.costCredits, 0);
      assert.deepEqual(Object.keys(task.result), ['error']);
      assert.equal(task.result.error.code, code);
      assert.match(task.result.error.message, message);
    }
  });

  test('a group photo without a face', async () => {
    const task = await groupClient.run(group(noFace, [[face, { x: 0, y: 0, width: 10, height: 10 }]]));
    assert.deepEqual([task.status, task.result.error.code], ['FAILED', 'NO_FACE_DETECTED']);
    assert.match(task.result.error.message, /group photo/);
  });

  test('damage that shows later is told by its field', async () => {
    const damaged = (await sharp(body).jpeg().toBuffer()).subarray(0, 4000);
    const task = await groupClient.run(
      group(three, [
        [face, left],
        [damaged, right],
      ]),
    );
    assert.deepEqual([task.status, task.result.error.code], ['FAILED', 'DECODE_FAILED']);
    assert.match(task.result.error.message, /targetFace1/);
  });

  test('files of exactly 30 MiB, and a request of exactly 95 MiB, are taken; one byte more is not', async () => {
    const boundary = 'group-boundary';
    const part = (name: string, content: Uint8Array, fileName?: string): Buffer =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
        Buffer.from(fileName === undefined ? '\r\n\r\n' : `; filename="${fileName}"\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ]);
    const request = (sizeBytes: number): Buffer<ArrayBuffer> => {
      const pieces = [
        part('sourceImage', Buffer.concat([three, Buffer.alloc(30 * MIB - three.length)]), 'a'),
      ];
      for (const [n, box] of boxes.entries()) {
        pieces.push(part(`faceBox${n}`, Buffer.from(JSON.stringify(box))));
        if (n < 2) pieces.push(part(`targetFace${n}`, padded(30 * MIB), 'a'));
      }
      const end = Buffer.from(`--${boundary}--\r\n`);
      const around = Buffer.concat([...pieces, part('targetFace2', Buffer.alloc(0), 'a'), end]).length;
      return Buffer.concat([...pieces, part('targetFace2', padded(sizeBytes - around), 'a'), end]);
    };
    const send = (sizeBytes: number) =>
      groupClient.call('POST', '/api/ai-tasks/multi-face-swap', {
        body: request(sizeBytes),
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      });
    const accepted = await send(95 * MIB);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.equal((await groupClient.untilTerminal(accepted.body.taskId)).status, 'COMPLETED');
    assertError(await send(95 * MIB + 1), 400, /^The request is larger than 99614720 bytes/, {
      limit: 99_614_720,
    });
  });

  test('a dry run quotes and tells what the mapping would fail with, before it costs', async () => {
    const poor = await newGroupClient({ credits: 0 });
    const fields = group(three, [
      [face, left],
      [noFace, { ...middle, faceIndex: 2 }],
      [body, { x: 0, y: 0, width: 2, height: 2 }],
      [body, left],
    ]);
    const { status, body: quote } = await poor.post(fields, { query: '?dryRun=true' });
    assert.equal(status, 200, JSON.stringify(quote));
    assert.equal(quote.requiredCredits, 12);
    const counts = Object.entries(quote.faces).map(([name, faces]) => [name, (faces as unknown[]).length]);
    assert.deepEqual(counts, [
      ['sourceImage', 3],
      ['targetFace0', 1],
      ['targetFace1', 0],
      ['targetFace2', 1],
      ['targetFace3', 1],
    ]);
    assert.deepEqual(
      quote.warnings.map((each: { field: string; code: string }) => [each.field, each.code]),
      [
        ['faceBox1', 'FACE_BOX_MISMATCH'],
        ['faceBox2', 'FACE_NOT_FOUND'],
        ['faceBox3', 'FACE_BOX_CONFLICT'],
        ['targetFace1', 'NO_FACE'],
        ['targetFace2', 'SMALL_FACE'],
        ['targetFace3', 'SMALL_FACE'],
      ],
    );
    const clean = await poor.post(one, { query: '?dryRun=true' });
    assert.deepEqual(clean.body.warnings, [], 'several faces are no surprise in a group');
    assertError(
      await poor.post([...one, ...mapping(2, face, left)], { query: '?dryRun=true' }),
      400,
      /targetFace2/,
    );
  });

  test('the same key and request get the first answer again; another box is another request', async () => {
    const own = await newGroupClient({ credits: 3 });
    const headers = { 'idempotency-key': 'group-1' };
    const first = await own.post(one, { headers });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const again = await own.post(one, { headers });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assertError(await own.post(group(three, [[face, left]]), { headers }), 409, /Idempotency/);
  });

  test('a task is found on its own path only, and can be cancelled there', async () => {
    const big = await sharp(three).resize(4800).png({ compressionLevel: 1 }).toBuffer();
    const scaled = { x: middle.x * 5, y: middle.y * 5, width: middle.width * 5, height: middle.height * 5 };
    const { taskId } = (await groupClient.post(group(big, [[face, scaled]]))).body;
    assertError(await client.get(taskId), 404, /no such task/);
    const { body: cancelled } = await groupClient.cancel(taskId);
    assert.deepEqual([cancelled.status, cancelled.costCredits, cancelled.result], ['CANCELLED', 0, null]);
  });
});

describe('photographs', () => {
  for (const file of [
    'groups/g05_18f_team_55faces.jpg',
    'groups/g08_videocall_grid_25.jpg',
    'groups/g09_meeting_four.jpg',
    'groups/g39_india_men.jpg',
  ]) {
    test(`${file}: the first and the last face, by index`, { skip: skipWithoutFixtures }, async () => {
      // As PNG, so that bits can be compared.
      const photo = await sharp(await readFile(fixture(file)))
        .png({ compressionLevel: 1 })
        .toBuffer();
      const all = await facesOf(photo);
      const [first, last] = [
        { ...all[0]!, faceIndex: 0 },
        { ...all.at(-1)!, faceIndex: all.length - 1 },
      ];
      const task = await groupClient.run(
        group(photo, [
          [body, last],
          [face, first],
        ]),
      );
      assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
      assert.equal(task.result.receipt.facesFound, all.length);
      const counts = await changes(photo, await outputOf(task), [first, last]);
      assert.ok(Math.min(...counts) > 50, String(counts));
    });
  }
});
