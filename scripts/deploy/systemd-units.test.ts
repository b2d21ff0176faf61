import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const UNITS = path.join(import.meta.dirname, '../../deploy/systemd');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/** Most memory that each unit may take: a share of the machine where engines run. */
const MAX_MEMORY = { 'guise.service': '80%', 'guise-worker.service': '80%', 'guise-api.service': '1G' };
/**
 * Greatest exposure by `systemd-analyze security`, 0 to 10, of each unit. What opens strangers'
 * files starts as root to give rights away; one without a sandbox has 9.6.
 */
const MAX_EXPOSURE = { 'guise.service': 3, 'guise-worker.service': 3, 'guise-api.service': 1.5 };

for (const [name, maxExposure] of Object.entries(MAX_EXPOSURE)) {
  test(
    `${name} has no mistake, and a sandbox`,
    { skip: !hasSystemd && 'systemd is not installed' },
    async (context) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'guise-unit-'));
      context.after(() => rm(folder, { recursive: true }));
      const unit = path.join(folder, name);
      const text = await readFile(path.join(UNITS, name), 'utf8');
      // Node may lie elsewhere here.
      await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
      const analyze = (...args: string[]) =>
        spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
      const verified = analyze('verify');
      assert.deepEqual([verified.status, verified.stdout], [0, ''], verified.stderr);
      assert.ok(!verified.stderr.includes(name), verified.stderr);
      const { stdout } = analyze('security', '--offline=true', '--no-pager');
      const exposure = Number(/exposure level for guise\S*\.service: ([\d.]+)/.exec(stdout)?.[1]);
      assert.ok(exposure <= maxExposure, stdout);
    },
  );
}

for (const [name, maxMemory] of Object.entries(MAX_MEMORY)) {
  test(`${name} leaves memory and processes to the rest of the machine`, async () => {
    const text = await readFile(path.join(UNITS, name), 'utf8');
    assert.equal(/^MemoryMax=(.+)$/m.exec(text)?.[1], maxMemory);
    assert.match(text, /^TasksMax=\d+$/m);
  });
}
