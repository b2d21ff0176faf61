/**
 * Vertices of bare skin on both cheeks, where no beard grows. The person's right cheek is first.
 */
const CHEEKS = [
  [50, 101, 118, 117, 123, 205, 36],
  [280, 330, 347, 346, 352, 425, 266],
] as const;

/**
 * Measures from which side a face is lit, -1 to 1: how much lighter its left cheek is than its
 * right one, as a share of both. Positive values mean light from the image's right; 0 if both are
 * black.
 * @param lumaAt luma at a vertex of the mesh, 0..255
 */
export function sideLight(lumaAt: (vertex: number) => number): number {
  const [right, left] = CHEEKS.map((vertices) =>
    vertices.reduce((sum, vertex) => sum + Math.max(0, lumaAt(vertex)), 0),
  ) as [number, number];
  return (left - right) / Math.max(1, left + right);
}
