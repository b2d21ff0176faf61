import type { Face } from '../geometry/face.ts';

/** Returns the face whose box has the largest area; undefined if there is none. */
export function largestFace(faces: readonly Face[]): Face | undefined {
  let largest: Face | undefined;
  for (const face of faces) {
    if (!largest || face.box.width * face.box.height > largest.box.width * largest.box.height) largest = face;
  }
  return largest;
}
