/** `/api/ai-tasks/detect-faces` with `video`: the people of a video or GIF. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { detectPersonsSchema } from '@guise/contract/ai-tasks/schemas.ts';
import { assertError, type Fields } from './client.ts';
import { animation, clip, newVideoClient, skipWithoutVideo, untilScratchIsEmpty } from './clip-setup.ts';
import { PAIR, pairClip, PLACES } from './clip-persons-setup.ts';
import { face } from './photo-setup.ts';

const DETECT = '/api/ai-tasks/detect-faces';

describe('detect-faces of a clip', { skip: skipWithoutVideo }, async () => {
  const client = (await newVideoClient({ credits: 0 })).at(DETECT);
  const pair = skipWithoutVideo === false ? await pairClip(20) : { bytes: face };

  test('names the people by area times time, where and when they are seen, without credits', async () => {
    const { status, body } = await client.post([['video', pair]]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([...Value.Errors(detectPersonsSchema, body)], []);
    const { persons, ...facts } = body;
    const { width, height } = PAIR;
    assert.deepEqual(facts, { durationSeconds: 4, width, height, framesLooked: 20, complete: true });
    assert.equal(persons.length, 2);
    for (const [k, { personIndex, share, appearances, atSeconds, faceBox }] of persons.entries()) {
      assert.deepEqual([personIndex, share, appearances], [k, 1, [[0, 4]]]);
      assert.ok(atSeconds >= 0 && atSeconds < 4);
      const { x, y, side } = PLACES[k]!;
      assert.ok(faceBox.x > x && faceBox.x + faceBox.width < x + side, JSON.stringify(faceBox));
      assert.ok(faceBox.y > y && faceBox.y + faceBox.height < y + side, JSON.stringify(faceBox));
    }
    const again = await client.post([['video', pair]]);
    assert.deepEqual(again.body, body, 'the same file, the same numbers');
    await untilScratchIsEmpty();
  });

  test('takes GIFs, and answers nobody for a clip without a face', async () => {
    const gif = await client.post([['video', await animation(3, 200)]]);
    assert.deepEqual([gif.status, gif.body.persons.length, gif.body.framesLooked], [200, 1, 3]);
    const plain = await client.post([['video', await clip({ frames: 5, framesPerSecond: 5 })]]);
    assert.deepEqual([plain.status, plain.body.persons, plain.body.complete], [200, [], true]);
  });

  test('answers small pictures of the clip and of each face, if they are asked for', async () => {
    const { body } = await client.post([
      ['video', pair],
      ['preview', 'true'],
    ]);
    assert.deepEqual([...Value.Errors(detectPersonsSchema, body)], []);
    assert.deepEqual(await sizeOf(body.preview), [PAIR.width, PAIR.height]);
    assert.deepEqual(
      await Promise.all(body.persons.map((each: { preview: string }) => sizeOf(each.preview))),
      [
        [128, 128],
        [128, 128],
      ],
    );
    assert.notEqual(body.persons[0].preview, body.persons[1].preview);
    const nobody = await client.post([
      ['video', await animation(3, 200, 'grey')],
      ['preview', 'true'],
    ]);
    assert.deepEqual(await sizeOf(nobody.body.preview), [16, 16]);
  });

  test('a dry run looks at nothing and costs nothing', async () => {
    const { body } = await client.post([['video', pair]], { query: '?dryRun=true' });
    assert.deepEqual(body, { dryRun: true, requiredCredits: 0, faces: {}, warnings: [] });
  });

  test('image or video, one of them, of an accepted type', async () => {
    const both: Fields = [
      ['image', { bytes: face }],
      ['video', pair],
    ];
    assertError(await client.post([]), 400, /^image is missing/);
    assertError(await client.post(both), 400, /^video was sent beside image/);
    assertError(
      await client.post([['video', { bytes: face }]]),
      400,
      /^video must be of type MP4, MOV, WebM or GIF/,
    );
  });
});

async function sizeOf(preview: string): Promise<unknown> {
  const { width, height } = await sharp(Buffer.from(preview.split(',')[1]!, 'base64')).metadata();
  return [width, height];
}
