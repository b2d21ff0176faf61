import type { RgbImage } from '@guise/kernels/image.ts';
import { clamp } from '@guise/kernels/clamp.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { Vector } from './head-space.ts';

export type Colour = readonly [red: number, green: number, blue: number];

/** How a line is painted. */
export interface Brush {
  readonly colour: Colour;
  /** Pixels. */
  readonly width: number;
  /** 0..1. */
  readonly opacity: number;
  /** Share of half the width in which the line fades out. */
  readonly softness: number;
}

/** Smallest radius that is painted, pixels. A thinner line is painted with less opacity instead. */
const LEAST_RADIUS_PX = 0.35;

/** Paints a line through points, in place. */
export function paintLine(image: RgbImage, points: readonly Vector[], brush: Brush): void {
  const cover = new Map<number, number>();
  const radius = Math.max(LEAST_RADIUS_PX, brush.width / 2);
  const hard = radius * (1 - brush.softness);
  for (let k = 0; k + 1 < points.length; k++) {
    const [ax, ay] = points[k]!;
    const [bx, by] = points[k + 1]!;
    const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / Math.max(0.5, radius / 3)));
    for (let s = 0; s <= steps; s++)
      coverDot(image, ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps, radius, hard, cover);
  }
  const opacity = brush.opacity * Math.min(1, brush.width / (2 * LEAST_RADIUS_PX));
  for (const [pixel, value] of cover) blend(image, pixel, brush.colour, opacity * value);
}

/** Fills a polygon, in place. */
export function paintArea(image: RgbImage, points: readonly Vector[], colour: Colour, opacity: number): void {
  const { width, height } = image;
  const inside = new Float32Array(width * height);
  const corners = points.flatMap(([x, y]) => [x, y]);
  fillPolygon(inside, width, height, corners);
  for (let pixel = 0; pixel < inside.length; pixel++)
    if (inside[pixel]! > 0) blend(image, pixel, colour, opacity);
}

/** Adds a dot to the coverage. Each pixel keeps the largest value. */
function coverDot(
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
      const value = clamp((reach - away) / (radius - hard + 1), 0, 1);
      const pixel = py * width + px;
      if (value > (cover.get(pixel) ?? 0)) cover.set(pixel, value);
    }
}

function blend({ data }: RgbImage, pixel: number, colour: Colour, opacity: number): void {
  for (let k = 0; k < 3; k++) {
    const before = data[3 * pixel + k]!;
    data[3 * pixel + k] = Math.round(before + opacity * (colour[k]! - before));
  }
}
