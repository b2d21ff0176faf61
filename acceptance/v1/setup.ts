import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { after } from 'node:test';
import type { Plan } from '@guise/contract/plans.ts';
import sharp from 'sharp';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { makeDataDir, removeDataDir, startService } from '../service.ts';
import { V1Client } from './client.ts';

/**
 * What the tests of `/v1` share: a service of their own that may fetch from this machine, pictures,
 * and a client.
 */

const { face } = await readSampleFaces();
export const source = Buffer.from(face).toString('base64');
const targetBytes = await sharp(face).png().toBuffer();
export const target = targetBytes.toString('base64');
export const noFace = await still(64, 64);
export const JOB_ID = /^job_[0-9a-f]{32}$/;

/** A plain grey PNG. */
export async function still(width: number, height: number): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  return png.toString('base64');
}

/** A PNG of exactly `sizeBytes`: what follows the last chunk is no part of the image. */
export function padded(sizeBytes: number): string {
  return Buffer.concat([targetBytes, Buffer.alloc(sizeBytes - targetBytes.length)]).toString('base64');
}

const dataDir = await makeDataDir();
export const service = await startService({ dataDir, env: { GUISE_ALLOW_PRIVATE_URLS: '1' } });
after(async () => {
  await service.stop();
  await removeDataDir(dataDir);
});

let accounts = 0;
export async function newClient(
  options: { plan?: Plan; credits?: number; unverified?: boolean } = {},
): Promise<V1Client> {
  const email = `v1-${accounts++}@example.com`;
  return new V1Client(
    service.url,
    await service.createAccount({ email, plan: 'enterprise', credits: 3000, ...options }),
  );
}
export const client = await newClient();

/**
 * A web server with pictures: `/face`; `/never`, which keeps the caller waiting; and `/claims/N`,
 * whose answer says that N bytes come, and `/endless`, which does not say that it has no end. The
 * rest is 404.
 */
const pages: Record<string, Buffer> = { '/face': Buffer.from(face), '/text': Buffer.from('not a picture') };
const web = createServer((request, response) => {
  if (request.url === '/never') return;
  const claimed = /^\/claims\/(\d+)$/.exec(request.url!)?.[1];
  if (claimed !== undefined) {
    response.writeHead(200, { 'content-length': claimed }).flushHeaders();
    return;
  }
  if (request.url === '/endless') {
    pipeline(Readable.from(endless()), response.writeHead(200), () => {});
    return;
  }
  const page = pages[request.url!];
  response.writeHead(page === undefined ? 404 : 200).end(page);
});
function* endless(): Iterable<Buffer> {
  const mebibyte = Buffer.alloc(1024 * 1024);
  while (true) yield mebibyte;
}
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
after(() => {
  web.close();
  web.closeAllConnections();
});
export const webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
