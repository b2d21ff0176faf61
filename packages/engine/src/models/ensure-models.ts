import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { packageVersion, WEIGHT_PACKAGES } from './assets/package-files.ts';
import { MODEL_NAMES, MODEL_RECIPES } from './recipes.ts';
import type { ModelName } from './recipes.ts';

/**
 * Version of the converted models, which is part of the cache's name. Raise it whenever a recipe or
 * the converter changes its output, so that older caches stay unused.
 */
const CONVERTER_VERSION = 4;

/**
 * Folder of the models that `npm run pack` made. A clone does not have it: there, each data folder
 * gets models of its own.
 */
const PACKED_MODELS = path.join(import.meta.dirname, '../../models');

/** Name of the file that lists the models' checksums. */
const MANIFEST_FILE = 'manifest.json';

/** Age in milliseconds from which a temporary file must come from a process that died. */
const STALE_TEMPORARY_MS = 3_600_000;

/** Size of the pieces in which a file is read to be hashed. */
const HASHED_PIECE_BYTES = 256 * 1024;

/** Absolute paths of the verified ONNX files. */
export type ModelFiles = Readonly<Record<ModelName, string>>;

/** SHA-256 (hex) of each file as it was written. */
type Manifest = Readonly<Partial<Record<ModelName, string>>>;

/**
 * Returns the paths of all ONNX files: those of the package, or else those in `cacheDir`, where
 * missing and damaged ones are converted. Each file is checked against the SHA-256 of its
 * conversion.
 *
 * A cache belongs to the exact versions of the weight packages and of the converter. Caches of
 * other versions stay beside it. Several processes may run this at once: files appear complete, by
 * rename, and every process writes the same bytes.
 */
export async function ensureModels(cacheDir: string): Promise<ModelFiles> {
  return (await findPackedModels()) ?? convertModels(path.resolve(cacheDir, cacheKey()));
}

/**
 * Returns the models of the package, or null if this is a clone.
 * @throws Error if one of them is missing or damaged
 */
async function findPackedModels(): Promise<ModelFiles | null> {
  if (!existsSync(PACKED_MODELS)) return null;
  const manifest = await readManifest(PACKED_MODELS);
  for (const name of MODEL_NAMES) {
    const file = modelPath(PACKED_MODELS, name);
    if (!(await isIntact(file, manifest[name]))) throw new Error(`${file} is damaged; install guise again`);
  }
  return modelFiles(PACKED_MODELS);
}

/** Converts into `folder` the models that are missing or damaged there. */
export async function convertModels(folder: string): Promise<ModelFiles> {
  await mkdir(folder, { recursive: true });
  const manifest = await readManifest(folder);
  const missing: ModelName[] = [];
  for (const name of MODEL_NAMES) {
    if (!(await isIntact(modelPath(folder, name), manifest[name]))) missing.push(name);
  }
  if (missing.length > 0) {
    await removeStaleTemporaries(folder);
    const converted: Record<string, string> = { ...manifest };
    for (const name of missing) converted[name] = await convertModel(folder, name);
    await writeAtomically(path.join(folder, MANIFEST_FILE), Buffer.from(JSON.stringify(converted, null, 2)));
  }
  return modelFiles(folder);
}

function modelFiles(folder: string): ModelFiles {
  return Object.fromEntries(MODEL_NAMES.map((name) => [name, modelPath(folder, name)])) as ModelFiles;
}

function cacheKey(): string {
  const versions = WEIGHT_PACKAGES.map((name) => `${name}@${packageVersion(name)}`);
  return `models-${sha256(`${CONVERTER_VERSION} ${versions.join(' ')}`).slice(0, 16)}`;
}

function modelPath(folder: string, name: ModelName): string {
  return path.join(folder, `${name}.onnx`);
}

/** Converts one model and returns the SHA-256 of the written file. */
async function convertModel(folder: string, name: ModelName): Promise<string> {
  const graph = await MODEL_RECIPES[name]();
  const bytes = graph.encode();
  await writeAtomically(modelPath(folder, name), bytes);
  return sha256(bytes);
}

async function isIntact(file: string, expectedSha256: string | undefined): Promise<boolean> {
  if (expectedSha256 === undefined) return false;
  const hash = createHash('sha256');
  try {
    await using handle = await open(file);
    // All pieces go through one buffer, because a stream's pieces would add up to 43 MB of garbage.
    const piece = Buffer.allocUnsafeSlow(HASHED_PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length);
      if (bytesRead === 0) break;
      hash.update(piece.subarray(0, bytesRead));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return hash.digest('hex') === expectedSha256;
}

/** Reads the manifest. An unreadable one counts as empty, so that everything is converted again. */
async function readManifest(folder: string): Promise<Manifest> {
  const bytes = await readIfPresent(path.join(folder, MANIFEST_FILE));
  if (bytes === null) return {};
  try {
    const manifest: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof manifest === 'object' && manifest !== null ? (manifest as Manifest) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

async function readIfPresent(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a file so that, even after a crash, it either has its whole content or is unchanged. */
async function writeAtomically(file: string, bytes: Buffer): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

async function removeStaleTemporaries(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.tmp')) continue;
    const full = path.join(folder, file);
    const age = Date.now() - ((await stat(full).catch(() => null)) ?? { mtimeMs: Date.now() }).mtimeMs;
    if (age > STALE_TEMPORARY_MS) await rm(full, { force: true });
  }
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
