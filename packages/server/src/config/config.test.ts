import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from './config.ts';
import { VARIABLES } from './variables.ts';

test('there is an engine slot for each core beside the one kept for short work, unless the operator says otherwise', () => {
  assert.equal(loadConfig({}).engineSlots, availableParallelism() + 1);
  assert.equal(loadConfig({ GUISE_ENGINE_SLOTS: '2' }).engineSlots, 2);
  for (const tooFew of ['0', '1', '-3', '2.5', 'many']) {
    assert.throws(() => loadConfig({ GUISE_ENGINE_SLOTS: tooFew }), {
      name: 'ConfigError',
      message: `GUISE_ENGINE_SLOTS must be a whole number from 2 to 256, not "${tooFew}"`,
    });
  }
});

test('media and webhook URLs lead to public addresses only, unless the operator says otherwise', () => {
  assert.equal(loadConfig({}).allowPrivateUrls, false);
  assert.equal(loadConfig({ GUISE_ALLOW_PRIVATE_URLS: '1' }).allowPrivateUrls, true);
  assert.throws(() => loadConfig({ GUISE_ALLOW_PRIVATE_URLS: 'yes' }), { name: 'ConfigError' });
});

test('moderation is asked at an address of the operator, with a secret, or not at all', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const both = { GUISE_MODERATION_URL: 'http://10.0.0.7:8080/ask/', GUISE_MODERATION_SECRET: secret };
  assert.equal(loadConfig({}).moderation, null);
  const url = 'http://10.0.0.7:8080/ask/';
  const moderation = { url, secret, timeoutMs: 10_000, onTimeout: 'block' };
  assert.deepEqual(loadConfig(both).moderation, moderation);
  const others = { GUISE_MODERATION_TIMEOUT_SECONDS: '60', GUISE_MODERATION_ON_TIMEOUT: 'allow' };
  const changed = { ...moderation, timeoutMs: 60_000, onTimeout: 'allow' };
  assert.deepEqual(loadConfig({ ...both, ...others }).moderation, changed);
  const urlRule = 'GUISE_MODERATION_URL must be an http or https URL without a user name and password';
  const secretRule = 'GUISE_MODERATION_SECRET must be `whsec_` and 24 to 64 random bytes in base64';
  const refused: [NodeJS.ProcessEnv, string][] = [
    [
      { ...both, GUISE_MODERATION_SECRET: '' },
      'GUISE_MODERATION_SECRET must be set, because GUISE_MODERATION_URL is set',
    ],
    [
      { ...both, GUISE_MODERATION_URL: '' },
      'GUISE_MODERATION_URL must be set, because GUISE_MODERATION_SECRET is set',
    ],
    [{ ...both, GUISE_MODERATION_URL: 'ftp://example.com' }, urlRule],
    [{ ...both, GUISE_MODERATION_URL: 'https://me:pass@example.com' }, urlRule],
    [{ ...both, GUISE_MODERATION_SECRET: 'geheim' }, secretRule],
    [{ ...both, GUISE_MODERATION_SECRET: 'whsec_c2hvcnQ=' }, secretRule],
    [{ ...both, GUISE_MODERATION_SECRET: `${secret}=` }, secretRule],
    [
      { ...both, GUISE_MODERATION_TIMEOUT_SECONDS: '61' },
      'GUISE_MODERATION_TIMEOUT_SECONDS must be a whole number from 1 to 60, not "61"',
    ],
  ];
  for (const [env, message] of refused)
    assert.throws(() => loadConfig(env), { name: 'ConfigError', message });
});

test('media rest in a bucket where all that it takes is named, on the disk where nothing is', () => {
  const keys = { GUISE_S3_ACCESS_KEY_ID: 'id', GUISE_S3_SECRET_ACCESS_KEY: 'secret' };
  const bucket = { ...keys, GUISE_S3_BUCKET: 'my-media' };
  assert.equal(loadConfig({}).s3, null);
  assert.deepEqual(loadConfig(bucket).s3, {
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    bucket: 'my-media',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  assert.equal(
    loadConfig({ ...bucket, GUISE_S3_REGION: '' }).s3?.region,
    'us-east-1',
    'empty is as good as not set',
  );
  assert.equal(loadConfig({ GUISE_S3_BUCKET: 'my-media' }).s3?.credentials, null, 'the machine has a role');
  const elsewhere = { ...bucket, GUISE_S3_REGION: 'eu-1', GUISE_S3_ENDPOINT: 'http://127.0.0.1:9000/' };
  const { endpoint, region } = loadConfig(elsewhere).s3!;
  assert.deepEqual([endpoint, region], ['http://127.0.0.1:9000', 'eu-1']);
  const refused: [NodeJS.ProcessEnv, string][] = [
    [keys, 'GUISE_S3_BUCKET must be set, because GUISE_S3_ACCESS_KEY_ID is set'],
    [{ GUISE_S3_ENDPOINT: 'http://x' }, 'GUISE_S3_BUCKET must be set, because GUISE_S3_ENDPOINT is set'],
    [
      { GUISE_S3_BUCKET: 'my-media', GUISE_S3_ACCESS_KEY_ID: 'id' },
      'GUISE_S3_ACCESS_KEY_ID and GUISE_S3_SECRET_ACCESS_KEY must be set together',
    ],
    [{ ...bucket, GUISE_S3_ENDPOINT: 'minio:9000' }, 'GUISE_S3_ENDPOINT must be an http or https URL'],
    [
      { ...bucket, GUISE_S3_BUCKET: 'My Media' },
      'GUISE_S3_BUCKET must be the name of a bucket: 3 to 63 of a-z, 0-9, "." and "-"',
    ],
  ];
  for (const [env, message] of refused)
    assert.throws(() => loadConfig(env), { name: 'ConfigError', message });
});

test('accounts may pile up what their plan allows, unless the operator says otherwise', () => {
  const GIBIBYTE = 1024 ** 3;
  assert.deepEqual(loadConfig({}).accountLimits.free, { waitingTasks: 1000, keptOutputBytes: 20 * GIBIBYTE });
  assert.equal(loadConfig({}).accountLimits.enterprise.keptOutputBytes, null);
  const { accountLimits } = loadConfig({
    GUISE_MAX_WAITING_TASKS: '7, 0, 9',
    GUISE_MAX_RESULTS_GIB: '0,1,2',
  });
  assert.deepEqual(accountLimits, {
    free: { waitingTasks: 7, keptOutputBytes: null },
    pro: { waitingTasks: null, keptOutputBytes: GIBIBYTE },
    enterprise: { waitingTasks: 9, keptOutputBytes: 2 * GIBIBYTE },
  });
  for (const wrong of ['1,2', '1,2,3,4', '1,2,x', '1,2,-3', '1,2,3.5', 'many']) {
    assert.throws(() => loadConfig({ GUISE_MAX_WAITING_TASKS: wrong }), {
      name: 'ConfigError',
      message: `GUISE_MAX_WAITING_TASKS must be 3 whole numbers, for free, pro, enterprise (0: no limit), not "${wrong}"`,
    });
  }
});

test('behind a pooler a way past it is asked for, and neither is taken without a database', () => {
  const url = 'postgres://me@pooler/guise';
  const direct = 'postgres://me@server/guise';
  const pooled = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, GUISE_DATABASE_POOLED: '1' };
  const { databaseUrl, databaseDirectUrl, isDatabasePooled } = loadConfig(pooled);
  assert.deepEqual([databaseUrl, databaseDirectUrl, isDatabasePooled], [url, direct, true]);
  assert.equal(loadConfig({ DATABASE_URL: url }).isDatabasePooled, false);
  const refusals: [env: NodeJS.ProcessEnv, message: RegExp][] = [
    [
      { ...pooled, DATABASE_DIRECT_URL: '' },
      /^DATABASE_DIRECT_URL must be set, because GUISE_DATABASE_POOLED is set/,
    ],
    [{ GUISE_DATABASE_POOLED: '1' }, /^DATABASE_URL must be set, because GUISE_DATABASE_POOLED is set$/],
    [{ DATABASE_DIRECT_URL: direct }, /^DATABASE_URL must be set, because DATABASE_DIRECT_URL is set$/],
    [{ ...pooled, DATABASE_DIRECT_URL: 'mysql://x' }, /^DATABASE_DIRECT_URL must be a postgres:\/\/ URL$/],
    [{ ...pooled, GUISE_DATABASE_POOLED: 'yes' }, /^GUISE_DATABASE_POOLED must be one of 0, 1, not "yes"$/],
  ];
  for (const [env, message] of refusals) {
    assert.throws(() => loadConfig(env), { name: 'ConfigError', message });
  }
});

test('each declared variable is read, and no other one', () => {
  const read = new Set<string>();
  const env = { GUISE_S3_BUCKET: 'my-media', GUISE_WORKER_METRICS_PORT: '1' };
  loadConfig(
    new Proxy<NodeJS.ProcessEnv>(env, {
      get: (target, name: string) => {
        read.add(name);
        return target[name];
      },
    }),
  );
  assert.deepEqual([...read].sort(), Object.keys(VARIABLES).sort());
});
