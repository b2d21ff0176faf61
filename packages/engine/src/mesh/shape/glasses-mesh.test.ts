import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { angleBetween, angleToCamera, glassesMesh } from './glasses-mesh.ts';

const canonical = await loadCanonicalFace();
const upright = inImageAxes(canonical.vertices).map((value) => value * 20);
/** Vertices: bridge of the nose, outer corners of the eyes, ends of brows, temples. */
const [BRIDGE, LEFT_EYE, RIGHT_EYE, LEFT_BROW, LEFT_TEMPLE] = [168, 33, 263, 46, 127] as const;
/** Vertex on the cheek, below the left lens. */
const LEFT_CHEEK = 111;

/** Turns the face about the vertical axis, and moves it. */
function turned(degrees: number, scale = 1, shift = 0): Float32Array {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return upright.map((value, i) => {
    const [x, z] = [upright[i - (i % 3)]!, upright[i - (i % 3) + 2]!];
    return scale * [cos * x - sin * z, value, sin * x + cos * z][i % 3]! + shift;
  });
}

const nowhere = (): number => 0;
const x = (mesh: Float32Array, v: number): number => mesh[3 * v]!;
const y = (mesh: Float32Array, v: number): number => mesh[3 * v + 1]!;

test('on a face like its own, larger and elsewhere, everything lies where it lay', () => {
  const out = glassesMesh(upright, turned(0, 1.5, 70), nowhere);
  for (const v of [BRIDGE, LEFT_EYE, RIGHT_EYE, LEFT_BROW, LEFT_TEMPLE]) {
    assert.ok(Math.abs(x(out, v) - 1.5 * x(upright, v) - 70) < 0.01, `x of ${v}`);
    assert.ok(Math.abs(y(out, v) - 1.5 * y(upright, v) - 70) < 0.01, `y of ${v}`);
  }
});

test('on a turned face glasses stand off it, and turn as a stiff thing', () => {
  const target = turned(20);
  const out = glassesMesh(upright, target, nowhere);
  assert.ok(Math.abs(x(out, BRIDGE) - x(target, BRIDGE)) < 0.5, 'they rest on the nose');
  // Both eyes are behind the glasses, so what hid them is now further on, to the side of the turn.
  const off = [LEFT_EYE, RIGHT_EYE].map((v) => x(out, v) - x(target, v));
  for (const each of off) assert.ok(each > 5 && each < 25, `${each}`);
  // Places with one x in the photo keep one x, whatever the depth of the face behind them.
  const [brow, cheek] = [LEFT_BROW, LEFT_CHEEK].map((v) => x(out, v) - x(upright, v));
  const apart = Math.abs(brow! - cheek!) / Math.abs(x(upright, LEFT_BROW) - x(upright, LEFT_CHEEK));
  assert.ok(apart < 0.3, `${apart}`);
});

test('arms lie on the head', () => {
  const target = turned(20);
  const out = glassesMesh(upright, target, (v) => (v === LEFT_TEMPLE ? 1 : 0));
  assert.ok(Math.abs(x(out, LEFT_TEMPLE) - x(target, LEFT_TEMPLE)) < 0.5);
  const flat = glassesMesh(upright, target, nowhere);
  assert.ok(Math.abs(x(flat, LEFT_TEMPLE) - x(target, LEFT_TEMPLE)) > 20);
});

test('angles are those between two faces, and between a face and the camera', () => {
  assert.ok(Math.abs(angleBetween(turned(-10), turned(20)) - 30) < 0.5);
  assert.ok(Math.abs(angleToCamera(turned(25)) - angleToCamera(turned(-25))) < 0.5);
  assert.ok(angleToCamera(turned(25)) > 20 && angleToCamera(turned(0)) < 8);
});
