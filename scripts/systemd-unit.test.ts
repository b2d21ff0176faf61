import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/**
 * Greatest exposure by `systemd-analyze security`, 0 to 10. The unit had 2.8 at first; one without
 * a sandbox has 9.6.
 */
const MAX_EXPOSURE = 3;

test(
  'the unit for systemd has no mistake, and a sandbox',
  { skip: !hasSystemd && 'systemd is not installed' },
  async (context) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'guise-unit-'));
    context.after(() => rm(folder, { recursive: true }));
    const unit = path.join(folder, 'guise.service');
    const text = await readFile(path.join(import.meta.dirname, '../deploy/systemd/guise.service'), 'utf8');
    // Node may lie elsewhere here.
    await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
    const verified = analyze('verify');
    assert.deepEqual([verified.status, verified.stdout], [0, ''], verified.stderr);
    assert.ok(!verified.stderr.includes('guise.service'), verified.stderr);
    const { stdout } = analyze('security', '--offline=true', '--no-pager');
    const exposure = Number(/exposure level for guise\.service: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(exposure <= MAX_EXPOSURE, stdout);
  },
);
