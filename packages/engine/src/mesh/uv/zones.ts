import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { midlineDistance } from './texel.ts';

/**
 * A zone of the atlas, equal on both halves, in sides of the atlas. It has ramps over the distance
 * from the midline (`aside`) and over the height from the top (`above` ends a zone downwards,
 * `below` begins it).
 */
interface Zone {
  readonly aside?: Ramp;
  readonly above?: Ramp;
  readonly below?: Ramp;
}

/** Zones of every face. */
export const ZONES = {
  /** Middle of the forehead, without the temples, where hair is. */
  forehead: { aside: { from: 0.36, to: 0.28 }, above: { from: 0.27, to: 0.2 } },
  /** Hair above the forehead. */
  hairline: { above: { from: 0.275, to: 0.235 } },
  /** Forehead, brows and upper lids. */
  aboveEyes: { above: { from: 0.45, to: 0.4 } },
  /** Hair and background at the temples. */
  temples: { aside: { from: 0.3, to: 0.38 } },
  /** Sides, which show hair, ears and background as often as skin. */
  sides: { aside: { from: 0.28, to: 0.34 } },
  /** Band across the eyes that glasses cover. */
  glasses: { below: { from: 0.24, to: 0.28 }, above: { from: 0.55, to: 0.5 } },
  /** Middle of the face, brows to mouth. */
  centre: {
    aside: { from: 0.3, to: 0.2 },
    below: { from: 0.22, to: 0.27 },
    above: { from: 0.74, to: 0.66 },
  },
  /** Skin between nose and mouth. */
  upperLip: {
    aside: { from: 0.13, to: 0.09 },
    below: { from: 0.595, to: 0.615 },
    above: { from: 0.66, to: 0.64 },
  },
  /** Moustache, mouth and chin, which a beard joins. */
  mouthAndChin: { aside: { from: 0.25, to: 0.18 }, below: { from: 0.575, to: 0.605 } },
  /** Beard below the mouth. */
  beard: { below: { from: 0.585, to: 0.63 } },
  /** Whiskers beside the cheeks. */
  whiskers: { aside: { from: 0.3, to: 0.36 }, below: { from: 0.45, to: 0.52 } },
  /** Hair between ear and jaw, which a beard joins. */
  sideboards: { aside: { from: 0.3, to: 0.36 }, above: { from: 0.66, to: 0.5 } },
  /** Skin beside and below the mouth, where light gets darker towards the neck. */
  jaw: { below: { from: 0.55, to: 0.65 } },
  /** Edge of jaw and chin, below which the throat begins. */
  throat: { below: { from: 0.68, to: 0.78 } },
  /** Chin and the skin below the mouth. */
  chin: { aside: { from: 0.24, to: 0.18 }, below: { from: 0.72, to: 0.78 } },
} as const satisfies Readonly<Record<string, Zone>>;

/** Measures how much each texel of an atlas belongs to one of some zones, 0..1. */
export function zonePlane(side: number, ...zones: readonly Zone[]): Float32Array {
  const plane = new Float32Array(side * side);
  for (let i = 0; i < plane.length; i++) {
    const aside = midlineDistance(i, side);
    const height = heightOf(i, side);
    for (const zone of zones) {
      const share =
        (zone.aside ? ramp(zone.aside, aside) : 1) *
        (zone.above ? ramp(zone.above, height) : 1) *
        (zone.below ? ramp(zone.below, height) : 1);
      if (share > plane[i]!) plane[i] = share;
    }
  }
  return plane;
}

/** Returns the height of a texel's middle, from the top, in sides of the atlas. */
export function heightOf(texel: number, side: number): number {
  return (Math.floor(texel / side) + 0.5) / side;
}
