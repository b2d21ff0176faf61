import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasColours } from '../uv/atlas.ts';

/** Side of the atlas in which a network looks at what lies in front, texels. */
export const FRONT_SIDE = 256;

/** Things that may lie in front of a face, in the network's order; before them comes bare skin. */
export const FRONT_KINDS = ['hair', 'frame', 'lens', 'thing', 'beard'] as const;

/** Kinds behind which nothing of the face is seen. */
export const OPAQUE_KINDS = ['hair', 'frame', 'thing', 'beard'] as const satisfies readonly FrontKind[];

/** What a texel may show other than the bare face; `thing`: a hand, a mask, a microphone. */
export type FrontKind = (typeof FRONT_KINDS)[number];

/** What lies in front of a face, and the face behind: planes of `FRONT_SIDE`^2 values. */
export interface Front {
  /** Share of each kind in a texel, 0..1. */
  readonly shares: Readonly<Record<FrontKind, Float32Array>>;
  /** How much a lens shows of what it mirrors, or is too dark to show what is behind: 0..1. */
  readonly glare: Float32Array;
  /** The bare face, where `needed` is above 0. */
  readonly bare: AtlasColours;
  /** How much of a texel the bare face must replace, 0..1: things, their shade and glare. */
  readonly needed: Float32Array;
}

/** Looks at what lies in front of a face; landmarks in pixels of the pyramid's image. */
export type LookInFront = (pyramid: ImagePyramid, landmarks: Float32Array) => Promise<Front>;

/** Makes a front in which nothing lies. */
export function emptyFront(): Front {
  const plane = (): Float32Array => new Float32Array(FRONT_SIDE * FRONT_SIDE);
  return {
    shares: { hair: plane(), frame: plane(), lens: plane(), thing: plane(), beard: plane() },
    glare: plane(),
    bare: { side: FRONT_SIDE, luma: plane(), blue: plane(), red: plane() },
    needed: plane(),
  };
}

/** Joins several kinds: the largest of their shares in each texel. A new plane. */
export function shareOf({ shares }: Front, kinds: readonly FrontKind[], make: PlaneMaker): Float32Array {
  const joined = make.copyOf(shares[kinds[0]!]);
  for (const kind of kinds.slice(1)) maxInPlace(joined, shares[kind]);
  return joined;
}

/** Brings a plane of a front to another side, a power of two. A new plane. */
export function frontAt(plane: Float32Array, side: number, make: PlaneMaker): Float32Array {
  const out = make.uninitialised(side * side);
  return side < FRONT_SIDE
    ? shrinkSquare(plane, FRONT_SIDE, side, out)
    : enlargeSquare(plane, FRONT_SIDE, side / FRONT_SIDE, out);
}
