/** Number in place of the second triangle of an edge at the mesh's rim, which has only one. */
const NONE = 0xffff;

const known = new WeakMap<Uint16Array, Uint16Array>();

/**
 * Lists the edges of a mesh, which has three vertex numbers for each triangle. Each edge has four
 * numbers: the two vertices in the order of the first triangle, that triangle, and the triangle on
 * the other side, or 65535. The list is kept for each array of triangles, which must not change.
 */
export function meshEdges(triangles: Uint16Array): Uint16Array {
  let edges = known.get(triangles);
  if (edges === undefined) {
    edges = findEdges(triangles);
    known.set(triangles, edges);
  }
  return edges;
}

function findEdges(triangles: Uint16Array): Uint16Array {
  const edges: number[] = [];
  /** Positions of edges whose second triangle is not found yet, by their vertices in its order. */
  const open = new Map<number, number>();
  for (let i = 0; i < triangles.length; i++) {
    const from = triangles[i]!;
    const to = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    const at = open.get(from * NONE + to);
    if (at === undefined) {
      open.set(to * NONE + from, edges.length);
      edges.push(from, to, Math.floor(i / 3), NONE);
    } else {
      edges[at + 3] = Math.floor(i / 3);
      open.delete(from * NONE + to);
    }
  }
  return Uint16Array.from(edges);
}
