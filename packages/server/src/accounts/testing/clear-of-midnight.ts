import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than a test takes. */
const MARGIN_MS = 60_000;

/** Waits for the next UTC day if one is about to end, for tests of what is counted by it. */
export async function clearOfMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < MARGIN_MS) await delay(leftMs + 1);
}
