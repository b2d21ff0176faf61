import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { convertModels } from '@guise/engine/models/ensure-models.ts';
import { ensureDashboardBuilt } from '@guise/dashboard/ensure-dashboard-built.ts';
import { rolldown, type Plugin } from 'rolldown';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Modules that run as a program or a thread of their own. */
const PROGRAMS = [
  'packages/cli/src/main.ts',
  'packages/engine-host/src/child/engine-child.ts',
  'packages/media/src/clip/probe-child.ts',
  'packages/media/src/image/heif-thread.ts',
  'packages/media/src/provenance/read-credentials-thread.ts',
  'packages/media/src/provenance/verify-child.ts',
  'packages/server/src/main/server.ts',
  'packages/server/src/main/worker.ts',
];

/** What the package has as it is in the repository. */
const COPIED = [
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
  'compile-cache.cjs',
  'launch.cjs',
  'migrations',
  'packages/dashboard/dist',
  'packages/engine/assets',
  'packages/kernels/built',
];

/** Start file of the `guise` command. */
export const COMMAND = 'packages/cli/bin/guise.cjs';

/**
 * Writes into `folder` everything of the package but its manifest and its dependencies. What needs
 * another file of the package finds it as in the repository, because the folders are the same.
 */
export async function makeContent(folder: string): Promise<void> {
  await ensureDashboardBuilt();
  await compilePrograms(folder);
  for (const each of COPIED) cpSync(path.join(ROOT, each), path.join(folder, each), { recursive: true });
  const command = path.join(folder, COMMAND);
  mkdirSync(path.dirname(command), { recursive: true });
  const source = readFileSync(path.join(ROOT, COMMAND), 'utf8');
  writeFileSync(command, namesJavaScript(source), { mode: 0o755 });
  cpSync(path.join(ROOT, 'docs/package.md'), path.join(folder, 'README.md'));
  await convertModels(path.join(folder, 'packages/engine/models'));
}

/** Writes each module of the programs as JavaScript, in folders like those of the repository. */
async function compilePrograms(folder: string): Promise<void> {
  const scriptNames: Plugin = {
    name: 'script-names',
    transform: (code, id) => (id.endsWith('.ts') ? namesJavaScript(code) : null),
  };
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((each) => [each.replace(/\.ts$/, ''), each])),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !id.startsWith('@guise/') && !path.isAbsolute(id),
    plugins: [scriptNames],
    treeshake: false,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: ROOT,
    entryFileNames: '[name].js',
  });
  await bundle.close();
}

/** Replaces the endings of files that the code starts by their names. */
function namesJavaScript(code: string): string {
  return code.replaceAll(/((?:new URL\(|dirname, )['`][^'`]*)\.ts(?=['`])/g, '$1.js');
}
