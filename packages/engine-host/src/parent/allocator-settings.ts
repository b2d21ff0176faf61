/**
 * An engine process's environment for glibc; others ignore it. glibc keeps what each thread freed
 * for that thread: with decoder, encoder and networks that is tens of megabytes. Left to itself it
 * also raises both thresholds with every large block that is freed, until nothing ever goes back to
 * the system. From one megabyte on a block is mapped by itself, so that it leaves no hole between
 * smaller ones that stay.
 */
export const ALLOCATOR_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '16777216',
} as const;
