import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { loadCanonicalFace } from '../geometry/canonical-face.ts';
import { refineLowerLip } from './lower-lip.ts';

const { vertices } = await loadCanonicalFace();
/** Side of the painted photo, pixels. */
const SIDE = 400;
/** Pixels to a centimetre of the canonical face. */
const SCALE = 20;
/** Length of the face, pixels. */
const FACE_PX = SCALE * Math.abs(vertices[3 * 10 + 1]! - vertices[3 * 152 + 1]!);
/** Outer edge of the lower lip, from corner to corner, and the inner one back. */
const LOWER_LIP = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 308, 14, 78];
/** Vertices of that edge which move with the lip. */
const MOVED = [91, 181, 84, 17, 314, 405, 321];
const SKIN = [200, 160, 140];
const LIP = [190, 90, 95];

/** Canonical face as landmarks of the photo. */
function landmarksOfFace(): Float32Array {
  const landmarks = new Float32Array(478 * 3);
  for (let v = 0; v < 468; v++) {
    landmarks[3 * v] = SIDE / 2 + SCALE * vertices[3 * v]!;
    landmarks[3 * v + 1] = SIDE / 2 - SCALE * vertices[3 * v + 1]!;
  }
  return landmarks;
}

/** Paints a lower lip that ends so much (pixels) below the landmarks, in one colour on another. */
function photo(landmarks: Float32Array, lower: number, lip: readonly number[], skin: readonly number[]) {
  const isLip = new Float32Array(SIDE * SIDE);
  const ring = LOWER_LIP.flatMap((v) => [
    landmarks[3 * v]!,
    landmarks[3 * v + 1]! + (MOVED.includes(v) ? lower : 0),
  ]);
  fillPolygon(isLip, SIDE, SIDE, ring);
  const data = Uint8Array.from({ length: 3 * SIDE * SIDE }, (_, i) => {
    const share = isLip[Math.floor(i / 3)]!;
    return Math.round(share * lip[i % 3]! + (1 - share) * skin[i % 3]!);
  });
  return new ImagePyramid({ data, width: SIDE, height: SIDE });
}

/** Measures how far refining moves each vertex downwards, pixels. */
function movedBy(lower: number, lip: readonly number[] = LIP, skin: readonly number[] = SKIN) {
  const landmarks = landmarksOfFace();
  const before = landmarks.slice();
  refineLowerLip(photo(landmarks, lower, lip, skin), landmarks);
  return (v: number): number => landmarks[3 * v + 1]! - before[3 * v + 1]!;
}

test('a lower lip that ends below its landmarks draws them along, the corners and the upper lip not', () => {
  const lower = 0.025 * FACE_PX;
  const moved = movedBy(lower);
  for (const v of [181, 84, 17, 314, 405])
    assert.ok(Math.abs(moved(v) - lower) < 0.4 * lower, `vertex ${v} by ${moved(v)} of ${lower} px`);
  assert.ok(moved(16) > 0.5 * moved(17) && moved(16) < 0.8 * moved(17), `inside ${moved(16)}`);
  assert.ok(moved(18) > 0.4 * moved(17) && moved(18) < 0.6 * moved(17), `below ${moved(18)}`);
  for (const v of [61, 291, 0, 13, 14, 152]) assert.equal(moved(v), 0);
});

test('landmarks that end with the lip stay within half a hundredth of the face', () => {
  const moved = movedBy(0);
  for (const v of MOVED) assert.ok(Math.abs(moved(v)) < 0.005 * FACE_PX, `vertex ${v} by ${moved(v)} px`);
});

test('lips hardly redder than the skin, and photos without colours, move nothing', () => {
  for (const [lip, skin] of [
    [[196, 150, 132], SKIN],
    [
      [90, 90, 90],
      [170, 170, 170],
    ],
  ] as const)
    for (const v of MOVED) assert.equal(movedBy(0.025 * FACE_PX, lip, skin)(v), 0);
});

test('a red chin or beard that goes on beyond the reach is no lip', () => {
  const moved = movedBy(0.15 * FACE_PX);
  for (const v of MOVED) assert.equal(moved(v), 0);
});
