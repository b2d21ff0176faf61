import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { assertV1Error } from './client.ts';
import { makeFaceClip } from './face-clip.ts';
import { client } from './setup.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const { face, body: portrait } = await readSampleFaces();
const film = av === null ? '' : (await makeFaceClip(av, face, 6)).toString('base64');
const video = { source_image: portrait.toString('base64'), target_video: film };

test('a part of a video: its length, its price and its frames', { skip, timeout: 300_000 }, async () => {
  const accepted = await client.post('video-swap', { ...video, start_seconds: 1.2, end_seconds: 5.3 });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  assert.equal(accepted.body.credits_estimated, 10);
  const seen = await client.poll(accepted.body.job_id);
  assert.deepEqual([seen[0].status, seen[0].duration, seen[0].credits_used], ['completed', 4.1, 10]);
  for (const { total_frames } of seen) assert.ok(total_frames === undefined || total_frames === 41);
});

test('a quote is of the part', { skip }, async () => {
  const quote = await client.post('video-swap?dryRun=true', { ...video, end_seconds: 3.5 });
  assert.equal(quote.body.credits_estimated, 8);
});

test('0 <= start < end <= length, at least 0.5 s apart', { skip }, async () => {
  for (const [fields, message] of [
    [{ start_seconds: '1' }, /^start_seconds must be a number, 0 or more\.$/],
    [{ start_seconds: -1 }, /^start_seconds must be a number, 0 or more\.$/],
    [{ end_seconds: 6.1 }, /^end_seconds must not be after the end of the clip: target_video is 6 seconds/],
    [
      { start_seconds: 2, end_seconds: 2.4 },
      /^end_seconds must be at least 0\.5 seconds after start_seconds/,
    ],
    [{ start_seconds: 5.8 }, /^start_seconds must lie at least 0\.5 seconds before the end/],
  ] as const) {
    assertV1Error(await client.post('video-swap', { ...video, ...fields }), 400, 'INVALID_REQUEST', message);
  }
});
