import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';

const skip =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
    ? false
    : 'there is no `script` of util-linux, which makes a terminal';
/** Longest time for a command on a busy machine. */
const LIMIT_MS = 600_000;

const dir = await mkdtemp(path.join(tmpdir(), 'guise-terminal-'));
// PostgreSQL runs as another user if the tests run as root.
await chmod(dir, 0o711);
after(() => rm(dir, { recursive: true, force: true }));

/** Runs `guise` in a terminal. @param until text after which Ctrl-C is pressed */
async function inTerminal(
  command: string,
  { until, ...settings }: { until?: string; GUISE_DATA_DIR?: string } = {},
): Promise<{ code: number; shown: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const { NO_COLOR: _, ...own } = process.env;
  const data = path.join(dir, 'data');
  const env = { ...own, TERM: 'xterm', GUISE_DATA_DIR: data, DATABASE_URL: '', PORT: '0', ...settings };
  // With `exec`, no shell is left, which Ctrl-C would end as well.
  const line = `exec "${process.execPath}" "${bin}" ${command}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
    cwd: dir,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let shown = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    shown += text;
    if (until !== undefined && shown.includes(until)) {
      until = undefined;
      child.stdin.write('\u0003');
    }
  }
  clearTimeout(late);
  return { code: (await ended)[0], shown };
}

describe('on a terminal', { skip }, () => {
  test('a swap shows its progress at once, and time left only when it is known', async () => {
    const { code, shown } = await inTerminal('demo');
    assert.equal(code, 0, shown);
    assert.ok(shown.startsWith(`\r\u001b[K[${'-'.repeat(30)}] 0 %`), shown);
    assert.doesNotMatch(shown, / 0 % about/);
    assert.ok(shown.includes('\r\u001b[KSwapped the only face and wrote guise-demo/result.png '), shown);
  });

  test('Ctrl-C ends a swap with a sentence and 130', async () => {
    const { code, shown } = await inTerminal('demo -o other', { until: ' 0 %' });
    assert.equal(code, 130, shown);
    assert.match(shown, /guise: .*stopped/i);
  });

  test('start says at once what it does, logs short coloured lines, and says how to sign in', async () => {
    const { code, shown } = await inTerminal('start', { until: 'Run these commands in ' });
    assert.equal(code, 0, shown);
    assert.doesNotMatch(shown, /ERROR/);
    assert.match(shown, /^Starting guise \S+, data in .*\/data\./);
    assert.ok(shown.includes('\u001b[32mINFO'), shown);
    assert.doesNotMatch(shown, /^\{/m);
    assert.match(shown, /guise ready at http:\/\/127\.0\.0\.1:\d+/);
    assert.match(shown, /#token=[\w-]{43}/);
  });

  test('an account command names the folder where nothing is, and makes nothing there', async () => {
    const { code, shown } = await inTerminal('account show --email ann@example.com', {
      GUISE_DATA_DIR: 'none',
    });
    assert.equal(code, 1);
    assert.match(shown, /no guise installation in \S+\/none\./);
    assert.ok(!existsSync(path.join(dir, 'none')));
  });

  test('a result that exists is replaced by --force alone, and an input never', async () => {
    const { face, body } = await readSampleFaces();
    await Promise.all([
      writeFile(path.join(dir, 'face.jpg'), face),
      writeFile(path.join(dir, 'body.jpg'), body),
      writeFile(path.join(dir, 'out.jpg'), 'earlier'),
    ]);
    const kept = await inTerminal('swap face.jpg body.jpg -o out.jpg');
    assert.equal(kept.code, 1);
    assert.match(kept.shown, /out\.jpg exists already; --force replaces it\./);
    assert.equal(await readFile(path.join(dir, 'out.jpg'), 'utf8'), 'earlier');
    const input = await inTerminal('swap face.jpg body.jpg -o body.jpg --force');
    assert.equal(input.code, 1);
    assert.match(input.shown, /body\.jpg is an input: name another output\./);
    assert.deepEqual(await readFile(path.join(dir, 'body.jpg')), body);
    const forced = await inTerminal('swap face.jpg body.jpg -o out.jpg --force');
    assert.equal(forced.code, 0, forced.shown);
    assert.equal((await sharp(path.join(dir, 'out.jpg')).metadata()).format, 'jpeg');
  });

  test('the help of swap says that --map takes the target first, and counts faces from 0', async () => {
    const { code, shown } = await inTerminal('swap --help');
    assert.equal(code, 0);
    assert.match(shown, /guise swap \[options\] <target> --map <n=face>/);
    assert.match(shown.replaceAll(/\s+/g, ' '), /FACE is the photo for face N .* numbers them from 0/);
  });

  test('errors are of one line, and name the help of the command', async () => {
    const { code, shown } = await inTerminal('swap one.jpg');
    assert.equal(code, 2);
    assert.match(shown, /guise swap --help/);
  });
});
