import { existsSync } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { printResult } from '../console/print.ts';

/** Bytes of a megabyte. */
const MB = 1e6;

/**
 * Deletes what this installation never uses: binaries for other systems, and the Node.js that npm
 * installed for an older one. `npm install` or `npm ci` brings them back.
 */
export async function prune(options: { readonly json?: true }): Promise<void> {
  const removed: { readonly path: string; readonly bytes: number }[] = [];
  for (const folder of await needlessFolders()) {
    await requireWritable(path.dirname(folder));
    const bytes = await sizeOf(folder);
    await rm(folder, { recursive: true });
    removed.push({ path: folder, bytes });
  }
  const total = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  printResult(options, { removed, bytes: total }, [
    ...removed.map((each) => `${each.path}: ${Math.round(each.bytes / MB)} MB`),
    removed.length === 0 ? 'There is nothing to delete.' : `Deleted ${Math.round(total / MB)} MB.`,
  ]);
}

async function needlessFolders(): Promise<readonly string[]> {
  const { resolve } = createRequire(import.meta.url);
  const onnx = path.join(path.dirname(resolve('onnxruntime-node/package.json')), 'bin/napi-v6');
  const here = path.join(onnx, process.platform, process.arch);
  const folders: string[] = [];
  for (const system of await readdir(onnx)) {
    for (const cpu of await readdir(path.join(onnx, system))) {
      const folder = path.join(onnx, system, cpu);
      if (folder !== here) folders.push(folder);
    }
  }
  for (const name of ['node-', 'node-bin-']) {
    const bundled = folderOf(`${name}${process.platform}-${process.arch}`);
    if (bundled === null) continue;
    // If this process runs on it, then the machine's own Node.js is too old. Its headers are for
    // those who compile.
    const isInUse = process.execPath.startsWith(bundled + path.sep);
    const needless = isInUse ? path.join(bundled, 'include') : bundled;
    if (existsSync(needless)) folders.push(needless);
  }
  return folders;

  function folderOf(name: string): string | null {
    try {
      return path.dirname(resolve(`${name}/package.json`));
    } catch {
      return null;
    }
  }
}

/** @throws Error with a readable message if nothing can be deleted in this folder */
async function requireWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new Error(`${folder} cannot be changed: run this as the user who installed guise.`);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
