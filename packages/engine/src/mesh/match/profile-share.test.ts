import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { profileShare } from './profile-share.ts';

const coarse = createAtlasLayouts(await loadCanonicalFace())(COARSE_SIDE);

/** Returns what stays of a face whose halves have these facings. */
function keptOf(left: number, right: number): Float32Array {
  const facing = coarse.oval.map((_, i) => (i % COARSE_SIDE < COARSE_SIDE / 2 ? left : right));
  return profileShare(facing, coarse, ordinaryPlanes);
}

const texel = (u: number, v: number): number =>
  Math.floor(v * COARSE_SIDE) * COARSE_SIDE + Math.floor(u * COARSE_SIDE);
const OUTLINE = { bridge: [0.5, 0.35], nose: [0.52, 0.5], mouth: [0.6, 0.67], chin: [0.5, 0.88] } as const;
const NEAR = { eye: [0.66, 0.38], brow: [0.64, 0.29], cheek: [0.72, 0.52], jaw: [0.8, 0.66] } as const;

test('nothing is kept of a face that is turned by 42 degrees or less', () => {
  for (const far of [0.25, 0.4, 0.9])
    assert.ok(
      keptOf(far, 0.9).every((share) => share === 0),
      `${far}`,
    );
});

test("a profile's nose, mouth, chin and far side stay, its near eye, brow and cheek do not", () => {
  const kept = keptOf(0.1, 0.85);
  for (const [what, [u, v]] of Object.entries(OUTLINE)) assert.ok(kept[texel(u, v)]! > 0.99, what);
  for (const [what, [u, v]] of Object.entries(NEAR)) {
    assert.equal(kept[texel(u, v)], 0, what);
    assert.ok(kept[texel(1 - u, v)]! > 0.99, `far ${what}`);
  }
});

test('the other profile keeps its other side', () => {
  const kept = keptOf(0.1, 0.85);
  const other = keptOf(0.85, 0.1);
  for (const [u, v] of [...Object.values(OUTLINE), ...Object.values(NEAR)])
    assert.ok(Math.abs(kept[texel(u, v)]! - other[texel(1 - u - 1e-6, v)]!) < 0.3, `${u} ${v}`);
});

test('a head that turns lets its profile go little by little', () => {
  const shares = [0.22, 0.2, 0.18, 0.16].map((far) => keptOf(far, 0.85)[texel(0.5, 0.5)]!);
  for (const [i, share] of shares.entries()) {
    assert.ok(share > 0 && share < 1, `${share}`);
    if (i > 0) assert.ok(share > shares[i - 1]!);
  }
});
