import type { RotatedWebhookSecretBody, WebhookSecretBody } from '@guise/contract/account/webhooks.ts';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';

/** Shows the webhook secret on request, and rotates it. */
export function WebhookSecret() {
  const [secret, setSecret] = useState<string | null>(null);
  const [previousUntil, setPreviousUntil] = useState<string | null>(null);
  return (
    <Stack>
      <Text>Receivers check the signature of a v1 webhook with it.</Text>
      {secret !== null && <CopyText name="secret" text={secret} />}
      {previousUntil !== null && (
        <Alert role="status">Until {formatTime(previousUntil)} the previous secret also signs.</Alert>
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
