/**
 * Weight of the steadied landmarks' own position in one frame, relative to one registration. The
 * weight is small because the landmarks' errors change slowly, over many frames.
 */
const ANCHOR_WEIGHT = 0.03;
/** Weight of the landmarks' own motion, relative to one registration, if registration failed. */
const UNREGISTERED_WEIGHT = 0.04;
/**
 * Number of frames after which a frame has no influence. Its influence falls by a sixth per frame.
 */
const REACH_FRAMES = 32;

/**
 * Computes corrections that change from frame to frame by the measured shifts, but stay near 0, the
 * position of the steadied landmarks. The corrections have the least sum of squares over all frames
 * known so far, both before and after a frame, so that nothing lags. They solve one tridiagonal
 * system, the same for every value. Its first half is solved as frames arrive, its second half when
 * a frame is requested.
 */
export class Settling {
  readonly #count: number;
  /** Weight of the link between each frame and the next one. */
  readonly #links: number[] = [];
  readonly #pivots: number[] = [];
  readonly #values: Float32Array[] = [];
  readonly #settled: Float32Array;

  /** @param count number of values per frame */
  constructor(count: number) {
    this.#count = count;
    this.#settled = new Float32Array(count);
  }

  /**
   * Adds the next frame.
   * @param shift `count` values since the frame before; null if they were not seen, or if this is
   * the first frame
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

  /** Returns the corrections of a frame. The next call overwrites the array. */
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
