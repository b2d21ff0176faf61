/**
 * The only file that imports onnxruntime (`layers.json` forbids it elsewhere). Imports are
 * evaluated in order, so the variable is set first.
 */
import './no-telemetry.ts';

export { InferenceSession, Tensor } from 'onnxruntime-node';
