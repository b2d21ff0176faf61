/**
 * Weight of the steadied landmarks' own place in one frame beside one registration: they err
 * slowly, over many.
 */
const ANCHOR_WEIGHT = 0.03;
/** Weight of the landmarks' own motion, compared with one registration, if that failed. */
const UNREGISTERED_WEIGHT = 0.04;
/** Frames after which a frame has no influence: its pull falls by a sixth from each to the next. */
const REACH_FRAMES = 32;

/**
 * Corrections that change from frame to frame as the shifts say, yet stay near 0, where the
 * steadied landmarks are: the least sum of squares over all frames known so far, those after a
 * frame as well as those before, so that nothing lags. One tridiagonal system, the same for every
 * value; its first half is solved as frames come, its second when a frame is asked for.
 */
export class Settling {
  readonly #count: number;
  /** How much a frame is tied to the next one. */
  readonly #links: number[] = [];
  readonly #pivots: number[] = [];
  readonly #values: Float32Array[] = [];
  readonly #settled: Float32Array;

  /** @param count values a frame */
  constructor(count: number) {
    this.#count = count;
    this.#settled = new Float32Array(count);
  }

  /**
   * The next frame.
   * @param shift `count` values since the frame before; null where they were not seen, or there is
   * no frame before
   */
  push(shift: Float32Array | null): void {
    const last = this.#pivots.length - 1;
    const values = new Float32Array(this.#count);
    let pivot = ANCHOR_WEIGHT;
    if (last >= 0) {
      const link = shift === null ? UNREGISTERED_WEIGHT : 1;
      const before = this.#values[last]!;
      this.#links.push(link);
      this.#pivots[last]! += link;
      const share = link / this.#pivots[last]!;
      pivot += link - share * link;
      if (shift !== null) for (let i = 0; i < values.length; i++) before[i]! -= shift[i]!;
      for (let i = 0; i < values.length; i++) values[i] = share * before[i]! + (shift?.[i] ?? 0);
    }
    this.#pivots.push(pivot);
    this.#values.push(values);
  }

  /** The corrections of a frame; overwritten by the next call. */
  at(frame: number): Float32Array {
    const settled = this.#settled.fill(0);
    for (let t = Math.min(this.#pivots.length - 1, frame + REACH_FRAMES); t >= frame; t--) {
      const values = this.#values[t]!;
      const link = this.#links[t] ?? 0;
      const share = 1 / this.#pivots[t]!;
      for (let i = 0; i < settled.length; i++) settled[i] = share * (values[i]! + link * settled[i]!);
    }
    return settled;
  }
}
