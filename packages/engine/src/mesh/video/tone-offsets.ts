import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Light } from '../skin/light.ts';
import { TRACK_SIDE } from './light.ts';

type Planes = readonly [luma: Float32Array, blue: Float32Array, red: Float32Array];

/**
 * Follows the offsets of a face's light: the relief and colours of the target's skin, and the match
 * at the mask's edge (see `matchTone`). Each study measures the offsets, which are smoothed over
 * time.
 */
export class ToneOffsets {
  readonly #offsets = planes();
  readonly #wanted = planes();
  readonly #sum: Light;

  constructor() {
    const [luma, blue, red] = planes();
    this.#sum = { luma, blue, red };
  }

  /**
   * Sets what a study found.
   * @param offsets of luma and colour differences, planes of `COARSE_SIDE` squared
   */
  take(offsets: readonly Float32Array[]): void {
    for (const [k, plane] of offsets.entries())
      shrinkSquare(plane, COARSE_SIDE, TRACK_SIDE, this.#wanted[k]!);
  }

  /**
   * Adds the offsets to the light. The next call overwrites the result.
   * @param light of `TRACK_SIDE` @param veil luma to subtract from it
   * @param ease 0..1: share of the way to the last measurement
   */
  addTo(light: Light, veil: number, ease: number): Light {
    const { luma, blue, red } = this.#sum;
    addFollowed(light.luma, -veil, this.#offsets[0], this.#wanted[0], ease, luma);
    addFollowed(light.blue, 0, this.#offsets[1], this.#wanted[1], ease, blue);
    addFollowed(light.red, 0, this.#offsets[2], this.#wanted[2], ease, red);
    return this.#sum;
  }
}

function planes(): Planes {
  return [plane(), plane(), plane()];
}

function plane(): Float32Array {
  return new Float32Array(TRACK_SIDE * TRACK_SIDE);
}

/**
 * Moves `offsets` by `ease` of the way to `wanted`, and writes their sum with `plane` and `by` to
 * `out`.
 */
function addFollowed(
  plane: Float32Array,
  by: number,
  offsets: Float32Array,
  wanted: Float32Array,
  ease: number,
  out: Float32Array,
): void {
  for (let i = 0; i < out.length; i++) {
    const offset = offsets[i]! + ease * (wanted[i]! - offsets[i]!);
    offsets[i] = offset;
    out[i] = plane[i]! + offset + by;
  }
}
