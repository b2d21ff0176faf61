import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { RgbaFrame } from '@guise/media/gif/rgba-frame.ts';
import sharp from 'sharp';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import type { FaceAnalyser } from '../detect/analyser.ts';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { FaceTracks } from './face-tracks.ts';
import { engine } from '../../pipeline/testing/test-engine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-face-tracks-'));
after(() => rm(dir, { recursive: true, force: true }));

const WIDTH = 360;
const HEIGHT = 280;
const FRAMES = 30;
const face = await sharp((await readSampleFaces()).face)
  .resize(220)
  .toBuffer();

/**
 * The sample face, three pixels further to the right in every frame; on another grey from `cut` on.
 */
async function pictureOf(frame: number, cut: number): Promise<Uint8Array> {
  const background = frame < cut ? '#777' : '#246';
  const left = frame < cut ? 3 * frame : 120 - 3 * (frame - cut);
  return new Uint8Array(
    await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background } })
      .composite([{ input: face, left, top: 30 }])
      .raw()
      .toBuffer(),
  );
}

/** Looks at the clip. @returns what was found, and how often a mesh was read */
async function follow(framesPerSecond: number, cut = FRAMES): Promise<{ tracks: FaceTracks; reads: number }> {
  let reads = 0;
  const analyser: FaceAnalyser = {
    ...engine.analyser,
    readMesh: (pyramid, region) => {
      reads += 1;
      return engine.analyser.readMesh(pyramid, region);
    },
  };
  const tracks = new FaceTracks(analyser, await loadCanonicalFace());
  for (let frame = 0; frame < FRAMES; frame++) {
    const rgba = await pictureOf(frame, cut);
    await tracks.look(new RgbaFrame(rgba, WIDTH, HEIGHT, frame, frame / framesPerSecond));
    assert.ok(tracks.known >= frame && tracks.known <= frame + 1);
  }
  await tracks.readLeft();
  assert.equal(tracks.known, FRAMES);
  tracks.finish();
  return { tracks, reads };
}

/** Where the face is in each frame, less where it was put. */
function wander({ tracks: [track] }: FaceTracks): number[] {
  return Array.from({ length: FRAMES }, (_, frame) => track!.mesh(frame).x - 3 * frame);
}

test('of a film of 50 frames a second every second frame is put between the others, and lies there', async () => {
  const slow = await follow(12);
  const dense = await follow(50);
  assert.deepEqual([slow.tracks.tracks.length, dense.tracks.tracks.length], [1, 1]);
  assert.equal(dense.tracks.tracks[0]!.length, FRAMES);
  assert.ok(slow.reads >= FRAMES, `${slow.reads} of all frames`);
  assert.ok(dense.reads < 0.65 * FRAMES, `${dense.reads} of every second frame`);
  const read = wander(slow.tracks);
  for (const [frame, x] of wander(dense.tracks).entries())
    assert.ok(Math.abs(x - read[frame]!) < 1, `frame ${frame}: ${x} and ${read[frame]}`);
});

test('the last frame before a cut is read, and no mesh reaches over it', async () => {
  const { tracks } = await follow(50, 14);
  assert.deepEqual([...tracks.cuts], [14]);
  assert.deepEqual(
    tracks.tracks.map(({ firstFrame, length }) => [firstFrame, length]),
    [
      [0, 14],
      [14, FRAMES - 14],
    ],
  );
  const [before, behind] = [tracks.tracks[0]!.mesh(13).x, tracks.tracks[1]!.mesh(14).x];
  assert.ok(Math.abs(behind - before - (120 - 39)) < 3, `${before} to ${behind}`);
});
