import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { TargetFace } from '../target/target-face.ts';
import { TRACK_SIDE } from './light.ts';

/** Smallest facing with which a texel counts. */
const MIN_FACING = 0.02;

/**
 * Follows the certainty that texels of a face are bare skin, whose light is the target's. Each
 * study measures the certainty, which is smoothed over time.
 */
export class TrackSkin {
  /** Certainty of skin at each texel, at any facing; planes of `TRACK_SIDE` squared. */
  readonly #trust = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly #wanted = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly #weight = new Float32Array(TRACK_SIDE * TRACK_SIDE);

  /** Sets what a study found. */
  take({ skin, small }: Pick<TargetFace, 'skin' | 'small'>, make: PlaneMaker): void {
    const { facing } = small;
    const trust = make.uninitialised(skin.length);
    for (let i = 0; i < trust.length; i++) {
      const towards = facing[i]!;
      trust[i] = skin[i]! / (towards < MIN_FACING ? MIN_FACING : towards);
    }
    shrinkSquare(trust, COARSE_SIDE, TRACK_SIDE, this.#wanted);
  }

  /**
   * Returns the weight of each texel in the light of a frame, `TRACK_SIDE` squared. The next call
   * overwrites the plane.
   * @param facing of the same size
   * @param ease 0..1: share of the way to the last measurement
   */
  weigh(facing: Float32Array, ease: number): Float32Array {
    const trust = this.#trust;
    const wanted = this.#wanted;
    const weight = this.#weight;
    for (let i = 0; i < trust.length; i++) {
      trust[i]! += ease * (wanted[i]! - trust[i]!);
      weight[i] = trust[i]! * Math.max(MIN_FACING, facing[i]!);
    }
    return weight;
  }
}
