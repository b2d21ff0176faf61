/**
 * The thread in which c2pa-wasm reads one file that nobody vouches for. Hostile bytes can at most
 * exhaust its bounded memory and its time, and its memory goes when it ends.
 */
import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { blobOfFile, loadC2pa, type CompiledC2pa } from './c2pa-module.ts';
import { readerSettings } from './reader-settings.ts';

export interface CredentialsFile {
  path: string;
  contentType: string;
  sizeBytes: number;
  /** PEM certificates; null: no signer is trusted. */
  trustAnchorsPem: string | null;
}

export type CredentialsReply = { ok: true; report: string } | { ok: false; reason: string };

// What a file says must not make this machine call anyone: a manifest may name a remote one, a
// certificate a server.
globalThis.fetch = () => Promise.reject(new Error('Nothing is fetched.'));

const { WasmReader } = await loadC2pa((workerData as { module: CompiledC2pa }).module);
parentPort!.once('message', (file: CredentialsFile) => {
  void read(file)
    .then(
      (report): CredentialsReply => ({ ok: true, report }),
      (error: unknown): CredentialsReply => ({
        ok: false,
        reason: error instanceof Error ? error.message : String(error),
      }),
    )
    .then((reply) => parentPort!.postMessage(reply, []));
});
parentPort!.postMessage('ready', []);

async function read({ path, contentType, sizeBytes, trustAnchorsPem }: CredentialsFile): Promise<string> {
  const fd = openSync(path, 'r');
  try {
    const source = blobOfFile(fd, sizeBytes);
    const reader = await WasmReader.fromBlob(contentType, source, readerSettings(trustAnchorsPem));
    return reader.json();
  } finally {
    closeSync(fd);
  }
}
