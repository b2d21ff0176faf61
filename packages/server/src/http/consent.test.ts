/** The operator demands consent, of everybody or of some plans. Withdrawals survive a crash. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { setPlan } from '../accounts/testing/set-plan.ts';
import { createFace } from '../faces/create-face.ts';
import { clearWithdrawn, withdrawFace } from '../faces/withdraw-face.ts';
import { newStorageKey } from '../storage/storage.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

let t: TestApp;
let face: Uint8Array;
before(async () => {
  t = await startTestApp({ GUISE_CONSENT: 'free,pro' });
  ({ face } = await readSampleFaces());
});
after(() => t.close());

type Fields = Record<string, string | Uint8Array>;

async function post(
  { apiKey }: { readonly apiKey: string },
  fields: Fields,
  path = '/api/ai-tasks',
): Promise<{ status: number; body: { taskId: string; field?: string } }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : new Blob([Uint8Array.from(value)]));
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${t.url}${path}`, { method: 'POST', headers, body: form });
  return { status: response.status, body: (await response.json()) as { taskId: string } };
}

async function savedFace(accountId: string): Promise<string> {
  const newFace = { accountId, name: 'Ada', consent: 'Ada agreed.', photos: [], thumbnail: null };
  return (await createFace(t.deps.database, newFace, null)).face.id;
}

const MISSING = {
  error: 'consent is missing: the operator of this service asks who agreed to the use of the face.',
  code: 'CONSENT_REQUIRED',
  field: 'consent',
};

test('accounts of these plans must send consent, on both interfaces; a quote asks for it, too', async () => {
  const account = await t.newKey();
  const fields = { sourceImage: face, targetImage: face };
  assert.equal((await post(account, fields)).status, 200, 'enterprise is not asked');
  await setPlan(t.deps.database, account.accountId, 'pro');
  for (const path of ['/api/ai-tasks', '/api/ai-tasks?dryRun=true'])
    assert.deepEqual(await post(account, fields, path), { status: 400, body: MISSING });
  const accepted = await post(account, { ...fields, consent: 'Bob said yes.' });
  assert.equal(accepted.status, 200);
  const { rows } = await t.deps.database.pool.query('select parameters from tasks where id = $1', [
    accepted.body.taskId,
  ]);
  assert.equal(rows[0].parameters.consent, 'Bob said yes.');

  const image = `data:image/jpeg;base64,${Buffer.from(face).toString('base64')}`;
  const v1 = await fetch(`${t.url}/v1/batch-swap`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source_image: image, target_images: [image] }),
  });
  const refused = (await v1.json()) as { error: string; message: string; field: string };
  assert.deepEqual([v1.status, refused.error, refused.field], [400, MISSING.code, MISSING.field]);
});

test('a withdrawal that died is finished by a worker', async () => {
  const account = await t.newKey();
  const { pool } = t.deps.database;
  const id = await savedFace(account.accountId);
  const { body } = await post(account, { sourceImage: face, targetImage: face });
  await pool.query('insert into task_faces (task_id, face_id) values ($1, $2)', [body.taskId, id]);
  const statusOf = async (): Promise<unknown> =>
    (await pool.query('select status, error_code from tasks where id = $1', [body.taskId])).rows[0];
  const deps = { database: t.deps.database, storage: t.deps.storage };
  assert.deepEqual(await clearWithdrawn(deps), { endedTasks: 0, deletedOutputs: 0 });
  assert.deepEqual(await statusOf(), { status: 'PENDING', error_code: null });
  // As far as a process came that died after its first commit.
  await pool.query('update faces set withdrawn_at = now() where id = $1', [id]);
  assert.deepEqual(await clearWithdrawn(deps), { endedTasks: 0, deletedOutputs: 0 }, 'it may live');
  await pool.query(`update faces set withdrawn_at = now() - interval '2 minutes' where id = $1`, [id]);
  assert.deepEqual(await clearWithdrawn(deps), { endedTasks: 1, deletedOutputs: 0 });
  assert.deepEqual(await statusOf(), { status: 'FAILED', error_code: 'FACE_WITHDRAWN' });
  const held = await pool.query('select credits_held from accounts where id = $1', [account.accountId]);
  assert.equal(Number(held.rows[0].credits_held), 0);
  assert.deepEqual(await withdrawFace(deps, id), { endedTasks: 0, deletedOutputs: 0 });
});

test('a task that begins while its face is withdrawn either fails or never begins', async () => {
  const account = await t.newKey();
  const { pool } = t.deps.database;
  const key = newStorageKey('input', 'jpg');
  await pool.query(
    `insert into objects (key, kind, account_id, delete_after) values ($1, 'input', $2, 'infinity')`,
    [key, account.accountId],
  );
  await t.deps.storage.put(key, await localCopy());
  const facts = {
    fileName: 'a.jpg',
    contentType: 'image/jpeg',
    sizeBytes: face.length,
    sha256: '',
    width: 256,
    height: 256,
  };
  const photos = [{ field: 'photos[0]', objectKey: key, ...facts }];
  const newFace = { accountId: account.accountId, name: 'Ada', consent: 'Yes.', photos, thumbnail: null };
  const { face: saved } = await createFace(t.deps.database, newFace, null);
  const posts = Array.from({ length: 6 }, () => post(account, { sourceFaceId: saved.id, targetImage: face }));
  const withdrawal = withdrawFace({ database: t.deps.database, storage: t.deps.storage }, saved.id);
  const answers = await Promise.all(posts);
  await withdrawal;
  for (const { status, body } of answers)
    assert.ok(status === 200 || (status === 400 && body.field === 'sourceFaceId'), JSON.stringify(body));
  const { rows } = await pool.query('select status from tasks where account_id = $1', [account.accountId]);
  assert.ok(
    rows.every(({ status }) => status === 'FAILED'),
    JSON.stringify(rows),
  );
  assert.equal(rows.length, answers.filter(({ status }) => status === 200).length);
});

/** Writes the face to a scratch file. */
async function localCopy(): Promise<string> {
  const path = t.deps.storage.scratch.newPath('jpg');
  await writeFile(path, face);
  return path;
}
