/**
 * Checks the examples of docs/spec, and the bodies in docs/guide, against the OpenAPI descriptions.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { V1_DESCRIPTION } from '@guise/contract/v1/openapi.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';

const DOCS = path.resolve(import.meta.dirname, '../docs');

interface Media {
  readonly schema: object;
}
interface Operation {
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}
interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}
const AI_TASKS = API_DESCRIPTION as unknown as Description;
const V1 = V1_DESCRIPTION as unknown as Description;

/** Request of an example, as its curl command sends it. */
interface Request {
  readonly name: string;
  readonly description: Description;
  readonly operation: Operation;
  readonly command: string;
}

/** Block of code of a page, with the two words after its fence. */
interface Block {
  readonly language: string;
  readonly means: string;
  readonly text: string;
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  binary: /^/,
};

function assertFits(value: unknown, schema: object, { components }: Description, where: string): void {
  const ajv = new Ajv2020({ strict: false, formats: FORMATS });
  const fits = ajv.compile({ ...schema, components });
  assert.ok(fits(value), `${where}: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(value)}`);
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(DOCS, page), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, means, block]) => ({
    language: language!,
    means: means ?? '',
    text: block!,
  }));
}

function readRequest(command: string): Request {
  const url = new URL(/http:\/\/127\.0\.0\.1:3000[^\s"']*/.exec(command)![0]);
  const sends = / -(F|d) /.test(command);
  const method = / -X (\w+)/.exec(command)?.[1]?.toLowerCase() ?? (sends ? 'post' : 'get');
  const where = url.pathname
    .replace(/^\/v1\/status\/.*/, '/v1/status/{job_id}')
    .replace(/^\/api\/faces\/[^/]+/, '/api/faces/{id}');
  const description = where.startsWith('/v1/') ? V1 : AI_TASKS;
  const operation = description.paths[where]?.[method];
  assert.ok(operation, `no description of ${method} ${where}`);
  return { name: `${method} ${where}`, description, operation, command };
}

function assertBodyFits({ name, description, operation, command }: Request): void {
  const content = operation.requestBody?.content ?? {};
  const json = / -d '([^']*)'/.exec(command)?.[1];
  if (json !== undefined)
    assertFits(JSON.parse(json), content['application/json']!.schema, description, `the body of ${name}`);
  const form = content['multipart/form-data']?.schema as
    | { required: string[]; properties: Record<string, object> }
    | undefined;
  if (form === undefined) return;
  const sent = [...command.matchAll(/ -F ['"]?(\w+)=/g)].map(([, field]) => field!);
  for (const field of sent) assert.ok(Object.hasOwn(form.properties, field), `${name} takes ${field}`);
  for (const field of form.required) assert.ok(sent.includes(field), `${name} needs ${field}`);
}

/** Checks the blocks of a page in their order. @returns the operations that have an example */
function checkPage(page: string): Set<string> {
  const shown = new Set<string>();
  let request: Request | null = null;
  for (const { language, means, text } of blocksOf(page)) {
    if (language === 'sh') {
      request = readRequest(text);
      assertBodyFits(request);
    } else if (language === 'json' && /^\d/.test(means)) {
      assert.ok(request, `${page}: an answer without its request`);
      const schema = request.operation.responses[means]?.content?.['application/json']?.schema;
      assert.ok(schema, `${request.name} never answers ${means}`);
      assertFits(JSON.parse(text), schema, request.description, `${page}, ${request.name}`);
      shown.add(request.name);
    } else if (language === 'json') {
      assertFits(JSON.parse(text), AI_TASKS.components.schemas[means]!, AI_TASKS, page);
    } else if (language === 'text') {
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as unknown);
      assert.ok(data.length > 0, `${page}: a stream without an event`);
      for (const each of data) assertFits(each, AI_TASKS.components.schemas.Task!, AI_TASKS, page);
      shown.add(request!.name);
    } else if (language === 'http') {
      const [head, body] = text.split('\n\n') as [string, string];
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        assert.match(head, new RegExp(`^${name}: \\S`, 'm'));
      assertFits(JSON.parse(body), V1.components.schemas.WebhookEvent!, V1, page);
    }
  }
  return shown;
}

/** Returns the codes in the table of errors of a page. */
function codesIn(page: string): Set<string> {
  const text = readFileSync(path.join(DOCS, page), 'utf8');
  const errors = /^## Errors\n(.*?)^## /ms.exec(text)![1]!;
  const rows = errors.split('\n').filter((line) => /^\| \d{3} \|/.test(line));
  return new Set(rows.flatMap((row) => [...row.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code]) => code!)));
}

test('every path has an example whose request and answer are as described', () => {
  for (const [page, { paths }] of [
    ['spec/ai-tasks.md', AI_TASKS],
    ['spec/v1.md', V1],
  ] as const) {
    const wanted = Object.entries(paths)
      .filter(([where]) => !where.endsWith('/openapi.json'))
      .map(([where, { post }]) => `${post === undefined ? 'get' : 'post'} ${where}`);
    const shown = checkPage(page);
    for (const name of wanted) assert.ok(shown.has(name), `${page} has no example of ${name}`);
  }
});

test('the bodies in the guide are as described', () => {
  const pages = readdirSync(path.join(DOCS, 'guide')).filter((name) => name.endsWith('.md'));
  for (const page of pages) checkPage(`guide/${page}`);
});

test('the tables of errors list every code that a client can get', () => {
  const v1 = V1.components.schemas.Error as { properties: { error: { enum: string[] } } };
  assert.deepEqual([...codesIn('spec/v1.md')].toSorted(), v1.properties.error.enum.toSorted());
  const ai = AI_TASKS.components.schemas.Error as { properties: { code: { enum: string[] } } };
  for (const code of codesIn('spec/ai-tasks.md')) assert.ok(ai.properties.code.enum.includes(code), code);
});
