/** Of several faces the lowest likeness; null where none could be measured. */
export function lowestSimilarity(similarities: readonly (number | null)[]): number | null {
  const measured = similarities.filter((each) => each !== null);
  return measured.length === 0 ? null : Math.min(...measured);
}
