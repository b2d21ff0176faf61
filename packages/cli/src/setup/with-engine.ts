import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { EngineProcess, type EngineProcessOptions } from '@guise/engine-host/parent/engine-process.ts';
import { openSigner } from '@guise/server/worker/open-signer.ts';
import type { Workspace } from './workspace.ts';

/** Largest number of pixels of an image, equal to the HTTP interface. */
export const MAX_PIXELS = AI_TASKS_LIMITS.imagePixels;

/**
 * Runs `use` with an engine in its own process, so that a hostile file cannot crash this one. The
 * engine works in the command's folder, and ends at once when the command is stopped.
 */
export async function withEngine<T>(
  { folder, stopping }: Workspace,
  use: (engine: EngineProcess) => Promise<T>,
  options: Pick<EngineProcessOptions, 'stallTimeoutMs'> = {},
): Promise<T> {
  const config = loadConfig();
  const signer = await openSigner(config, (reason) => process.stderr.write(`guise: ${reason}\n`));
  stopping.throwIfAborted();
  const engine = new EngineProcess({
    modelCacheDir: dataDirLayout(config.dataDir).models,
    currentSigner: () => signer,
    newFolder: () => path.join(folder, `engine-${randomUUID()}`),
    warmUp: false,
    ...options,
  });
  const onStopping = (): void => void engine.close();
  stopping.addEventListener('abort', onStopping, { once: true });
  try {
    await engine.whenReady();
    return await use(engine);
  } finally {
    await engine.close();
  }
}
