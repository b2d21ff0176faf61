/**
 * Checks the sources against the gates (scripts/gates/gates.ts) and prints what breaks a rule.
 * `gates.json` lists files that do not hold yet, with their count of offences: it may only shrink.
 *
 *   npm run check:gates                   all gates
 *   npm run check:gates -- references     one gate
 *   npm run check:gates -- --tighten      rewrites gates.json smaller
 *   npm run check:gates -- --rebase       rewrites gates.json as found, after files were moved
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Allowlist,
  compareWithAllowlist,
  countOffences,
  rebase,
  tighten,
  totalOf,
} from './gates/allowlist.ts';
import type { LayerRules } from './gates/check-layers.ts';
import { makeGates } from './gates/gates.ts';
import { readSourceTree } from './gates/source-tree.ts';

/** Root of the repository. */
const ROOT = path.resolve(import.meta.dirname, '..');

/** Path of the list of files that do not hold yet. */
const ALLOWLIST = path.join(ROOT, 'gates.json');

/** Most entries shown of those that allow more than needed. */
const MAX_LOOSE_SHOWN = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tighten: { type: 'boolean' }, rebase: { type: 'boolean' } },
});
const { comment, allowed } = readJson<{ comment: string; allowed: Allowlist }>(ALLOWLIST);
const all = makeGates(readJson<LayerRules>(path.join(ROOT, 'layers.json')));
const unknown = positionals.filter((name) => !all.some((gate) => gate.name === name));
if (unknown.length > 0) {
  console.error(
    `no gate is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const tree = readSourceTree(ROOT);
const gates = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const found = new Map(gates.map((gate) => [gate, gate.find(tree)]));
const counts = countOffences(found);
if (values.rebase) writeAllowlist(rebase(allowed, found));
else if (values.tighten) writeAllowlist({ ...allowed, ...tighten(allowedHere(allowed), counts) });

const limits =
  values.rebase || values.tighten ? readJson<{ allowed: Allowlist }>(ALLOWLIST).allowed : allowed;
const { offences, loose } = compareWithAllowlist(limits, found);
for (const { file, line, reason } of offences) console.error(`${file}${line ? `:${line}` : ''}: ${reason}`);
for (const { gate, file, allowed: limit, found: count } of loose.slice(0, MAX_LOOSE_SHOWN)) {
  console.error(`${file}: ${gate} lists ${limit} and finds ${count}`);
}
if (loose.length > 0) console.error(`gates.json is ${loose.length} entries too large: run it with --tighten`);
for (const { name, rule } of gates) {
  const [before, after] = [totalOf(allowed, name), totalOf(counts, name)];
  console.log(`${name}: ${rule} ${after} do not yet${before === after ? '' : ` (${before} before)`}.`);
}
process.exitCode = offences.length + loose.length > 0 ? 1 : 0;

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Leaves out the gates that do not run now. */
function allowedHere(list: Allowlist): Allowlist {
  return Object.fromEntries(gates.map(({ name }) => [name, list[name] ?? {}]));
}

function writeAllowlist(list: Allowlist): void {
  const needed = Object.fromEntries(
    Object.entries(list).filter(([, files]) => Object.keys(files).length > 0),
  );
  writeFileSync(ALLOWLIST, `${JSON.stringify({ comment, allowed: needed }, null, 2)}\n`);
}
