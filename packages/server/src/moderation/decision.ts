/** An answer of the operator's moderation. */
export interface Decision {
  readonly decision: 'allow' | 'block';
  /** Reason for clients, in one line; absent if none was given. */
  readonly reason?: string;
}

/** Largest number of characters of a reason that clients see. */
const MAX_REASON_LENGTH = 200;

/** Characters that a message must not contain: controls, invisible ones and line breaks. */
const CONTROLS = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Reads the body of an answer. @returns null if it holds no decision */
export function readDecision(body: string): Decision | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { decision, reason } = value as Record<string, unknown>;
  if (decision !== 'allow' && decision !== 'block') return null;
  const shown = typeof reason === 'string' ? cleaned(reason) : '';
  return shown === '' ? { decision } : { decision, reason: shown };
}

function cleaned(reason: string): string {
  return Array.from(reason.replace(CONTROLS, ' ').trim()).slice(0, MAX_REASON_LENGTH).join('');
}
