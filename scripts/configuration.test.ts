import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Matches what is no setting of the service: a constant, variables of clients and of tests. */
const NO_SETTING = /^GUISE_(VERSION|API_KEY|URL|MCP_FOLDER|TEST_\w+)$/;

test('docs/configuration.md is made from the declarations of the variables', () => {
  const script = path.join(ROOT, 'scripts/configuration.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('docs/configuration.md has each variable that the packages read or speak of', () => {
  const page = readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8');
  const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const named = new Set(
    sources.flatMap(
      (file) => readFileSync(path.join(ROOT, file), 'utf8').match(/\bGUISE_\w*[A-Z0-9]\b/g) ?? [],
    ),
  );
  assert.ok(named.has('GUISE_PUBLIC_URL'));
  const missing = [...named].filter((name) => !NO_SETTING.test(name) && !page.includes(`\n| \`${name}\` |`));
  assert.deepEqual(missing, []);
});
