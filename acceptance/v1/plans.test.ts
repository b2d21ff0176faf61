import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { after, test } from 'node:test';
import { clearOfMidnight } from '@guise/server/accounts/testing/clear-of-midnight.ts';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { type Answer, assertV1Error } from './client.ts';
import { newClient, service, source, target, webUrl } from './setup.ts';

/** Rates by plan (docs/spec/details#rates, docs/spec/v1#limits). */

const root = path.resolve(import.meta.dirname, '../..');
const { url: databaseUrl } = await openEmbedded(service.dataDir, { role: 'visitor' });
const database = openDatabase(databaseUrl, { poolSize: 1 });
after(() => database.close());

/** Another API process on the same database. @returns its URL. */
async function secondApi(): Promise<string> {
  const child = spawn(
    process.execPath,
    [path.join(root, 'launch.cjs'), path.join(root, 'packages/server/src/main/server.ts')],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        GUISE_DATA_DIR: service.dataDir,
        HOST: '127.0.0.1',
        PORT: '0',
      },
    },
  );
  after(() => child.kill());
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    const url = /Server listening at (http:\/\/[\d.]+:\d+)\D/.exec(output)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error(`the second API process ended: ${output}`);
}

const statuses = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

test('of 200 parallel requests over two API processes exactly 60 pass on the pro plan', async () => {
  const here = await newClient({ plan: 'pro' });
  const there = here.at(await secondApi());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? here : there).status('job_x')),
  );
  assert.deepEqual(statuses(answers), { 404: 60, 429: 140 });
});

test('the hundredth request of a UTC day passes on the free plan, the next is 429', async () => {
  await clearOfMidnight();
  const free = await newClient({ plan: 'free' });
  assert.equal((await free.status('job_x')).status, 404);
  const { rowCount } = await database.pool.query(
    `update request_windows set day_requests = 99 where account_id = $1 and bucket = 'v1'`,
    [free.accountId],
  );
  assert.equal(rowCount, 1);
  assert.equal((await free.status('job_x')).status, 404);
  const refused = await free.status('job_x');
  const reset_seconds = Number(refused.headers.get('retry-after'));
  assertV1Error(refused, 429, 'RATE_LIMITED', /100/, { limit: 100, reset_seconds });
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  assert.ok(Math.abs(reset_seconds - (midnight - Date.now()) / 1000) < 120, String(reset_seconds));
});

test('an enterprise account with an allowlist is served from there only', async () => {
  const fenced = await newClient();
  await service.guise(
    'account',
    'allowlist',
    '--email',
    fenced.email,
    '--set',
    '203.0.113.0/24,2001:db8::/32',
  );
  assertV1Error(await fenced.status('job_x'), 403, 'IP_NOT_ALLOWED', /address/);
  const image = { source_image: source, target_image: target };
  assertV1Error(await fenced.post('image-swap', image), 403, 'IP_NOT_ALLOWED', /address/);
  await service.guise('account', 'allowlist', '--email', fenced.email, '--set', '203.0.113.0/24,127.0.0.0/8');
  assert.equal((await fenced.status('job_x')).status, 404);
});

/**
 * Makes a batch whose targets are URLs. Each is fetched only in its turn, so the batch can be
 * cancelled before.
 */
function batchOf(count: number): object {
  return {
    source_image: source,
    target_images: Array.from({ length: count }, (_, index) => `${webUrl}/nowhere/${index}`),
  };
}

for (const { plan, most } of [
  { plan: 'free', most: 10 },
  { plan: 'pro', most: 50 },
  { plan: 'enterprise', most: 100 },
] as const)
  test(`a batch on the ${plan} plan has at most ${most} images`, async () => {
    const account = await newClient({ plan });
    const above = await account.post('batch-swap', batchOf(most + 1));
    const refusal = new RegExp(`^target_images has more than ${most} images`);
    assertV1Error(above, 400, 'BATCH_TOO_LARGE', refusal, { limit: most });
    const accepted = await account.post('batch-swap', batchOf(most));
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    assert.equal(accepted.body.total_images, most);
    assert.equal((await account.cancel(accepted.body.job_id)).status, 200);
  });

test('of eight batches at once five are taken on the pro plan', async () => {
  const pro = await newClient({ plan: 'pro' });
  const batch = { source_image: source, target_images: [`${webUrl}/never`] };
  const answers = await Promise.all(Array.from({ length: 8 }, () => pro.post('batch-swap', batch)));
  assert.deepEqual(statuses(answers), { 202: 5, 429: 3 });
  const refused = answers.find(({ status }) => status === 429)!;
  assertV1Error(refused, 429, 'CONCURRENT_BATCH_LIMIT', /5 batches/, { limit: 5, reset_seconds: 30 });
  const taken = answers.filter(({ status }) => status === 202).map(({ body }) => body.job_id);
  assert.equal((await pro.cancel(taken[0])).status, 200);
  assert.equal((await pro.post('batch-swap', batch)).status, 202);
});
