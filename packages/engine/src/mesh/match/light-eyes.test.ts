import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import type { Atlas } from '../uv/atlas.ts';
import { EYES } from '../uv/face-regions.ts';
import { lightEyes, measurableEyes } from './light-eyes.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const IRIS_LUMA = 30;
const SKIN_LUMA = 190;

type Colour = readonly [luma: number, blue: number, red: number];

/**
 * Paints a face of one colour, with eyes whose upper half is iris and whose lower half is white.
 */
function faceWith(skin: Colour, white: Colour, iris: Colour = [IRIS_LUMA, 0, 0]): Atlas {
  const rows = layout.points[2 * EYES[0].corners[0] + 1]!;
  return paintedAtlas(SIDE, (_u, _v, i) => {
    if (layout.softEyes[i]! < 0.5) return skin;
    return i / SIDE < rows ? iris : white;
  });
}

/** Lights a copy of the face, and returns the means of the texels deep in the eyes' lower half. */
function litWhite(lit: Atlas, source: Atlas, target: Atlas, skinGain: number, share = 1): Colour {
  return litEyes(lit, source, target, skinGain, share, (i) => source.luma[i]! > IRIS_LUMA);
}

/** Returns the colour that irises of luma 60 get. */
function litIris(source: Atlas, target: Atlas, colour?: number): Colour {
  return litEyes(glaring, source, target, 3, 1, (i) => source.luma[i] === 60, colour);
}

function litEyes(
  lit: Atlas,
  source: Atlas,
  target: Atlas,
  skinGain: number,
  share: number,
  isMeant: (texel: number) => boolean,
  colour = 1,
): Colour {
  const copy = { ...lit, luma: lit.luma.slice(), blue: lit.blue.slice(), red: lit.red.slice() };
  lightEyes(copy, source, { atlas: target, skinLuma: SKIN_LUMA, colour }, skinGain, share, layout);
  const deep = [...source.luma.keys()].filter((i) => layout.softEyes[i]! > 0.9 && isMeant(i));
  const mean = (plane: Float32Array): number => deep.reduce((sum, i) => sum + plane[i]! / deep.length, 0);
  return [mean(copy.luma), mean(copy.blue), mean(copy.red)];
}

const dark = faceWith([60, -10, 20], [180, 0, 0]);
const light = faceWith([190, -15, 25], [150, -4, 6]);
const glaring = faceWith([190, -15, 25], [250, -20, 30]);

test("eyes of a dark face on a light one get the brightness and half of the tint of the target's", () => {
  const [luma, blue, red] = litWhite(glaring, dark, light, 3);
  assert.ok(
    Math.abs(luma - 150) < 2 && Math.abs(blue + 2) < 1 && Math.abs(red - 3) < 1,
    `${luma} ${blue} ${red}`,
  );
});

test("irises keep their colour, and get as dark as the target's, but never paler", () => {
  const grey = faceWith([190, -15, 25], [150, 0, 0], [60, 10, -5]);
  const [luma, blue, red] = litIris(grey, faceWith([190, -15, 25], [150, 0, 0], [20, 0, 0]));
  assert.ok(
    Math.abs(luma - 20) < 3 && Math.abs(blue - 7.5) < 1 && Math.abs(red + 4.3) < 1,
    `${luma} ${blue} ${red}`,
  );
  const [paler] = litIris(grey, faceWith([190, -15, 25], [150, 0, 0], [90, 0, 0]));
  assert.ok(Math.abs(paler - 60) < 3, `${paler}`);
  const [, ...without] = litIris(grey, faceWith([190, 0, 0], [150, 0, 0]), 0);
  assert.ok(
    without.every((value) => Math.abs(value) < 0.1),
    `in a black-and-white photo: ${without}`,
  );
});

test('eyes stay bright where the lids of the target hide its whites', () => {
  const [luma] = litWhite(glaring, dark, faceWith([190, -15, 25], [45, 0, 0]), 3);
  assert.ok(Math.abs(luma - 0.65 * SKIN_LUMA) < 2, `${luma}`);
});

test('eyes get little brighter than the skin does', () => {
  const shaded = faceWith([100, -10, 20], [60, 0, 0]);
  const [luma] = litWhite(shaded, shaded, light, 1);
  assert.ok(luma > 60 && luma < 75, `${luma}`);
});

test('glints keep two fifths of their excess over the whites', () => {
  const source = faceWith([190, -15, 25], [150, 0, 0]);
  const glints = [...source.luma.keys()].filter((i) => source.luma[i] === 150 && i % 32 === 0);
  for (const i of glints) source.luma[i] = 230;
  const [luma] = litEyes(source, source, source, 1, 1, (i) => source.luma[i] === 230);
  assert.ok(Math.abs(luma - 182) < 4, `${luma}`);
});

test('grey parts of eyes in warm light turn no blue in other light', () => {
  const source = faceWith([190, -15, 25], [150, -30, 30], [100, 0, 0]);
  const [, blue, red] = litEyes(source, source, light, 1, 1, (i) => source.luma[i] === 100);
  assert.ok(blue < 3 && red > -3, `${blue} ${red}`);
});

test('skin keeps every bit, and so do eyes at a share of 0', () => {
  const lit = { ...glaring, luma: glaring.luma.slice() };
  lightEyes(lit, dark, { atlas: light, skinLuma: SKIN_LUMA, colour: 1 }, 3, 1, layout);
  for (const i of lit.luma.keys()) if (layout.softEyes[i] === 0) assert.equal(lit.luma[i], glaring.luma[i]);
  assert.ok(Math.abs(litWhite(glaring, dark, light, 3, 0)[0] - 250) < 0.001);
});

test('narrow eyes cannot be measured', () => {
  const mesh = eyesOpen(1);
  assert.equal(measurableEyes(mesh, mesh), 1);
  assert.equal(measurableEyes(mesh, eyesOpen(0.2)), 0);
  assert.equal(measurableEyes(eyesOpen(0.2), mesh), 0);
});

/** Makes a mesh whose lids are so many diameters of the iris apart. */
function eyesOpen(opening: number): Float32Array {
  const mesh = new Float32Array(478 * 3);
  for (const { ring, corners, iris } of EYES) {
    for (const v of ring) mesh[3 * v + 1] = 0;
    for (const at of [11, 12, 13]) mesh[3 * ring[at]! + 1] = 20 * opening;
    mesh[3 * corners[1]!] = 60;
    for (const [k, [x, y]] of [
      [10, 0],
      [0, 10],
      [-10, 0],
      [0, -10],
    ].entries()) {
      mesh[3 * (iris + 1 + k)] = x!;
      mesh[3 * (iris + 1 + k) + 1] = y!;
    }
  }
  return mesh;
}
