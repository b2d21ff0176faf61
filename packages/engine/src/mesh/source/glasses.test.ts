import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { emptyFront, type Front } from '../front/front.ts';
import type { Light } from '../skin/light.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { mirrorTexel } from '../uv/texel.ts';
import { beforeGlasses, endArms, inLightOf } from './fit-glasses.ts';
import { type Glasses, glassesOf, showsGlasses, throughLenses } from './glasses.ts';
import { mirrorGlasses } from './mirror-source.ts';
import { wholeGlasses } from './whole-glasses.ts';

const SIDE = 256;
const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(SIDE);
const coarse = layout.at(COARSE_SIDE);
const landmarks = inImageAxes(canonical.vertices);
const SKIN = [150, -15, 22] as const;
const RIM = [20, 0, 0] as const;
const SEEN = [140, -10, 20] as const;
/** Places of both lenses: centre and half of width and height. */
const [LENS_U, LENS_V, WIDE, HIGH, THICK] = [0.19, 0.37, 0.12, 0.09, 0.02];
/** Height of the hinges. */
const HINGE_V = 0.33;

/** Returns how far inside of a lens a place is: 0 at the rim's inner edge, below 0 outside. */
function inLens(u: number, v: number): number {
  const aside = Math.abs(Math.abs(u - 0.5) - LENS_U);
  return Math.min(WIDE - aside, HIGH - Math.abs(v - LENS_V));
}
const isHinge = (u: number, v: number): boolean =>
  Math.abs(u - 0.5) > LENS_U + WIDE &&
  Math.abs(u - 0.5) < LENS_U + WIDE + 0.05 &&
  Math.abs(v - HINGE_V) < 0.02;
const isRim = (u: number, v: number): boolean => (inLens(u, v) < 0 && inLens(u, v) > -THICK) || isHinge(u, v);
const at = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const plane = (value: number): Float32Array => new Float32Array(COARSE_SIDE ** 2).fill(value);
const light: Light = { luma: plane(150), blue: plane(-15), red: plane(22) };
const front = paintedFront((u, v) => {
  if (isRim(u, v)) return { frame: 1, needed: 1 };
  return inLens(u, v) >= 0 ? { lens: 1, needed: v > 0.43 ? 0.9 : 0.1 } : {};
});

/** Takes painted glasses, of which the photo shows the left half with this facing. */
function painted(areDark = false, leftFacing = 1): Glasses {
  return paintedIn(front, areDark, leftFacing)!;
}

function paintedIn(
  things: Front,
  areDark = false,
  leftFacing = 1,
  rim: readonly [number, number, number] = RIM,
): Glasses | null {
  const seen = paintedAtlas(SIDE, (u, v) => (isRim(u, v) ? rim : inLens(u, v) >= 0 ? SEEN : SKIN));
  for (let i = 0; i < SIDE * SIDE; i++) if (i % SIDE < SIDE / 2) seen.facing[i] = leftFacing;
  const bare = paintedAtlas(SIDE, () => SKIN);
  return glassesOf(
    seen,
    bare,
    { front: things, light, landmarks, areDark, spoiled: null },
    layout,
    ordinaryPlanes,
  );
}

const [RIM_BELOW, IN_LENS, IN_GLARE, CHEEK] = [
  at(0.5 - LENS_U, LENS_V + HIGH + THICK / 2),
  at(0.5 - LENS_U, LENS_V),
  at(0.5 - LENS_U - 0.08, 0.445),
  at(0.3, 0.62),
];

/** Paints lenses, both if the right one is where `isShown`, with rims where `isShown`. */
function lensesWhere(isShown: (u: number, v: number) => boolean): Front {
  return paintedFront((u, v) => {
    if (isRim(u, v)) return isShown(u, v) ? { frame: 1 } : {};
    return inLens(u, v) >= 0 && (u < 0.5 || isShown(0.9, 0)) ? { lens: 1 } : {};
  });
}

test('glasses are worn only if lenses are before both eyes, seen from the front, and their rims close', () => {
  const shows = (things: Front, mesh = landmarks): boolean =>
    showsGlasses(things, mesh, coarse, ordinaryPlanes);
  assert.ok(shows(front));
  assert.ok(shows(lensesWhere(() => true)));
  assert.ok(!shows(lensesWhere((u) => u < 0.5)), 'one lens');
  // Turned by 40 degrees about the vertical axis.
  const [cos, sin] = [Math.cos(0.7), Math.sin(0.7)];
  const aside = landmarks.map((value, i) => {
    const [x, z] = [landmarks[i - (i % 3)]!, landmarks[i - (i % 3) + 2]!];
    return [cos * x - sin * z, value, sin * x + cos * z][i % 3]!;
  });
  assert.ok(!shows(front, aside), 'from aside');
  assert.ok(paintedIn(lensesWhere(() => true)));
  assert.ok(!paintedIn(lensesWhere((_u, v) => v < LENS_V)), 'half a rim');
});

test('rims cover, and the face is seen through clear lenses but for their glare', () => {
  const { rims, lenses, atlas, ends } = painted();
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, CHEEK].map((i) => Math.round(rims[i]!)),
    [1, 0, 0],
  );
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, CHEEK].map((i) => Math.round(lenses[i]!)),
    [0, 1, 0],
  );
  assert.ok(lenses[IN_GLARE]! < 0.1, `${lenses[IN_GLARE]} in the glare`);
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, CHEEK].map((i) => Math.round(atlas.luma[i]!)),
    [20, 140, 150],
  );
  for (const [k, u] of [0.5 - LENS_U - WIDE, 0.5 + LENS_U + WIDE].entries())
    assert.ok(Math.abs(ends[k]! - u) < 0.01, `${ends[k]}`);
  const face = throughLenses(
    paintedAtlas(SIDE, () => SKIN),
    painted(),
  );
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, CHEEK].map((i) => Math.round(face.luma[i]!)),
    [150, 140, 150],
  );
});

/** Paints glasses with sure hinges and with rims of this share. */
function withRims(frame: number): Front {
  return paintedFront((u, v) => {
    if (isRim(u, v)) return { frame: isHinge(u, v) ? 1 : frame };
    return inLens(u, v) >= 0 ? { lens: 1 } : { frame: frame / 5 };
  });
}

test('rims too thin to fill a texel are the lines along which the network is surest', () => {
  const { rims } = paintedIn(withRims(0.1))!;
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, CHEEK].map((i) => Math.round(rims[i]!)),
    [1, 0, 0],
  );
  assert.equal(paintedIn(withRims(0.01)), null);
  assert.equal(paintedIn(withRims(0.1), false, 1, [120, -5, 5]), null, 'pale rims are found in pieces');
});

test('dark lenses cover like rims', () => {
  const { rims, lenses } = painted(true);
  assert.deepEqual(
    [RIM_BELOW, IN_LENS, IN_GLARE, CHEEK].map((i) => Math.round(rims[i]!)),
    [1, 1, 1, 0],
  );
  assert.ok(lenses.every((share) => share === 0));
});

test('a half that the photo shows from the side is the mirror image of the other', () => {
  assert.equal(wholeGlasses(painted(), layout).length, 1);
  const [own, mirrored] = wholeGlasses(painted(false, 0.15), layout);
  const right = mirrorTexel(RIM_BELOW, SIDE);
  assert.ok(own!.rims[right]! > 0.9 && own!.rims[RIM_BELOW] === 0);
  assert.ok(mirrored!.rims[RIM_BELOW]! > 0.9 && mirrored!.rims[right] === 0);
  // The bridge has no gap.
  const bridge = at(0.5, LENS_V);
  for (let i = bridge - 3; i <= bridge + 3; i++)
    assert.ok(own!.rims[i] === 0 || Math.max(own!.rims[i]!, mirrored!.rims[i]!) > 0.9);
  const again = mirrorGlasses(mirrorGlasses(painted(), layout), layout);
  assert.deepEqual(again.rims, painted().rims);
  assert.deepEqual(
    again.ends.map((end) => end.toFixed(6)),
    painted().ends.map((end) => end.toFixed(6)),
  );
});

test('arms lead to the ears in the colour of the hinges', () => {
  const { rims, atlas, ends } = painted();
  const column = Math.floor((ends[0] - 0.1) * SIDE);
  const rows = Array.from({ length: SIDE }, (_, y) => y).filter((y) => rims[y * SIDE + column]! > 0.5);
  assert.ok(rows.length >= 1 && rows.length < 12, `${rows.length} texels high`);
  for (const y of rows) {
    assert.ok(Math.abs(y / SIDE - HINGE_V) < 0.06, `at ${y / SIDE}`);
    assert.ok(
      atlas.luma[y * SIDE + column]! < 100,
      `luma ${atlas.luma[y * SIDE + column]}, rim ${rims[y * SIDE + column]}`,
    );
  }
});

test('a white reflection on a face in orange light is grey at most in other light, and not blue', () => {
  const white = paintedAtlas(SIDE, () => [220, 0, 0]);
  const orange: Light = { luma: plane(150), blue: plane(-60), red: plane(60) };
  const litIn = (from: Light, to: Light): number[] => {
    const glasses = { ...painted(), atlas: white, light: from };
    const { blue, red } = inLightOf(
      glasses,
      Uint32Array.of(CHEEK),
      { light: to, colour: 1 },
      layout,
      ordinaryPlanes,
    );
    return [blue[CHEEK]!, red[CHEEK]!];
  };
  assert.deepEqual(litIn(orange, light), [0, 0]);
  const [blue, red] = litIn(light, orange);
  assert.ok(blue! < -20 && red! > 20, `${blue} ${red} in orange light`);
});

test('arms end where hair begins, and lenses do not', () => {
  const glasses = painted();
  const row = Math.floor(HINGE_V * SIDE) * SIDE;
  const [inside, outside] = [0.5, 0.93].map((u) => row + Math.floor(u * SIDE));
  const hidden = new Float32Array(SIDE * SIDE);
  hidden[inside!] = 0.6;
  hidden[outside!] = 0.7;
  hidden[row + 10] = 0.8;
  endArms(hidden, glasses.ends, SIDE);
  const near = (texel: number): number => Math.round(10 * hidden[texel]!) / 10;
  assert.deepEqual([inside! + 1, outside! - 1, outside! + 1].map(near), [0, 0, 0.7]);
  assert.deepEqual([row, row + 11, row + SIDE - 1, row + SIDE].map(near), [0.8, 0, 0.7, 0]);
});

test('rims lie over hair and behind other things, and arms behind both', () => {
  const glasses = painted();
  const row = Math.floor(HINGE_V * SIDE) * SIDE;
  const [lens, arm] = [0.5, 0.93].map((u) => row + Math.floor(u * SIDE));
  const hairy = emptyFront();
  hairy.shares.hair.fill(1);
  const all = new Float32Array(SIDE * SIDE).fill(1);
  const underHair = beforeGlasses(glasses, all, hairy, layout, ordinaryPlanes);
  assert.deepEqual([underHair[lens!], underHair[arm!]], [0, 1]);
  const behindThing = beforeGlasses(glasses, all, emptyFront(), layout, ordinaryPlanes);
  assert.deepEqual([behindThing[lens!], behindThing[arm!]], [1, 1]);
  const nothing = beforeGlasses(glasses, new Float32Array(SIDE * SIDE), emptyFront(), layout, ordinaryPlanes);
  assert.deepEqual([nothing[lens!], nothing[arm!]], [0, 0]);
});
