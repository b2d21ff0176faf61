import { scoresBearded } from '../front/beard.ts';

/** Share by which each study moves the score: the last six or so decide. */
const STUDY_SHARE = 0.15;
/** Followed score from which a beard is kept that was not. */
const KEPT_SCORE = 0.7;
/** Followed score below which a beard is no longer kept. */
const GIVEN_UP_SCORE = 0.3;

/**
 * Decision whether the face that is followed keeps its beard. One for a scene, if possible: a study
 * near the limit decides once so and once so, and a beard that comes and goes is seen at once.
 */
export class TrackBeard {
  #score = 0;
  #isKept = false;

  /** Follows a study's score, see `beardScore`. @returns whether the beard is kept */
  follow(score: number, isFirst: boolean): boolean {
    this.#score = isFirst ? score : this.#score + STUDY_SHARE * (score - this.#score);
    if (isFirst) this.#isKept = scoresBearded(score);
    else if (this.#isKept) this.#isKept = this.#score >= GIVEN_UP_SCORE;
    else this.#isKept = this.#score >= KEPT_SCORE;
    return this.#isKept;
  }
}
