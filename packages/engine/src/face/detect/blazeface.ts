import { applyAffine } from '@guise/kernels/affine.ts';
import type { Affine } from '@guise/kernels/affine.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import type { ModelOutputs } from '../../models/model.ts';
import type { Network } from '../../models/open-size-model.ts';
import type { Candidate } from './candidate.ts';

export interface DetectionPass {
  /** Longer side of the network's input in pixels. */
  readonly inputSide: number;
  /** Number of quarter turns by which the view of the image is turned (its x axis, clockwise). */
  readonly quarterTurns: 0 | 1 | 2 | 3;
  /** Lowest score, 0..1. */
  readonly threshold: number;
}

/**
 * Number of pixels of which the input's sides are multiples. The network halves its input five
 * times.
 */
const INPUT_MULTIPLE_PX = 32;
/** Grids of the network: distance between cells in pixels, and number of anchors per cell. */
const ANCHOR_GRIDS = [
  { stride: 16, anchors: 2 },
  { stride: 32, anchors: 6 },
];
/** Numbers per anchor: the box, then six points. */
const NUMBERS_PER_ANCHOR = 16;

/** Values that the network expects: -1 to 1. */
const INPUT_FORMAT: PlaneFormat = { scale: 1 / 127.5, offset: [-1, -1, -1], order: 'rgb', outside: 'black' };

/**
 * Runs the detector once over the whole image. Returns several overlapping candidates per face, in
 * no particular order.
 */
export async function runBlazeface(
  model: Network,
  pyramid: ImagePyramid,
  { inputSide, quarterTurns, threshold }: DetectionPass,
): Promise<Candidate[]> {
  const { width: imageWidth, height: imageHeight } = pyramid.image;
  const sideways = quarterTurns % 2 === 1;
  const viewWidth = sideways ? imageHeight : imageWidth;
  const viewHeight = sideways ? imageWidth : imageHeight;
  const shrink = inputSide / Math.max(viewWidth, viewHeight);
  const width = Math.max(1, Math.ceil((viewWidth * shrink) / INPUT_MULTIPLE_PX)) * INPUT_MULTIPLE_PX;
  const height = Math.max(1, Math.ceil((viewHeight * shrink) / INPUT_MULTIPLE_PX)) * INPUT_MULTIPLE_PX;
  const scale = Math.max(viewWidth / width, viewHeight / height);
  const toImage = viewToImage(pyramid, quarterTurns, width, height, scale);
  const pass = `${inputSide} ${quarterTurns}`;
  return model.run(
    height,
    width,
    (input) => warpToPlanes(pyramid, toImage, width, height, INPUT_FORMAT, input),
    (outputs) => decode(outputs, width, height, { toImage, scale, threshold, pass }),
  );
}

/**
 * Maps the network's input to the image, which is centred in it at `scale` image pixels per input
 * pixel.
 */
function viewToImage(
  pyramid: ImagePyramid,
  quarterTurns: number,
  width: number,
  height: number,
  scale: number,
): Affine {
  const cos = [1, 0, -1, 0][quarterTurns]! * scale;
  const sin = [0, 1, 0, -1][quarterTurns]! * scale;
  const centreX = pyramid.image.width / 2;
  const centreY = pyramid.image.height / 2;
  return [
    cos,
    -sin,
    centreX - (cos * width) / 2 + (sin * height) / 2,
    sin,
    cos,
    centreY - (sin * width) / 2 - (cos * height) / 2,
  ];
}

interface Decoding {
  readonly toImage: Affine;
  readonly scale: number;
  readonly threshold: number;
  readonly pass: string;
}

function decode(
  { boxes, logits }: ModelOutputs,
  width: number,
  height: number,
  decoding: Decoding,
): Candidate[] {
  const { toImage, scale, threshold, pass } = decoding;
  const lowestLogit = -Math.log(1 / threshold - 1);
  const found: Candidate[] = [];
  let anchor = 0;
  for (const { stride, anchors } of ANCHOR_GRIDS) {
    const columns = Math.ceil(width / stride);
    const cells = columns * Math.ceil(height / stride);
    for (let i = 0; i < cells * anchors; i++, anchor++) {
      const logit = logits![anchor]!;
      if (logit < lowestLogit) continue;
      const cell = Math.floor(i / anchors);
      const anchorX = ((cell % columns) + 0.5) * stride;
      const anchorY = (Math.floor(cell / columns) + 0.5) * stride;
      const row = anchor * NUMBERS_PER_ANCHOR;
      const [x, y] = applyAffine(toImage, anchorX + boxes![row]!, anchorY + boxes![row + 1]!);
      // Boxes are squares, so a quarter turn keeps their sides.
      const halfWidth = (boxes![row + 2]! * scale) / 2;
      const halfHeight = (boxes![row + 3]! * scale) / 2;
      const left = applyAffine(toImage, anchorX + boxes![row + 4]!, anchorY + boxes![row + 5]!);
      const right = applyAffine(toImage, anchorX + boxes![row + 6]!, anchorY + boxes![row + 7]!);
      found.push({
        left: x - halfWidth,
        top: y - halfHeight,
        right: x + halfWidth,
        bottom: y + halfHeight,
        score: 1 / (1 + Math.exp(-logit)),
        eyeAngle: Math.atan2(right[1] - left[1], right[0] - left[0]),
        pass,
      });
    }
  }
  return found;
}
