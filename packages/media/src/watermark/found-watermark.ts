/** A watermark that was found. */
export interface FoundWatermark {
  readonly id: Uint8Array;
  /** How clearly it is read: 1 as it was put in, about 0 as chance would have it. */
  readonly confidence: number;
}
