import type { CanonicalFace } from './canonical-face.ts';
import type { HeadPose } from './face.ts';
import { fitSimilarity3d } from './rigid-fit.ts';

/** Number of degrees in a radian. */
const DEGREES_PER_RADIAN = 180 / Math.PI;

/**
 * Returns the head rotation of a mesh: the rotation of the rigid fit of the canonical face to the
 * mesh. The fit has higher weights at vertices that expressions leave in place.
 */
export function poseOfMesh(landmarks: ArrayLike<number>, canonical: CanonicalFace): HeadPose {
  const { rotation } = fitSimilarity3d(inImageAxes(canonical.vertices), landmarks, canonical.poseWeights);
  // The rotation is yaw about y, after pitch about x, after roll about z (x right, y down, z away
  // from the camera).
  return {
    yaw: Math.atan2(-rotation[2]!, rotation[8]!) * DEGREES_PER_RADIAN,
    pitch: Math.asin(Math.max(-1, Math.min(1, -rotation[5]!))) * DEGREES_PER_RADIAN,
    roll: Math.atan2(rotation[3]!, rotation[4]!) * DEGREES_PER_RADIAN,
  };
}

/** Returns the canonical vertices with y down and z away from the camera, as in landmarks. */
export function inImageAxes(vertices: Float32Array): Float32Array {
  const turned = vertices.slice();
  for (let i = 0; i < turned.length; i++) if (i % 3 !== 0) turned[i]! *= -1;
  return turned;
}
