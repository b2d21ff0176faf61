import type { WornGlasses } from '../glasses/worn-glasses.ts';
import { decideWorn } from '../glasses/worn-glasses.ts';
import { clamp } from '@guise/kernels/clamp.ts';

/** Log-odds that one study tells at most, so that a hand before the eyes is soon outvoted. */
const MAX_STUDY_LOG_ODDS = 4;
/** Share of what was known that each study forgets: the last six or so decide. */
const FORGOTTEN_SHARE = 0.15;
/** Log-odds that must speak against the last decision before it changes. */
const CHANGE_LOG_ODDS = 6;
/** Log-odds from which only every so many studies look again. */
const SURE_LOG_ODDS = 6;
/** Studies to one that looks again at a face that is sure. */
const SURE_INTERVAL = 3;

/** Decision whether the face of a track wears glasses: of all its studies, and hardly ever anew. */
export class TrackWorn {
  #sum = 0;
  #isWorn = false;
  /** Studies since the last one that looked. */
  #waited = 0;

  /**
   * Decides for a study.
   * @param look at this study's face
   * @param isFirst of its scene: nothing carries over
   */
  follow(look: () => WornGlasses, isFirst: boolean): WornGlasses {
    this.#waited += 1;
    const isSure = Math.abs(this.#sum) >= SURE_LOG_ODDS;
    if (isFirst || !isSure || this.#waited >= SURE_INTERVAL) this.#add(look().logOdds, isFirst);
    return { logOdds: this.#sum, isWorn: this.#isWorn };
  }

  #add(logOdds: number, isFirst: boolean): void {
    this.#waited = 0;
    const told = clamp(logOdds, -MAX_STUDY_LOG_ODDS, MAX_STUDY_LOG_ODDS);
    this.#sum = isFirst ? told : (1 - FORGOTTEN_SHARE) * this.#sum + told;
    if (isFirst) this.#isWorn = decideWorn(told).isWorn;
    else if ((this.#isWorn ? -this.#sum : this.#sum) > CHANGE_LOG_ODDS) this.#isWorn = !this.#isWorn;
  }
}
