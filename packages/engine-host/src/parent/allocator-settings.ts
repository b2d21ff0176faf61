/**
 * Environment of an engine process for glibc, which by default keeps tens of megabytes that its
 * threads have freed. With these settings, blocks above one megabyte are mapped separately and the
 * thresholds are fixed, so that memory returns to the system. Large blocks ask for huge pages:
 * where a page of 4 kB costs 20 microseconds at its first touch, as on some virtual machines, most
 * of the engine's time went there.
 */
export const ALLOCATOR_SETTINGS = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '16777216',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
} as const;
