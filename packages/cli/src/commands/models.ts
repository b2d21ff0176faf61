import { stat } from 'node:fs/promises';
import { ensureModels } from '@guise/engine/models/ensure-models.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { printResult } from '../console/print.ts';

export async function models(options: { readonly json?: true }): Promise<void> {
  const startedAtMs = performance.now();
  const files = await ensureModels(dataDirLayout(loadConfig().dataDir).models);
  const elapsedMs = Math.round(performance.now() - startedAtMs);
  const listed = await Promise.all(
    Object.entries(files).map(async ([name, path]) => ({ name, path, bytes: (await stat(path)).size })),
  );
  printResult(options, { models: listed, elapsedMs }, [
    ...listed.map(({ name, path, bytes }) => `${name}: ${Math.ceil(bytes / 1024)} KiB, ${path}`),
    `All ${listed.length} models are there and match their checksums (${elapsedMs} ms).`,
  ]);
}
