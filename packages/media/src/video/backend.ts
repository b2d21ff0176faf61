import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What handles video: the FFmpeg binding, or FFmpeg's programs on PATH. */
export type VideoBackend = 'node-av' | 'ffmpeg';
export type NodeAv = typeof import('node-av/lib') & { constants: typeof import('node-av/constants') };

/** Message for a machine without a video backend. */
export const NO_VIDEO_BACKEND =
  'No video backend: install the optional package node-av (npm install), or put ffmpeg and ffprobe on PATH.';

let loaded: Promise<NodeAv | null> | undefined;

/**
 * Loads the FFmpeg binding at first use. It maps 175 MB, so only processes that touch video should
 * call this.
 * @returns null if it is not installed or cannot be loaded (an unsupported platform, an old C
 * library)
 */
export function loadNodeAv(): Promise<NodeAv | null> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<NodeAv | null> {
  if (process.env['GUISE_VIDEO_BACKEND'] === 'ffmpeg') return null;
  try {
    const [lib, constants] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    // FFmpeg would print what a hostile file makes it say; our own errors carry what matters.
    lib.Log.setLevel(constants.AV_LOG_FATAL);
    return { ...lib, constants };
  } catch {
    return null;
  }
}

/**
 * Finds what can handle video on this machine. Looks for the native library without loading it;
 * `GUISE_VIDEO_BACKEND=ffmpeg` forces the programs on PATH.
 * @returns null if there is nothing; the caller then reports `NO_VIDEO_BACKEND` at start
 */
export function videoBackend(): VideoBackend | null {
  if (process.env['GUISE_VIDEO_BACKEND'] !== 'ffmpeg' && hasNodeAv()) return 'node-av';
  return hasPrograms() ? 'ffmpeg' : null;
}

/**
 * Names what handles video on this machine, with the version of the FFmpeg binding: equal names
 * decode and encode alike. Does not load it.
 */
export function videoLibrary(): string {
  const backend = videoBackend();
  if (backend !== 'node-av') return backend ?? 'no video';
  const require = createRequire(import.meta.url);
  const root = require.resolve('node-av/lib').replace(/(node_modules[\\/]node-av[\\/]).*$/, '$1');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return `node-av ${version}`;
}

function hasNodeAv(): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve('node-av/lib');
  } catch {
    return false;
  }
  const flavours = process.platform === 'win32' ? ['-msvc', '-mingw'] : [''];
  return flavours.some((flavour) => {
    try {
      const manifest = require.resolve(
        `@seydx/node-av-${process.platform}-${process.arch}${flavour}/package.json`,
      );
      return existsSync(path.join(path.dirname(manifest), 'node-av.node'));
    } catch {
      return false;
    }
  });
}

function hasPrograms(): boolean {
  return ['ffmpeg', 'ffprobe'].every(
    (program) => spawnSync(program, ['-version'], { stdio: 'ignore', timeout: 5000 }).status === 0,
  );
}
