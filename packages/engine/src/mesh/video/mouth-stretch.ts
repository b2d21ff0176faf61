import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { smileOf } from '../shape/smile.ts';
import { MOUTH_CORNERS } from '../uv/face-regions.ts';

/**
 * Difference of the source's smile from the target's usual smile. 0 at `from`; 1 at `to`, where the
 * smile causes its full share of the widening.
 */
const SMILE_SURPLUS: Ramp = { from: 0.02, to: 0.1 };
/** Share of the widening that a full difference of smiles causes. */
const SMILE_SHARE = 0.5;
/**
 * Smallest width of pursed lips, as a share of the mean width. Narrower lips count as this wide.
 */
const MIN_PURSED_SHARE = 0.5;

/** Widths of a mouth in the units of the target's mean shape. */
export interface MouthWidths {
  /** Usual width of the target's mouth. */
  readonly mean: number;
  /** Usual width with the source's proportions. */
  readonly widened: number;
  /** Width of the source's mouth in its photo. */
  readonly source: number;
  /** Share of the widening that the photo's smile does not cause, 0..1. */
  readonly ownShare: number;
}

/**
 * Measures how much wider a mouth becomes, and how wide it may be.
 * @param source, mean, widened 468 x (x, y, z)
 * @param sourceScale from the source's units to the mean's
 */
export function mouthWidths(
  source: Float32Array,
  sourceScale: number,
  mean: Float32Array,
  widened: Float32Array,
): MouthWidths {
  return {
    mean: mouthWidth(mean),
    widened: mouthWidth(widened),
    source: sourceScale * mouthWidth(source),
    ownShare: 1 - SMILE_SHARE * ramp(SMILE_SURPLUS, smileOf(source) - smileOf(mean)),
  };
}

/**
 * Returns the share of the widening, 0..1, for a mouth of this width. The photo's smile would add
 * to the video's, so no mouth becomes wider than `source` or `widened`, whichever is larger.
 */
export function stretchOf({ mean, widened, source, ownShare }: MouthWidths, width: number): number {
  const widening = widened - mean;
  if (widening <= 0) return 1;
  const room = (Math.max(source, widened) - width) / widening;
  return clamp(Math.min(room, ownShare * clamp(width / mean, MIN_PURSED_SHARE, 1)), 0, 1);
}

/** Returns the distance between the corners of a mouth. */
export function mouthWidth(mesh: Float32Array): number {
  const [a, b] = MOUTH_CORNERS;
  return Math.hypot(...[0, 1, 2].map((k) => mesh[3 * b + k]! - mesh[3 * a + k]!));
}
