import type { WebhookEvent } from './api-types.ts';

/** Largest difference between the time of an event and the clock, in seconds. */
const TOLERANCE_SECONDS = 300;

/** Headers of a request, as `fetch` or Node has them. Names are in lower case. */
type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks that an event comes from your guise, and returns it. An event can arrive twice: know it
 * by its header `webhook-id`.
 * @param secret of the account, `whsec_...`
 * @param body of the request, as it arrived
 * @throws Error if the signature is wrong, or the event is older than five minutes
 * @see https://www.standardwebhooks.com
 */
export async function verifyWebhook(
  secret: string,
  headers: RequestHeaders,
  body: string | Uint8Array,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => (headers instanceof Headers ? headers.get(name) : headers[name]?.toString()) ?? '',
  ) as [string, string, string];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new Error('The webhook is too old, or has no time.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const raw = bytesOf(secret.replace(/^whsec_/, ''));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    // `verify` compares in constant time.
    const mac = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : null;
    if (mac !== null && (await crypto.subtle.verify('HMAC', key, mac, signed)))
      return JSON.parse(text) as WebhookEvent;
  }
  throw new Error('The signature of the webhook is wrong.');
}

/** Decodes base64. What is none becomes no bytes. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
