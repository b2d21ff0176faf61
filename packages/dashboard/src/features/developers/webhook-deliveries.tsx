import type { WebhookDeliveriesBody } from '@guise/contract/account/webhooks.ts';
import { useState } from 'react';
import { formatTime } from '../../ui/format.ts';
import { ListWithDetail } from '../../ui/list-with-detail.tsx';
import { usePages } from '../../ui/paging.tsx';
import { WebhookDelivery } from './webhook-delivery.tsx';

/** Lists events, newest first. An opened event shows its attempts. */
export function WebhookDeliveries() {
  const [chosen, setChosen] = useState<string | null>(null);
  // While an event is open, the list is loaded more often, because the user is waiting for changes.
  const deliveries = usePages<WebhookDeliveriesBody>('webhook-deliveries', chosen === null ? 10_000 : 2000);
  const open = deliveries.data?.deliveries.find(({ eventId }) => eventId === chosen);
  return (
    <ListWithDetail
      name="Webhook deliveries"
      empty="Nothing was sent yet. Give a v1 video or batch swap a webhook_url."
      of={deliveries}
      head={['Event', 'Address', 'State', 'Attempts', 'Created']}
      openHead="Details"
      rowsOf={(data) =>
        data.deliveries.map((each) => ({
          key: each.eventId,
          cells: [each.event, each.url, each.status, each.attemptCount, formatTime(each.createdAt)],
          open: {
            label: `Open ${each.event} of ${each.jobId}`,
            onOpen: () => setChosen(each.eventId),
          },
        }))
      }
    >
      {open !== undefined && (
        <WebhookDelivery key={open.eventId} delivery={open} reload={deliveries.reload} />
      )}
    </ListWithDetail>
  );
}
