/**
 * `npm run pack`: makes `dist/guise-VERSION.tgz`, the package that `npm install` takes. It has
 * JavaScript instead of TypeScript (Node runs no TypeScript inside `node_modules`), the built
 * dashboard, the converted models, and the packages that it needs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WEIGHT_PACKAGES } from '@guise/engine/models/assets/package-files.ts';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { COMMAND, makeContent } from './packing/make-content.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
/** Content of the package. */
const STAGE = path.join(DIST, 'package');

/** Members of the workspace whose dependencies the package needs. */
const MEMBERS = ['cli', 'contract', 'engine', 'engine-host', 'kernels', 'media', 'server'];

/** Packages that only the making of the package needs: they hold the models. */
const BUILD_ONLY = new Set<string>(WEIGHT_PACKAGES);

type Versions = Record<string, string>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Versions;
  readonly bin?: Versions;
  readonly scripts?: Versions;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

/** A package-lock.json of npm; `packages` is keyed by folder. */
interface Lock {
  readonly packages: Record<
    string,
    {
      readonly version: string;
      readonly link?: true;
      readonly os?: string | readonly string[];
      readonly cpu?: readonly string[];
    }
  >;
}

/** Systems that guise runs on, as Node names them. */
const SYSTEMS = new Set(['linux', 'darwin']);

/** Folder with a folder of binaries for each system. */
const ONNX_BINARIES = 'node_modules/onnxruntime-node/bin/napi-v6';

rmSync(DIST, { recursive: true, force: true });
await makeContent(STAGE);
const manifest = makeManifest();
bundleDependencies(manifest, installDependencies(manifest));
const [file] = execFileSync('npm', ['pack', '--silent', '--pack-destination', DIST], {
  cwd: STAGE,
  encoding: 'utf8',
})
  .trim()
  .split('\n');
const packed = path.join(DIST, `guise-${GUISE_VERSION}.tgz`);
renameSync(path.join(DIST, file!), packed);
rmSync(STAGE, { recursive: true });
console.log(path.relative(process.cwd(), packed));

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Returns the manifest of one package that needs what all members need. */
function makeManifest(): Manifest {
  const own = JSON.parse(read('package.json')) as Manifest;
  const dependencies: Versions = {};
  const optionalDependencies: Versions = { ...own.optionalDependencies };
  for (const name of MEMBERS) {
    const member = JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
    Object.assign(dependencies, member.dependencies);
    Object.assign(optionalDependencies, member.optionalDependencies);
  }
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@guise/') || BUILD_ONLY.has(name)) delete dependencies[name];
  const { version, description, license, engines } = own;
  const names = { name: '@guise/guise', version, description, license, type: 'module', engines };
  return { ...names, bin: { guise: COMMAND }, dependencies, optionalDependencies };
}

/** Installs what the manifest needs, in the versions of the repository. Returns all packages. */
function installDependencies(manifest: Manifest): Lock['packages'] {
  const lock = JSON.parse(read('package-lock.json')) as Lock;
  const packages: Lock['packages'] = {};
  for (const [folder, entry] of Object.entries(lock.packages)) {
    const [, member, place] = /^(packages\/[^/]+\/)?(node_modules\/.+)$/.exec(folder) ?? [];
    // What a member has of its own takes the place of what the others have.
    if (place !== undefined && entry.link !== true && (member !== undefined || packages[place] === undefined))
      packages[place] = entry;
  }
  writeJson('package.json', manifest);
  writeJson('package-lock.json', { ...lock, name: manifest.name, packages });
  execFileSync('npm', ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--loglevel=error'], {
    cwd: STAGE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (JSON.parse(readFileSync(path.join(STAGE, 'package-lock.json'), 'utf8')) as Lock).packages;
}

/**
 * Lets the package carry everything but the binaries for one system each: npm fetches those that
 * the user's system needs. Source maps and types stay out.
 */
function bundleDependencies(manifest: Manifest, packages: Lock['packages']): void {
  const optionalDependencies: Versions = {};
  const dependencies: Versions = { ...manifest.dependencies };
  for (const [folder, { version, os, cpu }] of Object.entries(packages)) {
    if (folder === '') continue;
    const name = folder.replace(/^.*node_modules\//, '');
    const isBinary = cpu !== undefined;
    if (isBinary && [os ?? []].flat().some((each) => SYSTEMS.has(each))) optionalDependencies[name] = version;
    if (isBinary) rmSync(path.join(STAGE, folder), { recursive: true, force: true });
    else removeScripts(folder);
    if (!isBinary && manifest.optionalDependencies?.[name] !== undefined) dependencies[name] = version;
  }
  for (const file of globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts}', { cwd: STAGE }))
    rmSync(path.join(STAGE, file));
  for (const system of readdirSync(path.join(STAGE, ONNX_BINARIES)))
    if (!SYSTEMS.has(system)) rmSync(path.join(STAGE, ONNX_BINARIES, system), { recursive: true });
  rmSync(path.join(STAGE, 'package-lock.json'));
  writeJson('package.json', {
    ...manifest,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies,
  });
}

/** Removes install scripts: they would download what guise never uses, from other places. */
function removeScripts(folder: string): void {
  const file = path.join(folder, 'package.json');
  // npm does not install what only another system's binary needs.
  if (!existsSync(path.join(STAGE, file))) return;
  const { scripts, ...rest } = JSON.parse(readFileSync(path.join(STAGE, file), 'utf8')) as Manifest;
  if (scripts !== undefined) writeJson(file, rest);
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(path.join(STAGE, name), `${JSON.stringify(value, null, 2)}\n`);
}
