import type { Face } from '../geometry/face.ts';

/**
 * Compares faces for `Array.sort`, in the order that numbers them: left to right by the centre of
 * the box, and top to bottom if both centres are in the same column of pixels.
 */
export function byPosition(a: Pick<Face, 'box'>, b: Pick<Face, 'box'>): number {
  const across = Math.floor(a.box.x + a.box.width / 2) - Math.floor(b.box.x + b.box.width / 2);
  return across === 0 ? a.box.y + a.box.height / 2 - (b.box.y + b.box.height / 2) : across;
}
