import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { withIrises } from './eye.ts';
import { followGaze } from './eyes.ts';
import { irisGrowth, narrowing } from './suited-eyes.ts';
import { LEFT_EYE, RIGHT_EYE } from '../uv/face-regions.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { setIris } from '../testing/set-iris.ts';

const SIDE = 512;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const EYES = [
  { ring: RIGHT_EYE, iris: 468 },
  { ring: LEFT_EYE, iris: 473 },
] as const;

interface Looks {
  /** Shift of both irises to the right, in radii. */
  readonly aside?: number;
  /** Shift of both irises down, in radii. */
  readonly down?: number;
  /** Opening of the lids as a share of the canonical face's opening. */
  readonly open?: number;
  /** Scale of the whole picture. */
  readonly scale?: number;
}

/**
 * Makes the landmarks of a face that has the same place in its picture as in the atlas, with its
 * irises in the middle of its eyes.
 */
function face({ aside = 0, down = 0, open = 1, scale = 1 }: Looks = {}): Float32Array {
  const mesh = new Float32Array(478 * 3);
  for (let v = 0; v < 468; v++) {
    mesh[3 * v] = layout.points[2 * v]!;
    mesh[3 * v + 1] = layout.points[2 * v + 1]!;
  }
  for (const { ring, iris } of EYES) {
    const { x, y, radius } = irisOf(ring);
    for (const v of ring) mesh[3 * v + 1] = y + (mesh[3 * v + 1]! - y) * open;
    setIris(mesh, iris, x + aside * radius, y + down * radius, radius);
  }
  return mesh.map((value) => value * scale);
}

/** Returns the middle of an eye in the atlas and its iris, which is a third as wide as the eye. */
function irisOf(ring: readonly number[]): { x: number; y: number; radius: number } {
  const xs = ring.map((v) => layout.points[2 * v]!);
  const ys = ring.map((v) => layout.points[2 * v + 1]!);
  const width = Math.max(...xs) - Math.min(...xs);
  return { x: middleOf(xs), y: middleOf(ys), radius: width / 6 };
}

function middleOf(values: readonly number[]): number {
  return (Math.max(...values) + Math.min(...values)) / 2;
}

/** Paints dark irises in white eyes in grey skin. */
function eyesAtlas(): Atlas {
  return paintedAtlas(SIDE, (u, v, texel) => {
    const dark = EYES.some(({ ring }) => {
      const { x, y, radius } = irisOf(ring);
      return Math.hypot(u * SIDE - x, v * SIDE - y) < radius;
    });
    return [dark ? 20 : layout.softEyes[texel]! > 0.5 ? 230 : 120, 0, 0];
  });
}

/** Returns the middle of an eye's dark texels. */
function darkCentre({ luma }: Atlas, ring: readonly number[]): number {
  const { x, y, radius } = irisOf(ring);
  let sum = 0;
  let weight = 0;
  const row = Math.round(y);
  for (let at = Math.round(x - 3 * radius); at <= x + 3 * radius; at++) {
    const dark = Math.max(0, 100 - luma[row * SIDE + at]!);
    sum += dark * (at + 0.5);
    weight += dark;
  }
  return sum / weight;
}

test('the same gaze leaves the eyes as they are and shows them whole, and nothing but eyes', () => {
  const lit = eyesAtlas();
  const before = lit.luma.slice();
  const shown = followGaze(lit, layout, face(), face({ scale: 1.8 }));
  assert.ok(lit.luma.every((value, i) => Math.abs(value - before[i]!) < 1));
  for (const { ring } of EYES) {
    const { x, y } = irisOf(ring);
    assert.ok(shown[Math.round(y) * SIDE + Math.round(x)]! > 0.99);
  }
  assert.ok(shown.every((value, i) => value === 0 || layout.softEyes[i]! >= 0.02));
});

test("the irises lie where the target's lie, whatever the size of its picture; the skin stays", () => {
  for (const aside of [-0.45, 0.45]) {
    const lit = eyesAtlas();
    const before = lit.luma.slice();
    followGaze(lit, layout, face(), face({ aside, scale: 0.4 }));
    for (const { ring } of EYES) {
      const { x, radius } = irisOf(ring);
      const moved = (darkCentre(lit, ring) - x) / radius;
      assert.ok(Math.abs(moved - aside) < 0.15, `${moved} for ${aside}`);
    }
    assert.ok(lit.luma.every((value, i) => layout.softEyes[i]! >= 0.02 || value === before[i]));
  }
});

test("a blink of the target keeps the target's lids: no eye is shown and none is moved", () => {
  const lit = eyesAtlas();
  const before = lit.luma.slice();
  const shown = followGaze(lit, layout, face(), face({ open: 0.05, aside: 0.5 }));
  assert.ok(shown.every((value) => value === 0));
  assert.ok(lit.luma.every((value, i) => value === before[i]));
});

test('eyes that look far aside follow the gaze by half a radius', () => {
  const lit = eyesAtlas();
  const shown = followGaze(lit, layout, face(), face({ aside: 0.9 }));
  for (const { ring } of EYES) {
    const { x, y, radius } = irisOf(ring);
    const moved = (darkCentre(lit, ring) - x) / radius;
    assert.ok(Math.abs(moved - 0.5) < 0.15, `${moved}`);
    assert.ok(shown[Math.round(y) * SIDE + Math.round(x)]! > 0.99);
  }
});

test('irises follow little up and down, since the lids of the source lie there', () => {
  const lit = eyesAtlas();
  followGaze(lit, layout, face(), face({ down: 0.6 }));
  for (const { ring } of EYES) {
    const { x, y, radius } = irisOf(ring);
    const darkest = (from: number): number => lit.luma[Math.round(y + from * radius) * SIDE + Math.round(x)]!;
    // Without the limit, the iris would begin 0.4 radii above the middle.
    assert.ok(darkest(-0.6) < 60, `${darkest(-0.6)}`);
  }
});

test("irises grow where the source's eyes are less open, and by a tenth at most", () => {
  assert.equal(irisGrowth(face(), face()), 1);
  assert.equal(irisGrowth(face({ open: 1.4 }), face()), 1);
  assert.ok(Math.abs(irisGrowth(face({ open: 0.95 }), face()) - 1 / 0.95) < 0.01);
  assert.equal(irisGrowth(face({ open: 0.5 }), face()), 1.1);
});

test('eyes narrow until a less open source fits in, and not for a blink', () => {
  assert.equal(narrowing(face({ open: 0.95 }), face()), 0);
  assert.equal(narrowing(face({ open: 1.5 }), face()), 0);
  assert.equal(narrowing(face({ open: 0.2 }), face()), 0);
  const share = narrowing(face({ open: 0.7 }), face());
  const shown = followGaze(eyesAtlas(), layout, face({ open: 0.7 }), face({ open: 1 - share }));
  assert.ok(shown.some((value) => value > 0.99));
});

test('the irises of a moved mesh move and grow with their eyes', () => {
  const before = face();
  const wider = face({ scale: 1.5 });
  for (let i = 0; i < wider.length; i++) wider[i]! += 10;
  const after = withIrises(wider.subarray(0, 3 * 468), before);
  for (const [i, value] of after.entries())
    if (i % 3 < 2) assert.ok(Math.abs(value - wider[i]!) < 1.5, `${value} for ${wider[i]}`);
});

const unsuited: Record<string, readonly [source: Looks, target: Looks]> = {
  'are half shut': [{ open: 0.6 }, {}],
  'are a few pixels on a large face': [{}, { scale: 6 }],
};
for (const [what, [source, target]] of Object.entries(unsuited)) {
  test(`a source's eyes that ${what} are not shown at all`, () => {
    const shown = followGaze(eyesAtlas(), layout, face(source), face(target));
    assert.ok(shown.every((value) => value === 0));
  });
}

test("both eyes are the source's in one share, though one of them is narrower", () => {
  const source = face();
  const { y } = irisOf(RIGHT_EYE);
  for (const v of RIGHT_EYE) source[3 * v + 1] = y + (source[3 * v + 1]! - y) * 0.7;
  const shown = followGaze(eyesAtlas(), layout, source, face());
  const shares = EYES.map(({ ring }) => {
    const { x, y } = irisOf(ring);
    return shown[Math.round(y) * SIDE + Math.round(x)]!;
  });
  assert.ok(shares[0]! > 0.1, `${shares[0]}`);
  assert.ok(Math.abs(shares[0]! - shares[1]!) < 0.05, shares.join(' '));
});

/** Returns the highest opacity of any texel of the eyes when both faces open their lids so far. */
function shownMost(open: number): number {
  const lids = face({ open });
  return followGaze(eyesAtlas(), layout, lids, lids).reduce((most, value) => Math.max(most, value), 0);
}

test('a lid that closes lets the eye go little by little', () => {
  const openings = [1, 0.5, 0.4, 0.3, 0.2, 0.1];
  const shares = openings.map(shownMost);
  for (const [i, share] of shares.entries()) {
    if (i > 0) assert.ok(share <= shares[i - 1]! + 1e-6, `${openings[i]}: ${share}`);
  }
  assert.ok(shares[0]! > 0.99);
  assert.equal(shares.at(-1), 0);
  assert.ok(
    shares.some((share) => share > 0.02 && share < 0.98),
    shares.join(' '),
  );
});
