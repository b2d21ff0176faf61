import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { ClipField } from '@guise/contract/ai-tasks/form.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { MAX_GIF_TOTAL_PIXELS } from '@guise/media/gif/probe-gif.ts';
import { canLoadNodeAv } from '@guise/media/video/node-av.ts';
import sharp from 'sharp';
import { checkClip } from './check-clip.ts';
import type { Requester } from './fair-limiter.ts';
import type { UploadedFile } from './read-form.ts';

const requester: Requester = { accountId: 'ann', signal: new AbortController().signal };

const dir = await mkdtemp(path.join(os.tmpdir(), 'guise-check-clip-'));
after(() => rm(dir, { recursive: true, force: true }));

// A machine on which node-av does not load: it looks for a build of our own alone.
process.env['AV_FROM_SOURCE'] = '1';

const field: ClipField = {
  kind: 'clip',
  name: 'targetGif',
  description: '',
  formats: ['gif', 'mp4', 'webm'],
  maxBytes: 1_000_000,
  maxSeconds: 30,
};

async function upload(name: string, bytes: Uint8Array): Promise<UploadedFile> {
  const file = path.join(dir, name);
  await writeFile(file, bytes);
  const { size } = await stat(file);
  return { field, name: field.name, fileName: name, path: file, sizeBytes: size, sha256: '' };
}

test('without node-av GIFs are read, many at once', async () => {
  assert.equal(await canLoadNodeAv(), false);
  const grey = { create: { width: 16, height: 12, channels: 3, background: '#777' } } as const;
  const pictures = await Promise.all(
    [grey, { create: { ...grey.create, background: '#888' } }].map((each) => sharp(each).png().toBuffer()),
  );
  const bytes = await sharp(pictures, { join: { animated: true } })
    .gif({ delay: [700, 800] })
    .toBuffer();
  const file = await upload('a.gif', bytes);
  const probes = await Promise.all(Array.from({ length: 7 }, () => checkClip(file, field, requester)));
  for (const probe of probes) {
    assert.deepEqual(
      [probe.container, probe.width, probe.height, probe.durationSeconds],
      ['gif', 16, 12, 1.5],
    );
  }
});

test('a picture is no video, also one whose file begins like an MP4', async () => {
  const still = sharp({ create: { width: 64, height: 64, channels: 3, background: '#777' } });
  const pictures: Record<string, Buffer> = {
    avif: await still.avif().toBuffer(),
    png: await still.png().toBuffer(),
  };
  for (const brand of ['heic', 'heix', 'mif1', 'avif', 'msf1', 'hevc', 'avis']) {
    pictures[brand] ??= Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1miaf`, 'latin1');
  }
  for (const [name, bytes] of Object.entries(pictures)) {
    await assert.rejects(
      checkClip(await upload(`${name}.mp4`, bytes), field, requester),
      { code: 'INVALID_FORMAT', message: 'targetGif must be of type GIF, MP4 or WebM.' },
      name,
    );
  }
});

test('without node-av a video is refused in so many words, and another type is still a wrong type', async () => {
  const mp4 = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1');
  await assert.rejects(checkClip(await upload('a.mp4', mp4), field, requester), {
    code: 'INTERNAL_ERROR',
    message: 'This server cannot read videos, so targetGif cannot be used.',
  });
  const mov = Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1');
  await assert.rejects(checkClip(await upload('a.mov', mov), field, requester), {
    code: 'INVALID_FORMAT',
    message: 'targetGif must be of type GIF, MP4 or WebM, but is MOV.',
  });
  const stream = Buffer.alloc(4 * 188);
  for (let at = 0; at < stream.length; at += 188) stream[at] = 0x47;
  for (const [bytes, name] of [
    [Buffer.from('1a45dfa3a34282886d6174726f736b61', 'hex'), 'Matroska'],
    [Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'), 'AVI'],
    [stream, 'MPEG-TS'],
  ] as const) {
    await assert.rejects(checkClip(await upload('a.mp4', bytes), field, requester), {
      code: 'INVALID_FORMAT',
      message: `targetGif must be of type GIF, MP4 or WebM, but is ${name}.`,
    });
  }
});

test('damage, emptiness and what is too long are refused, naming the field and the limit', async () => {
  const cases = [
    [Buffer.alloc(0), 'INVALID_FORMAT', /^targetGif is an empty file\.$/],
    [
      Buffer.from('GIF89a\x10\0\x10\0\0\0\0;', 'latin1'),
      'INVALID_FORMAT',
      /^targetGif cannot be read: it holds no/,
    ],
  ] as const;
  for (const [bytes, code, message] of cases) {
    await assert.rejects(checkClip(await upload('b.gif', bytes), field, requester), { code, message });
  }
  const still = Buffer.from(
    'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\0\xff\xff\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
    'latin1',
  );
  await assert.rejects(checkClip(await upload('c.gif', still), field, requester), {
    code: 'VIDEO_TOO_LONG',
    message: 'targetGif is longer than 30 seconds.',
    details: { limit: 30 },
  });
});

test('a frame is held to its sides and to its pixels, with the limit that it passed', async () => {
  const { clipPixels, clipSide, gifTotalPixels } = AI_TASKS_LIMITS;
  const cases = [
    [clipSide + 1, 1, clipSide],
    [clipSide, clipPixels / clipSide + 1, clipPixels],
  ] as const;
  for (const [width, height, limit] of cases) {
    const screen = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
    screen.writeUInt16LE(width, 6);
    screen.writeUInt16LE(height, 8);
    await assert.rejects(checkClip(await upload('d.gif', screen), field, requester), {
      code: 'RESOLUTION_TOO_HIGH',
      field: 'targetGif',
      message: `targetGif is ${width} x ${height} pixels, more than ${clipPixels} or ${clipSide} on a side.`,
      details: { limit },
    });
  }
  assert.equal(gifTotalPixels, MAX_GIF_TOTAL_PIXELS, 'what is told is what is refused');
});
