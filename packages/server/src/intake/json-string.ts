import { AppError } from '@guise/contract/errors.ts';

/**
 * Decodes a JSON string.
 * @param raw the bytes between its quotation marks, as sent.
 * @throws AppError INVALID_REQUEST if the string is not valid JSON.
 */
export function decodeJsonString(raw: Uint8Array): string {
  try {
    return JSON.parse(
      `"${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)}"`,
    ) as string;
  } catch (error) {
    throw malformedJson(error);
  }
}

/** Character of each short escape, by its letter (RFC 8259, 7); 0 for other letters. */
const SHORT_ESCAPES = new Uint8Array(256);
for (const [letter, char] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})) {
  SHORT_ESCAPES[letter.charCodeAt(0)] = char.charCodeAt(0);
}

/** Bytes of a long escape such as `\u0041`. */
const LONG_ESCAPE_BYTES = 6;

/**
 * Decodes the escape at the beginning of `raw` without allocating memory, because a body may have
 * tens of millions of escapes.
 * @param length 2, or 6 for `\u0041`.
 * @returns a UTF-16 code unit.
 * @throws AppError INVALID_REQUEST
 */
export function decodeJsonEscape(raw: Uint8Array, length: number): number {
  let unit = 0;
  if (length === LONG_ESCAPE_BYTES) {
    for (let at = 2; at < LONG_ESCAPE_BYTES; at += 1) unit = unit * 16 + hexDigit(raw[at]!);
    return unit;
  }
  unit = SHORT_ESCAPES[raw[1]!]!;
  if (unit === 0) throw malformedJson();
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x66) return lower - 0x57;
  throw malformedJson();
}

export function malformedJson(cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', 'The request body is not valid JSON, or ends too early.', {}, cause);
}

/** Makes the error for a request as a whole. `fieldError` makes the error for one field. */
export function invalidRequest(message: string, limit?: number): AppError {
  return new AppError('INVALID_REQUEST', message, limit === undefined ? {} : { limit });
}
