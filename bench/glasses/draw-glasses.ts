import type { RgbImage } from '@guise/kernels/image.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';

type Random = () => number;
type Vector = readonly [number, number, number];
type Colour = readonly [number, number, number];

/** Frames as they are worn: how much of each lens has a rim. */
type Rim = 'full' | 'half' | 'rimless';

/** Landmarks that a pair of glasses is put on by. */
const CORNERS = [
  [33, 133],
  [362, 263],
] as const;
const FOREHEAD = 10;
const CHIN = 152;
const TEMPLES = [127, 356] as const;

/** Colours of frames, from black plastic over tortoise and bright plastic to metals. */
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

/** Points around a lens. */
const RING_STEPS = 72;

/** Draws a random pair of glasses before a face, in place. `landmarks` are pixels of the image. */
export function drawGlasses(image: RgbImage, landmarks: Float32Array, random: Random): void {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const { place, distance, middle, right, forward } = spaceOf(landmarks);

  const rim = pick<Rim>(['full', 'full', 'full', 'full', 'half', 'half', 'rimless', 'rimless']);
  const isThick = rim === 'full' && random() < 0.55;
  const width = (isThick ? between(0.05, 0.12) : between(0.018, 0.05)) * distance;
  const colour = pick(FRAME_COLOURS).map((value) =>
    Math.min(255, value * between(0.85, 1.15)),
  ) as unknown as Colour;
  const isClear = isThick && random() < 0.3;
  const opacity = isClear ? between(0.25, 0.6) : between(0.75, 1);
  const bridge = between(0.2, 0.38);
  const halfWidth = between(0.31, 0.46);
  const halfHeight = halfWidth * between(0.5, 1.02);
  const drop = between(-0.02, 0.16);
  const squareness = between(2, 5);
  const tilt = between(-0.05, 0.05);
  const wrap = between(0, 0.25);
  const before = between(0.08, 0.28);
  const centre = bridge / 2 + halfWidth;

  /** A point of the glasses' plane, x to the image's right and y down, in eye distances. */
  const at = (x: number, y: number): Vector => place(x, y + drop + tilt * x, before - wrap * x * x);
  const onLens = (sign: number, angle: number, radius = 1): Vector => {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const reach = radius / (Math.abs(cos) ** squareness + Math.abs(sin) ** squareness) ** (1 / squareness);
    return at(sign * (centre + halfWidth * reach * cos), halfHeight * reach * sin);
  };
  const ring = (sign: number, radius = 1): Vector[] =>
    Array.from({ length: RING_STEPS + 1 }, (_, k) => onLens(sign, (2 * Math.PI * k) / RING_STEPS, radius));

  const tint = random() < 0.2 ? between(0.15, 0.85) : random() < 0.4 ? between(0.02, 0.1) : 0;
  const tintColour: Colour =
    random() < 0.6 ? [20, 20, 22] : [between(60, 140), between(60, 120), between(60, 140)];
  const hasGlare = random() < 0.4;
  const glareColour = pick<Colour>([
    [250, 250, 250],
    [200, 225, 255],
    [150, 160, 255],
    [190, 255, 210],
  ]);
  for (const sign of [-1, 1]) {
    if (tint > 0) fill(image, ring(sign), tintColour, tint);
    if (hasGlare && random() < 0.85) {
      for (let k = 0; k < 1 + 2 * random(); k++) {
        const angle = between(0, 2 * Math.PI);
        const span = between(0.2, 1.2);
        const inner = between(0, 0.6);
        const outer = Math.min(0.95, inner + between(0.15, 0.6));
        const points = [0, 0.33, 0.66, 1].map((t) => onLens(sign, angle + t * span, outer));
        points.push(...[1, 0.5, 0].map((t) => onLens(sign, angle + t * span, inner)));
        fill(image, points, glareColour, between(0.2, 0.95));
      }
    }
  }

  const strokes: { readonly points: Vector[]; readonly width: number; readonly opacity: number }[] = [];
  const add = (points: Vector[], share = 1, seen = opacity): void => {
    strokes.push({ points, width: share * width, opacity: seen });
  };
  const lowerSeen = rim === 'full' ? opacity : between(0, 0.35);
  for (const sign of [-1, 1]) {
    if (rim === 'rimless') add(ring(sign), 0.5, lowerSeen);
    else {
      const points = ring(sign);
      const upper = points.slice(RING_STEPS / 2 - 2, RING_STEPS + 1);
      upper.push(...points.slice(0, 3));
      const lower = points.slice(0, RING_STEPS / 2 + 1);
      add(upper, rim === 'full' ? between(1, 1.4) : 1);
      add(lower, rim === 'full' ? between(0.6, 1) : 0.4, lowerSeen);
    }
  }
  const bridgeY = halfHeight * between(-0.75, 0.05);
  const arch = halfHeight * between(0, 0.3);
  const inner = centre - halfWidth * between(0.86, 1);
  add(
    Array.from({ length: 13 }, (_, k) => {
      const x = inner * (k / 6 - 1);
      return at(x, bridgeY - arch * (1 - (x / inner) ** 2));
    }),
    between(0.7, 1.3),
  );
  if (random() < 0.25) add([at(-inner, -0.85 * halfHeight), at(inner, -0.85 * halfHeight)], between(0.6, 1));
  if (random() < 0.5) {
    const padColour = between(0.3, 0.8);
    for (const sign of [-1, 1])
      add(
        [0, 0.5, 1].map((t) => at(sign * (inner - 0.02 - 0.06 * t + 0.05), bridgeY + 0.08 + 0.18 * t)),
        between(0.4, 0.9),
        padColour,
      );
  }
  const hingeY = halfHeight * between(-0.8, -0.1);
  for (const [k, sign] of [-1, 1].entries()) {
    const hinge = at(sign * (centre + halfWidth * between(0.95, 1.04)), hingeY);
    const outer = at(sign * (centre + halfWidth * 1.12), hingeY);
    add([hinge, outer], between(0.9, 1.6));
    // The arm on the side that is turned away is behind the face.
    if (sign * right[2] > 0.3) continue;
    const temple = landmarks.subarray(3 * TEMPLES[k]!, 3 * TEMPLES[k]! + 3);
    const back = between(0.1, 0.4) * distance;
    const end: Vector = [
      temple[0]! + sign * right[0] * 0.04 * distance - forward[0] * back,
      temple[1]! + sign * right[1] * 0.04 * distance - forward[1] * back + between(-0.1, 0.1) * distance,
      temple[2]! - forward[2] * back,
    ];
    add([outer, end], between(0.6, 1.3));
  }
  void middle;

  const shadow = random() < 0.6 ? between(0.08, 0.35) : 0;
  if (shadow > 0) {
    const [sx, sy] = [between(-0.05, 0.05) * distance, between(0.02, 0.12) * distance];
    for (const { points, width: wide } of strokes)
      stroke(
        image,
        points.map(([x, y, z]) => [x + sx, y + sy, z]),
        wide * 1.8,
        [0, 0, 0],
        shadow,
        0.9,
      );
  }
  for (const { points, width: wide, opacity: seen } of strokes)
    stroke(image, points, wide, colour, seen, 0.35);
  if (random() < 0.55) {
    const bright = between(0.2, 0.8);
    const up = -between(0.15, 0.4) * width;
    for (const { points, width: wide, opacity: seen } of strokes) {
      if (seen < 0.1) continue;
      const from = Math.floor(random() * points.length * 0.7);
      const part = points.slice(from, from + Math.ceil(points.length * between(0.15, 0.9)) + 1);
      if (part.length > 1)
        stroke(
          image,
          part.map(([x, y, z]) => [x, y + up, z]),
          wide * 0.4,
          [245, 245, 245],
          bright * seen,
          0.6,
        );
    }
  }
}

interface FaceSpace {
  readonly place: (x: number, y: number, before: number) => Vector;
  /** Between the eyes' middles, pixels. */
  readonly distance: number;
  readonly middle: Vector;
  readonly right: Vector;
  readonly forward: Vector;
}

/** The space of a head: origin between the eyes, x to the image's right, y down, out of the face. */
function spaceOf(landmarks: Float32Array): FaceSpace {
  const point = (v: number): Vector => [landmarks[3 * v]!, landmarks[3 * v + 1]!, landmarks[3 * v + 2]!];
  const [one, other] = CORNERS.map(([a, b]) => scaled(sum(point(a), point(b)), 0.5)) as [Vector, Vector];
  const across = sum(other, scaled(one, -1));
  const distance = Math.hypot(...across);
  const right = scaled(across, 1 / distance);
  const long = sum(point(CHIN), scaled(point(FOREHEAD), -1));
  const along = sum(long, scaled(right, -dot(long, right)));
  const down = scaled(along, 1 / Math.hypot(...along));
  // Towards the camera z falls.
  const forward: Vector = [
    down[1] * right[2] - down[2] * right[1],
    down[2] * right[0] - down[0] * right[2],
    down[0] * right[1] - down[1] * right[0],
  ];
  const middle = scaled(sum(one, other), 0.5);
  const place = (x: number, y: number, before: number): Vector =>
    sum(
      middle,
      sum(scaled(right, x * distance), sum(scaled(down, y * distance), scaled(forward, before * distance))),
    );
  return { place, distance, middle, right, forward };
}

function sum(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function scaled(a: Vector, by: number): Vector {
  return [by * a[0], by * a[1], by * a[2]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Paints a line of this width along points; `softness` is the share of its half width that fades. */
export function stroke(
  image: RgbImage,
  points: readonly Vector[],
  width: number,
  colour: Colour,
  opacity: number,
  softness: number,
): void {
  const cover = new Map<number, number>();
  const radius = Math.max(0.35, width / 2);
  // A line thinner than a pixel is as faint as it is thin.
  const seen = opacity * Math.min(1, width / 0.7);
  const hard = radius * (1 - softness);
  for (let k = 0; k + 1 < points.length; k++) {
    const [ax, ay] = points[k]!;
    const [bx, by] = points[k + 1]!;
    const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / Math.max(0.5, radius / 3)));
    for (let s = 0; s <= steps; s++)
      stamp(image, ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps, radius, hard, cover);
  }
  for (const [i, value] of cover) blend(image, i, colour, seen * value);
}

function stamp(
  { width, height }: RgbImage,
  x: number,
  y: number,
  radius: number,
  hard: number,
  cover: Map<number, number>,
): void {
  const reach = radius + 0.5;
  for (let py = Math.max(0, Math.floor(y - reach)); py < Math.min(height, y + reach); py++)
    for (let px = Math.max(0, Math.floor(x - reach)); px < Math.min(width, x + reach); px++) {
      const away = Math.hypot(px + 0.5 - x, py + 0.5 - y);
      const value = Math.max(0, Math.min(1, (radius + 0.5 - away) / (radius - hard + 1)));
      const i = py * width + px;
      if (value > (cover.get(i) ?? 0)) cover.set(i, value);
    }
}

function fill(image: RgbImage, points: readonly Vector[], colour: Colour, opacity: number): void {
  const { width, height } = image;
  const plane = new Float32Array(width * height);
  fillPolygon(
    plane,
    width,
    height,
    points.flatMap(([x, y]) => [x, y]),
  );
  for (let i = 0; i < plane.length; i++) if (plane[i]! > 0) blend(image, i, colour, opacity);
}

function blend({ data }: RgbImage, pixel: number, colour: Colour, opacity: number): void {
  for (let k = 0; k < 3; k++)
    data[3 * pixel + k] = Math.round(data[3 * pixel + k]! + opacity * (colour[k]! - data[3 * pixel + k]!));
}
