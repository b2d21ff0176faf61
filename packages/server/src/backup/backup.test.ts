import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createApiKey, hashApiKey, listApiKeys } from '../accounts/api-keys.ts';
import { checkLedger } from '../credits/check-ledger.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openInstallationSecrets, type SecretRing } from '../db/installation-secrets.ts';
import { rotateSecret } from '../db/rotate-secret.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { createFileLinks, type FileLinks } from '../storage/file-links.ts';
import { LocalStorage } from '../storage/local-storage.ts';
import { createTask } from '../tasks/create-task.ts';
import { finishTask } from '../tasks/finish-task.ts';
import { getTask } from '../tasks/get-task.ts';
import { claimTask } from '../tasks/testing/claim-task.ts';
import { newAccount, newOutput, newPhoto, resultWith } from '../tasks/testing/task-fixtures.ts';
import { BackupError } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';
import { newStorageKey } from '../storage/storage.ts';

let t: TestDatabase;
let dir: string;
let storage: LocalStorage;
before(async () => {
  t = await createTestDatabase();
  dir = await mkdtemp(path.join(tmpdir(), 'guise-backup-'));
  storage = await LocalStorage.open(path.join(dir, 'media'));
});
after(async () => {
  await t.close();
  await rm(dir, { recursive: true, force: true });
});

/** A database as an operator makes one: without a table. */
async function bareDatabase(context: TestContext): Promise<Database> {
  const other = await createTestDatabase();
  const name = `guise_bare_${Date.now()}`;
  await other.db.pool.query(`create database ${name}`);
  const url = new URL(other.url);
  url.pathname = `/${name}`;
  const db = openDatabase(url.href, { poolSize: 2 });
  context.after(async () => {
    await db.close();
    await other.db.pool.query(`drop database ${name} with (force)`);
    await other.close();
  });
  return db;
}

/** An account with a key, a finished task and its result's file. */
async function installation() {
  const accountId = await newAccount(t.db, 10);
  const key = await createApiKey(t.db.pool, accountId, 'first');
  const { task } = await createTask(t.db, await newPhoto(t.db, accountId));
  const claimed = await claimTask(t.db, { lanes: ['short'], leaseMs: 600_000 });
  const output = await newOutput(t.db, accountId, claimed!.id);
  const scratch = storage.scratch.newPath('jpg');
  await writeFile(scratch, 'swapped');
  await storage.put(output.objectKey, scratch);
  await finishTask(
    t.db,
    { taskId: claimed!.id, leaseToken: claimed!.leaseToken },
    { status: 'COMPLETED', result: resultWith(output) },
    { inputRetentionMs: 0 },
  );
  return { accountId, key, taskId: task!.id, objectKey: output.objectKey };
}

/** All secrets whose signatures are good, former ones included. */
async function secretsOf({ pool }: Database): Promise<string[]> {
  const secrets = await openInstallationSecrets({ pool, onError: assert.ifError });
  secrets.close();
  const rings: SecretRing[] = [secrets['file-links'], secrets['sign-in'], secrets['known-places']];
  return rings.flatMap((ring) => ring.accepted().map((each) => each.export().toString('hex')));
}

test('a backup restores an account, its key, its tasks, their files and the secrets', async (context) => {
  const own = await installation();
  await rotateSecret(t.db.pool, 'file-links', 86_400_000);
  const secrets = await secretsOf(t.db);
  const folder = path.join(dir, 'first');
  const written = await writeBackup({ db: t.db, storage, dir: folder });
  assert.equal(written.media.files, 1);
  // The uploads of the task: registered by the test, never stored.
  assert.equal(written.media.gone, 2);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);

  const db = await bareDatabase(context);
  const restored = await LocalStorage.open(path.join(dir, 'restored'));
  await restoreBackup({ db, storage: restored, dir: folder, expectedSum: null });
  const keys = await listApiKeys(db, own.accountId);
  assert.deepEqual(keys, await listApiKeys(t.db, own.accountId));
  const hash = await db.pool.query('select 1 from api_keys where hash = $1', [hashApiKey(own.key.secret)]);
  assert.equal(hash.rowCount, 1);
  const address = {
    accountId: own.accountId,
    taskId: own.taskId,
    interface: 'ai-tasks',
    type: 'IMAGE_SWAP',
  } as const;
  assert.deepEqual(await getTask(db, address), await getTask(t.db, address));
  const bytes = await restored.withLocalFile(own.objectKey, (file) => readFile(file, 'utf8'));
  assert.equal(bytes, 'swapped');
  assert.equal(secrets.length, 4, 'three, and the one before');
  assert.deepEqual(await secretsOf(db), secrets);
  assert.deepEqual(await checkLedger(db), []);

  // It goes on: what is numbered is not numbered twice.
  await createTask(db, await newPhoto(db, own.accountId));
  assert.deepEqual(await checkLedger(db), []);
  await assert.rejects(
    restoreBackup({ db, storage: restored, dir: folder, expectedSum: null }),
    /restored into an installation that was never started/,
  );
});

test('a backup beside a service that writes is one instant of it', async (context) => {
  const accountId = await newAccount(t.db, 1_000_000);
  const enough = new AbortController();
  const writing = (async () => {
    while (!enough.signal.aborted) await createTask(t.db, await newPhoto(t.db, accountId));
  })();
  const folder = path.join(dir, 'busy');
  await writeBackup({ db: t.db, storage, dir: folder });
  enough.abort();
  await writing;
  const db = await bareDatabase(context);
  await restoreBackup({
    db,
    storage: await LocalStorage.open(path.join(dir, 'busy-media')),
    dir: folder,
    expectedSum: null,
  });
  // Credits held, entries and tasks agree, which they do in no mixture of two instants.
  assert.deepEqual(await checkLedger(db), []);
});

/** Links as a process signs and checks them that starts on a database now. */
async function linksOf({ pool }: Database): Promise<FileLinks> {
  const secrets = await openInstallationSecrets({ pool, onError: assert.ifError });
  secrets.close();
  return createFileLinks(secrets['file-links'], 'https://guise.example');
}

test('a backup beside rotations honours every link that was good before it', async (context) => {
  const link = (await linksOf(t.db)).sign('out/ab/picture.png', new Date(Date.now() + 3_600_000));
  const enough = new AbortController();
  let rotations = 0;
  const rotating = (async () => {
    for (; !enough.signal.aborted; rotations++) await rotateSecret(t.db.pool, 'file-links', 86_400_000);
  })();
  const folder = path.join(dir, 'rotated');
  await writeBackup({ db: t.db, storage, dir: folder });
  enough.abort();
  await rotating;
  assert.ok(rotations > 0);
  const db = await bareDatabase(context);
  await restoreBackup({
    db,
    storage: await LocalStorage.open(path.join(dir, 'rotated-media')),
    dir: folder,
    expectedSum: null,
  });
  const query = new URL(link).searchParams;
  const restored = await linksOf(db);
  assert.equal(restored.check('out/ab/picture.png', query.get('expires')!, query.get('signature')!), 'good');
  const { rows } = await db.pool.query(
    `select count(distinct secret)::int as different, count(*)::int as secrets from (
       select secret from former_secrets union all select secret from installation_secrets) as all_secrets`,
  );
  assert.equal(rows[0].different, rows[0].secrets, 'none is both the one in use and a former one');
});

test('a folder that is not a complete backup is refused in one sentence, and nothing is restored', async (context) => {
  const folder = path.join(dir, 'damaged');
  await writeBackup({ db: t.db, storage, dir: folder });
  await assert.rejects(writeBackup({ db: t.db, storage, dir: folder }), /is not empty: name a new folder/);
  const manifestFile = path.join(folder, 'manifest.json');
  await assert.rejects(writeBackup({ db: t.db, storage, dir: manifestFile }), /is a file: name a new folder/);

  const db = await bareDatabase(context);
  const media = await LocalStorage.open(path.join(dir, 'damaged-media'));
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  const refused = async (change: object, reason: RegExp): Promise<void> => {
    await writeFile(manifestFile, JSON.stringify({ ...manifest, ...change }));
    await assert.rejects(restoreBackup({ db, storage: media, dir: folder, expectedSum: null }), (error) => {
      assert.ok(error instanceof BackupError);
      assert.match(error.message, reason);
      return true;
    });
  };
  await refused({ format: 2 }, /newer version/);
  await refused({ format: 'old' }, /another form/);
  await refused({ migrations: [...manifest.migrations, '999999_later'] }, /newer version/);
  await refused({ media: { ...manifest.media, kept: 'bucket' } }, /Set GUISE_S3_BUCKET/);
  const sum = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  await writeFile(manifestFile, JSON.stringify({ ...manifest, version: '0.0.1' }));
  await assert.rejects(
    restoreBackup({ db, storage: media, dir: folder, expectedSum: sum }),
    /is not the expected backup/,
  );
  const tasks = path.join(folder, 'database/tasks.copy');
  await writeFile(tasks, `${await readFile(tasks, 'utf8')}\n`);
  await refused({}, /damaged: database\/tasks\.copy/);
  await rm(manifestFile);
  await assert.rejects(
    restoreBackup({ db, storage: media, dir: folder, expectedSum: null }),
    /not a complete backup/,
  );
  const { rows } = await db.pool.query(`select to_regclass('public.accounts') as accounts`);
  assert.equal(rows[0].accounts, null);
});

test('media that were changed, linked or lost are refused, and so are names that are none', async (context) => {
  await installation();
  const folder = path.join(dir, 'changed');
  const { sum, media } = await writeBackup({ db: t.db, storage, dir: folder });
  assert.ok(media.files > 0);
  const list = path.join(folder, 'media.txt');
  const lines = await readFile(list, 'utf8');
  const file = path.join(folder, 'media', lines.split(' ')[0]!);
  const db = await bareDatabase(context);
  let tries = 0;
  const restore = async (expectedSum: string | null): Promise<void> => {
    const into = await LocalStorage.open(path.join(dir, `changed-media-${tries++}`));
    await restoreBackup({ db, storage: into, dir: folder, expectedSum });
  };
  await writeFile(file, 'other');
  await assert.rejects(restore(sum), /damaged: media\/out\/.* is not what was written/);
  const elsewhere = path.join(dir, 'elsewhere');
  await writeFile(elsewhere, 'swapped');
  await rm(file);
  await assert.rejects(restore(sum), /damaged: media\/out\/.* is missing, or is a link/);
  await symlink(elsewhere, file);
  await assert.rejects(restore(sum), /damaged: media\/out\/.* is missing, or is a link/);
  await rm(file);
  await writeFile(file, 'swapped');

  // Whoever can write the sums, too, gets no further than its keys.
  const manifestFile = path.join(folder, 'manifest.json');
  const text = await readFile(manifestFile, 'utf8');
  const signed = async (name: string, from: string, to: string): Promise<void> => {
    const before = await readFile(path.join(folder, name), 'utf8');
    await writeFile(path.join(folder, name), before.replace(from, to));
    const sums = [before, before.replace(from, to)].map((content) =>
      createHash('sha256').update(content).digest('hex'),
    );
    await writeFile(manifestFile, text.replace(sums[0]!, sums[1]!));
  };
  const key = lines.split(' ')[0]!;
  await signed('media.txt', key, '../../../etc/passwd');
  await assert.rejects(restore(null), /damaged: media\.txt names a file that guise never made/);
  await writeFile(list, lines);
  await signed('database/objects.copy', key, '../../../etc/passwd');
  await assert.rejects(restore(null), /damaged: its objects name a file that guise never made/);
  await signed('database/objects.copy', '../../../etc/passwd', key);
  await writeFile(manifestFile, text);
  await restore(sum);
});

test('a folder that others may enter is closed to them', async () => {
  const folder = path.join(dir, 'open');
  await mkdir(folder);
  await chmod(folder, 0o777);
  await writeBackup({ db: t.db, storage, dir: folder });
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test('a backup holds nothing by which a face is known again', async (context) => {
  const accountId = await newAccount(t.db, 10);
  const order = { ...(await newPhoto(t.db, accountId)), type: 'DETECT_FACES', costCredits: 0 } as const;
  const { task: look } = await createTask(t.db, order);
  const { task: film } = await createTask(t.db, await newPhoto(t.db, accountId));
  await t.db.pool.query(`update tasks set result = '{"clipLook":"what was seen"}' where id = $1`, [look!.id]);
  await t.db.pool.query(`update tasks set work = '{"kind":"swap-video"}' where id = $1`, [film!.id]);
  const key = newStorageKey('temporary', 'study');
  const scratch = storage.scratch.newPath('study');
  await writeFile(scratch, 'what was seen');
  await storage.put(key, scratch);
  await t.db.pool.query(
    `insert into objects (key, account_id, task_id, kind, size_bytes, delete_after)
     values ($1, $2, $3, 'temporary', 13, now() + interval '1 hour')`,
    [key, accountId, film!.id],
  );
  await t.db.pool.query(
    `insert into task_parts (task_id, step, position, lane, start_tag, work)
     values ($1, 'study', 0, 'long', 0, '{"seen":"what was seen"}')`,
    [film!.id],
  );
  const folder = path.join(dir, 'faceless');
  await writeBackup({ db: t.db, storage, dir: folder });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    assert.ok(!(await readFile(file, 'latin1')).includes('what was seen'), file);
  }
  const db = await bareDatabase(context);
  const media = await LocalStorage.open(path.join(dir, 'faceless-media'));
  await restoreBackup({ db, storage: media, dir: folder, expectedSum: null });
  const { rows } = await db.pool.query('select result from tasks where id = $1', [look!.id]);
  assert.deepEqual(rows, [{ result: null }]);
});

test('media in a bucket stay there, listed', async () => {
  const folder = path.join(dir, 'bucket');
  const { media } = await writeBackup({ db: t.db, storage: null, dir: folder });
  const listed = (await readFile(path.join(folder, 'media.txt'), 'utf8')).trimEnd().split('\n');
  assert.deepEqual([media.kept, media.files], ['bucket', listed.length]);
  assert.deepEqual((await readdir(folder)).sort(), ['database', 'manifest.json', 'media.txt']);
});
