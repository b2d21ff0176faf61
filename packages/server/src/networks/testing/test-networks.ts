import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HeldNetworks } from '../held-networks.ts';
import { NetworkStore } from '../network-store.ts';

/**
 * Opens the networks in a folder, for a worker of a test. Default: a folder that does not exist.
 */
export function heldNetworks(folder = path.join(tmpdir(), 'guise-no-networks')): HeldNetworks {
  return new HeldNetworks({
    store: new NetworkStore(folder),
    findProviders: async () => ['cpu'],
    onFound: () => {},
    onUnusable: assert.ifError,
    onUnreadable: assert.ifError,
  });
}
