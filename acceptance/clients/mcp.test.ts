import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Guise } from '@guise/client';
import { Client, type RequestOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { creditsOf, files, hasVideo, newAccount, service } from './rig.ts';

/** The command that a user gives to an MCP client. */
const COMMAND = path.resolve(import.meta.dirname, '../../packages/mcp/bin/guise-mcp.cjs');
/** Longest time until a task has ended. */
const TASK_MS = 60_000;

const account = await newAccount();
const guise = new Guise({ url: service.url, key: account.apiKey });
const folder = await mkdtemp(path.join(tmpdir(), 'guise-mcp-'));
after(() => rm(folder, { recursive: true }));
for (const file of Object.values(files).filter((each) => hasVideo || each !== files.film))
  await copyFile(file, path.join(folder, path.basename(file)));
const client = await start(account.apiKey);

async function start(key: string): Promise<Client> {
  const env = { GUISE_URL: service.url, GUISE_API_KEY: key, GUISE_MCP_FOLDER: folder };
  const started = new Client({ name: 'test', version: '1' });
  await started.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND], env, cwd: '/' }),
  );
  after(() => started.close());
  return started;
}

/** Calls a tool, and returns what it answers, or the error that it tells. */
async function call(
  name: string,
  input: Record<string, unknown>,
  { by = client, ...options }: RequestOptions & { by?: Client } = {},
): Promise<{ answer: any; error: string }> {
  const result = await by.callTool({ name, arguments: input }, { timeout: TASK_MS, ...options });
  const [content] = result.content;
  assert.ok(content?.type === 'text');
  return result.isError
    ? { answer: null, error: content.text }
    : { answer: JSON.parse(content.text), error: '' };
}

async function sizeOf(name: string): Promise<[number, number]> {
  const { width, height } = await sharp(path.join(folder, name)).metadata();
  return [width, height];
}

test('an assistant sees the tools and what they take', async () => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names, ['swap_photo', 'swap_group', 'swap_film', 'detect', 'verify', 'list_tasks']);
  assert.deepEqual(tools[0]!.inputSchema.required, ['source', 'target', 'output']);
  assert.deepEqual(
    tools.map(({ annotations }) => annotations?.readOnlyHint),
    [false, false, false, true, true, true],
  );
  assert.match(client.getInstructions()!, /agreed/);
});

test('an assistant asks for the price of a photo, swaps it and verifies it', async () => {
  const input = { source: 'face.jpg', target: 'scene.jpg', output: 'swapped.png', consent: 'A drawn face.' };
  const { answer: price } = await call('swap_photo', { ...input, quote: true });
  assert.equal(price.requiredCredits, 3);
  assert.equal((await readdir(folder)).includes('swapped.png'), false);
  const seen: number[] = [];
  const { answer } = await call('swap_photo', input, { onprogress: ({ progress }) => seen.push(progress) });
  assert.deepEqual([answer.saved, answer.credits], ['swapped.png', 3]);
  assert.ok(answer.likeness > 0.2 && answer.likeness <= 1);
  assert.deepEqual(await sizeOf('swapped.png'), [answer.width, answer.height]);
  assert.ok(seen.length > 0);
  const { answer: found } = await call('verify', { file: 'swapped.png' });
  assert.ok(found.marked && found.ownSignature && found.watermark.ownInstallation);
  const { answer: list } = await call('list_tasks', { limit: 1 });
  assert.deepEqual([list.tasks.length, list.tasks[0].parameters.consent], [1, 'A drawn face.']);
});

test('an assistant finds the faces of a group, and swaps one of them', async () => {
  const { answer: found } = await call('detect', { file: 'pair.png' });
  assert.equal(found.faces.length, 2);
  const input = { photo: 'pair.png', output: 'group.png' };
  const { error } = await call('swap_group', { ...input, faces: [{ face: 'scene.jpg', face_index: 2 }] });
  assert.match(error, /2 faces/);
  const { answer } = await call('swap_group', { ...input, faces: [{ face: 'scene.jpg', face_index: 1 }] });
  assert.equal(answer.saved, 'group.png');
  assert.deepEqual(await sizeOf('group.png'), await sizeOf('pair.png'));
});

test('an assistant swaps the two people of a film', { skip: !hasVideo }, async () => {
  const { answer: found } = await call('detect', { file: 'film.mp4' });
  assert.equal(found.persons.length, 2);
  const people = [0, 1].map((number) => ({ face: 'face.jpg', person_index: number }));
  const { answer } = await call('swap_film', { film: 'film.mp4', people, end_seconds: 1, output: 'out.mp4' });
  assert.equal(answer.contentType, 'video/mp4');
  assert.ok(answer.frames.swapped > 0);
  assert.ok((await guise.verify(new Blob([await readFile(path.join(folder, 'out.mp4'))]))).marked);
  const both = { film: 'film.mp4', people, source: 'face.jpg', output: 'both.mp4' };
  assert.match((await call('swap_film', both)).error, /either/);
});

test('nothing outside of the folder is read or written, and no file is replaced', async () => {
  await symlink(files.face, path.join(folder, 'link.jpg'));
  await symlink(path.dirname(files.face), path.join(folder, 'linked'));
  await symlink('/nowhere/new.png', path.join(folder, 'dangling.png'));
  const before = await creditsOf(account);
  for (const file of [`../${path.basename(folder)}x`, files.face, 'link.jpg', 'linked/face.jpg', '..'])
    assert.match((await call('detect', { file })).error, /is outside of the folder/, file);
  assert.match((await call('detect', { file: 'none.jpg' })).error, /does not exist/);
  const photos = { source: 'face.jpg', target: 'scene.jpg' };
  for (const output of ['../new.png', path.join(path.dirname(files.face), 'new.png'), 'linked/new.png'])
    assert.match((await call('swap_photo', { ...photos, output })).error, /is outside of the folder/, output);
  for (const output of ['face.jpg', 'dangling.png'])
    assert.match((await call('swap_photo', { ...photos, output })).error, /exists already/, output);
  assert.deepEqual(await creditsOf(account), before);
  const inside = path.join(folder, 'face.jpg');
  assert.equal((await call('detect', { file: inside })).answer.faces.length, 1);
});

test('what the service refuses is told in its words', async () => {
  const by = await start('gsk_wrong');
  const wrong = new Guise({ url: service.url, key: 'gsk_wrong' });
  const { error } = await call('list_tasks', {}, { by });
  await assert.rejects(wrong.list(), { status: 401, message: error });
  await writeFile(path.join(folder, 'text.jpg'), 'no picture');
  const input = { source: 'text.jpg', target: 'scene.jpg', output: 'refused.png' };
  assert.match((await call('swap_photo', input)).error, /sourceImage/);
});

test('a call that is cancelled, or whose client leaves, cancels its task', { skip: !hasVideo }, async () => {
  const film = { film: 'film.mp4', source: 'face.jpg' };
  const leaver = await start(account.apiKey);
  for (const [output, by] of [
    ['cancelled.mp4', client],
    ['left.mp4', leaver],
  ] as const) {
    const stop = new AbortController();
    const end = (): void => (by === client ? stop.abort() : void by.close());
    const options = { by, signal: stop.signal, onprogress: end };
    await assert.rejects(call('swap_film', { ...film, output }, options));
    const until = Date.now() + TASK_MS;
    for (;;) {
      const { status } = (await guise.list({ limit: 1 })).tasks[0]!;
      if (status === 'CANCELLED') break;
      assert.ok(status !== 'COMPLETED' && Date.now() < until, `${output}: ${status}`);
      await delay(100);
    }
    assert.equal((await readdir(folder)).includes(output), false);
  }
});
