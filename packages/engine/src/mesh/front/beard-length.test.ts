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
function lengthOf(length: number, beard = 30, image = HEIGHT): string {
  const data = new Uint8Array(3 * WIDTH * image);
  for (let i = 0; i < data.length; i++) {
    const y = Math.floor(i / 3 / WIDTH);
    const isBeard = y > MOUTH && y < chin + length * height;
    data[i] = isBeard ? beard : y < chin ? SKIN : NECK;
  }
  return beardLength({ data, width: WIDTH, height: image }, landmarks);
}

test('a beard that ends at the chin is short, and one that hangs down is long', () => {
  assert.deepEqual(
    [0.03, 0.05].map((each) => lengthOf(each)),
    ['short', 'short'],
  );
  assert.deepEqual(
    [0.12, 0.3].map((each) => lengthOf(each)),
    ['long', 'long'],
  );
});

test('a beard through which the skin shows is thin, however long', () => {
  assert.deepEqual(
    [0.03, 0.3].map((each) => lengthOf(each, 80)),
    ['thin', 'thin'],
  );
  assert.equal(lengthOf(0.3, 150), 'thin');
  assert.equal(lengthOf(0.3, 45), 'long');
});

test('a beard whose end the picture does not show counts as long', () => {
  assert.equal(lengthOf(0.05, 30, Math.floor(chin + 0.04 * height)), 'long');
});
