import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than a test takes. */
const MARGIN_MS = 60_000;

/** For tests of what is counted by the UTC day: where one is about to end, waits for the next. */
export async function clearOfMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < MARGIN_MS) await delay(leftMs + 1);
}
