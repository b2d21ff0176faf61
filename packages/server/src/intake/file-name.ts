const MAX_LENGTH = 200;

/**
 * The client's name for a file as it may be shown: no path, no control characters, not endless.
 * Never used as a path.
 */
export function cleanFileName(name: string | undefined): string {
  const base = (name ?? '').split(/[/\\]/).at(-1)!;
  // Control characters, and U+FFFE/U+FFFF: PostgreSQL's jsonb refuses U+0000, terminals obey some
  // of the others.
  const clean = base.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').trim();
  return Array.from(clean).slice(0, MAX_LENGTH).join('') || 'unnamed';
}
