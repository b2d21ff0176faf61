import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { bareSkin } from '../match/pores.ts';
import { smoothedWithin } from '../match/smoothed-within.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { eased } from './ease.ts';

/** Multiple of the target's roughness over which a source's skin is rough beside it. */
const TOO_ROUGH: Ramp = { from: 1.5, to: 2.4 };
/** Most of the unevenness that is taken off: a skin without any is wax. */
const MOST_TAKEN = 0.8;
/** Least roughness of the source's, levels, that is seen at all. */
const SEEN_ROUGHNESS_LEVELS = 1.5;
/** Box radius of the unevenness that is taken off, texels: wider is the face's shape. */
const UNEVEN_TEXELS = 4;
/** Difference in the share taken below which a new texture is not worth its time. */
const MIN_SHARE_CHANGE = 0.05;

/**
 * Says how much of the unevenness of its skin the source is to lose, 0 to 0.8: stubble, freckles
 * and spots of a sharp photo are dirt on the smooth skin that most video shows.
 * @param own, wanted roughness of the lit source's skin and of the target's, levels
 */
export function tooRoughShare(own: number, wanted: number): number {
  return own < SEEN_ROUGHNESS_LEVELS ? 0 : MOST_TAKEN * ramp(TOO_ROUGH, own / Math.max(wanted, 1e-3));
}

/** How much smoother the skin on a followed face is to be: found by each whole study. */
export class TrackRoughSkin {
  #share = 0;
  /** Share with which the source was smoothed last. */
  #applied = 0;

  /** Whether the last smoothed source is no longer near enough. */
  get isDue(): boolean {
    return Math.abs(this.#share - this.#applied) >= MIN_SHARE_CHANGE;
  }

  /** Takes what a study found (see `tooRoughShare`). @param isFirst nothing carries over */
  take(share: number, isFirst: boolean): void {
    this.#share = eased(this.#share, share, isFirst);
  }

  /** Takes so much of the unevenness off bare skin; the atlas's own planes stay as they are. */
  smooth(atlas: Atlas, layout: AtlasLayout, make: PlaneMaker): Atlas {
    const share = this.#share;
    this.#applied = share;
    if (share < MIN_SHARE_CHANGE) return atlas;
    const skin = bareSkin(layout);
    const planes = [atlas.luma, atlas.blue, atlas.red];
    const smooth = smoothedWithin(planes, skin, layout.side, UNEVEN_TEXELS, make);
    for (const [k, plane] of smooth.entries()) {
      const own = planes[k]!;
      for (let i = 0; i < plane.length; i++) plane[i] = own[i]! + share * skin[i]! * (plane[i]! - own[i]!);
    }
    const [luma, blue, red] = smooth as [Float32Array, Float32Array, Float32Array];
    return { ...atlas, luma, blue, red };
  }
}
