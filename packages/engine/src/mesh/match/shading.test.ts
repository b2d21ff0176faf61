import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { relight } from './compose.ts';
import type { Light } from '../skin/light.ts';
import type { TargetFace } from '../target/target-face.ts';
import { matchTone } from './tone.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());
const SIDE = 256;
const layout = layouts(SIDE);
const FACTOR = SIDE / COARSE_SIDE;

interface Skin {
  readonly luma: number;
  readonly blue: number;
  readonly red: number;
  /** Height of its reflections, as a share of the luma. */
  readonly shine: number;
  /** Depth of its shade, as a share of the luma. */
  readonly shade: number;
  /** Whiteness of a bump's reflection: 0 has the skin's colour, 1 is white. */
  readonly white: number;
  /** Factor of the reflections on the cheeks; 1 by default. */
  readonly glare?: number;
  /** Blue that these reflect; 0 by default. */
  readonly sky?: number;
}

const DARK: Skin = { luma: 70, blue: -12, red: 18, shine: 0.5, shade: 0.2, white: 1 };
const LIGHT: Skin = { luma: 200, blue: -18, red: 22, shine: 0.06, shade: 0.1, white: 0.2 };

/** Returns the factor of a bump of eight light texels: shiny, in shade or plain, in turns. */
function bump(x: number, y: number, factor: number): number {
  return (Math.floor(x / (8 * factor)) + 2 * Math.floor(y / (8 * factor))) % 4;
}

function faceOf(side: number, skin: Skin): Atlas {
  const planes = [0, 1, 2].map(() => new Float32Array(side * side)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      const turn = bump(x, y, side / COARSE_SIDE);
      const isCheek = Math.floor((y * COARSE_SIDE) / side / 8) === 7;
      const glare = isCheek ? (skin.glare ?? 1) : 1;
      const step = turn === 0 ? glare * skin.shine : turn === 1 ? -skin.shade : 0;
      const colour = turn === 0 ? 1 - skin.white * skin.shine : 1 + step;
      planes[0][i] = skin.luma * (1 + step);
      planes[1][i] = skin.blue * colour + (isCheek && turn === 0 ? (skin.sky ?? 0) : 0);
      planes[2][i] = skin.red * colour;
    }
  }
  const [luma, blue, red] = planes;
  return { side, luma, blue, red, facing: new Float32Array(side * side).fill(1) };
}

function lightOf({ luma, blue, red }: Skin): Light {
  return { luma: smallPlane(luma), blue: smallPlane(blue), red: smallPlane(red) };
}

function smallPlane(value: number): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE).fill(value);
}

/** Makes a target of its coarse atlas and skin: relief and chroma read nothing else. */
function targetOf(skin: Skin, seen = 1): TargetFace {
  return {
    small: faceOf(COARSE_SIDE, skin),
    skin: smallPlane(seen),
    rim: smallPlane(0),
    front: smallPlane(0),
  } as unknown as TargetFace;
}

/** Averages a plane over the bare skin of one kind of bump, away from its edges. */
function meanOver(plane: Float32Array, turn: number): number {
  let sum = 0;
  let total = 0;
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i++) {
      const inner = Math.abs((x % (8 * FACTOR)) - 8) < 4 && Math.abs((y % (8 * FACTOR)) - 8) < 4;
      if (!inner || layout.opacity[i]! < 1 || layout.features[i]! > 0 || bump(x, y, FACTOR) !== turn)
        continue;
      sum += plane[i]!;
      total += 1;
    }
  }
  assert.ok(total > 100);
  return sum / total;
}

function swapped(source: Skin, target: Skin, share = 1, seen = 1): { before: Atlas; after: Atlas } {
  const before = relight(faceOf(SIDE, source), lightOf(source), lightOf(target), 1, layout);
  const after = { ...before, luma: before.luma.slice(), blue: before.blue.slice(), red: before.red.slice() };
  matchTone(after, targetOf(target, seen), lightOf(target), share, 0, layout);
  return { before, after };
}

test("a dark face's reflections become as large as they are on the light skin that it is put on", () => {
  const { before, after } = swapped(DARK, LIGHT);
  const shine = (face: Atlas): number => meanOver(face.luma, 0) / LIGHT.luma - 1;
  assert.ok(shine(before) > 0.15, `before ${shine(before)}`);
  assert.ok(shine(after) > 0.03 && shine(after) < 0.09, `after ${shine(after)}`);
  assert.ok(Math.abs(meanOver(after.luma, 2) - LIGHT.luma) < 1, 'plain skin keeps its tone');
});

test('shades that are bound are lifted where the target has none, on skin that is no lighter', () => {
  const shaded: Skin = { ...LIGHT, shade: 0.3 };
  const target: Skin = { ...LIGHT, shade: 0 };
  const shadeOf = (bound: number): number => {
    const lit = relight(faceOf(SIDE, shaded), lightOf(shaded), lightOf(target), 1, layout);
    matchTone(lit, targetOf(target), lightOf(target), 1, 0, layout, ordinaryPlanes, bound);
    return 1 - meanOver(lit.luma, 1) / LIGHT.luma;
  };
  assert.ok(shadeOf(0) > 0.2, `free ${shadeOf(0)}`);
  assert.ok(shadeOf(1) < 0.1, `bound ${shadeOf(1)}`);
});

test('a few that are far larger than the others are bent towards the largest there', () => {
  const { after } = swapped({ ...DARK, shine: 0.1, glare: 6 }, { ...LIGHT, shine: 0.1 });
  const brightest = after.luma.reduce(
    (most, luma, i) => (layout.core[i] === 1 && luma > most ? luma : most),
    0,
  );
  assert.ok(brightest / LIGHT.luma - 1 < 0.18, `brightest ${brightest / LIGHT.luma - 1}`);
});

function bluest({ blue }: Atlas): number {
  return blue.reduce((most, value, i) => (layout.core[i] === 1 && value > most ? value : most), -99);
}

test('what reflects the source’s surroundings keeps no colour of theirs', () => {
  const { before, after } = swapped({ ...DARK, sky: 20 }, { ...LIGHT, shine: 0.2 });
  assert.ok(bluest(before) > -5, `before ${bluest(before)}`);
  assert.ok(bluest(after) < LIGHT.blue + 8, `after ${bluest(after)}`);
});

test('and they are no whiter than there', () => {
  const { before, after } = swapped(DARK, LIGHT);
  const wanted = LIGHT.red * (1 - LIGHT.white * LIGHT.shine);
  assert.ok(meanOver(before.red, 0) < wanted - 4, `before ${meanOver(before.red, 0)}`);
  assert.ok(Math.abs(meanOver(after.red, 0) - wanted) < 1, `after ${meanOver(after.red, 0)}, not ${wanted}`);
});

test('a flat face gets more relief on skin that has more, up to a bound; darker steps are never taken off', () => {
  const flat = swapped(LIGHT, DARK);
  const shine = (face: Atlas): number => meanOver(face.luma, 0) - DARK.luma;
  const gain = shine(flat.after) / shine(flat.before);
  assert.ok(gain > 1.8 && gain < 2.1, `gain ${gain}`);
  const { before, after } = swapped({ ...DARK, shade: 0.4 }, LIGHT);
  assert.ok(meanOver(after.luma, 1) <= meanOver(before.luma, 1) + 0.01);
});

test('off at 0 and in proportion; nothing is done where no skin of the target is seen', () => {
  const whole = swapped(DARK, LIGHT);
  const half = swapped(DARK, LIGHT, 0.5);
  const none = swapped(DARK, LIGHT, 0);
  const unseen = swapped(DARK, LIGHT, 1, 0);
  for (let i = 0; i < SIDE * SIDE; i++) {
    assert.equal(none.after.luma[i], none.before.luma[i]);
    const middle = (whole.before.luma[i]! + whole.after.luma[i]!) / 2;
    assert.ok(Math.abs(half.after.luma[i]! - middle) < 0.01);
    // Lids have relief of their own.
    if (layout.core[i] === 1) assert.ok(Math.abs(unseen.after.luma[i]! - unseen.before.luma[i]!) < 0.01);
  }
});

test("a face under its own light and skin's look stays, and a grey target makes no colours", () => {
  const own = swapped(LIGHT, LIGHT);
  for (let i = 0; i < SIDE * SIDE; i++) {
    if (layout.opacity[i]! < 1 || layout.features[i]! > 0) continue;
    assert.ok(Math.abs(own.after.luma[i]! - own.before.luma[i]!) < 2);
  }
  const grey = { ...LIGHT, blue: 0, red: 0 };
  const lit = relight(faceOf(SIDE, DARK), lightOf(DARK), lightOf(grey), 0, layout);
  matchTone(lit, targetOf(grey), lightOf(grey), 1, 0, layout);
  assert.ok(lit.blue.every((value) => value === 0) && lit.red.every((value) => value === 0));
});

/** Returns how deep a dark face's shade is on light skin that has hardly any. */
function shadeOnLight(lightened: number): number {
  const lit = relight(faceOf(SIDE, { ...DARK, shade: 0.6 }), lightOf(DARK), lightOf(LIGHT), 1, layout);
  matchTone(lit, targetOf({ ...LIGHT, shade: 0.02 }), lightOf(LIGHT), 1, lightened, layout);
  return 1 - meanOver(lit.luma, 1) / LIGHT.luma;
}

test('where a face is lightened, its shade becomes nearly as weak as that of the light skin', () => {
  assert.ok(shadeOnLight(0) > 0.15, `left alone ${shadeOnLight(0)}`);
  assert.ok(shadeOnLight(1) < 0.08, `lightened ${shadeOnLight(1)}`);
});
