/**
 * The box of a face. Coordinates are pixels of the upright image, with x to the right and y down.
 * The origin is the top left corner of the top left pixel (edge based: the centre of the first
 * pixel is 0.5).
 */
export interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the length of a box's longer side, pixels: the size of its face. */
export function longerSide({ width, height }: FaceBox): number {
  return Math.max(width, height);
}

/**
 * Head rotation in degrees. Above 0, `yaw` is turned to the image's right, `pitch` looks down, and
 * `roll` is clockwise.
 */
export interface HeadPose {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

/**
 * Landmarks of a face: the mesh's vertices, then 2 x 5 iris points (centre first; image-left eye
 * first).
 */
export const LANDMARK_COUNT = 478;
/** Number of vertices of the mesh. */
export const MESH_VERTEX_COUNT = 468;

export interface Face {
  /** Tight box of the mesh. */
  readonly box: FaceBox;
  /** Detector's confidence, 0..1. */
  readonly score: number;
  /** 478 x (x, y, z). z has the scale of x and is negative towards the camera. */
  readonly landmarks: Float32Array;
  readonly pose: HeadPose;
}
