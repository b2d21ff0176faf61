import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('docs/dependencies.md says why each package is there, and names no other', () => {
  const manifests = globSync(['package.json', 'packages/*/package.json'], { cwd: ROOT })
    .filter((file) => !file.includes('dashboard'))
    .map((file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')));
  const needed = manifests
    .flatMap(({ dependencies, optionalDependencies }) => [dependencies, optionalDependencies])
    .flatMap((each) => Object.keys(each ?? {}))
    .filter((name) => !name.startsWith('@guise/'));
  const document = readFileSync(path.join(ROOT, 'docs/dependencies.md'), 'utf8');
  const [, table] = document.split('| Package | Why |');
  const cells = table!.match(/^\| .+? \|/gm)!;
  const named = cells.flatMap((cell) => cell.match(/(?<=`)[^`, ]+(?=`)/g) ?? []);
  assert.deepEqual(
    needed.filter((name) => !named.some((each) => covers(each, name))),
    [],
  );
  assert.deepEqual(
    named.filter((each) => !needed.some((name) => covers(each, name))),
    [],
  );
});

/** Returns whether a name of the document, which may end in `*`, means this package. */
function covers(named: string, name: string): boolean {
  return named.endsWith('*') ? name.startsWith(named.slice(0, -1)) : name === named;
}
