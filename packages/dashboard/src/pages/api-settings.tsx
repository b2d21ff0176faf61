import type { ApiKeyBody, ApiKeysBody, CreatedApiKeyBody } from '@guise/contract/account/own.ts';
import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { account } from '../api/account.ts';
import { useLoad } from '../api/use-load.ts';
import { CopyText } from '../parts/copy.tsx';
import { Form } from '../parts/form.tsx';
import { IpAllowlist } from '../parts/ip-allowlist.tsx';
import { Webhooks } from '../parts/webhooks.tsx';
import { Page, Section, Show } from '../parts/page.tsx';
import { Rows, when } from '../parts/rows.tsx';

export function ApiSettings() {
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
    <Page title="API settings">
      {error !== null && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      {created !== null && (
        <Alert role="status" title={`Key "${created.key.name}": copy it now, it is never shown again`}>
          <CopyText name="key" text={created.secret} />
        </Alert>
      )}
      <Section title="New key">
        <Form
          submit="Create key"
          onSubmit={async ({ name }) => {
            setCreated(await account<CreatedApiKeyBody>('POST', 'keys', { name }));
            keys.reload();
          }}
        >
          <TextInput label="Name" name="name" placeholder="What will use it" required maxLength={100} />
        </Form>
      </Section>
      <Section title="Keys">
        <Show of={keys}>
          {(data) => (
            <Rows
              name="Keys"
              empty="You have no key yet. Create one above to use the API."
              head={['Name', 'Ends with', 'Created', 'Last used', 'Actions']}
              rows={data.keys.map((key) => ({
                key: key.id,
                cells: [
                  key.name,
                  `...${key.lastFour}`,
                  when(key.createdAt),
                  when(key.lastUsedAt),
                  <KeyActions apiKey={key} act={act} />,
                ],
              }))}
            />
          )}
        </Show>
      </Section>
      <Webhooks />
      <IpAllowlist />
    </Page>
  );
}

interface KeyActionsProps {
  readonly apiKey: ApiKeyBody;
  readonly act: (work: Promise<CreatedApiKeyBody | { done: true }>) => Promise<void>;
}

/** A revoked key stops programs at once, so it is asked twice. */
function KeyActions({ apiKey, act }: KeyActionsProps) {
  const [isSure, setIsSure] = useState(false);
  if (apiKey.revokedAt !== null) return `revoked ${when(apiKey.revokedAt)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={`Rotate ${apiKey.name}`}
        onClick={() => void act(account('POST', `keys/${apiKey.id}/rotate`))}
      >
        Rotate
      </Button>
      <Button
        size="xs"
        variant={isSure ? 'filled' : 'default'}
        color="red.9"
        aria-label={`${isSure ? 'Really revoke' : 'Revoke'} ${apiKey.name}`}
        onClick={() => (isSure ? void act(account('DELETE', `keys/${apiKey.id}`)) : setIsSure(true))}
      >
        {isSure ? 'Really revoke' : 'Revoke'}
      </Button>
    </Group>
  );
}
