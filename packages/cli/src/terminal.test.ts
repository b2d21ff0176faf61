import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';

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
async function inTerminal(command: string, until?: string): Promise<{ code: number; shown: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const { NO_COLOR: _, ...own } = process.env;
  const env = { ...own, TERM: 'xterm', GUISE_DATA_DIR: path.join(dir, 'data'), DATABASE_URL: '', PORT: '0' };
  const line = `"${process.execPath}" "${bin}" ${command}`;
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
    const { code, shown } = await inTerminal('demo -o other', ' 0 %');
    assert.equal(code, 130, shown);
    assert.match(shown, /guise: .*stopped/i);
  });

  test('start says at once what it does, logs short coloured lines, and says how to sign in', async () => {
    const { code, shown } = await inTerminal('start', 'Run these commands in ');
    assert.equal(code, 0, shown);
    assert.match(shown, /^Starting guise \S+, data in .*\/data\./);
    assert.ok(shown.includes('\u001b[32mINFO'), shown);
    assert.doesNotMatch(shown, /^\{/m);
    assert.match(shown, /guise ready at http:\/\/127\.0\.0\.1:\d+/);
    assert.match(shown, /#token=[\w-]{43}/);
  });

  test('errors are of one line, and name the help of the command', async () => {
    const { code, shown } = await inTerminal('swap one.jpg');
    assert.equal(code, 2);
    assert.match(shown, /guise swap --help/);
  });
});
