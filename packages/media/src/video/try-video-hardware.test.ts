import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VIDEO_HARDWARE } from '@guise/contract/video-hardware.ts';
import { loadNodeAv } from './node-av.ts';
import { tryVideoHardware } from './try-video-hardware.ts';

const skip = (await loadNodeAv()) === null ? 'node-av is not installed' : false;

test('each hardware either encodes, or a sentence says why it does not', { skip }, async () => {
  const tried = await tryVideoHardware(VIDEO_HARDWARE);
  assert.deepEqual(
    tried.map(({ hardware }) => hardware),
    VIDEO_HARDWARE,
  );
  for (const { hardware, header, problem } of tried) {
    if (problem === undefined) assert.match(header!, /^[0-9a-f]{16}$/, hardware);
    else assert.match(problem, /^\S.{5,}/, hardware);
  }
  const foreign = tried.find(({ hardware }) =>
    process.platform === 'darwin' ? hardware === 'vaapi' : hardware === 'videotoolbox',
  );
  assert.match(foreign!.problem!, /^this build of FFmpeg has no h264_/);
});
