/** Characters of a file name that are kept. */
const MAX_NAME_LENGTH = 200;

/**
 * Cleans a client's name for a file so that it may be shown: no path, no control characters, a
 * limited length. It is never used as a path.
 */
export function cleanFileName(name: string | undefined): string {
  const base = (name ?? '').split(/[/\\]/).at(-1)!;
  // Control characters, and U+FFFE/U+FFFF: PostgreSQL's jsonb refuses U+0000, terminals obey some
  // of the others.
  const clean = base.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').trim();
  return Array.from(clean).slice(0, MAX_NAME_LENGTH).join('') || 'unnamed';
}
