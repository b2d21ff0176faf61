import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { beardlessCore, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { notSkin } from './not-skin.ts';
import { fitSkin, medianOf } from './skin-model.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);
const core = beardlessCore(layout);

/** Light comes from the image's left: 150 in the middle, 60 more from side to side. */
const shaded = (u: number): number => 150 - 60 * (u - 0.5);
/** Skin has blotches. */
const uneven = (texel: number): number => 150 + 12 * ((texel % 7) - 3);

test('the shading of a face is found again, and what is its colour', () => {
  const model = fitSkin(
    paintedAtlas(COARSE_SIDE, (u) => [shaded(u), -15, 22]),
    core,
  );
  for (const u of [0.3, 0.5, 0.7]) {
    const expected = model.luma[(COARSE_SIDE >> 1) * COARSE_SIDE + Math.floor(u * COARSE_SIDE)]!;
    assert.ok(Math.abs(expected - shaded(u)) < 4, `${u}: ${expected}`);
  }
  assert.ok(Math.abs(model.blue + 15) < 0.01 && Math.abs(model.red - 22) < 0.01);
});

test('hair over a third of the core skin neither pulls the model down nor tilts it, and has no say in the colours', () => {
  const covered = paintedAtlas(COARSE_SIDE, (u, _, i) => (u > 0.58 ? [30, 12, 4] : [uneven(i), -15, 22]));
  const bare = paintedAtlas(COARSE_SIDE, (_u, _v, i) => [uneven(i), -15, 22]);
  const [model, expected] = [fitSkin(covered, core), fitSkin(bare, core)];
  for (const u of [0.35, 0.7]) {
    const i = (COARSE_SIDE >> 1) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);
    assert.ok(Math.abs(model.luma[i]! - expected.luma[i]!) < 12, `${u}: ${model.luma[i]}`);
  }
  assert.equal(model.blueDeviation, expected.blueDeviation);
});

test('hair, cloth and glare are no skin; skin, its shade and its shine are', () => {
  const model = fitSkin(
    paintedAtlas(COARSE_SIDE, () => [150, -15, 22]),
    core,
  );
  const odd = (luma: number, blue: number, red: number): number => notSkin(model, 150, luma, blue, red, 0.5);
  assert.ok(odd(30, -2, 3) > 0.9, 'black hair');
  assert.ok(odd(140, 40, -20) > 0.9, 'blue cloth');
  assert.ok(odd(255, 0, 0) > 0.9, 'glare');
  assert.ok(odd(150, -15, 22) < 0.01, 'skin');
  assert.ok(odd(120, -12, 18) < 0.05, 'shade');
  assert.ok(odd(180, -15, 22) < 0.05, 'shine');
});

test('a median is the middle of the sorted values, of few and many, equal and rising ones', () => {
  assert.equal(medianOf(new Float32Array()), 0);
  let state = 7;
  for (let count = 1; count < 60; count++) {
    for (const range of [1, 3, 1000]) {
      const values = Float64Array.from(
        { length: count },
        () => (state = (state * 48_271) % 2_147_483_647) % range,
      );
      const sorted = values.toSorted();
      assert.equal(medianOf(values), sorted[count >> 1]);
      assert.equal(medianOf(sorted), sorted[count >> 1]);
    }
  }
});
