import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FramePlanes, PlaneColours } from '@guise/kernels/frame-planes.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { trianglesUnder } from '../draw/allowance.ts';
import { compositeFace } from '../draw/composite.ts';
import { TrackComposite } from './composite.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(128);
const mesh = inImageAxes(canonical.vertices).map((value, i) => value * 8 + (i % 3 === 0 ? 80 : 90));
const moved = mesh.map((value, i) => value + Math.sin(i) * (i % 3 === 2 ? 0 : 1.5));
const width = 160;
const height = 190;
/** Colours are stored unchanged: red as luma, green and blue as chroma. */
const colours: PlaneColours = { offset: [0, 0, 0], weights: [1, 0, 0, 0, 1, 0, 0, 0, 1] };

/** Paints slow waves, which half as many samples show as well. */
function wave(channel: number, x: number, y: number): number {
  return 128 + 90 * Math.sin(0.02 * x + channel) * Math.cos(0.03 * y - channel);
}

const rgb = new Uint8Array(width * height * 3).map((_, i) => {
  const pixel = Math.floor(i / 3);
  return wave(i % 3, (pixel % width) + 0.5, Math.floor(pixel / width) + 0.5);
});

function planesOf(chromaIsHalved: boolean): FramePlanes {
  const data = [0, 1, 2].map((channel) => {
    if (channel === 0 || !chromaIsHalved)
      return Uint8Array.from({ length: width * height }, (_, i) => rgb[3 * i + channel]!);
    const half = width / 2;
    return Uint8Array.from({ length: half * (height / 2) }, (_, i) =>
      wave(channel, 2 * (i % half) + 0.5, 2 * Math.floor(i / half) + 1),
    );
  }) as [Uint8Array, Uint8Array, Uint8Array];
  const chromaStride = chromaIsHalved ? width / 2 : width;
  const strides = [width, chromaStride, chromaStride] as const;
  return { x: 0, y: 0, width, height, chromaIsHalved, data, strides, colours };
}

function texture(): Float32Array {
  const texels = new Float32Array(128 * 128 * 4);
  for (let i = 0; i < 128 * 128; i++) {
    for (let k = 0; k < 3; k++) texels[4 * i + k] = wave(k + 2, i % 128, i / 128);
    texels[4 * i + 3] = layout.opacity[i]! * (1 - Math.min(1, 1.15 * layout.softEyes[i]!));
  }
  return texels;
}

/** Arranges pixels in the two planes of `FaceTexels`. */
function paired(rgba: Float32Array): Float32Array {
  const texels = new Float32Array(rgba.length);
  for (let i = 0; i < 128 * 128; i++) {
    texels.set([rgba[4 * i]!, rgba[4 * i + 3]!], 2 * i);
    texels.set([rgba[4 * i + 1]!, rgba[4 * i + 2]!], 2 * (128 * 128 + i));
  }
  return texels;
}

/** The coverage is smooth, like light: something covers the right half of the face. */
const occluded = new Float32Array(128 * 128).map((_, i) => Math.max(0, ((i % 128) - 64) / 64));

for (const chromaIsHalved of [false, true]) {
  test(`a video's face is drawn as a still's, chroma ${chromaIsHalved ? 'halved' : 'whole'}`, () => {
    const rgba = texture();
    const packed = Int16Array.from(rgba, (value, i) => (i % 4 === 3 ? 32_767 : 64) * value);
    const still = { side: 128, rgba: packed, grain: 2, grainSeed: 5, occluded };
    const wanted = compositeFace({ data: rgb, width, height }, layout, still, mesh, moved).data;
    const planes = planesOf(chromaIsHalved);
    const composite = new TrackComposite(layout);
    const picture = { side: 128, texels: paired(rgba), grain: 0, grainShift: 5 * 7919 };
    const occluders = { plane: occluded, side: 128, triangles: trianglesUnder(occluded, layout) };
    // The remains of the face of another frame must not be visible.
    composite.draw(planesOf(chromaIsHalved), picture, occluders, moved, mesh);
    composite.draw(planes, { ...picture, grain: 2 }, occluders, mesh, moved);
    // The still's edge is a little harder at the box around the mesh.
    let apart = 0;
    for (let i = 0; i < width * height; i++)
      if (Math.abs(planes.data[0][i]! - wanted[3 * i]!) > 1) apart += 1;
    assert.ok(apart < 60, `luma differs in ${apart} pixels`);
    for (const channel of [1, 2] as const) {
      const half = chromaIsHalved ? 2 : 1;
      let sum = 0;
      for (let y = 0; y < height / half; y++) {
        for (let x = 0; x < width / half; x++) {
          const at = 3 * (y * half * width + x * half) + channel;
          const below = chromaIsHalved ? at + 3 * width : at;
          const value = planes.data[channel][(y * width) / half + x]!;
          sum += Math.abs(value - (wanted[at]! + wanted[below]!) / 2);
        }
      }
      const mean = (sum * half * half) / (width * height);
      assert.ok(mean < 1, `chroma differs by ${mean} in the mean`);
    }
  });
}

test('pixels outside the true mesh keep their bits, also where the moved mesh reaches out of it', () => {
  const shifted = mesh.map((value, i) => (i % 3 === 0 ? value + 25 : value));
  const planes = planesOf(true);
  const texels = paired(texture());
  new TrackComposite(layout).draw(
    planes,
    { side: 128, texels, grain: 3, grainShift: 1 },
    null,
    mesh,
    shifted,
  );
  let right = 0;
  for (let v = 0; v < 468; v++) right = Math.max(right, mesh[3 * v]!);
  let changed = 0;
  for (let i = 0; i < width * height; i++) {
    if (planes.data[0][i] === rgb[3 * i]) continue;
    changed += 1;
    assert.ok((i % width) + 0.5 < right);
  }
  assert.ok(changed > 5000);
});

test('a texture of no opacity over an unmoved mesh changes nothing', () => {
  const planes = planesOf(true);
  const texels = paired(texture().map((value, i) => (i % 4 === 3 ? 0 : value)));
  new TrackComposite(layout).draw(planes, { side: 128, texels, grain: 3, grainShift: 1 }, null, mesh, mesh);
  for (const [k, plane] of planesOf(true).data.entries())
    assert.ok(Buffer.from(planes.data[k]!).equals(plane), `plane ${k}`);
});
