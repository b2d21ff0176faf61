import type { Orientation } from './exif-orientation.ts';

/** What a header reader finds. Sides are as stored, before `orientation` is applied. */
export interface ImageHeader {
  width: number;
  height: number;
  orientation: Orientation;
}
