import type { Box } from '../geometry/box.ts';

/** A place that the detector takes for a face. */
export interface Candidate extends Box {
  /** 0..1 */
  readonly score: number;
  /**
   * Direction from the image-left eye to the image-right eye of the upright face, radians
   * clockwise.
   */
  readonly eyeAngle: number;
  /**
   * Name of the pass that found the candidate. Candidates of different passes confirm each other.
   */
  readonly pass: string;
}
