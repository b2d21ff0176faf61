import { rm } from 'node:fs/promises';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/**
 * Number of frames in the clip, which lasts ten seconds. The fixed time of a swap has the share
 * that it has in a clip of that length.
 */
const FRAMES = 250;
/** Width of the face as a share of the shorter side, as in a video of one talking person. */
const FACE_SHARE = 0.42;
/** Distance by which background and face move, pixels. */
const WANDER = 60;
/** Crop of the sample figure's head and shoulders, because most sources show these. */
export const PORTRAIT = { left: 440, top: 0, width: 300, height: 300 };

/**
 * Makes a landscape H.264 clip: a face in front of a background of soft noise. Both move.
 * @returns false without node-av
 */
export async function makeTalk(file: string, shortSide: number, frames = FRAMES): Promise<boolean> {
  const av = await loadNodeAv();
  if (av === null) return false;
  const height = shortSide;
  const width = (16 * shortSide) / 9;
  const blank = `${file}.blank.mp4`;
  const ticks = Array.from({ length: frames }, (_, index) => index * 40);
  const timeBase = { num: 1, den: 1000 };
  await makeClip(av, blank, { container: 'mp4', width, height, ticks, timeBase, sound: true });
  const { face } = await readSampleFaces();
  const side = Math.round(FACE_SHARE * shortSide);
  const head = await pixels(sharp(face).resize(side, side));
  const grain = { type: 'gaussian', mean: 110, sigma: 70 } as const;
  const behind = await pixels(
    sharp({
      create: {
        width: width + WANDER,
        height: height + WANDER,
        channels: 3,
        background: '#888',
        noise: grain,
      },
    }).blur(2.5),
  );
  await processVideo({
    inputPath: blank,
    outputPath: file,
    container: 'mp4',
    onFrame: (frame) => {
      const at = (share: number): number => Math.round((WANDER / 2) * (1 + Math.sin(share * frame.index)));
      const data = new Uint8Array(3 * width * height);
      paste(behind, at(0.03), at(0.02), { data, width, height }, 0, 0, width, height);
      const [x, y] = [(width - side) / 2 + at(0.05), height / 4 + at(0.07)].map(Math.round) as [
        number,
        number,
      ];
      paste(head, 0, 0, { data, width, height }, x, y, side, side);
      frame.commitRgb({ x: 0, y: 0, width, height }, { data, width, height });
    },
  });
  await rm(blank);
  return true;
}

function paste(
  from: RgbImage,
  left: number,
  top: number,
  to: RgbImage,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  for (let row = 0; row < height; row++) {
    const start = 3 * ((top + row) * from.width + left);
    to.data.set(from.data.subarray(start, start + 3 * width), 3 * ((y + row) * to.width + x));
  }
}

export async function pixels(picture: Sharp): Promise<RgbImage> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}
