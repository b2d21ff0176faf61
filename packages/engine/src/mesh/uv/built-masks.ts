import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { AtlasOutline } from './atlas-outline.ts';
import { filledRings } from './atlas-outline.ts';
import {
  CORE_SKIN,
  INNER_LIPS,
  LEFT_BROW,
  LEFT_EYE,
  LEFT_LIDS,
  LEFT_NOSTRIL,
  OUTER_LIPS,
  RIGHT_BROW,
  RIGHT_EYE,
  RIGHT_LIDS,
  RIGHT_NOSTRIL,
} from './face-regions.ts';
import type { RegionMasks } from './region-masks.ts';
import { midlineDistance } from './texel.ts';

/** Width over which the swapped face fades at the oval's edge, in sides of the atlas. */
const OVAL_FEATHER_SIDES = 1 / 60;
/**
 * Width of the fade on the forehead, where the head goes on as bare skin with wrinkles and shine of
 * its own.
 */
const FOREHEAD_FEATHER_SIDES = 1 / 20;
/** Width of the soft edges of eyes and inner mouth, in sides of the atlas. */
const HOLE_FEATHER_SIDES = 1 / 170;
/** Coverage of the feathered oval over which the swapped face becomes opaque. */
const SHOWN: Ramp = { from: 0.5, to: 0.95 };
/** Gain of the mouth's feathered slit, so that its middle is transparent throughout. */
const MOUTH_GAIN = 1.15;

/** Blur that makes each mask larger than its outline, in sides of the atlas. */
const GROWTH_SIDES = {
  brows: 1 / 73,
  lipsAndLids: 1 / 85,
  nostrils: 1 / 160,
  browsSoft: 1 / 200,
  browArea: 1 / 40,
  lids: 1 / 70,
};
/** Blurred coverage over which a grown mask sets in. */
const GROWN: Ramp = { from: 0.08, to: 0.22 };

/**
 * Ramp over the distance from the midline (`aside`) or the height in the atlas (`v`, down), both in
 * sides.
 */
type Zone = Readonly<Record<string, Ramp>>;

/** Outer ends of the brows. */
const BROW_TAILS = {
  aside: { from: 0.14, to: 0.19 },
  above: { from: 0.36, to: 0.33 },
} satisfies Zone;
/** Middle of the face. */
const CENTRE = {
  aside: { from: 0.3, to: 0.2 },
  below: { from: 0.22, to: 0.27 },
  above: { from: 0.74, to: 0.66 },
} satisfies Zone;
/** Chin. */
const CHIN = {
  aside: { from: 0.24, to: 0.18 },
  below: { from: 0.72, to: 0.78 },
} satisfies Zone;
/** Hairline above and at the sides. */
const HAIR = {
  above: { from: 0.275, to: 0.235 },
  aside: { from: 0.3, to: 0.38 },
} satisfies Zone;
/** Beard below the mouth, and whiskers beside the cheeks. */
const BEARD = {
  below: { from: 0.585, to: 0.63 },
  whiskersAside: { from: 0.3, to: 0.36 },
  whiskersBelow: { from: 0.45, to: 0.52 },
} satisfies Zone;
/** Band across the eyes in which glasses lie. */
const GLASSES = {
  below: { from: 0.24, to: 0.28 },
  above: { from: 0.55, to: 0.5 },
} satisfies Zone;
/** Middle of the forehead, without the temples, where hair is. */
const FOREHEAD = {
  aside: { from: 0.36, to: 0.28 },
  above: { from: 0.27, to: 0.2 },
} satisfies Zone;

type SeldomMask =
  | 'holes'
  | 'core'
  | 'nostrils'
  | 'brows'
  | 'browsSoft'
  | 'browTails'
  | 'browArea'
  | 'lids'
  | 'centre'
  | 'chin'
  | 'hairZone'
  | 'beardZone'
  | 'glassesZone';

/**
 * Masks drawn from the mesh's outline; those that few steps need are made on first use. All of 512
 * texels are 12 MB.
 */
export class BuiltMasks implements RegionMasks {
  readonly side: number;
  readonly points: Float32Array;
  readonly oval: Float32Array;
  readonly opacity: Float32Array;
  readonly softEyes: Float32Array;
  readonly features: Float32Array;
  #made: Partial<Record<SeldomMask, Float32Array>> = {};

  constructor({ side, points, oval }: AtlasOutline) {
    this.side = side;
    this.points = points;
    // Kernels read these for every face: they stay in their memory, as long as the process.
    const resident = new Workspace();
    this.oval = resident.copyOf(oval);
    this.softEyes = resident.copyOf(this.#blurred(this.#region(RIGHT_EYE, LEFT_EYE), HOLE_FEATHER_SIDES));
    this.opacity = resident.copyOf(this.#shown());
    this.features = resident.copyOf(
      largest(
        this.#grown(GROWTH_SIDES.brows, RIGHT_BROW, LEFT_BROW),
        this.#grown(GROWTH_SIDES.lipsAndLids, OUTER_LIPS, RIGHT_LIDS, LEFT_LIDS),
        this.#grown(GROWTH_SIDES.nostrils, RIGHT_NOSTRIL, LEFT_NOSTRIL),
      ),
    );
  }

  get holes(): Float32Array {
    return (this.#made.holes ??= this.#region(INNER_LIPS, RIGHT_EYE, LEFT_EYE));
  }

  get core(): Float32Array {
    return (this.#made.core ??= this.#region(...CORE_SKIN).map(
      (value, i) => value * (1 - this.features[i]!),
    ));
  }

  get nostrils(): Float32Array {
    return (this.#made.nostrils ??= this.#grown(GROWTH_SIDES.nostrils, RIGHT_NOSTRIL, LEFT_NOSTRIL));
  }

  get brows(): Float32Array {
    return (this.#made.brows ??= this.#region(RIGHT_BROW, LEFT_BROW));
  }

  get browsSoft(): Float32Array {
    return (this.#made.browsSoft ??= this.#grown(GROWTH_SIDES.browsSoft, RIGHT_BROW, LEFT_BROW));
  }

  get browArea(): Float32Array {
    return (this.#made.browArea ??= this.#grown(GROWTH_SIDES.browArea, RIGHT_BROW, LEFT_BROW));
  }

  get lids(): Float32Array {
    return (this.#made.lids ??= this.#grown(GROWTH_SIDES.lids, RIGHT_LIDS, LEFT_LIDS));
  }

  get browTails(): Float32Array {
    return (this.#made.browTails ??= this.#zone(
      (aside, v) => ramp(BROW_TAILS.aside, aside) * ramp(BROW_TAILS.above, v),
    ));
  }

  get centre(): Float32Array {
    return (this.#made.centre ??= this.#zone(
      (aside, v) => ramp(CENTRE.aside, aside) * ramp(CENTRE.below, v) * ramp(CENTRE.above, v),
    ));
  }

  get chin(): Float32Array {
    return (this.#made.chin ??= this.#zone((aside, v) => ramp(CHIN.aside, aside) * ramp(CHIN.below, v)));
  }

  get hairZone(): Float32Array {
    return (this.#made.hairZone ??= this.#zone(
      (aside, v, i) => this.oval[i]! * Math.max(ramp(HAIR.above, v), ramp(HAIR.aside, aside)),
    ));
  }

  get beardZone(): Float32Array {
    return (this.#made.beardZone ??= this.#zone((aside, v, i) => {
      const whiskers = ramp(BEARD.whiskersAside, aside) * ramp(BEARD.whiskersBelow, v);
      return this.oval[i]! * Math.max(ramp(BEARD.below, v), whiskers);
    }));
  }

  get glassesZone(): Float32Array {
    return (this.#made.glassesZone ??= this.#zone(
      (_, v, i) => this.oval[i]! * ramp(GLASSES.below, v) * ramp(GLASSES.above, v),
    ));
  }

  dropSeldomMasks(): void {
    this.#made = {};
  }

  #region(...rings: readonly (readonly number[])[]): Float32Array {
    return filledRings(this.points, this.side, rings);
  }

  #blurred(plane: Float32Array, fraction: number): Float32Array {
    const copy = plane.slice();
    boxBlur(copy, this.side, this.side, boxRadius(fraction * this.side));
    return copy;
  }

  #grown(fraction: number, ...rings: readonly (readonly number[])[]): Float32Array {
    return this.#blurred(this.#region(...rings), fraction).map((value) => ramp(GROWN, value));
  }

  /** Makes a mask of each texel's distance from the midline and height, both in sides. */
  #zone(share: (aside: number, v: number, i: number) => number): Float32Array {
    const { side } = this;
    const plane = new Float32Array(side * side);
    for (let y = 0, i = 0; y < side; y++) {
      const v = (y + 0.5) / side;
      for (let x = 0; x < side; x++, i++) plane[i] = share(midlineDistance(x, side), v, i);
    }
    return plane;
  }

  #shown(): Float32Array {
    const { side, oval } = this;
    // In the canonical face the mouth is shut: its slit is thinner than the feather and must not
    // drown in it.
    const softMouth = this.#blurred(this.#region(INNER_LIPS), HOLE_FEATHER_SIDES);
    const widest = softMouth.reduce((most, value) => Math.max(most, value), 1e-6);
    const edge = this.#blurred(oval, OVAL_FEATHER_SIDES);
    const softEdge = this.#blurred(oval, FOREHEAD_FEATHER_SIDES);
    const opacity = new Float32Array(side * side);
    for (let i = 0; i < opacity.length; i++) {
      const forehead = foreheadShare(i, side);
      const shown = (1 - forehead) * ramp(SHOWN, edge[i]!) + forehead * ramp(SHOWN, softEdge[i]!);
      opacity[i] = shown * (1 - Math.min(1, (softMouth[i]! / widest) * MOUTH_GAIN));
    }
    return opacity;
  }
}

/** Raises `first`, in place, to the largest of all planes at each texel. */
function largest(first: Float32Array, ...others: readonly Float32Array[]): Float32Array {
  for (const other of others) {
    for (let i = 0; i < first.length; i++) first[i] = Math.max(first[i]!, other[i]!);
  }
  return first;
}

/** 1 on the middle of the forehead, 0 from the brows down and at the temples, where hair is. */
function foreheadShare(texel: number, side: number): number {
  const aside = midlineDistance(texel, side);
  const v = (Math.floor(texel / side) + 0.5) / side;
  return ramp(FOREHEAD.aside, aside) * ramp(FOREHEAD.above, v);
}
