import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { smoothedWithin } from './smoothed-within.ts';

/** Smallest box radius of the blur that measures the tone of lips, texels. A shine is narrower. */
const MIN_TONE_TEXELS = 3;

/**
 * Largest share of detail that lips of few pixels copy. The full detail costs likeness (measured).
 */
const MAX_DETAIL = 0.7;

/** Shares of the target's lips that the lit face copies, 0..1. */
export interface LipShares {
  readonly tone: number;
  /** Share of the colour alone; `tone` counts if it is larger. */
  readonly colour: number;
  readonly detail: number;
}

/**
 * Returns the share of detail to copy. Lips from a dark photo need all of it because their shine,
 * shade and noise look like torn paper after lightening. Lips enlarged from few pixels have ragged
 * edges.
 * @param lightened see `lightenedShare` @param unresolved see `poreShare`
 */
export function lipDetail(lightened: number, unresolved: number): number {
  return Math.max(lightened, MAX_DETAIL * unresolved);
}

/**
 * Copies the target's lips to the lit face, in place and only inside the outline of the face's own
 * lips.
 * @param pixelTexels size of the source's pixels in the atlas
 */
export function borrowLips(
  lit: Atlas,
  target: Pick<TargetFace, 'atlas' | 'occluded'>,
  { tone: toneShare, colour, detail }: LipShares,
  pixelTexels: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  if (Math.max(detail, toneShare, colour) === 0) return;
  const { soft } = lipMasks(layout);
  const zone = make.uninitialised(soft.length);
  for (let i = 0; i < zone.length; i++) zone[i] = soft[i]! * (1 - target.occluded[i]!);
  const own = [lit.luma, lit.blue, lit.red];
  const wanted = [target.atlas.luma, target.atlas.blue, target.atlas.red];
  const radius = Math.max(MIN_TONE_TEXELS, pixelTexels);
  const tones = smoothedWithin([...own, ...wanted], zone, layout.side, radius, make);
  for (const [k, plane] of own.entries()) {
    const toned = plane === lit.luma ? toneShare : Math.max(toneShare, colour);
    const [tone, wantedTone] = [tones[k]!, tones[k + own.length]!];
    for (let i = 0; i < zone.length; i++) {
      if (zone[i] === 0) continue;
      const step = wanted[k]![i]! - plane[i]!;
      const toneStep = wantedTone[i]! - tone[i]!;
      plane[i]! += zone[i]! * (toned * toneStep + detail * (step - toneStep));
    }
  }
}
