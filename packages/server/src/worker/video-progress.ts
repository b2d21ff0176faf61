/** What is behind us when the look at the frames begins. */
const LOOK_FROM = 0.02;
/** Of looking at all frames and drawing all frames, what looking takes. */
const LOOK_SHARE = 0.235;
/** Where looking leads to as long as there is nothing to draw. */
const NOTHING_TO_DRAW = 0.98;

/**
 * How far a video is, 0..1 and never falling. Until a face is seen there is nothing to draw after the look, and a clip without
 * one ends there: told otherwise its progress would stop at a quarter, and the time it takes would be thought four times as long.
 */
export class VideoProgress {
  /** Progress and share of the frames looked at when the first face was seen. */
  #from = { progress: LOOK_FROM, share: 0 };
  #drawFrom = NOTHING_TO_DRAW;
  #hasFace = false;
  #told = LOOK_FROM;

  /** @param share of the frames looked at, 0..1 @param hasFace whether one was seen so far */
  look(share: number, hasFace: boolean): number {
    if (hasFace && !this.#hasFace) {
      this.#hasFace = true;
      this.#from = { progress: this.#told, share: share < 1 ? share : 0 };
      const look = LOOK_SHARE * (1 - this.#from.share);
      this.#drawFrom = this.#told + ((1 - this.#told) * look) / (look + 1 - LOOK_SHARE);
    }
    const { progress, share: since } = this.#from;
    return this.#tell(progress + ((this.#drawFrom - progress) * (share - since)) / (1 - since));
  }

  /** @param fraction of the frames drawn, 0..1 */
  draw(fraction: number): number {
    return this.#tell(this.#drawFrom + (1 - this.#drawFrom) * fraction);
  }

  #tell(progress: number): number {
    this.#told = Math.max(this.#told, Math.min(1, progress));
    return this.#told;
  }
}
