import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../face/canonical-face.ts';
import { beardlessCore, createAtlasLayouts, LIGHT_SIDE } from './atlas-layout.ts';
import { fitSkin, notSkin } from './skin-model.ts';
import { paintedAtlas } from './testing/painted-atlas.ts';

const layout = createAtlasLayouts(await loadCanonicalFace())(LIGHT_SIDE);
const core = beardlessCore(layout);

/** Light from the image's left: 150 in the middle, 60 more from side to side. */
const shaded = (u: number): number => 150 - 60 * (u - 0.5);

test('the shading of a face is found again, and what is its colour', () => {
  const model = fitSkin(
    paintedAtlas(LIGHT_SIDE, (u) => [shaded(u), -15, 22]),
    core,
  );
  for (const u of [0.3, 0.5, 0.7]) {
    const expected = model.luma[(LIGHT_SIDE >> 1) * LIGHT_SIDE + Math.floor(u * LIGHT_SIDE)]!;
    assert.ok(Math.abs(expected - shaded(u)) < 4, `${u}: ${expected}`);
  }
  assert.ok(Math.abs(model.blue + 15) < 0.01 && Math.abs(model.red - 22) < 0.01);
});

test('dark patches on a third of the core skin do not pull the model down', () => {
  const patched = paintedAtlas(LIGHT_SIDE, (u, v) => [v > 0.5 && u > 0.55 ? 30 : 150, -15, 22]);
  const model = fitSkin(patched, core);
  assert.ok(Math.abs(model.luma[(LIGHT_SIDE >> 1) * LIGHT_SIDE + Math.floor(0.35 * LIGHT_SIDE)]! - 150) < 12);
});

test('hair, cloth and glare are no skin; skin, its shade and its shine are', () => {
  const model = fitSkin(
    paintedAtlas(LIGHT_SIDE, () => [150, -15, 22]),
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
