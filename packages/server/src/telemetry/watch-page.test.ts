import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Registry } from 'prom-client';
import { createMetrics } from './metrics.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/guide/watch.md');

test('docs/guide/watch.md has exactly the metrics of guise, with their types and labels', () => {
  const rows = readFileSync(PAGE, 'utf8').match(/(?<=^\| )`guise_\w+` \| [^|]+ \| [^|]+(?= \|)/gm);
  const own = registries().flatMap((registry) =>
    registry.getMetricsAsArray().filter(({ name }) => name.startsWith('guise_')),
  );
  assert.ok(own.length > 0);
  assert.deepEqual(rows?.toSorted(), own.map(rowOf).toSorted());
});

test('docs/guide/watch.md names no metric that does not exist', () => {
  const named = readFileSync(PAGE, 'utf8').match(/\b(guise|process|nodejs)_[a-z0-9_]+\b/g) ?? [];
  const existing = new Set(
    registries().flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
  );
  assert.deepEqual(
    named.filter((name) => !existing.has(name)),
    [],
  );
});

/** Returns the registries of an API process and of a worker. */
function registries(): Registry[] {
  return [createMetrics().registry, createWorkerMetrics().registry];
}

/** Returns the first three cells of a metric's row. */
function rowOf(metric: object): string {
  const { name, type, labelNames } = metric as { name: string; type: string; labelNames: readonly string[] };
  return `\`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')}`;
}
