import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { relativeDarkness } from './not-skin.ts';
import { medianOf } from './skin-model.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { midlineDistance } from '../uv/texel.ts';
import { heightOf } from '../uv/zones.ts';

/** Facing from which a texel tells. */
const MIN_FACING = 0.3;
/** Texels of a part that have to tell, or it tells nothing. */
const MIN_TEXEL_COUNT = 20;

/** Part of either half of the face, in sides: distance from the midline, and height. */
interface Box {
  readonly inner: number;
  readonly outer: number;
  readonly top: number;
  readonly bottom: number;
}

/** Upper lip below the nose. */
const UPPER_LIP: Box = { inner: 0, outer: 0.11, top: 0.61, bottom: 0.65 };
/** Cheek beside it, beyond where moustaches end. */
const BESIDE_LIP: Box = { inner: 0.17, outer: 0.23, top: 0.6, bottom: 0.65 };
/** Edge of the chin and the jaw. */
const CHIN_EDGE: Box = { inner: 0, outer: 0.5, top: 0.85, bottom: 1 };
/** Lower edge of the chin, where stubble is densest. */
const CHIN_TIP: Box = { inner: 0, outer: 0.2, top: 0.87, bottom: 1 };

/** Parts of one half of the face whose medians tell a beard: numbers of their coarse texels. */
export interface BeardParts {
  readonly cheek: readonly number[];
  readonly chin: readonly number[];
  readonly lip: readonly number[];
  readonly besideLip: readonly number[];
  readonly edge: readonly number[];
  readonly tip: readonly number[];
}

/** Parts of the right and of the left half. */
export const beardParts = perLayout((layout: AtlasLayout): readonly BeardParts[] => {
  const core = beardlessCore(layout);
  const { oval, features, chin } = layout;
  const half = (side: number): BeardParts => {
    const texels = (isIn: (i: number) => boolean): number[] =>
      Array.from(oval.keys()).filter(
        (i) => oval[i]! > 0 && features[i]! <= 0.5 && sideOf(i) === side && isIn(i),
      );
    return {
      cheek: texels((i) => core[i]! > 0.5),
      chin: texels((i) => chin[i]! >= 0.5),
      lip: texels((i) => isInBox(UPPER_LIP, i)),
      besideLip: texels((i) => isInBox(BESIDE_LIP, i)),
      edge: texels((i) => isInBox(CHIN_EDGE, i)),
      tip: texels((i) => isInBox(CHIN_TIP, i)),
    };
  };
  return [half(0), half(1)];
});

/** Measures how much darker than another a part is, as a share; null: one of them is not seen. */
export function darkerPart(
  small: Atlas,
  other: readonly number[],
  part: readonly number[],
  make: PlaneMaker,
): number | null {
  const { luma } = small;
  return darkerThan(seenMedian(small, luma, other, make), seenMedian(small, luma, part, make));
}

/** Median of the texels that face the camera; null: there are too few. */
export function seenMedian(
  { facing }: Atlas,
  plane: Float32Array,
  texels: readonly number[],
  make: PlaneMaker,
): number | null {
  const seen = make.uninitialised(texels.length);
  let count = 0;
  for (const i of texels) if (facing[i]! >= MIN_FACING) seen[count++] = plane[i]!;
  return count < MIN_TEXEL_COUNT ? null : medianOf(seen.subarray(0, count));
}

function darkerThan(expected: number | null, luma: number | null): number | null {
  return expected === null || luma === null ? null : relativeDarkness(expected, luma);
}

function sideOf(texel: number): number {
  return texel % COARSE_SIDE < COARSE_SIDE / 2 ? 0 : 1;
}

function isInBox({ inner, outer, top, bottom }: Box, texel: number): boolean {
  const aside = midlineDistance(texel, COARSE_SIDE);
  const v = heightOf(texel, COARSE_SIDE);
  return aside >= inner && aside < outer && v >= top && v < bottom;
}
