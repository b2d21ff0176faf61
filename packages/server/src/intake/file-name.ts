/** Longest file name that is kept, in characters. */
const MAX_NAME_LENGTH = 200;

/**
 * Cleans the file name that a client sent, so that it can be displayed: without path and control
 * characters, and not too long. The result is never used as a path.
 */
export function cleanFileName(name: string | undefined): string {
  const base = (name ?? '').split(/[/\\]/).at(-1)!;
  // Removes control characters, because terminals obey some of them and PostgreSQL's jsonb refuses
  // U+0000. Also removes surrogates and unassigned code points.
  const clean = base.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').trim();
  return Array.from(clean).slice(0, MAX_NAME_LENGTH).join('') || 'unnamed';
}
