import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { filledRings } from '../uv/atlas-outline.ts';
import type { Atlas } from '../uv/atlas.ts';
import { distanceToLine } from '../uv/distance-to-line.ts';
import { LOWER_LIP, LOWER_LIP_EDGE } from '../uv/face-regions.ts';
import { cleanLipSpill } from './lip-spill.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(256);
const { side, points } = layout;
const lip = filledRings(points, side, [LOWER_LIP]);
const SKIN = [180, -14, 20] as const;
const LIP = [120, -8, 50] as const;

/** Paints skin with a lip whose colour runs out below it, over so many sides of the atlas. */
function lippedFace(reach: number, lipColour: readonly number[] = LIP): Atlas {
  return paintedAtlas(side, (u, v, i) => {
    const distance = distanceToLine(points, LOWER_LIP_EDGE, u * side, v * side) / side;
    const isBelow = v * side > points[2 * LOWER_LIP_EDGE[0] + 1]!;
    const part = lip[i]! > 0.5 ? 1 : isBelow && reach > 0 ? Math.max(0, 0.8 * (1 - distance / reach)) : 0;
    const [luma, blue, red] = SKIN.map((own, k) => own + part * (lipColour[k]! - own));
    return [luma!, blue!, red!];
  });
}

function cleaned(atlas: Atlas): Atlas {
  const copy = { ...atlas, luma: atlas.luma.slice(), blue: atlas.blue.slice(), red: atlas.red.slice() };
  cleanLipSpill(copy, layout, ordinaryPlanes);
  return copy;
}

/** Returns a texel so many sides below the middle of the lip's edge; above it if negative. */
function below(sides: number): number {
  const y = Math.floor(points[2 * 17 + 1]! + sides * side);
  return y * side + Math.floor(points[2 * 17]!);
}

test("a lip's colour below its edge goes, and its darkness with it", () => {
  const spilt = lippedFace(0.06);
  const clean = cleaned(spilt);
  const i = below(0.02);
  assert.ok(spilt.red[i]! > SKIN[2] + 10);
  assert.ok(Math.abs(clean.red[i]! - SKIN[2]) < 3, `red ${clean.red[i]}`);
  assert.ok(Math.abs(clean.blue[i]! - SKIN[1]) < 3, `blue ${clean.blue[i]}`);
  assert.ok(clean.luma[i]! > SKIN[0] - 12, `luma ${clean.luma[i]} after ${spilt.luma[i]}`);
});

test('the lip itself stays as it is, and so does a chin without spill', () => {
  const spilt = lippedFace(0.06);
  const clean = cleaned(spilt);
  assert.equal(clean.red[below(-0.02)], spilt.red[below(-0.02)]);
  assert.equal(clean.red[below(0.15)], spilt.red[below(0.15)]);
  const neat = lippedFace(0);
  const { luma, blue, red } = cleaned(neat);
  assert.deepEqual([luma, blue, red], [neat.luma, neat.blue, neat.red]);
});

test('shade below lips that are hardly redder than the chin is no spill', () => {
  const shaded = lippedFace(0.06, [120, -10, 16]);
  const { luma, blue, red } = cleaned(shaded);
  assert.deepEqual([luma, blue, red], [shaded.luma, shaded.blue, shaded.red]);
});

test('all of a reddish beard stays', () => {
  const beard = paintedAtlas(side, (_, v) => (v > 0.6 ? [90, -15, 34] : [180, -14, 20]));
  const { luma, red } = cleaned(beard);
  assert.deepEqual([luma, red], [beard.luma, beard.red]);
});
