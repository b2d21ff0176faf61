import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { Front } from '../front/front.ts';
import { gazesOf } from '../match/suited-eyes.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { setIris } from '../testing/set-iris.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { EYES } from '../uv/face-regions.ts';
import { SmallerAtlases } from '../uv/smaller-atlases.ts';
import { type EyeNumber, spoiledEye, withMirroredEye } from './spoiled-eye.ts';
import { uncover } from './uncover.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN = [150, -15, 22] as const;
const RADIUS = 8;

/** Makes landmarks of a face in the atlas's place, whose irises are this far aside, in radii. */
function looking(...aside: readonly [number, number]): Float32Array {
  const mesh = new Float32Array(478 * 3);
  for (let v = 0; v < 468; v++) mesh.set(layout.points.subarray(2 * v, 2 * v + 2), 3 * v);
  for (const [k, { corners, iris }] of EYES.entries()) {
    const [x, y] = [0, 1].map((axis) => (mesh[3 * corners[0] + axis]! + mesh[3 * corners[1] + axis]!) / 2);
    setIris(mesh, iris, x! + aside[k]! * RADIUS, y!, RADIUS);
  }
  return mesh;
}

const straight = looking(0, 0);

/** Paints eyes whose pupils have these lumas. */
function face(right = 30, left = 30): ReturnType<typeof paintedAtlas> {
  return paintedAtlas(SIDE, (u, _v, i) =>
    layout.softEyes[i]! > 0.5 ? [u < 0.5 ? right : left, 0, 0] : SKIN,
  );
}

function found(front: Front, seen = face(), landmarks = straight): EyeNumber | null {
  return spoiledEye(front, seen, landmarks, layout, ordinaryPlanes);
}

const hairOver = (isHidden: (u: number) => boolean): Front =>
  paintedFront((u, v) => (isHidden(u) && v > 0.3 && v < 0.45 ? { hair: 1, bare: SKIN } : {}));
const lenses = paintedFront(() => ({ lens: 1, needed: 0.1 }));

test('an eye behind hair is spoiled if the other one is free and looks ahead', () => {
  assert.equal(found(paintedFront()), null);
  assert.equal(found(hairOver((u) => u < 0.5)), 0);
  assert.equal(found(hairOver((u) => u > 0.5)), 1);
  assert.equal(found(hairOver(() => true)), null);
  // The place of an iris behind hair is a guess.
  assert.equal(
    found(
      hairOver((u) => u > 0.5),
      face(),
      looking(0, 0.6),
    ),
    1,
  );
  assert.equal(
    found(
      hairOver((u) => u > 0.5),
      face(),
      looking(0.6, 0),
    ),
    null,
  );
});

test('an eye behind a reflection is spoiled, and only behind lenses', () => {
  assert.equal(found(lenses), null);
  assert.equal(found(lenses, face(50, 30)), 0);
  assert.equal(found(lenses, face(30, 50)), 1);
  assert.equal(found(lenses, face(35, 30)), null, 'eyes differ a little');
  assert.equal(found(lenses, face(30, 50), looking(0, 0.6)), null);
  assert.equal(found(paintedFront(), face(30, 50)), null);
});

test("the other eye's mirror image takes its place, in the light of its own side", () => {
  const front = hairOver((u) => u > 0.5);
  const atlas = face(30, 90);
  uncover(atlas, new SmallerAtlases(atlas, ordinaryPlanes), front, 1, layout, ordinaryPlanes);
  const [right, left] = [0, 1].map((half) =>
    [...layout.softEyes.keys()].find(
      (i) => layout.softEyes[i]! > 0.95 && i % SIDE >= SIDE / 2 === (half === 1),
    )!,
  );
  assert.equal(atlas.luma[right!], 30);
  assert.ok(Math.abs(atlas.luma[left!]! - 30) < 1.5, `${atlas.luma[left!]}`);
});

test('the landmarks of this eye alone are the mirrored ones', () => {
  const aside = looking(0.3, 0.1);
  const mirrored = withMirroredEye(aside, 1, layout);
  const [right, left] = gazesOf(mirrored).map(([x]) => x) as [number, number];
  assert.ok(Math.abs(right - 0.3) < 0.05, `${right}`);
  assert.ok(Math.abs(left + 0.3) < 0.05, `${left}`);
  assert.deepEqual(mirrored.subarray(0, 3), aside.subarray(0, 3));
});
