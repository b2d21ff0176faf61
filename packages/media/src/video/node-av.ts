import { execFile, type ExecFileException } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

export type NodeAv = typeof import('node-av/lib') & { constants: typeof import('node-av/constants') };

/** Message for a machine on which node-av does not load. */
export const NO_NODE_AV = 'Videos need the optional package node-av, which is missing here or does not load.';

let loaded: Promise<NodeAv | null> | undefined;
let canLoad: Promise<boolean> | undefined;

/**
 * Loads node-av, the FFmpeg binding, at first use. It maps 175 MB, so only processes that work with
 * video should call this function.
 * @returns null if it is not installed or cannot be loaded (an unsupported platform, an old C
 * library)
 */
export function loadNodeAv(): Promise<NodeAv | null> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<NodeAv | null> {
  try {
    const [lib, constants] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    // FFmpeg would print text that a hostile file chooses. Our own errors contain what matters.
    lib.Log.setLevel(constants.AV_LOG_FATAL);
    return { ...lib, constants };
  } catch {
    return null;
  }
}

/** Loads node-av as `loadNodeAv` does. @throws Error if that fails */
export async function requireNodeAv(): Promise<NodeAv> {
  const av = await loadNodeAv();
  if (av === null) throw new Error(NO_NODE_AV);
  return av;
}

/** Returns whether node-av loads here. The first call tries this once, in a separate process. */
export function canLoadNodeAv(): Promise<boolean> {
  canLoad ??= tryNodeAv();
  return canLoad;
}

async function tryNodeAv(): Promise<boolean> {
  const program = ['--input-type=module', '--eval', "import 'node-av/lib'"];
  try {
    await promisify(execFile)(process.execPath, program, { cwd: path.dirname(import.meta.filename) });
    return true;
  } catch (error) {
    // A failed import ends the process with 1. Any other end, such as a lack of memory, says
    // nothing about node-av.
    return (error as ExecFileException).code !== 1;
  }
}

/**
 * Returns name and version of the library that handles video on this machine. Machines with equal
 * names decode and encode alike.
 */
export async function videoLibrary(): Promise<string> {
  if (!(await canLoadNodeAv())) return 'no video';
  const { resolve } = createRequire(import.meta.url);
  const root = resolve('node-av/lib').replace(/(node_modules[\\/]node-av[\\/]).*$/, '$1');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return `node-av ${version}`;
}
