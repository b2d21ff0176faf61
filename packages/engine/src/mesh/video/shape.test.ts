import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { createShapeModel } from '../shape/shape-model.ts';
import { TrackShape } from './shape.ts';

const canonical = await loadCanonicalFace();
const shapes = createShapeModel(canonical, createAtlasLayouts(canonical)(512));
/** The canonical face as landmarks of a clip. */
const mesh = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);

test("a turned head's nose moves as a whole, its hidden side too; a hidden cheek stays", () => {
  const broad = mesh.slice();
  for (const v of [129, 358]) broad[3 * v] = 300 + 1.6 * (broad[3 * v]! - 300);
  for (const v of [50, 280]) broad[3 * v] = 300 + 1.2 * (broad[3 * v]! - 300);
  const track = new TrackShape(shapes, canonical, broad, { meshes: [mesh], isWholeClip: false });
  const turn = (1.2 * Math.PI) / 4;
  const turned = mesh.slice();
  for (let i = 0; i < turned.length; i += 3) {
    const [x, z] = [mesh[i]! - 300, mesh[i + 2]! - 300];
    turned[i] = 300 + Math.cos(turn) * x + Math.sin(turn) * z;
    turned[i + 2] = 300 - Math.sin(turn) * x + Math.cos(turn) * z;
  }
  const placed = track.place(turned, 1);
  const moved = (v: number): number =>
    Math.hypot(...[0, 1, 2].map((k) => placed[3 * v + k]! - turned[3 * v + k]!));
  const [wing, otherWing, ...cheeks] = [129, 358, 50, 280].map(moved);
  assert.ok(Math.abs(wing! - otherWing!) < 0.1 * wing! && wing! > 10, `${wing} ${otherWing}`);
  assert.ok(Math.min(...cheeks) < 0.01 && Math.max(...cheeks) > 5, `${cheeks}`);
});
