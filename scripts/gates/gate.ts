import type { SourceTree } from './source-tree.ts';

/** One place that breaks a rule. */
export interface Offence {
  /** The file, or for rules about folders the folder. */
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

export interface Gate {
  /** Argument of `npm run check:gates`. */
  readonly name: string;
  /** The rule in one sentence. */
  readonly rule: string;
  readonly find: (tree: SourceTree) => Offence[];
}
