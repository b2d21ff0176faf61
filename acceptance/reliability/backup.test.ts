import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { Client, photo } from '../ai-tasks/client.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';

const first = await makeDataDir();
const second = await makeDataDir();
after(() => Promise.all([removeDataDir(first), removeDataDir(second)]));

test('a backup of a running service becomes another service that knows account, key, task and result', async () => {
  const { face, body } = await readSampleFaces();
  const folder = path.join(path.dirname(first), 'backup');
  const old = await startService({ dataDir: first });
  const account = await old.createAccount({ email: 'kept@example.com', credits: 30 });
  let done;
  let shown;
  let sum = '';
  try {
    done = await new Client(old.url, account).run(photo(face, body));
    assert.equal(done.status, 'COMPLETED');
    shown = JSON.parse(await old.guise('account', 'show', '--email', 'kept@example.com', '--json'));
    const { rows, media, sum: printed } = JSON.parse(await old.guise('backup', folder, '--json'));
    sum = printed;
    assert.ok(rows > 10);
    assert.equal(media.kept, 'here');
    await assert.rejects(old.guise('backup', folder), /guise: .* is not empty: name a new folder\.\n/);
    // It has accounts, so nothing may be restored over it.
    await assert.rejects(
      old.guise('restore', folder),
      /guise: A backup can only be restored into an installation that/,
    );
  } finally {
    await old.stop();
  }
  await assert.rejects(runRestore(folder, '0'.repeat(64)), /is not the expected backup/);
  await runRestore(folder, sum);
  const restored = await startService({ dataDir: second });
  try {
    // Restored by root, PostgreSQL is still a user of its own.
    if (process.platform === 'linux' && process.getuid?.() === 0) {
      const [pid] = (await readFile(path.join(second, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      assert.notEqual((await stat(`/proc/${pid}`)).uid, 0);
    }
    const client = new Client(restored.url, account);
    const { body: task } = await client.get(done.id);
    // The same links, at another port.
    assert.equal(JSON.stringify(task).replaceAll(restored.url, old.url), JSON.stringify(done));
    const [output] = task.result.outputs;
    const file = await fetch(output.url);
    assert.equal(file.status, 200);
    const again = JSON.parse(
      await restored.guise('account', 'show', '--email', 'kept@example.com', '--json'),
    );
    for (const { keys } of [again, shown]) for (const key of keys) delete key.lastUsedAt;
    assert.deepEqual(again, shown);
    const next = await client.run(photo(face, body));
    assert.equal(next.status, 'COMPLETED');
    // The signature of before is still one of this installation.
    const signed = new FormData();
    signed.append('file', new Blob([await file.arrayBuffer()], { type: output.contentType }), 'a.png');
    const verified = await fetch(`${restored.url}/api/ai-tasks/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}` },
      body: signed,
    });
    assert.equal(verified.status, 200);
    const { credentials } = (await verified.json()) as { credentials: { trusted: boolean } };
    assert.equal(credentials.trusted, true);
  } finally {
    await restored.stop();
  }
});

/** Runs `guise restore` on the second data directory, before its first start. */
async function runRestore(folder: string, sum: string): Promise<void> {
  const command = path.resolve(import.meta.dirname, '../../packages/cli/bin/guise.cjs');
  await promisify(execFile)(process.execPath, [command, 'restore', folder, '--expect', sum], {
    env: { ...process.env, GUISE_DATA_DIR: second },
  });
}
