import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import { loadCanonicalFace } from '../../face/geometry/canonical-face.ts';
import { paintedAtlas } from '../testing/painted-atlas.ts';
import { paintedFront } from '../testing/painted-front.ts';
import { createAtlasLayouts } from '../uv/atlas-layouts.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { type Beard, bearded, beardOf } from './worn-beard.ts';

const SIDE = 256;
const layout = createAtlasLayouts(await loadCanonicalFace())(SIDE);
const SKIN = [152, -15, 22] as const;
const HAIR = [32, -2, 3] as const;
const at = (u: number, v: number): number => Math.floor(v * SIDE) * SIDE + Math.floor(u * SIDE);
const isChin = (u: number, v: number): boolean => v > 0.74 && Math.abs(u - 0.5) < 0.2;
const LIP = at(0.5, 0.79);
const JAW = at(0.5, 0.93);

/** A shaven face whose right half is turned away. */
const halfTurned = {
  ...paintedAtlas(COARSE_SIDE, () => SKIN),
  facing: Float32Array.from({ length: COARSE_SIDE ** 2 }, (_, i) =>
    i % COARSE_SIDE < COARSE_SIDE / 2 ? 1 : 0,
  ),
};

/** Takes the beard of a face that has hairs where `isHair`. */
const beardWhere = (
  isHair: (u: number, v: number) => boolean,
  beard = 1,
  hair: readonly [luma: number, blue: number, red: number] = HAIR,
): Beard =>
  beardOf(
    paintedAtlas(SIDE, (u, v) => (isHair(u, v) ? hair : SKIN)),
    paintedAtlas(SIDE, () => SKIN),
    {
      front: paintedFront((u, v) => (isHair(u, v) ? { beard } : {})),
      small: paintedAtlas(COARSE_SIDE, () => SKIN),
      score: 1,
    },
    layout,
    ordinaryPlanes,
  );

test('a beard makes the same face as before, reaches the jaw, and changes nothing elsewhere', () => {
  const face = bearded(
    paintedAtlas(SIDE, () => SKIN),
    beardWhere(isChin),
    ordinaryPlanes,
  );
  const colours = (i: number): number[] => [face.luma[i]!, face.blue[i]!, face.red[i]!].map(Math.round);
  const [luma, blue, red] = colours(LIP) as [number, number, number];
  assert.ok(luma > 20 && luma < 45, `luma ${luma}`);
  // Black hairs are greyer than skin of the same luma.
  assert.ok(Math.abs(blue) <= 2 && Math.abs(red) <= 3, `colours ${blue}, ${red}`);
  assert.ok(face.luma[JAW]! < 60, `luma ${face.luma[JAW]!} at the jaw`);
  assert.deepEqual(colours(at(0.5, 0.3)), [...SKIN]);
});

test('on a dark face in red light a beard is darker and redder than on a light one', () => {
  const beard = beardWhere(isChin);
  const dark = bearded(
    paintedAtlas(SIDE, () => [70, -20, 50]),
    beard,
    ordinaryPlanes,
  );
  const light = bearded(
    paintedAtlas(SIDE, () => SKIN),
    beard,
    ordinaryPlanes,
  );
  assert.ok(dark.luma[LIP]! < light.luma[LIP]!);
  assert.ok(dark.red[LIP]! > light.red[LIP]!);
});

test('brown hairs have more colour than skin of their luma, and shaded skin has not', () => {
  const [hair, shade] = [0.5, 0.95].map((darkness): number => {
    const colours = [darkness * SKIN[0], 1.6 * darkness * SKIN[1], 1.6 * darkness * SKIN[2]] as const;
    const { luma, colour } = beardWhere(isChin, 1, colours);
    return colour[LIP]! / luma[LIP]!;
  });
  assert.ok(hair! > 1.2 && hair! < 1.6, `${hair}`);
  assert.ok(shade! < 1.1, `${shade}`);
});

test('what a photo shows of one half of a beard makes the other, too', () => {
  const [left, right] = [at(0.4, 0.79), at(0.5996, 0.79)];
  // The right half is turned away, and the mesh shows the bright background there.
  const turned = beardOf(
    paintedAtlas(SIDE, (u, v) => (!isChin(u, v) ? SKIN : u < 0.5 ? HAIR : [220, 0, 0])),
    paintedAtlas(SIDE, () => SKIN),
    {
      front: paintedFront((u, v) => (isChin(u, v) ? { beard: 1 } : {})),
      small: halfTurned,
      score: 1,
    },
    layout,
    ordinaryPlanes,
  );
  assert.ok(turned.luma[left]! < 0.35, `left ${turned.luma[left]!}`);
  assert.ok(turned.luma[right]! < 0.45, `right ${turned.luma[right]!}`);
});

test('what the network finds of a beard on one half, which is shown, makes the other', () => {
  const beard = beardOf(
    paintedAtlas(SIDE, (u, v) => (isChin(u, v) && u < 0.5 ? HAIR : SKIN)),
    paintedAtlas(SIDE, () => SKIN),
    {
      front: paintedFront((u, v) => (isChin(u, v) && u < 0.5 ? { beard: 1 } : {})),
      small: halfTurned,
      score: 1,
    },
    layout,
    ordinaryPlanes,
  );
  assert.ok(beard.luma[at(0.5996, 0.79)]! < 0.45, `${beard.luma[at(0.5996, 0.79)]!}`);
});

test('whiskers reach the ear, beyond what the network sees', () => {
  const beard = beardWhere((u, v) => Math.abs(u - 0.5) > 0.3 && v > 0.5);
  const ear = beard.luma[at(0.06, 0.6)]!;
  assert.ok(ear < 0.5, `beside the ear ${ear}`);
  assert.equal(beard.luma[at(0.06, 0.35)], 1);
});

test('a beard is as dark as on lit skin where the network shows the skin behind it too dark', () => {
  const shaven = paintedAtlas(SIDE, (u, v) => (isChin(u, v) ? [60, -6, 9] : SKIN));
  const seen = paintedAtlas(SIDE, (u, v) => (isChin(u, v) ? HAIR : SKIN));
  const front = paintedFront((u, v) => (isChin(u, v) ? { beard: 1 } : {}));
  const small = paintedAtlas(COARSE_SIDE, (u, v) => (isChin(u, v) ? [60, -6, 9] : SKIN));
  const beard = beardOf(seen, shaven, { front, small, score: 1 }, layout, ordinaryPlanes);
  assert.ok(beard.luma[LIP]! < 0.35, `${beard.luma[LIP]!}`);
});

test('dense hairs hide the skin, and thin ones do not', () => {
  const middle = Math.floor(0.85 * COARSE_SIDE) * COARSE_SIDE + COARSE_SIDE / 2;
  assert.equal(beardWhere(isChin).hides[middle], 1);
  assert.equal(beardWhere(isChin, 0.35).hides[middle], 0);
});

test('a beard in the dark has no odd factors', () => {
  const { luma, colour } = beardOf(
    paintedAtlas(SIDE, () => [-3, -2, 1]),
    paintedAtlas(SIDE, (u) => [u < 0.5 ? -12 : 3, -4, 2]),
    {
      front: paintedFront((u, v) => (isChin(u, v) ? { beard: 1 } : {})),
      small: paintedAtlas(COARSE_SIDE, () => [3, -4, 2]),
      score: 1,
    },
    layout,
    ordinaryPlanes,
  );
  for (const plane of [luma, colour]) assert.ok(plane.every((factor) => factor > 0 && factor < 1.4));
});

test('what is hardly a beard is hardly worn', () => {
  const shares = [1, 0.6, 0.2].map((share) => 1 - beardWhere(isChin, share).luma[LIP]!);
  assert.ok(shares[0]! > 0.6 && shares[1]! > 0.2 && shares[1]! < 0.6, `${shares}`);
  assert.equal(shares[2], 0);
});
