import type { FaceBox } from '../face/geometry/face.ts';
import { LANDMARK_COUNT } from '../face/geometry/face.ts';
import { readRecord } from '../face/geometry/mesh-record.ts';
import type { TimedFace } from '../face/persons/person-timeline.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { evenBelow, wholePixels } from '../face/frame/video-frame.ts';
import { boxWithBeard } from '../mesh/shape/beard-mesh.ts';
import type { TrackMoment } from '../mesh/video/track-swapper.ts';
import type { ClipDrawer } from './clip-drawer.ts';

/** Margin around the mesh, in pixels, that bilinear samples at its edge may read. */
const MARGIN_PX = 4;

/** Draws faces, one after the other, into the part of each frame that they fill. */
export class FaceDrawer {
  /** Landmarks of the face drawn last, 478 x (x, y, z), in pixels of the drawn part. */
  readonly landmarks = new Float32Array(LANDMARK_COUNT * 3);

  /**
   * Draws the next face.
   * @param source called only if the face is inside the frame
   * @returns the part of the frame that was drawn in, or null
   */
  async draw(
    frame: VideoFrame,
    { mesh, opacity, isFresh }: TimedFace,
    source: () => ClipDrawer,
    moment: Omit<TrackMoment, 'opacity' | 'isFresh'>,
  ): Promise<FaceBox | null> {
    const landmarks = readRecord(mesh, this.landmarks);
    const rect = wholePixels(boxAround(landmarks), frame.width, frame.height);
    if (rect.width < 2 || rect.height < 2) return null;
    for (let i = 0; i < landmarks.length; i += 3) {
      landmarks[i]! -= rect.x;
      landmarks[i + 1]! -= rect.y;
    }
    await source().draw(frame, rect, landmarks, { opacity, isFresh, ...moment });
    return rect;
  }
}

/**
 * Returns the part of a frame in which to draw a face, with a beard if need be. Its corner has even
 * coordinates, because chroma has one sample for every second pixel.
 */
function boxAround(landmarks: Float32Array): FaceBox {
  const { left, top, right, bottom } = boxWithBeard(landmarks);
  return {
    x: evenBelow(left - MARGIN_PX),
    y: evenBelow(top - MARGIN_PX),
    width: right - left + 2 * MARGIN_PX + 2,
    height: bottom - top + 2 * MARGIN_PX + 2,
  };
}
