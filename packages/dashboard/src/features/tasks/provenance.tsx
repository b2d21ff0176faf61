import type { Output, Verification } from '@guise/client';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { guise } from '../../api/ai-tasks.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { fetchFile } from '../../ui/fetch-file.ts';
import { Form } from '../../ui/form.tsx';
import { useOutputLink } from '../../ui/output-link.ts';

/** Shows on request how an output was made, and whether this is certain. */
export function Provenance({ output }: { output: Output }) {
  const { link } = useOutputLink(output);
  const [answer, setAnswer] = useState<Verification | null>(null);
  if (link === null) return null;
  if (answer === null) {
    return (
      <Form
        submit="Check the provenance"
        isSecondary
        onSubmit={async () => {
          setAnswer(await guise.verify(await fetchFile(link, 'output')));
        }}
      >
        {null}
      </Form>
    );
  }
  const { marked, credentials } = answer;
  return (
    <Stack gap="xs">
      <Text role="status">
        {marked ? 'It is marked as made by a swap.' : 'It has no mark.'}{' '}
        {credentials &&
          `Its content credentials are ${credentials.valid ? 'valid' : 'not valid'}, signed by ${credentials.signer ?? 'nobody'}.`}
      </Text>
      <CopyText name="provenance" text={JSON.stringify(answer, null, 2)} />
    </Stack>
  );
}
