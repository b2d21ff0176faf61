import { after } from 'node:test';
import type { Plan } from '@guise/contract/plans.ts';
import sharp from 'sharp';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { makeDataDir, removeDataDir, startService, type TestAccount } from '../service.ts';
import { type Answer, Client, type Fields, photo } from './client.ts';

/**
 * What the tests of the still workflows share: a service of their own, pictures, and a client that
 * may do anything.
 */

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const MIB = 1024 * 1024;

export const { face, body } = await readSampleFaces();
export const target = await sharp(face).png().toBuffer();
export const noFace = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
  .png()
  .toBuffer();

const dataDir = await makeDataDir();
export const service = await startService({ dataDir });
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
});

let accounts = 0;
export async function newClient(
  options: { plan?: Plan; credits?: number; unverified?: boolean } = {},
): Promise<Client> {
  return new Client(service.url, await newAccount(options));
}
export function newAccount(
  options: { plan?: Plan; credits?: number; unverified?: boolean } = {},
): Promise<TestAccount> {
  return service.createAccount({ email: `photo-${accounts++}@example.com`, plan: 'enterprise', ...options });
}

export const client = await newClient({ credits: 3000 });
export const right = photo(face, target);
export const without = (name: string): Fields => right.filter(([field]) => field !== name);

export function postBody(type: string, content: string): Promise<Answer> {
  return client.call('POST', '/api/ai-tasks', { body: content, headers: { 'content-type': type } });
}

/** A PNG of exactly `sizeBytes`: what follows the last chunk is no part of the image. */
export function padded(sizeBytes: number): Buffer {
  return Buffer.concat([target, Buffer.alloc(sizeBytes - target.length)]);
}
