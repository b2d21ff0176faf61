import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { packetsOf, sampleVideo } from './sample-video.test.ts';
import { readXmpFromBmff, writeXmpToBmff } from './xmp-bmff.ts';
import { readXmpFromGif, writeXmpToGif } from './xmp-gif.ts';
import { readXmpFromWebm, writeXmpToWebm } from './xmp-webm.ts';
import { SWAP_PROVENANCE, writeXmp } from './xmp.ts';

const PACKET = writeXmp(SWAP_PROVENANCE);
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-xmp-'));
});
after(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);

/** Writes a GIF of three frames with colours of their own. */
async function animation(name: string): Promise<string> {
  const frames = ['#f00', '#0f0', '#00f'].map((background) => ({
    create: { width: 20, height: 10, channels: 3 as const, background },
  }));
  const pages = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  await sharp(pages, { join: { animated: true } })
    .gif({ delay: [50, 70, 90], loop: 3 })
    .toFile(at(name));
  return at(name);
}

describe('GIF', () => {
  test('the packet comes back, and frames, delays and loop count stay', async () => {
    const file = await animation('a.gif');
    const pixels = () => sharp(file, { animated: true }).raw().toBuffer();
    const { pages, delay, loop } = await sharp(file).metadata();
    const before = await pixels();
    await writeXmpToGif(file, PACKET);
    assert.equal(await readXmpFromGif(file), PACKET);
    assert.deepEqual(await pixels(), before);
    const after = await sharp(file).metadata();
    assert.deepEqual([after.pages, after.delay, after.loop], [pages, delay, loop]);
  });

  test('a reader that takes the packet for sub-blocks arrives at the first frame', async () => {
    const file = await animation('blind.gif');
    const plainLength = (await readFile(file)).length;
    await writeXmpToGif(file, PACKET);
    const bytes = await readFile(file);
    const start = bytes.indexOf('XMP DataXMP') + 11;
    let end = start;
    while (bytes[end] !== 0) end += 1 + bytes[end]!;
    const inserted = bytes.length - plainLength;
    assert.equal(end + 1, start - 14 + inserted);
  });

  test('a file without a packet has none; a second one and other files are refused', async () => {
    const file = await animation('b.gif');
    assert.equal(await readXmpFromGif(file), null);
    await writeXmpToGif(file, PACKET);
    await assert.rejects(writeXmpToGif(file, PACKET), /already/);
    await writeFile(at('no.gif'), 'GIF8');
    await assert.rejects(readXmpFromGif(at('no.gif')), /Not a GIF/);
  });

  test('extensions without end are given up', async () => {
    const bytes = await readFile(await animation('c.gif'));
    const header = Buffer.concat([bytes.subarray(0, 10), Buffer.from([0, 0, 0])]);
    await writeFile(
      at('many.gif'),
      Buffer.concat([header, Buffer.alloc(30_000, Buffer.from([0x21, 0xfe, 0]))]),
    );
    assert.equal(await readXmpFromGif(at('many.gif')), null);
  });
});

describe('MP4 and MOV', () => {
  for (const container of ['mp4', 'mov'] as const) {
    test(`the packet comes back from ${container}, and no frame moves`, async () => {
      const file = at(`x.${container}`);
      await sampleVideo(file, container);
      assert.equal(await readXmpFromBmff(file), null);
      const before = await readFile(file);
      const packets = await packetsOf(file);
      await writeXmpToBmff(file, PACKET);
      assert.equal(await readXmpFromBmff(file), PACKET);
      assert.deepEqual((await readFile(file)).subarray(0, before.length), before);
      assert.deepEqual(await packetsOf(file), packets);
    });
  }

  test('a packet replaces an older one', async () => {
    const file = at('twice.mp4');
    await sampleVideo(file, 'mp4');
    await writeXmpToBmff(file, 'old packet');
    await writeXmpToBmff(file, PACKET);
    assert.equal(await readXmpFromBmff(file), PACKET);
    assert.equal((await readFile(file)).includes('old packet'), false);
  });

  test('a cut file, one of empty boxes and one of endless ones are refused and stay as they were', async () => {
    const file = at('bad.mp4');
    const toTheEnd = '\0\0\0\x08ftyp\0\0\0\0mdat';
    for (const content of ['\0\0\0\x20ftyp', '\0\0\0\0', '\0\0\0\x01mdat\0\0\0\0\0\0\0\x04', toTheEnd, '']) {
      await writeFile(file, content, 'latin1');
      await assert.rejects(writeXmpToBmff(file, PACKET));
      assert.equal(await readFile(file, 'latin1'), content);
    }
    await writeFile(file, Buffer.alloc(8 * 100_002, Buffer.from('\0\0\0\x08free', 'latin1')));
    await assert.rejects(readXmpFromBmff(file), /not a sequence/);
  });
});

describe('WebM', () => {
  test('the packet comes back, and no frame moves', async () => {
    const file = at('x.webm');
    await sampleVideo(file, 'webm');
    assert.equal(await readXmpFromWebm(file), null);
    const packets = await packetsOf(file);
    await writeXmpToWebm(file, PACKET);
    assert.equal(await readXmpFromWebm(file), PACKET);
    assert.deepEqual(await packetsOf(file), packets);
  });

  test('a segment of unknown length is appended to as well', async () => {
    const file = at('live.webm');
    await sampleVideo(file, 'webm');
    const handle = await open(file, 'r+');
    const bytes = await readFile(file);
    const segment = bytes.indexOf('18538067', 0, 'hex');
    await handle.write(Buffer.from('01ffffffffffffff', 'hex'), 0, 8, segment + 4);
    await handle.close();
    const packets = await packetsOf(file);
    await writeXmpToWebm(file, PACKET);
    assert.equal(await readXmpFromWebm(file), PACKET);
    assert.deepEqual(await packetsOf(file), packets);
  });

  test('a cut file and one with bytes behind its segment are refused and stay as they were', async () => {
    const file = at('bad.webm');
    await sampleVideo(file, 'webm');
    const whole = await readFile(file);
    await appendFile(file, 'more');
    await assert.rejects(writeXmpToWebm(file, PACKET), /does not end the file/);
    for (const length of [0, 3, 40, whole.length - 1]) {
      await writeFile(file, whole.subarray(0, length));
      await assert.rejects(writeXmpToWebm(file, PACKET));
      assert.deepEqual(await readFile(file), whole.subarray(0, length));
    }
  });

  test('nothing is left beside the files', async () => {
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    );
  });
});
