import { parseEventId } from '@guise/server/webhooks/event-id.ts';
import { resendEvent } from '@guise/server/webhooks/resend-event.ts';
import { printResult } from '../console/print.ts';
import { changeAccount } from '../setup/with-database.ts';

export async function resendWebhookCommand(
  eventId: string,
  options: { readonly email: string; readonly json?: true },
): Promise<void> {
  const id = parseEventId(eventId);
  if (id === null) throw new Error('The event is named by its id, evt_...: see `guise webhook list`.');
  const resent = await changeAccount(options.email, async (account, client, log) => {
    if (!(await resendEvent(client, account.id, id))) {
      throw new Error(`${account.email} has no event ${eventId}.`);
    }
    await log('webhook.resend', { eventId });
    return { accountId: account.id, email: account.email, eventId };
  });
  printResult(options, resent, [`Event ${eventId} is sent again as soon as the service runs.`]);
}
