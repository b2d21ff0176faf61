import type { HeadSpace, Vector } from './head-space.ts';
import { pointOf, scaled, sum } from './head-space.ts';
import type { Choice } from './random-choice.ts';

/** One line of a pair of glasses. */
export interface FrameLine {
  readonly points: readonly Vector[];
  /** Width, as a multiple of the width of the frame. */
  readonly width: number;
  /** Opacity, as a multiple of the opacity of the frame. */
  readonly opacity: number;
}

/** The shape of a pair of glasses on a face. */
export interface GlassesShape {
  /** Width of the lines, pixels. */
  readonly width: number;
  readonly isThick: boolean;
  readonly lines: readonly FrameLine[];
  /** Returns a point of a lens (0 or 1), in polar coordinates. The rim has the radius 1. */
  readonly onLens: (lens: 0 | 1, angle: number, radius: number) => Vector;
}

/** Number of points around a lens. */
const RING_STEPS = 72;
/** Vertices at the temples, first the one on the left of the image. */
const TEMPLE_VERTICES = [127, 356] as const;
/** If the side of an arm is turned further away from the camera, the face hides the arm. */
const HIDDEN_TURN = 0.3;

/** Chooses a random pair of glasses for a face. Lengths are in distances between the eyes. */
export function chooseShape(landmarks: Float32Array, head: HeadSpace, choice: Choice): GlassesShape {
  const { between, oneOf, maybe } = choice;
  const rim = oneOf(['full', 'full', 'full', 'full', 'half', 'half', 'none', 'none'] as const);
  const isThick = rim === 'full' && maybe(0.55);
  const width = (isThick ? between(0.05, 0.12) : between(0.018, 0.05)) * head.distance;
  const halfWidth = between(0.31, 0.46);
  const halfHeight = halfWidth * between(0.5, 1.02);
  const middle = between(0.1, 0.19) + halfWidth;
  const squareness = between(2, 5);
  const drop = between(-0.02, 0.16);
  const tilt = between(-0.05, 0.05);
  const wrap = between(0, 0.25);
  const before = between(0.08, 0.28);
  const at = (x: number, y: number): Vector => head.place(x, y + drop + tilt * x, before - wrap * x * x);
  const onLens = (lens: 0 | 1, angle: number, radius: number): Vector => {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const reach = radius / (Math.abs(cos) ** squareness + Math.abs(sin) ** squareness) ** (1 / squareness);
    return at(SIGNS[lens] * (middle + halfWidth * reach * cos), halfHeight * reach * sin);
  };

  const lines: FrameLine[] = [];
  const upper = rim === 'full' ? between(1, 1.4) : 1;
  const lower = {
    width: rim === 'full' ? between(0.6, 1) : 0.4,
    opacity: rim === 'full' ? 1 : between(0, 0.35),
  };
  for (const lens of [0, 1] as const) {
    const ring = ringOf((angle) => onLens(lens, angle, 1));
    if (rim === 'none') lines.push({ points: ring, ...lower });
    else {
      lines.push({ points: [...ring.slice(RING_STEPS / 2), ...ring.slice(1, 3)], width: upper, opacity: 1 });
      lines.push({ points: ring.slice(0, RING_STEPS / 2 + 1), ...lower });
    }
  }
  const inner = middle - halfWidth * between(0.86, 1);
  const bridge = halfHeight * between(-0.75, 0.05);
  const arch = halfHeight * between(0, 0.3);
  lines.push({
    points: Array.from({ length: 13 }, (_, k) =>
      at(inner * (k / 6 - 1), bridge - arch * (1 - (k / 6 - 1) ** 2)),
    ),
    width: between(0.7, 1.3),
    opacity: 1,
  });
  if (maybe(0.2)) {
    const bar = -0.85 * halfHeight;
    lines.push({ points: [at(-inner, bar), at(inner, bar)], width: between(0.6, 1), opacity: 1 });
  }
  if (maybe(0.5)) {
    const pad = { width: between(0.4, 0.9), opacity: between(0.3, 0.8) };
    for (const sign of SIGNS)
      lines.push({
        points: [at(sign * (inner + 0.03), bridge + 0.08), at(sign * (inner - 0.03), bridge + 0.26)],
        ...pad,
      });
  }
  const hinge = halfHeight * between(-0.8, -0.1);
  const end = middle + halfWidth * 1.12;
  const arm = { width: between(0.6, 1.3), opacity: 1 };
  for (const [k, sign] of SIGNS.entries()) {
    lines.push({
      points: [at(sign * (middle + halfWidth), hinge), at(sign * end, hinge)],
      width: between(0.9, 1.6),
      opacity: 1,
    });
    if (sign * head.right[2] > HIDDEN_TURN) continue;
    const temple = sum(
      pointOf(landmarks, TEMPLE_VERTICES[k]!),
      scaled(head.right, sign * 0.04 * head.distance),
    );
    const ear = sum(temple, scaled(head.forward, -between(0.1, 0.4) * head.distance));
    lines.push({ points: [at(sign * end, hinge), ear], ...arm });
  }
  return { width, isThick, lines, onLens };
}

/** Signs of the x coordinates of both lenses. */
const SIGNS = [-1, 1] as const;

/** Returns points on a closed curve. The last point is the first one again. */
export function ringOf(at: (angle: number) => Vector): Vector[] {
  return Array.from({ length: RING_STEPS + 1 }, (_, k) => at((2 * Math.PI * k) / RING_STEPS));
}
