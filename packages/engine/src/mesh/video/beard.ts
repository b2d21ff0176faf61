import { keepsBeard } from '../front/beard.ts';

/** Share by which each study moves the score. With it, about the last six studies decide. */
const STUDY_SHARE = 0.15;
/** Smoothed score from which a beard that was given up is kept again. */
const KEPT_SCORE = 0.7;
/** Smoothed score below which a kept beard is given up. */
const GIVEN_UP_SCORE = 0.3;

/**
 * Decides whether a followed face keeps its beard, if possible once per scene. Near the limit the
 * studies disagree, and a beard that appears and disappears is obvious.
 */
export class TrackBeard {
  readonly #sourceScore: number;
  #score = 0;
  #isKept = false;

  /** @param sourceScore score of the source's beard, 0 without */
  constructor(sourceScore: number) {
    this.#sourceScore = sourceScore;
  }

  /** Whether the face keeps its beard. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Smooths a study's score, see `beardScore`. @returns whether the beard is kept */
  follow(score: number, isFirst: boolean): boolean {
    this.#score = isFirst ? score : this.#score + STUDY_SHARE * (score - this.#score);
    if (isFirst) this.#isKept = keepsBeard(score, this.#sourceScore);
    else if (this.#isKept) this.#isKept = this.#score >= GIVEN_UP_SCORE;
    else this.#isKept = this.#score >= KEPT_SCORE && keepsBeard(this.#score, this.#sourceScore);
    return this.#isKept;
  }
}
