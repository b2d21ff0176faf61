/** `/v1/video-swap` with Matroska, AVI and MPEG-TS. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeSource, type TestSource } from '@guise/media/video/test-source.ts';
import { assertV1Error } from './client.ts';
import { makeFaceClip } from './face-clip.ts';
import { client } from './setup.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const folder = await mkdtemp(path.join(tmpdir(), 'guise-containers-'));
after(() => rm(folder, { recursive: true, force: true }));
const { face, body: portrait } = await readSampleFaces();
const source_image = portrait.toString('base64');

async function film(source: TestSource): Promise<string> {
  const [from, to] = [path.join(folder, 'face.mp4'), path.join(folder, 'face')];
  await writeFile(from, await makeFaceClip(av!, face, 2));
  await makeSource(av!, from, to, source);
  return (await readFile(to)).toString('base64');
}

for (const [name, source, output_format] of [
  ['Matroska', { muxer: 'matroska' }, undefined],
  ['AVI', { muxer: 'avi', encoder: 'mpeg4', bFrames: 1 }, 'webm'],
  ['MPEG-TS', { muxer: 'mpegts', startSeconds: 500 }, undefined],
] as const) {
  const made = output_format ?? 'mp4';
  test(`a video in ${name} is swapped, and comes out as ${made}`, { skip, timeout: 300_000 }, async () => {
    const target_video = await film(source);
    const accepted = await client.post('video-swap', { source_image, target_video, output_format });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    assert.equal(accepted.body.credits_estimated, 6);
    const [last] = await client.poll(accepted.body.job_id);
    assert.deepEqual([last.status, last.output_format, last.resolution], ['completed', made, '320x280']);
    // How long the last of 20 pictures lasts is said in none of them.
    assert.ok(Math.abs(last.duration - 2) <= 0.1, `${last.duration} s`);
    const file = Buffer.from(await (await fetch(last.output_url)).arrayBuffer());
    const head = made === 'mp4' ? file.toString('latin1', 4, 8) : file.toString('latin1', 0, 4);
    assert.equal(head, made === 'mp4' ? 'ftyp' : '\x1aE\xdf\xa3');
  });
}

test('none of them is an output format', { skip }, async () => {
  const target_video = await film({ muxer: 'matroska' });
  for (const output_format of ['mkv', 'avi', 'ts'])
    assertV1Error(
      await client.post('video-swap', { source_image, target_video, output_format }),
      400,
      'INVALID_REQUEST',
      /^output_format must be mp4 or webm or mov/,
    );
});
