import type { WebhookDeliveryBody, WebhookPayloadBody } from '@guise/contract/account/webhooks.ts';
import { Stack, Text } from '@mantine/core';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { Show } from '../../ui/page.tsx';

/** Shows an event with its attempts and payload, and a button to send it again. */
export function WebhookDelivery({ delivery, reload }: { delivery: WebhookDeliveryBody; reload: () => void }) {
  const { eventId, event, jobId, attempts, attemptCount, nextAttemptAt } = delivery;
  const payload = useLoad<WebhookPayloadBody>(`webhook-deliveries/${eventId}/payload`);
  return (
    <Stack>
      <Text fw={600}>
        {event} of {jobId}
        {nextAttemptAt !== null && `, next attempt ${formatTime(nextAttemptAt)}`}
      </Text>
      {attemptCount > attempts.length && (
        <Text>
          The latest {attempts.length} of {attemptCount} attempts:
        </Text>
      )}
      <DataTable
        name="Attempts"
        empty="It has not been tried yet."
        head={['Time', 'Took', 'Answer', 'Failure']}
        rows={attempts.map((each) => ({
          key: each.startedAt,
          cells: [
            formatTime(each.startedAt),
            `${each.durationMs} ms`,
            each.httpStatus ?? 'none',
            each.failure ?? '-',
          ],
        }))}
      />
      <Show of={payload}>
        {(data) =>
          data.payload === null ? (
            <Text>The payload is made at the first attempt.</Text>
          ) : (
            <CopyText name="payload" text={data.payload} />
          )
        }
      </Show>
      <Form
        submit="Send again"
        onSubmit={async () => {
          await account('POST', `webhook-deliveries/${eventId}/resend`);
          reload();
        }}
      >
        {null}
      </Form>
    </Stack>
  );
}
