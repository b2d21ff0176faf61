import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { NETWORK_SIDE } from '../uv/network-window.ts';
import { resizePlane } from '../uv/resize-plane.ts';

/** Side of the atlas in which a network searches for things in front of the face, texels. */
export const FRONT_SIDE = NETWORK_SIDE;

/** Kinds of things in front of a face, in the network's order; bare skin comes before them. */
export const FRONT_KINDS = ['hair', 'frame', 'lens', 'thing', 'beard'] as const;

/** Kinds that hide the face behind them completely. */
export const OPAQUE_KINDS = ['hair', 'frame', 'thing', 'beard'] as const satisfies readonly FrontKind[];

/** Things other than the bare face that a texel may show; `thing`: a hand, a mask, a microphone. */
export type FrontKind = (typeof FRONT_KINDS)[number];

/** Things in front of a face, and the face behind them: planes of `FRONT_SIDE`^2 values. */
export interface Front {
  /** Share of each texel that each kind covers, 0..1. */
  readonly shares: Readonly<Record<FrontKind, Float32Array>>;
  /** Share of each texel in which a lens's reflection or tint hides the face, 0..1. */
  readonly glare: Float32Array;
  /** The bare face, valid where `needed` is above 0. */
  readonly bare: AtlasColours;
  /** Share of each texel to replace by the bare face, 0..1, because of things, shade or glare. */
  readonly needed: Float32Array;
  /**
   * How much brighter a lamp or the sun makes each texel than even light, as the natural logarithm
   * of the factor, about -1.4 to 0.7.
   */
  readonly shade: Float32Array;
}

/** Finds the things in front of a face; landmarks are in pixels of the pyramid's image. */
export type LookInFront = (pyramid: ImagePyramid, landmarks: Float32Array) => Promise<Front>;

/** Makes a front without any thing. */
export function emptyFront(): Front {
  const plane = (): Float32Array => new Float32Array(FRONT_SIDE * FRONT_SIDE);
  return {
    shares: { hair: plane(), frame: plane(), lens: plane(), thing: plane(), beard: plane() },
    glare: plane(),
    bare: { side: FRONT_SIDE, luma: plane(), blue: plane(), red: plane() },
    needed: plane(),
    shade: plane(),
  };
}

/** Keeps glasses and the shade alone, and takes everything else for the bare face. */
export function withGlassesOnly(front: Front): Front {
  const none = emptyFront();
  const { frame, lens } = front.shares;
  const needed = front.needed.map((need, i) => Math.min(need, Math.max(frame[i]!, lens[i]!)));
  return { ...front, shares: { ...none.shares, frame, lens }, needed };
}

/** Combines several kinds: the largest of their shares in each texel. Returns a new plane. */
export function shareOf({ shares }: Front, kinds: readonly FrontKind[], make: PlaneMaker): Float32Array {
  const joined = make.copyOf(shares[kinds[0]!]);
  for (const kind of kinds.slice(1)) maxInPlace(joined, shares[kind]);
  return joined;
}

/** Resizes a plane of a front to another side, a power of two. Returns a new plane. */
export function frontAt(plane: Float32Array, side: number, make: PlaneMaker): Float32Array {
  return resizePlane(plane, FRONT_SIDE, side, make);
}
