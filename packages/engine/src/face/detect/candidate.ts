import type { Box } from '../geometry/box.ts';

/** What the detector takes for a face. */
export interface Candidate extends Box {
  /** 0..1 */
  readonly score: number;
  /**
   * Direction from the image-left eye to the image-right eye of the upright face, radians
   * clockwise.
   */
  readonly eyeAngle: number;
  /** Which pass saw it: candidates of different passes confirm each other. */
  readonly pass: string;
}
