import type { ListName } from './pair-list.ts';
import type { Revision } from './outputs.ts';
import type { Sheet, Version } from './plan-sheets.ts';

/** What graders must not see: which version made which picture. */
export interface Key {
  readonly seed: number;
  readonly list: ListName;
  readonly pairsSha256: string;
  readonly revisions: Readonly<Record<Version, Revision>>;
  /** Pairs that a version refused to swap: they are not graded, and are counted apart. */
  readonly refused: Readonly<Record<Version, readonly string[]>>;
  readonly sheets: readonly Sheet[];
}

/** What graders may see: `sheets.json` beside the pictures. */
export interface SheetIndex {
  readonly seed: number;
  readonly sheets: readonly {
    readonly number: number;
    readonly files: readonly string[];
    /** Which of the pictures 1 and 2 are there to be graded. */
    readonly graded: readonly number[];
  }[];
}
