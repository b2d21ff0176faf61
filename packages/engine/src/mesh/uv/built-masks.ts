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
import { ZONES, zonePlane } from './zones.ts';

/** Width of the swapped face's fade at the oval's edge, in sides of the atlas. */
const OVAL_FEATHER_SIDES = 1 / 60;
/**
 * Width of the fade on the forehead, in sides of the atlas. Above it the head continues as bare
 * skin with its own wrinkles and shine.
 */
const FOREHEAD_FEATHER_SIDES = 1 / 13;
/** Width of the soft edges of eyes and inner mouth, in sides of the atlas. */
const HOLE_FEATHER_SIDES = 1 / 170;
/**
 * Coverage of the feathered oval. 0 at `from`: the swapped face is hidden; 1 at `to`: it is opaque.
 */
const SHOWN: Ramp = { from: 0.5, to: 0.95 };
/** Gain of the mouth's feathered slit, which makes its middle fully transparent. */
const MOUTH_GAIN = 1.15;

/** Blur that enlarges each mask beyond its outline, in sides of the atlas. */
const GROWTH_SIDES = {
  brows: 1 / 73,
  lipsAndLids: 1 / 85,
  nostrils: 1 / 160,
  browsSoft: 1 / 200,
  browArea: 1 / 40,
  lids: 1 / 70,
};
/** Blurred coverage. 0 at `from`, where an enlarged mask begins; 1 at `to`, where it is full. */
const GROWN: Ramp = { from: 0.08, to: 0.22 };

type SeldomMask =
  | 'holes'
  | 'core'
  | 'nostrils'
  | 'brows'
  | 'browsSoft'
  | 'browArea'
  | 'lids'
  | 'centre'
  | 'chin'
  | 'hairZone'
  | 'beardZone'
  | 'glassesZone';

/**
 * Masks that are drawn from the mesh's outline. Those that few steps need are made on first use,
 * because all of them at 512 texels take 12 MB.
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
    // Kernels read these for every face, so they stay in the kernels' memory permanently.
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

  get centre(): Float32Array {
    return (this.#made.centre ??= zonePlane(this.side, ZONES.centre));
  }

  get chin(): Float32Array {
    return (this.#made.chin ??= zonePlane(this.side, ZONES.chin));
  }

  get hairZone(): Float32Array {
    return (this.#made.hairZone ??= this.#inOval(ZONES.hairline, ZONES.temples));
  }

  get beardZone(): Float32Array {
    return (this.#made.beardZone ??= this.#inOval(ZONES.beard, ZONES.whiskers));
  }

  get glassesZone(): Float32Array {
    return (this.#made.glassesZone ??= this.#inOval(ZONES.glasses));
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

  #inOval(...zones: Parameters<typeof zonePlane>[1][]): Float32Array {
    return zonePlane(this.side, ...zones).map((share, i) => share * this.oval[i]!);
  }

  #shown(): Float32Array {
    const { side, oval } = this;
    // In the canonical face the mouth is shut. Its slit is thinner than the feather, which would
    // hide it.
    const softMouth = this.#blurred(this.#region(INNER_LIPS), HOLE_FEATHER_SIDES);
    const widest = softMouth.reduce((most, value) => Math.max(most, value), 1e-6);
    const edge = this.#blurred(oval, OVAL_FEATHER_SIDES);
    const softEdge = this.#blurred(oval, FOREHEAD_FEATHER_SIDES);
    const forehead = zonePlane(side, ZONES.forehead);
    const opacity = new Float32Array(side * side);
    for (let i = 0; i < opacity.length; i++) {
      const onForehead = forehead[i]!;
      const shown = (1 - onForehead) * ramp(SHOWN, edge[i]!) + onForehead * ramp(SHOWN, softEdge[i]!);
      opacity[i] = shown * (1 - Math.min(1, (softMouth[i]! / widest) * MOUTH_GAIN));
    }
    return opacity;
  }
}

/** Raises `first`, in place, to the largest value of all planes at each texel. */
function largest(first: Float32Array, ...others: readonly Float32Array[]): Float32Array {
  for (const other of others) {
    for (let i = 0; i < first.length; i++) first[i] = Math.max(first[i]!, other[i]!);
  }
  return first;
}
