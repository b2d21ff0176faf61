import type { IpAllowlistBody } from '@guise/contract/account/own.ts';
import { Alert, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { useLoad } from '../../api/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { Form } from '../../ui/form.tsx';
import { Section, Show } from '../../ui/page.tsx';

/**
 * Shows and changes the addresses from which the account's keys work. Only for the enterprise plan.
 */
export function IpAllowlist() {
  const { me } = useSession();
  return (
    <Section title="IP allowlist">
      {me?.plan === 'enterprise' ? (
        <Ranges />
      ) : (
        <Text>Keys can be bound to addresses on the Enterprise plan. Ask the operator.</Text>
      )}
    </Section>
  );
}

function Ranges() {
  const allowlist = useLoad<IpAllowlistBody>('ip-allowlist');
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Show of={allowlist}>
      {({ ranges }) => (
        <Form
          submit="Save the allowlist"
          onSubmit={async (fields) => {
            setIsSaved(false);
            await account('PUT', 'ip-allowlist', {
              ranges: (fields.ranges ?? '').split(/\s+/).filter((range) => range !== ''),
            });
            setIsSaved(true);
          }}
        >
          <Textarea
            label="Addresses or ranges, one per line (if empty, all addresses are allowed)"
            name="ranges"
            autosize
            minRows={3}
            defaultValue={ranges.join('\n')}
            placeholder="203.0.113.0/24"
          />
          {isSaved && <Alert role="status">Saved. It applies from the next request.</Alert>}
        </Form>
      )}
    </Show>
  );
}
