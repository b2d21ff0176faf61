import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** A time that is longer than a test. */
const MARGIN_MS = 60_000;

/** Waits for the next UTC day if the current one is about to end. For tests of daily counts. */
export async function clearOfMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < MARGIN_MS) await delay(leftMs + 1);
}
