import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { askChild } from './isolated-child.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-isolated-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Asks a child that does this and then answers 'done'. */
async function ask(work: string, timeoutMs: number): Promise<unknown> {
  const program = path.join(folder, `${work.length}.mjs`);
  await writeFile(
    program,
    `process.once('message', async () => { ${work}; process.send({ answer: 'done' }); });`,
  );
  const limits = { timeoutMs, maxMemoryBytes: 1024 * 1024 * 1024 };
  return askChild(pathToFileURL(program), { filePath: program }, limits, {
    file: 'The file',
    work: 'Reading it',
  });
}

const LATE = { name: 'MediaError', code: 'TIMEOUT', message: 'Reading it took too long.' };
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 2500))';

test('a child that gets no processor has more time than one that computes', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux tells what a process has computed');
  assert.equal(await ask(WAIT, 2000), 'done');
  const startedAtMs = performance.now();
  await assert.rejects(ask('for (;;);', 1000), LATE);
  assert.ok(performance.now() - startedAtMs >= 1000, 'it has its time');
});

test('a child that waits for ever is ended as well', async () => {
  await assert.rejects(ask('await new Promise(() => setTimeout(() => {}, 2 ** 30))', 200), LATE);
});
