/**
 * Credits per unit of work (docs/spec/ai-tasks#credit-costs). An operator may set others in the
 * configuration.
 */
export interface Prices {
  /** Per photo task. */
  photo: number;
  /** Per generated output of a batch. */
  batchOutput: number;
  /** Per replacement face of a group photo. */
  groupFace: number;
  /** Per started second of a video, and the minimum for a video. */
  videoSecond: number;
  videoMinimum: number;
  /** Per started second of a GIF workflow's target, and the minimum for a GIF. */
  gifSecond: number;
  gifMinimum: number;
  /** Factor on the price of a `/v1` request with `quality: "4k"`. */
  factor4k: number;
}

/** Prices in credits that hold until the operator sets others. */
export const DEFAULT_PRICES: Prices = {
  photo: 3,
  batchOutput: 3,
  groupFace: 3,
  videoSecond: 2,
  videoMinimum: 6,
  gifSecond: 3,
  gifMinimum: 6,
  factor4k: 2,
};
