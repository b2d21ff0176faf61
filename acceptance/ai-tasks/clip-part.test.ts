/** `startSeconds` and `endSeconds` of `/api/ai-tasks/video` and `/gif`: a part of a clip. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { assertError, type Fields } from './client.ts';
import {
  animation,
  clip,
  download,
  faceClip,
  gifClient,
  skipWithoutVideo,
  swapGif,
  swapVideo,
  videoClient,
} from './clip-setup.ts';
import { service } from './photo-setup.ts';

function part(start: number | string | null, end: number | string | null): Fields {
  return [
    ...(start === null ? [] : [['startSeconds', String(start)] as const]),
    ...(end === null ? [] : [['endSeconds', String(end)] as const]),
  ];
}

describe('a part of a clip', { skip: skipWithoutVideo }, () => {
  test('the result is of the part, exact to the picture, and costs what its length does', async () => {
    const target = await faceClip({ frames: 60, framesPerSecond: 10, sound: true });
    const { body } = await videoClient.post(swapVideo(target, part(0.5, 4.6)));
    assert.equal(body.requiredCredits, 10, '4.1 s');
    const task = await videoClient.untilTerminal(body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const { startSeconds, endSeconds, targetVideo } = task.parameters;
    assert.deepEqual([startSeconds, endSeconds, targetVideo.durationSeconds], [0.5, 4.6, 6]);
    const [output] = task.result.outputs;
    assert.equal(output.durationSeconds, 4.1);
    assert.equal(task.result.receipt.frames.total, 41);
    const file = path.join(service.dataDir, 'part.mp4');
    await writeFile(file, await download(output.url));
    const probe = await probeVideo(file);
    assert.deepEqual([probe.frameCount, probe.durationSeconds, probe.audioCodec], [41, 4.1, 'aac']);
  });

  test('a dry run quotes the part', async () => {
    const target = await clip({ frames: 60, framesPerSecond: 10 });
    const quoted = async (fields: Fields): Promise<number> =>
      (await videoClient.post(swapVideo(target, fields), { query: '?dryRun=true' })).body.requiredCredits;
    assert.deepEqual(
      [
        await quoted([]),
        await quoted(part(null, 4)),
        await quoted(part(1.5, null)),
        await quoted(part(0, 6.04)),
      ],
      [12, 8, 10, 12],
    );
  });

  test('a part of a GIF', async () => {
    const target = await animation(10, 300);
    const { body } = await gifClient.post(swapGif(target, part(0.6, 2.1)));
    assert.equal(body.estimatedCredits, 6);
    const task = await gifClient.untilTerminal(body.taskId);
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const { durationSeconds } = task.result.outputs[0];
    assert.deepEqual([durationSeconds, task.result.receipt.frames.total], [1.5, 5]);
  });

  test('0 <= start < end <= length, at least 0.5 s apart', async () => {
    const target = await clip({ frames: 20, framesPerSecond: 10 });
    for (const [start, end, message] of [
      ['x', null, /^startSeconds must be a number from 0\.$/],
      [-1, null, /^startSeconds must be a number from 0\.$/],
      [null, '', /^endSeconds must be a number from 0\.$/],
      [null, '1e400', /^endSeconds must be a number from 0\.$/],
      [null, 2.1, /^endSeconds must not be after the end of the clip: targetVideo is 2 seconds long\.$/],
      [1, 1.4, /^endSeconds must be at least 0\.5 seconds after startSeconds\.$/],
      [1.5, 1, /^endSeconds must be at least 0\.5 seconds after startSeconds\.$/],
      [1.6, null, /^startSeconds must lie at least 0\.5 seconds before the end of targetVideo/],
      [7, null, /^startSeconds must lie at least 0\.5 seconds before the end of targetVideo/],
    ] as const) {
      assertError(await videoClient.post(swapVideo(target, part(start, end))), 400, message);
    }
    const gif = await animation(4, 500, 'grey');
    assertError(await gifClient.post(swapGif(gif, part(0, 3))), 400, /targetGif is 2 seconds long/);
  });
});
