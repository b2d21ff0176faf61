import { NetError } from './net-error.ts';

/**
 * Returns the error of a failed request: the reason of the signal that aborted it, or a NetError.
 */
export function toNetError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof NetError) return each;
  }
  return new NetError('UNREACHABLE', sentenceOf(error), error);
}

/** Returns a message without addresses and ports, which Node's own messages contain. */
function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'ETIMEDOUT':
      return 'the server did not answer in time';
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return 'the head of the answer is too large';
  }
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) {
    return 'no trusted TLS connection could be made';
  }
  if (code.startsWith('HPE_')) return 'the answer is not valid HTTP';
  return 'the connection failed';
}
