/**
 * Credits per unit of work (docs/spec/ai-tasks#credit-costs). Operators can configure other prices.
 */
export interface Prices {
  /** Per photo task. */
  photo: number;
  /** Per output of a batch. */
  batchOutput: number;
  /** Per replaced face of a group photo. */
  groupFace: number;
  /** Per started second of a video, and the lowest price of a video. */
  videoSecond: number;
  videoMinimum: number;
  /** Per started second of the target of a GIF workflow, and the lowest price of a GIF. */
  gifSecond: number;
  gifMinimum: number;
  /** Factor for the price of a `/v1` request with `quality: "4k"`. */
  factor4k: number;
}

/** Prices in credits, unless the operator sets others. */
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
