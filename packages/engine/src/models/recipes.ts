import type { OnnxGraph } from './conversion/onnx-graph.ts';
import { buildBlazeface } from './recipes/blazeface.ts';
import { buildFaceLandmarks } from './recipes/face-landmarks.ts';
import { buildFaceRecognition } from './recipes/face-recognition.ts';
import { buildFaceres } from './recipes/faceres.ts';
import { buildHandLandmarks } from './recipes/hand-landmarks.ts';
import { buildIris } from './recipes/iris.ts';

/** Functions that build each model's ONNX graph from the installed packages. */
export const MODEL_RECIPES = {
  blazeface: buildBlazeface,
  'face-landmarks': buildFaceLandmarks,
  iris: buildIris,
  'face-recognition': buildFaceRecognition,
  faceres: buildFaceres,
  'hand-landmarks': buildHandLandmarks,
} as const satisfies Record<string, () => Promise<OnnxGraph>>;

export type ModelName = keyof typeof MODEL_RECIPES;

/** Names of all models, in the order in which they are converted. */
export const MODEL_NAMES = Object.keys(MODEL_RECIPES) as ModelName[];
