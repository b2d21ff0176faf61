/** Vertices of bare skin on both cheeks, the person's right one first: no beard grows there. */
const CHEEKS = [
  [50, 101, 118, 117, 123, 205, 36],
  [280, 330, 347, 346, 352, 425, 266],
] as const;

/**
 * Measures from which side a face is lit: how much lighter its left cheek is than its right one, as
 * a share of both. Positive for light from the image's right, -1 to 1; 0 where both are black.
 * @param lumaAt luma at a vertex of the mesh, 0..255
 */
export function sideLight(lumaAt: (vertex: number) => number): number {
  const [right, left] = CHEEKS.map((vertices) =>
    vertices.reduce((sum, vertex) => sum + Math.max(0, lumaAt(vertex)), 0),
  ) as [number, number];
  return (left - right) / Math.max(1, left + right);
}
