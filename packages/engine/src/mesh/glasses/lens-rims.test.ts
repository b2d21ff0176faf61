import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { traceRims } from './lens-rims.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';

const SIDE = 256;
const layouts = createAtlasLayouts(await loadCanonicalFace());
const nothing = new Float32Array(SIDE * SIDE);
const skin = [150, -15, 22] as const;
/** A thin brown rim, a third darker than the skin. */
const brown = [105, -12, 18] as const;

/** How far (u, v) is from the round rim around the nearer eye, in the atlas's width. */
const fromRim = (u: number, v: number): number => Math.hypot(Math.abs(u - 0.5) - 0.16, v - 0.4) - 0.115;
const onLens = (u: number, v: number): boolean => Math.abs(fromRim(u, v)) < 0.007;
const onBridge = (u: number, v: number): boolean => Math.abs(v - 0.38) < 0.007 && Math.abs(u - 0.5) < 0.06;

function rims(on: (u: number, v: number) => boolean): Float32Array | null {
  return traceRims(
    paintedAtlas(SIDE, (u, v) => (on(u, v) ? brown : skin)),
    layouts,
    nothing,
  );
}

function at(plane: Float32Array, u: number, v: number): number {
  return plane[Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE)]!;
}

test('thin rims around both eyes, joined over the nose, are found; neither the eyes nor the cheeks are', () => {
  const found = rims((u, v) => onLens(u, v) || onBridge(u, v));
  assert.ok(found !== null);
  for (const [u, v] of [
    [0.34, 0.515],
    [0.66, 0.515],
    [0.225, 0.4],
    [0.775, 0.4],
    [0.34, 0.285],
    [0.5, 0.38],
  ] as const)
    assert.ok(at(found, u, v) > 0.6, `${u}, ${v}: ${at(found, u, v)}`);
  for (const [u, v] of [
    [0.35, 0.4],
    [0.65, 0.4],
    [0.35, 0.58],
    [0.5, 0.5],
  ] as const)
    assert.ok(at(found, u, v) < 1e-6, `${u}, ${v}: ${at(found, u, v)}`);
});

test('rims as bright as the skin are found by having none of its red, as broad as they are', () => {
  const pale = paintedAtlas(SIDE, (u, v) =>
    Math.abs(fromRim(u, v)) < 0.012 ||
    onBridge(u, v) ||
    (v > 0.26 && v < 0.3 && fromRim(u, v) < 0.03 && fromRim(u, v) > 0)
      ? [150, -1, 1]
      : skin,
  );
  const found = traceRims(pale, layouts, nothing);
  assert.ok(found !== null);
  assert.ok(at(found, 0.34, 0.515) > 0.6, `${at(found, 0.34, 0.515)}`);
  assert.ok(at(found, 0.27, 0.28) > 0.6, `${at(found, 0.27, 0.28)}`);
  assert.ok(at(found, 0.35, 0.45) < 1e-6, `${at(found, 0.35, 0.45)}`);
});

test('of the rims the side that is seen is drawn', () => {
  const found = rims((u, v) => (onLens(u, v) && u < 0.5) || onBridge(u, v));
  assert.ok(found !== null);
  assert.ok(at(found, 0.34, 0.515) > 0.9);
  assert.ok(at(found, 0.66, 0.515) < 1e-6);
});

test('what was found as frames already is left to those who found it', () => {
  const atlas = paintedAtlas(SIDE, (u, v) => (onLens(u, v) || onBridge(u, v) ? brown : skin));
  const found = new Float32Array(SIDE * SIDE).fill(1);
  assert.equal(traceRims(atlas, layouts, found), null);
});
