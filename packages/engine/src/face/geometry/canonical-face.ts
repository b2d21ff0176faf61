import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protobufFields } from '../../models/conversion/protobuf-fields.ts';

/** geometry_pipeline_metadata_landmarks.binarypb of @mediapipe/face_mesh 0.4. */
const FILE = path.join(import.meta.dirname, '../../../assets/canonical-face.binarypb');

/** Number of vertices of the mesh. */
const VERTEX_COUNT = 468;
/** Number of triangles of the mesh. */
const TRIANGLE_COUNT = 898;

/** MediaPipe's canonical face: the mesh to which the 468 landmarks belong. */
export interface CanonicalFace {
  /** 468 x (x, y, z) in centimetres: x to the image's right, y up, z towards the camera. */
  readonly vertices: Float32Array;
  /** 468 x (u, v), 0..1: u to the image's right, v downwards. */
  readonly uv: Float32Array;
  /** 898 x 3 vertex indices, counter-clockwise as seen from outside with y up. */
  readonly triangles: Uint16Array;
  /** 468 weights, in one scale: how much each vertex tells about the head's pose (0 for most). */
  readonly poseWeights: Float32Array;
}

let loaded: Promise<CanonicalFace> | null = null;

/** Reads the canonical face, once per process. */
export function loadCanonicalFace(): Promise<CanonicalFace> {
  loaded ??= readFile(FILE).then(parseGeometry);
  return loaded;
}

/**
 * Parses GeometryPipelineMetadata (face_geometry/protos), which has the mesh in field 1 and
 * weighted landmarks in field 2.
 */
function parseGeometry(bytes: Buffer): CanonicalFace {
  const packed: number[] = [];
  const indices: number[] = [];
  const poseWeights = new Float32Array(VERTEX_COUNT);
  for (const { number, value } of protobufFields(bytes)) {
    if (number === 1) {
      for (const part of protobufFields(value as Buffer)) {
        if (part.number === 3) packed.push(part.value as number);
        if (part.number === 4) indices.push(part.value as number);
      }
    }
    if (number === 2) {
      const [landmark, weight] = protobufFields(value as Buffer);
      poseWeights[landmark!.value as number] = weight!.value as number;
    }
  }
  if (packed.length !== VERTEX_COUNT * 5 || indices.length !== TRIANGLE_COUNT * 3) {
    throw new Error('The canonical face of @mediapipe/face_mesh has another shape than expected');
  }
  // Each vertex has five numbers: position, then texture coordinate.
  return {
    vertices: Float32Array.from(
      { length: VERTEX_COUNT * 3 },
      (_, i) => packed[5 * Math.floor(i / 3) + (i % 3)]!,
    ),
    uv: Float32Array.from({ length: VERTEX_COUNT * 2 }, (_, i) => packed[5 * (i >> 1) + 3 + (i & 1)]!),
    triangles: Uint16Array.from(indices),
    poseWeights,
  };
}
