/** `additionalSourceImages` of photos and videos: more photos of the source's person. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { assertError, type Fields, photo } from './client.ts';
import { faceClip, gifClient, skipWithoutVideo, swapVideo, videoClient } from './clip-setup.ts';
import { body, client, face, MIB, newClient, noFace, padded, target } from './photo-setup.ts';

const NAME = 'additionalSourceImages';
const darker = await sharp(face).linear(0.8, 0).png().toBuffer();
/** The sample people look alike; nobody's face is as long as this one. */
const stranger = await sharp(body).resize(1200, 2200, { fit: 'fill' }).jpeg().toBuffer();

function photos(...additional: readonly Uint8Array[]): Fields {
  return additional.map((bytes) => [NAME, { bytes, name: 'more.png' }] as const);
}

describe('200', () => {
  test('a photo task takes them at the same price, shows them, and says how much came from which', async () => {
    const fields = photo(face, target, photos(darker, face));
    const accepted = await client.post(fields);
    assert.equal(accepted.body.requiredCredits, 3, JSON.stringify(accepted.body));
    const task = await client.untilTerminal(accepted.body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual(
      task.parameters[NAME].map((each: { name: string; bytes: number }) => [each.name, each.bytes]),
      [
        ['more.png', darker.length],
        ['more.png', face.length],
      ],
    );
    const { sourceShares } = task.result.receipt;
    assert.deepEqual(Object.keys(sourceShares), ['sourceImage', `${NAME}[0]`, `${NAME}[1]`]);
    const sum = Object.values<number>(sourceShares).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 0.01, `${sum}`);
  });

  test('a photo task without them says nothing of them', async () => {
    const task = await client.run(photo(face, target));
    assert.ok(!(NAME in task.parameters));
    assert.ok(!('sourceShares' in task.result.receipt));
  });

  test('a video takes them too', { skip: skipWithoutVideo }, async () => {
    const clip = await faceClip({ frames: 4, framesPerSecond: 4 });
    const task = await videoClient.run(swapVideo(clip, photos(body)));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.deepEqual(Object.keys(task.result.receipt.sourceShares), ['sourceImage', `${NAME}[0]`]);
  });

  test('a dry run shows the faces of each, and warns of the one that has none', async () => {
    const { body: quote } = await client.post(photo(face, target, photos(face, noFace)), {
      query: '?dryRun=true',
    });
    assert.equal(quote.requiredCredits, 3);
    assert.equal(quote.faces[`${NAME}[0]`].length, 1);
    assert.deepEqual(
      quote.warnings.map((each: { field: string; code: string }) => [each.field, each.code]),
      [[`${NAME}[1]`, 'NO_FACE']],
    );
  });

  test('no face, or another person, ends FAILED, says which photo, and costs nothing', async () => {
    const own = await newClient({ credits: 3 });
    for (const [bytes, code, message] of [
      [noFace, 'NO_FACE_DETECTED', `No face was found in ${NAME}[1].`],
      [stranger, 'FACE_MISMATCH', `${NAME}[1] shows another person than the source image.`],
    ] as const) {
      const task = await own.run(photo(face, target, photos(face, bytes)));
      assert.deepEqual([task.status, task.result], ['FAILED', { error: { code, message } }]);
    }
  });

  test('they belong to what an Idempotency-Key is for, and so does their order', async () => {
    const headers = { 'idempotency-key': 'several-photos' };
    const first = await client.post(photo(face, target, photos(darker, face)), { headers });
    const again = await client.post(photo(face, target, photos(darker, face)), { headers });
    assert.deepEqual(again.body, first.body);
    for (const others of [photos(darker), photos(face, darker)]) {
      assert.equal((await client.post(photo(face, target, others), { headers })).status, 409);
    }
  });
});

describe('400', () => {
  test('a fifth one is refused with the limit', async () => {
    const five = photos(face, face, face, face, face);
    assertError(
      await client.post(photo(face, target, five)),
      400,
      /^additionalSourceImages has more than 4 files/,
      { limit: 4 },
    );
  });

  test('each is held to the rules of sourceImage, by its own name', async () => {
    for (const [bytes, rule, details] of [
      [Buffer.from('%PDF-1.7'), 'must be a JPEG', {}],
      [new Uint8Array(), 'is an empty file', {}],
      [padded(30 * MIB + 1), 'is larger than 31457280 bytes', { code: 'IMAGE_TOO_LARGE', limit: 31_457_280 }],
    ] as const) {
      const answer = await client.post(photo(face, target, photos(face, bytes)));
      assertError(answer, 400, new RegExp(`^additionalSourceImages\\[1\\] ${rule}`), details);
    }
    assertError(
      await client.post([...photo(face, target), [NAME, 'text']]),
      400,
      /^additionalSourceImages must be a file/,
    );
  });

  test('all files together are at most 95 MiB', async () => {
    const large = padded(30 * MIB);
    assertError(
      await client.post(photo(face, target, photos(large, large, large, padded(5 * MIB)))),
      400,
      /^All files together are larger than 99614720 bytes/,
      { limit: 99_614_720 },
    );
  });

  test('GIFs do not take them', async () => {
    const fields: Fields = [['sourceImage', { bytes: face }], ...photos(face)];
    assertError(await gifClient.post(fields), 400, /^Unknown field "additionalSourceImages"/);
  });
});
