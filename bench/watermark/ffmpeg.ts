import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Rate factors with which other people compress a video again. */
export const RATE_FACTORS = [23, 28];

/** Runs ffmpeg. @returns false if it is not installed */
export async function ffmpeg(...args: string[]): Promise<boolean> {
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...args]);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Compresses a video or picture as H.264, as most services do. */
export function compress(input: string, output: string, rateFactor: number): Promise<boolean> {
  // H.264 of 4:2:0 has even sides.
  const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2', '-pix_fmt', 'yuv420p'];
  return ffmpeg('-i', input, ...even, '-an', '-c:v', 'libx264', '-crf', `${rateFactor}`, output);
}
