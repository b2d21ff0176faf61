import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { readRgb } from '../../../../../scripts/read-rgb.ts';
import { readSampleFaces } from '../../samples/sample-faces.ts';
import { boxOfPoints } from '../geometry/box.ts';
import { LANDMARK_COUNT, MESH_VERTEX_COUNT } from '../geometry/face.ts';
import { readMesh } from './landmarks.ts';
import { MESH_REGION_SCALE, regionOfMesh } from '../geometry/region.ts';
import { sessions } from '../../models/testing/test-sessions.ts';

const GOLDEN = path.join(import.meta.dirname, '../../models/goldens/face-landmarks.json');
/**
 * 1e-3 of the crop that the model's output spans is 0.29 px here; the runtimes agree far better
 * than that.
 */
const TOLERANCE_PX = 0.02;

test("all 478 landmarks are those of MediaPipe's own runtime on the same crop", async () => {
  const { landmarks: expected } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { landmarks: number[] };
  const pyramid = new ImagePyramid(await readRgb((await readSampleFaces()).face));
  const { left, top, right, bottom } = boxOfPoints(expected, MESH_VERTEX_COUNT);
  // MediaPipe takes its next crop from the upright box of the mesh, where ours is turned with the
  // eyes.
  const { landmarks, score } = await readMesh(sessions.faceLandmarks, pyramid, {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    size: MESH_REGION_SCALE * Math.max(right - left, bottom - top),
    angle: regionOfMesh(expected, 1).angle,
  });
  assert.ok(score > 0.99);
  for (let i = 0; i < LANDMARK_COUNT * 3; i++) {
    const difference = Math.abs(landmarks[i]! - expected[i]!);
    assert.ok(difference < TOLERANCE_PX, `landmark ${Math.floor(i / 3)} is off by ${difference} px`);
  }
});
