import { HEAP_END, HEAP_START, kernelMemory } from './wasm/memory.ts';

/** A source of arrays: a `Workspace`, or ordinary memory. */
export interface PlaneMaker {
  /** `count` zeros. */
  floats(count: number): Float32Array;
  /** `count` uninitialised values: use them only if every one is written. */
  uninitialised(count: number): Float32Array;
  /** A copy of the plane. */
  copyOf(plane: Float32Array): Float32Array;
  /** `count` uninitialised bytes: use them only if every one is written. */
  uninitialisedBytes(count: number): Uint8Array;
}

export const ordinaryPlanes: PlaneMaker = {
  floats: (count) => new Float32Array(count),
  uninitialised: (count) => new Float32Array(count),
  copyOf: (plane) => plane.slice(),
  uninitialisedBytes: (count) => new Uint8Array(count),
};

/**
 * Arrays in the kernels' memory, which kernels work on without copies. They are given back
 * together, by `release`: from then on their memory is handed to others, so nothing that outlives
 * the workspace may be, or point into, one of them. Where the memory is full, arrays are ordinary
 * ones: slower, never wrong.
 */
export class Workspace implements PlaneMaker {
  readonly #taken: number[] = [];

  /** `count` zeros. */
  floats(count: number): Float32Array {
    return this.uninitialised(count).fill(0);
  }

  /** `count` uninitialised values: use them only if every one is written. */
  uninitialised(count: number): Float32Array {
    const at = this.#take(count * 4);
    return at === null ? new Float32Array(count) : new Float32Array(kernelMemory().buffer, at, count);
  }

  /** `count` zeros. */
  bytes(count: number): Uint8Array {
    return this.uninitialisedBytes(count).fill(0);
  }

  /** `count` uninitialised bytes: use them only if every one is written. */
  uninitialisedBytes(count: number): Uint8Array {
    const at = this.#take(count);
    return at === null ? new Uint8Array(count) : new Uint8Array(kernelMemory().buffer, at, count);
  }

  /** `count` uninitialised values: use them only if every one is written. */
  uninitialisedInt16s(count: number): Int16Array {
    const at = this.#take(count * 2);
    return at === null ? new Int16Array(count) : new Int16Array(kernelMemory().buffer, at, count);
  }

  /** A copy of the plane. */
  copyOf(plane: Float32Array): Float32Array {
    const copy = this.uninitialised(plane.length);
    copy.set(plane);
    return copy;
  }

  /** Gives everything back; the workspace is empty then, and can be used again. */
  release(): void {
    for (const at of this.#taken.splice(0)) giveBlock(at);
  }

  #take(byteCount: number): number | null {
    const at = takeBlock(byteCount);
    if (at !== null) this.#taken.push(at);
    return at;
  }
}

/**
 * Gap between two arrays: kernels may read a vector too far, and planes of equal size side by side
 * would share cache sets.
 */
const SLACK_BYTES = 192;

/** Alignment of an array's address: a cache line. */
const ALIGNMENT_BYTES = 64;

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Free memory by rising address, no two blocks adjacent. */
let free: Block[] = [{ start: HEAP_START, end: HEAP_END }];
const ends = new Map<number, number>();

/** First fit, so that the memory in use stays low and dense; null where nothing fits. */
function takeBlock(byteCount: number): number | null {
  const size = Math.ceil((byteCount + SLACK_BYTES) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const k = free.findIndex(({ start, end }) => end - start >= size);
  if (k < 0) return null;
  const { start, end } = free[k]!;
  if (end - start === size) free.splice(k, 1);
  else free[k] = { start: start + size, end };
  ends.set(start, start + size);
  return start;
}

function giveBlock(at: number): void {
  let start = at;
  let end = ends.get(at)!;
  ends.delete(at);
  const next = free.findIndex((block) => block.start >= end);
  const k = next < 0 ? free.length : next;
  const before = free[k - 1];
  const after = free[k];
  let from = k;
  let count = 0;
  if (before?.end === start) {
    start = before.start;
    from -= 1;
    count += 1;
  }
  if (after?.start === end) {
    end = after.end;
    count += 1;
  }
  free.splice(from, count, { start, end });
}

/** Bytes of the kernels' memory that workspaces hold. */
export function heldBytes(): number {
  let held = 0;
  for (const [start, end] of ends) held += end - start;
  return held;
}
