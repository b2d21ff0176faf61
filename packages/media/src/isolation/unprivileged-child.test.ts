import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { askChild, type IsolationLimits } from './isolated-child.ts';
import { canChangeUser } from './unprivileged-user.ts';

const skip = !canChangeUser() && 'only root can become another user';
const WORDS = { file: 'The file', work: 'Reading it' };

let folder: string;
let temporary: string;
let secret: string;
const temporaryBefore = process.env.TMPDIR;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-unprivileged-'));
  // Like /tmp: everybody passes through, and the child's program is found there.
  await chmod(folder, 0o755);
  temporary = path.join(folder, 'temporary');
  await mkdir(temporary, { mode: 0o1777 });
  process.env.TMPDIR = temporary;
  secret = path.join(folder, 'secret');
  await writeFile(secret, 'a secret', { mode: 0o600 });
});
after(async () => {
  if (temporaryBefore === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporaryBefore;
  await rm(folder, { recursive: true, force: true });
});

let file: string;
const content = randomBytes(300_000);
beforeEach(async () => {
  file = path.join(folder, 'lent');
  await rm(file, { force: true });
  await writeFile(file, content, { mode: 0o600 });
});

/** Asks a real child whose work is this function's body, which gets the question. */
async function ask(work: string, limits: Partial<IsolationLimits> = {}, signal?: AbortSignal) {
  const program = path.join(folder, 'program.mjs');
  const module = pathToFileURL(path.join(import.meta.dirname, 'isolated-child.ts')).href;
  await writeFile(
    program,
    `import * as fs from 'node:fs';
    import { answerParent } from ${JSON.stringify(module)};
    await answerParent(async ({ filePath, secret, folder }) => { ${work} });`,
  );
  return await askChild<never>(
    pathToFileURL(program),
    { filePath: file, secret, folder } as { readonly filePath: string },
    { timeoutMs: 60_000, maxMemoryBytes: 2 ** 30, ...limits },
    WORDS,
    signal,
  );
}

test('a child asked by root is another user with one group and no capability', { skip }, async () => {
  const status = await ask(`
    const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : '';
    return { uids: [process.getuid(), process.geteuid()], gids: [process.getgid(), process.getegid()],
      groups: process.getgroups(), capabilities: status.match(/^Cap(?:Eff|Prm|Amb):\\s*\\w+/gm) };`);
  const { capabilities, ...ids } = status as Record<string, unknown>;
  assert.deepEqual(ids, { uids: [65_522, 65_522], gids: [65_521, 65_521], groups: [65_521] });
  if (process.platform !== 'linux') return;
  const none = '0'.repeat(16);
  assert.deepEqual(capabilities, [`CapPrm:\t${none}`, `CapEff:\t${none}`, `CapAmb:\t${none}`]);
});

test(
  'none of its threads keeps a right',
  { skip: process.platform === 'linux' ? skip : 'only Linux lists threads' },
  async () => {
    const users = await ask(`
    await new Promise((resolve) => fs.stat('.', resolve));
    return fs.readdirSync('/proc/self/task').map((task) =>
      fs.readFileSync('/proc/self/task/' + task + '/status', 'utf8').match(/^Uid:\\s*(.*)/m)[1]);`);
    assert.deepEqual([...new Set(users as string[])], ['65522\t65522\t65522\t65522']);
  },
);

test('a child is the first that the kernel ends when memory runs out', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux can be told');
  assert.equal(await ask(`return fs.readFileSync('/proc/self/oom_score_adj', 'utf8')`), '1000\n');
});

test('a child reads its own file, whole, and no other of ours', { skip }, async () => {
  const answer = await ask(`
    const refusal = (act) => { try { return String(act()); } catch (error) { return error.code; } };
    return {
      content: fs.readFileSync(filePath).toString('base64'),
      refusals: [
        refusal(() => fs.readFileSync(secret)),
        refusal(() => fs.readFileSync(folder + '/lent')),
        refusal(() => fs.writeFileSync(filePath, 'other')),
        refusal(() => fs.writeFileSync('new', '')),
        refusal(() => fs.unlinkSync(filePath)),
        refusal(() => fs.readdirSync('.')),
        refusal(() => process.setuid(0)),
      ] };`);
  assert.deepEqual(answer, {
    content: content.toString('base64'),
    refusals: ['EACCES', 'EACCES', 'EACCES', 'EACCES', 'EACCES', 'EACCES', 'EPERM'],
  });
});

async function facts() {
  const { uid, gid, mode, ino } = await stat(file);
  return { uid, gid, mode, ino };
}

test("a stranger's file is copied and stays as it is; one of ours is linked", { skip }, async () => {
  const owned = await facts();
  const inodeOfChild = `return fs.statSync(filePath).ino;`;
  assert.notEqual(await ask(inodeOfChild), owned.ino);
  assert.deepEqual(await facts(), owned);
  assert.equal(await ask(inodeOfChild, { isOurFile: true }), owned.ino);
  assert.equal((await facts()).mode & 0o007, 0, 'nobody else may read it');
});

test('nothing is left of a child, however it ended', async () => {
  await ask('return 1;');
  const names = await readdir(folder);
  for (const isOurFile of [true, false]) {
    await ask('return 1;', { isOurFile });
    await assert.rejects(ask('process.kill(process.pid, "SIGKILL")', { isOurFile }), { code: 'UNREADABLE' });
    await assert.rejects(ask('for (;;);', { isOurFile, timeoutMs: 50 }), { code: 'TIMEOUT' });
    const abort = new AbortController();
    const aborted = assert.rejects(ask('for (;;);', { isOurFile }, abort.signal), /enough/);
    setImmediate(() => abort.abort(new Error('enough')));
    await aborted;
    await rm(file);
    await assert.rejects(ask('return fs.readFileSync(filePath);', { isOurFile }));
    await writeFile(file, content);
    assert.deepEqual(await readdir(temporary), []);
    assert.deepEqual(await readdir(folder), names);
  }
});
