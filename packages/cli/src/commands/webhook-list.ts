import { type Delivery, listDeliveries } from '@guise/server/webhooks/list-deliveries.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

/** Number of deliveries on a page. */
const PAGE_SIZE = 50;

/** Form of a cursor: a number that JavaScript can represent exactly. */
const CURSOR_FORM = /^\d{1,15}$/;

export async function listWebhooksCommand(options: {
  readonly email: string;
  readonly cursor?: string;
  readonly json?: true;
}): Promise<void> {
  const { cursor } = options;
  if (cursor !== undefined && !CURSOR_FORM.test(cursor)) {
    throw new Error('--cursor must be the cursor that the previous list printed.');
  }
  const page = await withDatabase(async (db) => {
    const account = await requireAccount(db, options.email);
    return listDeliveries(db, account.id, {
      limit: PAGE_SIZE,
      ...(cursor === undefined ? {} : { before: Number(cursor) }),
    });
  });
  const lines = page.deliveries.map(toLine);
  if (lines.length === 0) lines.push('No webhooks.');
  if (page.nextCursor !== null) lines.push(`Older ones: --cursor ${page.nextCursor}`);
  printResult(options, page, lines);
}

function toLine({
  eventId,
  event,
  jobId,
  url,
  status,
  nextAttemptAt,
  attemptCount,
  attempts,
}: Delivery): string {
  const last = attempts.at(-1);
  const tried = `${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`;
  return [
    `${eventId} ${event} of ${jobId} to ${url}: ${status} after ${tried}`,
    ...(last === undefined || last.failure === null ? [] : [`, the last: ${last.failure}`]),
    ...(nextAttemptAt === null ? [] : [`, the next at ${nextAttemptAt.toISOString()}`]),
  ].join('');
}
