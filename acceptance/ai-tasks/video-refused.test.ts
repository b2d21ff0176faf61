/** `/api/ai-tasks/video`: what is refused, and hostile files. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../scripts/fixtures.ts';
import { assertError, type Fields } from './client.ts';
import {
  animation,
  clip,
  skipWithoutVideo,
  swapGif,
  swapVideo,
  gifClient,
  untilScratchIsEmpty,
  videoClient,
} from './clip-setup.ts';
import { face, MIB, padded, service } from './photo-setup.ts';

describe('400', { skip: skipWithoutVideo }, async () => {
  const target = await clip({ frames: 5, framesPerSecond: 5 });
  const right = swapVideo(target);
  const withSource = (bytes: Uint8Array): Fields => [
    ['sourceImage', { bytes }],
    ['targetVideo', target],
  ];
  const without = (name: string): Fields => right.filter(([field]) => field !== name);

  test('both files are required, once, as files', async () => {
    for (const name of ['sourceImage', 'targetVideo']) {
      assertError(await videoClient.post(without(name)), 400, new RegExp(`^${name} is missing`));
      const twice = await videoClient.post([...right, [name, target]]);
      assertError(twice, 400, new RegExp(`^${name} was sent twice`));
      const text = await videoClient.post([...without(name), [name, 'x']]);
      assertError(text, 400, new RegExp(`^${name} must be a file`));
    }
  });

  test('quality is 720p or 1080p', async () => {
    for (const quality of ['', '720', '1080P', '4k']) {
      const answer = await videoClient.post([...right, ['quality', quality]]);
      assertError(answer, 400, /^quality must be 720p or 1080p/);
    }
  });

  test('preserveScene is true or absent', async () => {
    for (const value of ['', 'false', 'TRUE', '1']) {
      const answer = await videoClient.post([...right, ['preserveScene', value]]);
      assertError(answer, 400, /^preserveScene must be true or left out/);
    }
  });

  test('restoration is from 0 to 1', async () => {
    for (const name of ['faceRestoreVisibility', 'restoreVisibility']) {
      for (const value of ['-0.01', '1.01', 'much']) {
        const answer = await videoClient.post([...right, [name, value]]);
        assertError(answer, 400, new RegExp(`^${name} must be`));
      }
    }
  });

  test('fields of other workflows are unknown', async () => {
    for (const name of ['targetGif', 'targetImage', 'mode', 'image']) {
      assertError(await videoClient.post([...right, [name, 'x']]), 400, /^Unknown field/);
    }
  });

  test('the source image is JPEG, PNG, WebP, HEIC or HEIF by content, at most 30 MiB', async () => {
    const image = sharp(face);
    for (const bytes of [await image.gif().toBuffer(), await image.avif().toBuffer(), target.bytes]) {
      assertError(
        await videoClient.post(withSource(bytes)),
        400,
        /^sourceImage must be a JPEG, PNG, WebP or HEIC\/HEIF image/,
      );
    }
    assertError(
      await videoClient.post(withSource(padded(30 * MIB + 1))),
      400,
      /^sourceImage is larger than 31457280 bytes/,
      { limit: 31_457_280 },
    );
  });

  test('the target is MP4, MOV or WebM by content', async () => {
    for (const bytes of [
      (await animation(2, 100, 'grey')).bytes,
      face,
      Buffer.from('#EXTM3U\n'),
      Buffer.alloc(99),
    ]) {
      assertError(
        await videoClient.post(swapVideo({ bytes, name: 'film.mp4', type: 'video/mp4' })),
        400,
        /^targetVideo must be of type MP4, MOV or WebM/,
      );
    }
    const stream = Buffer.alloc(4 * 188);
    for (let at = 0; at < stream.length; at += 188) stream[at] = 0x47;
    for (const [bytes, name] of [
      [Buffer.from('1a45dfa3a34282886d6174726f736b61', 'hex'), 'Matroska'],
      [Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'), 'AVI'],
      [stream, 'MPEG-TS'],
    ] as const) {
      const refused = await videoClient.post(swapVideo({ bytes }));
      const message = new RegExp(`^targetVideo must be of type MP4, MOV or WebM, but is ${name}\\.`);
      assertError(refused, 400, message, { code: 'INVALID_FORMAT', field: 'targetVideo' });
    }
    const empty = await videoClient.post(swapVideo({ bytes: new Uint8Array() }));
    assertError(empty, 400, /^targetVideo is an empty file/);
    const cut = await videoClient.post(swapVideo({ bytes: target.bytes.subarray(0, 40) }));
    assertError(cut, 400, /^targetVideo /);
  });

  test('one byte more than 95 MiB is too much, in the video and in both files', async () => {
    const bytes = Buffer.alloc(95 * MIB + 1);
    const alone = await videoClient.post([['targetVideo', { bytes }]]);
    assertError(alone, 400, /^targetVideo is larger than 99614720 bytes/, {
      code: 'VIDEO_TOO_LARGE',
      limit: 99_614_720,
    });
    const both = await videoClient.post([
      ['sourceImage', { bytes: face }],
      ['targetVideo', { bytes: bytes.subarray(face.length) }],
    ]);
    assertError(both, 400, /^All files together are larger than 99614720 bytes/, {
      code: 'INVALID_REQUEST',
      limit: 99_614_720,
    });
  });

  test('a video is not longer than 300 seconds', async () => {
    const answer = await videoClient.post(swapVideo(await clip({ frames: 301, framesPerSecond: 1 })));
    assertError(answer, 400, /^targetVideo is longer than 300 seconds/, {
      code: 'VIDEO_TOO_LONG',
      limit: 300,
    });
  });

  test('240 frames a second are taken, 250 are too many', async () => {
    const query = '?dryRun=true';
    const most = await clip({ frames: 240, framesPerSecond: 240 });
    assert.equal((await videoClient.post(swapVideo(most), { query })).status, 200);
    const more = await videoClient.post(swapVideo(await clip({ frames: 250, framesPerSecond: 250 })), {
      query,
    });
    assertError(more, 400, /^targetVideo has more than 240 frames per second/, {
      code: 'INVALID_FORMAT',
      limit: 240,
    });
  });

  test('nothing of what was refused is left', untilScratchIsEmpty);
});

describe('hostile files', { skip: skipWithoutVideo || skipWithoutFixtures }, () => {
  if (skipWithoutFixtures) return;
  /** Files that are answered 400 at once, by number, with the limit that the answer names. */
  const refused: Record<string, object> = {
    x14: { limit: 9_437_184 },
    x15: { limit: 400_000_000 },
    x20: {},
    x21: {},
    x22: {},
    x23: {},
    x24: {},
    x25: {},
    x28: { limit: 9_437_184 },
    x31: {},
  };
  for (const file of readdirSync(fixture('hostile'))) {
    const number = file.slice(0, 3);
    if (!/^x(14|15|2\d|3\d)/.test(file)) continue;
    test(`${file} is refused, or fails plainly, or is a film after all`, async () => {
      const bytes = await readFile(fixture(path.join('hostile', file)));
      const clients = [
        [videoClient, swapVideo({ bytes, name: file, type: 'video/mp4' }), 'targetVideo'],
        [gifClient, swapGif({ bytes, name: file, type: 'image/gif' }), 'targetGif'],
      ] as const;
      // The two damaged films that can be swapped all the same take their time.
      for (const [client, fields, name] of /^x2[67]/.test(file) ? clients.slice(0, 1) : clients) {
        const answer = await client.post(fields);
        if (answer.status === 400) {
          assert.ok(answer.body.error.startsWith(`${name} `), answer.body.error);
          const isGif = file.endsWith('.gif');
          if (number in refused && isGif === (name === 'targetGif')) {
            assertError(answer, 400, /./, refused[number]);
          }
          continue;
        }
        assert.ok(!(number in refused), `${name}: ${JSON.stringify(answer.body)}`);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        const task = await client.untilTerminal(answer.body.taskId);
        if (task.status === 'COMPLETED') continue;
        assert.match(task.result.error.code, /^(DECODE_FAILED|RESOURCE_LIMIT|NO_FACE_DETECTED)$/);
        assert.equal(task.costCredits, 0);
      }
    });
  }

  test('and the service is as well as before', async () => {
    await untilScratchIsEmpty();
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });
});
