import { readdir } from 'node:fs/promises';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { cropImage } from '@guise/kernels/crop-image.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { fixture } from '../../scripts/fixtures.ts';
import { readRgb, toSharp } from '../../scripts/read-rgb.ts';

/** One face of the fixtures, cut out with what is around it. */
export interface FixtureFace {
  /** File under the fixtures' folder. */
  readonly file: string;
  /** Whole second of a clip; 0 of a photo. */
  readonly second: number;
  /** Middle and longer side of the face's box, pixels of the picture. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly yaw: number;
  readonly image: RgbImage;
  /** 478 x (x, y, z), pixels of the cut-out. */
  readonly landmarks: Float32Array;
}

/** Files beside portraits, groups, GIFs and videos that show other people. */
const OTHER_FILES = ['odd/o16_curie.jpg', 'odd/o20_hopper.webp'];
/** Longer side of a face in its cut-out at most: no atlas of the decision shows more. */
const LARGEST_FACE_PX = 480;
/** Room around a face's box, as a share of it. */
const MARGIN_SHARE = 0.25;
/** Longer side of a picture that faces are searched in. */
const LONGEST_PX = 2600;

/** Cuts out every face of the fixtures, and of clips the faces of one frame a second. */
export async function readFixtureFaces(engine: Engine): Promise<FixtureFace[]> {
  const faces: FixtureFace[] = [];
  const take = async (file: string, second: number, image: RgbImage): Promise<void> => {
    for (const face of await engine.detect(image)) faces.push(await cutOut(file, second, image, face));
  };
  for (const file of [...(await list('portraits')), ...(await list('groups')), ...OTHER_FILES])
    await take(file, 0, await readRgb(fixture(file), { longest: LONGEST_PX }));
  for (const file of [...(await list('gif')), ...(await list('video'))]) {
    let next = 0;
    await scanVideo(fixture(file), async (frame) => {
      if (frame.timeSeconds < next) return;
      const whole = { x: 0, y: 0, width: frame.width, height: frame.height };
      await take(file, next, frame.rgb(whole));
      next += 1;
    });
  }
  return faces;
}

async function list(folder: string): Promise<string[]> {
  const names = (await readdir(fixture(folder))).filter((name) => !name.endsWith('.mkv'));
  return names.sort().map((name) => `${folder}/${name}`);
}

async function cutOut(file: string, second: number, image: RgbImage, face: Face): Promise<FixtureFace> {
  const { x, y, width, height } = face.box;
  const size = Math.max(width, height);
  const room = MARGIN_SHARE * size;
  const left = Math.max(0, Math.floor(x - room));
  const top = Math.max(0, Math.floor(y - room));
  const right = Math.min(image.width, Math.ceil(x + width + room));
  const bottom = Math.min(image.height, Math.ceil(y + height + room));
  const part = cropImage(image, { x: left, y: top, width: right - left, height: bottom - top });
  const scale = Math.min(1, LARGEST_FACE_PX / size);
  const shrunk = scale === 1 ? part : await shrink(part, scale);
  const [toX, toY] = [shrunk.width / part.width, shrunk.height / part.height];
  const landmarks = face.landmarks.map((value, i) =>
    i % 3 === 0 ? (value - left) * toX : i % 3 === 1 ? (value - top) * toY : value * toX,
  );
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  return { file, second, ...middle, size: Math.round(size), yaw: face.pose.yaw, image: shrunk, landmarks };
}

async function shrink(image: RgbImage, scale: number): Promise<RgbImage> {
  const width = Math.round(image.width * scale);
  const height = Math.round(image.height * scale);
  const { data } = await toSharp(image)
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height };
}
