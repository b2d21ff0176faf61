/**
 * Computes for each vertex the cosine of the angle between its normal and the line to the camera: 1
 * straight on, below 0 turned away. Normals are the area-weighted mean of the triangles around.
 * `landmarks` are x, y, z (y down, z away from the camera). Triangles are counter-clockwise as seen
 * from outside with y up.
 */
export function vertexFacing(
  landmarks: ArrayLike<number>,
  triangles: ArrayLike<number>,
  vertexCount = 468,
): Float32Array {
  const normals = new Float32Array(vertexCount * 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]! * 3;
    const b = triangles[t + 1]! * 3;
    const c = triangles[t + 2]! * 3;
    const ux = landmarks[b]! - landmarks[a]!;
    const uy = landmarks[b + 1]! - landmarks[a + 1]!;
    const uz = landmarks[b + 2]! - landmarks[a + 2]!;
    const vx = landmarks[c]! - landmarks[a]!;
    const vy = landmarks[c + 1]! - landmarks[a + 1]!;
    const vz = landmarks[c + 2]! - landmarks[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let k = 0; k < 3; k++) {
      const v = triangles[t + k]! * 3;
      normals[v]! += nx;
      normals[v + 1]! += ny;
      normals[v + 2]! += nz;
    }
  }
  const facing = new Float32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const x = normals[3 * v]!;
    const y = normals[3 * v + 1]!;
    const z = normals[3 * v + 2]!;
    // The image's y points down, so a counter-clockwise triangle gets a normal whose z is negative
    // towards the camera.
    facing[v] = -z / (Math.sqrt(x * x + y * y + z * z) + 1e-12);
  }
  return facing;
}
