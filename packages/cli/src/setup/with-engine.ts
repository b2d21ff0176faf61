import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { dataDirLayout } from '@guise/server/config/data-dir.ts';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { openSigner } from '@guise/server/worker/open-signer.ts';

/** Most pixels of an image, the same as over HTTP. */
export const MAX_PIXELS = AI_TASKS_LIMITS.imagePixels;

/**
 * Runs `use` with an engine in its own process, so that a hostile file cannot end this one.
 * @param outputPath file that the engine will write: it works beside that file, which appears whole
 * at the end
 */
export async function withEngine<T>(
  outputPath: string | null,
  use: (engine: EngineProcess) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  const signer = await openSigner(config);
  const engine = new EngineProcess({
    modelCacheDir: dataDirLayout(config.dataDir).models,
    currentSigner: () => signer,
    ...(outputPath !== null && { newFolder: () => `${path.resolve(outputPath)}.${randomUUID()}.part` }),
    warmUp: false,
  });
  try {
    await engine.whenReady();
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Checks that a file can be read.
 * @throws Error with a readable message if it cannot
 */
export async function requireReadable(file: string): Promise<void> {
  try {
    await access(file);
  } catch {
    throw new Error(`${file} cannot be read.`);
  }
}
