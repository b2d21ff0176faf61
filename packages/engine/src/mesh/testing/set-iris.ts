/**
 * Sets the five landmarks of an iris for tests: its centre, then right, top, left and bottom.
 * @param mesh 478 x (x, y, z) @param iris number of its centre
 */
export function setIris(mesh: Float32Array, iris: number, x: number, y: number, radius: number): void {
  const around = [
    [0, 0],
    [1, 0],
    [0, -1],
    [-1, 0],
    [0, 1],
  ] as const;
  for (const [k, [dx, dy]] of around.entries()) mesh.set([x + dx * radius, y + dy * radius], 3 * (iris + k));
}
