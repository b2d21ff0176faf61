/**
 * Thread in which c2pa-wasm reads one untrusted file. Hostile bytes can at most use up the thread's
 * limited memory and time, and the memory is freed when the thread ends.
 */
import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { blobOfFile, loadC2pa, type CompiledC2pa } from './c2pa-module.ts';
import { readerSettings } from './reader-settings.ts';

export interface CredentialsFile {
  path: string;
  contentType: string;
  sizeBytes: number;
  /** PEM certificates of trusted signers; null if no signer is trusted. */
  trustAnchorsPem: string | null;
}

export type CredentialsReply = { ok: true; report: string } | { ok: false; reason: string };

// A manifest may name the URL of another manifest, and a certificate may name a server. This
// machine must not contact them.
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
