import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { inImageAxes } from '../../face/geometry/pose.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { FACE_OVAL, LEFT_EYE_CORNERS, MOUTH_CORNERS } from '../uv/face-regions.ts';
import { createShapeModel } from './shape-model.ts';
import { movable, transferShape } from './shape.ts';
import { vertexFacing } from '../uv/vertex-facing.ts';

const canonical = await loadCanonicalFace();
const layouts = createAtlasLayouts(canonical);
const shapes = createShapeModel(canonical, layouts(512));
/** The canonical face as landmarks of an image. */
const mesh = inImageAxes(canonical.vertices).map((value) => value * 20 + 300);

test('a face given its own shape, turned and moved, stays as it is', () => {
  const turned = mesh.slice();
  for (let v = 0; v < 468; v++) {
    turned[3 * v] = 0.5 * (mesh[3 * v]! * Math.cos(0.4) + mesh[3 * v + 2]! * Math.sin(0.4)) + 90;
    turned[3 * v + 1] = 0.5 * mesh[3 * v + 1]!;
    turned[3 * v + 2] = 0.5 * (-mesh[3 * v]! * Math.sin(0.4) + mesh[3 * v + 2]! * Math.cos(0.4));
  }
  const out = transferShape(shapes, turned, mesh, 1);
  for (let i = 0; i < out.length; i++) assert.ok(Math.abs(out[i]! - mesh[i]!) < 0.05);
});

test('vertices of the oval never move, others follow the source by the strength', () => {
  const longNosed = mesh.slice();
  for (const v of [1, 4, 5, 19, 94]) longNosed[3 * v + 1]! += 15;
  const full = transferShape(shapes, longNosed, mesh, 1);
  const half = transferShape(shapes, longNosed, mesh, 0.5);
  for (const v of FACE_OVAL) for (let k = 0; k < 3; k++) assert.equal(full[3 * v + k], mesh[3 * v + k]);
  const moved = full[3 * 4 + 1]! - mesh[3 * 4 + 1]!;
  assert.ok(moved > 8 && moved < 16, `${moved}`);
  assert.ok(Math.abs(half[3 * 4 + 1]! - mesh[3 * 4 + 1]! - moved / 2) < 1e-3);
});

test("features lie in the target's outline as they lie in the source's", () => {
  // The whole inside is higher by 20; a fit with equal weights would mistake most of that for a
  // higher face.
  const high = mesh.slice();
  for (let v = 0; v < 468; v++) high[3 * v + 1]! -= 20;
  for (const v of FACE_OVAL) high[3 * v + 1] = mesh[3 * v + 1]!;
  const out = transferShape(shapes, high, mesh, 1);
  for (const v of [168, 33, 263, 4]) {
    const raised = mesh[3 * v + 1]! - out[3 * v + 1]!;
    assert.ok(raised > 8 && raised < 20, `vertex ${v} raised by ${raised} of 20`);
  }
});

test('where the hidden outline of a turned face is guessed wrong, its features stay where they are', () => {
  const turn = 0.8;
  const guessed = mesh.slice();
  for (let v = 0; v < 468; v++) {
    guessed[3 * v] = mesh[3 * v]! * Math.cos(turn) + mesh[3 * v + 2]! * Math.sin(turn);
    guessed[3 * v + 2] = -mesh[3 * v]! * Math.sin(turn) + mesh[3 * v + 2]! * Math.cos(turn);
  }
  const facing = vertexFacing(guessed, canonical.triangles);
  const hidden = FACE_OVAL.filter((v) => facing[v]! < -0.4);
  assert.ok(hidden.length > 5, `${hidden.length} hidden`);
  for (const v of hidden) guessed[3 * v + 1]! += 40;
  const out = transferShape(shapes, mesh, guessed, 1);
  for (const v of [4, 33, 61]) {
    const moved = Math.abs(out[3 * v + 1]! - guessed[3 * v + 1]!);
    assert.ok(moved < 2, `vertex ${v} moved by ${moved}`);
  }
});

test("an open mouth of the source does not open the target's", () => {
  const open = mesh.slice();
  for (const v of [14, 87, 178, 88, 317, 402, 318, 17, 84, 314, 15, 16]) open[3 * v + 1]! += 30;
  const out = transferShape(shapes, open, mesh, 1);
  for (const [upper, lower] of [
    [13, 14],
    [81, 178],
    [80, 88],
  ] as const) {
    const before = mesh[3 * lower + 1]! - mesh[3 * upper + 1]!;
    const after = out[3 * lower + 1]! - out[3 * upper + 1]!;
    assert.ok(Math.abs(after - before) < 9, `opened by ${after - before} of 30 at ${upper}`);
  }
});

/** Returns twice the area of a triangle in the image; its sign says which side is seen. */
const area = (face: Float32Array, [a, b, c]: readonly [number, number, number]): number =>
  (face[3 * b]! - face[3 * a]!) * (face[3 * c + 1]! - face[3 * a + 1]!) -
  (face[3 * c]! - face[3 * a]!) * (face[3 * b + 1]! - face[3 * a + 1]!);

test('full lips do not fold the chin under them', () => {
  const full = mesh.slice();
  for (const v of [17, 84, 314, 181, 405, 91, 321]) full[3 * v + 1]! += 25;
  const out = transferShape(shapes, full, mesh, 1.2);
  for (const triangle of [
    [17, 84, 18],
    [17, 18, 314],
    [83, 18, 84],
    [313, 314, 18],
  ] as const)
    assert.ok(area(mesh, triangle) * area(out, triangle) > 0, `${triangle}`);
});

test("a smile of the source neither raises the corners of the target's mouth nor widens it", () => {
  const smiling = mesh.slice();
  for (const [v, side] of [
    [61, -1],
    [291, 1],
    [78, -1],
    [308, 1],
  ] as const) {
    smiling[3 * v + 1]! -= 16;
    smiling[3 * v]! += 7 * side;
  }
  const out = transferShape(shapes, smiling, mesh, 1);
  const raised = mesh[3 * 61 + 1]! - out[3 * 61 + 1]!;
  const wider = out[3 * 291]! - out[3 * 61]! - (mesh[3 * 291]! - mesh[3 * 61]!);
  assert.ok(raised < 10, `raised by ${raised} of 16`);
  assert.ok(wider < 7, `widened by ${wider} of 14`);
});

/** Width between the outer corners of both eyes. */
const EYES = mesh[3 * 263]! - mesh[3 * 33]!;

/** Returns the mesh with lips that are `gap` widths of both eyes apart. */
function withGap(gap: number): Float32Array {
  const out = mesh.slice();
  const { membership, opening, curving } = shapes.groups[0]!;
  const [, down, back] = [0, 1, 2].map((k) => mesh[3 * 13 + k]! - mesh[3 * 14 + k]!);
  for (let v = 0; v < 468; v++) {
    const share = membership[v]! * (0.5 + opening[v]!) * (0.5 - curving[v]!);
    out[3 * v + 1]! += share * (down! + gap * EYES);
    out[3 * v + 2]! += share * back!;
  }
  return out;
}

/** Returns a smiling mesh: its mouth is `wider` by so many widths of both eyes. */
function smiling(wider: number): Float32Array {
  const out = withGap(0.15);
  const { membership, curving } = shapes.groups[0]!;
  const width = mesh[3 * 291]! - mesh[3 * 61]!;
  for (let v = 0; v < 468; v++) {
    out[3 * v]! += ((membership[v]! * wider * EYES) / width) * (mesh[3 * v]! - mesh[0]!);
    out[3 * v + 1]! -= membership[v]! * (0.5 + curving[v]!) * 0.05 * EYES;
  }
  return out;
}

/**
 * Returns the gaps that a smiling source leaves between nearly shut lips, in widths of both eyes.
 */
function gapsOf(closesLips: boolean): number[] {
  const out = transferShape(shapes, smiling(0.1), withGap(0.015), 1.2, { closesLips });
  return [
    [13, 14],
    [81, 178],
    [311, 402],
  ].map(([upper, lower]) => (out[3 * lower! + 1]! - out[3 * upper! + 1]!) / EYES);
}

test('the lips of a shut mouth meet if they are to, so that nothing of the target shows between them', () => {
  for (const gap of gapsOf(true)) assert.ok(Math.abs(gap) < 0.006, `${gap} left`);
  assert.ok(gapsOf(false)[0]! > 0.01, `${gapsOf(false)[0]}`);
});

function heightAt(vertices: Float32Array, v: number): number {
  return vertices[3 * v + 1]!;
}

test('narrowed eyes are less open by that share, with both lids, and brows and mouth stay', () => {
  const out = transferShape(shapes, mesh, mesh, 1.2, { narrowsEyes: 0.3 });
  for (const [upper, lower] of [
    [159, 145],
    [386, 374],
  ] as const) {
    const open = heightAt(mesh, lower) - heightAt(mesh, upper);
    const left = heightAt(out, lower) - heightAt(out, upper);
    assert.ok(Math.abs(left / open - 0.7) < 0.05, `${left / open} of the opening`);
    assert.ok(heightAt(out, upper) > heightAt(mesh, upper) && heightAt(out, lower) < heightAt(mesh, lower));
  }
  for (const v of [105, 334, 13, 61]) assert.ok(Math.abs(heightAt(out, v) - heightAt(mesh, v)) < 0.5, `${v}`);
});

/** Returns by how much the mesh's corners widen for a source whose corners are 14 further apart. */
function widerBy([left, right]: readonly [number, number]): number {
  const stretched = mesh.slice();
  stretched[3 * left]! -= 7;
  stretched[3 * right]! += 7;
  const out = transferShape(shapes, stretched, mesh, 1);
  return out[3 * right]! - out[3 * left]! - (mesh[3 * right]! - mesh[3 * left]!);
}

test("of a stretched mouth of the source a part stays the target's, an eye as wide is taken as it is", () => {
  const mouth = widerBy(MOUTH_CORNERS);
  const eye = widerBy(LEFT_EYE_CORNERS);
  assert.ok(mouth > 9 && mouth < 12, `mouth wider by ${mouth} of 14`);
  assert.ok(eye > 12.5, `eye wider by ${eye} of 14`);
});

test('the canonical face looks at the camera with its nose, not with its ears', () => {
  const facing = vertexFacing(mesh, canonical.triangles);
  assert.ok(facing[4]! > 0.8);
  assert.ok(facing[234]! < 0.3 && facing[454]! < 0.3);
});

test('both edges of a lip move if one of them is seen, and so does a nose however it is turned', () => {
  const facing = new Float32Array(468).fill(-0.2);
  for (const v of [61, 40, 0, 270, 17]) facing[v] = 0.9;
  for (const inner of [78, 80, 13, 310, 14]) assert.equal(movable(shapes, facing, inner), 1);
  facing[81] = 0.9;
  assert.equal(movable(shapes, facing, 39), 1);
  assert.equal(movable(shapes, facing, 4), 1);
  for (const other of [88, 318, 50, 105]) assert.equal(movable(shapes, facing, other), 0);
});
