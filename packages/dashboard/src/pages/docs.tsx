import { Alert, Badge, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Operation, type OperationBody } from '../parts/operation.tsx';
import { CopyText } from '../parts/copy.tsx';
import { Page, Section } from '../parts/page.tsx';

interface Document {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, OperationBody>>;
}

const DOCUMENTS = [
  { value: '/api/ai-tasks/openapi.json', label: 'Task API' },
  { value: '/v1/openapi.json', label: 'v1' },
];

/** Reads both interface documents from the service itself, so that it shows what this version answers. */
export function Docs() {
  const [from, setFrom] = useState(DOCUMENTS[0]!.value);
  const [document_, setDocument] = useState<Document | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setDocument(null);
    setError(null);
    fetch(from, { headers: { accept: 'application/json' } })
      .then(async (response) => {
        if (!response.ok) throw new Error(`This interface is not served here (${response.status}).`);
        return (await response.json()) as Document;
      })
      .then(
        (body) => isCurrent && setDocument(body),
        (failure: Error) => isCurrent && setError(failure.message),
      );
    return () => {
      isCurrent = false;
    };
  }, [from]);
  return (
    <Page title="API reference">
      <Section title="Quick start">
        <Text mb="xs">Create a key under API settings, keep it in the environment, then:</Text>
        <CopyText name="quick start" text={quickStart()} />
      </Section>
      <SegmentedControl aria-label="Interface" data={DOCUMENTS} value={from} onChange={setFrom} />
      {error !== null && (
        <Alert role="alert" color="red">
          {error}
        </Alert>
      )}
      {document_ === null && error === null && <Loader aria-label="Loading" />}
      {document_ !== null && (
        <Stack>
          <Text>
            {document_.info.description} <Badge variant="default">{document_.info.version}</Badge>
          </Text>
          {Object.entries(document_.paths).flatMap(([path, methods]) =>
            Object.entries(methods).map(([method, operation]) => (
              <Operation key={method + path} path={path} method={method} operation={operation} />
            )),
          )}
        </Stack>
      )}
    </Page>
  );
}

function quickStart(): string {
  const url = `${location.origin}/api/ai-tasks`;
  return `export GUISE_API_KEY=...
curl ${url} -H "Authorization: Bearer $GUISE_API_KEY" \\
  -F sourceImage=@face.jpg -F targetImage=@photo.jpg
curl "${url}?taskId=TASK_ID" -H "Authorization: Bearer $GUISE_API_KEY"`;
}
