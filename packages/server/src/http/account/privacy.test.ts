/** What people see and delete of what the service keeps of them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { createAccount } from '../../accounts/create-account.ts';
import { createApiKey } from '../../accounts/api-keys.ts';
import { checkLedger } from '../../credits/check-ledger.ts';
import { createFace } from '../../faces/create-face.ts';
import { createEmailLink } from '../../sign-in/email-links.ts';
import { Browser } from '../testing/browser.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ GUISE_PUBLIC_URL: 'http://guise.test' });
});
after(async () => {
  const wrong = await checkLedger(app.deps.database);
  await app.close();
  assert.deepEqual([...app.laterFailures, ...wrong], []);
});

interface Person {
  readonly id: string;
  readonly apiKey: string;
  readonly browser: Browser;
}

async function person(email: string): Promise<Person> {
  const { database } = app.deps;
  const { id } = await createAccount(database, {
    email,
    plan: 'pro',
    emailVerified: true,
    startingCredits: 100,
  });
  const browser = new Browser(app);
  const link = await createEmailLink(database.pool, 'http://guise.test', {
    accountId: id,
    purpose: 'sign-in',
    email,
  });
  await browser.post('/account/auth/sign-in-link', { token: link.split('#token=')[1] });
  const { secret } = await createApiKey(database.pool, id, 'a program');
  return { id, apiKey: secret, browser };
}

/** Posts a photo, which waits, because there is no worker. */
async function post({ apiKey }: Person, consent: string): Promise<string> {
  const { face } = await readSampleFaces();
  const form = new FormData();
  for (const name of ['sourceImage', 'targetImage'])
    form.set(name, new Blob([Uint8Array.from(face)]), `${name}.jpg`);
  form.set('consent', consent);
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${app.url}/api/ai-tasks`, { method: 'POST', headers, body: form });
  return ((await response.json()) as { taskId: string }).taskId;
}

async function recordsOf({ browser }: Person): Promise<Record<string, unknown>[]> {
  const { status, headers, body } = await browser.get('/account/export');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition')!, /^attachment; filename="guise-export\.jsonl"$/);
  return String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('an export has all that an account holds, nothing of others, and no secret', async () => {
  const ann = await person('ann@example.com');
  const bob = await person('bob@example.com');
  const taskIds = [await post(ann, 'Ann herself.'), await post(ann, 'Ann again.')];
  await post(bob, 'Bob.');
  const face = { accountId: ann.id, name: 'Ann', consent: 'Hers.', photos: [], thumbnail: null };
  await createFace(app.deps.database, face, null);
  const records = await recordsOf(ann);
  const of = (record: string) => records.filter((each) => each.record === record);
  assert.deepEqual([of('account').length, of('account')[0]!.email], [1, 'ann@example.com']);
  assert.deepEqual(
    of('task')
      .map(({ id }) => id)
      .toSorted(),
    taskIds.toSorted(),
  );
  assert.ok(
    of('task').some(({ parameters }) => (parameters as { consent: string }).consent === 'Ann again.'),
  );
  assert.deepEqual([of('face')[0]!.consent, of('key').length >= 1, of('session').length], ['Hers.', true, 1]);
  assert.equal(of('credit').length, 3, 'a grant and two holds');
  const text = JSON.stringify(records);
  for (const secret of ['bob@example.com', 'Bob.', 'whsec_', ann.apiKey, 'objectKey', 'hash'])
    assert.ok(!text.includes(secret), secret);
  assert.equal((await new Browser(app).get('/account/export')).status, 401);
});

test('all files and faces go at once, with a receipt; tasks that wait are cancelled; others keep theirs', async () => {
  const ann = await person('cleo@example.com');
  const bob = await person('dan@example.com');
  const taskId = await post(ann, 'Mine.');
  await post(bob, 'His.');
  const face = { accountId: ann.id, name: 'Cleo', consent: 'Hers.', photos: [], thumbnail: null };
  await createFace(app.deps.database, face, null);
  const files = () =>
    readdirSync(app.mediaDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  const before = files();
  const { status, body } = await ann.browser.delete('/account/files');
  assert.equal(status, 200, JSON.stringify(body));
  const { deletedAt, deletedBytes, ...counts } = body;
  assert.deepEqual(counts, { cancelledTasks: 1, deletedFaces: 1, deletedFiles: 2 });
  assert.ok(deletedBytes > 1000 && Date.parse(deletedAt) <= Date.now());
  assert.equal(files(), before - 2);
  const { rows } = await app.deps.database.pool.query(
    'select status, cost_credits::int as cost from tasks where id = $1',
    [taskId],
  );
  assert.deepEqual(rows[0], { status: 'CANCELLED', cost: 0 });
  const again = await ann.browser.delete('/account/files');
  assert.deepEqual(
    { ...again.body, deletedAt: '' },
    { deletedAt: '', cancelledTasks: 0, deletedFaces: 0, deletedFiles: 0, deletedBytes: 0 },
  );
  assert.equal((await recordsOf(ann)).filter(({ record }) => record === 'task').length, 1);
});
