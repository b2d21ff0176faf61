import { HEAP_END, HEAP_START, kernelMemory } from './wasm/memory.ts';

/** A source of arrays: a `Workspace`, or ordinary memory. */
export interface PlaneMaker {
  /** Returns `count` zeros. */
  floats(count: number): Float32Array;
  /** Returns `count` uninitialised values, all of which the caller must write. */
  uninitialised(count: number): Float32Array;
  /** Returns a copy of the plane. */
  copyOf(plane: Float32Array): Float32Array;
  /** Returns `count` uninitialised bytes, all of which the caller must write. */
  uninitialisedBytes(count: number): Uint8Array;
}

export const ordinaryPlanes: PlaneMaker = {
  floats: (count) => new Float32Array(count),
  uninitialised: (count) => new Float32Array(count),
  copyOf: (plane) => plane.slice(),
  uninitialisedBytes: (count) => new Uint8Array(count),
};

/**
 * Arrays in the kernels' memory, on which kernels work without copies. `release` gives all of them
 * back, and their memory is reused: nothing that outlives the workspace may be one of these arrays
 * or point into one. If the memory is full, the arrays are ordinary ones, which are slower but
 * always correct.
 */
export class Workspace implements PlaneMaker {
  readonly #taken: number[] = [];

  /** Returns `count` zeros. */
  floats(count: number): Float32Array {
    return this.uninitialised(count).fill(0);
  }

  /** Returns `count` uninitialised values, all of which the caller must write. */
  uninitialised(count: number): Float32Array {
    const at = this.#take(count * 4);
    return at === null ? new Float32Array(count) : new Float32Array(kernelMemory().buffer, at, count);
  }

  /** Returns `count` zeros. */
  bytes(count: number): Uint8Array {
    return this.uninitialisedBytes(count).fill(0);
  }

  /** Returns `count` uninitialised bytes, all of which the caller must write. */
  uninitialisedBytes(count: number): Uint8Array {
    const at = this.#take(count);
    return at === null ? new Uint8Array(count) : new Uint8Array(kernelMemory().buffer, at, count);
  }

  /** Returns `count` uninitialised values, all of which the caller must write. */
  uninitialisedInt16s(count: number): Int16Array {
    const at = this.#take(count * 2);
    return at === null ? new Int16Array(count) : new Int16Array(kernelMemory().buffer, at, count);
  }

  /** Returns a copy of the plane. */
  copyOf(plane: Float32Array): Float32Array {
    const copy = this.uninitialised(plane.length);
    copy.set(plane);
    return copy;
  }

  /** Releases all arrays. The workspace is then empty, and can be used again. */
  release(): void {
    for (const at of this.#taken.splice(0)) giveBlock(at);
  }

  /** Releases all arrays at the end of the block that declares the workspace with `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  #take(byteCount: number): number | null {
    const at = takeBlock(byteCount);
    if (at !== null) this.#taken.push(at);
    return at;
  }
}

/**
 * Gap between two arrays. Kernels may read a vector too far, and planes of equal size side by side
 * would share cache sets.
 */
const SLACK_BYTES = 192;

/** Alignment of an array's address, which is the size of a cache line. */
const ALIGNMENT_BYTES = 64;

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Blocks of free memory by rising address. No two blocks are adjacent. */
let free: Block[] = [{ start: HEAP_START, end: HEAP_END }];
const ends = new Map<number, number>();

/**
 * Takes the first block that fits, so that the memory in use stays low and dense. Returns null if
 * none fits.
 */
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

/** Returns the number of bytes of the kernels' memory that workspaces hold. */
export function heldBytes(): number {
  let held = 0;
  for (const [start, end] of ends) held += end - start;
  return held;
}
