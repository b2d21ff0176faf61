import type { ApiKeyBody, ApiKeysBody, CreatedApiKeyBody } from '@guise/contract/account/own.ts';
import { Alert, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Section, Show } from '../../ui/page.tsx';
import { IpAllowlist } from './ip-allowlist.tsx';
import { KeyTable } from './key-table.tsx';
import { RevokedKeys } from './revoked-keys.tsx';

/** Scrolls to a message, which may be far above the clicked row. */
const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });

/** API keys: make, rotate and revoke them. */
export function Keys() {
  const keys = useLoad<ApiKeysBody>('keys');
  const [created, setCreated] = useState<CreatedApiKeyBody | null>(null);
  const [error, setError] = useState<string | null>(null);
  const act = async (work: Promise<CreatedApiKeyBody | { done: true }>): Promise<void> => {
    setError(null);
    try {
      const answer = await work;
      setCreated('secret' in answer ? answer : null);
      keys.reload();
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <Stack>
      {error !== null && (
        <Alert ref={intoView} color="red" role="alert">
          {error}
        </Alert>
      )}
      {created !== null && (
        <Alert
          key={created.key.id}
          ref={intoView}
          role="status"
          title={`Key "${created.key.name}": copy it now, it is never shown again`}
        >
          <CopyText name="key" text={created.secret} />
        </Alert>
      )}
      <Section title="New key">
        <Form
          submit="Create key"
          isOneOff
          onSubmit={async ({ name }) => {
            setCreated(await account<CreatedApiKeyBody>('POST', 'keys', { name }));
            keys.reload();
          }}
        >
          <TextInput label="Name" name="name" placeholder="What will use it" required maxLength={100} />
        </Form>
      </Section>
      <Show of={keys}>
        {(data) => (
          <>
            <Section title="Keys">
              <LiveKeys keys={data.keys.filter(({ revokedAt }) => revokedAt === null)} act={act} />
            </Section>
            <RevokedKeys keys={data.keys} />
          </>
        )}
      </Show>
      <IpAllowlist />
    </Stack>
  );
}

type Act = (work: Promise<CreatedApiKeyBody | { done: true }>) => Promise<void>;

function LiveKeys({ keys, act }: { keys: readonly ApiKeyBody[]; act: Act }) {
  return (
    <Stack gap="xs">
      <KeyTable
        name="Keys"
        empty="You have no key. Create one above to use the API."
        keys={keys}
        last={{ head: 'Actions', cell: (key) => <KeyActions apiKey={key} act={act} /> }}
      />
      {keys.length > 0 && (
        <Text size="sm">
          Rotating replaces a key with a new one. The old key stops working at once, as if it were revoked.
        </Text>
      )}
    </Stack>
  );
}

function KeyActions({ apiKey, act }: { apiKey: ApiKeyBody; act: Act }) {
  return (
    <Group gap="xs">
      <ConfirmButton
        verb="Rotate"
        what={apiKey.name}
        onConfirm={() => void act(account('POST', `keys/${apiKey.id}/rotate`))}
      />
      <ConfirmButton
        verb="Revoke"
        what={apiKey.name}
        onConfirm={() => void act(account('DELETE', `keys/${apiKey.id}`))}
      />
    </Group>
  );
}
