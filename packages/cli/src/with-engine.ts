import { access } from 'node:fs/promises';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { EngineProcess } from '@guise/server/worker/engine-process.ts';
import { prepareSigning } from '@guise/server/worker/prepare-signing.ts';

export const MAX_PIXELS = AI_TASKS_LIMITS.imagePixels;

/** Runs `use` with an engine in a process of its own: a hostile file can end that process, not this one. */
export async function withEngine<T>(use: (engine: EngineProcess) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const engine = new EngineProcess({
    modelCacheDir: dataDirLayout(config.dataDir).models,
    signing: await prepareSigning(config),
    warmUp: false,
  });
  try {
    await engine.whenReady();
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** @throws Error with a plain sentence where `path` cannot be read. */
export async function requireReadable(path: string): Promise<void> {
  try {
    await access(path);
  } catch {
    throw new Error(`${path} cannot be read.`);
  }
}
