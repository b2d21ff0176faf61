/**
 * Reads a small WebP in base64. null if it is none: the engine that made it opened untrusted files.
 */
export function readSmallWebp(base64: unknown, maxBytes: number): Buffer | null {
  if (typeof base64 !== 'string' || base64.length > 2 * maxBytes) return null;
  const bytes = Buffer.from(base64, 'base64');
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp && bytes.length <= maxBytes ? bytes : null;
}
