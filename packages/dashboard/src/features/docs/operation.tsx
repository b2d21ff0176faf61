import { Accordion, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Content, Field, OperationBody } from './interface-document.ts';
import { TryIt } from './try-it.tsx';

/** Shows an operation of an OpenAPI document: fields, answers and examples. */
export function Operation({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: OperationBody;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const fields = [
    ...(operation.parameters ?? []).map(
      ({ name, in: place, required, description }) => [name, place, required, description] as const,
    ),
    ...Object.entries(body?.schema?.properties ?? {}).map(
      ([name, field]) => [name, 'body', body?.schema?.required?.includes(name), describe(field)] as const,
    ),
  ];
  return (
    <Accordion variant="separated" onChange={(value) => setIsOpen(value !== null)}>
      <Accordion.Item value="operation">
        <Accordion.Control>
          <Code>
            {method.toUpperCase()} {path}
          </Code>{' '}
          <Text span size="sm">
            {operation.summary}
          </Text>
        </Accordion.Control>
        <Accordion.Panel>
          {isOpen && (
            <Stack>
              <DataTable
                name={`Fields of ${method} ${path}`}
                empty="No fields."
                head={['Field', 'In', 'Required', 'Meaning']}
                rows={fields.map(([name, place, required, text]) => ({
                  key: place + name,
                  cells: [<Code>{name}</Code>, place, required ? 'yes' : 'no', text],
                }))}
              />
              <TryIt path={path} method={method} operation={operation} />
              {Object.entries(operation.responses).map(([status, response]) => (
                <Answer key={status} status={status} {...response} />
              ))}
            </Stack>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function describe({ type, description, enum: values, default: fallback }: Field): string {
  const parts = [
    type,
    values?.join(' | '),
    description,
    fallback === undefined ? undefined : `Default ${JSON.stringify(fallback)}.`,
  ];
  return parts
    .filter((part) => part !== undefined)
    .join('. ')
    .replaceAll('.. ', '. ');
}

function Answer({
  status,
  description,
  content,
}: {
  status: string;
  description?: string;
  content?: Record<string, Content>;
}) {
  const first = Object.values(content ?? {})[0];
  const examples =
    first?.example === undefined
      ? Object.entries(first?.examples ?? {}).map(([name, { value }]) => [name, value] as const)
      : [['example', first.example] as const];
  return (
    <div>
      <Text fw={600}>
        {status}{' '}
        <Text span fw={400}>
          {description}
        </Text>
      </Text>
      {examples.map(([name, value]) => (
        <CopyText key={name} name={`${name} of ${status}`} text={JSON.stringify(value, null, 2)} />
      ))}
    </div>
  );
}
