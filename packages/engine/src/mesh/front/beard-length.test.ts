import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { beardLength } from './beard-length.ts';

const canonical = await loadCanonicalFace();
const [WIDTH, HEIGHT] = [300, 400];
/** Scale of the face in the picture, and the vertices at its top and chin. */
const [SCALE, TOP, CHIN] = [12, 10, 152] as const;
const landmarks = inImageAxes(canonical.vertices).map(
  (value, i) => SCALE * value + [WIDTH / 2, HEIGHT / 2, 0][i % 3]!,
);
const chin = landmarks[3 * CHIN + 1]!;
/** The mouth's height, and lumas of cheeks and neck. */
const [MOUTH, SKIN, NECK] = [landmarks[3 * 17 + 1]!, 130, 100] as const;
const height = chin - landmarks[3 * TOP + 1]!;

/** Paints a beard to this distance below the chin, as a share of the face's height. */
function lengthOf(length: number, beard = 30, image = HEIGHT): number {
  const data = new Uint8Array(3 * WIDTH * image);
  for (let i = 0; i < data.length; i++) {
    const y = Math.floor(i / 3 / WIDTH);
    const isBeard = y > MOUTH && y < chin + length * height;
    data[i] = isBeard ? beard : y < chin ? SKIN : NECK;
  }
  return beardLength({ data, width: WIDTH, height: image }, landmarks);
}

test('the length of a beard is where the neck begins', () => {
  for (const length of [0.03, 0.06]) {
    const found = lengthOf(length);
    assert.ok(found >= length - 0.005 && found < length + 0.03, `${found} instead of ${length}`);
  }
  assert.deepEqual(
    [0.13, 0.3].map((each) => lengthOf(each)),
    [Infinity, Infinity],
  );
});

test('a beard through which the skin shows has no length', () => {
  assert.deepEqual(
    [0.03, 0.3].map((each) => lengthOf(each, 80)),
    [0, 0],
  );
  assert.equal(lengthOf(0.3, 150), 0);
  assert.equal(lengthOf(0.3, 45), Infinity);
});

test('a beard does not end if the picture does not show its end', () => {
  assert.equal(lengthOf(0.05, 30, Math.floor(chin + 0.04 * height)), Infinity);
});
