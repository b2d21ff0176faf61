import { Webhook } from 'standardwebhooks';

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs the exact text that is sent, in the form of Standard Webhooks. Makes a signature with each
 * secret, the current one first.
 * @param secrets `whsec_...`
 */
export function signEvent(id: string, body: string, at: Date, secrets: readonly string[]): SignedHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
