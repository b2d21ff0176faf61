import { FileInput, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sendAnything } from '../../api/ai-tasks.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form.tsx';
import type { Field, OperationBody } from './interface-document.ts';

interface TryItProps {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationBody;
}

/** Sends a real request, with the user's own key or, without one, with this session. */
export function TryIt({ path, method, operation }: TryItProps) {
  const [answer, setAnswer] = useState<string | null>(null);
  const [files, setFiles] = useState<Record<string, File[]>>({});
  const contents = operation.requestBody?.content ?? {};
  const fields = Object.entries(contents['multipart/form-data']?.schema?.properties ?? {});
  const json = contents['application/json'];
  const send = async (entered: Record<string, string>): Promise<void> => {
    setAnswer(null);
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(entered[`path:${name}`] ?? '')),
      location.href,
    );
    const headers: Record<string, string> = {};
    for (const { name, in: place } of operation.parameters ?? []) {
      const value = entered[`${place}:${name}`];
      if (value && place === 'query') url.searchParams.set(name, value);
      if (value && place === 'header') headers[name] = value;
    }
    let body: FormData | string | null = null;
    if (json) {
      headers['content-type'] = 'application/json';
      body = entered.json ?? '';
    } else if (fields.length > 0) {
      body = new FormData();
      for (const [name, field] of fields) {
        if (isFile(field)) for (const file of files[name] ?? []) body.append(name, file);
        else if (entered[`body:${name}`]) body.append(name, entered[`body:${name}`]!);
      }
    }
    const response = await sendAnything(method, url.pathname + url.search, {
      key: entered.key ?? '',
      headers,
      body,
    });
    const text = await response.text();
    setAnswer(`${response.status}\n${pretty(text)}`);
  };
  return (
    <Form submit="Send it" onSubmit={send}>
      <PasswordInput
        label="API key"
        name="key"
        autoComplete="off"
        description="If you leave this empty, a short-lived token of your session is used. The request is real, and costs credits."
        visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
      />
      {operation.parameters?.map(({ name, in: place, required }) => (
        <TextInput key={name} label={name} name={`${place}:${name}`} required={required ?? false} />
      ))}
      {fields.map(([name, field]) =>
        isFile(field) ? (
          <FileInput
            key={name}
            label={name}
            multiple
            onChange={(chosen) => setFiles((before) => ({ ...before, [name]: chosen }))}
          />
        ) : (
          <TextInput key={name} label={name} name={`body:${name}`} />
        ),
      )}
      {json && (
        <Textarea
          label="Body"
          name="json"
          autosize
          minRows={4}
          maxRows={14}
          defaultValue={JSON.stringify(exampleOf(json), null, 2)}
        />
      )}
      {answer !== null && (
        <Stack aria-live="polite">
          <CopyText name="answer" text={answer} />
        </Stack>
      )}
    </Form>
  );
}

function isFile(field: Field): boolean {
  return (field.items ?? field).format === 'binary';
}

function exampleOf({
  example,
  examples,
  schema,
}: NonNullable<OperationBody['requestBody']>['content'][string]): unknown {
  const given = example ?? Object.values(examples ?? {})[0]?.value;
  return given ?? Object.fromEntries((schema?.required ?? []).map((name) => [name, '']));
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
