import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { prepareSigning } from './prepare-signing.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-signing-'));
after(() => rm(dir, { recursive: true, force: true }));
const inDir = (name: string): string => path.join(dir, name);
const own = await ensureSigningFiles(inDir('own'));
await writeFile(inDir('nonsense.pem'), 'nonsense');

function config(dataDir: string, certificate = '', key = ''): Config {
  return loadConfig({
    GUISE_DATA_DIR: inDir(dataDir),
    GUISE_SIGNING_CERTIFICATE: certificate,
    GUISE_SIGNING_KEY: key,
  });
}

test('the first start makes a certificate in the data directory, whose key is for the owner only', async () => {
  const made = await prepareSigning(config('first'));
  assert.equal(made.certificatePath.startsWith(inDir('first/signing')), true);
  assert.equal((await stat(made.keyPath)).mode & 0o777, 0o600);
  assert.deepEqual(await prepareSigning(config('first')), made);
});

test("the operator's own certificate is used where it is named, and none is made", async () => {
  const used = await prepareSigning(config('replaced', own.certificatePath, own.keyPath));
  assert.deepEqual(used, own);
  await assert.rejects(stat(inDir('replaced')), { code: 'ENOENT' });
});

test('a certificate or key that cannot be used is refused by the name of its variable', async () => {
  const other = await ensureSigningFiles(inDir('other'));
  const cases: [certificate: string, key: string, reason: RegExp][] = [
    [
      inDir('absent.pem'),
      own.keyPath,
      /^GUISE_SIGNING_CERTIFICATE cannot be used: .*absent\.pem cannot be read/,
    ],
    [
      inDir('nonsense.pem'),
      own.keyPath,
      /^GUISE_SIGNING_CERTIFICATE cannot be used: .* no certificate in PEM/,
    ],
    [
      own.certificatePath,
      inDir('nonsense.pem'),
      /^GUISE_SIGNING_KEY cannot be used: .* no private key in PEM/,
    ],
    [own.certificatePath, other.keyPath, /^GUISE_SIGNING_KEY cannot be used: .* does not belong to/],
  ];
  for (const [certificate, key, message] of cases) {
    await assert.rejects(prepareSigning(config('unused', certificate, key)), {
      name: 'ConfigError',
      message,
    });
  }
});

test('a certificate without its key is refused, and a key without its certificate', () => {
  assert.throws(() => config('unused', own.certificatePath), {
    name: 'ConfigError',
    message: /^GUISE_SIGNING_KEY /,
  });
  assert.throws(() => config('unused', '', own.keyPath), {
    name: 'ConfigError',
    message: /^GUISE_SIGNING_CERTIFICATE /,
  });
});

test('a damaged certificate of our own making is refused with the way out of it', async () => {
  const { certificatePath } = await prepareSigning(config('damaged'));
  await writeFile(certificatePath, 'nonsense');
  await assert.rejects(prepareSigning(config('damaged')), {
    name: 'ConfigError',
    message:
      /^GUISE_DATA_DIR holds .* Move the folder .*signing away: the next start then takes the certificate from the database, or makes a new one\.$/,
  });
});
