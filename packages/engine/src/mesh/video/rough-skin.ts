import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { bareSkin } from '../match/pores.ts';
import { smoothedWithin } from '../match/smoothed-within.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { eased } from './ease.ts';

/**
 * Roughness of the source over the target's. 0 at `from`: both are similar; 1 at `to`: the source
 * is too rough.
 */
const TOO_ROUGH: Ramp = { from: 1.5, to: 2.4 };
/** Largest share of the unevenness to remove, because perfectly even skin looks like wax. */
const MAX_TAKEN = 0.8;
/** Smallest roughness of the source, levels, that is visible. */
const SEEN_ROUGHNESS_LEVELS = 1.5;
/** Box radius of the unevenness to remove, texels. Wider unevenness is the face's shape. */
const UNEVEN_TEXELS = 4;
/** Change of the removed share from which a new texture is made. */
const MIN_SHARE_CHANGE = 0.05;

/**
 * Computes how much of its unevenness the source's skin loses, 0..0.8. Stubble, freckles and spots
 * of a sharp photo look like dirt on the smooth skin of most videos.
 * @param own, wanted roughness of the lit source's skin and of the target's, levels
 */
export function tooRoughShare(own: number, wanted: number): number {
  return own < SEEN_ROUGHNESS_LEVELS ? 0 : MAX_TAKEN * ramp(TOO_ROUGH, own / Math.max(wanted, 1e-3));
}

/** Follows how much smoother the skin of a face must become, which each whole study measures. */
export class TrackRoughSkin {
  #share = 0;
  /** Share of the unevenness that was removed last. */
  #applied = 0;

  /** Whether the removed share is too different from the wanted one. */
  get isDue(): boolean {
    return Math.abs(this.#share - this.#applied) >= MIN_SHARE_CHANGE;
  }

  /**
   * Sets what a study found (see `tooRoughShare`). @param isFirst whether to ignore earlier studies
   */
  take(share: number, isFirst: boolean): void {
    this.#share = eased(this.#share, share, isFirst);
  }

  /**
   * Removes the followed share of the unevenness from bare skin. The atlas's own planes stay
   * unchanged.
   */
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
