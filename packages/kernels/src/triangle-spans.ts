/**
 * Pixels of a list of triangles as horizontal runs. Triangle t has the runs `first[t] .. first[t +
 * 1] - 1`. Run r covers the columns `left[r] .. right[r] - 1` of row `row[r]`.
 */
export interface TriangleSpans {
  readonly first: Uint32Array;
  readonly row: Uint16Array;
  readonly left: Uint16Array;
  readonly right: Uint16Array;
}

/**
 * Converts triangles to runs of the pixels whose centre they contain. Two triangles that share an
 * edge compute it with the same arithmetic, so each pixel along the edge belongs to exactly one of
 * them.
 *
 * @param points x0, y0, x1, y1, ..., edge based: the first pixel's centre is (0.5, 0.5)
 * @param triangles three point numbers each, in either orientation
 * @param width below 65,536; pixels outside are left out
 * @param height below 65,536; pixels outside are left out
 */
export function triangleSpans(
  points: ArrayLike<number>,
  triangles: ArrayLike<number>,
  width: number,
  height: number,
): TriangleSpans {
  const count = triangles.length / 3;
  const first = new Uint32Array(count + 1);
  for (let t = 0; t < count; t++) first[t + 1] = first[t]! + rowsOf(points, triangles, t, height);
  const total = first[count]!;
  const row = new Uint16Array(total);
  const left = new Uint16Array(total);
  const right = new Uint16Array(total);

  for (let t = 0; t < count; t++) {
    let run = first[t]!;
    const end = first[t + 1]!;
    if (run === end) continue;
    let a = triangles[3 * t]!;
    let b = triangles[3 * t + 1]!;
    let c = triangles[3 * t + 2]!;
    // Sorts the corners by y, and by number at equal heights, so that both neighbours of an edge
    // order its ends equally.
    if (isBelow(points, a, b)) [a, b] = [b, a];
    if (isBelow(points, b, c)) [b, c] = [c, b];
    if (isBelow(points, a, b)) [a, b] = [b, a];
    const middle = points[2 * b + 1]!;
    for (let y = Math.max(0, Math.ceil(points[2 * a + 1]! - 0.5)); run < end; run++, y++) {
      const centre = y + 0.5;
      const long = crossing(points, a, c, centre);
      const short = centre < middle ? crossing(points, a, b, centre) : crossing(points, b, c, centre);
      const from = Math.ceil((long < short ? long : short) - 0.5);
      const to = Math.ceil((long < short ? short : long) - 0.5);
      row[run] = y;
      left[run] = from < 0 ? 0 : from > width ? width : from;
      right[run] = to < 0 ? 0 : to > width ? width : to;
    }
  }
  return { first, row, left, right };
}

function rowsOf(points: ArrayLike<number>, triangles: ArrayLike<number>, t: number, height: number): number {
  const ya = points[2 * triangles[3 * t]! + 1]!;
  const yb = points[2 * triangles[3 * t + 1]! + 1]!;
  const yc = points[2 * triangles[3 * t + 2]! + 1]!;
  const from = Math.max(0, Math.ceil(Math.min(ya, yb, yc) - 0.5));
  const to = Math.min(height, Math.ceil(Math.max(ya, yb, yc) - 0.5));
  return to > from ? to - from : 0;
}

function isBelow(points: ArrayLike<number>, p: number, q: number): boolean {
  const yp = points[2 * p + 1]!;
  const yq = points[2 * q + 1]!;
  return yp > yq || (yp === yq && p > q);
}

/** Returns where the edge from p down to q crosses the height y. */
function crossing(points: ArrayLike<number>, p: number, q: number, y: number): number {
  const xp = points[2 * p]!;
  const yp = points[2 * p + 1]!;
  const rise = points[2 * q + 1]! - yp;
  return rise === 0 ? xp : xp + ((y - yp) * (points[2 * q]! - xp)) / rise;
}
