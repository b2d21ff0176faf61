import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from './config.ts';

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
