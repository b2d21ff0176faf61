/**
 * Keeps onnxruntime from reporting its use to its maker, which it does by default: the library
 * reads this variable once, when it is loaded. Imported for that effect alone, by
 * `onnx-runtime.ts`.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
