import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { bareSkin } from '../match/pores.ts';
import { smoothedWithin } from '../match/smoothed-within.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { eased } from './ease.ts';

/** Roughness of the source over the target's, from similar skin to skin that is too rough. */
const TOO_ROUGH: Ramp = { from: 1.5, to: 2.4 };
/** Largest share of the unevenness to remove; skin without any looks like wax. */
const MOST_TAKEN = 0.8;
/** Least roughness of the source, levels, that is visible. */
const SEEN_ROUGHNESS_LEVELS = 1.5;
/** Box radius of the unevenness to remove, texels; wider unevenness is the face's shape. */
const UNEVEN_TEXELS = 4;
/** Change of the removed share below which a new texture is not made. */
const MIN_SHARE_CHANGE = 0.05;

/**
 * Computes how much of its unevenness the source's skin loses, 0 to 0.8: stubble, freckles and
 * spots of a sharp photo look like dirt on the smooth skin of most videos.
 * @param own, wanted roughness of the lit source's skin and of the target's, levels
 */
export function tooRoughShare(own: number, wanted: number): number {
  return own < SEEN_ROUGHNESS_LEVELS ? 0 : MOST_TAKEN * ramp(TOO_ROUGH, own / Math.max(wanted, 1e-3));
}

/** How much smoother to make the skin of a followed face, as each whole study finds. */
export class TrackRoughSkin {
  #share = 0;
  /** Share by which the source was smoothed last. */
  #applied = 0;

  /** Whether the smoothed source is too different from the wanted one. */
  get isDue(): boolean {
    return Math.abs(this.#share - this.#applied) >= MIN_SHARE_CHANGE;
  }

  /** Sets what a study found (see `tooRoughShare`). @param isFirst ignores earlier studies */
  take(share: number, isFirst: boolean): void {
    this.#share = eased(this.#share, share, isFirst);
  }

  /** Removes this share of the unevenness from bare skin; the atlas's own planes stay unchanged. */
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
