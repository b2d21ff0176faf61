/** A rectangle in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A grey of 0..255, and how opaque it is, 0..1. */
export interface Paint {
  readonly level: number;
  readonly opacity: number;
}

/** A transparent picture in greys. Shapes are drawn with smooth edges over those drawn before. */
export class GreyCanvas {
  readonly width: number;
  readonly height: number;
  /** Grey and straight alpha of each pixel, 0..255. */
  readonly levels: Uint8Array;
  readonly alpha: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.levels = new Uint8Array(width * height);
    this.alpha = new Uint8Array(width * height);
  }

  /** Fills a box with round corners. */
  fillBox(box: Box, radius: number, paint: Paint): void {
    this.#paint(box, (x, y) => -outsideBox(box, radius, x, y), paint);
  }

  /** Draws the edge of a box with round corners; the line is within the box. */
  strokeBox(box: Box, radius: number, lineWidth: number, paint: Paint): void {
    const half = lineWidth / 2;
    this.#paint(box, (x, y) => half - Math.abs(outsideBox(box, radius, x, y) + half), paint);
  }

  /** Draws a line with round ends. @param line x0, y0, x1, y1, ... */
  strokeLine(line: readonly number[], halfWidth: number, paint: Paint): void {
    const [xs, ys] = [line.filter((_, k) => k % 2 === 0), line.filter((_, k) => k % 2 === 1)];
    const [x, y] = [Math.min(...xs) - halfWidth, Math.min(...ys) - halfWidth];
    const box = {
      x,
      y,
      width: Math.max(...xs) + halfWidth - x,
      height: Math.max(...ys) + halfWidth - y,
    };
    this.#paint(box, (px, py) => halfWidth - distanceToLine(xs, ys, px, py), paint);
  }

  /** @param depthAt distance of a point from the shape's edge, positive inside, in pixels */
  #paint(box: Box, depthAt: (x: number, y: number) => number, { level, opacity }: Paint): void {
    const right = Math.min(this.width, Math.ceil(box.x + box.width + 1));
    const bottom = Math.min(this.height, Math.ceil(box.y + box.height + 1));
    for (let y = Math.max(0, Math.floor(box.y - 1)); y < bottom; y++) {
      for (let x = Math.max(0, Math.floor(box.x - 1)); x < right; x++) {
        const above = opacity * Math.max(0, Math.min(1, 0.5 + depthAt(x + 0.5, y + 0.5)));
        if (above === 0) continue;
        const at = y * this.width + x;
        const both = above + (this.alpha[at]! / 255) * (1 - above);
        this.levels[at] = Math.round(this.levels[at]! + (above / both) * (level - this.levels[at]!));
        this.alpha[at] = Math.round(255 * both);
      }
    }
  }
}

/** Returns the distance of a point from a box with round corners, negative inside. */
function outsideBox({ x, y, width, height }: Box, radius: number, px: number, py: number): number {
  const dx = Math.abs(px - x - width / 2) - width / 2 + radius;
  const dy = Math.abs(py - y - height / 2) - height / 2 + radius;
  return Math.min(Math.max(dx, dy), 0) + Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) - radius;
}

function distanceToLine(xs: readonly number[], ys: readonly number[], px: number, py: number): number {
  let least = Infinity;
  for (let k = 0; k + 1 < xs.length; k++) {
    const [x, y] = [xs[k]!, ys[k]!];
    const [alongX, alongY] = [xs[k + 1]! - x, ys[k + 1]! - y];
    const along = ((px - x) * alongX + (py - y) * alongY) / (alongX ** 2 + alongY ** 2 || 1);
    const t = Math.max(0, Math.min(1, along));
    least = Math.min(least, Math.hypot(px - x - t * alongX, py - y - t * alongY));
  }
  return least;
}
