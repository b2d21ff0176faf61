import type { RgbImage } from '@guise/kernels/image.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { headSpace, pointOf, sum, type Vector } from './head-space.ts';
import { type Colour, paintLine } from './paint.ts';
import { type Choice, choiceBy } from './random-choice.ts';

/** Vertices along the lower lids, the brows and the upper lids of both eyes. */
const BAGS = [
  [33, 110, 24, 23, 22, 26, 133],
  [263, 339, 254, 253, 252, 256, 362],
];
const BROWS = [
  [46, 53, 52, 65, 55],
  [276, 283, 282, 295, 285],
];
const LIDS = [
  [33, 161, 160, 159, 158, 157, 133],
  [263, 388, 387, 386, 385, 384, 362],
];
const FOREHEAD_VERTEX = 10;
const NOSE_ROOT_VERTEX = 168;

/**
 * Paints what may be taken for glasses, in place: bags under the eyes, low brows, made-up lids,
 * strands over the brows, furrows, edges of shadows. Faces with glasses get them as well.
 */
export function drawDistractors(image: RgbImage, landmarks: Float32Array, random: () => number): void {
  const choice = choiceBy(random);
  const { between, maybe } = choice;
  const { distance } = headSpace(landmarks);
  /** Soft lines along vertices of both sides, so far below them. */
  const along = (
    rings: readonly (readonly number[])[],
    drop: number,
    width: number,
    colour: Colour,
    opacity: number,
  ): void => {
    for (const ring of rings)
      paintLine(
        image,
        ring.map((vertex) => sum(pointOf(landmarks, vertex), [0, drop * distance, 0])),
        { colour, width: width * distance, opacity, softness: 0.8 },
      );
  };
  if (maybe(0.25)) shadeHalf(image, pointOf(landmarks, NOSE_ROOT_VERTEX), distance, choice);
  if (maybe(0.2)) along(BAGS, between(0.1, 0.3), between(0.03, 0.12), [40, 20, 15], between(0.05, 0.3));
  if (maybe(0.15)) along(BROWS, between(0, 0.2), between(0.08, 0.2), [35, 25, 20], between(0.3, 0.9));
  if (maybe(0.15)) along(LIDS, -0.03, between(0.04, 0.2), [30, 20, 30], between(0.2, 0.7));
  if (maybe(0.2)) drawStrands(image, pointOf(landmarks, FOREHEAD_VERTEX), distance, choice);
  if (maybe(0.12)) drawFurrows(image, pointOf(landmarks, NOSE_ROOT_VERTEX), distance, choice);
}

/** Draws strands of hair from above the forehead down to the brows or the eyes. */
function drawStrands(image: RgbImage, [x, y]: Vector, distance: number, { between, oneOf }: Choice): void {
  const tone = between(15, 190);
  const count = oneOf([1, 2, 4, 8, 12]);
  for (let k = 0; k < count; k++) {
    const from = x + between(-1.4, 1.4) * distance;
    const to = from + between(-0.5, 0.5) * distance;
    const end = y + between(0.5, 1.7) * distance;
    const bend = (from + to) / 2 + between(-0.1, 0.1) * distance;
    const points: Vector[] = [
      [from, y - 0.4 * distance, 0],
      [bend, (y + end) / 2, 0],
      [to, end, 0],
    ];
    paintLine(image, points, {
      colour: [tone, 0.85 * tone, 0.7 * tone],
      width: between(0.01, 0.1) * distance,
      opacity: between(0.3, 1),
      softness: 0.6,
    });
  }
}

/** Draws one furrow across the root of the nose, or two between the brows. */
function drawFurrows(image: RgbImage, [x, y]: Vector, distance: number, { between, maybe }: Choice): void {
  const length = between(0.1, 0.3) * distance;
  const aside = 0.1 * distance;
  const lines: Vector[][] = maybe(0.5)
    ? [
        [
          [x - length, y, 0],
          [x + length, y, 0],
        ],
      ]
    : [-aside, aside].map((by) => [
        [x + by, y - length, 0],
        [x + by, y + length / 2, 0],
      ]);
  const brush = {
    colour: [50, 25, 20] as const,
    width: between(0.02, 0.06) * distance,
    opacity: between(0.1, 0.5),
    softness: 0.9,
  };
  for (const points of lines) paintLine(image, points, brush);
}

/** Darkens or brightens what lies on one side of a line near the eyes. */
function shadeHalf(
  { data, width, height }: RgbImage,
  [middleX, middleY]: Vector,
  distance: number,
  { between, maybe }: Choice,
): void {
  const angle = between(0, 2 * Math.PI);
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  const away = between(-1.2, 1.2) * distance;
  const soft = between(0.03, 0.43) * distance;
  const factor = maybe(0.7) ? between(0.35, 0.85) : between(1.15, 1.65);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 3) {
      const share = smoothstep(-soft, soft, (x - middleX) * across + (y - middleY) * down - away);
      if (share === 0) continue;
      const by = 1 + share * (factor - 1);
      for (let k = 0; k < 3; k++) data[i + k] = Math.min(255, Math.round(data[i + k]! * by));
    }
}
