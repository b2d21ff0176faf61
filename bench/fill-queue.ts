import type { Database } from '@guise/server/db/database.ts';

/**
 * Adds waiting photo tasks of new accounts, as if all accounts had created their tasks at once.
 * @returns ids of the accounts
 */
export async function addWaitingTasks(db: Database, accounts: number, tasksEach: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `with clock as (select virtual_time from queue_lanes where lane = 'short'
     ), a as (
       insert into accounts (email, webhook_secret, credits_available)
       select gen_random_uuid() || '@example.com', 'x', 1000000 from generate_series(1, $1::int) returning id
     ), q as (
       insert into tasks (account_id, interface, type, lane, parameters, work, cost_credits, start_tag)
       select a.id, 'ai-tasks', 'IMAGE_SWAP', 'short', '{"faceRestoreVisibility": 1}', $3, 3, virtual_time + 3 * n
       from clock, generate_series(1, $2::int) n, a
     ) select id from a`,
    [accounts, tasksEach, JSON.stringify(PHOTO)],
  );
  await db.pool.query('vacuum analyze tasks');
  return rows.map(({ id }) => id);
}

/** Adds finished photo tasks of one new account. */
export async function addFinishedTasks(db: Database, tasks: number): Promise<void> {
  await db.pool.query(
    `with a as (
       insert into accounts (email, webhook_secret) values (gen_random_uuid() || '@example.com', 'x') returning id
     )
     insert into tasks
       (account_id, interface, type, lane, status, parameters, work, result, cost_credits, created_at, started_at, completed_at)
     select a.id, 'ai-tasks', 'IMAGE_SWAP', 'short', 'COMPLETED', '{"faceRestoreVisibility": 1}', $2,
       '{"outputs": [], "failures": []}', 3, created_at, created_at, created_at
     from a, generate_series(1, $1::int) n, lateral (select now() - n * interval '1 s' as created_at) as times`,
    [tasks, JSON.stringify(PHOTO)],
  );
  await db.pool.query('vacuum analyze tasks');
}

const input = (field: string): object => ({
  field,
  objectKey: `in/ab/${'0123456789abcdef'.repeat(2)}.jpg`,
  fileName: 'photo.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 250_000,
  sha256: '0123456789abcdef'.repeat(4),
  width: 1200,
  height: 900,
});

/** The work of a photo task. */
const PHOTO = {
  kind: 'swap-image',
  source: input('sourceImage'),
  target: input('targetImage'),
  restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
};
