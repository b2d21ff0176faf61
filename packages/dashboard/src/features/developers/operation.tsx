import { Badge, Code, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Folded } from '../../ui/folded.tsx';
import {
  type Content,
  fieldRows,
  type InterfaceDocument,
  type OperationEntry,
} from './interface-document.ts';
import { type Language, LANGUAGES, requestCode } from './request-code.ts';
import { TryIt } from './try-it.tsx';

/** Colours of the methods. */
const METHOD_COLORS: Readonly<Record<string, string>> = { get: 'blue.8', post: 'pine.8', delete: 'red.9' };

interface OperationProps {
  readonly document: InterfaceDocument;
  readonly entry: OperationEntry;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
}

/** Shows an operation of an OpenAPI document: fields, code, answers and examples. */
export function Operation({ document, entry, language, onLanguage }: OperationProps) {
  const { path, method, operation, anchor } = entry;
  const [isOpen, setIsOpen] = useState(location.hash === `#${anchor}`);
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const rows = [
    ...(operation.parameters ?? []).map(({ name, in: place, required = false, description = '' }) => ({
      key: place + name,
      cells: [<Code>{name}</Code>, place, required ? 'yes' : 'no', description],
    })),
    ...fieldRows(document, body?.schema).map(({ name, type, isRequired, text }) => ({
      key: name,
      cells: [<Code>{name}</Code>, type, isRequired ? 'yes' : 'no', text],
    })),
  ];
  return (
    <details
      id={anchor}
      className="operation"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !isOpen) history.replaceState(history.state, '', `#${anchor}`);
        setIsOpen(currentTarget.open);
      }}
    >
      <summary>
        <Badge color={METHOD_COLORS[method] ?? 'gray.8'} radius="sm" w={72}>
          {method}
        </Badge>
        <Code>{path}</Code>
        <Text span size="sm" c="dimmed">
          {operation.summary}
        </Text>
      </summary>
      {isOpen && (
        <Stack p="md">
          <DataTable
            name={`Fields of ${method} ${path}`}
            empty="No fields."
            head={['Field', 'Type', 'Required', 'Meaning']}
            rows={rows}
          />
          <SegmentedControl
            aria-label="Language"
            size="xs"
            data={[...LANGUAGES]}
            value={language}
            onChange={(value) => onLanguage(value as Language)}
          />
          <CopyText name="request" text={requestCode(language, entry, location.origin)} />
          <Folded title="Try it">{() => <TryIt path={path} method={method} operation={operation} />}</Folded>
          {Object.entries(operation.responses).map(([status, response]) => (
            <Answer key={status} status={status} {...response} />
          ))}
        </Stack>
      )}
    </details>
  );
}

interface AnswerProps {
  readonly status: string;
  readonly description?: string;
  readonly content?: Record<string, Content>;
}

function Answer({ status, description, content }: AnswerProps) {
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
