import type { WornGlasses } from '../glasses/worn-glasses.ts';
import { decideWorn } from '../glasses/worn-glasses.ts';

/** Log-odds that one study tells at most, so that a hand before the eyes is soon outvoted. */
const MAX_STUDY_LOG_ODDS = 4;
/** Share of what was known that each study forgets: the last six or so decide. */
const FORGOTTEN_SHARE = 0.15;
/** Log-odds that must speak against the last decision before it changes. */
const CHANGE_LOG_ODDS = 6;

/** Whether the face of a track wears glasses: decided by all its studies, and hardly ever anew. */
export class TrackWorn {
  #sum = 0;
  #isWorn = false;

  /**
   * Adds what a study tells.
   * @param isFirst of its scene: nothing carries over
   */
  follow({ logOdds }: WornGlasses, isFirst: boolean): WornGlasses {
    const told = Math.max(-MAX_STUDY_LOG_ODDS, Math.min(MAX_STUDY_LOG_ODDS, logOdds));
    if (isFirst) {
      this.#sum = told;
      this.#isWorn = decideWorn(told).isWorn;
    } else {
      this.#sum = (1 - FORGOTTEN_SHARE) * this.#sum + told;
      const against = this.#isWorn ? -this.#sum : this.#sum;
      if (against > CHANGE_LOG_ODDS) this.#isWorn = !this.#isWorn;
    }
    return { logOdds: this.#sum, isWorn: this.#isWorn };
  }
}
