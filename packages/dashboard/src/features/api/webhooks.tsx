import type {
  RotatedWebhookSecretBody,
  WebhookDeliveriesBody,
  WebhookDeliveryBody,
  WebhookPayloadBody,
  WebhookSecretBody,
} from '@guise/contract/account/webhooks.ts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Section, Show } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatTime } from '../../ui/format.ts';

/** The secret that signs v1's webhooks, and what was sent with it. */
export function Webhooks() {
  return (
    <>
      <Section title="Webhook secret">
        <Secret />
      </Section>
      <Section title="Webhook deliveries">
        <Deliveries />
      </Section>
    </>
  );
}

function Secret() {
  const [secret, setSecret] = useState<string | null>(null);
  const [previousUntil, setPreviousUntil] = useState<string | null>(null);
  return (
    <Stack>
      <Text>Receivers check the signature of a v1 webhook with it.</Text>
      {secret !== null && <CopyText name="secret" text={secret} />}
      {previousUntil !== null && (
        <Alert role="status">Until {formatTime(previousUntil)} the secret before signs as well.</Alert>
      )}
      <Group>
        <Form
          submit="Show the secret"
          onSubmit={async () => setSecret((await account<WebhookSecretBody>('GET', 'webhook-secret')).secret)}
        >
          {null}
        </Form>
        <Form
          submit="Rotate the secret"
          needsConfirmation
          onSubmit={async () => {
            const rotated = await account<RotatedWebhookSecretBody>('POST', 'webhook-secret/rotate');
            setSecret(rotated.secret);
            setPreviousUntil(rotated.previousUntil);
          }}
        >
          {null}
        </Form>
      </Group>
    </Stack>
  );
}

function Deliveries() {
  const [chosen, setChosen] = useState<string | null>(null);
  // Whoever has one open waits for what becomes of it.
  const deliveries = usePages<WebhookDeliveriesBody>('webhook-deliveries', chosen === null ? 10_000 : 2000);
  const open = deliveries.data?.deliveries.find(({ eventId }) => eventId === chosen);
  return (
    <ShowPages of={deliveries}>
      {(data) => (
        <Stack>
          <DataTable
            name="Webhook deliveries"
            empty="Nothing was sent yet. Give a v1 video or batch swap a webhook_url."
            head={['Event', 'Address', 'State', 'Attempts', 'Created', 'Details']}
            rows={data.deliveries.map((each) => ({
              key: each.eventId,
              cells: [
                each.event,
                each.url,
                each.status,
                each.attemptCount,
                formatTime(each.createdAt),
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Open ${each.event} of ${each.jobId}`}
                  onClick={() => setChosen(each.eventId)}
                >
                  Open
                </Button>,
              ],
            }))}
          />
          {open !== undefined && <Delivery key={open.eventId} delivery={open} reload={deliveries.reload} />}
        </Stack>
      )}
    </ShowPages>
  );
}

function Delivery({ delivery, reload }: { delivery: WebhookDeliveryBody; reload: () => void }) {
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
        empty="It was not tried yet."
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
