import type { ByteRange } from '../../storage/storage.ts';

/**
 * Parses the `Range` header (RFC 9110, 14.1.2).
 * @returns null for the whole file (no range, several ranges, or not in bytes); 'unsatisfiable' if
 * the range
 *   is outside the file (416).
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null) return null;
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
