import { randomBytes } from 'node:crypto';
import { type TimeStamper, timeStampRequest, timeStampToken } from '@guise/media/provenance/time-stamp.ts';

/** Longest time that one request may take. */
const REQUEST_TIMEOUT_MS = 5000;
/** Number of times that one time stamp is asked for. */
const MAX_TRIES = 2;
/** Largest answer that is read. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Length of the random number of a request. */
const NONCE_BYTES = 8;

/**
 * Makes a time stamper that asks the operator's service (RFC 3161 over HTTP). A signature that gets
 * no time stamp is made without one.
 * @param url address of the service; null for none, so that nothing is asked
 * @param onFailure called with the reason, once for each signature without a time stamp
 */
export function timeStamperOf(
  url: string | null,
  onFailure: (reason: string) => void,
  timeoutMs = REQUEST_TIMEOUT_MS,
): TimeStamper | undefined {
  if (url === null) return undefined;
  return async (sha256) => {
    let reason = '';
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      try {
        return await ask(url, sha256, timeoutMs);
      } catch (error) {
        reason = reasonOf(error, timeoutMs);
      }
    }
    onFailure(`GUISE_TIMESTAMP_URL gave no time stamp, so the file is signed without one: ${reason}`);
    return null;
  };
}

async function ask(url: string, sha256: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
  const subject = { sha256, nonce: randomBytes(NONCE_BYTES) };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(timeStampRequest(subject)),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  // An answer that is too large is not read to its end: the loop cancels it.
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error(`its answer has more than ${MAX_ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
  return timeStampToken(Buffer.concat(pieces), subject);
}

/**
 * Says why a request failed. `fetch` hides the reason of a lost connection in the error's cause.
 */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took longer than ${timeoutMs / 1000} seconds`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
