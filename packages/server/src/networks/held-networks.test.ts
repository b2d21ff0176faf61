import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { ProtocolName } from '@guise/engine/networks/protocols.ts';
import { HeldNetworks } from './held-networks.ts';
import { NetworkStore } from './network-store.ts';

let root: string;
let store: NetworkStore;
let held: HeldNetworks;
let [unusable, found, trials]: [string[], string[], number] = [[], [], 0];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'guise-held-'));
  [store, unusable, found, trials] = [new NetworkStore(path.join(root, 'networks')), [], [], 0];
  held = new HeldNetworks({
    store,
    findProviders: async () => (trials++, ['cuda', 'cpu']),
    onFound: ({ id }) => found.push(id),
    onUnreadable: assert.ifError,
    onUnusable: (_error, id) => unusable.push(id),
  });
});
afterEach(() => rm(root, { recursive: true }));

async function add(id: string, protocol: ProtocolName, content = id, boost?: number): Promise<void> {
  const file = path.join(root, 'file');
  await writeFile(file, content);
  await store.add(await store.copyIn(file), { id, protocol, ...(boost === undefined ? {} : { boost }) });
}

/** Returns the key of a network with these contents. */
async function keyWith(network: string, recogniser: string): Promise<string> {
  await add('arcface', 'arcface', recogniser);
  await add('mine', 'inswapper', network);
  await held.refresh();
  const [key] = held.keys;
  await store.remove('mine');
  await store.remove('arcface');
  return key!;
}

test('networks that draw or improve faces are held, from when they are added until they are removed', async () => {
  await held.refresh();
  assert.deepEqual([held.list, trials], [[], 0]);
  await add('arcface', 'arcface');
  await held.refresh();
  assert.deepEqual([held.list, trials], [[], 0]);
  await add('mine', 'inswapper', 'mine', 2);
  await add('sharp', 'restorer-512');
  await held.refresh();
  const [mine, sharp] = held.list;
  assert.deepEqual(
    { ...mine, key: '' },
    { key: '', id: 'mine', kind: 'swapper', resolution: 256, providers: ['cuda', 'cpu'] },
  );
  assert.deepEqual([sharp?.id, sharp?.kind, sharp?.resolution], ['sharp', 'restorer', 512]);
  assert.match(mine!.key, /^mine@[0-9a-f]{12}$/);
  await held.refresh();
  assert.deepEqual([found, trials], [['arcface', 'mine', 'sharp'], 1]);

  const files = await held.filesOf({ swapper: mine!.key, restorer: sharp!.key });
  assert.equal(files!.swapper!.boost, 2);
  assert.ok(files!.swapper!.recogniser!.startsWith(root));
  assert.equal(files!.restorer!.id, 'sharp');
  assert.deepEqual(files!.providers, ['cuda', 'cpu']);
  assert.equal(await held.filesOf(undefined), undefined);

  await store.remove('mine');
  await held.refresh();
  assert.deepEqual(held.keys, [sharp!.key]);
  await assert.rejects(held.filesOf({ swapper: mine!.key }), {
    code: 'ENGINE_UNAVAILABLE',
    message: 'The engine mine was removed.',
  });
});

test('the same files have the same key, and another file or recogniser has another one', async () => {
  const first = await keyWith('a', 'b');
  assert.equal(await keyWith('a', 'b'), first);
  assert.equal(new Set([first, await keyWith('c', 'b'), await keyWith('a', 'd')]).size, 3);
});

test('a damaged network is reported once, and not held', async () => {
  await add('sharp', 'restorer-512');
  const { sha256 } = await store.find('sharp');
  await appendFile(path.join(root, 'networks/sharp', `${sha256}.onnx`), 'x');
  await held.refresh();
  await held.refresh();
  assert.deepEqual([held.list, unusable], [[], ['sharp']]);
});
