import type { Orientation } from './exif-orientation.ts';

/** Result of a header reader. Sides are as stored, before `orientation` is applied. */
export interface ImageHeader {
  width: number;
  height: number;
  orientation: Orientation;
}
