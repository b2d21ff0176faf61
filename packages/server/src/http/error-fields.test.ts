import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { AI_TASKS_ERROR_CODES, type AiTasksErrorCode } from '@guise/contract/ai-tasks/errors.ts';
import { type FormDeclaration, type FormField, isUpload } from '@guise/contract/ai-tasks/form.ts';
import {
  BATCH_FORM,
  DETECT_FORM,
  GIF_FORM,
  GROUP_FORM,
  PHOTO_FORM,
  VERIFY_FORM,
  VIDEO_FORM,
} from '@guise/contract/ai-tasks/forms.ts';
import { IMAGE_SWAP_BODY, VIDEO_SWAP_BODY, BATCH_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import type { BodyDeclaration, JsonField } from '@guise/contract/v1/body.ts';
import { V1_ERROR_STATUS, type V1ErrorCode } from '@guise/contract/wire-codes.ts';
import { openRaw } from './testing/raw-request.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

let t: TestApp;
let authorization: string;
let png: File;
before(async () => {
  t = await startTestApp();
  authorization = `Bearer ${(await t.newKey()).apiKey}`;
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'grey' } })
    .png()
    .toBuffer();
  png = new File([Uint8Array.from(bytes)], 'a.png', { type: 'image/png' });
});
after(() => t.close());

interface Refusal {
  readonly status: number;
  readonly sentence: string;
  readonly code: string;
  readonly field: string | undefined;
}

/** Sends a request of either interface. */
async function send(path: string, init: RequestInit = {}): Promise<Refusal> {
  const response = await fetch(t.url + path, { ...init, headers: { authorization, ...init.headers } });
  const { status } = response;
  const body = (await response.json()) as Record<'error' | 'code' | 'message' | 'field', string>;
  return path.startsWith('/v1')
    ? { status, sentence: body.message, code: body.error, field: body.field }
    : { status, sentence: body.error, code: body.code, field: body.field };
}

/** Names beside those of forms, none of which is a word of other sentences. */
const OTHER_NAMES = ['Api-Version', 'Content-Type', 'Idempotency-Key', 'dryRun', 'taskId'];

/** Finds the first name that a sentence says: one of the form's, or one that the client made up. */
function namedIn(sentence: string, names: readonly string[]): string | undefined {
  const unknown = /^Unknown (?:field|query parameter) (".*")\.$/.exec(sentence);
  if (unknown !== null) return JSON.parse(unknown[1]!) as string;
  const known = [...names, ...OTHER_NAMES].join('|');
  return new RegExp(`(?<![\\w.-])(?:${known})(?![\\w-])(?:\\[\\d+\\])?`).exec(sentence)?.[0];
}

function assertNamed(refusal: Refusal, names: readonly string[], what: string): void {
  const said = `${what}: ${JSON.stringify(refusal)}`;
  assert.equal(refusal.status, 400, said);
  assert.equal(refusal.field, namedIn(refusal.sentence, names), said);
  assert.equal(V1_ERROR_STATUS[refusal.code as V1ErrorCode], 400, said);
}

const FORMS: readonly FormDeclaration<FormField>[] = [
  PHOTO_FORM,
  BATCH_FORM,
  GROUP_FORM,
  VIDEO_FORM,
  GIF_FORM,
  DETECT_FORM,
  VERIFY_FORM,
];

type Value = string | File;
type Part = readonly [name: string, value: Value];

/** Makes a valid value of a field; clips are none, but they are looked at last. */
function valueOf(field: FormField): Value {
  switch (field.kind) {
    case 'number':
      return '1';
    case 'choice':
      return field.values[0]!;
    case 'engine':
      return 'mesh';
    case 'guarantee':
    case 'switch':
      return 'true';
    case 'face-box':
      return '{"x":0,"y":0,"width":0.5,"height":0.5}';
    default:
      return png;
  }
}

/** Makes every field wrong in every way that a form can be, one at a time. */
function wrongForms({ fields }: FormDeclaration<FormField>): Part[][] {
  const right: Part[] = fields.map((field) => [field.name, valueOf(field)]);
  const without = (name: string): Part[] => right.filter(([each]) => each !== name);
  const text = new File(['not a picture'], 'a.png', { type: 'image/png' });
  const empty = new File([], 'a.png', { type: 'image/png' });
  const forms: Part[][] = [[], [['x'.repeat(80), 'x']]];
  for (const field of fields) {
    const { name } = field;
    const value = valueOf(field);
    const others = without(name);
    if (isUpload(field) && field.optional === undefined) forms.push(others);
    for (const wrong of ['', 'x', 'x'.repeat(1025), text, empty]) forms.push([[name, wrong], ...others]);
    const most = isUpload(field) ? (field.maxFiles ?? 1) : 1;
    forms.push([...Array.from({ length: most + 1 }, (): Part => [name, value]), ...others]);
    for (const unknown of [`${name}s`, `${name}[0]`, name.toUpperCase(), `${name} "is"`]) {
      forms.push([[unknown, value], ...right]);
    }
  }
  return forms;
}

const BOXES = [
  '[]',
  '{}',
  '{"x":0,"y":0,"width":1}',
  '{"x":0,"y":0,"width":0,"height":1}',
  '{"x":0,"y":0,"width":1,"height":1,"sourceImage":1}',
  '{"x":0,"x":0,"y":0,"width":1,"height":1}',
  '{"x":0.5,"y":0,"width":1,"height":1}',
  '{"x":0,"y":0,"width":1,"height":1,"faceIndex":-1}',
];

function toForm(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

test('a form that is refused has the field that its sentence names, and else none', async () => {
  for (const form of FORMS) {
    const names = form.fields.map(({ name }) => name);
    const seen = new Set<string | undefined>();
    for (const parts of wrongForms(form)) {
      const what = `${form.path} ${parts.map(([name, value]) => `${name.slice(0, 30)}=${String(value).slice(0, 9)}`)}`;
      const refusal = await send(form.path, { method: 'POST', body: toForm(parts) });
      assertNamed(refusal, names, what);
      seen.add(refusal.field?.replace(/\[\d+\]$/, ''));
    }
    assert.deepEqual(
      names.filter((name) => !seen.has(name)),
      [],
      `every field of ${form.path} was to blame once`,
    );
  }
});

test('mappings of a group photo blame the box or the face that is wrong', async () => {
  const names = GROUP_FORM.fields.map(({ name }) => name);
  const one: Part[] = [
    ['sourceImage', png],
    ['targetFace0', png],
  ];
  const box: Part = ['faceBox0', '{"x":0,"y":0,"width":0.5,"height":0.5}'];
  const cases: [Part[], string][] = [
    ...BOXES.map((text): [Part[], string] => [[...one, ['faceBox0', text]], 'faceBox0']),
    [[...one, box, ['targetFace1', png]], 'faceBox1'],
    [[...one, box, ['faceBox1', box[1]]], 'faceBox1'],
    [[...one, box, ['targetFace2', png], ['faceBox2', box[1]]], 'targetFace2'],
  ];
  for (const [parts, field] of cases) {
    const refusal = await send(GROUP_FORM.path, { method: 'POST', body: toForm(parts) });
    assertNamed(refusal, names, JSON.stringify(parts));
    assert.equal(refusal.field, field);
  }
});

test('a batch blames the side that has too many', async () => {
  for (const [mode, field] of [
    ['singleToMulti', 'sourceImages'],
    ['multiToSingle', 'targetImages'],
  ] as const) {
    const parts: Part[] = [
      ['mode', mode],
      ['sourceImages', png],
      ['sourceImages', png],
      ['targetImages', png],
      ['targetImages', png],
    ];
    const refusal = await send(BATCH_FORM.path, { method: 'POST', body: toForm(parts) });
    assertNamed(
      refusal,
      BATCH_FORM.fields.map(({ name }) => name),
      mode,
    );
    assert.equal(refusal.field, field);
  }
});

const BODIES = [IMAGE_SWAP_BODY, VIDEO_SWAP_BODY, BATCH_SWAP_BODY];

/** Bytes that are no picture, in base64. */
const NO_PICTURE = Buffer.from('not a picture').toString('base64');

/** Values that most kinds of fields refuse; none makes a body valid, see `wrongBodies`. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  -1,
  1.5,
  1e99,
  true,
  '',
  'A',
  '*****',
  'ftp://example.com/a',
  'data:image/png,abc',
  'https://[',
  `https://example.com/${'x'.repeat(3000)}`,
  'http://169.254.169.254/',
  'x'.repeat(20_000),
  [],
  {},
  [7],
  [NO_PICTURE, '*'],
  Array.from({ length: 101 }, () => 'https://example.com/a'),
  { a: 1 },
];

function noPictureOf({ kind }: JsonField): unknown {
  return kind === 'images' ? [NO_PICTURE] : NO_PICTURE;
}

function isMedium({ kind }: JsonField): boolean {
  return kind === 'image' || kind === 'video' || kind === 'images';
}

/** Makes bodies as text, whose media are no pictures: nothing is ever accepted. */
function wrongBodies({ fields }: BodyDeclaration): string[] {
  const media = Object.fromEntries(fields.filter(isMedium).map((field) => [field.name, noPictureOf(field)]));
  const names = fields.map(({ name }) => name);
  return [
    ...Object.keys(media).map((name) => JSON.stringify({ ...media, [name]: undefined })),
    ...names.flatMap((name) => WRONG_VALUES.map((value) => JSON.stringify({ ...media, [name]: value }))),
    ...names.map((name) => `{"${name}":"high","${name}":"high"}`),
    ...names.map((name) => `{"${name}":[[`),
    ...names.map((name) => JSON.stringify({ ...media, [`${name}s`]: 1 })),
    '',
    '[]',
    '{',
    '{} {}',
    '{"a" 1}',
    `{"${'x'.repeat(80)}":1}`,
    `{"${'x'.repeat(20_000)}":1}`,
  ];
}

test('a JSON body that is refused has the field that its message names, and else none', async () => {
  for (const declaration of BODIES) {
    const names = declaration.fields.map(({ name }) => name);
    const seen = new Set<string | undefined>();
    for (const body of wrongBodies(declaration)) {
      const headers = { 'content-type': 'application/json' };
      const refusal = await send(declaration.path, { method: 'POST', body, headers });
      assertNamed(refusal, names, `${declaration.path} ${body.slice(0, 200)}`);
      seen.add(refusal.field?.replace(/\[\d+\]$/, ''));
    }
    assert.deepEqual(
      names.filter((name) => !seen.has(name)),
      [],
      `every field of ${declaration.path} was to blame once`,
    );
  }
});

test('queries and headers that are refused are named as they were sent', async () => {
  const photo = (headers: Record<string, string>, query = '') =>
    send(`/api/ai-tasks${query}`, { method: 'POST', headers, body: toForm([['sourceImage', png]]) });
  const image = (headers: Record<string, string>, query = '') =>
    send(`/v1/image-swap${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  const id = crypto.randomUUID();
  const cases: [Promise<Refusal>, string][] = [
    [photo({ 'api-version': '1' }), 'Api-Version'],
    [photo({ 'content-type': 'text/plain' }), 'Content-Type'],
    [photo({ 'content-type': 'multipart/form-data' }), 'Content-Type'],
    [photo({ 'content-type': ';' }), 'Content-Type'],
    [photo({ 'idempotency-key': 'x'.repeat(256) }), 'Idempotency-Key'],
    [photo({}, '?dryRun=1'), 'dryRun'],
    [photo({}, '?a=1'), 'a'],
    [photo({}, `?${'x'.repeat(80)}=1`), 'x'.repeat(64)],
    [image({ 'content-type': 'text/plain' }), 'Content-Type'],
    [image({ 'idempotency-key': 'x'.repeat(256) }), 'Idempotency-Key'],
    [image({}, '?dryRun=1'), 'dryRun'],
    [image({}, '?a=1'), 'a'],
    [send('/v1/status/x?a=1'), 'a'],
    [send('/api/ai-tasks'), 'taskId'],
    [send('/api/ai-tasks?taskId=1'), 'taskId'],
    [send(`/api/ai-tasks?taskId=${id}&taskId=${id}`), 'taskId'],
    [send(`/api/ai-tasks?taskId=${id}&files=1`, { method: 'DELETE' }), 'files'],
    [send('/api/ai-tasks/list?limit=0'), 'limit'],
    [send('/api/ai-tasks/list?limit=1&limit=1'), 'limit'],
    [send('/api/ai-tasks/list?cursor=1'), 'cursor'],
    [send('/api/ai-tasks/list?cursor=%00'), 'cursor'],
    [send('/api/ai-tasks/list?status=DONE'), 'status'],
    [send('/api/ai-tasks/list?taskType=x'), 'taskType'],
    [send('/api/ai-tasks/list?a=1'), 'a'],
    [send('/api/ai-tasks/events?taskId=1'), 'taskId'],
  ];
  for (const [asked, field] of cases) {
    const refusal = await asked;
    assert.deepEqual(
      [refusal.status, refusal.code, refusal.field],
      [400, 'INVALID_REQUEST', field],
      refusal.sentence,
    );
    assert.ok(refusal.sentence.includes(field), refusal.sentence);
  }
});

/** Sends bytes as they are. @returns the body of the answer */
async function answerToRaw(head: string): Promise<Record<string, unknown>> {
  const received = await openRaw(t.port, head).closed;
  return JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

test('what is refused before any route, or by none, has a code too', async () => {
  const malformed = { error: 'The request is malformed.', code: 'INVALID_REQUEST' };
  assert.deepEqual(await answerToRaw('nonsense\r\n\r\n'), malformed);
  assert.deepEqual(await answerToRaw('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), malformed);
  assert.deepEqual(await answerToRaw('GET /api/ai-tasks HTTP/1.1\r\nConnection: close\r\n\r\n'), {
    error: 'The Host header is missing.',
    code: 'INVALID_REQUEST',
    field: 'Host',
  });
  const codes: [Promise<Refusal>, number, AiTasksErrorCode][] = [
    [send('/api/ai-tasks/nothing'), 404, 'NOT_FOUND'],
    [send('/nothing'), 404, 'NOT_FOUND'],
    [send('/api/ai-tasks', { method: 'PATCH' }), 404, 'NOT_FOUND'],
    [send(`/api/ai-tasks?taskId=${crypto.randomUUID()}`), 404, 'JOB_NOT_FOUND'],
    [send('/api/ai-tasks', { headers: { authorization: 'Bearer x' } }), 401, 'INVALID_API_KEY'],
  ];
  for (const [asked, status, code] of codes) {
    const refusal = await asked;
    assert.deepEqual([refusal.status, refusal.code, refusal.field], [status, code, undefined]);
    assert.ok(AI_TASKS_ERROR_CODES.includes(code));
  }
});
