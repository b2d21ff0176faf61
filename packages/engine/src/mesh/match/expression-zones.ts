import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { distanceToLine } from '../uv/distance-to-line.ts';

/**
 * A line of vertices in the right half, and the distances, in sides, over which its effect fades.
 */
interface Capsule {
  readonly line: readonly number[];
  readonly reach: Ramp;
  /** Whether it reaches onto the lips. */
  readonly onLips?: boolean;
}

/**
 * Distance from the line of a fold or pit, in sides of the atlas. 0 at `from`, outside; 1 at `to`,
 * inside.
 */
const FOLD_REACH: Ramp = { from: 0.05, to: 0.02 };
/**
 * Places beside the mouth where a smile makes folds and bulges. Beards and moustaches also grow
 * there.
 */
const MOUTH_CAPSULES: readonly Capsule[] = [
  // From the wing of the nose past the mouth.
  { line: [129, 206, 216, 202, 204], reach: { from: 0.06, to: 0.025 } },
  // The curved fold of a broad smile in the cheek.
  { line: [205, 207, 214, 210], reach: { from: 0.08, to: 0.03 } },
  // The pit at the corner of the mouth.
  { line: [57, 43], reach: FOLD_REACH },
  // The corner itself, which is dark in a smile: a mouth that is shut would end in dark lines.
  { line: [78, 61, 57], reach: { from: 0.04, to: 0.02 }, onLips: true },
  // The dimple of the chin.
  { line: [200, 199], reach: FOLD_REACH },
];
/** Places where a raised cheek makes folds and bulges. */
const CHEEK_CAPSULES: readonly Capsule[] = [
  // The apple of the cheek.
  { line: [50, 205], reach: { from: 0.085, to: 0.03 } },
  // Crow's feet.
  { line: [226, 35], reach: FOLD_REACH },
  // The bag under the eye.
  { line: [228, 229, 230, 231], reach: FOLD_REACH },
];
/** Skin between nose and lip. Dark skin there is a moustache. */
const UPPER_LIP_CAPSULES: readonly Capsule[] = [{ line: [164, 167, 165], reach: { from: 0.025, to: 0.015 } }];

/** Zones of bare skin that expression changes: soft planes of the layout's size. */
export interface ExpressionZones {
  /** Share of the relief beside the mouth that is expression. */
  readonly mouth: Float32Array;
  /** Share of the relief of cheeks and lower lids that is expression. */
  readonly cheeks: Float32Array;
  /** Zone in which a moustache grows. Its relief is not changed. */
  readonly upperLip: Float32Array;
}

/** Draws the zones of a layout. Both halves are mirror images. */
export const expressionZones = perLayout((layout: AtlasLayout): ExpressionZones => ({
  mouth: zoneOf(MOUTH_CAPSULES, layout),
  cheeks: zoneOf(CHEEK_CAPSULES, layout),
  upperLip: zoneOf(UPPER_LIP_CAPSULES, layout),
}));

/** Measures how near each texel of bare skin is to one of the capsules or its mirror image. */
function zoneOf(
  capsules: readonly Capsule[],
  { side, points, opacity, features, softEyes }: AtlasLayout,
): Float32Array {
  return opacity.map((shown, i) => {
    if (shown === 0) return 0;
    const bare = (1 - features[i]!) * (1 - softEyes[i]!);
    const x = (i % side) + 0.5;
    const y = Math.floor(i / side) + 0.5;
    const near = capsules.map(
      ({ line, reach, onLips }) =>
        (onLips ? 1 : bare) * ramp(reach, distanceToLine(points, line, Math.min(x, side - x), y) / side),
    );
    return shown * Math.max(...near);
  });
}
