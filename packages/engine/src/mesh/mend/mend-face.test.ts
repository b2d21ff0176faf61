import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { createFaceAnalyser } from '../../face/detect/analyser.ts';
import { largestFace } from '../../face/detect/largest-face.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { type Atlas, copyAtlas, unwrapFace } from '../uv/atlas.ts';
import { NETWORK_SIDE } from '../uv/network-window.ts';
import { findFaults, mendFace } from './mend-face.ts';
import { sessions } from '../../models/testing/test-sessions.ts';

const SIDE = 512;
const layouts = createAtlasLayouts(await loadCanonicalFace());

const image = await readRgb((await readSampleFaces()).face);
const found = largestFace(await createFaceAnalyser(sessions).detect(image))!;
const face = unwrapFace(layouts(SIDE), new ImagePyramid(image), found.landmarks);

/** A pale patch with a hard edge on a cheek. */
const isPatch = (i: number): boolean => Math.hypot((i % SIDE) / SIDE - 0.3, i / SIDE / SIDE - 0.55) < 0.07;

const opaque = (): Float32Array => layouts(SIDE).opacity.slice();

/** Averages how far two faces are apart where `within` says, levels of luma. */
function apart(a: Atlas, b: Atlas, within: (i: number) => boolean): number {
  const texels = Array.from(a.luma.keys()).filter((i) => layouts(SIDE).core[i]! > 0.5 && within(i));
  return texels.reduce((sum, i) => sum + Math.abs(a.luma[i]! - b.luma[i]!), 0) / texels.length;
}

async function mended(swapped: Atlas, opacity: Float32Array, share = 1): Promise<Atlas> {
  const faults = await findFaults(sessions.mend, swapped, face, opacity);
  const out = copyAtlas(swapped);
  mendFace(out, faults, share, layouts(SIDE).oval, ordinaryPlanes);
  return out;
}

test('a pale patch on a cheek becomes fainter, and a face without faults stays', async () => {
  const faulty = copyAtlas(face);
  for (let i = 0; i < faulty.luma.length; i++) if (isPatch(i)) faulty.luma[i]! += 35;
  const drawn = apart(faulty, face, isPatch);
  const left = apart(await mended(faulty, opaque()), face, isPatch);
  assert.ok(left < 0.4 * drawn, `${left} of ${drawn} levels are left`);
  const moved = apart(await mended(face, opaque()), face, () => true);
  assert.ok(moved < 3, `a clean face moves by ${moved} levels`);
});

test('nothing changes where the swap drew nothing, or with a share of 0', async () => {
  const half = opaque().map((each, i) => (i % SIDE < SIDE / 2 ? 0 : each));
  const faults = await findFaults(sessions.mend, face, face, half);
  for (const plane of [faults.luma, faults.blue, faults.red])
    assert.ok(plane.every((step, i) => i % NETWORK_SIDE >= NETWORK_SIDE / 2 || Math.abs(step) < 1e-6));
  assert.deepEqual((await mended(face, opaque(), 0)).luma, face.luma);
});

test('faces of every atlas are mended', async () => {
  for (const side of [128, 256, 1024]) {
    const plane = (value: number): Float32Array => new Float32Array(side * side).fill(value);
    const atlas = { side, luma: plane(100), blue: plane(0), red: plane(0), facing: plane(1) };
    const faults = await findFaults(sessions.mend, atlas, atlas, plane(1));
    mendFace(atlas, faults, 1, layouts(side).oval, ordinaryPlanes);
    assert.ok(atlas.luma.every(Number.isFinite));
  }
});
