import { readFile } from 'node:fs/promises';
import path from 'node:path';

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
  for (const { field, value } of fields(bytes)) {
    if (field === 1) {
      for (const part of fields(value as Buffer)) {
        if (part.field === 3) packed.push(part.value as number);
        if (part.field === 4) indices.push(part.value as number);
      }
    }
    if (field === 2) {
      const [landmark, weight] = fields(value as Buffer);
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

interface Field {
  readonly field: number;
  readonly value: number | Buffer;
}

/**
 * Returns the fields of a protocol buffer message: varints and 32-bit floats as numbers, all others
 * as bytes.
 */
function fields(bytes: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      result += (byte & 127) * 2 ** shift;
      if (byte < 128) return result;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const field = key >>> 3;
    const wireType = key & 7;
    if (wireType === 0) found.push({ field, value: varint() });
    else if (wireType === 5) {
      found.push({ field, value: bytes.readFloatLE(at) });
      at += 4;
    } else if (wireType === 2) {
      const length = varint();
      found.push({ field, value: bytes.subarray(at, at + length) });
      at += length;
    } else throw new Error(`Unknown wire type ${wireType}`);
  }
  return found;
}
