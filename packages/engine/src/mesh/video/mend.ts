import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import { DARK_FLOOR_LUMA } from '../match/compose.ts';
import { mendFace } from '../mend/mend-face.ts';
import type { Light } from '../skin/light.ts';
import { type Atlas, type AtlasColours, copyColours } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { NETWORK_SIDE } from '../uv/network-window.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { eased } from './ease.ts';

/**
 * Change of the corrections, levels on the mean of all texels, from which a new texture is made.
 */
const MIN_CHANGE_LEVELS = 0.1;
/** Most by which light makes a correction smaller or larger in the source's own light. */
const MOST_GAIN = 4;
/** Texels of a plane of corrections. */
const TEXEL_COUNT = NETWORK_SIDE * NETWORK_SIDE;

/**
 * Follows the corrections of a face's faults, see `findFaults`. Each whole study finds them; they
 * are kept in the source's atlas, so that they move with the face between two studies.
 */
export class TrackMend {
  readonly #from: Light;
  readonly #share: number;
  readonly #steps = noSteps();
  /** The luma's corrections in the atlas that was mended last. */
  readonly #applied = new Float32Array(TEXEL_COUNT);

  /** @param from the source's light @param share of the corrections to apply, 0..1 */
  constructor(from: Light, share: number) {
    this.#from = from;
    this.#share = share;
  }

  /**
   * Sets what a study found in the lit face.
   * @param light with which the face was lit
   * @param isFirst whether to ignore earlier studies
   */
  take(faults: AtlasColours, light: Light, isFirst: boolean): void {
    using space = new Workspace();
    const gain = space.uninitialised(COARSE_SIDE * COARSE_SIDE);
    for (let i = 0; i < gain.length; i++) {
      const ratio = (this.#from.luma[i]! + DARK_FLOOR_LUMA) / (light.luma[i]! + DARK_FLOOR_LUMA);
      gain[i] = clamp(ratio, 1 / MOST_GAIN, MOST_GAIN);
    }
    const gains = enlargeSquare(
      gain,
      COARSE_SIDE,
      NETWORK_SIDE / COARSE_SIDE,
      space.uninitialised(TEXEL_COUNT),
    );
    const { luma, blue, red } = this.#steps;
    for (let i = 0; i < TEXEL_COUNT; i++) {
      luma[i] = eased(luma[i]!, gains[i]! * faults.luma[i]!, isFirst);
      // Light adds its colour to the face's own.
      blue[i] = eased(blue[i]!, faults.blue[i]!, isFirst);
      red[i] = eased(red[i]!, faults.red[i]!, isFirst);
    }
  }

  /** Whether the current corrections are too different from the applied ones. */
  get isDue(): boolean {
    let change = 0;
    for (let i = 0; i < TEXEL_COUNT; i++) change += Math.abs(this.#steps.luma[i]! - this.#applied[i]!);
    return change > MIN_CHANGE_LEVELS * TEXEL_COUNT;
  }

  /** Corrects the source's atlas, as a new one. */
  mend(atlas: Atlas, layout: RegionMasks, make: PlaneMaker): Atlas {
    this.#applied.set(this.#steps.luma);
    const mended = { ...atlas, ...copyColours(atlas, make) };
    mendFace(mended, this.#steps, this.#share, layout.oval, make);
    return mended;
  }
}

function noSteps(): AtlasColours {
  const [luma, blue, red] = Array.from({ length: 3 }, () => new Float32Array(TEXEL_COUNT));
  return { side: NETWORK_SIDE, luma: luma!, blue: blue!, red: red! };
}
