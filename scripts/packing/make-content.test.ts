import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND, makeContent } from './make-content.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Longest time for a command on a busy machine. */
const LIMIT_MS = 600_000;

// As `npm install` leaves it, but with the dependencies of the repository.
const home = await mkdtemp(path.join(tmpdir(), 'guise-package-'));
const folder = path.join(home, 'node_modules/@guise/guise');
const env = { ...process.env, GUISE_DATA_DIR: '', DATABASE_URL: '', HOST: '127.0.0.1', PORT: '0' };
before(async () => {
  // The processes that decode media, and PostgreSQL, run as other users if the tests run as root.
  await chmod(home, 0o755);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(home, 'package.json'), '{}');
  await makeContent(folder);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
});
after(() => rm(home, { recursive: true }));

test('the package swaps faces, and keeps what it writes beside node_modules', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(folder, COMMAND), 'demo', '--json'],
    { cwd: home, env, timeout: LIMIT_MS },
  );
  assert.equal(JSON.parse(stdout).facesFound, 1);
  assert.ok((await stat(path.join(home, 'guise-demo/result.png'))).size > 0);
  assert.ok((await stat(path.join(home, '.guise/signing'))).isDirectory());
  // The models of the package are used as they are.
  await assert.rejects(stat(path.join(home, '.guise/models')));
});

test('the package starts the service, with its dashboard, and says where its commands work', async () => {
  const service = spawn(process.execPath, [path.join(folder, COMMAND), 'start'], { cwd: home, env });
  const ended = once(service, 'exit');
  const late = setTimeout(() => service.kill('SIGKILL'), LIMIT_MS);
  after(() => service.kill('SIGKILL'));
  let output = '';
  for await (const text of service.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes(`Run these commands in ${home}.\n`)) break;
  }
  const [, url] = /guise ready at (\S+)/.exec(output) ?? [];
  const page = await fetch(url!, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<script/);
  service.kill('SIGTERM');
  assert.equal((await ended)[0], 0);
  clearTimeout(late);
});
