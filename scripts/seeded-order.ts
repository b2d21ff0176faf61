/** Makes numbers from 0 up to 1 that the seed alone decides. */
export { mulberry32 as seededRandom } from '@guise/media/watermark/mulberry32.ts';

/** Returns the same things in another order, each order equally likely (Fisher and Yates). */
export function shuffled<T>(things: readonly T[], random: () => number): T[] {
  const order = [...things];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
