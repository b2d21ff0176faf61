/**
 * The one door to onnxruntime (`layers.json` closes the others). Imports are evaluated in order:
 * the variable comes first.
 */
import './no-telemetry.ts';

export { InferenceSession, Tensor } from 'onnxruntime-node';
