import type { Face, FaceBox } from '@guise/engine/face/geometry/face.ts';
import type { RgbImage } from '@guise/kernels/image.ts';

/**
 * A box where something covers the face: `left, top, right, bottom` as shares of the face's box.
 */
interface OccluderBox {
  readonly box: readonly [number, number, number, number];
  /**
   * Pixels of the box that belong to the occluder: all of them (hand, hair), or the dark ones (rims
   * of glasses, strands).
   */
  readonly what: 'all' | 'dark';
}

const dark = (...box: OccluderBox['box']): OccluderBox => ({ box, what: 'dark' });
const all = (...box: OccluderBox['box']): OccluderBox => ({ box, what: 'all' });

/**
 * Occluders by portrait, marked by eye. The clear glasses of p18 are not marked, because no rule
 * can distinguish them from skin.
 */
const OCCLUDERS: Readonly<Record<string, readonly OccluderBox[]>> = {
  p20: [dark(0.03, 0.23, 0.18, 0.33), dark(0.44, 0.25, 0.62, 0.38), dark(0.88, 0.22, 1, 0.33)],
  p22: [all(0.18, 0.96, 0.42, 1), dark(0.86, 0.05, 0.97, 0.35)],
  p25: [
    dark(0.02, 0.24, 0.14, 0.45),
    dark(0.44, 0.24, 0.57, 0.46),
    dark(0.86, 0.2, 0.99, 0.44),
    dark(0.1, 0.43, 0.44, 0.5),
  ],
  p33: [
    dark(0, 0.24, 0.1, 0.4),
    dark(0.42, 0.24, 0.58, 0.4),
    dark(0.9, 0.24, 1, 0.4),
    dark(0.1, 0.38, 0.42, 0.44),
    dark(0.58, 0.38, 0.9, 0.44),
  ],
  p34: [all(0.5, 0, 0.75, 0.15)],
  p53: [all(0.1, 0.62, 0.3, 0.8), all(0.35, 0.6, 0.6, 0.85), all(0.5, 0, 0.9, 0.3)],
  p60: [
    all(0.25, 0, 0.42, 0.16),
    dark(0.02, 0.26, 0.14, 0.5),
    dark(0.42, 0.26, 0.58, 0.36),
    dark(0.86, 0.22, 1, 0.46),
    dark(0.1, 0.46, 0.4, 0.54),
  ],
};
/** A pixel is dark if its luma is below this share of the median luma of the face's box. */
const DARK_SHARE = 0.55;
/**
 * Largest luma change of a pixel that counts as kept. It is used for hands and hair, which may be
 * as bright as skin.
 */
const KEPT_STEP = 20;

/**
 * Returns the share of an occluder's pixels that are kept in the swap, 0..1; null if nothing is
 * marked. A dark pixel counts as kept if it is closer to its old value than to the median luma of
 * the face.
 */
export function occluderRetention(
  name: string,
  { box }: Face,
  target: RgbImage,
  result: RgbImage,
): number | null {
  const boxes = OCCLUDERS[name];
  if (boxes === undefined) return null;
  const skin = medianLuma(target, box);
  let kept = 0;
  let count = 0;
  for (const { box: part, what } of boxes) {
    const [left, top, right, bottom] = inPixels(part, box, target);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = 3 * (y * target.width + x);
        const was = lumaAt(target, at);
        if (what === 'dark' && was >= DARK_SHARE * skin) continue;
        const most = what === 'dark' ? (skin - was) / 2 : KEPT_STEP;
        count += 1;
        if (Math.abs(lumaAt(result, at) - was) <= most) kept += 1;
      }
    }
  }
  return kept / count;
}

/** Converts a box to pixels, and clips it to the image. */
function inPixels(
  [left, top, right, bottom]: OccluderBox['box'],
  { x, y, width, height }: FaceBox,
  image: RgbImage,
): [number, number, number, number] {
  return [
    Math.max(0, Math.round(x + left * width)),
    Math.max(0, Math.round(y + top * height)),
    Math.min(image.width, Math.round(x + right * width)),
    Math.min(image.height, Math.round(y + bottom * height)),
  ];
}

function medianLuma(image: RgbImage, box: FaceBox): number {
  const [left, top, right, bottom] = inPixels([0, 0, 1, 1], box, image);
  const lumas: number[] = [];
  for (let y = top; y < bottom; y += 2) {
    for (let x = left; x < right; x += 2) lumas.push(lumaAt(image, 3 * (y * image.width + x)));
  }
  lumas.sort((a, b) => a - b);
  return lumas[lumas.length >> 1]!;
}

function lumaAt({ data }: RgbImage, at: number): number {
  return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
}
