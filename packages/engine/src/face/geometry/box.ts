/** An upright rectangle by its edges, in pixels (edge based). */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxArea(box: Box): number {
  return (box.right - box.left) * (box.bottom - box.top);
}

function intersection(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Returns the common area as a share of the area that the boxes cover together, 0..1. */
export function intersectionOverUnion(a: Box, b: Box): number {
  const common = intersection(a, b);
  return common === 0 ? 0 : common / (boxArea(a) + boxArea(b) - common);
}

/** Returns the common area as a share of the smaller box, 0..1. */
export function intersectionOverSmaller(a: Box, b: Box): number {
  return intersection(a, b) / Math.min(boxArea(a), boxArea(b));
}

/**
 * Returns the tight box of the first `count` points of a flat list with three numbers per point.
 */
export function boxOfPoints(points: ArrayLike<number>, count: number): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < count; i++) {
    const x = points[3 * i]!;
    const y = points[3 * i + 1]!;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { left, top, right, bottom };
}
