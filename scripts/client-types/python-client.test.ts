import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

const PYTHON = path.resolve(import.meta.dirname, '../../clients/python');

const isMissing = (program: string): string | false =>
  spawnSync(program, ['--version']).error === undefined ? false : `${program} is not installed`;

test('the unit tests of the Python client pass', { skip: isMissing('python3') }, () => {
  execFileSync('python3', ['-m', 'unittest', 'discover', '-q', '-s', 'tests'], {
    cwd: PYTHON,
    stdio: 'pipe',
  });
});

test(
  'mypy accepts the Python client, and refuses wrong uses of it',
  { skip: isMissing('mypy') },
  async () => {
    const options = ['--strict', '--python-version', '3.9', '--cache-dir', devNull, '--no-error-summary'];
    const { stdout } = spawnSync('mypy', [...options, 'guise', 'tests/typed_use.py'], {
      cwd: PYTHON,
      encoding: 'utf8',
    });
    const use = await readFile(path.join(PYTHON, 'tests/typed_use.py'), 'utf8');
    const expected = use.split('\n').flatMap((line, at) => {
      const code = /# error: (\S+)$/.exec(line)?.[1];
      return code === undefined ? [] : [`tests/typed_use.py:${at + 1} ${code}`];
    });
    const found = [...stdout.matchAll(/^(.*?:\d+): error: .*\[(.*)\]$/gm)].map(
      ([, at, code]) => `${at} ${code}`,
    );
    assert.deepEqual(found, expected, stdout);
  },
);
