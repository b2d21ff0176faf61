import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Config, loadConfig } from './config.ts';
import { dataDirLayout } from './data-dir.ts';

/**
 * Stores the URL of this installation for commands, which do not know the `PORT` or
 * `GUISE_PUBLIC_URL` of the service. The file is kept when the service stops, because the next
 * start will probably use the same URL.
 */
export async function rememberServedUrl({ dataDir, publicUrl }: Config): Promise<void> {
  const { servedUrl } = dataDirLayout(dataDir);
  const part = `${servedUrl}.${randomUUID()}.part`;
  await writeFile(part, `${publicUrl}\n`);
  await rename(part, servedUrl);
}

/**
 * Loads the configuration of a command. Links use the current or last URL of the service, unless
 * `GUISE_PUBLIC_URL` is set.
 * @throws ConfigError as `loadConfig`.
 */
export async function loadConfigBesideService(env: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const config = loadConfig(env);
  if (env.GUISE_PUBLIC_URL) return config;
  const served = await readServedUrl(dataDirLayout(config.dataDir).servedUrl);
  return served === null ? config : loadConfig({ ...env, GUISE_PUBLIC_URL: served });
}

async function readServedUrl(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    // The service was never started, or runs elsewhere with the same database.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
