/**
 * Every kind of image through the photo workflow: odd ones swap, hostile ones are refused or fail,
 * nothing hangs.
 */
import './without-watermark.ts';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { photo } from '../ai-tasks/client.ts';
import { face, newClient, service } from '../ai-tasks/photo-setup.ts';

const client = await newClient({ credits: 10_000 });

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

async function swap(source: Uint8Array, target: Uint8Array): Promise<{ contentType: string; bytes: Buffer }> {
  const task = await client.run(photo(source, target));
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
  const [output] = task.result.outputs;
  const bytes = await download(output.url);
  const { width, height } = await sharp(bytes).metadata();
  assert.deepEqual([output.width, output.height], [width, height]);
  return { contentType: output.contentType, bytes };
}

describe('output type: PNG unless the target is JPEG or WebP', () => {
  for (const [name, make, expected] of [
    ['PNG', () => sharp(face).png(), 'image/png'],
    ['JPEG', () => sharp(face).jpeg(), 'image/jpeg'],
    ['WebP', () => sharp(face).webp(), 'image/webp'],
    ['GIF', () => sharp(face).gif(), 'image/png'],
  ] as const) {
    test(`${name} gives ${expected}`, async () => {
      const { contentType, bytes } = await swap(face, await make().toBuffer());
      assert.equal(contentType, expected);
      assert.equal(`image/${(await sharp(bytes).metadata()).format}`, expected);
    });
  }

  for (const [file, expected] of [
    ['odd/d26_collins.bmp', 'image/png'],
    ['odd/torres.heic', 'image/png'],
    ['odd/torres.heif', 'image/png'],
    ['odd/torres.webp', 'image/webp'],
  ] as const) {
    test(`${file} gives ${expected}`, { skip: skipWithoutFixtures }, async () => {
      assert.equal((await swap(face, await readFile(fixture(file)))).contentType, expected);
    });
  }
});

describe('fidelity', () => {
  test('PNG to PNG, every pixel away from the face is the same to the bit', async () => {
    // The face in the middle of noise, which nothing but a copy preserves.
    const side = 640;
    const noise = Buffer.from(
      Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 2_654_435_761) >>> 24),
    );
    const place = { left: 192, top: 192, width: 256, height: 256 };
    const target = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
      .composite([{ input: face, left: place.left, top: place.top }])
      .png()
      .toBuffer();
    const { bytes } = await swap(face, target);
    const [before, now] = await Promise.all(
      [target, bytes].map((each) => sharp(each).removeAlpha().raw().toBuffer()),
    );
    let changedInside = 0;
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const at = (y * side + x) * 3;
        if (before!.compare(now!, at, at + 3, at, at + 3) === 0) continue;
        const inside =
          x >= place.left && x < place.left + place.width && y >= place.top && y < place.top + place.height;
        assert.ok(inside, `pixel ${x},${y} changed`);
        changedInside += 1;
      }
    }
    assert.ok(changedInside > 1000, 'and the face did change');
  });

  test('an EXIF-turned target comes back upright, without its camera data', async () => {
    const turned = await sharp(face)
      .rotate(90)
      .extend({ right: 64, background: '#446' })
      .jpeg()
      .withExif({ IFD0: { Make: 'Spy', Orientation: '8' } })
      .withMetadata({ orientation: 8 })
      .toBuffer();
    const { bytes } = await swap(face, turned);
    const { width, height, orientation, exif } = await sharp(bytes).metadata();
    assert.deepEqual([width, height], [256, 320]);
    assert.ok(orientation === undefined || orientation === 1);
    assert.equal(exif?.includes('Spy') ?? false, false);
  });
});

describe('odd images', () => {
  if (skipWithoutFixtures) {
    test('swap', { skip: skipWithoutFixtures });
    return;
  }
  const accepted = /\.(jpe?g|png|webp|gif|bmp|heic|heif)$/;
  for (const file of readdirSync(fixture('odd'))) {
    if (accepted.test(file)) {
      test(`${file} swaps as a target and as a source`, async () => {
        const bytes = await readFile(fixture(path.join('odd', file)));
        await swap(face, bytes);
        await swap(bytes, face);
      });
    } else {
      test(`${file} is of a type that is refused`, async () => {
        const { status, body } = await client.post(
          photo(face, await readFile(fixture(path.join('odd', file)))),
        );
        assert.equal(status, 400);
        assert.match(body.error, /^targetImage must be a JPEG/);
      });
    }
  }
});

describe('hostile files', () => {
  if (skipWithoutFixtures) {
    test('are refused or fail', { skip: skipWithoutFixtures });
    return;
  }
  for (const file of readdirSync(fixture('hostile'))) {
    test(`${file} is refused, fails plainly, or is a picture after all`, async () => {
      const bytes = await readFile(fixture(path.join('hostile', file)));
      for (const fields of [photo(face, bytes), photo(bytes, face)]) {
        const { status, body } = await client.post(fields);
        if (status === 400) {
          assert.match(body.error, /^(source|target)Image /);
          continue;
        }
        assert.equal(status, 200, JSON.stringify(body));
        const task = await client.untilTerminal(body.taskId);
        if (task.status === 'COMPLETED') continue;
        assert.match(task.result.error.code, /^(DECODE_FAILED|RESOURCE_LIMIT|NO_FACE_DETECTED)$/);
        assert.equal(task.costCredits, 0);
      }
    });
  }

  test('and the service is as well as before', async () => {
    await swap(face, face);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });
});
