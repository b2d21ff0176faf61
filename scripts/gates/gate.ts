import type { SourceTree } from './source-tree.ts';

/** One place that breaks a rule. */
export interface Offence {
  /** The file, or for rules about folders the folder, under which the allowlist counts it. */
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

export interface Gate {
  /** Key in the allowlist, and argument of `npm run check:gates`. */
  readonly name: string;
  /** The rule in one sentence. */
  readonly rule: string;
  /** True for a rule that every file holds, so that no list of exceptions is kept. */
  readonly isStrict?: boolean;
  readonly find: (tree: SourceTree) => Offence[];
}
