import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeFloats, decodeHalves, decodeInts } from './number-decoding.ts';

/** A constant of a TensorFlow model, in TensorFlow's order of dimensions. */
export interface Weight {
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

export type Weights = ReadonlyMap<string, Weight>;

/**
 * A TensorFlow.js weight manifest: groups of weights. The bytes of a group are in one or more
 * files.
 */
export type WeightManifest = readonly WeightGroup[];

interface WeightGroup {
  readonly paths: readonly string[];
  readonly weights: readonly WeightEntry[];
}

interface WeightEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
  readonly quantization?: {
    readonly dtype: 'float16' | 'uint8' | 'uint16';
    readonly scale?: number;
    readonly min?: number;
  };
}

/** Reads every weight of a manifest whose files are in `folder`, and undoes their quantisation. */
export async function readWeights(manifest: WeightManifest, folder: string): Promise<Weights> {
  const weights = new Map<string, Weight>();
  for (const group of manifest) {
    const files = await Promise.all(group.paths.map((file) => readFile(path.join(folder, file))));
    const bytes = Buffer.concat(files);
    let offset = 0;
    for (const entry of group.weights) {
      const count = entry.shape.reduce((result, size) => result * size, 1);
      const sizeBytes = count * bytesPerValue(entry);
      const data = decodeWeight(entry, bytes.subarray(offset, offset + sizeBytes));
      if (data.length !== count) throw new Error(`Weight ${entry.name} ends early in ${group.paths.join()}`);
      weights.set(entry.name, { shape: entry.shape, data });
      offset += sizeBytes;
    }
  }
  return weights;
}

/**
 * Returns the weight called `name`. Throws if it is missing, because the package then differs from
 * the one for which the recipe was written.
 */
export function weightNamed(weights: Weights, name: string): Weight {
  const weight = weights.get(name);
  if (!weight) throw new Error(`The model has no weight ${name}`);
  return weight;
}

/** Returns the values of a float weight. */
export function floatsNamed(weights: Weights, name: string): Float32Array {
  const { data } = weightNamed(weights, name);
  if (!(data instanceof Float32Array)) throw new Error(`Weight ${name} is not float32`);
  return data;
}

function bytesPerValue({ quantization }: WeightEntry): number {
  if (!quantization) return 4;
  return quantization.dtype === 'uint8' ? 1 : 2;
}

function decodeWeight({ dtype, quantization }: WeightEntry, bytes: Buffer): Float32Array | Int32Array {
  if (!quantization) return dtype === 'int32' ? decodeInts(bytes) : decodeFloats(bytes);
  if (quantization.dtype === 'float16') return decodeHalves(bytes);
  const { scale = 1, min = 0 } = quantization;
  const wide = quantization.dtype === 'uint16';
  const count = wide ? bytes.length / 2 : bytes.length;
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    values[i] = (wide ? bytes.readUInt16LE(2 * i) : bytes[i]!) * scale + min;
  }
  return dtype === 'int32' ? Int32Array.from(values, Math.round) : values;
}
