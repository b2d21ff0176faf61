import { existsSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Builds packages/dashboard/dist where it is missing or older than its sources; says whether it did. Throws vite's errors. */
export async function ensureDashboardBuilt(): Promise<boolean> {
  const built = path.join(ROOT, 'dist/index.html');
  const sources = globSync(['src/**/*', 'public/**/*', 'index.html', 'vite.config.ts', 'package.json'], {
    cwd: ROOT,
  });
  const newestMs = Math.max(...sources.map((file) => statSync(path.join(ROOT, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs >= newestMs) return false;
  // Loaded only here: a service whose dashboard is built never pays for the bundler.
  const { build } = await import('vite');
  await build({ configFile: path.join(ROOT, 'vite.config.ts'), logLevel: 'error' });
  return true;
}
