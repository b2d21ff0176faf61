/**
 * Keeps onnxruntime from reporting its use to its maker, which it does by default. The library
 * reads this variable once, when it is loaded. `onnx-runtime.ts` imports this file only for that
 * effect.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
