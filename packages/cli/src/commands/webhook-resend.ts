import { parseEventId } from '@guise/server/webhooks/event-id.ts';
import { resendEvent } from '@guise/server/webhooks/resend-event.ts';
import { printResult } from '../console/print.ts';
import { requireAccount, withDatabase } from '../setup/with-database.ts';

export async function resendWebhookCommand(
  eventId: string,
  options: { readonly email: string; readonly json?: true },
): Promise<void> {
  const id = parseEventId(eventId);
  if (id === null) throw new Error('The event is named by its id, evt_...: see `guise webhook list`.');
  const resent = await withDatabase(async (db) => {
    const account = await requireAccount(db, options.email);
    if (!(await resendEvent(db, account.id, id))) {
      throw new Error(`${account.email} has no event ${eventId}.`);
    }
    return { accountId: account.id, email: account.email, eventId };
  });
  printResult(options, resent, [`Event ${eventId} is sent again as soon as the service runs.`]);
}
