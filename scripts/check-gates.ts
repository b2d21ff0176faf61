/**
 * Checks the sources against the gates (scripts/gates/gates.ts) and prints what breaks a rule.
 *
 *   npm run check:gates                   all gates
 *   npm run check:gates -- references     one gate
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { LayerRules } from './gates/check-layers.ts';
import { makeGates } from './gates/gates.ts';
import { readSourceTree } from './gates/source-tree.ts';

/** Root of the repository. */
const ROOT = path.resolve(import.meta.dirname, '..');

const layers = JSON.parse(readFileSync(path.join(ROOT, 'layers.json'), 'utf8')) as LayerRules;
const all = makeGates(layers);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.some((gate) => gate.name === name));
if (unknown.length > 0) {
  console.error(
    `no gate is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const tree = readSourceTree(ROOT);
for (const { name, rule, find } of all) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const offences = find(tree);
  for (const { file, line, reason } of offences) console.error(`${file}${line ? `:${line}` : ''}: ${reason}`);
  console.log(`${name}: ${rule} Offences: ${offences.length}.`);
  if (offences.length > 0) process.exitCode = 1;
}
