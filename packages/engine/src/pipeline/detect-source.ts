import type { RgbImage } from '@guise/kernels/image.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import type { Face } from '../face/geometry/face.ts';

/**
 * Detects the faces of a source image, of which the largest is used. Most sources are portraits, in
 * which a search of low cost finds the only face.
 */
export async function detectSource(analyser: FaceAnalyser, source: RgbImage): Promise<Face[]> {
  const portrait = await analyser.detectPortrait(source);
  return portrait ? [portrait] : analyser.detect(source);
}
