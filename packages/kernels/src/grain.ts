/**
 * Returns roughly normal noise of standard deviation 1, which depends only on the pixel, so that
 * the same swap has the same grain.
 */
export function grainAt(x: number, y: number): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  h ^= h >>> 15;
  // The sum of four bytes has mean 510 and standard deviation 147.8.
  const sum = (h & 255) + ((h >>> 8) & 255) + ((h >>> 16) & 255) + (h >>> 24);
  return (sum - 510) / 147.8;
}
