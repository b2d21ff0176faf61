/**
 * The only file that imports onnxruntime (`layers.json` forbids it elsewhere). The first import
 * turns its telemetry off, which has an effect only before the second one.
 */
import './no-telemetry.ts';

export { InferenceSession, Tensor } from 'onnxruntime-node';
