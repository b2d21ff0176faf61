import type { ListName } from './pair-list.ts';
import type { Revision } from './outputs.ts';
import type { Sheet, Version } from './plan-sheets.ts';

/** The version that made each picture. Graders must not see it. */
export interface Key {
  readonly seed: number;
  readonly list: ListName;
  readonly pairsSha256: string;
  readonly revisions: Readonly<Record<Version, Revision>>;
  /** Pairs that a version refused to swap. They are not graded, and are counted separately. */
  readonly refused: Readonly<Record<Version, readonly string[]>>;
  readonly sheets: readonly Sheet[];
}

/** The content of `sheets.json`, which graders may see. */
export interface SheetIndex {
  readonly seed: number;
  readonly sheets: readonly {
    readonly number: number;
    readonly files: readonly string[];
    /** Which of the pictures 1 and 2 exist and must be graded. */
    readonly graded: readonly number[];
  }[];
}
