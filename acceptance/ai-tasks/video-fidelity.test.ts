/** `/api/ai-tasks/video`: what of a video must come back as it was. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { readPackets } from '@guise/media/video/test-clip.ts';
import {
  download,
  faceClip,
  newVideoClient,
  skipWithoutVideo,
  swapVideo,
  untilScratchHoldsAPart,
  untilScratchIsEmpty,
  videoClient,
} from './clip-setup.ts';
import { service } from './photo-setup.ts';

const av = await loadNodeAv();

async function packetsOf(bytes: Uint8Array, name: string): Promise<ReturnType<typeof readPackets>> {
  const file = path.join(service.dataDir, name);
  await writeFile(file, bytes);
  return readPackets(av!, file);
}

describe('what a video keeps', { skip: skipWithoutVideo }, () => {
  test('every time stamp of a variable rate, its end, and every byte of its AAC', async () => {
    const ticks = [0, 3, 12, 13, 40, 52, 90, 91, 92, 150, 151, 180];
    const target = await faceClip({ frames: ticks.length, framesPerSecond: 10, ticks, sound: true });
    const task = await videoClient.run(swapVideo(target));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    assert.equal(task.result.receipt.frames.total, ticks.length);
    const from = await packetsOf(target.bytes, 'sent.mp4');
    const to = await packetsOf(await download(task.result.outputs[0].url), 'received.mp4');
    assert.deepEqual(
      to.video.map(({ seconds }) => seconds),
      from.video.map(({ seconds }) => seconds),
    );
    assert.equal(to.video.at(-1)?.end, from.video.at(-1)?.end);
    assert.ok(from.sound.length > 30);
    assert.deepEqual(to.sound, from.sound);
  });

  test('every time stamp of a WebM of a variable rate, and every byte of its Opus', async () => {
    const ticks = [0, 24, 36, 120, 132, 180, 300];
    const container = 'webm';
    const target = await faceClip({
      container,
      frames: ticks.length,
      framesPerSecond: 10,
      ticks,
      sound: true,
    });
    const task = await videoClient.run(swapVideo(target));
    assert.equal(task.status, 'COMPLETED', JSON.stringify(task.result));
    const from = await packetsOf(target.bytes, 'sent.webm');
    const to = await packetsOf(await download(task.result.outputs[0].url), 'received.webm');
    assert.deepEqual(
      to.video.map(({ seconds }) => seconds),
      from.video.map(({ seconds }) => seconds),
    );
    assert.deepEqual(to.sound, from.sound);
  });
});

test(
  'a running video stops within a second of its cancelling',
  { skip: skipWithoutVideo },
  async (context) => {
    const client = await newVideoClient({ credits: 100 });
    const target = await faceClip({ frames: 100, framesPerSecond: 10 });
    // The best of some: what else the machine does is not the service's.
    const times: number[] = [];
    for (let attempt = 0; attempt < 10 && !times.some((ms) => ms < 1000); attempt++) {
      const { taskId } = (await client.post(swapVideo(target))).body;
      await untilScratchHoldsAPart();
      const cancelled = performance.now();
      assert.equal((await client.cancel(taskId)).body.status, 'CANCELLED');
      await untilScratchIsEmpty();
      times.push(performance.now() - cancelled);
    }
    context.diagnostic(`${times.map(Math.round).join(', ')} ms`);
    assert.ok(Math.min(...times) < 1000, `${times.join(', ')} ms`);
  },
);
