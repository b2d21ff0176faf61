import type { RgbImage } from '@guise/kernels/image.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { compositeFace } from './composite.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(128);
const mesh = inImageAxes(canonical.vertices).map((value, i) => value * 8 + (i % 3 === 0 ? 80 : 90));
const width = 160;
const height = 190;
const target = { data: new Uint8Array(width * height * 3).map((_, i) => (i * 7919) % 251), width, height };

function plainTexture(colour: number): { side: number; rgba: Int16Array; grain: number; occluded: null } {
  const rgba = new Int16Array(128 * 128 * 4).fill(64 * colour);
  for (let i = 0; i < 128 * 128; i++)
    rgba[4 * i + 3] = 32_767 * layout.opacity[i]! * (1 - Math.min(1, 1.15 * layout.softEyes[i]!));
  return { side: 128, rgba, grain: 3, occluded: null };
}

function insideMesh(): Uint8Array {
  const points = new Float32Array(468 * 2);
  for (let v = 0; v < 468; v++) points.set([mesh[3 * v]!, mesh[3 * v + 1]!], 2 * v);
  const spans = triangleSpans(points, canonical.triangles, width, height);
  const inside = new Uint8Array(width * height);
  for (let run = 0; run < spans.row.length; run++) {
    const start = spans.row[run]! * width;
    inside.fill(1, start + spans.left[run]!, start + spans.right[run]!);
  }
  return inside;
}

test('pixels outside the mesh are bit-identical, also where the moved mesh reaches out of it', () => {
  const moved = mesh.slice();
  for (let v = 0; v < 468; v++) moved[3 * v]! += 25;
  const before = target.data.slice();
  const { data } = compositeFace(target, layout, plainTexture(200), mesh, moved);
  const inside = insideMesh();
  let changed = 0;
  for (let p = 0; p < inside.length; p++) {
    for (let k = 0; k < 3; k++) {
      if (data[3 * p + k] === target.data[3 * p + k]) continue;
      changed += 1;
      assert.equal(inside[p], 1, `pixel ${p % width}, ${Math.floor(p / width)} lies outside the mesh`);
    }
  }
  assert.ok(changed > 5000);
  assert.deepEqual(target.data, before, 'the target itself is not touched');
});

test('a texture of no opacity over an unmoved mesh changes nothing', () => {
  const texture = plainTexture(200);
  for (let i = 3; i < texture.rgba.length; i += 4) texture.rgba[i] = 0;
  assert.ok(samePixels(compositeFace(target, layout, texture, mesh, mesh), target));
});

test("the middle of the face takes the texture, the eyes stay the target's", () => {
  const { data } = compositeFace(target, layout, { ...plainTexture(200), grain: 0 }, mesh, mesh);
  const at = (x: number, y: number): number => data[3 * (Math.floor(y) * width + Math.floor(x))]!;
  assert.equal(at(mesh[3 * 5]!, mesh[3 * 5 + 1]!), 200);
  const eyeX = (mesh[3 * 33]! + mesh[3 * 133]!) / 2;
  const eyeY = (mesh[3 * 159 + 1]! + mesh[3 * 145 + 1]!) / 2;
  const eye = Math.floor(eyeY) * width + Math.floor(eyeX);
  assert.equal(data[3 * eye], target.data[3 * eye]);
});

test("a mesh that hangs over the image's border is drawn as far as it goes", () => {
  const outside = mesh.map((value, i) => (i % 3 === 0 ? value - 100 : value));
  const { data } = compositeFace(target, layout, plainTexture(200), outside, outside);
  assert.equal(data.length, target.data.length);
  const gone = mesh.map((value, i) => (i % 3 === 0 ? value - 1000 : value));
  assert.ok(samePixels(compositeFace(target, layout, plainTexture(200), gone, gone), target));
});

test("a face is drawn over the target's own pixels as over a copy of them, also where it is too large for the stage", () => {
  for (const scale of [1, 28]) {
    const [large, moved] = [mesh.map((value) => value * scale), mesh.map((value) => value * scale * 0.97)];
    const [w, h] = [width * scale, height * scale];
    const pixels = Buffer.alloc(
      w * h * 3,
      Uint8Array.from({ length: 251 }, (_, i) => (i * 7919) % 251),
    );
    const image = { data: pixels, width: w, height: h };
    const copy = compositeFace(image, layout, plainTexture(200), large, moved);
    assert.ok(!samePixels(copy, image));
    const over = compositeFace(image, layout, plainTexture(200), large, moved, ordinaryPlanes, pixels);
    assert.equal(over.data, pixels);
    assert.ok(samePixels(over, copy), `scale ${scale}`);
  }
});

/** Compares whole pictures; a failing `deepEqual` of them would take minutes and gigabytes. */
function samePixels(a: RgbImage, b: RgbImage): boolean {
  return Buffer.from(a.data).equals(b.data);
}
