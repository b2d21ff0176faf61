/** `targetFaceN` and `faceBoxN` of `/api/ai-tasks/video` and `/gif`: several people of a clip. */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { assertError, type Fields } from '../ai-tasks/client.ts';
import {
  animation,
  download,
  gifClient,
  newVideoClient,
  skipWithoutVideo,
  videoClient,
} from '../ai-tasks/clip-setup.ts';
import { PAIR, pairClip, PLACES } from '../ai-tasks/clip-persons-setup.ts';
import { body as portrait, face, service } from '../ai-tasks/photo-setup.ts';

/** A mapping as form fields. */
function map(number: number, box: object, bytes: Uint8Array = portrait): Fields {
  return [
    [`targetFace${number}`, { bytes, name: `face${number}.jpg` }],
    [`faceBox${number}`, JSON.stringify(box)],
  ];
}

/** Mean change of luma where a person is, from one clip to the other. */
async function changeAt(before: string, after: string, place: (typeof PLACES)[number]): Promise<number> {
  const first = async (file: string): Promise<Uint8Array> => {
    let luma: Uint8Array | null = null;
    await scanVideo(file, (frame) => {
      luma ??= frame.rgb({ x: place.x, y: place.y, width: place.side, height: place.side }).data.slice();
    });
    return luma!;
  };
  const [a, b] = [await first(before), await first(after)];
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}

/** The box around one of the two, at a moment, in shares of the picture. */
function boxOf(k: 0 | 1): object {
  const { x, y, side } = PLACES[k];
  const { width, height } = PAIR;
  return {
    atSeconds: 1,
    x: (x + 0.2 * side) / width,
    y: (y + 0.1 * side) / height,
    width: (0.6 * side) / width,
    height: (0.8 * side) / height,
  };
}

describe('people of a clip', { skip: skipWithoutVideo }, async () => {
  const pair = skipWithoutVideo === false ? await pairClip(10) : { bytes: face };
  const video: Fields = [['targetVideo', pair]];
  test('each mapped person gets a face, at a price each, and the receipt tells of each', async () => {
    const fields = [...video, ...map(0, { personIndex: 1 }, face), ...map(1, boxOf(0))];
    const quote = await videoClient.post(fields, { query: '?dryRun=true' });
    assert.equal(quote.body.requiredCredits, 12);
    const { body } = await videoClient.post(fields);
    assert.equal(body.requiredCredits, 12);
    const task = await videoClient.untilTerminal(body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual(task.parameters.faceBox0, { personIndex: 1 });
    const { facesFound, frames, persons } = task.result.receipt;
    assert.deepEqual([facesFound, frames.swapped, frames.total], [2, 10, 10]);
    assert.deepEqual(
      persons.map(({ index, framesSwapped, longestGapFrames }: Record<string, number>) => [
        index,
        framesSwapped,
        longestGapFrames,
      ]),
      [
        [0, 10, 0],
        [1, 10, 0],
      ],
    );
    for (const { identitySimilarity } of persons) assert.ok(identitySimilarity >= 0);
  });

  test('who is not mapped stays', async () => {
    const { body } = await videoClient.post([...video, ...map(0, { personIndex: 1 }, face)]);
    const task = await videoClient.untilTerminal(body.taskId);
    assert.equal(task.costCredits, 6);
    const [before, after] = ['before.mp4', 'after.mp4'].map((name) => path.join(service.dataDir, name));
    await writeFile(before!, pair.bytes);
    await writeFile(after!, await download(task.result.outputs[0].url));
    const [stays, changes] = [
      await changeAt(before!, after!, PLACES[0]),
      await changeAt(before!, after!, PLACES[1]),
    ];
    assert.ok(stays < 1 && changes > 2 * stays, `${stays} and ${changes}`);
  });

  test('a box where no face is, or a person that is not there: the task fails naming it, and is free', async () => {
    const client = await newVideoClient({ credits: 24 });
    const nowhere = { atSeconds: 0.5, x: 0.9, y: 0.9, width: 0.05, height: 0.05 };
    for (const [second, code, message] of [
      [nowhere, 'FACE_NOT_FOUND', /^faceBox1: the clip has no face at this place/],
      [{ personIndex: 7 }, 'FACE_NOT_FOUND', /^faceBox1: .* no person with personIndex 7; it has 2/],
      [boxOf(0), 'FACE_BOX_CONFLICT', /^faceBox0 and faceBox1 both mean the same person/],
    ] as const) {
      const { body } = await client.post([...video, ...map(0, { personIndex: 0 }), ...map(1, second)]);
      const task = await client.untilTerminal(body.taskId);
      assert.deepEqual([task.status, task.result.error.code, task.costCredits], ['FAILED', code, 0]);
      assert.match(task.result.error.message, message);
    }
  });

  test('400: what does not go together, naming the field', async () => {
    const source: Fields = [['sourceImage', { bytes: portrait }]];
    const at = { atSeconds: 1, x: 10, y: 10, width: 100, height: 100 };
    for (const [fields, message] of [
      [[], /^sourceImage is missing/],
      [[...source, ...map(0, { personIndex: 0 })], /^sourceImage was sent beside targetFace0/],
      [map(1, { personIndex: 0 }), /^targetFace1 was sent without targetFace0/],
      [map(0, { personIndex: 0 }).slice(0, 1), /^faceBox0 is missing: targetFace0 needs it/],
      [map(0, { personIndex: 0 }).slice(1), /^faceBox0 was sent without targetFace0/],
      [
        [...map(0, { personIndex: 1 }), ...map(1, { personIndex: 1 })],
        /^faceBox1 names person 1, as faceBox0 does/,
      ],
      [
        [...map(0, at), ...map(1, at)],
        /^faceBox1 has the same box as faceBox0: a person can get only one face/,
      ],
      [map(0, { personIndex: -1 }), /^faceBox0 has a personIndex that is not a whole number/],
      [map(0, { personIndex: 0, x: 1 }), /^faceBox0 has a personIndex and a place/],
      [map(0, { ...at, z: 1 }), /^faceBox0 has an unknown member "z"/],
      [map(0, { ...at, width: 0 }), /^faceBox0 must have a width and a height above 0/],
      [map(0, { x: 1, y: 1, width: 5, height: 5 }), /^faceBox0 needs a number atSeconds/],
      [map(0, { ...at, atSeconds: 3 }), /^faceBox0 must have an atSeconds within targetVideo/],
      [map(0, { ...at, x: 500 }), /^faceBox0 must lie within targetVideo, which is 560 x 300 pixels/],
      [
        [...map(0, { ...at, atSeconds: 0.2 }), ['startSeconds', '1']],
        /^faceBox0 must have an atSeconds within the part to swap/,
      ],
      [
        [...map(0, { personIndex: 0 }), ['additionalSourceImages', { bytes: portrait }]],
        /^additionalSourceImages goes with sourceImage/,
      ],
    ] as [Fields, RegExp][])
      assertError(await videoClient.post([...video, ...fields]), 400, message);
  });

  test('a mapped person of a GIF', async () => {
    const { body } = await gifClient.post([
      ['targetGif', await animation(4, 200)],
      ...map(0, { personIndex: 0 }),
    ]);
    assert.equal(body.estimatedCredits, 6);
    const task = await gifClient.untilTerminal(body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.result.receipt.persons[0].framesSwapped, 4);
  });
});
