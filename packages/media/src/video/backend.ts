import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export type VideoBackend = 'node-av' | 'ffmpeg';
export type NodeAv = typeof import('node-av/lib') & { constants: typeof import('node-av/constants') };

export const NO_VIDEO_BACKEND =
  'No video backend: install the optional package node-av (npm install), or put ffmpeg and ffprobe on PATH.';

let loaded: Promise<NodeAv | null> | undefined;

/**
 * The FFmpeg binding, loaded at first use: 175 MB are mapped, so only the processes that touch
 * video pay for it. null where it is not installed or cannot be loaded (an unsupported platform, an
 * old C library).
 */
export function loadNodeAv(): Promise<NodeAv | null> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<NodeAv | null> {
  if (process.env['GUISE_VIDEO_BACKEND'] === 'ffmpeg') return null;
  try {
    const [lib, constants] = await Promise.all([import('node-av/lib'), import('node-av/constants')]);
    // FFmpeg writes to stderr what a hostile file makes it say; our own errors carry what matters.
    lib.Log.setLevel(constants.AV_LOG_FATAL);
    return { ...lib, constants };
  } catch {
    return null;
  }
}

/**
 * What this machine can handle video with; null is a clear error at start (`NO_VIDEO_BACKEND`).
 * Cheap: the native library is looked for and not loaded. `GUISE_VIDEO_BACKEND=ffmpeg` forces the
 * programs on PATH.
 */
export function videoBackend(): VideoBackend | null {
  if (process.env['GUISE_VIDEO_BACKEND'] !== 'ffmpeg' && hasNodeAv()) return 'node-av';
  return hasPrograms() ? 'ffmpeg' : null;
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
