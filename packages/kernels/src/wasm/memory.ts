/*
 * The memory that the WebAssembly kernels work on, one for each thread. Its size is fixed, so that
 * views of it never detach; the system backs only pages that were written. The heap, from which
 * workspaces take arrays, comes first. Above it is the stage, to which other arrays are copied for
 * the length of one call.
 */

/** Size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

/** Number of pages up to the end of the heap: 384 MiB. */
const HEAP_PAGES = 6_144;

/** Number of pages of the stage: 128 MiB. */
const STAGE_PAGES = 2_048;

/** Address at which the heap begins. The page before it belongs to the module. */
export const HEAP_START = PAGE_BYTES;

/** Address at which the heap ends. */
export const HEAP_END = HEAP_PAGES * PAGE_BYTES;

/** Address at which the stage begins. */
export const STAGE_START = HEAP_END;

/**
 * Address at which the stage ends, which is early because kernels may read a row and a vector too
 * far.
 */
export const STAGE_END = (HEAP_PAGES + STAGE_PAGES - 8) * PAGE_BYTES;

let memory: WebAssembly.Memory | null = null;

export function kernelMemory(): WebAssembly.Memory {
  const pages = HEAP_PAGES + STAGE_PAGES;
  memory ??= new WebAssembly.Memory({ initial: pages, maximum: pages });
  return memory;
}

/** Returns whether kernels can work on this array in place. */
export function isInKernelMemory(array: ArrayBufferView): boolean {
  return memory !== null && array.buffer === memory.buffer;
}
