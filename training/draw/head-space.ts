/** A point or a direction, pixels: x to the right, y down, z away from the camera. */
export type Vector = readonly [number, number, number];

/** Corners of both eyes, first of the eye on the left of the image. */
const EYE_CORNERS = [
  [33, 133],
  [362, 263],
] as const;
const FOREHEAD_VERTEX = 10;
const CHIN_VERTEX = 152;

/** Coordinates of a head: the origin is between the eyes, the unit is the distance between them. */
export interface HeadSpace {
  /** Maps a point to the image. Axes: to the right of the image, down, and out of the face. */
  readonly place: (x: number, y: number, before: number) => Vector;
  /** Distance between the middles of the eyes, pixels. */
  readonly distance: number;
  /** Direction across the face, to the right of the image. */
  readonly right: Vector;
  /** Direction out of the face. */
  readonly forward: Vector;
}

/** Returns the coordinates of a head. @param landmarks 478 x (x, y, z), pixels */
export function headSpace(landmarks: Float32Array): HeadSpace {
  const [one, other] = EYE_CORNERS.map(([a, b]) =>
    scaled(sum(pointOf(landmarks, a), pointOf(landmarks, b)), 0.5),
  );
  const across = sum(other!, scaled(one!, -1));
  const distance = Math.hypot(...across);
  const right = scaled(across, 1 / distance);
  const long = sum(pointOf(landmarks, CHIN_VERTEX), scaled(pointOf(landmarks, FOREHEAD_VERTEX), -1));
  const along = sum(long, scaled(right, -dot(long, right)));
  const down = scaled(along, 1 / Math.hypot(...along));
  const forward: Vector = [
    down[1] * right[2] - down[2] * right[1],
    down[2] * right[0] - down[0] * right[2],
    down[0] * right[1] - down[1] * right[0],
  ];
  const middle = scaled(sum(one!, other!), 0.5);
  const place = (x: number, y: number, before: number): Vector =>
    [scaled(right, x), scaled(down, y), scaled(forward, before)].reduce<Vector>(
      (at, part) => sum(at, scaled(part, distance)),
      middle,
    );
  return { place, distance, right, forward };
}

export function pointOf(landmarks: Float32Array, vertex: number): Vector {
  return [landmarks[3 * vertex]!, landmarks[3 * vertex + 1]!, landmarks[3 * vertex + 2]!];
}

export function sum(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function scaled(a: Vector, by: number): Vector {
  return [by * a[0], by * a[1], by * a[2]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
