import { Stack } from '@mantine/core';
import { CopyText } from '../../ui/copy-text.tsx';

/**
 * Shows the request as program code. The code reads the key from the environment and never contains
 * it.
 */
export function Snippets({ path, form }: { path: string; form: FormData }) {
  const url = location.origin + path;
  const fields = [...form];
  const curl = [
    `curl ${url}`,
    `-H "Authorization: Bearer $GUISE_API_KEY"`,
    ...fields.map(([name, value]) =>
      value instanceof File
        ? `-F ${quoted(`${name}=@"${value.name}"`)}`
        : `--form-string ${quoted(`${name}=${value}`)}`,
    ),
  ].join(' \\\n  ');
  const lines = fields.map(([name, value]) =>
    value instanceof File
      ? `form.append('${name}', await openAsBlob(${JSON.stringify(value.name)}), ${JSON.stringify(value.name)});`
      : `form.append('${name}', ${JSON.stringify(value)});`,
  );
  const typescript = `import { openAsBlob } from 'node:fs';

const url = '${url}';
const headers = { authorization: \`Bearer \${process.env.GUISE_API_KEY}\` };
const form = new FormData();
${lines.join('\n')}
const { taskId } = await (await fetch(url, { method: 'POST', headers, body: form })).json();
const task = await (await fetch(\`\${url}?taskId=\${taskId}\`, { headers })).json();`;
  return (
    <Stack>
      <CopyText name="curl" text={curl} />
      <CopyText name="TypeScript" text={typescript} />
    </Stack>
  );
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
