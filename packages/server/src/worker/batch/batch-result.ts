import type { FailureCode } from '@guise/contract/errors.ts';
import type { Outcome } from '../../tasks/finish-task.ts';
import type { TaskResult } from '../../tasks/task.ts';
import { lowestSimilarity } from '@guise/engine-host/protocol/lowest-similarity.ts';
import type { MadeStill } from '../work/make-still.ts';
import { joinWarnings } from './join-warnings.ts';

/** Result of a task before any work is done. */
export const EMPTY_RESULT: TaskResult = { outputs: [], failures: [] };

/** Result of a batch so far, over all attempts. */
export class BatchResult {
  readonly #itemCount: number;
  #result: TaskResult;

  /** Continues a batch. @param soFar result of earlier attempts. */
  constructor(itemCount: number, soFar: TaskResult | null) {
    this.#itemCount = itemCount;
    this.#result = soFar ?? EMPTY_RESULT;
  }

  /** The current result. The returned object never changes. */
  get current(): TaskResult {
    return this.#result;
  }

  /** Indexes of the items that are not finished yet. */
  get open(): number[] {
    const { outputs, failures } = this.#result;
    const done = new Set([...outputs, ...failures].map(({ index }) => index));
    return Array.from({ length: this.#itemCount }, (_, index) => index).filter((index) => !done.has(index));
  }

  /** Share of items that are finished, 0 to 1. */
  get progress(): number {
    return 1 - this.open.length / this.#itemCount;
  }

  /**
   * Outcome of the batch. If every item failed, it has the code of the first one
   * (docs/spec/details#no-face).
   */
  get outcome(): Outcome {
    const result = this.#result;
    const { outputs, failures } = result;
    const [first] = failures;
    if (outputs.length > 0 || first === undefined) return { status: 'COMPLETED', result };
    const { length } = failures;
    const message = length === 1 ? first.message : `All ${length} items failed; the first: ${first.message}`;
    return { status: 'FAILED', code: first.code, message, result };
  }

  delivered(index: number, still: MadeStill): void {
    const { outputs, failures, receipt } = this.#result;
    const all = [...outputs, { index, ...still.output }];
    this.#result = {
      outputs: all.sort((a, b) => a.index - b.index),
      failures,
      receipt: {
        facesFound: (receipt?.facesFound ?? 0) + still.facesFound,
        frames: { total: this.#itemCount, swapped: all.length, passedThrough: 0 },
        longestGapFrames: 0,
        engine: still.engine,
        identitySimilarity: lowestSimilarity([receipt?.identitySimilarity ?? null, still.identitySimilarity]),
        ...still.marks,
        warnings: joinWarnings(receipt?.warnings ?? [], still.warnings),
        credits: 0,
      },
    };
  }

  failed(index: number, code: FailureCode, message: string): void {
    const failures = [...this.#result.failures, { index, code, message }];
    this.#result = { ...this.#result, failures: failures.sort((a, b) => a.index - b.index) };
  }
}
