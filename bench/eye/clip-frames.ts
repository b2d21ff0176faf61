import type { RgbImage } from '@guise/kernels/image.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';

/** Number of moments and of consecutive frames of a clip on a sheet. */
export const SHOWN_FRAMES = 6;

/** Returns moments that are evenly spread over a clip of `frameCount` frames. */
export function momentsOf(frameCount: number): number[] {
  return Array.from({ length: SHOWN_FRAMES }, (_, k) => Math.floor(((k + 0.5) * frameCount) / SHOWN_FRAMES));
}

/** Returns the consecutive frames in the middle of a clip. */
export function middleOf(frameCount: number): number[] {
  const first = Math.max(0, Math.floor((frameCount - SHOWN_FRAMES) / 2));
  return Array.from({ length: SHOWN_FRAMES }, (_, k) => Math.min(first + k, frameCount - 1));
}

export async function countFrames(file: string): Promise<number> {
  return scanVideo(file, () => {});
}

/** Reads frames of a clip, in the given order. */
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
