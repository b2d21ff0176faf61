import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProtocolName } from '@guise/engine/networks/protocols.ts';
import { type Effect, testNetwork } from '@guise/engine/networks/testing/test-networks.ts';
import type { Service } from './service.ts';

/** Adds a network named `tint` beside a running service, as its operator would. */
export async function addTint(service: Service, effect: Effect = 'tint'): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guise-own-networks-'));
  const add = async (id: string, protocol: ProtocolName): Promise<void> => {
    const file = path.join(folder, `${id}.onnx`);
    await writeFile(file, testNetwork(protocol, effect));
    await service.guise('models', 'add', file, '--name', id, '--i-have-the-right-to-use-it');
  };
  try {
    await add('arcface', 'arcface');
    await add('tint', 'hyperswap');
  } finally {
    await rm(folder, { recursive: true });
  }
}
