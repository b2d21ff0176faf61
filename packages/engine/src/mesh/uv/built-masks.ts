import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { AtlasOutline } from './atlas-outline.ts';
import { filledRings } from './atlas-outline.ts';
import {
  CORE_SKIN,
  INNER_LIPS,
  LEFT_BROW,
  LEFT_EYE,
  LEFT_LIDS,
  NOSTRILS,
  OUTER_LIPS,
  RIGHT_BROW,
  RIGHT_EYE,
  RIGHT_LIDS,
} from './face-regions.ts';
import type { RegionMasks } from './region-masks.ts';
import { midlineDistance } from './texel.ts';

/** Feather of the oval, and growth of the features, as fractions of the side. */
const OVAL_FEATHER = 1 / 60;
/** Where the head goes on above the oval as bare skin, with wrinkles and shine of its own. */
const FOREHEAD_FEATHER = 1 / 20;
const HOLE_FEATHER = 1 / 170;

type SeldomMask =
  | 'holes'
  | 'core'
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

/** Masks drawn from the mesh's outline; those that few steps need are made on first use. All of 512 texels are 12 MB. */
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
    this.softEyes = resident.copyOf(this.#blurred(this.#region(RIGHT_EYE, LEFT_EYE), HOLE_FEATHER));
    this.opacity = resident.copyOf(this.#shown());
    this.features = resident.copyOf(
      largest(
        this.#grown(1 / 73, RIGHT_BROW, LEFT_BROW),
        this.#grown(1 / 85, OUTER_LIPS, RIGHT_LIDS, LEFT_LIDS),
        this.#grown(1 / 128, NOSTRILS),
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

  get brows(): Float32Array {
    return (this.#made.brows ??= this.#region(RIGHT_BROW, LEFT_BROW));
  }

  get browsSoft(): Float32Array {
    return (this.#made.browsSoft ??= this.#grown(1 / 200, RIGHT_BROW, LEFT_BROW));
  }

  get browArea(): Float32Array {
    return (this.#made.browArea ??= this.#grown(1 / 40, RIGHT_BROW, LEFT_BROW));
  }

  get lids(): Float32Array {
    return (this.#made.lids ??= this.#grown(1 / 70, RIGHT_LIDS, LEFT_LIDS));
  }

  get browTails(): Float32Array {
    return (this.#made.browTails ??= this.#zone(
      (aside, v) => smoothstep(0.14, 0.19, aside) * smoothstep(0.36, 0.33, v),
    ));
  }

  get centre(): Float32Array {
    return (this.#made.centre ??= this.#zone(
      (aside, v) => smoothstep(0.3, 0.2, aside) * smoothstep(0.22, 0.27, v) * smoothstep(0.74, 0.66, v),
    ));
  }

  get chin(): Float32Array {
    return (this.#made.chin ??= this.#zone(
      (aside, v) => smoothstep(0.24, 0.18, aside) * smoothstep(0.72, 0.78, v),
    ));
  }

  get hairZone(): Float32Array {
    return (this.#made.hairZone ??= this.#zone(
      (aside, v, i) => this.oval[i]! * Math.max(smoothstep(0.275, 0.235, v), smoothstep(0.3, 0.38, aside)),
    ));
  }

  get beardZone(): Float32Array {
    return (this.#made.beardZone ??= this.#zone((aside, v, i) => {
      const whiskers = smoothstep(0.3, 0.36, aside) * smoothstep(0.45, 0.52, v);
      return this.oval[i]! * Math.max(smoothstep(0.585, 0.63, v), whiskers);
    }));
  }

  get glassesZone(): Float32Array {
    return (this.#made.glassesZone ??= this.#zone(
      (_, v, i) => this.oval[i]! * smoothstep(0.24, 0.28, v) * smoothstep(0.55, 0.5, v),
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
    return this.#blurred(this.#region(...rings), fraction).map((value) => smoothstep(0.08, 0.22, value));
  }

  /** `share` of how far aside of the middle and how far down a texel is, both in sides. */
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
    // In the canonical face the mouth is shut: its slit is thinner than the feather and must not drown in it.
    const softMouth = this.#blurred(this.#region(INNER_LIPS), HOLE_FEATHER);
    const widest = softMouth.reduce((most, value) => Math.max(most, value), 1e-6);
    const edge = this.#blurred(oval, OVAL_FEATHER);
    const softEdge = this.#blurred(oval, FOREHEAD_FEATHER);
    const opacity = new Float32Array(side * side);
    for (let i = 0; i < opacity.length; i++) {
      const forehead = foreheadShare(i, side);
      const shown =
        (1 - forehead) * smoothstep(0.5, 0.95, edge[i]!) + forehead * smoothstep(0.5, 0.95, softEdge[i]!);
      opacity[i] = shown * (1 - Math.min(1, (softMouth[i]! / widest) * 1.15));
    }
    return opacity;
  }
}

/** Texel by texel, in the first. */
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
  return smoothstep(0.36, 0.28, aside) * smoothstep(0.27, 0.2, v);
}
