import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { createShapeModel } from '../shape/shape-model.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { mouthWidth, stretchOf } from './mouth-stretch.ts';
import { TrackShape } from './shape.ts';

const WIDTHS = { mean: 50, widened: 60, source: 62, ownShare: 0.8 };

test('a mouth is widened by what is not the smile of the photo, and less while it is pursed', () => {
  assert.equal(stretchOf(WIDTHS, 50), 0.8);
  assert.ok(Math.abs(stretchOf(WIDTHS, 40) - 0.64) < 1e-6);
});

test('a mouth that smiles in the film becomes no wider than the photo shows it', () => {
  assert.ok(Math.abs(stretchOf(WIDTHS, 58) - 0.4) < 1e-6);
  assert.equal(stretchOf(WIDTHS, 70), 0);
});

test('a narrower mouth stays as narrow whatever the target does', () => {
  assert.equal(stretchOf({ ...WIDTHS, widened: 45, source: 44 }, 70), 1);
});

test('of a wide mouth a frame with a wide smile shows no wider one', async () => {
  const canonical = await loadCanonicalFace();
  const shapes = createShapeModel(canonical, createAtlasLayouts(canonical)(512));
  const mesh = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);
  /** Makes the mesh's lips so many times as wide. */
  const wide = (factor: number): Float32Array => {
    const out = mesh.slice();
    for (const group of shapes.groups)
      if (group.smile > 0)
        for (let v = 0; v < out.length / 3; v++)
          out[3 * v]! += group.membership[v]! * (factor - 1) * (out[3 * v]! - 300);
    return out;
  };
  const track = new TrackShape(shapes, canonical, wide(1.3), { meshes: [mesh], isWholeClip: false });
  const growth = (of: Float32Array): number => mouthWidth(track.place(of, 1)) / mouthWidth(of);
  assert.ok(growth(mesh) > 1.15, `${growth(mesh)}`);
  assert.ok(growth(wide(1.4)) < 1.06, `${growth(wide(1.4))}`);
});
