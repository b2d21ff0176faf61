import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

const SCRIPT = path.join(import.meta.dirname, 'check-commits.ts');
const hasGit = spawnSync('git', ['--version']).status === 0;

describe('npm run check:commits', { skip: hasGit ? false : 'needs git' }, () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'guise-commits-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Makes a repository with an old message, the check itself, and nothing after it. */
  function newRepository(name: string): string {
    const cwd = path.join(folder, name);
    mkdirSync(path.join(cwd, 'scripts'), { recursive: true });
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    commit(cwd, 'Whatever');
    writeFileSync(path.join(cwd, 'scripts/check-commits.ts'), '');
    git(cwd, 'add', '.');
    commit(cwd, 'Introduces the check');
    return cwd;
  }

  it('checks what came after the check, and nothing before', () => {
    const cwd = newRepository('after');
    assert.equal(run(cwd).status, 0);
    commit(cwd, 'worker: faster\n\nIt was slow.');
    assert.match(run(cwd).output, /1 checked, 0 complaints/);
    commit(cwd, 'Faster still');
    assert.equal(run(cwd).status, 1);
  });

  it('lets an older branch be that is merged later', () => {
    const cwd = newRepository('merged');
    git(cwd, 'checkout', '--quiet', '-b', 'old', 'HEAD~1');
    commit(cwd, 'Old work');
    git(cwd, 'checkout', '--quiet', 'main');
    git(cwd, 'merge', '--quiet', '--no-ff', '--message', 'Merge branch old', 'old');
    assert.match(run(cwd).output, /0 checked, 0 complaints/);
    assert.equal(run(cwd).status, 0);
  });

  it('checks a shallow clone as far as it reaches', () => {
    const cwd = newRepository('deep');
    commit(cwd, 'worker: faster\n\nIt was slow.');
    commit(cwd, 'Faster still');
    for (const [depth, status] of [
      [1, 0],
      [2, 1],
    ] as const) {
      const clone = path.join(folder, `shallow-${depth}`);
      git(folder, 'clone', '--quiet', `--depth=${depth}`, `file://${cwd}`, clone);
      assert.equal(run(clone).status, status);
    }
  });

  it('passes outside of a repository and without git', () => {
    const bare = path.join(folder, 'bare');
    mkdirSync(bare);
    const ceiling = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
    assert.deepEqual(run(bare, ceiling), { status: 0, output: 'commits: no history here to check\n' });
    assert.deepEqual(run(newRepository('gitless'), { PATH: bare }), {
      status: 0,
      output: 'commits: no history here to check\n',
    });
  });
});

function git(cwd: string, ...args: string[]): void {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.org',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
}

function commit(cwd: string, message: string): void {
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', message);
}

function run(cwd: string, env = process.env): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
