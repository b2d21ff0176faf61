import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { smoothedWithin } from './smoothed-within.ts';

/** Least box radius of the blur that gives the tone of lips, texels: wider than a shine. */
const MIN_TONE_TEXELS = 3;

/** Largest share of detail that lips of few pixels copy; all of it costs likeness (measured). */
const MOST_DETAIL = 0.7;

/** Shares of the target's lips that the lit face copies, 0..1. */
export interface LipShares {
  /** Share of tone and detail: see `lightenedShare`. */
  readonly lightened: number;
  /** Share of the detail alone: see `poreShare`. */
  readonly unresolved: number;
}

/**
 * Gives the lit face the target's lips, in place and only inside the outline of its own lips.
 * Shine, shade and noise of lips from a dark photo, lightened, look like torn paper. Lips enlarged
 * from few pixels have ragged edges: only their detail is replaced, not their tone.
 * @param pixelTexels size of the source's pixels in the atlas
 */
export function borrowLips(
  lit: Atlas,
  target: Pick<TargetFace, 'atlas' | 'occluded'>,
  { lightened, unresolved }: LipShares,
  pixelTexels: number,
  layout: AtlasLayout,
  make: PlaneMaker,
): void {
  const detail = Math.max(lightened, MOST_DETAIL * unresolved);
  if (detail === 0) return;
  const { soft } = lipMasks(layout);
  const zone = make.uninitialised(soft.length);
  for (let i = 0; i < zone.length; i++) zone[i] = soft[i]! * (1 - target.occluded[i]!);
  const own = [lit.luma, lit.blue, lit.red];
  const wanted = [target.atlas.luma, target.atlas.blue, target.atlas.red];
  const radius = Math.max(MIN_TONE_TEXELS, pixelTexels);
  const tones = smoothedWithin([...own, ...wanted], zone, layout.side, radius, make);
  for (const [k, plane] of own.entries()) {
    const [tone, wantedTone] = [tones[k]!, tones[k + own.length]!];
    for (let i = 0; i < zone.length; i++) {
      if (zone[i] === 0) continue;
      const step = wanted[k]![i]! - plane[i]!;
      const toneStep = wantedTone[i]! - tone[i]!;
      plane[i]! += zone[i]! * (lightened * toneStep + detail * (step - toneStep));
    }
  }
}
