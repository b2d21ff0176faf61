import type { CanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import { inImageAxes } from '@guise/engine/face/geometry/pose.ts';
import { fitSimilarity3d } from '@guise/engine/face/geometry/rigid-fit.ts';
import { FACE_OVAL } from '../packages/engine/src/mesh/uv/face-regions.ts';
import type { RgbImage } from '../packages/kernels/src/image.ts';

/**
 * Returns the angle between the rotations of two heads, degrees. Each rotation is that of the rigid
 * fit of the canonical face to the mesh.
 */
export function poseError(a: Face, b: Face, canonical: CanonicalFace): number {
  const upright = inImageAxes(canonical.vertices);
  const ra = fitSimilarity3d(upright, a.landmarks, canonical.poseWeights).rotation;
  const rb = fitSimilarity3d(upright, b.landmarks, canonical.poseWeights).rotation;
  // The trace of ra transposed times rb is 1 + 2 cos.
  let trace = 0;
  for (let i = 0; i < 9; i++) trace += ra[i]! * rb[i]!;
  return (Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2))) * 180) / Math.PI;
}

/**
 * Returns the mean absolute difference of three ratios: height to width of the inner lips, height
 * to width of the eyes, and width of the mouth to distance between the eyes.
 */
export function expressionError(a: Face, b: Face): number {
  const p = expressionOf(a.landmarks);
  const q = expressionOf(b.landmarks);
  return p.reduce((sum, value, i) => sum + Math.abs(value - q[i]!), 0) / p.length;
}

function expressionOf(mesh: Float32Array): number[] {
  const between = (a: number, b: number): number =>
    Math.hypot(
      mesh[3 * a]! - mesh[3 * b]!,
      mesh[3 * a + 1]! - mesh[3 * b + 1]!,
      mesh[3 * a + 2]! - mesh[3 * b + 2]!,
    );
  return [
    between(13, 14) / between(78, 308),
    between(159, 145) / between(33, 133),
    between(386, 374) / between(362, 263),
    between(61, 291) / between(33, 263),
  ];
}

/**
 * Returns the mean colour difference between the inside and the outside of the face oval, 0..255.
 * It shows how visible the edge of the new face is.
 */
export function boundaryStep(image: RgbImage, face: Face): number {
  const mesh = face.landmarks;
  const centreX = face.box.x + face.box.width / 2;
  const centreY = face.box.y + face.box.height / 2;
  const reach = Math.max(1.5, face.box.width * 0.025);
  let sum = 0;
  let count = 0;
  const sample = (x: number, y: number, channel: number): number => {
    const ix = Math.max(0, Math.min(image.width - 1, Math.floor(x)));
    const iy = Math.max(0, Math.min(image.height - 1, Math.floor(y)));
    return image.data[(iy * image.width + ix) * 3 + channel]!;
  };
  for (let k = 0; k < FACE_OVAL.length; k++) {
    const a = FACE_OVAL[k]! * 3;
    const b = FACE_OVAL[(k + 1) % FACE_OVAL.length]! * 3;
    for (let part = 0; part < 8; part++) {
      const x = mesh[a]! + ((mesh[b]! - mesh[a]!) * part) / 8;
      const y = mesh[a + 1]! + ((mesh[b + 1]! - mesh[a + 1]!) * part) / 8;
      const length = Math.hypot(centreX - x, centreY - y) || 1;
      const dx = ((centreX - x) / length) * reach;
      const dy = ((centreY - y) / length) * reach;
      for (let c = 0; c < 3; c++) {
        sum += Math.abs(sample(x + 2 * dx, y + 2 * dy, c) - sample(x - 0.5 * dx, y - 0.5 * dy, c));
        count += 1;
      }
    }
  }
  return sum / count;
}
