import type { RgbImage } from '@guise/kernels/image.ts';
import { headSpace, pointOf, type Vector } from './head-space.ts';
import { type Colour, paintLine } from './paint.ts';
import { type Choice, choiceBy } from './random-choice.ts';

/** A strand of hair. The unit is the distance between the eyes. */
interface Strand {
  readonly from: number;
  readonly to: number;
  readonly bend: number;
  readonly end: number;
}

const FOREHEAD_VERTEX = 10;
/** Points along a strand. */
const STEPS = 14;
/** Height above the forehead's vertex at which strands begin, in distances between the eyes. */
const ROOT_HEIGHT = 0.45;

/**
 * Draws locks and a fringe that hang from the hairline, in place.
 * @param landmarks pixels of the image
 */
export function drawHair(image: RgbImage, landmarks: Float32Array, random: () => number): void {
  const choice = choiceBy(random);
  const { between, oneOf } = choice;
  const tone = between(8, 200);
  const warmth = between(0.55, 0.97);
  const colour: Colour = [tone, tone * warmth, tone * warmth * between(0.55, 0.95)];
  const spread = between(0.4, 1.6);
  const locks = oneOf([1, 1, 2, 3, 5, 9]);
  for (let k = 0; k < locks; k++) drawLock(image, landmarks, colour, spread, choice);
}

function drawLock(
  image: RgbImage,
  landmarks: Float32Array,
  colour: Colour,
  spread: number,
  { between, oneOf }: Choice,
): void {
  const { distance } = headSpace(landmarks);
  const root = pointOf(landmarks, FOREHEAD_VERTEX);
  const from = between(-1.5, 1.5) * spread;
  const to = from + between(-0.9, 0.9);
  const lock: Strand = { from, to, bend: (from + to) / 2 + between(-0.4, 0.4), end: between(0.2, 1.9) };
  const width = between(0.02, 0.28);
  const opacity = between(0.4, 1);
  const strands = oneOf([1, 3, 8, 16, 32]);
  for (let k = 0; k < strands; k++) {
    const aside = between(-width, width);
    const light = between(0.65, 1.35);
    const tip = aside * between(0, 1.2);
    const strand = {
      from: lock.from + aside,
      to: lock.to + tip,
      bend: lock.bend + (aside + tip) / 2,
      end: lock.end + between(-0.08, 0.02),
    };
    paintLine(image, pointsOf(strand, root, distance), {
      colour: colour.map((value) => Math.min(255, value * light)) as unknown as Colour,
      width: between(0.006, 0.05) * distance,
      opacity,
      softness: 0.5,
    });
  }
}

/** Returns points on a quadratic curve from the root to the tip. */
function pointsOf({ from, to, bend, end }: Strand, [x, y]: Vector, distance: number): Vector[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const u = step / STEPS;
    const [a, b, c] = [(1 - u) ** 2, 2 * u * (1 - u), u ** 2];
    const across = a * from + b * bend + c * to;
    const down = a * -ROOT_HEIGHT + (b * (end - ROOT_HEIGHT)) / 2 + c * end;
    return [x + across * distance, y + down * distance, 0];
  });
}
