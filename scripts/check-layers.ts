/**
 * Checks every import in the packages against layers.json: who may import whom, and who owns which npm package.
 * Prints each import that breaks a rule and exits 1. Tests, bench/, scripts/ and acceptance/ may import anything.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Layer {
  may: string[];
  packages: string[];
}

const ROOT = path.resolve(import.meta.dirname, '..');
const { layers, never } = JSON.parse(readFileSync(path.join(ROOT, 'layers.json'), 'utf8')) as {
  layers: Record<string, Layer>;
  never: [from: string, to: string][];
};
// The longest folder first, so that a file belongs to the innermost layer that holds it.
const FOLDERS = Object.keys(layers).sort((a, b) => b.length - a.length);

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g;

function isInside(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** The repository path that a specifier means, or null for a package from npm. */
function resolveLocal(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier);
  const own = /^@guise\/([^/]+)\/(.+)$/.exec(specifier);
  return own ? `packages/${own[1]}/src/${own[2]}` : null;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Why this import breaks a rule, or null. */
function offence(importer: string, specifier: string): string | null {
  const folder = FOLDERS.find((each) => isInside(importer, each));
  if (folder === undefined) return 'its folder has no layer in layers.json';
  if (specifier.startsWith('node:')) return null;
  const target = resolveLocal(specifier, importer);
  if (target === null) {
    const name = packageName(specifier);
    return layers[folder]!.packages.includes(name) ? null : `${folder} does not own the package ${name}`;
  }
  const forbidden = never.find(([from, to]) => isInside(importer, from) && isInside(target, to));
  if (forbidden) return `${forbidden[0]} must never import ${forbidden[1]}`;
  const allowed = isInside(target, folder) || layers[folder]!.may.some((each) => isInside(target, each));
  return allowed ? null : `${folder} may not import ${path.posix.dirname(target)}`;
}

const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
const offences = files.flatMap((file) => {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return [...source.matchAll(IMPORT)].flatMap((match) => {
    const specifier = (match[1] ?? match[2])!;
    const reason = offence(file, specifier);
    return reason ? [`${file}: import '${specifier}': ${reason}`] : [];
  });
});

for (const each of offences) console.error(each);
console.log(`layers: ${files.length} files checked, ${offences.length} imports out of place`);
process.exitCode = offences.length > 0 ? 1 : 0;
