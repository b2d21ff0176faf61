import type { RgbImage } from '@guise/kernels/image.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';

/** Moments of a clip, and frames in a row, that a sheet shows. */
export const SHOWN_FRAMES = 6;

/** Spreads moments evenly over a clip of so many frames. */
export function momentsOf(frameCount: number): number[] {
  return Array.from({ length: SHOWN_FRAMES }, (_, k) => Math.floor(((k + 0.5) * frameCount) / SHOWN_FRAMES));
}

/** Lists the frames in a row in the middle of a clip. */
export function middleOf(frameCount: number): number[] {
  const first = Math.max(0, Math.floor((frameCount - SHOWN_FRAMES) / 2));
  return Array.from({ length: SHOWN_FRAMES }, (_, k) => Math.min(first + k, frameCount - 1));
}

export async function countFrames(file: string): Promise<number> {
  return scanVideo(file, () => {});
}

/** Reads these frames of a clip, in the order in which they are asked for. */
export async function readFrames(file: string, wanted: readonly number[]): Promise<RgbImage[]> {
  const found = new Map<number, RgbImage>();
  await scanVideo(file, (frame) => {
    if (!wanted.includes(frame.index)) return;
    found.set(frame.index, frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height }));
  });
  return wanted.map((index) => {
    const image = found.get(index);
    if (!image) throw new Error(`${file} has no frame ${index}.`);
    return image;
  });
}
