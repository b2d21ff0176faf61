import type { RgbImage } from '@guise/kernels/image.ts';
import type { GlassesShape } from './glasses-shape.ts';
import { chooseShape, ringOf } from './glasses-shape.ts';
import { headSpace, sum, type Vector } from './head-space.ts';
import type { Colour } from './paint.ts';
import { paintArea, paintLine } from './paint.ts';
import type { Choice } from './random-choice.ts';
import { choiceBy } from './random-choice.ts';

/** Colours of frames: black and dark plastic, tortoiseshell, bright plastic, metals, flesh. */
const FRAME_COLOURS: readonly Colour[] = [
  [18, 18, 20],
  [10, 10, 10],
  [30, 26, 24],
  [60, 38, 24],
  [92, 56, 32],
  [40, 50, 80],
  [110, 30, 34],
  [90, 90, 95],
  [130, 130, 132],
  [170, 150, 110],
  [190, 190, 195],
  [225, 220, 215],
  [200, 170, 150],
];
/** Colours of reflections on lenses: windows, the sky, coatings. */
const GLARE_COLOURS: readonly Colour[] = [
  [250, 250, 250],
  [200, 225, 255],
  [150, 160, 255],
  [190, 255, 210],
];
const HIGHLIGHT_COLOUR: Colour = [245, 245, 245];
const LENSES = [0, 1] as const;

/** Pictures into which the parts of a pair of glasses are drawn. They may be the same picture. */
export interface GlassesLayers {
  /** Tint and glare of the lenses. */
  readonly lens: RgbImage;
  /** Shadow of the frame on the face. */
  readonly shadow: RgbImage;
  readonly frame: RgbImage;
}

/** Draws a random pair of glasses on a face, in place. @param landmarks pixels of the image */
export function drawGlasses(image: RgbImage, landmarks: Float32Array, random: () => number): void {
  drawGlassesApart({ lens: image, shadow: image, frame: image }, landmarks, random);
}

/**
 * Draws a random pair of glasses, each part into its own picture, in place.
 * @returns outlines of both lenses, pixels
 */
export function drawGlassesApart(
  layers: GlassesLayers,
  landmarks: Float32Array,
  random: () => number,
): Vector[][] {
  const choice = choiceBy(random);
  const { between, oneOf, maybe } = choice;
  const head = headSpace(landmarks);
  const shape = chooseShape(landmarks, head, choice);
  drawTint(layers.lens, shape, choice);
  if (maybe(0.4)) for (const lens of LENSES) if (maybe(0.85)) drawGlare(layers.lens, shape, lens, choice);
  if (maybe(0.6)) drawShadow(layers.shadow, shape, head.distance, choice);
  const colour = oneOf(FRAME_COLOURS);
  const isClear = shape.isThick && maybe(0.3);
  const opacity = isClear ? between(0.25, 0.6) : between(0.75, 1);
  for (const line of shape.lines)
    paintLine(layers.frame, line.points, {
      colour,
      width: line.width * shape.width,
      opacity: line.opacity * opacity,
      softness: 0.35,
    });
  if (maybe(0.55)) drawHighlights(layers.frame, shape, opacity, choice);
  return LENSES.map((lens) => ringOf((angle) => shape.onLens(lens, angle, 1)));
}

/** Darkens or colours the lenses: strongly for sunglasses, slightly for many others. */
function drawTint(image: RgbImage, { onLens }: GlassesShape, { between, maybe }: Choice): void {
  const isDark = maybe(0.2);
  if (!isDark && !maybe(0.4)) return;
  const opacity = isDark ? between(0.15, 0.85) : between(0.02, 0.1);
  const colour: Colour = maybe(0.6) ? [20, 20, 22] : [between(60, 140), between(60, 120), between(60, 140)];
  for (const lens of LENSES)
    paintArea(
      image,
      ringOf((angle) => onLens(lens, angle, 1)),
      colour,
      opacity,
    );
}

/** Draws reflections on a lens: up to three patches that follow its rim. */
function drawGlare(image: RgbImage, { onLens }: GlassesShape, lens: 0 | 1, { between, oneOf }: Choice): void {
  const colour = oneOf(GLARE_COLOURS);
  const count = oneOf([1, 2, 3]);
  for (let k = 0; k < count; k++) {
    const from = between(0, 2 * Math.PI);
    const span = between(0.2, 1.2);
    const inner = between(0, 0.6);
    const outer = Math.min(0.95, inner + between(0.15, 0.6));
    const points = [0, 0.33, 0.66, 1].map((share) => onLens(lens, from + share * span, outer));
    points.push(...[1, 0.5, 0].map((share) => onLens(lens, from + share * span, inner)));
    paintArea(image, points, colour, between(0.2, 0.95));
  }
}

/** Draws the soft shadow of the frame on the face. */
function drawShadow(
  image: RgbImage,
  { lines, width }: GlassesShape,
  distance: number,
  { between }: Choice,
): void {
  const opacity = between(0.08, 0.35);
  const away = [between(-0.05, 0.05) * distance, between(0.02, 0.12) * distance, 0] as const;
  for (const line of lines)
    paintLine(
      image,
      line.points.map((point) => sum(point, away)),
      { colour: [0, 0, 0], width: 1.8 * line.width * width, opacity, softness: 0.9 },
    );
}

/** Draws a highlight along the upper edge of a part of each line. */
function drawHighlights(
  image: RgbImage,
  { lines, width }: GlassesShape,
  frameOpacity: number,
  { between }: Choice,
): void {
  const bright = between(0.2, 0.8);
  const up = [0, -between(0.15, 0.4) * width, 0] as const;
  for (const line of lines) {
    const from = Math.floor(between(0, 0.7 * line.points.length));
    const part = line.points.slice(from, from + 2 + Math.floor(between(0.15, 0.9) * line.points.length));
    paintLine(
      image,
      part.map((point) => sum(point, up)),
      {
        colour: HIGHLIGHT_COLOUR,
        width: 0.4 * line.width * width,
        opacity: bright * frameOpacity * line.opacity,
        softness: 0.6,
      },
    );
  }
}
