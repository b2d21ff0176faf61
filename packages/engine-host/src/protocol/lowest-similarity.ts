/** Returns the lowest similarity of several faces; null if none could be measured. */
export function lowestSimilarity(similarities: readonly (number | null)[]): number | null {
  const measured = similarities.filter((each) => each !== null);
  return measured.length === 0 ? null : Math.min(...measured);
}
