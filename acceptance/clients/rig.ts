import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { createTestDatabase } from '@guise/server/db/test-database.ts';
import sharp from 'sharp';
import { pairClip } from '../ai-tasks/clip-persons-setup.ts';
import { type ApiProcess, startApi } from '../reliability/api-process.ts';
import { makeDataDir, removeDataDir, startService, type TestAccount } from '../service.ts';

/** What the tests of all clients share: a service, files, a page's origin, and accounts. */

export const hasVideo = (await loadNodeAv()) !== null;
/** Files of another origin than the service's, for pages. */
export const pageFolder = await mkdtemp(path.join(tmpdir(), 'guise-clients-'));
const pages = await listen(async (url, response) => {
  const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.html') ? 'text/html' : 'image/jpeg';
  const file = await readFile(path.join(pageFolder, url)).catch(() => null);
  return response.writeHead(file === null ? 404 : 200, { 'content-type': type }).end(file);
});
export const pageOrigin = pages.url;

const database = await createTestDatabase();
const dataDir = await makeDataDir();
const env = {
  DATABASE_URL: database.url,
  GUISE_DATA_DIR: dataDir,
  GUISE_ALLOW_PRIVATE_URLS: '1',
  GUISE_ALLOWED_ORIGINS: pageOrigin,
};
export const service = await startService({ dataDir, env });
after(async () => {
  await service.stop();
  pages.server.close();
  await removeDataDir(dataDir);
  await rm(pageFolder, { recursive: true, force: true });
  await database.close();
});

let accounts = 0;
export const newAccount = (): Promise<TestAccount> =>
  service.createAccount({ email: `client-${accounts++}@example.com`, plan: 'enterprise', credits: 200 });

interface ShownAccount {
  readonly credits: { readonly available: number; readonly held: number };
  readonly webhookSecret: string;
}

const show = async ({ email }: TestAccount): Promise<ShownAccount> =>
  JSON.parse(await service.guise('account', 'show', '--email', email, '--json')) as ShownAccount;

/** Returns the credits that an account has left. */
export const creditsOf = async (account: TestAccount): Promise<ShownAccount['credits']> =>
  (await show(account)).credits;

export const webhookSecretOf = async (account: TestAccount): Promise<string> =>
  (await show(account)).webhookSecret;

const { face, body } = await readSampleFaces();
/** Two faces side by side. */
const pair = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#777' } })
  .composite([
    { input: face, left: 32, top: 32 },
    { input: face, left: 352, top: 32 },
  ])
  .png()
  .toBuffer();
/** Files that clients send, by name. */
export const files = {
  face: path.join(pageFolder, 'face.jpg'),
  scene: path.join(pageFolder, 'scene.jpg'),
  pair: path.join(pageFolder, 'pair.png'),
  film: path.join(pageFolder, 'film.mp4'),
};
await writeFile(files.face, await sharp(face).jpeg().toBuffer());
await writeFile(files.scene, await sharp(body).jpeg().toBuffer());
await writeFile(files.pair, pair);
if (hasVideo) await writeFile(files.film, (await pairClip(10)).bytes);

/** An API process behind a proxy that can lose an answer together with the process. */
export interface LossyApi {
  readonly url: string;
  /** Ends when an answer was lost. */
  readonly lost: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts an API process of its own. When it has answered the first POST, it is killed with its
 * streams, and the answer is lost. Some time later it starts again.
 */
export async function startLossyApi(): Promise<LossyApi> {
  let api: ApiProcess = await startApi(env);
  const { port } = new URL(api.url);
  const lost = Promise.withResolvers<void>();
  let hasLost = false;
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, async (answer) => {
      if (method === 'POST' && !hasLost) {
        hasLost = true;
        answer.resume();
        await once(answer, 'end');
        await api.kill();
        response.destroy();
        lost.resolve();
        api = await startApi({ ...env, PORT: port });
        return;
      }
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: lost.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await api.stop();
    },
  };
}

/** Receives webhooks, and answers 204. */
export async function receiveWebhooks(): Promise<{
  readonly url: string;
  readonly next: Promise<{ headers: Record<string, string>; body: string }>;
  close(): void;
}> {
  const next = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    response.writeHead(204).end();
    next.resolve({
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(parts).toString(),
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
  return { url, next: next.promise, close: () => server.close() };
}

async function listen(
  answer: (url: string, response: ServerResponse) => Promise<unknown>,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((incoming, response) => void answer(incoming.url!, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
