import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import {
  loadSigningIdentity,
  serialNumberOf,
  type SigningIdentity,
} from '@guise/media/provenance/signing-identity.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { openNotifications } from '../db/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../db/test-database.ts';
import { followIdentity } from './follow-identity.ts';
import { installationIdentity, rotateSigning } from './installation-signing.ts';
import { readOwnCertificates } from './own-certificates.ts';
import { rotateEncryption } from './rotate-encryption.ts';

const SECRET = 'a secret of at least 32 characters';

let t: TestDatabase;
let root: string;
let replaced: string[];
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await t.db.pool.query('delete from signing_certificates');
  root = await mkdtemp(path.join(tmpdir(), 'guise-signing-'));
  replaced = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A machine of the installation, with a data folder of its own. */
const machine = (name: string, env: NodeJS.ProcessEnv = {}): Config =>
  loadConfig({ GUISE_DATA_DIR: path.join(root, name), ...env });

const start = (config: Config): Promise<SigningIdentity> =>
  installationIdentity(config, t.db.pool, (keptIn) => replaced.push(keptIn));

const serialOf = ({ chain }: SigningIdentity): string => serialNumberOf(chain[0]!);

async function serialsKnown(config: Config, pool = t.db.pool): Promise<string[]> {
  return (await readOwnCertificates(config, pool)).map(({ serialNumber }) => serialNumber).sort();
}

async function storedKey(): Promise<string> {
  const { rows } = await t.db.pool.query('select private_key from signing_certificates where is_current');
  return rows[0].private_key.toString('utf8');
}

test('machines that start at once, each with an empty folder, sign as one', async () => {
  const machines = ['a', 'b', 'c', 'd'].map((name) => machine(name));
  const serials = await Promise.all(machines.map(async (each) => serialOf(await start(each))));
  assert.equal(new Set(serials).size, 1);
  const keys = await Promise.all(
    machines.map(({ dataDir }) => readFile(path.join(dataDir, 'signing/private-key.pem'), 'utf8')),
  );
  assert.equal(new Set(keys).size, 1);
  const { mode } = await stat(path.join(root, 'a/signing/private-key.pem'));
  assert.equal(mode & 0o777, 0o600);
});

test('so do processes that share a folder, also right after a rotation', async () => {
  const shared = machine('shared');
  const startAll = (): Promise<string[]> =>
    Promise.all(Array.from({ length: 4 }, async () => serialOf(await start(shared))));
  const [first, ...others] = await startAll();
  assert.deepEqual(new Set(others), new Set([first]));
  const { serialNumber } = await rotateSigning(shared, t.db.pool);
  assert.deepEqual(new Set(await startAll()), new Set([serialNumber]));
  assert.deepEqual(await readdir(shared.dataDir), ['signing']);
});

test('at an upgrade the key of the first machine becomes the one of all', async () => {
  const first = machine('first');
  const before = await loadSigningIdentity(await ensureSigningFiles(path.join(first.dataDir, 'signing')));
  assert.equal(serialOf(await start(first)), serialOf(before));
  assert.deepEqual(replaced, []);

  const second = machine('second');
  const other = await loadSigningIdentity(await ensureSigningFiles(path.join(second.dataDir, 'signing')));
  assert.equal(serialOf(await start(second)), serialOf(before));
  // What it signed is still recognised, and its key is not thrown away.
  assert.deepEqual(await serialsKnown(first), [serialOf(before), serialOf(other)].sort());
  assert.equal(replaced.length, 1);
  assert.deepEqual((await readdir(replaced[0]!)).sort(), ['certificate-chain.pem', 'private-key.pem']);

  assert.equal(serialOf(await start(second)), serialOf(before));
  assert.equal(replaced.length, 1, 'a start with nothing to do replaces nothing');
});

test('a machine that lost its folder gets it back', async () => {
  const config = machine('a');
  const before = serialOf(await start(config));
  await rm(path.join(config.dataDir, 'signing'), { recursive: true });
  assert.equal(serialOf(await start(config)), before);
});

test('after a rotation a new certificate signs, and the one before is recognised everywhere', async () => {
  const [a, b] = [machine('a'), machine('b')];
  const before = serialOf(await start(a));
  const { serialNumber } = await rotateSigning(a, t.db.pool);
  assert.notEqual(serialNumber, before);
  for (const each of [a, b]) assert.equal(serialOf(await start(each)), serialNumber);
  assert.deepEqual(replaced, []);
  assert.deepEqual(await readdir(a.dataDir), ['signing'], 'nothing is left of the key');
  const both = [before, serialNumber].sort();
  assert.deepEqual(await serialsKnown(b), both);
  // By its own copy alone, as a command without a database does.
  const own = await readOwnCertificates(b, null);
  assert.deepEqual(own.map((each) => each.serialNumber).sort(), both);
  const { rows } = await t.db.pool.query('select private_key from signing_certificates where not is_current');
  assert.deepEqual(rows, [{ private_key: null }]);
});

test("the operator's own certificate signs where it is named, and stays known when it no longer is", async () => {
  const files = await ensureSigningFiles(path.join(root, 'own'));
  const env = { GUISE_SIGNING_CERTIFICATE: files.certificatePath, GUISE_SIGNING_KEY: files.keyPath };
  const named = machine('a', env);
  const own = serialOf(await start(named));
  assert.equal(own, serialOf(await loadSigningIdentity(files)));
  await assert.rejects(rotateSigning(named, t.db.pool), { name: 'ConfigError' });
  const made = serialOf(await start(machine('a')));
  assert.deepEqual(await serialsKnown(machine('a')), [made, own].sort());
});

test('the key rests encrypted once there is a secret, which every machine then needs', async () => {
  const plain = machine('a');
  const serial = serialOf(await start(plain));
  assert.match(await storedKey(), /PRIVATE KEY/);
  const sealed = machine('a', { GUISE_ENCRYPTION_KEY: SECRET });
  assert.equal(serialOf(await start(sealed)), serial);
  assert.doesNotMatch(await storedKey(), /PRIVATE KEY/);
  assert.equal(serialOf(await start(machine('b', { GUISE_ENCRYPTION_KEY: SECRET }))), serial);
  await assert.rejects(start(plain), {
    name: 'ConfigError',
    message: /^GUISE_ENCRYPTION_KEY must be set: /,
  });
  await assert.rejects(start(machine('a', { GUISE_ENCRYPTION_KEY: `another ${SECRET}` })), {
    name: 'ConfigError',
    message: /^GUISE_ENCRYPTION_KEY is not the one /,
  });
  await rotateSigning(sealed, t.db.pool);
  assert.doesNotMatch(await storedKey(), /PRIVATE KEY/);
});

test('the secret is rotated machine by machine, and none is refused on the way', async () => {
  const next = `another ${SECRET}`;
  const old = machine('old', { GUISE_ENCRYPTION_KEY: SECRET });
  const both = machine('both', { GUISE_ENCRYPTION_KEY: next, GUISE_PREVIOUS_ENCRYPTION_KEY: SECRET });
  const serial = serialOf(await start(old));
  // Step one: machines are restarted one by one; the others start as before.
  for (const each of [both, old]) assert.equal(serialOf(await start(each)), serial);
  // Step two, and a machine that is restarted before the old secret is taken from its settings.
  assert.equal(await rotateEncryption(both, t.db.pool), true);
  for (const each of [both, machine('new', { GUISE_ENCRYPTION_KEY: next })]) {
    assert.equal(serialOf(await start(each)), serial);
  }
  assert.equal(await rotateEncryption(both, t.db.pool), true, 'twice does no harm');
  await assert.rejects(start(old), { name: 'ConfigError', message: /is not the one/ });
  await assert.rejects(rotateEncryption(old, t.db.pool), { name: 'ConfigError', message: /is not the one/ });
  await assert.rejects(rotateEncryption(machine('plain'), t.db.pool), {
    name: 'ConfigError',
    message: /^GUISE_ENCRYPTION_KEY must be set/,
  });
});

test('a secret before the one in use is refused alone, or too short', () => {
  assert.throws(() => machine('a', { GUISE_PREVIOUS_ENCRYPTION_KEY: SECRET }), {
    message: 'GUISE_ENCRYPTION_KEY must be set, because GUISE_PREVIOUS_ENCRYPTION_KEY is set',
  });
  const env = { GUISE_ENCRYPTION_KEY: SECRET, GUISE_PREVIOUS_ENCRYPTION_KEY: 'hunter2' };
  assert.throws(() => machine('a', env), {
    message: 'GUISE_PREVIOUS_ENCRYPTION_KEY must have 32 characters or more',
  });
});

test('a secret that is too short is refused without being shown', () => {
  assert.throws(() => machine('a', { GUISE_ENCRYPTION_KEY: 'hunter2' }), {
    name: 'ConfigError',
    message: 'GUISE_ENCRYPTION_KEY must have 32 characters or more',
  });
});

test('a folder that was damaged is repaired from the database', async () => {
  const config = machine('a');
  const before = serialOf(await start(config));
  await writeFile(path.join(config.dataDir, 'signing/private-key.pem'), 'nonsense');
  assert.equal(serialOf(await start(config)), before);
});

test('a running machine signs with the new key once told of a rotation, with the old one where it cannot', async (context) => {
  const config = machine('running');
  const identity = await start(config);
  const notifications = openNotifications(t.url);
  const changes = new EventEmitter();
  const following = followIdentity({
    config,
    pool: t.db.pool,
    notifications,
    identity,
    onChanged: (changed) => changes.emit('changed', changed),
    // Told of below, and there looked at.
    onError: () => {},
  });
  context.after(async () => {
    following.close();
    await notifications.close();
  });
  await notifications.connected;
  await following.look();
  const changed = once(changes, 'changed', { signal: AbortSignal.timeout(60_000) });
  const { serialNumber } = await rotateSigning(machine('elsewhere'), t.db.pool);
  const [next] = (await changed) as [SigningIdentity];
  assert.equal(serialOf(next), serialNumber);
  assert.notEqual(serialOf(identity), serialNumber);

  // It is encrypted from now on, with a secret that this process was not started with.
  await rotateSigning(machine('later', { GUISE_ENCRYPTION_KEY: SECRET }), t.db.pool);
  await assert.rejects(following.look(), {
    name: 'ConfigError',
    message: /GUISE_ENCRYPTION_KEY must be set/,
  });
});
