import type { RgbImage } from '@guise/kernels/image.ts';
import { spreadTexels, texelCorners } from '@guise/kernels/face/spread-texels.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import type { Atlas } from '../uv/atlas.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { vertexFacing } from '../uv/vertex-facing.ts';

/**
 * Unwraps a face into a small atlas, like `unwrapFace`, for every frame of a video.
 * @param image the face, `factor` times smaller
 * @param landmarks pixels of the picture before the reduction
 */
export function unwrapSmall(
  layout: AtlasGeometry,
  image: RgbImage,
  landmarks: Float32Array,
  factor: number,
  make: PlaneMaker,
): Atlas {
  const { side } = layout;
  const { corners, vertices } = tablesOf(layout);
  const facing = vertexFacing(landmarks, layout.triangles);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) {
    vertices[4 * v] = landmarks[3 * v]! / factor;
    vertices[4 * v + 1] = landmarks[3 * v + 1]! / factor;
    vertices[4 * v + 2] = facing[v]!;
  }
  const plane = (): Float32Array => make.floats(side * side);
  const out = { side, luma: plane(), blue: plane(), red: plane(), value: plane() };
  spreadTexels(corners, vertices, image, out);
  return { side, luma: out.luma, blue: out.blue, red: out.red, facing: out.value };
}

/** Tables of a layout. The vertices are overwritten for every face. */
const tablesOf = perLayout(({ side, spans, points, triangles }: AtlasGeometry) => {
  const space = new Workspace();
  const vertices = space.floats(4 * MESH_VERTEX_COUNT);
  for (let v = 0; v < MESH_VERTEX_COUNT; v++) vertices[4 * v + 3] = 1;
  return { corners: texelCorners(side, spans, points, triangles, space), vertices };
});
