import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Config, loadConfig } from './config.ts';
import { dataDirLayout } from './data-dir.ts';

/**
 * Writes down where people reach this installation, for commands beside the service: they know
 * neither the `PORT` nor the `GUISE_PUBLIC_URL` that it alone was given. Kept when the service
 * stops: its next start is most likely to serve there again.
 */
export async function rememberServedUrl({ dataDir, publicUrl }: Config): Promise<void> {
  const { servedUrl } = dataDirLayout(dataDir);
  const part = `${servedUrl}.${randomUUID()}.part`;
  await writeFile(part, `${publicUrl}\n`);
  await rename(part, servedUrl);
}

/**
 * Loads the configuration of a command beside the service: links lead to its address, the present
 * or the last one, unless `GUISE_PUBLIC_URL` is set.
 * @throws ConfigError as `loadConfig` does.
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
    // Never started, or a database without the service's data directory.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
