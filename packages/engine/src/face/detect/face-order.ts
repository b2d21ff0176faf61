import type { Face } from '../geometry/face.ts';

/**
 * The order that numbers faces, for `Array.sort`: left to right by the box's centre, and top to
 * bottom where the centres lie in the same column of pixels.
 */
export function byPosition(a: Pick<Face, 'box'>, b: Pick<Face, 'box'>): number {
  const across = Math.floor(a.box.x + a.box.width / 2) - Math.floor(b.box.x + b.box.width / 2);
  return across === 0 ? a.box.y + a.box.height / 2 - (b.box.y + b.box.height / 2) : across;
}
