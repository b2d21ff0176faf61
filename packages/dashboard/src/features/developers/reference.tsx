import type { CreatedApiKeyBody } from '@guise/contract/account/own.ts';
import { Badge, Loader, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { account } from '../../api/account.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { type InterfaceDocument, operationsOf } from './interface-document.ts';
import { Operation } from './operation.tsx';
import type { Language } from './request-code.ts';
import { Failure } from '../../ui/failure.tsx';

/** Paths and names of the OpenAPI documents. */
const DOCUMENTS = [
  { value: '/api/ai-tasks/openapi.json', label: 'Task API' },
  { value: '/v1/openapi.json', label: 'v1' },
];

/**
 * Shows both OpenAPI documents. They are loaded from the service, so that they match its version.
 */
export function Reference() {
  const [from, setFrom] = useState(DOCUMENTS[0]!.value);
  const [reference, setReference] = useState<InterfaceDocument | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [language, setLanguage] = useState<Language>('curl');
  useEffect(() => {
    let isCurrent = true;
    setReference(null);
    setError(null);
    fetch(from, { headers: { accept: 'application/json' } })
      .then(async (response) => {
        if (!response.ok) throw new Error(`This interface is not served here (${response.status}).`);
        return (await response.json()) as InterfaceDocument;
      })
      .then(
        (body) => isCurrent && setReference(body),
        (failure: Error) => isCurrent && setError(failure.message),
      );
    return () => {
      isCurrent = false;
    };
  }, [from]);
  return (
    <Stack>
      <Section title="Quick start">
        <QuickStart />
      </Section>
      <SegmentedControl aria-label="Interface" data={DOCUMENTS} value={from} onChange={setFrom} />
      <Failure>{error}</Failure>
      {reference === null && error === null && <Loader aria-label="Loading" />}
      {reference !== null && (
        <Stack>
          <Text>
            {reference.info.description} <Badge variant="default">{reference.info.version}</Badge>
          </Text>
          <TextInput
            type="search"
            label="Search paths, fields and texts"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {operationsOf(reference, search).map((entry) => (
            <Operation
              key={entry.anchor}
              document={reference}
              entry={entry}
              language={language}
              onLanguage={setLanguage}
            />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/**
 * Shows a first request. The text contains the API key only if it was just created, because a key
 * can be shown only once.
 */
function QuickStart() {
  const [key, setKey] = useState<string | null>(null);
  return (
    <Stack gap="xs">
      {key === null ? (
        <Form
          submit="Create a key and insert it"
          onSubmit={async () =>
            setKey((await account<CreatedApiKeyBody>('POST', 'keys', { name: 'quick start' })).secret)
          }
        >
          <Text>Two calls swap a photo. Enter one of your keys, or create a new one.</Text>
        </Form>
      ) : (
        <Text role="status">Copy it now: the key is not shown again. “Keys” lists and revokes it.</Text>
      )}
      <CopyText name="quick start" text={quickStart(key ?? '...')} />
    </Stack>
  );
}

function quickStart(key: string): string {
  const url = `${location.origin}/api/ai-tasks`;
  return `export GUISE_API_KEY=${key}
curl ${url} -H "Authorization: Bearer $GUISE_API_KEY" \\
  -F sourceImage=@face.jpg -F targetImage=@photo.jpg
curl "${url}?taskId=TASK_ID" -H "Authorization: Bearer $GUISE_API_KEY"`;
}
