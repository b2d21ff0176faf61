import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { eased } from './ease.ts';
import type { Light } from '../skin/light.ts';
import type { TextureMatch } from '../match/restore.ts';
import { applyMatch, bandsOf, UNMATCHED } from '../match/restore.ts';

/** Change of a band's gain from which a new texture is made. */
const MIN_GAIN_CHANGE = 0.02;
/** Change of the core, levels, from which a new texture is made. */
const MIN_CORE_CHANGE = 0.15;

/**
 * Follows the sharpness and grain for a face, smoothed over time. Each whole study measures them.
 */
export class TrackSharpness {
  readonly #layout: AtlasLayout;
  readonly #sourceLuma: number;
  #match: TextureMatch = UNMATCHED;
  /** Match with which the source was sharpened last; null before the first time. */
  #applied: TextureMatch | null = null;

  /** @param light of the source */
  constructor(layout: AtlasLayout, light: Light) {
    this.#layout = layout;
    this.#sourceLuma = Math.max(1, meanOf(light.luma, layout));
  }

  /** Noise to add to each pixel, see `TextureMatch`. */
  get grain(): number {
    return this.#match.grain;
  }

  /**
   * Sets what a study found.
   * @param light with which the face was lit in that study
   * @param isFirst whether to ignore earlier studies
   */
  take(to: TextureMatch, light: Light, isFirst: boolean): void {
    const lightGain = meanOf(light.luma, this.#layout) / this.#sourceLuma;
    const { fine, medium, broad, core, grain } = this.#match;
    this.#match = {
      fine: eased(fine, to.fine, isFirst),
      medium: eased(medium, to.medium, isFirst),
      broad: eased(broad, to.broad, isFirst),
      core: eased(core, to.core / Math.max(0.1, lightGain), isFirst),
      grain: eased(grain, to.grain, isFirst),
    };
  }

  /** Whether the current sharpening is too different from the wanted one. */
  get isDue(): boolean {
    return this.#applied === null || !areAlike(this.#match, this.#applied);
  }

  /** Sharpens the source's luma to the current match, into a new plane. */
  sharpen(source: Float32Array, make: PlaneMaker): Float32Array {
    const match = this.#match;
    const luma = make.copyOf(source);
    applyMatch(luma, bandsOf(luma, this.#layout, make), this.#layout, match);
    this.#applied = match;
    return luma;
  }
}

function areAlike(a: TextureMatch, b: TextureMatch): boolean {
  return (
    Math.abs(a.fine - b.fine) < MIN_GAIN_CHANGE &&
    Math.abs(a.medium - b.medium) < MIN_GAIN_CHANGE &&
    Math.abs(a.broad - b.broad) < MIN_GAIN_CHANGE &&
    Math.abs(a.core - b.core) < MIN_CORE_CHANGE
  );
}

/** Averages a plane of `COARSE_SIDE` squared inside the oval. */
function meanOf(plane: Float32Array, layout: RegionMasks): number {
  const factor = layout.side / COARSE_SIDE;
  let sum = 0;
  let total = 0;
  for (let y = 0, i = 0; y < COARSE_SIDE; y++) {
    for (let x = 0; x < COARSE_SIDE; x++, i++) {
      if (layout.oval[Math.floor((y + 0.5) * factor) * layout.side + Math.floor((x + 0.5) * factor)] === 0)
        continue;
      sum += plane[i]!;
      total += 1;
    }
  }
  return sum / Math.max(1, total);
}
