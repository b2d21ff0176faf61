/**
 * The memory that the WebAssembly kernels work on, one a thread. It has one size for life, so that
 * views of it never detach; the system backs only pages that were written. Below lies the heap that
 * workspaces take from, above it the stage, where arrays from elsewhere are copied for the length
 * of one call.
 */
const PAGE_BYTES = 65_536;
const HEAP_PAGES = 6_144;
const STAGE_PAGES = 2_048;

/** The first page is the module's own. */
export const HEAP_START = PAGE_BYTES;
export const HEAP_END = HEAP_PAGES * PAGE_BYTES;
export const STAGE_START = HEAP_END;
/** Kernels may read a row and a vector behind an array. */
export const STAGE_END = (HEAP_PAGES + STAGE_PAGES - 8) * PAGE_BYTES;

let memory: WebAssembly.Memory | null = null;

export function kernelMemory(): WebAssembly.Memory {
  const pages = HEAP_PAGES + STAGE_PAGES;
  memory ??= new WebAssembly.Memory({ initial: pages, maximum: pages });
  return memory;
}

/** Whether kernels can work on this array where it lies. */
export function isInKernelMemory(array: ArrayBufferView): boolean {
  return memory !== null && array.buffer === memory.buffer;
}
