import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '@guise/server/telemetry/metrics.ts';
import { createWorkerMetrics } from '@guise/server/telemetry/worker-metrics.ts';
import { parse } from 'yaml';

const DEPLOY = path.join(import.meta.dirname, '../../deploy');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const skip = !hasPromtool && 'promtool is not installed';

/** Names in a query that PromQL itself or Prometheus has. */
const NOT_OURS = /^(up|job|instance|le|lane|type|status|method|route)$/;

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

async function readAlerts(): Promise<Alerts['groups'][number]['rules']> {
  const { groups } = parse(await readFile(path.join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as Alerts;
  return groups.flatMap((group) => group.rules);
}

/** Returns the names of all series that the processes tell. */
async function readSeries(): Promise<Set<string>> {
  const texts = [createMetrics(), createWorkerMetrics()].map(({ registry }) => registry.getMetricsAsJSON());
  const names = (await Promise.all(texts)).flat().flatMap(({ name, type }) =>
    // The types of prom-client name kinds of metrics by text.
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}

/** Returns the names of series in a query: words before a brace, bracket or operator. */
function seriesIn(query: string): string[] {
  const bare = query.replaceAll(/"[^"]*"/g, '""');
  return [...bare.matchAll(/\b(?:guise|nodejs|process)_\w+|\bup\b/g)]
    .map(([name]) => name)
    .filter((name) => !NOT_OURS.test(name));
}

test('alerts and dashboard ask for what the processes tell', async () => {
  const series = await readSeries();
  const board = JSON.parse(await readFile(path.join(DEPLOY, 'grafana/guise.json'), 'utf8'));
  const queries: string[] = board.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map((target) => target.expr),
  );
  assert.ok(queries.length >= 15);
  for (const { expr } of await readAlerts()) queries.push(expr);
  const unknown = queries.flatMap(seriesIn).filter((name) => !series.has(name));
  assert.deepEqual(unknown, []);
});

test('each alert has a test for what sets it off, and one for what must not', async () => {
  const { tests } = parse(await readFile(path.join(DEPLOY, 'prometheus/alerts.test.yml'), 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const cases = tests.flatMap((each) => each.alert_rule_test);
  for (const { alert } of await readAlerts()) {
    const own = cases.filter(({ alertname }) => alertname === alert);
    assert.ok(
      own.some((each) => each.exp_alerts.length === 0),
      alert,
    );
    assert.ok(
      own.some((each) => each.exp_alerts.length > 0),
      alert,
    );
  }
});

test('the alerts go off when they should, by Prometheus itself', { skip }, () => {
  for (const args of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', '--syntax-only', 'scrape.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: path.join(DEPLOY, 'prometheus'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('the queries of the dashboard are ones of Prometheus', { skip }, async (context) => {
  const board = JSON.parse(await readFile(path.join(DEPLOY, 'grafana/guise.json'), 'utf8'));
  const rules = board.panels.flatMap((panel: { id: number; targets: { refId: string; expr: string }[] }) =>
    panel.targets.map(({ refId, expr }) => ({ record: `panel:${panel.id}:${refId}`, expr })),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-board-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'rules.yml');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
